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

pub mod cells;
mod closest;
mod deform_choice;
mod job;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde::Serialize;

use crate::character::{Character, MeshError, SkeletonError, Weights};
use crate::task::{Cancelled, Task};

pub use cells::Cells;
pub use closest::Closest;
pub use deform_choice::{DeformChoice, DeformChoiceError};
pub use job::Job;

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
}

impl Default for BindOptions {
    fn default() -> Self {
        Self {
            influences: 4,
            deform: DeformChoice::All,
            floor: 1e-3,
        }
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
    /// Zero influences were asked for.
    #[error("a vertex needs at least one influence; ask for 1 or more")]
    NoInfluences,
    /// A field of cells is none, or belongs to another skeleton.
    #[error(transparent)]
    Field(#[from] cells::FieldError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
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
    &[&Closest, &Cells]
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
