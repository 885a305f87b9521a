//! Packages (`.usdz`): zip archives whose files are stored as they are. The first file
//! that is a layer is the scene.

use crate::import::ImportError;

use super::bytes::Bytes;

/// The bytes of the scene's layer.
pub(super) fn first_layer(bytes: &[u8]) -> Result<&[u8], ImportError> {
    // The end record is in the last bytes, before a comment of at most 65,535.
    let tail = bytes.len().saturating_sub(22 + 65_535);
    let end = bytes[tail..].windows(4).rposition(|w| w == b"PK\x05\x06");
    let end =
        end.ok_or_else(|| ImportError::malformed("the package", "it has no end; the file is cut off"))?;
    let mut record = Bytes {
        all: bytes,
        at: tail + end + 10,
    };
    let entries = u16::from_le_bytes(record.array()?);
    record.u32()?;
    let mut directory = Bytes::at(bytes, u64::from(record.u32()?));
    for _ in 0..entries {
        if directory.array::<4>()? != *b"PK\x01\x02" {
            return Err(directory.fail("the package's directory is broken"));
        }
        directory.take(6)?;
        let method = u16::from_le_bytes(directory.array()?);
        directory.take(8)?;
        let size = directory.u32()? as usize;
        directory.u32()?;
        let lengths = [directory.array()?, directory.array()?, directory.array()?].map(u16::from_le_bytes);
        directory.take(8)?;
        let start = directory.u32()?;
        let name = String::from_utf8_lossy(directory.take(usize::from(lengths[0]))?).into_owned();
        directory.take(usize::from(lengths[1]) + usize::from(lengths[2]))?;
        let is_layer = [".usd", ".usda", ".usdc"].iter().any(|e| name.ends_with(e));
        if !is_layer {
            continue;
        }
        if method != 0 {
            return Err(ImportError::Unsupported {
                what: format!("the compressed file '{name}' in a package"),
                way_out: "unzip the package and read the file in it".to_owned(),
            });
        }
        let mut local = Bytes::at(bytes, u64::from(start));
        local.take(26)?;
        let name_length = u16::from_le_bytes(local.array()?);
        let extra_length = u16::from_le_bytes(local.array()?);
        local.take(usize::from(name_length) + usize::from(extra_length))?;
        return local.take(size);
    }
    Err(ImportError::malformed(
        "the package",
        "there is no USD layer in it",
    ))
}
