//! What a file is, by the ending of its name. Nothing else in the project looks at endings.

use std::path::Path;

/// The formats that are read for a mesh, a skeleton or motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of a format and of its module")]
pub enum Format {
    Gltf,
    Fbx,
    Usd,
    Collada,
    Blend,
    Iqm,
    Md5Mesh,
    Obj,
    Off,
    Ply,
    Stl,
    Medit,
    Bvh,
    Md5Anim,
    Tgf,
    Skel,
    Anim,
    Mhskel,
    Rignet,
    SkeletonJson,
}

impl Format {
    /// Whether such files can hold a whole character: a mesh bound to a skeleton.
    pub fn holds_characters(self) -> bool {
        matches!(
            self,
            Self::Gltf | Self::Fbx | Self::Usd | Self::Collada | Self::Blend | Self::Iqm | Self::Md5Mesh
        )
    }
}

/// The formats of weights alone that are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of a format and of its module")]
pub enum WeightsFormat {
    MayaXml,
    MayaJson,
    Csv,
    Npz,
    RignetText,
}

/// What a file of weights alone is that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightsSource {
    /// One of the formats that are written too.
    Known(WeightsFormat),
    /// libigl's matrix, which needs the handles beside it.
    Dmat,
}

/// What a file that is written holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// A glTF document.
    Gltf,
    /// A USD layer.
    Usd,
    /// An FBX file.
    Fbx,
    /// A RigNet rig: joints, hierarchy, weights.
    Rignet,
    /// The skeleton alone, in this project's JSON.
    Skeleton,
    /// The weights alone.
    Weights(WeightsFormat),
}

/// What a `.json` that is written holds: the ending does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonHolds {
    /// This project's skeleton.
    Skeleton,
    /// Maya's deformer weights.
    Weights,
}

/// An ending, and what files with it are in each use.
struct Ending {
    name: &'static str,
    read: Option<Format>,
    weights: Option<WeightsSource>,
    written: Option<Written>,
    /// Whether it may be a list of points, a line for each.
    points: bool,
}

const NOTHING: Ending = Ending {
    name: "",
    read: None,
    weights: None,
    written: None,
    points: false,
};

const fn read(name: &'static str, format: Format) -> Ending {
    Ending {
        name,
        read: Some(format),
        ..NOTHING
    }
}

const fn read_and_written(name: &'static str, format: Format, written: Written) -> Ending {
    Ending {
        written: Some(written),
        ..read(name, format)
    }
}

const fn weights(name: &'static str, format: WeightsFormat) -> Ending {
    Ending {
        name,
        weights: Some(WeightsSource::Known(format)),
        written: Some(Written::Weights(format)),
        ..NOTHING
    }
}

/// Every ending there is, in the order in which messages name them.
const ENDINGS: [Ending; 30] = [
    read_and_written("glb", Format::Gltf, Written::Gltf),
    read_and_written("gltf", Format::Gltf, Written::Gltf),
    read_and_written("vrm", Format::Gltf, Written::Gltf),
    read_and_written("fbx", Format::Fbx, Written::Fbx),
    read_and_written("usda", Format::Usd, Written::Usd),
    read_and_written("usdc", Format::Usd, Written::Usd),
    read_and_written("usd", Format::Usd, Written::Usd),
    read_and_written("usdz", Format::Usd, Written::Usd),
    read("dae", Format::Collada),
    read("blend", Format::Blend),
    read("iqm", Format::Iqm),
    read("md5mesh", Format::Md5Mesh),
    read("obj", Format::Obj),
    read("off", Format::Off),
    read("ply", Format::Ply),
    read("stl", Format::Stl),
    read("mesh", Format::Medit),
    read("bvh", Format::Bvh),
    read("md5anim", Format::Md5Anim),
    read("tgf", Format::Tgf),
    read("skel", Format::Skel),
    read("anim", Format::Anim),
    read("mhskel", Format::Mhskel),
    Ending {
        weights: Some(WeightsSource::Known(WeightsFormat::RignetText)),
        points: true,
        ..read_and_written("txt", Format::Rignet, Written::Rignet)
    },
    Ending {
        weights: Some(WeightsSource::Known(WeightsFormat::MayaJson)),
        ..read_and_written("json", Format::SkeletonJson, Written::Skeleton)
    },
    weights("xml", WeightsFormat::MayaXml),
    Ending {
        points: true,
        ..weights("csv", WeightsFormat::Csv)
    },
    weights("npz", WeightsFormat::Npz),
    Ending {
        name: "dmat",
        weights: Some(WeightsSource::Dmat),
        ..NOTHING
    },
    Ending {
        name: "xyz",
        points: true,
        ..NOTHING
    },
];

