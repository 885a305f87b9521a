//! What every method is asked for, whatever it is.

use serde::{Deserialize, Serialize};

use super::{BindError, DeformChoice, Locks, Region};
use crate::character::{Pose, Weights};

/// What to compute, beside what a [`Method`](super::Method) has options of its own for. How to run it (threads,
/// progress) is the caller's and [`Task`](crate::task::Task)'s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BindOptions {
    /// The most joints that a vertex may follow, from 1 on. Engines read four or eight; raising it makes blends smoother
    /// and files larger.
    pub influences: usize,
    /// Which joints take part.
    pub deform: DeformChoice,
    /// Weights under this fraction are dropped, never a vertex's largest; from 0, which keeps all, up to 1.
    pub prune: f32,
    /// Parts of the mesh with rules of their own; later ones over earlier ones.
    pub regions: Vec<Region>,
    /// The pose at which falloffs that follow a joint's angle are taken; the rest pose if none.
    pub pose: Option<Pose>,
    /// What keeps the weights that the character has.
    pub locks: Locks,
}

impl Default for BindOptions {
    fn default() -> Self {
        Self {
            influences: 4,
            deform: DeformChoice::Guess,
            prune: 1e-3,
            regions: Vec::new(),
            pose: None,
            locks: Locks::default(),
        }
    }
}

impl BindOptions {
    /// Fails if a number is out of its range.
    pub(super) fn check(&self) -> Result<(), BindError> {
        if self.influences == 0 {
            return Err(BindError::NoInfluences);
        }
        if !(0.0..1.0).contains(&self.prune) {
            return Err(BindError::OutOfRange {
                option: "the prune threshold",
                range: "from 0 up to, but not including, 1",
                value: f64::from(self.prune),
            });
        }
        Ok(())
    }

    /// Drops weights under the prune threshold.
    pub(super) fn pruned(&self, weights: Weights) -> Weights {
        if self.prune > 0.0 {
            weights.pruned(self.prune)
        } else {
            weights
        }
    }
}
