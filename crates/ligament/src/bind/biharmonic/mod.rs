//! Bounded biharmonic weights on the sparse voxels of any mesh.
//!
//! The weights w of a joint have the least Laplacian energy in the solid among those that
//! are 1 on its own bones, 0 on all others and from 0 to 1 everywhere (Jacobson, Baran,
//! Popović and Sorkine 2011, equations 2 to 5):
//!
//! ```text
//! minimise ½ ∫ (Δw)²    with w = 1 or 0 on bones, 0 ≤ w ≤ 1
//! ```
//!
//! The paper, and everyone since, needs tetrahedra for it, and those need a closed mesh
//! without self-intersections. Here the inside is the solid that voxel binding uses
//! ([`crate::solid`]), which any mesh has; Dionne and de Lasa (2014) name this as promising. As in libigl,
//! each joint is solved for by itself and the sum of all joints is scaled to one afterwards.
//!
//! - [`crate::solid::VolumeLaplacian`]: the Laplacian across the levels of the octree;
//! - [`bounded`](self): the quadratic programme of one joint;
//! - [`BiharmonicField`]: all joints in a solid, and their weights at any point;
//! - [`BiharmonicBinding`]: the slow half, kept for other meshes in the same volume.
//!
//! Promised: every position gets weights, whatever the mesh; weights from 0 to 1 that sum
//! to one; the same at any scale, and the same bytes at any number of threads; symmetric
//! weights for symmetric characters. Not promised: weights without local extrema away from
//! bones (the paper's own limit), or that gaps narrower than two voxels separate.

mod binding;
mod bounded;
mod field;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::character::Bone;
use crate::solid::SolidSettings;

pub use binding::BiharmonicBinding;
pub use bounded::Effort;
pub use field::BiharmonicField;

/// How biharmonic binding works. The defaults need no change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BiharmonicOptions {
    /// How the solid is found; 64 voxels along the longest side unless asked otherwise.
    pub solid: SolidSettings,
    /// Whether voxels are coarse within.
    pub sparse: bool,
    /// Points, balls and boxes that attract skin besides the skeleton's bones.
    pub influences: Vec<Bone>,
}

impl Default for BiharmonicOptions {
    fn default() -> Self {
        Self {
            solid: SolidSettings::default(),
            sparse: true,
            influences: Vec::new(),
        }
    }
}
