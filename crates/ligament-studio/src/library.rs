//! What can be opened: samples, what the command line named, what was dropped on the page.
//!
//! The page never sends a path. It names things by ids that are handed out here and mean nothing elsewhere.

use std::path::{Path, PathBuf};

use ligament_io::registry::{ending, format_of};
use serde::Serialize;

/// Something that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What the page calls it.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// What it is.
    pub source: Source,
}

/// Where something comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A character made by code: `sample:NAME`.
    Sample(String),
    /// A file of the user's.
    File(PathBuf),
    /// A file that was dropped on the page, in a folder of its own.
    Dropped(PathBuf),
}

impl Source {
    /// What the library opens.
    pub fn input(&self) -> String {
        match self {
            Self::Sample(name) => name.clone(),
            Self::File(path) | Self::Dropped(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Sample(_) => None,
            Self::File(path) | Self::Dropped(path) => Some(path),
        }
    }

    /// Whether it is a project of the studio.
    pub fn is_project(&self) -> bool {
        self.path().is_some_and(|p| ending(p) == PROJECT)
    }
}

/// How names of projects end.
pub const PROJECT: &str = "ligament";
/// Files of a folder that are listed at most, and how deep.
const MOST_FILES: usize = 500;
const DEEPEST: usize = 4;

/// An item as the page sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// `sample`, `file`, `dropped` or `project`.
    pub kind: &'static str,
    /// More about it.
    pub note: String,
}

/// Everything that can be opened in this session.
#[derive(Debug, Default)]
pub struct Library {
    items: Vec<Item>,
}

impl Library {
    /// The samples.
    pub fn new() -> Self {
        let mut library = Self::default();
        for sample in ligament::sample::names() {
            library.add(
                sample.name.to_owned(),
                Source::Sample(format!("sample:{}", sample.name)),
            );
        }
        library
    }

    /// Adds something, once.
    pub fn add(&mut self, name: String, source: Source) -> Item {
        if let Some(known) = self.items.iter().find(|i| i.source == source) {
            return known.clone();
        }
        let item = Item {
            id: format!("item-{}", self.items.len() + 1),
            name,
            source,
        };
        self.items.push(item.clone());
        item
    }

    /// Adds what the command line named; the first thing to open, if there is one.
    pub fn add_input(&mut self, input: &str) -> Option<Item> {
        if let Some(name) = input.strip_prefix("sample:") {
            return Some(self.add(name.to_owned(), Source::Sample(input.to_owned())));
        }
        let path = Path::new(input);
        if !path.is_dir() {
            return Some(self.add(file_name(path), Source::File(path.to_owned())));
        }
        let mut files = Vec::new();
        find_files(path, 0, &mut files);
        files.sort();
        let mut first = None;
        for file in files {
            let name = file.strip_prefix(path).unwrap_or(&file);
            let item = self.add(name.to_string_lossy().into_owned(), Source::File(file.clone()));
            first = first.or(Some(item));
        }
        first
    }

    /// The item of an id.
    pub fn get(&self, id: &str) -> Option<&Item> {
        self.items.iter().find(|i| i.id == id)
    }

    /// All items for the page.
    pub fn listed(&self) -> Vec<Listed> {
        let list = |item: &Item| {
            let (kind, note) = match &item.source {
                Source::Sample(input) => ("sample", sample_note(input)),
                source if source.is_project() => ("project", size_note(source)),
                Source::File(_) => ("file", size_note(&item.source)),
                Source::Dropped(_) => ("dropped", size_note(&item.source)),
            };
            Listed {
                id: item.id.clone(),
                name: item.name.clone(),
                kind,
                note,
            }
        };
        self.items.iter().map(list).collect()
    }
}

fn sample_note(input: &str) -> String {
    let name = input
        .trim_start_matches("sample:")
        .split('@')
        .next()
        .unwrap_or("");
    let known = ligament::sample::names().iter().find(|s| s.name == name);
    known.map_or(String::new(), |s| s.description.to_owned())
}

fn size_note(source: &Source) -> String {
    let length = source.path().and_then(|p| p.metadata().ok()).map(|m| m.len());
    match length {
        None => "not found".to_owned(),
        Some(bytes) if bytes < 1 << 20 => format!("{} KB", bytes.div_ceil(1 << 10)),
        Some(bytes) => format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)),
    }
}

fn find_files(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if found.len() == MOST_FILES {
            return;
        }
        let hidden = file_name(&path).starts_with('.');
        if hidden {
            continue;
        }
        // Links are not followed: a folder may hold itself.
        if path.is_dir() && !path.is_symlink() && depth < DEEPEST {
            find_files(&path, depth + 1, found);
        } else if path.is_file() && can_be_opened(&path) {
            found.push(path);
        }
    }
}

/// Whether a file's name says that it holds a mesh, or a project.
pub fn can_be_opened(path: &Path) -> bool {
    use ligament_io::registry::Format;
    ending(path) == PROJECT
        || format_of(path).is_ok_and(|f| {
            f.holds_characters()
                || matches!(
                    f,
                    Format::Obj | Format::Off | Format::Ply | Format::Stl | Format::Medit
                )
        })
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// A name from elsewhere as the name of a file in a folder of its own: no folders, nothing hidden, nothing that a system
/// takes for something else.
pub fn safe_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or("");
    let kept: String = last
        .chars()
        .filter(|c| c.is_alphanumeric() || " ._-()+".contains(*c))
        .collect();
    let kept = kept.trim_matches(|c: char| c == '.' || c.is_whitespace());
    let stem = kept.split('.').next().unwrap_or("").to_ascii_lowercase();
    let reserved = ["con", "prn", "aux", "nul"].contains(&stem.as_str());
    (!kept.is_empty() && kept.len() <= 200 && !reserved).then(|| kept.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_elsewhere_stay_in_their_folder() {
        assert_eq!(safe_name("hero.glb").as_deref(), Some("hero.glb"));
        assert_eq!(safe_name("../../etc/passwd").as_deref(), Some("passwd"));
        assert_eq!(safe_name("..\\..\\boot.ini").as_deref(), Some("boot.ini"));
        assert_eq!(safe_name(".bashrc").as_deref(), Some("bashrc"));
        assert_eq!(safe_name("Müller (2).fbx").as_deref(), Some("Müller (2).fbx"));
        assert_eq!(safe_name("a\0b\n.glb").as_deref(), Some("ab.glb"));
        for nothing in ["", "..", "/", "...", "NUL", "con.glb", "\0"] {
            assert_eq!(safe_name(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn a_folder_lists_what_can_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("heroes");
        std::fs::create_dir(&below).unwrap();
        for file in [
            "b.glb",
            "a.OBJ",
            "notes.txt",
            ".hidden.glb",
            "heroes/c.fbx",
            "old.ligament",
        ] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let mut library = Library::new();
        let samples = library.items.len();
        let first = library.add_input(folder.path().to_str().unwrap()).unwrap();
        let names: Vec<&str> = library.items[samples..].iter().map(|i| i.name.as_str()).collect();
        assert_eq!(names.len(), 4, "{names:?}");
        assert_eq!(first.name, names[0]);
        assert!(library.get("../a.OBJ").is_none() && library.get(&first.id).is_some());
        assert!(library.listed().iter().any(|l| l.kind == "project"));
    }
}
