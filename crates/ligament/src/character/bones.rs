//! What attracts skin: bones as shapes in space, each owned by a joint.
//!
//! A bone is the segment from a joint to a child joint and moves with the *parent* joint
//! of the pair, so joint J owns the segments from J to each of its children. A leaf owns
//! a stub that continues its incoming bone. A joint with no length is a point. Boxes and
//! spheres are influences that a user adds.

use glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};

use super::{JointIndex, Skeleton};

/// One shape that attracts skin for one joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bone {
    /// The joint that moves what this bone attracts.
    pub joint: JointIndex,
    /// Where it is, in bind space.
    pub shape: BoneShape,
    /// Whether it is a leaf's stub, so that nothing lies beyond its tail.
    pub stub: bool,
}

/// The shape of a bone, in bind space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoneShape {
    /// A straight line from a joint to its child, or a leaf's stub.
    Segment {
        /// At the joint.
        head: DVec3,
        /// At the child, or where the stub ends.
        tail: DVec3,
    },
    /// A joint with no length.
    Point(DVec3),
    /// A ball; everything inside is at distance zero.
    Sphere {
        /// Its centre.
        centre: DVec3,
        /// Its radius, not negative.
        radius: f64,
    },
    /// A box that may be rotated; everything inside is at distance zero.
    Box {
        /// The box's own frame, without scale: centre and axes.
        bind_from_box: DAffine3,
        /// Half its extent along its own axes.
        half_extent: DVec3,
    },
}

impl BoneShape {
    /// The same shape elsewhere.
    pub fn moved_by(&self, step: DVec3) -> Self {
        self.mapped(|p| p + step, 1.0)
    }

    /// The same shape in another frame: `position` moves points and scales all lengths by `scale`, without turning.
    pub fn mapped(&self, position: impl Fn(DVec3) -> DVec3, scale: f64) -> Self {
        match self.clone() {
            Self::Segment { head, tail } => Self::Segment {
                head: position(head),
                tail: position(tail),
            },
            Self::Point(at) => Self::Point(position(at)),
            Self::Sphere { centre, radius } => Self::Sphere {
                centre: position(centre),
                radius: radius * scale,
            },
            Self::Box {
                mut bind_from_box,
                half_extent,
            } => {
                bind_from_box.translation = position(bind_from_box.translation);
                Self::Box {
                    bind_from_box,
                    half_extent: half_extent * scale,
                }
            }
        }
    }

    /// The point of the shape that is closest to `p`.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        match self {
            Self::Segment { head, tail } => {
                let along = *tail - *head;
                let length_squared = along.length_squared();
                if length_squared == 0.0 {
                    return *head;
                }
                *head + along * ((p - *head).dot(along) / length_squared).clamp(0.0, 1.0)
            }
            Self::Point(at) => *at,
            Self::Sphere { centre, radius } => *centre + (p - *centre).clamp_length_max(*radius),
            Self::Box {
                bind_from_box,
                half_extent,
            } => {
                let local = bind_from_box.inverse().transform_point3(p);
                bind_from_box.transform_point3(local.clamp(-*half_extent, *half_extent))
            }
        }
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Segment { head, tail } => head.is_finite() && tail.is_finite(),
            Self::Point(at) => at.is_finite(),
            Self::Sphere { centre, radius } => centre.is_finite() && radius.is_finite(),
            Self::Box {
                bind_from_box,
                half_extent,
            } => bind_from_box.is_finite() && half_extent.is_finite(),
        }
    }

    /// The straight distance from `p` to the shape; zero inside spheres and boxes.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.closest_point(p).distance(p)
    }
}

/// A leaf's stub is this fraction of its incoming bone.
pub const LEAF_STUB: f64 = 0.25;

/// The bones of a skeleton. `deforms` says for each joint whether it may own bones; a
/// joint that may not still ends its parent's bone. `leaf_stub` is the length of a leaf's
/// stub relative to its incoming bone, usually [`LEAF_STUB`].
pub fn bones_of(skeleton: &Skeleton, deforms: &[bool], leaf_stub: f64) -> Vec<Bone> {
    bones_ended_by(skeleton, deforms, |_| true, leaf_stub)
}

