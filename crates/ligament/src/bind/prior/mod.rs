//! A prior learned from artists: what they would do with the weights that the recipes give.
//!
//! For a point p and each joint j that it might follow, the recipes' mean weight w is corrected by what was learned from
//! characters with hand-made weights:
//!
//! ```text
//! weight(p, j) ∝ w(p, j) · exp(θ·x(p, j) + trees(x(p, j)))
//! ```
//!
//! x are some eighty features: distances, what both recipes say, the joint as a whole (its bone, its limb, its
//! name, the skin that it has), the hierarchy, and the connected piece of the surface. Then come rules that nothing
//! learned may break: pieces that the recipes hold as one stay one, and left and right stay alike.
//!
//! `docs/lab/prior.md` has what it was learned from and what it gives.

mod apply;
mod features;
mod joints;
mod pieces;
mod rows;
mod skin_rows;
mod table;
#[cfg(test)]
mod tests;

use glam::DVec3;

use super::voxel::{CandidateBones, Near};
use crate::character::{Bone, Weights};
use crate::skin::{JointMasks, Skin};

#[cfg(feature = "research")]
pub use apply::PointRows;
#[cfg(feature = "research")]
pub(super) use apply::candidates;
pub(super) use apply::corrected;
#[cfg(any(test, feature = "research"))]
pub use features::COUNT;
#[cfg(feature = "research")]
pub use features::{Features, NAMES};
#[cfg(feature = "research")]
pub use rows::Candidate;
#[cfg(feature = "research")]
pub use table::Manner;
pub use table::{Prior, PriorChoice};

/// What both recipes found for a skin.
pub(super) struct Recipes<'a> {
    pub skin: &'a Skin,
    /// The bones of voxel binding, and the factor that the thickness of its limb puts on each.
    pub bones: &'a [Bone],
    pub scales: &'a [f32],
    pub voxel_size: f64,
    pub reach: &'a CandidateBones,
    /// The weights of points by voxels and by heat, more than a vertex keeps.
    pub voxel: &'a Weights,
    pub heat: &'a Weights,
    /// For each point the way out.
    pub normals: &'a [DVec3],
    /// Which joints a point may follow.
    pub masks: &'a JointMasks,
}

impl Recipes<'_> {
    /// The bones around a point, nearest first.
    fn near(&self, point: usize) -> &[Near] {
        self.reach.near_host(point)
    }

    /// The area around each point; points without faces and strays, which are no part of the character, have next to none.
    fn areas(&self) -> impl Iterator<Item = f64> + '_ {
        let least = 1e-12 * self.skin.diagonal().powi(2);
        let strays = self.skin.strays().map_or(&[][..], |strays| &strays.is_stray);
        let areas = self.skin.laplacian().areas.iter().enumerate();
        areas.map(move |(point, area)| match strays.get(point) {
            Some(true) => least,
            _ => area.max(least),
        })
    }
}
