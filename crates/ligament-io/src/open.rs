//! One door for all formats: what a file holds.

use std::path::Path;

use ligament::character::{Channel, Character, Clip, JointIndex, Mesh, Skeleton, Track, Weights};

use crate::blend::Blender;
use crate::gltf::{GltfError, GltfFile};
use crate::import::{FileWarning, ImportError, ImportWarning, Imported, read_file};
use crate::registry::{
    Format, UnknownEnding, WeightsFormat, WeightsSource, format_of, weights_source_of, weights_written_as,
};
use crate::{
    anim, bvh, collada, companion, fbx, iqm, md5, medit, mhskel, obj, off, ply, rignet, skel, skeleton_json,
    stl, tgf, usd, weights,
};

/// Why a file of any format could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Its name ends in nothing that is known.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownEnding),
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
    /// A scene was asked for in a file that is no glTF.
    #[error("only glTF files hold scenes to choose from")]
    NoScenes,
    /// A glTF file that cannot be read.
    #[error(transparent)]
    Gltf(#[from] GltfError),
    /// Another file that cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl OpenError {
    /// Whether the message names this file already.
    pub fn names(&self, file: &Path) -> bool {
        match self {
            Self::Gltf(GltfError::Io { path, .. }) | Self::Import(ImportError::Io { path, .. }) => {
                path == file
            }
            _ => false,
        }
    }
}

/// A character, or as much of one as its file holds.
pub enum Opened {
    /// A glTF document, which can take weights back.
    Gltf(Box<GltfFile>),
    /// Anything else.
    Imported(Box<Imported>),
}

impl Opened {
    /// Whether there is motion of blend shapes in it.
    fn moves_shapes(&self) -> bool {
        match self {
            Self::Gltf(file) => file.moves_shapes(),
            Self::Imported(imported) => {
                let shapes = &imported.character.mesh.blend_shapes;
                shapes.iter().any(|s| !s.motions.is_empty())
            }
        }
    }

    /// What was read, and everything that was found on the way.
    fn into_parts(self) -> (Character, Vec<FileWarning>) {
        match self {
            Self::Gltf(file) => {
                let warnings = file.warnings().iter().cloned().map(FileWarning::Gltf).collect();
                (file.character().as_ref().clone(), warnings)
            }
            Self::Imported(imported) => {
                let warnings = imported.warnings.into_iter().map(FileWarning::Import).collect();
                (imported.character, warnings)
            }
        }
    }
}

/// Opens a file that holds a mesh, a skeleton, or both.
pub fn open(path: &Path) -> Result<Opened, OpenError> {
    open_as(path, format_of(path)?, None)
}