/// A name ends in nothing that is known in the use that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("files that end in '.{ending}' are not {used}; known endings are {known}")]
pub struct UnknownEnding {
    /// The ending.
    pub ending: String,
    /// What it was asked for: "read", "written".
    pub used: &'static str,
    /// The endings that would do.
    pub known: String,
}

/// The ending of a file's name, without the dot and in lower case.
pub fn ending(path: &Path) -> String {
    path.extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default()
}

fn find<T>(path: &Path, used: &'static str, of: impl Fn(&Ending) -> Option<T>) -> Result<T, UnknownEnding> {
    let ending = ending(path);
    let found = ENDINGS.iter().find(|e| e.name == ending).and_then(&of);
    found.ok_or_else(|| {
        let known = ENDINGS.iter().filter(|e| of(e).is_some());
        let known: Vec<String> = known.map(|e| format!(".{}", e.name)).collect();
        UnknownEnding {
            ending,
            used,
            known: known.join(", "),
        }
    })
}

/// The format of a file that is read for a mesh, a skeleton or motion.
pub fn format_of(path: &Path) -> Result<Format, UnknownEnding> {
    find(path, "read", |e| e.read)
}

/// The format of a file of weights alone that is read.
pub fn weights_source_of(path: &Path) -> Result<WeightsSource, UnknownEnding> {
    find(path, "read for weights", |e| e.weights)
}

/// What a file of this name would hold if it were written.
pub fn written_as(path: &Path, json: JsonHolds) -> Result<Written, UnknownEnding> {
    let written = find(path, "written", |e| e.written)?;
    Ok(match (written, json) {
        (Written::Skeleton, JsonHolds::Weights) => Written::Weights(WeightsFormat::MayaJson),
        (written, _) => written,
    })
}

/// The format of a file of weights alone that is written.
pub fn weights_written_as(path: &Path) -> Result<WeightsFormat, UnknownEnding> {
    find(path, "written for weights", |e| match e.weights {
        Some(WeightsSource::Known(format)) => Some(format),
        _ => None,
    })
}

/// Whether a file of this name is a list of points, a line for each.
pub fn is_point_list(path: &Path) -> bool {
    let ending = ending(path);
    ENDINGS.iter().any(|e| e.points && e.name == ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_mean_the_same_in_any_case_and_are_listed_once() {
        assert_eq!(format_of(Path::new("a/Hero.GLB")), Ok(Format::Gltf));
        assert_eq!(weights_source_of(Path::new("w.Dmat")), Ok(WeightsSource::Dmat));
        for (k, ending) in ENDINGS.iter().enumerate() {
            assert!(
                ENDINGS[..k].iter().all(|e| e.name != ending.name),
                "{}",
                ending.name
            );
        }
    }

    #[test]
    fn what_is_not_known_is_told_with_what_is() {
        let unknown = format_of(Path::new("hero.png")).unwrap_err();
        assert!(
            unknown.to_string().contains("'.png'") && unknown.known.contains(".usdz"),
            "{unknown}"
        );
        assert!(!unknown.known.contains("xml"), "{unknown}");
        let unknown = weights_written_as(Path::new("w.dmat")).unwrap_err();
        assert_eq!(unknown.known, ".txt, .json, .xml, .csv, .npz");
        assert!(written_as(Path::new("noending"), JsonHolds::Skeleton).is_err());
    }

    #[test]
    fn a_json_holds_what_it_is_written_for() {
        let json = Path::new("x.json");
        assert_eq!(written_as(json, JsonHolds::Skeleton), Ok(Written::Skeleton));
        assert_eq!(
            written_as(json, JsonHolds::Weights),
            Ok(Written::Weights(WeightsFormat::MayaJson))
        );
    }
}
