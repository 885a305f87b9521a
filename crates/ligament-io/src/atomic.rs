//! Files that are either the old ones or the new ones, never half of each.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Why a file could not be written. The target is as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The system refused.
    #[error("cannot write ({source}); check that the folder exists, is writable and has space left: {}", path.display())]
    Io {
        /// The file that was to be written.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The target is the file that was read.
    #[error("the output is the input itself, and inputs are never overwritten; choose another name: {}", path.display())]
    IsInput {
        /// The file named twice.
        path: PathBuf,
    },
}

/// Writes `bytes` to a temporary file beside `path`, makes sure they are on the disk, and
/// renames it into place.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let fail = |source| WriteError::Io {
        path: path.to_owned(),
        source,
    };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".ligament-")
        .suffix(".tmp")
        .tempfile_in(folder)
        .map_err(fail)?;
    // A temporary file is private to its owner; an ordinary output is as open as the
    // file that it replaces, or as any new file.
    set_usual_permissions(file.as_file(), path).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Gives a new file the permissions of `like`, or those of a plain new file.
#[cfg(unix)]
fn set_usual_permissions(file: &std::fs::File, like: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = match std::fs::metadata(like) {
        Ok(old) => old.permissions(),
        Err(_) => std::fs::Permissions::from_mode(0o644),
    };
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &std::fs::File, _: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Refuses an output path that is the input file, by whatever name.
pub fn refuse_overwriting_input(input: &Path, output: &Path) -> Result<(), WriteError> {
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false, // one of them does not exist yet
    };
    if same {
        return Err(WriteError::IsInput {
            path: output.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_whole_file_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.bin");
        write_file(&path, b"first").unwrap();
        write_file(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("no/such/a.bin");
        let message = write_file(&path, b"x").unwrap_err().to_string();
        assert!(message.contains("no/such/a.bin"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn the_input_is_recognised_by_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.glb");
        std::fs::write(&path, b"x").unwrap();
        let link = dir.path().join("b.glb");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(refuse_overwriting_input(&path, &link).is_err());
        assert!(refuse_overwriting_input(&path, &dir.path().join("c.glb")).is_ok());
    }
}
