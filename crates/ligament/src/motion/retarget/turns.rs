//! Turns in the world, and the local rotations that make them.

use glam::{DMat3, DQuat, DVec3};

use super::{TargetFrame, track};
use crate::character::{Channel, Clip, JointIndex, Skeleton};
use crate::motion::bind_pose;

/// Goes between joints' turns (rotations in the world against the bind pose) and their local rotations. Joints that hang
/// on mirrored or scaled ones are no exception.
pub(in crate::motion) struct Turner<'a> {
    skeleton: &'a Skeleton,
    joints: Vec<JointTurner>,
}

struct JointTurner {
    parent: Option<usize>,
    /// Turns the vector of a world quaternion into the parent's axes at bind.
    parent_from_world: DMat3,
    /// The local rotation at bind.
    bound: DQuat,
    /// The turn against the parent's while the joint is at rest.
    at_rest: DQuat,
    /// From the parent to the joint, in bind space.
    offset: DVec3,
    /// From bind space to the parent's own units and axes.
    local_from_bind: DMat3,
}

/// The nearest rotation to a linear map, or mirror image of one: its columns made upright one after the other.
fn orthogonal(linear: DMat3) -> DMat3 {
    let x = linear.x_axis.normalize_or(DVec3::X);
    let y = (linear.y_axis - x * x.dot(linear.y_axis)).normalize_or(x.any_orthonormal_vector());
    let z = x.cross(y) * if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    DMat3::from_cols(x, y, z)
}

fn with_vector(turn: DQuat, map: &DMat3) -> DQuat {
    let vector = *map * DVec3::new(turn.x, turn.y, turn.z);
    DQuat::from_xyzw(vector.x, vector.y, vector.z, turn.w)
}

impl<'a> Turner<'a> {
    pub fn new(skeleton: &'a Skeleton) -> Self {
        let bound_pose = bind_pose(skeleton);
        let joints = skeleton
            .joints
            .iter()
            .zip(&bound_pose.locals)
            .map(|(joint, bound)| {
                let above = joint
                    .parent
                    .map_or(DMat3::IDENTITY, |p| skeleton.joint(p).bind_from_joint.matrix3);
                let upright = orthogonal(above);
                // A rotation's vector is turned as vectors are, and the other way around by a mirror.
                let handed = upright.determinant().signum();
                let world_from_parent = upright * handed;
                let parent_from_world = world_from_parent.transpose();
                // What is left of the bind transform without the scale that the joint keeps.
                let unscaled = DMat3::from_quat(bound.rotation)
                    * DMat3::from_diagonal(bound.scale)
                    * DMat3::from_diagonal(joint.rest.scale.map(|s| if s == 0.0 { 1.0 } else { s.recip() }));
                let bound = DQuat::from_mat3(&orthogonal(unscaled)).normalize();
                let at_rest = with_vector(joint.rest.rotation * bound.inverse(), &world_from_parent);
                JointTurner {
                    parent: joint.parent.map(JointIndex::at),
                    parent_from_world,
                    bound,
                    at_rest,
                    offset: above * joint.rest.translation,
                    local_from_bind: above.inverse(),
                }
            })
            .collect();
        Self { skeleton, joints }
    }

    pub fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Every joint's turn: those that are wanted, and for the others what they do at rest.
    pub fn completed(&self, wanted: &[Option<DQuat>]) -> Vec<DQuat> {
        let mut turns: Vec<DQuat> = Vec::with_capacity(self.joints.len());
        for (joint, wanted) in self.joints.iter().zip(wanted) {
            let above = joint.parent.map_or(DQuat::IDENTITY, |p| turns[p]);
            turns.push(wanted.unwrap_or_else(|| (above * joint.at_rest).normalize()));
        }
        turns
    }

    /// The local rotation of a joint under these turns.
    pub fn local(&self, turns: &[DQuat], joint: JointIndex) -> DQuat {
        let j = &self.joints[joint.at()];
        let above = j.parent.map_or(DQuat::IDENTITY, |p| turns[p]);
        let against = above.inverse() * turns[joint.at()];
        (with_vector(against, &j.parent_from_world) * j.bound).normalize()
    }

    /// Where every joint is.
    pub fn places(&self, frame: &TargetFrame, hips: JointIndex) -> Vec<DVec3> {
        let mut places: Vec<DVec3> = Vec::with_capacity(self.joints.len());
        for (at, joint) in self.joints.iter().enumerate() {
            places.push(if at == hips.at() {
                frame.hips
            } else {
                match joint.parent {
                    Some(p) => places[p] + frame.turns[p] * joint.offset,
                    None => joint.offset,
                }
            });
        }
        places
    }

    /// Where the hips are, seen from their parent.
    fn hips_local(&self, frame: &TargetFrame, hips: JointIndex) -> DVec3 {
        let joint = &self.joints[hips.at()];
        match joint.parent {
            Some(p) => {
                let above = self.places(frame, hips)[p];
                joint.local_from_bind * (frame.turns[p].inverse() * (frame.hips - above))
            }
            None => frame.hips,
        }
    }

    /// Frames as tracks of the driven joints, and of where the hips are.
    pub fn clip(
        &self,
        name: &str,
        frames: &[TargetFrame],
        times: &[f32],
        driven: &[JointIndex],
        hips: JointIndex,
    ) -> Clip {
        use rayon::prelude::*;
        let mut sorted = driven.to_vec();
        sorted.sort_unstable();
        let mut tracks: Vec<_> = sorted
            .par_iter()
            .map(|&joint| {
                let mut values = Vec::with_capacity(4 * frames.len());
                let mut before = self.skeleton.joint(joint).rest.rotation;
                for frame in frames {
                    let turn = self.local(&frame.turns, joint);
                    // Of the two quaternions of a turn, the one near the last.
                    before = if before.dot(turn) < 0.0 { -turn } else { turn };
                    values.extend(before.as_quat().to_array());
                }
                track(joint, Channel::Rotation, times, values)
            })
            .collect();
        let places = frames
            .iter()
            .flat_map(|frame| self.hips_local(frame, hips).as_vec3().to_array())
            .collect();
        tracks.push(track(hips, Channel::Translation, times, places));
        Clip {
            name: name.to_owned(),
            tracks,
        }
    }
}
