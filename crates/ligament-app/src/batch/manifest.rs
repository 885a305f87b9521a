//! The manifest: a line of JSON for each attempt, added and never changed.
//!
//! A line is on the disk before its output takes its name, so a batch that is killed in between finishes that rename when it runs
//! again. A line that was cut off by a kill is not read. Shards write files of their own; what a folder's manifests say together does
//! not depend on their order.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::BatchError;

/// Why an asset failed, for those who count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The file cannot be read: missing, damaged, or of an unknown format.
    Input,
    /// It has nothing that the verb could work on: no mesh, no skeleton, no weights.
    Content,
    /// The arguments are wrong.
    Usage,
    /// The output cannot be written.
    Write,
    /// The output was written and does not read back as it should.
    Output,
    /// It took longer than it may.
    Timeout,
    /// It used more memory than it may.
    Memory,
    /// The process ended without a word.
    Crash,
}

impl ErrorClass {
    /// Its name, as in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Content => "content",
            Self::Usage => "usage",
            Self::Write => "write",
            Self::Output => "output",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Crash => "crash",
        }
    }
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The output is there and reads back.
    Done,
    /// It is not.
    Failed,
}

/// How good the output is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// The verdict of `check`, in a line.
    pub headline: String,
    /// Its score: over one is broken.
    pub score: f64,
    /// Each measure with its value.
    pub values: BTreeMap<String, f64>,
    /// Where it is worst.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
}

/// Where an output is worst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The joint around which it is.
    pub joint: String,
    /// By which measure.
    pub measure: String,
    /// A vertex there.
    pub vertex: u32,
    /// How far over its limit: over one is broken.
    pub severity: f64,
}

/// One attempt. `V` is what is kept of stages and warnings: all of it, or nothing but their number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row<V = Value> {
    /// What the output depends on, as a hash.
    pub key: String,
    /// What the user calls the input.
    pub input: String,
    /// Where its output is, below the batch's folder.
    pub output: PathBuf,
    /// How it ended.
    pub status: Status,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ErrorClass>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Which attempt at this key it was, from 1.
    pub attempt: u32,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
    /// How long it took.
    pub milliseconds: f64,
    /// The verb's stages with their times.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<V>,
    /// The most memory that it held, in MB, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_mb: Option<f64>,
    /// What was warned of.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<V>,
    /// How good it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// The hash of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_hash: Option<String>,
    /// The version that made it.
    pub version: String,
    /// The command line that does the same.
    pub command: String,
}

/// Where attempts are written down.
pub struct Manifest {
    file: File,
    path: PathBuf,
}

impl Manifest {
    /// Opens a manifest to add to it. No two batches can have the same one open.
    pub fn open(path: &Path) -> Result<Self, BatchError> {
        let fail = |source| BatchError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(BatchError::Busy {
                    path: path.to_owned(),
                });
            }
            Err(std::fs::TryLockError::Error(source)) => return Err(fail(source)),
        }
        // What a kill cut off must not run into the next line.
        let length = file.seek(SeekFrom::End(0)).map_err(fail)?;
        if length > 0 && !ends_with_newline(&mut file).map_err(fail)? {
            file.write_all(b"\n").map_err(fail)?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Adds a line and makes sure that it is on the disk.
    pub fn add(&mut self, row: &Row) -> Result<(), BatchError> {
        let mut line = serde_json::to_vec(row).map_err(|e| BatchError::Io {
            path: self.path.clone(),
            source: e.into(),
        })?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|source| BatchError::Io {
            path: self.path.clone(),
            source,
        })
    }
}

