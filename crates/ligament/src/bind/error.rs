//! Why a character cannot be bound.

use super::cells::FieldError;
use super::{DeformChoiceError, RegionError};
use crate::character::WeightsError;
use crate::linear::LinearError;
use crate::skin::SkinError;
use crate::task::Cancelled;

/// Why a character cannot be bound.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// There is no skin to bind.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// The choice of joints names none.
    #[error(transparent)]
    Deform(#[from] DeformChoiceError),
    /// A vertex ended with weights that are none.
    #[error("the weights that were found are unusable: {0}")]
    Weights(#[from] WeightsError),
    /// A region cannot be found on this character.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// A lock needs weights, and the character has none.
    #[error("nothing can be locked: the file has no weights to keep")]
    NothingToLock,
    /// Zero influences were asked for.
    #[error("a vertex needs at least one influence; ask for 1 or more")]
    NoInfluences,
    /// There are no arms to stretch out.
    #[error(
        "the T-pose is for a body with two arms and two legs, and these were not found; fit it as it was modelled"
    )]
    NoTPose,
    /// An option is out of its range.
    #[error("{option} must be {range}; got {value}")]
    OutOfRange {
        /// The option.
        option: &'static str,
        /// Its range in words.
        range: &'static str,
        /// What it was.
        value: f64,
    },
    /// Something was asked of a prepared binding that its method does not have.
    #[error("'{method}' has no {setting}")]
    NoSuchSetting {
        /// The method.
        method: &'static str,
        /// What was asked for.
        setting: &'static str,
    },
    /// A prepared binding belongs to another character.
    #[error("the prepared binding does not fit: {0}")]
    BindingDoesNotFit(String),
    /// The equations could not be solved.
    #[error(transparent)]
    Linear(#[from] LinearError),
    /// A field of cells is none, or belongs to another skeleton.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
