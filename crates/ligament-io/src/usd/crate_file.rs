//! The binary form (`.usdc`), called a crate: tables of tokens, fields, paths and specs,
//! and values anywhere in between.

use crate::import::ImportError;

use super::bytes::Bytes;
use super::packed::{integers, unpack};

/// The tables of a crate.
pub(super) struct CrateFile<'a> {
    pub bytes: &'a [u8],
    pub version: (u8, u8),
    pub tokens: Vec<String>,
    /// Strings, as indices into `tokens`.
    pub strings: Vec<u32>,
    /// A token's index and a packed value.
    pub fields: Vec<(u32, u64)>,
    /// Runs of indices into `fields`, each ended by `u32::MAX`.
    pub fieldsets: Vec<u32>,
    pub paths: Vec<CratePath>,
    pub specs: Vec<CrateSpec>,
    /// How many more bytes may be unpacked.
    pub budget: std::cell::Cell<usize>,
}

/// A path: its parent's index and its own name.
#[derive(Debug, Clone, Default)]
pub(super) struct CratePath {
    pub parent: Option<u32>,
    pub token: u32,
    pub is_property: bool,
    pub is_there: bool,
}

/// What is at a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct CrateSpec {
    pub path: u32,
    pub fieldset: u32,
    pub kind: u32,
}

