//! The rooms of the library: which may know which.
//!
//! A room is a folder of `crates/ligament/src`. Tests may look into any of them.

use std::fs;
use std::path::{Path, PathBuf};

use ligament_testkit::project_root;

use crate::Failure;

/// Each room and those that it may name. `task` may be named by all.
const ROOMS: [(&str, &[&str]); 18] = [
    ("task", &[]),
    ("character", &[]),
    ("linear", &[]),
    ("geometry", &["character", "linear"]),
    ("weights", &["character", "geometry"]),
    ("solid", &["character", "geometry", "linear"]),
    ("skin", &["character", "geometry"]),
    ("motion", &["character"]),
    ("deform", &["character", "geometry"]),
    ("sample", &["character", "motion"]),
    ("inspect", &["character", "geometry", "weights"]),
    (
        "bind",
        &[
            "character",
            "geometry",
            "linear",
            "solid",
            "skin",
            "motion",
            "deform",
            "weights",
        ],
    ),
    (
        "measure",
        &[
            "character",
            "geometry",
            "solid",
            "skin",
            "motion",
            "deform",
            "weights",
        ],
    ),
    (
        "transfer",
        &["character", "geometry", "linear", "skin", "weights"],
    ),
    ("rig", &["character", "geometry", "linear", "solid"]),
    (
        "edit",
        &[
            "character",
            "geometry",
            "linear",
            "solid",
            "skin",
            "bind",
            "rig",
            "weights",
        ],
    ),
    (
        "repair",
        &["character", "geometry", "skin", "weights", "bind", "measure"],
    ),
    ("lib", &["character", "bind", "skin", "task"]),
];

/// Fails if a room names one that it must not know, or is not in the list.
pub fn check() -> Result<(), Failure> {
    let source = project_root().join("crates/ligament/src");
    let mut faults = Vec::new();
    for file in rust_files(&source)? {
        let Some(room) = room_of(&source, &file) else {
            continue;
        };
        let Some((_, allowed)) = ROOMS.iter().find(|r| r.0 == room) else {
            faults.push(format!("the room '{room}' is not in the list of rooms"));
            continue;
        };
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        for named in named_rooms(&text) {
            if named != room && named != "task" && !allowed.contains(&named.as_str()) {
                let at = file.strip_prefix(&source).unwrap_or(&file);
                faults.push(format!(
                    "{} names '{named}', which '{room}' must not know",
                    at.display()
                ));
            }
        }
    }
    faults.sort();
    faults.dedup();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry.map_err(|e| e.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The folder that a file is in; `None` for tests.
fn room_of(source: &Path, file: &Path) -> Option<String> {
    let within = file.strip_prefix(source).ok()?;
    let words: Vec<String> = within
        .components()
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    if words.iter().any(|w| w == "tests.rs" || w == "tests") {
        return None;
    }
    Some(words[0].trim_end_matches(".rs").to_owned())
}

/// The rooms that code names as `crate::ROOM`, comments and tests apart.
fn named_rooms(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
    let code = code
        .split("#[cfg(test)]\npub(super) mod tests")
        .next()
        .unwrap_or("");
    let mut named = Vec::new();
    for line in code.lines().filter(|l| !l.trim_start().starts_with("//")) {
        for after in line.split("crate::").skip(1) {
            let room: String = after
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if ROOMS.iter().any(|r| r.0 == room) {
                named.push(room);
            }
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::named_rooms;

    #[test]
    fn code_is_looked_at_and_comments_and_tests_are_not() {
        let text = "\
//! [`crate::rig`]
use crate::bind::Method;
/// crate::edit
fn f() -> crate::solid::Grid {}
#[cfg(test)]
mod tests {
    use crate::measure::measure;
}";
        assert_eq!(named_rooms(text), ["bind", "solid"]);
    }

    #[test]
    fn the_rooms_are_in_order() {
        assert_eq!(super::check(), Ok(()));
    }
}
