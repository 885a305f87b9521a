//! As much of ZIP as `.npz` needs: files stored or deflated, under 4 GiB, not split.

use crate::import::ImportError;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The end record without its comment.
const END_SIZE: usize = 22;
/// Deflate cannot shrink more than this, so a larger promise is a lie.
const MOST_DEFLATE_GAIN: usize = 1032;

/// One file of an archive, found but not unpacked.
pub(super) struct Entry<'a> {
    pub name: &'a [u8],
    method: u16,
    crc: u32,
    unpacked: usize,
    data: &'a [u8],
    at: usize,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at + 4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// All files of an archive.
pub(super) fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>, ImportError> {
    let fail = |at: usize, problem: &str| ImportError::malformed(format!("byte {at}"), problem);
    let last = bytes.len().saturating_sub(END_SIZE);
    let first = last.saturating_sub(usize::from(u16::MAX));
    let end = (first..=last)
        .rev()
        .find(|&at| bytes[at..].starts_with(END))
        .ok_or_else(|| fail(0, "this is no ZIP archive, or its end is missing"))?;
    let count = u16_at(bytes, end + 10).unwrap_or(0);
    let mut at = u32_at(bytes, end + 16).unwrap_or(0) as usize;
    let mut entries = Vec::new();
    for _ in 0..count {
        let cut = || fail(at, "the archive's directory is damaged");
        let head = bytes
            .get(at..)
            .filter(|b| b.starts_with(CENTRAL))
            .ok_or_else(cut)?;
        let half = |offset: usize| u16_at(head, offset).map(usize::from);
        let word = |offset: usize| u32_at(head, offset).map(|n| n as usize);
        let (Some(packed), Some(unpacked), Some(local)) = (word(20), word(24), word(42)) else {
            return Err(cut());
        };
        let (Some(name), Some(extra), Some(comment)) = (half(28), half(30), half(32)) else {
            return Err(cut());
        };
        let data = data_of(bytes, local, packed).ok_or_else(|| fail(local, "a file's data is missing"))?;
        entries.push(Entry {
            name: head.get(46..46 + name).ok_or_else(cut)?,
            method: u16_at(head, 10).ok_or_else(cut)?,
            crc: u32_at(head, 16).ok_or_else(cut)?,
            unpacked,
            data,
            at: local,
        });
        at += 46 + name + extra + comment;
    }
    Ok(entries)
}

/// The packed bytes behind a local header.
fn data_of(bytes: &[u8], local: usize, packed: usize) -> Option<&[u8]> {
    let head = bytes.get(local..).filter(|b| b.starts_with(LOCAL))?;
    let start = 30 + usize::from(u16_at(head, 26)?) + usize::from(u16_at(head, 28)?);
    head.get(start..start.checked_add(packed)?)
}

impl Entry<'_> {
    /// The file itself.
    pub fn unpack(&self) -> Result<Vec<u8>, ImportError> {
        let fail = |problem: String| ImportError::malformed(format!("byte {}", self.at), problem);
        let unpacked = match self.method {
            0 => self.data.to_vec(),
            8 if self.unpacked / MOST_DEFLATE_GAIN <= self.data.len() => {
                miniz_oxide::inflate::decompress_to_vec_with_limit(self.data, self.unpacked)
                    .map_err(|e| fail(format!("it cannot be unpacked ({e})")))?
            }
            8 => return Err(fail("it promises more than it can hold".to_owned())),
            other => {
                return Err(ImportError::Unsupported {
                    what: format!("ZIP compression {other}"),
                    way_out: "save it with numpy.savez or numpy.savez_compressed".to_owned(),
                });
            }
        };
        if unpacked.len() != self.unpacked || crc32fast::hash(&unpacked) != self.crc {
            return Err(fail("its length or checksum is wrong".to_owned()));
        }
        Ok(unpacked)
    }
}

/// An archive of stored files.
pub(super) fn stored(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, data) in files {
        let offset = archive.len() as u32;
        let mut common = Vec::new(); // what both headers hold
        common.extend(20u16.to_le_bytes()); // version needed
        common.extend([0; 4]); // flags, stored
        common.extend([0, 0, 0x21, 0]); // midnight, 1 January 1980: same input, same bytes
        common.extend(crc32fast::hash(data).to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]); // extra field
        archive.extend(LOCAL);
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(data);
        directory.extend(CENTRAL);
        directory.extend(20u16.to_le_bytes()); // version made by
        directory.extend(&common);
        directory.extend([0; 10]); // comment, disk, attributes
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = archive.len() as u32;
    archive.extend(&directory);
    archive.extend(END);
    archive.extend([0; 4]);
    for _ in 0..2 {
        archive.extend((files.len() as u16).to_le_bytes());
    }
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0; 2]);
    archive
}
