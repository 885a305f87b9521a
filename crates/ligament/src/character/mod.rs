//! The nouns: what a character is made of.
//!
//! Conventions, everywhere in this crate: right-handed, +Y up, the character faces +Z,
//! its left is +X, lengths in metres where the source knows its unit. Mesh and skeleton
//! live in one **bind space**: the pose in which skin and bones were brought together.
//! Matrices act on column vectors and are named `to_from_from`-style, `world_from_joint`.

mod anatomy;
mod blend_shape;
mod bones;
mod clip;
mod mesh;
mod pose;
mod quantise;
mod shape_motion;
mod skeleton;
mod skeleton_builder;
mod weights;

pub(crate) use anatomy::split_name;
pub use anatomy::{
    BodyPlan, HumanoidMap, LimbKind, LimbOfBody, MappedBone, NameScheme, Side, StandardBone, WordKind,
    word_kind, words,
};
pub use blend_shape::BlendShape;
pub(crate) use bones::bones_ended_by;
pub use bones::{Bone, BoneShape, LEAF_STUB, bones_of};
pub use clip::{Channel, Clip, Interpolation, Track, TrackError};
pub use mesh::{
    Alpha, Material, Mesh, MeshError, NormalMap, Part, PartAttachment, Texture, UvTransform, Wrap,
};
pub use pose::{Pose, Transform};
pub use quantise::{quantise_u8, quantise_u16};
pub use shape_motion::ShapeMotion;
pub use skeleton::{Joint, JointIndex, Skeleton, SkeletonError};
pub use skeleton_builder::LooseJoint;
pub(crate) use weights::finished;
pub use weights::{Influence, Rows, Weights, WeightsBuilder, WeightsError};

/// A mesh, its skeleton, and what is known about how one moves the other.
#[derive(Debug, Clone, Default)]
pub struct Character {
    /// What a person calls it: a file name's stem or a sample's name.
    pub name: String,
    /// The skin, in bind space.
    pub mesh: Mesh,
    /// The bones, in bind space. Empty when the source has none.
    pub skeleton: Skeleton,
    /// The weights the source came with, one entry for each vertex of the mesh.
    pub weights: Option<Weights>,
    /// The motions the source came with.
    pub clips: Vec<Clip>,
}
