//! How far the leaves of a solid are from bones, along paths that stay inside.
//!
//! The distance of Dionne and de Lasa 2013, algorithm 1, and Dionne and de Lasa 2014,
//! section 3.4: shortest paths from leaf to leaf, a step into the boundary costing more.
//! Distances are kept as whole numbers of a small unit, so that they do not depend on the
//! order of additions: every way to compute them gives the same answer, bit for bit.
//!
//! - [`Sources`]: where bones are in the solid.
//! - [`all_distances`]: of every leaf to every bone, by relaxation sweeps over many bones
//!   at once.
//! - [`nearest_distances`]: of every leaf to its nearest few bones, by one search for all.

mod field;
mod nearest;
mod sources;
mod sweeps;
#[cfg(test)]
mod tests;

use super::Leaves;

pub use field::Field;
pub use nearest::{Nearest, nearest_distances};
pub use sources::{SourceFit, Sources};
pub use sweeps::{Distances, LANES, all_distances};

/// A distance that no path is as short as.
pub const UNREACHED: u32 = u32::MAX;

/// How steps are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// What a step into the boundary costs, relative to one within; at least 1.
    pub penalty: f64,
    /// Units of distance in the length of a voxel.
    pub units_per_voxel: f64,
}

impl Metric {
    /// Whether it is one that distances can be counted in.
    fn is_sound(&self) -> bool {
        self.penalty.is_finite()
            && self.penalty >= 1.0
            && self.units_per_voxel.is_finite()
            && self.units_per_voxel > 0.0
    }

    /// The finest unit with which the longest sensible path through the solid stays below
    /// `largest`: three times as long as the grid, and all of it in the boundary.
    pub fn fitting(leaves: &Leaves, penalty: f64, largest: u32) -> Self {
        let longest = 3.0 * f64::from(leaves.grid.counts.max_element()) * penalty;
        Self {
            penalty,
            // Finer than a hundredth of a voxel gains nothing.
            units_per_voxel: (f64::from(largest) / longest).min(128.0),
        }
    }

    /// Costs of steps in units, for each level and value of [`super::Neighbour::step`].
    fn costs(&self, leaves: &Leaves) -> Vec<[u32; 32]> {
        (0..leaves.level_count())
            .map(|level| {
                Leaves::step_costs(level, self.penalty)
                    .map(|c| ((c * self.units_per_voxel).round() as u32).max(1))
            })
            .collect()
    }

    /// A distance in voxels in units.
    fn units(&self, voxels: f64) -> u32 {
        (voxels * self.units_per_voxel).round() as u32
    }
}