/// The same where not every joint ends its parent's bone.
pub(crate) fn bones_ended_by(
    skeleton: &Skeleton,
    deforms: &[bool],
    ends: impl Fn(JointIndex) -> bool,
    leaf_stub: f64,
) -> Vec<Bone> {
    let children = skeleton.skin_children();
    let skin_joints = || skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
    let size = {
        let mut at = skin_joints().map(|j| skeleton.bind_position(j));
        let Some(first) = at.next() else { return Vec::new() };
        let (lo, hi) = at.fold((first, first), |(lo, hi), p| (lo.min(p), hi.max(p)));
        (hi - lo).length()
    };
    // A child closer than this gives no bone: it only shares its parent's position.
    let shortest = 1e-6 * size;

    let mut bones = Vec::new();
    for joint in skin_joints().filter(|j| deforms[j.at()]) {
        let head = skeleton.bind_position(joint);
        let before = bones.len();
        for &child in &children[joint.at()] {
            let tail = skeleton.bind_position(child);
            if tail.distance(head) > shortest && ends(child) {
                bones.push(Bone {
                    joint,
                    shape: BoneShape::Segment { head, tail },
                    stub: false,
                });
            }
        }
        if bones.len() > before {
            continue;
        }
        let incoming = skeleton
            .skin_parent(joint)
            .map_or(DVec3::ZERO, |p| head - skeleton.bind_position(p));
        let shape = if leaf_stub * incoming.length() > shortest {
            BoneShape::Segment {
                head,
                tail: head + leaf_stub * incoming,
            }
        } else {
            BoneShape::Point(head)
        };
        bones.push(Bone {
            joint,
            shape,
            stub: true,
        });
    }
    bones
}

#[cfg(test)]
mod tests {
    use super::super::{Joint, Transform};
    use super::*;

    fn skeleton(joints: &[(Option<u16>, [f64; 3])]) -> Skeleton {
        Skeleton {
            joints: joints
                .iter()
                .map(|&(parent, at)| Joint {
                    name: String::new(),
                    parent: parent.map(JointIndex),
                    rest: Transform::IDENTITY,
                    bind_from_joint: DAffine3::from_translation(at.into()),
                    in_skin: true,
                })
                .collect(),
        }
    }

    #[test]
    fn a_joint_owns_the_segments_to_its_children() {
        let s = skeleton(&[
            (None, [0.0, 0.0, 0.0]),
            (Some(0), [1.0, 0.0, 0.0]),
            (Some(0), [0.0, 2.0, 0.0]),
        ]);
        let bones = bones_of(&s, &[true; 3], 0.25);
        let owners: Vec<u16> = bones.iter().map(|b| b.joint.0).collect();
        assert_eq!(owners, [0, 0, 1, 2]);
        // The leaf's stub continues its incoming bone.
        let BoneShape::Segment { head, tail } = &bones[3].shape else {
            panic!("a stub")
        };
        assert_eq!(
            (*head, *tail),
            (DVec3::new(0.0, 2.0, 0.0), DVec3::new(0.0, 2.5, 0.0))
        );
    }

    #[test]
    fn a_joint_without_deform_owns_nothing_but_ends_its_parents_bone() {
        let s = skeleton(&[(None, [0.0; 3]), (Some(0), [1.0, 0.0, 0.0])]);
        let bones = bones_of(&s, &[true, false], 0.25);
        assert_eq!(bones.len(), 1);
        assert_eq!(bones[0].shape.distance(DVec3::new(1.0, 3.0, 0.0)), 3.0);
    }

    #[test]
    fn coincident_children_and_lone_joints_become_points() {
        let s = skeleton(&[
            (None, [1.0, 0.0, 0.0]),
            (Some(0), [1.0, 0.0, 0.0]),
            (None, [5.0, 0.0, 0.0]),
        ]);
        let bones = bones_of(&s, &[true; 3], 0.25);
        assert!(bones.iter().all(|b| matches!(b.shape, BoneShape::Point(_))));
    }

    #[test]
    fn distances_to_shapes() {
        let p = DVec3::new(3.0, 4.0, 0.0);
        let sphere = BoneShape::Sphere {
            centre: DVec3::ZERO,
            radius: 2.0,
        };
        assert_eq!(sphere.distance(p), 3.0);
        assert_eq!(sphere.distance(DVec3::X), 0.0);
        let rotated = BoneShape::Box {
            bind_from_box: DAffine3::from_rotation_z(std::f64::consts::FRAC_PI_2),
            half_extent: DVec3::new(4.0, 1.0, 1.0),
        };
        assert!((rotated.distance(p) - 2.0).abs() < 1e-12);
        assert_eq!(BoneShape::Point(DVec3::ZERO).distance(p), 5.0);
    }
}
