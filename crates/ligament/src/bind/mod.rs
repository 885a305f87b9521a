//! The verbs that give weights.
//!
//! A method is a file of its own that implements [`Method`] and stands in [`methods`];
//! the command line, the library and every other shell find it there.
//!
//! ```
//! use ligament::bind::{BindOptions, method};
//! use ligament::task::Task;
//!
//! let character = ligament::sample::make("tube")?;
//! let bound = method("closest")?.bind(&character, &BindOptions::default(), &Task::unattended())?;
//! assert!(bound.weights.max_influences() <= 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod best;
pub mod biharmonic;
pub mod cells;
mod closest;
mod deform_choice;
mod floating;
mod guess;
pub mod heat;
mod hierarchy;
mod job;
mod locks;
mod regions;
mod symmetry;
#[cfg(test)]
mod tests;
pub mod voxel;

use std::time::Duration;

use serde::Serialize;

use crate::character::{Character, MeshError, Pose, Skeleton, SkeletonError, Weights};
use crate::linear::LinearError;
use crate::task::{Cancelled, Task};

pub use best::Best;
pub use biharmonic::Biharmonic;
pub use cells::Cells;
pub use closest::Closest;
pub use deform_choice::{DeformChoice, DeformChoiceError};
pub use heat::{Heat, HeatHandle};
pub use hierarchy::Hierarchy;
pub use job::Job;
pub use locks::Locks;
pub use regions::{Falloff, Region, RegionError, VertexSet};
pub use voxel::{Voxel, VoxelOptions};

/// What to compute. How to run it (threads, progress) is the caller's and [`Task`]'s.
#[derive(Debug, Clone)]
pub struct BindOptions {
    /// The most joints that a vertex may follow, from 1 on. Engines read four or eight;
    /// raising it makes blends smoother and files larger.
    pub influences: usize,
    /// Which joints take part.
    pub deform: DeformChoice,
    /// Weights under this share are dropped, never a vertex's largest; 0 keeps all.
    pub floor: f32,
    /// A published form of the method instead of the default one; each method has names of
    /// its own.
    pub preset: Option<String>,
    /// The power of the distance by which `closest` and `hierarchy` fall, over 0. Raising it
    /// makes borders between joints sharper.
    pub power: f64,
    /// `heat`: how strongly joints radiate ([`HeatHandle::magnitude`]): names or globs, later
    /// ones over earlier ones.
    pub radius: Vec<(String, f64)>,
    /// `heat`: how smooth joints' weights are ([`HeatHandle::smoothness`]), likewise.
    pub smoothness: Vec<(String, f64)>,
    /// Parts of the mesh with rules of their own; later ones over earlier ones.
    pub regions: Vec<Region>,
    /// The pose at which falloffs that follow a joint's angle are taken; the rest pose if
    /// none.
    pub pose: Option<Pose>,
    /// What keeps the weights that the character has.
    pub locks: Locks,
    /// How `voxel` works.
    pub voxel: VoxelOptions,
}

impl Default for BindOptions {
    fn default() -> Self {
        Self {
            influences: 4,
            deform: DeformChoice::Guess,
            floor: 1e-3,
            preset: None,
            power: 4.0,
            regions: Vec::new(),
            pose: None,
            locks: Locks::default(),
            voxel: VoxelOptions::default(),
            radius: Vec::new(),
            smoothness: Vec::new(),
        }
    }
}

impl BindOptions {
    /// Drops weights under the floor.
    fn floored(&self, weights: Weights) -> Weights {
        if self.floor > 0.0 {
            weights.pruned(self.floor)
        } else {
            weights
        }
    }

    /// For methods that have one form only.
    fn no_preset(&self, method: &'static str) -> Result<(), BindError> {
        match &self.preset {
            None => Ok(()),
            Some(preset) => Err(BindError::UnknownPreset {
                method,
                preset: preset.clone(),
                known: "none",
            }),
        }
    }

    /// For each joint the last value that names it, or `otherwise`.
    fn per_joint(
        values: &[(String, f64)],
        otherwise: f64,
        skeleton: &Skeleton,
    ) -> Result<Vec<f64>, DeformChoiceError> {
        let mut per_joint = vec![otherwise; skeleton.joints.len()];
        for (pattern, value) in values {
            let chosen = DeformChoice::Patterns(vec![pattern.clone()]).resolve(skeleton, None)?;
            for (_, v) in chosen.iter().zip(&mut per_joint).filter(|(chosen, _)| **chosen) {
                *v = *value;
            }
        }
        Ok(per_joint)
    }

    /// The handle of each joint.
    fn heat_handles(&self, skeleton: &Skeleton) -> Result<Vec<HeatHandle>, DeformChoiceError> {
        let magnitudes = Self::per_joint(&self.radius, 1.0, skeleton)?;
        let smoothness = Self::per_joint(&self.smoothness, 0.0, skeleton)?;
        let handle = |(magnitude, smoothness)| HeatHandle {
            magnitude,
            smoothness,
        };
        Ok(magnitudes.into_iter().zip(smoothness).map(handle).collect())
    }
}

/// A way to give weights.
pub trait Method: Sync {
    /// What users call it, in lower case.
    fn name(&self) -> &'static str;

    /// One line for a list of methods.
    fn summary(&self) -> &'static str;

