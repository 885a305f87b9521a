//! A layer and the pictures that it refers to, as files.

use std::path::{Path, PathBuf};

use ligament::Character;

use super::names::Names;
use super::print_crate::print_crate;
use super::print_text::print_text;
use super::write::write_layer;
use super::{WriteError, textures};
use crate::atomic::{self, write_file};
use crate::export::check;
use crate::stored_zip::stored;

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
}

/// Saves a character: as text if the name ends in `.usda`, as a package with its pictures if in
/// `.usdz`, else in the binary form. Pictures beside it come first, so that a layer never stands
/// without them; where another picture has a name already, the next one that is free is taken.
pub fn save(character: &Character, path: &Path) -> Result<(), SaveError> {
    check(character)?;
    let ends_in = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    if ends_in("usdz") {
        return Ok(write_file(path, &package(character, path)?)?);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = textures(character);
    let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    for (name, bytes) in &mut files {
        *name = free_name(folder, name, bytes, &names);
    }
    let layer = write_layer(character, &files);
    let layer = if ends_in("usda") {
        print_text(&layer).into_bytes()
    } else {
        print_crate(&layer)
    };
    for (name, bytes) in &files {
        save_picture(folder.join(name), bytes)?;
    }
    Ok(write_file(path, &layer)?)
}

/// The name, or the next that is free: no other picture has it, neither in the folder nor among
/// those that are written.
fn free_name(folder: &Path, name: &str, bytes: &[u8], written: &[String]) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "png"));
    let mut free = name.to_owned();
    for number in 2.. {
        let others = written.iter().any(|w| w != name && w.eq_ignore_ascii_case(&free));
        let stands = std::fs::read(folder.join(&free));
        let in_the_way = match stands {
            Ok(present) => present != bytes,
            Err(_) => folder.join(&free).exists(),
        };
        if !others && !in_the_way {
            break;
        }
        free = format!("{stem}_{number}.{ending}");
    }
    free
}

fn save_picture(path: PathBuf, bytes: &[u8]) -> Result<(), SaveError> {
    if std::fs::read(&path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| atomic::WriteError::Io {
            path: folder.to_owned(),
            source,
        })?;
    }
    Ok(write_file(&path, bytes)?)
}

/// A package: the layer first, then its pictures, stored as they are, each at a multiple of 64
/// bytes, as the format demands.
fn package(character: &Character, path: &Path) -> Result<Vec<u8>, SaveError> {
    let files = textures(character);
    let layer = print_crate(&write_layer(character, &files));
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let layer_name = format!(
        "{}.usdc",
        Names::default().unique(&stem.unwrap_or_default(), "character")
    );
    let pictures = files.iter().map(|(name, bytes)| (name.as_str(), &**bytes));
    let all: Vec<(&str, &[u8])> = std::iter::once((layer_name.as_str(), layer.as_slice()))
        .chain(pictures)
        .collect();
    Ok(stored(&all, 64))
}
