//! One door for all formats: what a file is, by its name, and what it holds.

use std::path::Path;

use ligament::character::{Channel, Clip, JointIndex, Mesh, Skeleton, Track, Weights};

use crate::gltf::{GltfError, GltfFile};
use crate::import::{ImportError, ImportWarning, Imported, read_file};
use crate::{
    anim, bvh, companion, fbx, medit, mhskel, obj, off, ply, rignet, skel, skeleton_json, stl, tgf, usd,
    weights,
};

/// The formats that are read, by the ending of a file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of a format and of its module")]
pub enum Format {
    Gltf,
    Fbx,
    Usd,
    Obj,
    Off,
    Ply,
    Stl,
    Medit,
    Bvh,
    Tgf,
    Skel,
    Anim,
    Mhskel,
    Rignet,
    SkeletonJson,
}

/// Endings and what they mean.
const ENDINGS: [(&str, Format); 20] = [
    ("glb", Format::Gltf),
    ("gltf", Format::Gltf),
    ("vrm", Format::Gltf),
    ("fbx", Format::Fbx),
    ("usda", Format::Usd),
    ("usdc", Format::Usd),
    ("usd", Format::Usd),
    ("usdz", Format::Usd),
    ("obj", Format::Obj),
    ("off", Format::Off),
    ("ply", Format::Ply),
    ("stl", Format::Stl),
    ("mesh", Format::Medit),
    ("bvh", Format::Bvh),
    ("tgf", Format::Tgf),
    ("skel", Format::Skel),
    ("anim", Format::Anim),
    ("mhskel", Format::Mhskel),
    ("txt", Format::Rignet),
    ("json", Format::SkeletonJson),
];

/// Why a file of any format could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Its name ends in nothing that is known.
    #[error("files that end in '.{ending}' are not read; known endings are {}", endings())]
    UnknownFormat {
        /// The ending.
        ending: String,
    },
    /// It holds something else than what was asked for.
    #[error("this holds {found}, not {wanted}")]
    WrongKind {
        /// What such files hold.
        found: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// It holds motion, which moves a character but is none.
    #[error("this holds motion alone, not a mesh or a skeleton; open it as the motion of a character")]
    MotionAlone,
    /// Its joints mean nothing without the mesh that they belong to.
    #[error(
        "this holds joints given by vertices of a MakeHuman mesh, not a mesh; open that mesh with this as its skeleton"
    )]
    SkeletonAlone,
    /// A glTF file that cannot be read.
    #[error(transparent)]
    Gltf(#[from] GltfError),
    /// Another file that cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
}

