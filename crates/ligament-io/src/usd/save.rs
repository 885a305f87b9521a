//! A layer and the pictures that it refers to, as files.

use std::path::{Path, PathBuf};

use ligament::Character;

use super::{WriteError, textures, write, write_binary};
use crate::atomic::{self, write_file};

/// Why a character could not be saved. A layer that was there before is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The character cannot be written as USD.
    #[error(transparent)]
    Character(#[from] WriteError),
    /// The system refused.
    #[error(transparent)]
    File(#[from] atomic::WriteError),
    /// A texture would overwrite another file.
    #[error("a texture would overwrite a different file; choose another folder: {}", path.display())]
    PictureInTheWay {
        /// The file that is in the way.
        path: PathBuf,
    },
}

/// Saves a character: as text if the name ends in `.usda`, else in the binary form. Its
/// pictures come first, so that a layer never stands without them.
pub fn save(character: &Character, path: &Path) -> Result<(), SaveError> {
    let as_text = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("usda"));
    let layer = if as_text {
        write(character)?.into_bytes()
    } else {
        write_binary(character)?
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    for (name, bytes) in textures(character) {
        save_picture(folder.join(name), &bytes)?;
    }
    Ok(write_file(path, &layer)?)
}

fn save_picture(path: PathBuf, bytes: &[u8]) -> Result<(), SaveError> {
    match std::fs::read(&path) {
        Ok(present) if present == bytes => return Ok(()),
        Ok(_) => return Err(SaveError::PictureInTheWay { path }),
        Err(_) => {}
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| atomic::WriteError::Io {
            path: folder.to_owned(),
            source,
        })?;
    }
    Ok(write_file(&path, bytes)?)
}
