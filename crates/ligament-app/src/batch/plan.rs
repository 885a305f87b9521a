//! The assets of a batch as a list on the disk, so that a million of them take no more memory than ten.
//!
//! Items lie in files without a name, one for each power of two of their sizes: read from the largest down, the largest assets are begun
//! first. Such files vanish with the process, however it ends.

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::Hasher;
use std::io::{BufRead, BufReader, BufWriter, Lines, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::BatchError;
use super::inputs::Item;

/// So many hashes of outputs are compared at once: 8 MB.
const HASHES_AT_ONCE: u64 = 1 << 20;

/// The list while it is written.
pub struct Plan {
    folder: PathBuf,
    /// Items by the power of two of their sizes, a line of JSON each.
    by_size: BTreeMap<u32, BufWriter<File>>,
    /// A hash of each output, to find two that are the same.
    hashes: BufWriter<File>,
    count: u64,
}

impl Plan {
    /// An empty plan, kept in this folder.
    pub fn new(folder: &Path) -> Result<Self, BatchError> {
        Ok(Self {
            folder: folder.to_owned(),
            by_size: BTreeMap::new(),
            hashes: BufWriter::new(nameless(folder)?),
            count: 0,
        })
    }

    /// Adds an item.
    pub fn add(&mut self, item: &Item) -> Result<(), BatchError> {
        let size = item.bytes.checked_ilog2().map_or(0, |bits| bits + 1);
        let file = match self.by_size.entry(size) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(BufWriter::new(nameless(&self.folder)?))
            }
        };
        let hash = hash_of(&item.output).to_le_bytes();
        let line = serde_json::to_vec(item).map_err(std::io::Error::from);
        let written = line.and_then(|mut line| {
            line.push(b'\n');
            file.write_all(&line)?;
            self.hashes.write_all(&hash)
        });
        written.map_err(in_folder(&self.folder))?;
        self.count += 1;
        Ok(())
    }

    /// Ends the list. Two inputs that would write the same file are a mistake that no order puts right.
    pub fn finish(mut self) -> Result<Planned, BatchError> {
        let fail = in_folder(&self.folder);
        self.hashes.flush().map_err(&fail)?;
        let twice = hashes_seen_twice(self.hashes.get_mut(), self.count).map_err(&fail)?;
        let mut files = Vec::new();
        for (_, writer) in self.by_size {
            files.push(writer.into_inner().map_err(|e| fail(e.into_error()))?);
        }
        let mut planned = Planned {
            folder: self.folder,
            smaller: files,
            reading: None,
            count: self.count as usize,
        };
        if !twice.is_empty() {
            planned.rewind()?;
            planned.refuse_same_output(&twice)?;
        }
        planned.rewind()?;
        Ok(planned)
    }
}

/// The list while it is read, the largest assets first.
pub struct Planned {
    folder: PathBuf,
    /// Files of items that were not begun, the largest last.
    smaller: Vec<File>,
    reading: Option<Lines<BufReader<File>>>,
    count: usize,
}

impl Planned {
    /// How many items there were at the start.
    pub fn len(&self) -> usize {
        self.count
    }

    fn rewind(&mut self) -> Result<(), BatchError> {
        self.reading = None;
        let fail = in_folder(&self.folder);
        for file in &mut self.smaller {
            file.rewind().map_err(&fail)?;
        }
        Ok(())
    }

    /// The next item.
    pub fn next(&mut self) -> Result<Option<Item>, BatchError> {
        let fail = in_folder(&self.folder);
        loop {
            if let Some(lines) = &mut self.reading {
                if let Some(line) = lines.next() {
                    let item = line.and_then(|line| serde_json::from_str(&line).map_err(Into::into));
                    return item.map(Some).map_err(fail);
                }
                self.reading = None;
            }
            let Some(file) = self.smaller.pop() else {
                return Ok(None);
            };
            self.reading = Some(BufReader::new(file).lines());
        }
    }

