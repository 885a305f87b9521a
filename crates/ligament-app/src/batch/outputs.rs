//! Outputs of one asset: one file with those that belong to it, or a folder of files.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::key::hash_of_file;

/// The files of a folder and of those below, in order.
pub fn files_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(files_in(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// The hash of all files of a folder with their names.
pub fn hash_of(folder: &Path) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    for file in files_in(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        hash.update(name.to_string_lossy().as_bytes());
        hash.update([0]);
        hash.update(hash_of_file(&file).unwrap_or_default());
    }
    let digest = hash.finalize();
    Ok(digest[..16].iter().map(|b| format!("{b:02x}")).collect())
}

/// Moves all files of a folder into another one; the one of the given name comes last, since it is what others look for.
pub fn move_into(from: &Path, to: &Path, last: &Path) -> std::io::Result<()> {
    let mut files = files_in(from)?;
    files.sort_by_key(|file| file.strip_prefix(from).is_ok_and(|name| name == last));
    for file in files {
        let name = file.strip_prefix(from).unwrap_or(&file);
        let target = to.join(name);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(&file, &target)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_move_whole_and_hashes_know_names_and_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("sub")).unwrap();
        fs::write(from.join("a.gltf"), b"a").unwrap();
        fs::write(from.join("sub/b.bin"), b"b").unwrap();
        let before = hash_of(&from).unwrap();
        fs::write(from.join("sub/b.bin"), b"c").unwrap();
        assert_ne!(hash_of(&from).unwrap(), before);
        fs::write(from.join("sub/b.bin"), b"b").unwrap();
        assert_eq!(hash_of(&from).unwrap(), before);
        move_into(&from, &to, Path::new("a.gltf")).unwrap();
        assert_eq!(hash_of(&to).unwrap(), before);
        assert!(files_in(&from).unwrap().is_empty());
    }
}
