//! The verbs that give weights.
//!
//! A [`Method`] is plain data: which way, and that way's own options. It works on a [`Skin`] in two halves: a slow one,
//! [`Method::prepare`], whose result can be kept, and a fast one, [`Prepared::evaluate`]; [`Method::bind`] does both.
//!
//! ```
//! use ligament::bind::{BindOptions, Method};
//! use ligament::skin::Skin;
//! use ligament::task::Task;
//!
//! let skin = Skin::new(ligament::sample::make("tube")?)?;
//! let result = Method::default().bind(&skin, &BindOptions::default(), &Task::unattended())?;
//! assert!(result.weights.max_influences() <= 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod best;
pub mod biharmonic;
pub mod cells;
mod deform_choice;
mod deform_guess;
mod error;
mod floating;
pub mod heat;
#[cfg(not(feature = "research"))]
mod learned;
#[cfg(feature = "research")]
pub mod learned;
mod locks;
mod method;
mod options;
mod prepared;
#[cfg(not(feature = "research"))]
mod prior;
#[cfg(feature = "research")]
pub mod prior;
mod proximity;
mod regions;
pub(crate) mod rules;
#[cfg(test)]
mod tests;
pub mod voxel;
mod warning;

use crate::character::Weights;
use crate::task::Stage;

pub use crate::linear::LinearError;
pub use best::BestOptions;
#[cfg(feature = "research")]
pub use best::point_rows;
pub use biharmonic::BiharmonicOptions;
pub use cells::FitOptions;
pub use deform_choice::{DeformChoice, DeformChoiceError};
#[cfg(feature = "research")]
pub use deform_guess::{
    FEATURES as JOINT_FEATURES, Features as JointFeatures, JointTable, by_names, evidence,
};
pub use deform_guess::{JointGuess, guess_joints};
pub use error::BindError;
pub use heat::{HeatHandle, HeatOptions, HeatPreset};
pub use learned::TableError;
pub use locks::Locks;
pub use method::{Method, UnknownMethod};
pub use options::BindOptions;
pub use prepared::Prepared;
pub use prior::{Prior, PriorChoice};
pub use proximity::ProximityOptions;
pub use regions::{Falloff, Region, RegionError, VertexSet};
pub use voxel::{VoxelEvaluation, VoxelOptions};
pub use warning::BindWarning;

#[cfg(doc)]
use crate::skin::Skin;

/// Weights, and how they came about.
#[derive(Debug, Clone)]
pub struct BindResult {
    /// For each vertex of the mesh. Parts that a joint carries follow it alone.
    pub weights: Weights,
    /// What was guessed or could not be done as asked.
    pub warnings: Vec<BindWarning>,
    /// Where the time went.
    pub stages: Vec<Stage>,
}
