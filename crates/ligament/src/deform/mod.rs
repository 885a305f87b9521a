//! Moving the skin with the bones.
//!
//! - [`SkinnedMesh::linear_blend`]: the blend of the joints' matrices. Fast, what every
//!   engine does; loses volume where joints twist or bend far.
//! - [`SkinnedMesh::dual_quaternion`]: blends rigid motions. Keeps volume under twist;
//!   bulges at strong bends.
//! - [`DeltaMush`]: linear blend, then smoothed, then the lost detail put back. Forgives
//!   rough weights.
//!
//! Each has two stages: a [`SkinnedMesh`] (or [`DeltaMush`]) is prepared once for a mesh
//! and its weights, then evaluated for any number of poses. Work runs in chunks of fixed
//! size on the caller's rayon pool, so results are the same bytes at any thread count.
//! [`deform`] does both stages for a single pose.
//!
//! What is more than a vertex, such as a Gaussian splat, goes by [`blended_transforms`]: an [`Ellipsoid`] turns and stretches
//! with the map of its position, and a [`HarmonicTurn`] turns the colours that depend on where it is seen from.
//!
//! Vertices of parts with [`PartAttachment::Rigid`](crate::character::PartAttachment)
//! follow that joint whatever the weights say.
//!
//! Nothing here repairs input: the mesh must have passed [`Mesh::check`](crate::Mesh::check).

mod blended;
mod delta_mush;
mod dual_quaternion;
mod harmonics;
mod linear_blend;
mod skinned_mesh;
mod splats;
#[cfg(test)]
mod tests;

use glam::Vec3;
use serde::{Deserialize, Serialize};

pub use crate::geometry::Smoothing;
pub use blended::blended_transforms;
pub use delta_mush::{DeltaMush, DeltaMushOptions};
pub use harmonics::{HARMONICS, HarmonicTurn, harmonics};
pub use skinned_mesh::SkinnedMesh;
pub use splats::{Ellipsoid, moved_covariance, turn_of};

use crate::character::{Character, Pose, Weights};

/// How the skin follows the bones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeformMethod {
    /// Linear blend skinning.
    #[default]
    LinearBlend,
    /// Dual quaternion skinning.
    DualQuaternion,
    /// Linear blend skinning followed by delta mush with default options.
    DeltaMush,
}

/// The skin in a pose.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Deformed {
    /// Where each vertex is.
    pub positions: Vec<Vec3>,
    /// Unit normals, one per vertex.
    pub normals: Vec<Vec3>,
}

/// Why a skin cannot be moved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeformError {
    /// The weights belong to another mesh.
    #[error("there are weights for {weights} vertices, but the mesh has {vertices}")]
    WrongVertexCount {
        /// How many vertices the weights are for.
        weights: usize,
        /// How many the mesh has.
        vertices: usize,
    },
    /// The pose or skeleton has fewer joints than the weights name.
    #[error("the weights name joint {joint}, but the pose has only {joints} joints")]
    TooFewJoints {
        /// The largest joint that the weights name.
        joint: usize,
        /// How many joints the pose has.
        joints: usize,
    },
    /// The method moves vertices by their neighbours.
    #[error(
        "delta mush smooths over faces, which points do not have; use linear or dual-quaternion skinning"
    )]
    NeedsFaces,
}

/// Moves a character's skin into a pose: prepares and evaluates in one go. For many poses
/// of one character prepare a [`SkinnedMesh`] or [`DeltaMush`] and keep it.
pub fn deform(
    character: &Character,
    weights: &Weights,
    pose: &Pose,
    method: DeformMethod,
) -> Result<Deformed, DeformError> {
    let skeleton = &character.skeleton;
    let world_from_bind = pose.world_from_bind(skeleton);
    let skin = SkinnedMesh::new(&character.mesh, weights)?;
    match method {
        DeformMethod::LinearBlend => skin.linear_blend(&world_from_bind),
        DeformMethod::DualQuaternion => skin.dual_quaternion(skeleton, &world_from_bind),
        DeformMethod::DeltaMush => {
            DeltaMush::new(&character.mesh, skin, &DeltaMushOptions::default()).evaluate(&world_from_bind)
        }
    }
}