fn ends_with_newline(file: &mut File) -> std::io::Result<bool> {
    use std::io::Read;
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The manifest of a batch, or of one of its shards.
pub fn manifest_path(folder: &Path, shard: Option<(u32, u32)>) -> PathBuf {
    folder.join(match shard {
        None => "manifest.jsonl".to_owned(),
        Some((i, n)) => format!("manifest.{i}-of-{n}.jsonl"),
    })
}

/// Hands over every attempt in every manifest of a folder, one at a time.
pub fn for_each_row(folder: &Path, take: impl FnMut(Row)) -> Result<(), BatchError> {
    for_each_line(folder, take)
}

/// Hands over what is asked for of every whole line of every manifest of a folder, one at a time.
pub(super) fn for_each_line<T: DeserializeOwned>(
    folder: &Path,
    mut take: impl FnMut(T),
) -> Result<(), BatchError> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| BatchError::Io { path, source }
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(fail(folder)(error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(fail(folder))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with("manifest.") && name.ends_with(".jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    for path in paths {
        for line in BufReader::new(File::open(&path).map_err(fail(&path))?).split(b'\n') {
            if let Ok(row) = serde_json::from_slice(&line.map_err(fail(&path))?) {
                take(row);
            }
        }
    }
    Ok(())
}

/// What the rows of one asset come to: an output that is there counts for more than any failure, then the latest attempt.
pub fn newer<'a, V>(a: &'a Row<V>, b: &'a Row<V>) -> &'a Row<V> {
    let rank = |row: &Row<V>| (row.status == Status::Done, row.ended, row.attempt);
    let order = rank(a)
        .cmp(&rank(b))
        .then_with(|| a.key.cmp(&b.key))
        .then_with(|| a.milliseconds.total_cmp(&b.milliseconds));
    if order.is_lt() { b } else { a }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn row(key: &str, status: Status, ended: u64) -> Row {
        Row {
            key: key.to_owned(),
            input: format!("{key}.glb"),
            output: PathBuf::from(format!("{key}.glb")),
            status,
            class: None,
            error: None,
            attempt: 1,
            ended,
            milliseconds: 1.5,
            stages: Vec::new(),
            peak_mb: None,
            warnings: Vec::new(),
            measures: None,
            output_hash: None,
            version: "1".to_owned(),
            command: String::new(),
        }
    }

    fn keys(folder: &Path) -> Vec<String> {
        let mut keys = Vec::new();
        for_each_row(folder, |row| keys.push(row.key)).unwrap();
        keys
    }

    #[test]
    fn a_line_that_was_cut_off_is_not_read_and_harms_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = manifest_path(dir.path(), None);
        let mut manifest = Manifest::open(&path).unwrap();
        manifest.add(&row("a", Status::Done, 1)).unwrap();
        manifest.add(&row("b", Status::Done, 1)).unwrap();
        drop(manifest);
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
        for cut in first..whole.len() - 1 {
            std::fs::write(&path, &whole[..cut]).unwrap();
            Manifest::open(&path)
                .unwrap()
                .add(&row("c", Status::Done, 1))
                .unwrap();
            assert_eq!(keys(dir.path()), ["a", "c"], "cut at {cut}");
        }
    }

    #[test]
    fn one_manifest_has_one_writer() {
        let dir = tempfile::tempdir().unwrap();
        let path = manifest_path(dir.path(), None);
        let first = Manifest::open(&path).unwrap();
        assert!(matches!(Manifest::open(&path), Err(BatchError::Busy { .. })));
        let shard = Manifest::open(&manifest_path(dir.path(), Some((1, 2))));
        assert!(shard.is_ok());
        drop(first);
        assert!(Manifest::open(&path).is_ok());
    }

    #[test]
    fn what_rows_come_to_does_not_depend_on_their_order() {
        let rows = [
            row("a", Status::Failed, 9),
            row("a", Status::Done, 3),
            row("a", Status::Done, 5),
            row("a", Status::Failed, 5),
        ];
        for first in 0..4 {
            let mut best = &rows[first];
            for k in 1..4 {
                best = newer(best, &rows[(first + k) % 4]);
            }
            assert_eq!((best.status, best.ended), (Status::Done, 5));
        }
    }
}
