//! Which joint of a skeleton is which bone of a body.

use serde::Serialize;

use super::assign::Work;
use super::{Side, StandardBone};
use crate::character::{JointIndex, Skeleton};

/// What kind of body a skeleton is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyPlan {
    /// Upright, with two legs and two arms.
    Humanoid,
    /// Four legs below a level trunk.
    Quadruped,
    /// Two legs and two wings.
    Bird,
    /// None of these.
    Other,
}

/// What a limb is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimbKind {
    /// A leg of a body that has one pair, or more than two.
    Leg,
    /// A leg near the head of a quadruped.
    FrontLeg,
    /// A leg near the tail of a quadruped.
    HindLeg,
    /// An arm.
    Arm,
    /// A wing.
    Wing,
    /// A tail.
    Tail,
}

/// A chain of joints that is a limb.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimbOfBody {
    /// What it is.
    pub kind: LimbKind,
    /// Which side it is on; none for a tail.
    pub side: Option<Side>,
    /// Its joints from the trunk outward.
    pub joints: Vec<JointIndex>,
}

/// A joint that is a standard bone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MappedBone {
    /// The bone.
    pub bone: StandardBone,
    /// The joint that it begins at.
    pub joint: JointIndex,
    /// How sure that is, from 0 to 1: 0.9 and more where name, hierarchy and place agree, about 0.6 where only place tells it,
    /// less where they contradict each other.
    pub confidence: f64,
}

/// Which joints of a skeleton are the bones that engines know.
///
/// Names are read in the spellings of all packages; joints whose names say nothing are told by hierarchy and place. Bones of
/// bodies that are no humanoids are mapped as far as their names go.
///
/// ```
/// use ligament::character::{HumanoidMap, Skeleton, StandardBone};
///
/// let skeleton = Skeleton::from_positions(&[
///     ("pelvis", None, [0.0, 1.0, 0.0]),
///     ("thigh_l", Some(0), [0.1, 0.9, 0.0]),
///     ("thigh_r", Some(0), [-0.1, 0.9, 0.0]),
/// ])?;
/// let map = HumanoidMap::of(&skeleton);
/// assert_eq!(map.joint_of(StandardBone::LeftUpperLeg), skeleton.find("thigh_l"));
/// assert!(map.missing().contains(&StandardBone::Head));
/// # Ok::<(), ligament::character::SkeletonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HumanoidMap {
    plan: BodyPlan,
    bones: Vec<MappedBone>,
    limbs: Vec<LimbOfBody>,
    sides_swapped: bool,
}

impl HumanoidMap {
    /// The map of a skeleton; empty if nothing is recognised.
    pub fn of(skeleton: &Skeleton) -> Self {
        Work::of(skeleton).finish()
    }

    pub(super) fn new(
        plan: BodyPlan,
        bones: Vec<MappedBone>,
        limbs: Vec<LimbOfBody>,
        sides_swapped: bool,
    ) -> Self {
        Self {
            plan,
            bones,
            limbs,
            sides_swapped,
        }
    }

    /// What kind of body it is.
    pub fn plan(&self) -> BodyPlan {
        self.plan
    }

    /// The bones that were found, in the order of [`StandardBone::ALL`].
    pub fn bones(&self) -> &[MappedBone] {
        &self.bones
    }

    /// The joint that a bone begins at.
    pub fn joint_of(&self, bone: StandardBone) -> Option<JointIndex> {
        self.mapped(bone).map(|m| m.joint)
    }

    /// What is known of a bone.
    pub fn mapped(&self, bone: StandardBone) -> Option<&MappedBone> {
        self.bones.iter().find(|m| m.bone == bone)
    }

    /// The bone that begins at a joint.
    pub fn bone_of(&self, joint: JointIndex) -> Option<StandardBone> {
        self.bones.iter().find(|m| m.joint == joint).map(|m| m.bone)
    }

    /// How sure it is what a joint is; 0 if it is no standard bone.
    pub fn confidence(&self, joint: JointIndex) -> f64 {
        let of_joint = self.bones.iter().find(|m| m.joint == joint);
        of_joint.map_or(0.0, |m| m.confidence)
    }

    /// The bones that VRM asks for and no joint is.
    pub fn missing(&self) -> Vec<StandardBone> {
        StandardBone::ALL
            .into_iter()
            .filter(|b| b.is_required() && self.joint_of(*b).is_none())
            .collect()
    }

    /// Legs, arms, wings and tails, with all their joints.
    pub fn limbs(&self) -> &[LimbOfBody] {
        &self.limbs
    }

    /// Whether the feet point backwards for what names call left and right: the character may be mirrored. The map keeps to
    /// the names.
    pub fn sides_swapped(&self) -> bool {
        self.sides_swapped
    }
}
