//! Ligament binds skin to bone.
//!
//! Give it a character (a mesh, however broken, and a skeleton) and it returns
//! skinning weights: for every vertex at most *k* joints with weights that sum to one.
//!
//! The rooms:
//! - [`character`]: the nouns: mesh, skeleton, bones, weights, pose, clip.
//! - [`mod@bind`]: the verbs that give weights, each method in a file of its own.
//! - [`deform`]: moving the skin: linear blend, dual quaternion, delta mush.
//! - [`edit`]: a rig edited while its weights follow.
//! - [`geometry`]: surfaces: what is connected, inside, near, alike.
//! - [`inspect`]: what is wrong with a mesh, a skeleton or weights, counted.
//! - [`linear`]: large sparse symmetric systems.
//! - [`measure`]: how good a bind is, measured and judged.
//! - [`motion`]: poses: clips, joint limits, range of motion.
//! - [`rig`]: skeletons: bringing one to a mesh, or finding one in it.
//! - [`sample`]: characters made by code.
//! - [`skin`]: the welded surface that bends.
//! - [`solid`]: what is inside a broken mesh: votes, winding numbers, sparse voxels, distances.
//! - [`task`]: progress and cancelling for anything that takes time.
//! - [`transfer`]: weights from one mesh to another.
//! - [`weights`]: operations on plain weights.
//!
//! This crate reads no files, prints nothing and starts no threads of its own: parallel
//! work runs on the caller's rayon pool, and gives the same bytes at any thread count.

pub mod bind;
pub mod character;
pub mod deform;
pub mod edit;
pub mod geometry;
pub mod inspect;
pub mod linear;
pub mod measure;
pub mod motion;
pub mod rig;
pub mod sample;
pub mod skin;
pub mod solid;
pub mod task;
pub mod transfer;
pub mod weights;

pub use glam;

pub use character::{Character, Clip, JointIndex, Mesh, Part, Pose, Skeleton, Weights};

/// Binds a mesh to a skeleton: the default method with its default options, all joints but
/// those that look like controls, at most four influences for each vertex.
///
/// For other methods and options, progress and cancelling, see [`mod@bind`].
///
/// ```
/// use ligament::{Mesh, Skeleton};
///
/// let positions = [[0.0, 0.0, 0.1], [0.1, 0.0, -0.1], [-0.1, 0.0, -0.1], [0.0, 1.0, 0.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let joints = [("lower", None, [0.0, 0.0, 0.0]), ("upper", Some(0), [0.0, 0.5, 0.0])];
///
/// let skeleton = Skeleton::from_positions(&joints)?;
/// let bound = ligament::bind(&Mesh::new(positions, triangles), &skeleton)?;
/// let (joints, weights) = bound.weights.to_arrays::<4>();
///
/// assert_eq!(joints[3][0], 1); // the tip follows the upper joint
/// assert_eq!(weights[0].iter().sum::<f32>(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bind(mesh: &Mesh, skeleton: &Skeleton) -> Result<bind::Bound, bind::BindError> {
    let character = Character {
        mesh: mesh.clone(),
        skeleton: skeleton.clone(),
        ..Character::default()
    };
    let options = bind::BindOptions::default();
    bind::Method::bind(&bind::Best, &character, &options, &task::Task::unattended())
}
