//! The key of an asset: what its output depends on, as a hash.

use std::io::Read;
use std::path::{Path, PathBuf};

use ligament_io::companion::named_files;
use sha2::{Digest, Sha256};

use super::inputs::Item;

/// How many hexadecimal digits of a hash are kept: two of a billion assets share them once in 10¹⁸ batches.
const DIGITS: usize = 32;

/// The key of an asset: its bytes, those of the files that it names, the verb with its arguments, the files that those name, and the
/// version. A file that cannot be read counts as missing; whoever opens it says so.
pub fn key_of(item: &Item, verb: &str, arguments: &[String], version: &str) -> String {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(version.as_bytes());
    part(verb.as_bytes());
    part(item.output.to_string_lossy().as_bytes());
    for argument in arguments.iter().chain(&item.arguments) {
        part(argument.as_bytes());
        part(&file_hash(Path::new(argument)));
    }
    if item.input.starts_with("sample:") {
        part(item.input.as_bytes());
    } else {
        let input = Path::new(&item.input);
        part(&file_hash(input));
        for file in companions(input) {
            part(&file_hash(&file));
        }
    }
    hex(&hash.finalize())
}

/// The hash of a file's bytes, in hexadecimal digits.
pub fn hash_of_file(path: &Path) -> Option<String> {
    let hash = file_hash(path);
    (!hash.is_empty()).then(|| hex(&hash))
}

/// The hash of a file; nothing where there is none.
fn file_hash(path: &Path) -> Vec<u8> {
    let Ok(mut file) = std::fs::File::open(path) else {
        return Vec::new();
    };
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return hash.finalize().to_vec(),
            Ok(count) => hash.update(&buffer[..count]),
            Err(_) => return Vec::new(),
        }
    }
}

/// The files beside an input that it names, in order, each once.
fn companions(input: &Path) -> Vec<PathBuf> {
    let folder = input.parent().unwrap_or(Path::new(""));
    let mut files: Vec<PathBuf> = named_files(input).iter().map(|name| folder.join(name)).collect();
    files.sort();
    files.dedup();
    files
}

fn hex(bytes: &[u8]) -> String {
    let mut text: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    text.truncate(DIGITS);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(input: &Path, arguments: &[&str]) -> Item {
        Item {
            input: input.to_str().unwrap().to_owned(),
            output: PathBuf::from("o.glb"),
            arguments: arguments.iter().map(|s| (*s).to_owned()).collect(),
            bytes: 0,
        }
    }

    #[test]
    fn whatever_changes_the_output_changes_the_key() {
        let dir = tempfile::tempdir().unwrap();
        let model = dir.path().join("a.gltf");
        let skeleton = dir.path().join("s.bvh");
        std::fs::write(
            &model,
            r#"{"buffers": [{"uri": "a%20b.bin"}], "images": [{"uri": "data:,"}]}"#,
        )
        .unwrap();
        std::fs::write(dir.path().join("a b.bin"), b"1").unwrap();
        std::fs::write(&skeleton, b"1").unwrap();
        let arguments = ["--skeleton", skeleton.to_str().unwrap()];
        let key = || key_of(&item(&model, &arguments), "bind", &[], "1");
        let mut seen = vec![key()];
        assert_eq!(key(), seen[0]);
        let mut changed = |now: String| {
            assert!(!seen.contains(&now));
            seen.push(now);
        };
        changed(key_of(&item(&model, &arguments), "bind", &[], "2"));
        changed(key_of(&item(&model, &arguments), "rig", &[], "1"));
        changed(key_of(&item(&model, &[]), "bind", &[], "1"));
        changed(key_of(
            &item(&model, &arguments),
            "bind",
            &["--fit".to_owned()],
            "1",
        ));
        std::fs::write(&skeleton, b"2").unwrap();
        changed(key());
        std::fs::write(dir.path().join("a b.bin"), b"2").unwrap();
        changed(key());
        std::fs::write(&model, b"{}").unwrap();
        changed(key());
        std::fs::remove_file(&model).unwrap();
        changed(key());
    }
}
