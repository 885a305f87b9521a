//! A ZIP archive of files that are stored as they are. Written by hand so that the same files
//! give the same bytes for good; archives of others are read by the `zip` crate.

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

/// The field that pads a file's header, as USD's own writer calls it.
const PADDING: u16 = 0x1986;

/// An archive of stored files, each of which begins at a multiple of `aligned` bytes.
pub(crate) fn stored(files: &[(&str, &[u8])], aligned: usize) -> Vec<u8> {
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
        archive.extend(LOCAL);
        archive.extend(&common);
        let padding = padding(archive.len() + 2 + name.len(), aligned);
        archive.extend((padding.len() as u16).to_le_bytes());
        archive.extend(name.as_bytes());
        archive.extend(padding);
        archive.extend(*data);
        directory.extend(CENTRAL);
        directory.extend(20u16.to_le_bytes()); // version made by
        directory.extend(&common);
        directory.extend([0; 12]); // extra field, comment, disk, attributes
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

/// A field that fills up to the next multiple of `aligned`, at least its own header's size.
fn padding(length: usize, aligned: usize) -> Vec<u8> {
    let mut missing = length.next_multiple_of(aligned) - length;
    if missing == 0 {
        return Vec::new();
    }
    while missing < 4 {
        missing += aligned;
    }
    let mut field = Vec::with_capacity(missing);
    field.extend(PADDING.to_le_bytes());
    field.extend((missing as u16 - 4).to_le_bytes());
    field.resize(missing, 0);
    field
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    #[test]
    fn others_read_what_is_stored_where_it_was_asked_for() {
        let files: [(&str, &[u8]); 3] = [("a", b"12345"), ("long name/b.bin", &[7; 300]), ("c", b"")];
        for aligned in [1, 64] {
            let bytes = stored(&files, aligned);
            let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
            assert_eq!(archive.len(), 3);
            for (name, data) in files {
                let mut file = archive.by_name(name).unwrap();
                assert_eq!(file.data_start().unwrap() % aligned as u64, 0, "{name}");
                let mut found = Vec::new();
                file.read_to_end(&mut found).unwrap();
                assert_eq!(found, data);
            }
        }
    }
}