fn endings() -> String {
    ENDINGS
        .iter()
        .map(|(ending, _)| format!(".{ending}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// What a file is, by the ending of its name.
pub fn format_of(path: &Path) -> Result<Format, OpenError> {
    let ending = path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let known = ENDINGS.iter().find(|(known, _)| *known == ending);
    known
        .map(|&(_, format)| format)
        .ok_or(OpenError::UnknownFormat { ending })
}

/// A character, or as much of one as its file holds.
pub enum Opened {
    /// A glTF document, which can take weights back.
    Gltf(Box<GltfFile>),
    /// Anything else.
    Imported(Box<Imported>),
}

/// Opens a file that holds a mesh, a skeleton, or both.
pub fn open(path: &Path) -> Result<Opened, OpenError> {
    let format = format_of(path)?;
    if format == Format::Gltf {
        return Ok(Opened::Gltf(Box::new(GltfFile::open(path)?)));
    }
    open_imported(path, format, None).map(|read| Opened::Imported(Box::new(read)))
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn open_imported(path: &Path, format: Format, mesh: Option<&Mesh>) -> Result<Imported, OpenError> {
    let name = &stem(path);
    let bytes = &read_file(path)?;
    Ok(match format {
        Format::Gltf => {
            let file = GltfFile::open(path)?;
            Imported {
                character: file.character().clone(),
                warnings: Vec::new(),
            }
        }
        Format::Fbx => fbx::read_beside(bytes, name, &companion::beside(path))?,
        Format::Usd => usd::read(path)?,
        Format::Obj => obj::read(bytes, name, &companion::beside(path))?,
        Format::Off => off::read(bytes, name)?,
        Format::Ply => ply::read(bytes, name)?,
        Format::Stl => stl::read(bytes, name)?,
        Format::Medit => medit::read(bytes, name)?,
        Format::Bvh => bvh::read(bytes, name)?,
        Format::Tgf => tgf::read(bytes, name)?.imported,
        Format::Skel => skel::read(bytes, name)?,
        Format::Rignet => rignet::read(bytes, name)?,
        Format::SkeletonJson => skeleton_json::read(bytes, name)?,
        Format::Mhskel => {
            let mesh = mesh.ok_or(OpenError::SkeletonAlone)?;
            mhskel::read(bytes, name, &mesh.positions)?
        }
        Format::Anim => {
            return Err(OpenError::MotionAlone);
        }
    })
}

/// Opens a file for its skeleton (and the clips that come with it). Some name their joints
/// by vertices of `mesh`.
pub fn open_skeleton(path: &Path, mesh: &Mesh) -> Result<Imported, OpenError> {
    let imported = open_imported(path, format_of(path)?, Some(mesh))?;
    if !imported.character.skeleton.joints.iter().any(|j| j.in_skin) {
        return Err(OpenError::WrongKind {
            found: "no joints",
            wanted: "a skeleton",
        });
    }
    Ok(imported)
}

/// Opens a file for its motion, brought to `skeleton` by the names of its joints: rotations
/// of all, translations of roots. Joints of other names are left out and told.
pub fn open_motion(path: &Path, skeleton: &Skeleton) -> Result<(Vec<Clip>, Vec<ImportWarning>), OpenError> {
    let format = format_of(path)?;
    if format == Format::Anim {
        let clip = anim::read(&read_file(path)?, &stem(path), skeleton)?;
        return Ok((vec![clip], Vec::new()));
    }
    let imported = open_imported(path, format, None)?;
    let from = &imported.character.skeleton;
    let mut warnings = imported.warnings;
    let mut missing: Vec<&str> = Vec::new();
    let mut clips = Vec::new();
    for clip in &imported.character.clips {
        let mut tracks = Vec::new();
        for track in &clip.tracks {
            let source = from.joint(track.joint);
            match skeleton.find(&source.name) {
                Some(joint) if keeps_its_length(track, joint, skeleton) => tracks.push(Track {
                    joint,
                    ..track.clone()
                }),
                Some(_) => {}
                None if !missing.contains(&source.name.as_str()) => missing.push(&source.name),
                None => {}
            }
        }
        if !tracks.is_empty() {
            clips.push(Clip {
                name: clip.name.clone(),
                tracks,
            });
        }
    }
    if !missing.is_empty() {
        let shown = missing.iter().take(6).copied().collect::<Vec<_>>().join(", ");
        warnings.push(ImportWarning {
            code: "motion_of_unknown_joints",
            message: format!(
                "{} joints of the motion are not in the skeleton and stay out: {shown}",
                missing.len()
            ),
        });
    }
    if clips.is_empty() {
        return Err(OpenError::WrongKind {
            found: "no motion of this skeleton's joints",
            wanted: "motion",
        });
    }
    Ok((clips, warnings))
}

/// Bones of another body have other lengths: below the root only turns are taken over.
fn keeps_its_length(track: &Track, joint: JointIndex, skeleton: &Skeleton) -> bool {
    track.channel == Channel::Rotation
        || (track.channel == Channel::Translation && skeleton.skin_parent(joint).is_none())
}

/// Opens a file of weights alone for this skeleton and number of vertices: Maya's XML or
/// JSON, RigNet text, CSV, NumPy's `.npz`. A `.dmat` needs the `.tgf` beside it, which says
/// what its columns are.
pub fn open_weights(path: &Path, skeleton: &Skeleton, vertices: usize) -> Result<Weights, OpenError> {
    let bytes = read_file(path)?;
    let ending = path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    Ok(match ending.as_str() {
        "xml" => weights::maya_xml::read(&bytes, skeleton, vertices)?,
        "json" => weights::maya_json::read(&bytes, skeleton, vertices)?,
        "csv" => weights::csv::read(&bytes, skeleton, vertices)?,
        "npz" => weights::npz::read(&bytes, skeleton, vertices)?,
        "txt" => weights::rignet_text::read(&bytes, skeleton, vertices)?,
        "dmat" => {
            let handles = path.with_file_name(format!("{}.tgf", stem(path).trim_end_matches("-weights")));
            let columns = tgf::read(&read_file(&handles)?, &stem(&handles))?;
            // The columns' joints are the .tgf's; find them by name in the one at hand.
            let own = &columns.imported.character.skeleton;
            let joint = |&j: &JointIndex| skeleton.find(&own.joint(j).name).unwrap_or(j);
            let joints: Vec<JointIndex> = columns.joint_of_column.iter().map(joint).collect();
            weights::dmat::read(&bytes, skeleton, &joints, vertices)?
        }
        _ => return Err(OpenError::UnknownFormat { ending }),
    })
}

/// Weights as bytes of the format that the name ends in; `None` if it is none of weights.
pub fn write_weights(path: &Path, weights: &Weights, skeleton: &Skeleton) -> Option<Vec<u8>> {
    let ending = path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    Some(match ending.as_str() {
        "xml" => weights::maya_xml::write(weights, skeleton).into_bytes(),
        "json" => weights::maya_json::write(weights, skeleton).into_bytes(),
        "csv" => weights::csv::write(weights, skeleton).into_bytes(),
        "npz" => weights::npz::write(weights, skeleton),
        "txt" => weights::rignet_text::write(weights, skeleton).into_bytes(),
        _ => return None,
    })
}
