//! What failed, each with a link to its input, its log, and the command that repeats it.

use std::path::{Path, PathBuf};

use super::inputs::Item;
use super::manifest::Row;

/// Below the batch's folder.
const QUARANTINE: &str = "quarantine";

fn folder_of(batch: &Path, item: &Item) -> PathBuf {
    batch.join(QUARANTINE).join(&item.output)
}

/// Puts a failure there, in the place of an earlier one.
pub fn put(batch: &Path, item: &Item, row: &Row, log: &Path) -> std::io::Result<()> {
    let folder = folder_of(batch, item);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let mut text = std::fs::read(log).unwrap_or_default();
    let class = row.class.map_or("", |c| c.name());
    let error = row.error.as_deref().unwrap_or("");
    text.extend(format!("\n{class}: {error}\n").into_bytes());
    std::fs::write(folder.join("log.txt"), text)?;
    std::fs::write(folder.join("command.txt"), format!("{}\n", row.command))?;
    link(Path::new(&item.input), &folder)
}

/// Takes an asset out, once it is done.
pub fn release(batch: &Path, item: &Item) -> std::io::Result<()> {
    let folder = folder_of(batch, item);
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(input: &Path, folder: &Path) -> std::io::Result<()> {
    let Ok(whole) = input.canonicalize() else {
        return Ok(()); // a sample, or a file that is not there
    };
    std::os::unix::fs::symlink(whole, folder.join(input.file_name().unwrap_or_default()))
}

/// Links ask for rights on other systems: the command names the input.
#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}
