//! Why weights cannot be transferred.

use crate::character::WeightsError;
use crate::linear::LinearError;
use crate::task::Cancelled;

/// Why weights cannot be transferred.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// Nothing of the source takes part.
    #[error("the source has no face that weights could come from; choose other parts of it")]
    NoSurface,
    /// Weights do not belong to the surface.
    #[error("there are weights for {found} points where the surface has {wanted}")]
    WrongLength {
        /// How many points there are.
        wanted: usize,
        /// How many have weights.
        found: usize,
    },
    /// A number is out of its range.
    #[error("{option} is {range}; got {value}")]
    OutOfRange {
        /// The option.
        option: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: f64,
    },
    /// What stands in for matches gave too few rows, or rows that are no weights.
    #[error("what binds parts without a match gave {found} rows where {wanted} were asked for")]
    Fallback {
        /// How many were asked for.
        wanted: usize,
        /// How many came.
        found: usize,
    },
    /// A row is no weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The filling of gaps cannot be solved.
    #[error(transparent)]
    Linear(#[from] LinearError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
