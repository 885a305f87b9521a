//! What a skeleton is like.

use glam::{DAffine3, DVec3};
use serde::Serialize;

use crate::character::{JointIndex, Pose, Skeleton};

/// A bone shorter than this fraction of the skeleton's own bounding box's diagonal has no
/// length: its child only shares its parent's position, as in `character::bones_of`.
pub const ZERO_LENGTH: f64 = 1e-6;

/// Rest and bind are the same pose if no corner of the character's box moves by more than
/// this fraction of its diagonal. Products of a few matrices stored as `f32` differ by 1e-6
/// to 1e-4; a joint turned by one degree moves a corner by about 1e-2.
pub const SAME_POSE: f64 = 1e-3;

/// Counts and faults of a skeleton. Joints are named; plain nodes that are no joints of
/// the skin are stepped over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkeletonFacts {
    /// Joints of the skin.
    pub joints: usize,
    /// Scene nodes above, between and below the joints.
    pub plain_nodes: usize,
    /// Joints with no joint above them.
    pub roots: Vec<String>,
    /// How many joints have no joint below them.
    pub leaves: usize,
    /// How many joints the longest chain from a root has.
    pub depth: usize,
    /// Names that more than one joint has.
    pub duplicate_names: Vec<String>,
    /// Joints at the position of the joint above them; see [`ZERO_LENGTH`].
    pub zero_length_bones: Vec<String>,
    /// Joints outside the mesh; see [`super::outside`].
    pub outside_mesh: Vec<String>,
    /// Whether the rest pose is the bind pose, up to one affine map common to all joints.
    pub rest_is_bind: bool,
}

/// The joints of the skin, in order.
pub fn skin_joints(skeleton: &Skeleton) -> Vec<JointIndex> {
    skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin)
        .collect()
}

