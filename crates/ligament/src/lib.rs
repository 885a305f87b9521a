//! Ligament binds skin to bone.
//!
//! Give it a character (a mesh, however broken, and a skeleton) and it returns
//! skinning weights: for every vertex at most *k* joints with weights that sum to one.
//!
//! The rooms:
//! - [`character`]: the nouns: mesh, skeleton, bones, weights, pose, clip.
//! - [`bind`]: the verbs that give weights, each method in a file of its own.
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

pub use character::{Character, Clip, JointIndex, Mesh, Part, Pose, Skeleton, Weights};
