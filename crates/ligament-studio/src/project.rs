//! A character and all steps, as one file; and the same without the character, kept after every step so that a killed
//! server loses nothing.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ligament_io::atomic::{WriteError, write_file};
use serde::{Deserialize, Serialize};

use crate::history::History;
use crate::library::{Item, Source, file_name, safe_name};

/// The version of the file.
const VERSION: u32 = 1;
/// A project over this size is not read.
const MOST_BYTES: u64 = 2 << 30;

/// A project's file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// What tells a project from other JSON, and its version.
    pub ligament_project: u32,
    /// What the character is called.
    pub name: String,
    /// What it is made from.
    pub source: Kept,
    /// All steps.
    pub history: History,
}

/// Where a project's character is.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Kept {
    /// A sample.
    Sample(String),
    /// A file that lies where it lay, and what it was like.
    File {
        /// Where.
        path: PathBuf,
        /// Its length then.
        length: u64,
    },
    /// Its files are in the project; the first is the character, the others lie beside it.
    Inside(Vec<Inside>),
}

/// A file within a project.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// Its name.
    pub name: String,
    /// Its bytes in base64.
    pub base64: String,
}

/// Why a project cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// It cannot be read.
    #[error("the project cannot be read ({0})")]
    Io(#[from] std::io::Error),
    /// It is something else.
    #[error("this is not a project of the studio ({0})")]
    Json(#[from] serde_json::Error),
    /// It is of a later version, or was changed by hand.
    #[error("this project is of another version, or broken; open it with the Ligament that wrote it")]
    Unsound,
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Project {
    /// Reads a project.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        if path.metadata()?.len() > MOST_BYTES {
            return Err(ProjectError::Unsound);
        }
        let project: Self = serde_json::from_slice(&std::fs::read(path)?)?;
        let sound = project.ligament_project == VERSION && project.history.is_sound();
        if sound {
            Ok(project)
        } else {
            Err(ProjectError::Unsound)
        }
    }

    /// A project that can be sent on: files are within.
    pub fn whole(item: &Item, history: &History) -> Result<Self, ProjectError> {
        let source = match &item.source {
            Source::Sample(name) => Kept::Sample(name.clone()),
            Source::File(path) => Kept::Inside(vec![inside(path)?]),
            Source::Dropped(path) => {
                let mut files = vec![inside(path)?];
                for beside in files_beside(path)? {
                    files.push(inside(&beside)?);
                }
                Kept::Inside(files)
            }
        };
        Ok(Self::new(item, history, source))
    }

    /// A project that names its file.
    fn light(item: &Item, history: &History) -> Self {
        let source = match &item.source {
            Source::Sample(name) => Kept::Sample(name.clone()),
            Source::File(path) | Source::Dropped(path) => Kept::File {
                path: path.clone(),
                length: path.metadata().map_or(0, |m| m.len()),
            },
        };
        Self::new(item, history, source)
    }

    fn new(item: &Item, history: &History, source: Kept) -> Self {
        Self {
            ligament_project: VERSION,
            name: item.name.clone(),
            source,
            history: history.clone(),
        }
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ProjectError> {
        Ok(serde_json::to_vec(self)?)
    }

    /// Where its character can be opened; files within are put into a folder first.
    pub fn unpacked(&self, folder: &Path) -> Result<Source, ProjectError> {
        match &self.source {
            Kept::Sample(name) => Ok(Source::Sample(name.clone())),
            Kept::File { path, .. } => Ok(Source::File(path.clone())),
            Kept::Inside(files) => {
                let mut first = None;
                for file in files {
                    let name = safe_name(&file.name).ok_or(ProjectError::Unsound)?;
                    let bytes = STANDARD.decode(&file.base64).map_err(|_| ProjectError::Unsound)?;
                    let path = folder.join(name);
                    std::fs::write(&path, bytes)?;
                    first = first.or(Some(path));
                }
                first.map(Source::Dropped).ok_or(ProjectError::Unsound)
            }
        }
    }
}

fn inside(path: &Path) -> Result<Inside, ProjectError> {
    Ok(Inside {
        name: file_name(path),
        base64: STANDARD.encode(std::fs::read(path)?),
    })
}

/// The other files of a folder that holds one drop.
fn files_beside(path: &Path) -> Result<Vec<PathBuf>, ProjectError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.is_file() && p != path)
        .collect();
    files.sort();
    Ok(files)
}

