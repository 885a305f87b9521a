//! The poses over which a bind is measured.
//!
//! **Clips.** Frames of the file's own motions: a limited number spread evenly over the
//! clips that bend the skeleton (some joint's rotation changes by more than 10⁻³), each
//! clip at the middles of equal spans of its time. This is the choice of frames that the
//! comparison with other binders makes, so that both measure the same thing.
//!
//! **Range of motion.** Where no clip bends anything: poses within joint limits, from the
//! bind pose. What a joint is comes from its name and its place in the hierarchy
//! ([`JointKind`]), its limits from a table ([`JointKind::moves`]) that can be overridden
//! joint by joint ([`JointLimits`]). A move turns a bone from its bind direction towards
//! forward, up or outward, or twists it. For every kind of joint and every move there are
//! two poses, the left at one end and the right at the other, then the reverse: limbs that
//! move in step would hide weights that bleed from one to the other. Chains (spine, neck,
//! tail) share their limit among their joints. Last come poses that mix all moves at half
//! their range.
//!
//! **Motions for others.** [`retarget`] carries a clip from one skeleton to another; [`builtin`] makes clips by code for any
//! body that is recognised.

pub mod builtin;
mod clip_frames;
mod joint_kind;
mod limits;
mod range_of_motion;
pub mod retarget;
mod t_pose;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::character::{Character, JointIndex, Pose, Skeleton, Transform};

pub use clip_frames::clip_frames;
pub use joint_kind::{JointKind, joint_kinds};
pub use limits::{JointLimits, JointMove, MoveAxis};
pub use range_of_motion::{random_rotations, range_of_motion};
pub use t_pose::{Stance, t_pose};

/// One pose to measure in.
#[derive(Debug, Clone)]
pub struct Frame {
    /// What a person calls it: `walk 0.42 s`, `elbow forward: left 120°, right 0°`.
    pub name: String,
    /// The clip it is from.
    pub clip: Option<String>,
    /// The clip's time in seconds.
    pub seconds: Option<f32>,
    /// Where the joints are.
    pub pose: Pose,
}

/// Where frames come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionChoice {
    /// The file's clips; the range of motion where none of them bends the skeleton.
    #[default]
    Auto,
    /// The file's clips alone.
    Clips,
    /// The range of motion alone.
    RangeOfMotion,
}

/// The frames to measure in.
pub fn frames(
    character: &Character,
    choice: MotionChoice,
    limit: usize,
    limits: &[JointLimits],
) -> Vec<Frame> {
    let clips = || clip_frames(character, limit);
    let range = || range_of_motion(&character.skeleton, limits);
    match choice {
        MotionChoice::Clips => clips(),
        MotionChoice::RangeOfMotion => range(),
        MotionChoice::Auto => {
            let frames = clips();
            if frames.is_empty() { range() } else { frames }
        }
    }
}

/// The pose in which skin and bones were brought together.
pub fn bind_pose(skeleton: &Skeleton) -> Pose {
    let local = |index: JointIndex| {
        let joint = skeleton.joint(index);
        let parent_from_bind = joint
            .parent
            .map(|p| skeleton.joint(p).bind_from_joint.inverse())
            .unwrap_or_default();
        Transform::from_affine(parent_from_bind * joint.bind_from_joint)
    };
    Pose {
        locals: skeleton.indices().map(local).collect(),
    }
}
