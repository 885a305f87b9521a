//! Packages (`.usdz`): zip archives whose files are stored as they are. The first file
//! that is a layer is the scene.

use std::io::Cursor;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::import::ImportError;

/// An opened package.
pub(super) struct Package<'a> {
    /// The scene's bytes.
    pub layer: &'a [u8],
    /// The folder that the scene is in, with its slash; empty for the package's own.
    folder: String,
    /// Names and bytes of the files that are stored as they are.
    files: Vec<(String, &'a [u8])>,
}

impl<'a> Package<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let mut files = Vec::new();
        let (name, layer) = first_layer(bytes, &mut files)?;
        let folder = name.rfind('/').map_or("", |slash| &name[..=slash]).to_owned();
        Ok(Self { layer, folder, files })
    }

    /// The bytes of a file that the scene names.
    pub fn file(&self, name: &str) -> Option<&'a [u8]> {
        let from_scene = format!("{}{name}", self.folder);
        let find = |name: &str| self.files.iter().find(|(n, _)| n == name);
        find(&from_scene).or_else(|| find(name)).map(|&(_, data)| data)
    }
}

/// The name and the bytes of the scene's layer, and the list of files.
fn first_layer<'a>(
    bytes: &'a [u8],
    files: &mut Vec<(String, &'a [u8])>,
) -> Result<(String, &'a [u8]), ImportError> {
    let broken = |error: ZipError| ImportError::malformed("the package", error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let mut layer = None;
    for i in 0..archive.len() {
        let file = archive.by_index_raw(i).map_err(broken)?;
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        let is_layer = [".usd", ".usda", ".usdc"].iter().any(|e| name.ends_with(e));
        if file.compression() != CompressionMethod::Stored {
            if is_layer && layer.is_none() {
                return Err(ImportError::Unsupported {
                    what: format!("the compressed file '{name}' in a package"),
                    way_out: "unzip the package and read the file in it".to_owned(),
                });
            }
            continue;
        }
        let start = file.data_start().unwrap_or(0) as usize;
        let end = start.saturating_add(file.compressed_size() as usize);
        let data = bytes
            .get(start..end)
            .ok_or_else(|| ImportError::malformed("the package", format!("'{name}' is cut off")))?;
        if is_layer && layer.is_none() {
            layer = Some((name.clone(), data));
        }
        files.push((name, data));
    }
    layer.ok_or_else(|| ImportError::malformed("the package", "there is no USD layer in it"))
}
