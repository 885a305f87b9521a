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
mod known;
mod layers;
mod pieces;
mod rows;
mod skin_rows;
mod table;
#[cfg(test)]
mod tests;

use glam::DVec3;

use super::voxel::{CandidateBones, Near};
use crate::character::{Bone, BoneShape, Weights};
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

    /// A corner of the box around the bones, and its diagonal. The mesh says nothing certain about how large a character is:
    /// there may be a floor under it, and things beside it.
    fn frame(&self) -> (DVec3, f64) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for bone in self.bones {
            let ends = match &bone.shape {
                BoneShape::Segment { head, tail } => [*head, *tail],
                BoneShape::Point(p) | BoneShape::Sphere { centre: p, .. } => [*p, *p],
                BoneShape::Box { bind_from_box, .. } => [bind_from_box.translation; 2],
            };
            for end in ends {
                low = low.min(end);
                high = high.max(end);
            }
        }
        let diagonal = low.distance(high);
        if diagonal > 0.0 && diagonal.is_finite() {
            (low, diagonal)
        } else {
            (self.skin.points()[0], self.skin.diagonal().max(f64::MIN_POSITIVE))
        }
    }

    /// For each point whether it is part of the body: neither a stray nor what no bone reaches.
    fn body(&self) -> Vec<bool> {
        let strays = self.skin.strays().map_or(&[][..], |strays| &strays.is_stray);
        (0..self.skin.len())
            .map(|point| strays.get(point) != Some(&true) && !self.reach.floats(point))
            .collect()
    }

    /// The area around each point, a third of that of its faces. Faces count whose corners are all part of the body; other
    /// points have next to none.
    fn areas(&self, body: &[bool]) -> Vec<f64> {
        let surface = self.skin.surface();
        let mut areas = vec![0.0; body.len()];
        for face in &surface.faces {
            if face.iter().any(|&p| !body[p as usize]) {
                continue;
            }
            let [a, b, c] = face.map(|p| surface.points[p as usize]);
            let third = (b - a).cross(c - a).length() / 6.0;
            for &p in face {
                areas[p as usize] += third;
            }
        }
        let least = 1e-12 * self.frame().1.powi(2);
        areas.iter_mut().for_each(|area| *area = area.max(least));
        areas
    }
}