/// How many joints of the skin the longest chain has; 0 without joints.
pub fn depth(skeleton: &Skeleton) -> usize {
    let mut depths = vec![0usize; skeleton.joints.len()];
    for (at, joint) in skeleton.joints.iter().enumerate() {
        depths[at] = joint.parent.map_or(0, |p| depths[p.at()]) + usize::from(joint.in_skin);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Joints of the skin that lie where the joint of the skin above them lies.
pub fn zero_length_bones(skeleton: &Skeleton) -> Vec<JointIndex> {
    let joints = skin_joints(skeleton);
    let (low, high) = joints
        .iter()
        .map(|&j| skeleton.bind_position(j))
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
    let shortest = if joints.is_empty() {
        0.0
    } else {
        ZERO_LENGTH * (high - low).length()
    };
    let has_no_length = |&j: &JointIndex| {
        skeleton.skin_parent(j).is_some_and(|parent| {
            skeleton.bind_position(j).distance(skeleton.bind_position(parent)) <= shortest
        })
    };
    joints.into_iter().filter(has_no_length).collect()
}

/// Whether the rest pose is the bind pose: whether all joints of the skin take the box
/// from `low` to `high` (the mesh's) to the same position, within [`SAME_POSE`] of its size
/// there. A map common to all joints (a scene turned upright, another unit) does not
/// matter. The box is widened to hold the joints.
pub fn rest_is_bind(skeleton: &Skeleton, low: DVec3, high: DVec3) -> bool {
    let joints = skin_joints(skeleton);
    let (low, high) = joints
        .iter()
        .map(|&j| skeleton.bind_position(j))
        .fold((low, high), |(low, high), p| (low.min(p), high.max(p)));
    let corners: [DVec3; 8] = std::array::from_fn(|i| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    });
    let position = |m: &DAffine3| corners.map(|c| m.transform_point3(c));
    let world_from_bind = Pose::rest(skeleton).world_from_bind(skeleton);
    let mut positions = joints.iter().map(|j| position(&world_from_bind[j.at()]));
    let Some(first) = positions.next() else {
        return true;
    };
    let size = first
        .iter()
        .fold(0.0, |size: f64, p| size.max(p.distance(first[0])));
    positions.all(|position| {
        let moved = position
            .iter()
            .zip(&first)
            .map(|(p, q)| p.distance(*q))
            .fold(0.0, f64::max);
        moved <= SAME_POSE * size
    })
}

/// Everything about a skeleton that has passed [`Skeleton::check`], on a mesh whose box
/// goes from `low` to `high`. `outside[i]` says whether the `i`-th of [`skin_joints`] is
/// outside the mesh.
pub fn skeleton_facts(skeleton: &Skeleton, low: DVec3, high: DVec3, outside: &[bool]) -> SkeletonFacts {
    let joints = skin_joints(skeleton);
    let children = skeleton.skin_children();
    let name = |&j: &JointIndex| skeleton.joint(j).name.clone();
    SkeletonFacts {
        joints: joints.len(),
        plain_nodes: skeleton.joints.len() - joints.len(),
        roots: joints
            .iter()
            .filter(|&&j| skeleton.skin_parent(j).is_none())
            .map(name)
            .collect(),
        leaves: joints.iter().filter(|j| children[j.at()].is_empty()).count(),
        depth: depth(skeleton),
        duplicate_names: skeleton
            .duplicate_names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        zero_length_bones: zero_length_bones(skeleton).iter().map(name).collect(),
        outside_mesh: joints
            .iter()
            .zip(outside)
            .filter(|&(_, &outside)| outside)
            .map(|(j, _)| name(j))
            .collect(),
        rest_is_bind: rest_is_bind(skeleton, low, high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Joint, Transform};
    use glam::DQuat;

    /// A chain by parent, offset and skin; bind is where rest puts it.
    fn skeleton(joints: &[(&str, Option<u16>, [f64; 3], bool)]) -> Skeleton {
        let mut s = Skeleton::default();
        for &(name, parent, offset, in_skin) in joints {
            let rest = Transform::from_translation(offset.into());
            let above = parent.map_or(DAffine3::IDENTITY, |p| s.joints[usize::from(p)].bind_from_joint);
            s.joints.push(Joint {
                name: name.to_owned(),
                parent: parent.map(JointIndex),
                rest,
                bind_from_joint: above * rest.to_affine(),
                in_skin,
            });
        }
        s
    }

    fn sample() -> Skeleton {
        skeleton(&[
            ("scene", None, [0.0; 3], false),
            ("hips", Some(0), [0.0, 1.0, 0.0], true),
            ("offset", Some(1), [0.0; 3], false),
            ("leg", Some(2), [0.2, 0.0, 0.0], true),
            ("leg", Some(1), [-0.2, 0.0, 0.0], true),
            ("twist", Some(4), [0.0; 3], true),
        ])
    }

    #[test]
    fn a_small_skeleton_is_counted() {
        let facts = skeleton_facts(&sample(), DVec3::ZERO, DVec3::ONE, &[false, true, false, false]);
        assert_eq!(
            facts,
            SkeletonFacts {
                joints: 4,
                plain_nodes: 2,
                roots: vec!["hips".to_owned()],
                leaves: 2,
                depth: 3,
                duplicate_names: vec!["leg".to_owned()],
                zero_length_bones: vec!["twist".to_owned()],
                outside_mesh: vec!["leg".to_owned()],
                rest_is_bind: true,
            }
        );
    }

    #[test]
    fn a_common_map_keeps_the_pose_and_one_bent_joint_does_not() {
        let (low, high) = (DVec3::NEG_ONE, DVec3::ONE);
        let mut s = sample();
        s.joints[0].rest = Transform {
            translation: DVec3::new(5.0, 1e3, 0.0),
            rotation: DQuat::from_rotation_x(1.0),
            scale: DVec3::splat(100.0),
        };
        assert!(rest_is_bind(&s, low, high));
        s.joints[4].rest.rotation = DQuat::from_rotation_z(0.01);
        assert!(!rest_is_bind(&s, low, high));
        for joint in &mut s.joints {
            joint.bind_from_joint.translation *= 1e-3;
            joint.rest.translation *= 1e-3;
        }
        assert!(!rest_is_bind(&s, 1e-3 * low, 1e-3 * high));
        s.joints[4].rest.rotation = DQuat::IDENTITY;
        assert!(rest_is_bind(&s, 1e-3 * low, 1e-3 * high));
    }
}
