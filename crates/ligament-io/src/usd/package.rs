//! Packages (`.usdz`): zip archives whose files are stored as they are. The first file
//! that is a layer is the scene.

use crate::import::ImportError;

use super::bytes::Bytes;

/// An opened package.
pub(super) struct Package<'a> {
    bytes: &'a [u8],
    /// The scene's bytes.
    pub layer: &'a [u8],
    /// The folder that the scene is in, with its slash; empty for the package's own.
    folder: String,
    /// Names, starts and sizes of the files that are stored as they are.
    files: Vec<(String, u32, usize)>,
}

impl<'a> Package<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let mut files = Vec::new();
        let (name, layer) = first_layer(bytes, &mut files)?;
        let folder = name.rfind('/').map_or("", |slash| &name[..=slash]).to_owned();
        Ok(Self {
            bytes,
            layer,
            folder,
            files,
        })
    }

    /// The bytes of a file that the scene names.
    pub fn file(&self, name: &str) -> Option<&'a [u8]> {
        let from_scene = format!("{}{name}", self.folder);
        let find = |name: &str| self.files.iter().find(|(n, ..)| n == name);
        let &(_, start, size) = find(&from_scene).or_else(|| find(name))?;
        stored(self.bytes, start, size).ok()
    }
}

/// The bytes of a file that is stored as it is.
fn stored(bytes: &[u8], start: u32, size: usize) -> Result<&[u8], ImportError> {
    let mut local = Bytes::at(bytes, u64::from(start));
    local.take(26)?;
    let name_length = u16::from_le_bytes(local.array()?);
    let extra_length = u16::from_le_bytes(local.array()?);
    local.take(usize::from(name_length) + usize::from(extra_length))?;
    local.take(size)
}

/// The name and the bytes of the scene's layer, and the list of files.
fn first_layer<'a>(
    bytes: &'a [u8],
    files: &mut Vec<(String, u32, usize)>,
) -> Result<(String, &'a [u8]), ImportError> {
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
    let mut layer = None;
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
        if method == 0 {
            files.push((name.clone(), start, size));
        }
        if !is_layer || layer.is_some() {
            continue;
        }
        if method != 0 {
            return Err(ImportError::Unsupported {
                what: format!("the compressed file '{name}' in a package"),
                way_out: "unzip the package and read the file in it".to_owned(),
            });
        }
        layer = Some((name, stored(bytes, start, size)?));
    }
    layer.ok_or_else(|| ImportError::malformed("the package", "there is no USD layer in it"))
}
