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
//! ([`crate::solid`]), which any mesh has; seed 002 names this as promising. As in libigl,
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

use super::{BindError, BindOptions, Bound, Method};
use crate::character::Character;
use crate::task::Task;

pub use binding::BiharmonicBinding;
pub use bounded::Effort;
pub use field::BiharmonicField;

/// The method `biharmonic`.
pub struct Biharmonic;

impl Method for Biharmonic {
    fn name(&self) -> &'static str {
        "biharmonic"
    }

    fn summary(&self) -> &'static str {
        "bounded biharmonic weights in the solid that the mesh encloses; smoothest, for any mesh"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        Ok(BiharmonicBinding::made_with_weights(character, options, task)?.1)
    }
}
