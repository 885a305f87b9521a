//! Files that leave the studio: characters, weights alone, projects.
//!
//! The server chooses where: the folder that the command line named, and a name that nothing has yet.

use std::path::{Path, PathBuf};

use ligament::Weights;
use ligament_app::AppError;
use ligament_app::asset::Asset;
use ligament_app::save::{JsonHolds, WeightFormat, save};

use crate::messages::Format;

/// Everything that `ligament convert` writes.
pub const FORMATS: [Format; 12] = [
    Format {
        ending: "glb",
        title: "glTF, one file",
    },
    Format {
        ending: "gltf",
        title: "glTF, JSON and buffers",
    },
    Format {
        ending: "fbx",
        title: "FBX, binary",
    },
    Format {
        ending: "usda",
        title: "USD, text",
    },
    Format {
        ending: "usdc",
        title: "USD, binary",
    },
    Format {
        ending: "xml",
        title: "Maya, weights alone",
    },
    Format {
        ending: "json",
        title: "Maya, weights alone as JSON",
    },
    Format {
        ending: "npz",
        title: "NumPy, weights alone",
    },
    Format {
        ending: "csv",
        title: "Table, weights alone",
    },
    Format {
        ending: "txt",
        title: "RigNet, joints and weights",
    },
    Format {
        ending: "skeleton.json",
        title: "Skeleton alone",
    },
    Format {
        ending: "vrm",
        title: "VRM, where the file is one",
    },
];

/// The format of an ending.
pub fn format(ending: &str) -> Option<Format> {
    FORMATS.into_iter().find(|f| f.ending == ending)
}

/// Writes the character as a format asks for, with these weights; what `ligament bind -o` writes.
pub fn write(
    asset: &Asset,
    weights: Option<&Weights>,
    format: Format,
    folder: &Path,
) -> Result<PathBuf, AppError> {
    let stem = asset.file_stem();
    let suffix = if weights.is_some() { "_bound" } else { "" };
    let path = free_name(folder, &format!("{stem}{suffix}"), format.ending);
    let json = if format.ending == "skeleton.json" {
        JsonHolds::Skeleton
    } else {
        JsonHolds::Weights
    };
    save(asset, weights, WeightFormat::Keep, &path, json)?;
    Ok(path)
}

/// A name in a folder that nothing has yet.
pub fn free_name(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    let mut path = folder.join(format!("{stem}.{ending}"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{stem}-{number}.{ending}"));
        number += 1;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_app::save::wanted;

    #[test]
    fn every_format_can_be_written() {
        for format in FORMATS {
            let name = PathBuf::from(format!("hero.{}", format.ending));
            assert!(wanted(&name, JsonHolds::Weights).is_ok(), "{}", format.ending);
        }
        assert!(format("exe").is_none() && format("../glb").is_none());
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.glb"), "").unwrap();
        std::fs::write(folder.path().join("a-2.glb"), "").unwrap();
        let free = free_name(folder.path(), "a", "glb");
        assert_eq!(free, folder.path().join("a-3.glb"));
    }
}