/// Where work is kept that a killed server would lose.
#[derive(Debug, Clone)]
pub struct Keeper {
    folder: PathBuf,
}

impl Keeper {
    /// A folder for it, made when first needed.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// A new folder for files that were dropped.
    pub fn new_drop(&self, name: &str) -> std::io::Result<PathBuf> {
        let folder = self.folder.join("dropped").join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn file_for(&self, item: &Item) -> PathBuf {
        // The names of files tell too much and may be too long: a hash of them is enough.
        let mut hasher = DefaultHasher::new();
        let input = item.source.input();
        let full = item.source.path().and_then(|p| p.canonicalize().ok());
        full.unwrap_or_else(|| PathBuf::from(input)).hash(&mut hasher);
        self.folder.join(format!("{:016x}.autosave", hasher.finish()))
    }

    /// Where a small picture of something is kept.
    pub fn picture_of(&self, item: &Item) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(&self.folder)?;
        Ok(self.file_for(item).with_extension("png"))
    }

    /// Keeps the steps of a character.
    pub fn keep(&self, item: &Item, history: &History) -> Result<(), ProjectError> {
        std::fs::create_dir_all(&self.folder)?;
        let bytes = Project::light(item, history).to_bytes()?;
        Ok(write_file(&self.file_for(item), &bytes)?)
    }

    /// The steps that were kept for a character, if it is still what it was and there are any.
    pub fn kept(&self, item: &Item) -> Option<History> {
        let project = Project::read(&self.file_for(item)).ok()?;
        let same = match &project.source {
            Kept::File { path, length } => path.metadata().is_ok_and(|m| m.len() == *length),
            _ => true,
        };
        (same && project.history.steps().len() > 1).then_some(project.history)
    }

    /// Forgets them.
    pub fn forget(&self, item: &Item) {
        let _ = std::fs::remove_file(self.file_for(item)); // there may be none
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{BindSettings, State};

    fn history() -> History {
        let mut history = History::new("opened".to_owned());
        let bind = Some(BindSettings::default());
        history.take(
            "bound".to_owned(),
            State {
                bind,
                ..State::default()
            },
        );
        history
    }

    #[test]
    fn a_project_is_one_file_with_all_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let drop = folder.path().join("drop");
        std::fs::create_dir(&drop).unwrap();
        std::fs::write(drop.join("hero.gltf"), "{}").unwrap();
        std::fs::write(drop.join("hero.bin"), [1, 2, 3]).unwrap();
        let item = Item {
            id: "item-1".to_owned(),
            name: "hero.gltf".to_owned(),
            source: Source::Dropped(drop.join("hero.gltf")),
        };
        let path = folder.path().join("hero.ligament");
        let bytes = Project::whole(&item, &history()).unwrap().to_bytes().unwrap();
        std::fs::write(&path, bytes).unwrap();

        let project = Project::read(&path).unwrap();
        assert_eq!(project.history, history());
        let to = folder.path().join("to");
        std::fs::create_dir(&to).unwrap();
        let source = project.unpacked(&to).unwrap();
        assert_eq!(source, Source::Dropped(to.join("hero.gltf")));
        assert_eq!(std::fs::read(to.join("hero.bin")).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn a_project_cannot_write_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project {
            ligament_project: VERSION,
            name: "x".to_owned(),
            source: Kept::Inside(vec![Inside {
                name: "../../evil.glb".to_owned(),
                base64: String::new(),
            }]),
            history: history(),
        };
        let to = folder.path().join("a/b");
        std::fs::create_dir_all(&to).unwrap();
        assert_eq!(
            project.unpacked(&to).unwrap(),
            Source::Dropped(to.join("evil.glb"))
        );
        assert!(!folder.path().join("evil.glb").exists());
    }

    #[test]
    fn kept_steps_come_back_until_they_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = Keeper::new(folder.path().join("state"));
        let item = |sample: &str| Item {
            id: "item-1".to_owned(),
            name: "x".to_owned(),
            source: Source::Sample(sample.to_owned()),
        };
        let (knight, hound) = (item("sample:knight"), item("sample:hound"));
        assert_eq!(keeper.kept(&knight), None);
        keeper.keep(&knight, &history()).unwrap();
        assert_eq!(keeper.kept(&knight), Some(history()));
        assert_eq!(keeper.kept(&hound), None);
        keeper.forget(&knight);
        assert_eq!(keeper.kept(&knight), None);
    }
}