impl<'a> CrateFile<'a> {
    /// Reads the tables, and checks that all their references stay inside.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let mut head = Bytes { all: bytes, at: 8 };
        let version = head.array::<8>()?;
        if version[0] != 0 || version[1] < 4 {
            return Err(ImportError::Unsupported {
                what: format!("a binary USD file of version {}.{}", version[0], version[1]),
                way_out: "convert it with `usdcat in.usdc -o out.usda`".to_owned(),
            });
        }
        let mut toc = Bytes::at(bytes, head.u64()?);
        let count = toc.count()?.min(64);
        let mut sections = Vec::new();
        for _ in 0..count {
            let name = toc.array::<16>()?;
            let start = toc.u64()?;
            toc.u64()?;
            sections.push((name, start));
        }
        let section = |name: &str| {
            let found = sections.iter().find(|(n, _)| {
                let end = n.iter().position(|&b| b == 0).unwrap_or(16);
                &n[..end] == name.as_bytes()
            });
            let missing = || ImportError::malformed("the table of contents", format!("{name} is missing"));
            found
                .map(|&(_, start)| Bytes::at(bytes, start))
                .ok_or_else(missing)
        };
        let mut file = Self {
            bytes,
            version: (version[0], version[1]),
            tokens: Vec::new(),
            strings: Vec::new(),
            fields: Vec::new(),
            fieldsets: Vec::new(),
            paths: Vec::new(),
            specs: Vec::new(),
            budget: std::cell::Cell::new(bytes.len().saturating_mul(64).saturating_add(MOST_UNPACKED)),
        };
        file.tokens = file.read_tokens(&mut section("TOKENS")?)?;
        let mut strings = section("STRINGS")?;
        let count = strings.count()?;
        let table = strings.take(count.saturating_mul(4))?;
        file.strings = table
            .as_chunks::<4>()
            .0
            .iter()
            .map(|b| u32::from_le_bytes(*b))
            .collect();
        let mut fields = section("FIELDS")?;
        let count = fields.count()?;
        let names = file.table(&mut fields, count)?;
        let size = fields.count()?;
        let reps = unpack(fields.take(size)?, count.saturating_mul(8))?;
        let reps = reps.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b));
        file.fields = names.iter().map(|&n| n as u32).zip(reps).collect();
        let mut fieldsets = section("FIELDSETS")?;
        let count = fieldsets.count()?;
        let sets = file.table(&mut fieldsets, count)?;
        file.fieldsets = sets.into_iter().map(|i| i as u32).collect();
        file.paths = file.read_paths(&mut section("PATHS")?)?;
        let mut specs = section("SPECS")?;
        let count = specs.count()?;
        let columns = [
            file.table(&mut specs, count)?,
            file.table(&mut specs, count)?,
            file.table(&mut specs, count)?,
        ];
        file.specs = (0..count)
            .map(|i| CrateSpec {
                path: columns[0][i] as u32,
                fieldset: columns[1][i] as u32,
                kind: columns[2][i] as u32,
            })
            .collect();
        Ok(file)
    }

    /// Whether so many more bytes may be unpacked: a small file can name one large array
    /// a thousand times.
    pub fn spend(&self, bytes: usize) -> Result<(), ImportError> {
        let left = self.budget.get().checked_sub(bytes);
        let left = left.ok_or_else(|| ImportError::Unsupported {
            what: "a file that unpacks to so much data".to_owned(),
            way_out: "export the character alone".to_owned(),
        })?;
        self.budget.set(left);
        Ok(())
    }

    pub fn token(&self, index: u64) -> Result<&str, ImportError> {
        let token = usize::try_from(index).ok().and_then(|i| self.tokens.get(i));
        token
            .map(String::as_str)
            .ok_or_else(|| ImportError::malformed("the tokens", format!("there is no token {index}")))
    }

    pub fn string(&self, index: u32) -> Result<&str, ImportError> {
        let token = self.strings.get(index as usize);
        let token = token
            .ok_or_else(|| ImportError::malformed("the strings", format!("there is no string {index}")))?;
        self.token(u64::from(*token))
    }

    /// The name and packed value of each field of a spec.
    pub fn fields_of(&self, spec: CrateSpec) -> impl Iterator<Item = (&str, u64)> {
        let run = self.fieldsets.get(spec.fieldset as usize..).unwrap_or(&[]);
        run.iter().take_while(|&&i| i != u32::MAX).filter_map(|&i| {
            let &(token, rep) = self.fields.get(i as usize)?;
            Some((self.tokens.get(token as usize)?.as_str(), rep))
        })
    }

    /// A column of a table: packed integers.
    fn table(&self, bytes: &mut Bytes<'_>, count: usize) -> Result<Vec<i64>, ImportError> {
        self.spend(count.saturating_mul(16))?;
        integers(bytes, count, false)
    }

    fn read_tokens(&self, bytes: &mut Bytes<'_>) -> Result<Vec<String>, ImportError> {
        let count = bytes.count()?;
        let unpacked_size = bytes.count()?;
        let size = bytes.count()?;
        self.spend(unpacked_size)?;
        let unpacked = unpack(bytes.take(size)?, unpacked_size)?;
        let text = unpacked.strip_suffix(b"\0").unwrap_or(&unpacked);
        if text.is_empty() && count == 0 {
            return Ok(Vec::new());
        }
        let tokens: Vec<String> = text
            .split(|&b| b == 0)
            .map(|t| String::from_utf8_lossy(t).into_owned())
            .collect();
        if tokens.len() != count {
            return Err(bytes.fail(format!("{} tokens where {count} are said to be", tokens.len())));
        }
        Ok(tokens)
    }

    /// Paths are a treewritten in order of depth: each entry says whether a child follows it
    /// and where its next sibling is.
    fn read_paths(&self, bytes: &mut Bytes<'_>) -> Result<Vec<CratePath>, ImportError> {
        bytes.count()?;
        let count = bytes.count()?;
        let indices = self.table(bytes, count)?;
        let names = self.table(bytes, count)?;
        let jumps = self.table(bytes, count)?;
        let mut paths = vec![CratePath::default(); count];
        let mut pending: Vec<(usize, Option<u32>)> = if count > 0 { vec![(0, None)] } else { Vec::new() };
        let mut steps = 0;
        while let Some((mut at, mut parent)) = pending.pop() {
            loop {
                steps += 1;
                let known = at < count && steps <= count;
                let index = known.then(|| indices[at] as u32 as usize).filter(|&p| p < count);
                let Some(index) = index else {
                    return Err(bytes.fail("the paths are no tree"));
                };
                if paths[index].is_there {
                    return Err(bytes.fail("a path is named twice"));
                }
                paths[index] = CratePath {
                    parent,
                    token: (names[at] as i32).unsigned_abs(),
                    is_property: names[at] < 0,
                    is_there: true,
                };
                let jump = jumps[at];
                let has_child = jump > 0 || jump == -1;
                if has_child && jump > 0 {
                    pending.push((at.saturating_add(jump as usize), parent));
                }
                if has_child {
                    parent = Some(index as u32);
                }
                if !has_child && jump != 0 {
                    break;
                }
                at += 1;
            }
        }
        Ok(paths)
    }
}

/// Bytes that any file may unpack to, beside what its size allows.
const MOST_UNPACKED: usize = 256 << 20;
