//! Voxel binding: weights from distances through the solid that a mesh encloses.
//!
//! Dionne and de Lasa (2013, 2014). The mesh, however broken, becomes a
//! solid of voxels ([`crate::solid`]); distances from every bone run through it, so that an
//! arm beside the body is far from the chest; weights fall with distance. The slow half is
//! kept as a [`VoxelBinding`]: other falloffs, other regions and other meshes in the same
//! volume only evaluate it again; a [`LiveBinding`] does so at once.
//!
//! The default is better than the papers' falloff (0.86 against 1.07 of the best
//! peer's deformation error). Per position and bone segment:
//! 1. the distance through the solid, continuous across voxels ([`crate::solid::Blend`]), or the
//!    straight line where it is nearly that long;
//! 2. more past the ends of a segment than beside it;
//! 3. less for segments in thick limbs than in thin ones ([`thickness`](self));
//! 4. the least over a joint's segments, to the power −λ;
//! 5. smoothing along the surface by a fraction of the distance (screened diffusion).
//!
//! Presets `2014` and `2013` are the papers' own.
//!
//! Promised: every position gets weights, whatever the mesh; the same bytes at any number
//! of threads; symmetric weights for symmetric characters. Not promised: weights of parts
//! that touch another part's volume without hanging on it are those of that volume.

pub(super) mod binding;
mod candidate_bones;
mod explain;
mod falloff;
mod live;
mod moving;
#[cfg(test)]
mod tests;
mod thickness;

use serde::{Deserialize, Serialize};

use crate::character::Bone;
use crate::solid::SolidSettings;

pub use binding::{VoxelBinding, VoxelBindingParts};
pub use candidate_bones::CandidateBones;
pub(in crate::bind) use candidate_bones::Near;
pub use explain::{ExplainedBone, Explanation};
pub use falloff::{Form, lambda};
pub use live::LiveBinding;
pub(crate) use moving::MovingBinding;

/// How voxel binding works. The defaults need no change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VoxelOptions {
    /// The default form, or one of the papers' own.
    pub preset: Form,
    /// How the solid is found. Winding numbers are the preset's own choice if none is given.
    pub solid: SolidSettings,
    /// How fast weights fall, from 0 (smooth) to 1 (sharp); the preset's own if none.
    pub falloff: Option<f64>,
    /// What a step into a voxel of the surface costs, relative to one inside; the preset's own if none. Larger keeps
    /// paths away from the skin.
    pub penalty: Option<f64>,
    /// Whether voxels are coarse within; the preset's own if none.
    pub sparse: Option<bool>,
    /// Whether paths run across edges and corners of voxels too; the preset's own if none.
    pub diagonal: Option<bool>,
    /// Whether weights are smoothed along the surface; the preset's own if none.
    pub smoothing: Option<bool>,
    /// Points, balls and boxes that attract skin besides the skeleton's bones.
    pub influences: Vec<Bone>,
}

/// What can change with no new search through the voxels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VoxelEvaluation {
    /// How fast weights fall, from 0 (smooth) to 1 (sharp); the preset's own if none.
    pub falloff: Option<f64>,
    /// Whether weights are smoothed along the surface; the preset's own if none.
    pub smoothing: Option<bool>,
}

impl VoxelOptions {
    /// The part of the options that can change with no new search.
    pub fn evaluation(&self) -> VoxelEvaluation {
        VoxelEvaluation {
            falloff: self.falloff,
            smoothing: self.smoothing,
        }
    }
}
