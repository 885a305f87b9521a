//! How a fit went.

use serde::Serialize;

use super::field::CellField;
use super::losses::{LossWeights, Losses};

/// A moment of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurvePoint {
    /// After so many steps.
    pub step: usize,
    /// Seconds since the first.
    pub seconds: f64,
    /// Eq. 7 over this step's poses and positions.
    pub total: f64,
    /// Its terms.
    pub losses: Losses,
}

/// How a fit went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitReport {
    /// Steps taken over poses.
    pub steps: usize,
    /// Whether it ended because nothing changed any more.
    pub converged: bool,
    /// How often it had run away and went back.
    pub went_back: usize,
    /// Losses along the way.
    pub curve: Vec<CurvePoint>,
    /// λ.
    pub weights: LossWeights,
    /// Losses over poses that the fit did not see, before it.
    pub unseen_before: Losses,
    /// The same after it.
    pub unseen: Losses,
    /// Springs that hold skin to bones.
    pub springs: usize,
    /// Seconds over all.
    pub seconds: f64,
}

/// A field and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The field.
    pub field: CellField,
    /// How it went.
    pub report: FitReport,
}