/// Opens one of the scenes of a glTF file, by its name or its number.
pub fn open_scene(path: &Path, scene: &str) -> Result<Opened, OpenError> {
    match format_of(path)? {
        Format::Gltf => Ok(Opened::Gltf(Box::new(GltfFile::open_scene(path, scene)?))),
        _ => Err(OpenError::NoScenes),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn open_as(path: &Path, format: Format, mesh: Option<&Mesh>) -> Result<Opened, OpenError> {
    let name = &stem(path);
    let bytes = || read_file(path);
    let imported = match format {
        Format::Gltf => return Ok(Opened::Gltf(Box::new(GltfFile::open(path)?))),
        Format::Blend => return Ok(Opened::Gltf(Box::new(Blender::find().open(path)?))),
        Format::Fbx => fbx::read_beside(&bytes()?, name, &companion::beside(path))?,
        Format::Usd => usd::read(path)?,
        Format::Obj => obj::read(&bytes()?, name, &companion::beside(path))?,
        Format::Collada => collada::read(&bytes()?, name, &companion::beside(path))?,
        Format::Iqm => iqm::read(&bytes()?, name, &companion::beside(path))?,
        Format::Md5Mesh => md5::read_mesh(&bytes()?, name, &companion::beside(path))?,
        Format::Md5Anim => md5::read_clip(&bytes()?, name)?,
        Format::Off => off::read(&bytes()?, name)?,
        Format::Ply => ply::read(&bytes()?, name)?,
        Format::Stl => stl::read(&bytes()?, name)?,
        Format::Medit => medit::read(&bytes()?, name)?,
        Format::Bvh => bvh::read(&bytes()?, name)?,
        Format::Tgf => tgf::read(&bytes()?, name)?.imported,
        Format::Skel => skel::read(&bytes()?, name)?,
        Format::Rignet => rignet::read(&bytes()?, name)?,
        Format::SkeletonJson => skeleton_json::read(&bytes()?, name)?,
        Format::Mhskel => {
            let mesh = mesh.ok_or(OpenError::SkeletonAlone)?;
            mhskel::read(&bytes()?, name, &mesh.positions)?
        }
        Format::Anim => {
            return Err(OpenError::MotionAlone);
        }
    };
    Ok(Opened::Imported(Box::new(imported)))
}

/// A skeleton from a file, with the clips that came with it.
pub struct OpenedSkeleton {
    /// The joints.
    pub skeleton: Skeleton,
    /// Their motion.
    pub clips: Vec<Clip>,
    /// What was guessed, repaired or left out.
    pub warnings: Vec<FileWarning>,
}

/// Opens a file for its skeleton. Some name their joints by vertices of `mesh`.
pub fn open_skeleton(path: &Path, mesh: &Mesh) -> Result<OpenedSkeleton, OpenError> {
    let (character, warnings) = open_as(path, format_of(path)?, Some(mesh))?.into_parts();
    if !character.skeleton.joints.iter().any(|j| j.in_skin) {
        return Err(OpenError::WrongKind {
            found: "no joints",
            wanted: "a skeleton",
        });
    }
    Ok(OpenedSkeleton {
        skeleton: character.skeleton,
        clips: character.clips,
        warnings,
    })
}

/// Opens a file for its motion, brought to `skeleton` by the names of its joints: rotations
/// of all, translations of roots. Joints of other names are left out and told.
pub fn open_motion(path: &Path, skeleton: &Skeleton) -> Result<(Vec<Clip>, Vec<FileWarning>), OpenError> {
    let format = format_of(path)?;
    if format == Format::Anim {
        let clip = anim::read(&read_file(path)?, &stem(path), skeleton)?;
        return Ok((vec![clip], Vec::new()));
    }
    let opened = open_as(path, format, None)?;
    let moves_shapes = opened.moves_shapes();
    let (character, mut warnings) = opened.into_parts();
    if moves_shapes {
        warnings.push(FileWarning::Import(ImportWarning {
            code: "left_out_shape_motion",
            message: "the motion of blend shapes is left out: only joints take motion from another file"
                .to_owned(),
        }));
    }
    let from = &character.skeleton;
    let mut missing: Vec<&str> = Vec::new();
    let mut clips = Vec::new();
    for clip in &character.clips {
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
        warnings.push(FileWarning::Import(ImportWarning {
            code: "motion_of_unknown_joints",
            message: format!(
                "{} joints of the motion are not in the skeleton and stay out: {shown}",
                missing.len()
            ),
        }));
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
    let source = weights_source_of(path)?;
    let bytes = read_file(path)?;
    Ok(match source {
        WeightsSource::Known(format) => match format {
            WeightsFormat::MayaXml => weights::maya_xml::read(&bytes, skeleton, vertices)?,
            WeightsFormat::MayaJson => weights::maya_json::read(&bytes, skeleton, vertices)?,
            WeightsFormat::Csv => weights::csv::read(&bytes, skeleton, vertices)?,
            WeightsFormat::Npz => weights::npz::read(&bytes, skeleton, vertices)?,
            WeightsFormat::RignetText => weights::rignet_text::read(&bytes, skeleton, vertices)?,
        },
        WeightsSource::Dmat => {
            let handles = path.with_file_name(format!("{}.tgf", stem(path).trim_end_matches("-weights")));
            let columns = tgf::read(&read_file(&handles)?, &stem(&handles))?;
            // The columns' joints are the .tgf's; find them by name in the one at hand.
            let own = &columns.imported.character.skeleton;
            let joint = |&j: &JointIndex| skeleton.find(&own.joint(j).name).unwrap_or(j);
            let joints: Vec<JointIndex> = columns.joint_of_column.iter().map(joint).collect();
            weights::dmat::read(&bytes, skeleton, &joints, vertices)?
        }
    })
}

/// Weights as bytes of the format that the name ends in.
pub fn write_weights(path: &Path, weights: &Weights, skeleton: &Skeleton) -> Result<Vec<u8>, UnknownEnding> {
    Ok(match weights_written_as(path)? {
        WeightsFormat::MayaXml => weights::maya_xml::write(weights, skeleton).into_bytes(),
        WeightsFormat::MayaJson => weights::maya_json::write(weights, skeleton).into_bytes(),
        WeightsFormat::Csv => weights::csv::write(weights, skeleton).into_bytes(),
        WeightsFormat::Npz => weights::npz::write(weights, skeleton),
        WeightsFormat::RignetText => weights::rignet_text::write(weights, skeleton).into_bytes(),
    })
}
