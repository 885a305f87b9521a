//! A ZIP archive of files that are stored as they are. Written by hand so that the same weights
//! give the same bytes for good; archives of others are read by the `zip` crate.

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

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