    /// Binds every vertex of the character. The weights that it has now are not looked at,
    /// but for [`DeformChoice::Used`].
    fn bind(&self, character: &Character, options: &BindOptions, task: &Task<'_>)
    -> Result<Bound, BindError>;
}

/// Weights, and how they came about.
#[derive(Debug, Clone)]
pub struct Bound {
    /// For each vertex of the mesh. Parts that a joint carries follow it alone.
    pub weights: Weights,
    /// What was guessed or could not be done as asked.
    pub warnings: Vec<BindWarning>,
    /// Where the time went.
    pub stages: Vec<Stage>,
}

/// One stage of a bind and how long it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What was done.
    pub name: &'static str,
    /// How long it took.
    pub time: Duration,
}

/// Something that was guessed, or that a user may want to know.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum BindWarning {
    /// None of the joints that take part may move this part.
    #[error("{part}: none of its skin's joints takes part; all {joints} of them were used instead")]
    NoDeformJointInPart {
        /// The part.
        part: String,
        /// How many joints its skin has.
        joints: usize,
    },
    /// Joints that were taken for controls, ends or roots that move no skin.
    #[error("left out {} joints that look like controls, ends or roots: {} (--deform all keeps them)", joints.len(), some(joints))]
    JointsLeftOut {
        /// Their names.
        joints: Vec<String>,
    },
    /// Bones that lie wholly outside the mesh.
    #[error("the bones of {} joints lie outside the mesh and were taken to its nearest place: {}", joints.len(), some(joints))]
    BonesOutside {
        /// The joints that own them.
        joints: Vec<String>,
    },
    /// Shells wound inside out.
    #[error("{shells} shells are wound inside out; they were turned over to find the inside")]
    ShellsInsideOut {
        /// How many.
        shells: usize,
    },
    /// Pieces of the mesh whose solid holds no bone.
    #[error(
        "{pieces} pieces ({positions} positions) touch no bone's volume; {rigid} small ones follow what they hang on as one piece, the others place by place"
    )]
    FloatingPieces {
        /// How many pieces.
        pieces: usize,
        /// How many of them follow as one piece.
        rigid: usize,
        /// How many positions they have.
        positions: usize,
    },
    /// Islands of the skin from which the straight way to every near bone leaves the body.
    #[error(
        "{part}: {islands} islands ({positions} positions) see no bone; they follow what is nearest to them"
    )]
    IslandsSeeNoBone {
        /// The part that the islands begin in.
        part: String,
        /// How many islands.
        islands: usize,
        /// How many positions they have.
        positions: usize,
    },
    /// Every bone is hidden from all of the skin.
    #[error(
        "no bone is seen from anywhere on the skin, so faces in the way were ignored; is the skeleton inside the mesh? (--fit brings it there)"
    )]
    NoBoneSeen,
    /// A field has cells for joints that this skeleton does not have.
    #[error("the field knows joints that this skeleton does not have, which take no part: {}", joints.join(", "))]
    FieldJointsMissing {
        /// Their names.
        joints: Vec<String>,
    },
    /// The joints are not where they were when the field was made.
    #[error(
        "joints are up to {percent}% of the character's size from where the field was made; is it in the same pose and scale?"
    )]
    FieldJointsMoved {
        /// How far, relative to the field's size.
        percent: f64,
    },
}

/// Why a character cannot be bound.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// The mesh cannot be worked on.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The skeleton cannot be worked on.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The choice of joints names none.
    #[error(transparent)]
    Deform(#[from] DeformChoiceError),
    /// Everything hangs on a joint as one piece.
    #[error("nothing needs weights: every part of the mesh is carried by a joint as one piece")]
    NothingToBind,
    /// A region cannot be found on this character.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// A lock needs weights, and the character has none.
    #[error("nothing can be locked: the file has no weights to keep")]
    NothingToLock,
    /// Zero influences were asked for.
    #[error("a vertex needs at least one influence; ask for 1 or more")]
    NoInfluences,
    /// The method has no such preset.
    #[error("'{method}' has no preset '{preset}'; known: {known}")]
    UnknownPreset {
        /// The method.
        method: &'static str,
        /// The name asked for.
        preset: String,
        /// The names that it has.
        known: &'static str,
    },
    /// A prepared binding belongs to another character.
    #[error("the prepared binding does not fit: {0}")]
    BindingDoesNotFit(String),
    /// The equations could not be solved.
    #[error(transparent)]
    Linear(#[from] LinearError),
    /// A field of cells is none, or belongs to another skeleton.
    #[error(transparent)]
    Field(#[from] cells::FieldError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The first few names.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// No method has the name that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method '{name}'; choose one of: {}", names())]
pub struct UnknownMethod {
    /// The name asked for.
    pub name: String,
}

fn names() -> String {
    methods().iter().map(|m| m.name()).collect::<Vec<_>>().join(", ")
}

/// All methods, the default first.
pub fn methods() -> &'static [&'static dyn Method] {
    &[&Best, &Voxel, &Heat, &Biharmonic, &Cells, &Closest, &Hierarchy]
}

/// The method of that name.
pub fn method(name: &str) -> Result<&'static dyn Method, UnknownMethod> {
    methods()
        .iter()
        .copied()
        .find(|m| m.name() == name)
        .ok_or_else(|| UnknownMethod {
            name: name.to_owned(),
        })
}
