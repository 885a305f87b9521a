//! Turns in the world, and the local rotations that make them.

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;

use super::map::Limb;
use super::{TargetFrame, track};
use crate::character::{Channel, Clip, JointIndex, Skeleton};
use crate::motion::bind_pose;

/// Goes between joints' turns (rotations in the world against the bind pose) and their local rotations. Joints that hang
/// on mirrored or scaled ones are no exception.
pub(in crate::motion) struct Turner<'a> {
    skeleton: &'a Skeleton,
    joints: Vec<JointTurner>,
    /// Joints in the order in which positions are found.
    order: Vec<usize>,
    /// Joints that another one than their parent carries.
    carried: Vec<JointIndex>,
}

struct JointTurner {
    parent: Option<usize>,
    /// Turns the vector of a world quaternion into the parent's axes at bind.
    parent_from_world: DMat3,
    /// The local rotation at bind.
    bound: DQuat,
    /// The turn against the parent's while the joint is at rest.
    at_rest: DQuat,
    /// The joint that carries its position: the parent, or the bone above it in a limb ([`Turner::carrying`]).
    carrier: Option<usize>,
    /// From the carrier to the joint, in bind space.
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
        let joints: Vec<JointTurner> = skeleton
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
                    carrier: joint.parent.map(JointIndex::at),
                    offset: above * joint.rest.translation,
                    local_from_bind: above.inverse(),
                }
            })
            .collect();
        Self {
            skeleton,
            order: (0..joints.len()).collect(),
            joints,
            carried: Vec::new(),
        }
    }

    /// The same where limbs hang together: a foot that hangs on the root, as in characters that were posed by constraints, goes where
    /// the shin goes.
    pub fn carrying<'l>(mut self, limbs: impl Iterator<Item = &'l Limb>) -> Self {
        for limb in limbs {
            for pair in limb.target.windows(2) {
                let (above, joint) = (pair[0].at(), pair[1].at());
                let up = |from: usize| std::iter::successors(Some(from), |&j| self.joints[j].carrier);
                if up(joint).any(|j| j == above) || up(above).any(|j| j == joint) {
                    continue;
                }
                let position = |j: JointIndex| self.skeleton.bind_position(j);
                self.joints[joint].offset = position(pair[1]) - position(pair[0]);
                self.joints[joint].carrier = Some(above);
                self.carried.push(pair[1]);
            }
        }
        let mut found = vec![false; self.joints.len()];
        self.order.clear();
        for joint in 0..self.joints.len() {
            let mut chain: Vec<usize> = std::iter::successors(Some(joint), |&j| self.joints[j].carrier)
                .take_while(|&j| !found[j])
                .collect();
            chain.iter().for_each(|&j| found[j] = true);
            chain.reverse();
            self.order.extend(chain);
        }
        self
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
    pub fn positions(&self, frame: &TargetFrame, hips: JointIndex) -> Vec<DVec3> {
        let mut positions = vec![DVec3::ZERO; self.joints.len()];
        for &at in &self.order {
            let joint = &self.joints[at];
            positions[at] = if at == hips.at() {
                frame.hips
            } else {
                match joint.carrier {
                    Some(c) => positions[c] + frame.turns[c] * joint.offset,
                    None => joint.offset,
                }
            };
        }
        positions
    }

    /// Where a joint is, seen from its parent.
    fn local_position(&self, frame: &TargetFrame, positions: &[DVec3], joint: JointIndex) -> DVec3 {
        let turner = &self.joints[joint.at()];
        match turner.parent {
            Some(p) => {
                turner.local_from_bind * (frame.turns[p].inverse() * (positions[joint.at()] - positions[p]))
            }
            None => positions[joint.at()],
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
        let mut moved: Vec<JointIndex> = self.carried.clone();
        moved.push(hips);
        moved.sort_unstable();
        moved.dedup();
        let positions: Vec<Vec<DVec3>> = frames
            .par_iter()
            .map(|frame| {
                let positions = self.positions(frame, hips);
                moved
                    .iter()
                    .map(|&joint| self.local_position(frame, &positions, joint))
                    .collect()
            })
            .collect();
        tracks.extend(moved.iter().enumerate().map(|(i, &joint)| {
            let values = positions
                .iter()
                .flat_map(|positions| positions[i].as_vec3().to_array())
                .collect();
            track(joint, Channel::Translation, times, values)
        }));
        Clip {
            name: name.to_owned(),
            tracks,
        }
    }
}