    /// Fails if two items have one output; `twice` are the hashes that such have.
    fn refuse_same_output(&self, twice: &[u64]) -> Result<(), BatchError> {
        let fail = in_folder(&self.folder);
        let mut first: BTreeMap<PathBuf, String> = BTreeMap::new();
        for file in &self.smaller {
            for line in BufReader::new(file).lines() {
                let line = line.map_err(&fail)?;
                let item: Item = serde_json::from_str(&line).map_err(|e| fail(e.into()))?;
                if twice.binary_search(&hash_of(&item.output)).is_err() {
                    continue;
                }
                if let Some(other) = first.insert(item.output.clone(), item.input.clone()) {
                    return Err(BatchError::SameOutput {
                        output: item.output,
                        first: other,
                        second: item.input,
                    });
                }
            }
        }
        Ok(())
    }
}

/// The hashes that are in a file more than once, in order; only so many are held at a time.
fn hashes_seen_twice(file: &mut File, count: u64) -> std::io::Result<Vec<u64>> {
    let rounds = count.div_ceil(HASHES_AT_ONCE).max(1);
    let mut twice = Vec::new();
    for round in 0..rounds {
        file.rewind()?;
        let mut reader = BufReader::new(&mut *file);
        let mut hashes = Vec::new();
        let mut bytes = [0; 8];
        for _ in 0..count {
            reader.read_exact(&mut bytes)?;
            let hash = u64::from_le_bytes(bytes);
            if hash % rounds == round {
                hashes.push(hash);
            }
        }
        hashes.sort_unstable();
        twice.extend(
            hashes
                .windows(2)
                .filter(|pair| pair[0] == pair[1])
                .map(|pair| pair[0]),
        );
    }
    twice.sort_unstable();
    twice.dedup();
    Ok(twice)
}

fn hash_of(output: &Path) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(output.as_os_str().as_encoded_bytes());
    hasher.finish()
}

fn nameless(folder: &Path) -> Result<File, BatchError> {
    tempfile::tempfile_in(folder).map_err(in_folder(folder))
}

fn in_folder(folder: &Path) -> impl Fn(std::io::Error) -> BatchError + use<> {
    let path = folder.to_owned();
    move |source| BatchError::Io {
        path: path.clone(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(output: &str, bytes: u64) -> Item {
        Item {
            input: format!("in/{output}/{bytes}"),
            output: PathBuf::from(output),
            arguments: Vec::new(),
            bytes,
        }
    }

    #[test]
    fn items_come_back_whole_from_the_largest_size_down() {
        let dir = tempfile::tempdir().unwrap();
        let mut plan = Plan::new(dir.path()).unwrap();
        let sizes = [0, 7, 1 << 20, 1, 900, 5, u64::MAX];
        for (k, &bytes) in sizes.iter().enumerate() {
            plan.add(&item(&k.to_string(), bytes)).unwrap();
        }
        let mut planned = plan.finish().unwrap();
        assert_eq!(planned.len(), sizes.len());
        let mut found = Vec::new();
        while let Some(item) = planned.next().unwrap() {
            found.push(item.bytes);
        }
        assert_eq!(found, [u64::MAX, 1 << 20, 900, 7, 5, 1, 0]);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn two_items_with_one_output_are_refused_wherever_they_lie() {
        let dir = tempfile::tempdir().unwrap();
        let mut plan = Plan::new(dir.path()).unwrap();
        for k in 0..5000 {
            plan.add(&item(&format!("{k}.glb"), k)).unwrap();
        }
        plan.add(&item("17.glb", 1 << 30)).unwrap();
        let Err(BatchError::SameOutput { output, .. }) = plan.finish() else {
            panic!("it was not refused");
        };
        assert_eq!(output, Path::new("17.glb"));
    }

    #[test]
    fn hashes_are_compared_in_rounds_as_in_one() {
        let mut file = tempfile::tempfile().unwrap();
        let count = HASHES_AT_ONCE * 2 + 11;
        let mut writer = BufWriter::new(&mut file);
        for k in 0..count {
            let hash = if k == count - 1 { 4242 } else { k * 3 };
            writer.write_all(&hash.to_le_bytes()).unwrap();
        }
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(hashes_seen_twice(&mut file, count).unwrap(), [4242]);
    }
}
