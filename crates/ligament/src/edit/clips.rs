//! Motions that go along when a skeleton is edited.
//!
//! Turned axes change the numbers of a track and not the motion. A joint that was moved
//! turns about its new position. A joint that hangs on another one than before moves as it
//! did, in keys at all times at which the clip has one.

use glam::{DAffine3, DQuat, DVec3};

use super::rig_state::Rig;
use crate::character::{Channel, Clip, Interpolation, JointIndex, Track, Transform};

/// The clips of a rig after an edit of it; `None` where they stay as they are.
pub(super) fn carried_clips(before: &Rig, after: &Rig) -> Option<Vec<Clip>> {
    if before.clips.iter().all(|c| c.tracks.is_empty()) {
        return None;
    }
    let moves: Vec<Move> = after
        .skeleton
        .indices()
        .map(|joint| Move::of(joint, before, after))
        .collect();
    let tracked = |joint: JointIndex, channel: Channel| {
        let mut tracks = before.clips.iter().flat_map(|c| &c.tracks);
        tracks.any(|t| t.joint == joint && t.channel == channel)
    };
    if before.keys == after.keys && moves.iter().all(|m| m.is_still(before, after, tracked)) {
        return None;
    }
    let clips = before
        .clips
        .iter()
        .map(|clip| Clip {
            name: clip.name.clone(),
            tracks: moves.iter().flat_map(|m| m.tracks(clip, before, after)).collect(),
        })
        .collect();
    Some(clips)
}

/// How one joint's tracks change.
struct Move {
    joint: JointIndex,
    /// Which joint it was; none for a new one.
    old: Option<JointIndex>,
    /// Whether it hangs on what it hung on.
    same_parent: bool,
    /// From its old axes to its new ones, and the same for its parent.
    turn: DQuat,
    parent_rotation: DQuat,
}

impl Move {
    fn of(joint: JointIndex, before: &Rig, after: &Rig) -> Self {
        let old = after
            .origin(joint, before)
            .filter(|&o| before.key(o) == after.key(joint));
        let turn = |new: JointIndex, old: JointIndex| {
            let (was, is) = (
                before.skeleton.joint(old).bind_from_joint,
                after.skeleton.joint(new).bind_from_joint,
            );
            if was.matrix3 == is.matrix3 {
                return DQuat::IDENTITY;
            }
            Transform::from_affine(was.inverse() * is).rotation
        };
        let parent = after.skeleton.joint(joint).parent;
        let old_parent = old.and_then(|o| before.skeleton.joint(o).parent);
        let parent_was = parent.and_then(|p| after.origin(p, before));
        Self {
            joint,
            old,
            same_parent: parent_was == old_parent,
            turn: old.map_or(DQuat::IDENTITY, |o| turn(joint, o)),
            parent_rotation: match (parent, parent_was) {
                (Some(p), Some(o)) => turn(p, o),
                _ => DQuat::IDENTITY,
            },
        }
    }

    /// Whether the joint's tracks stay as they are.
    fn is_still(&self, before: &Rig, after: &Rig, tracked: impl Fn(JointIndex, Channel) -> bool) -> bool {
        let (was, is) = (
            before.skeleton.joint(self.joint).rest,
            after.skeleton.joint(self.joint).rest,
        );
        let unrotated = self.turn == DQuat::IDENTITY && self.parent_rotation == DQuat::IDENTITY;
        self.same_parent
            && (unrotated || !tracked(self.joint, Channel::Rotation))
            && (unrotated && was.translation == is.translation || !tracked(self.joint, Channel::Translation))
    }

    fn tracks(&self, clip: &Clip, before: &Rig, after: &Rig) -> Vec<Track> {
        let Some(old) = self.old else { return Vec::new() };
        if !self.same_parent {
            return self.baked(clip, before, after);
        }
        let own = clip.tracks.iter().filter(|t| t.joint == old);
        let (was, is) = (
            before.skeleton.joint(old).rest,
            after.skeleton.joint(self.joint).rest,
        );
        own.map(|track| {
            let mut track = track.clone();
            track.joint = self.joint;
            match track.channel {
                Channel::Scale => {}
                Channel::Rotation => {
                    if self.turn != DQuat::IDENTITY || self.parent_rotation != DQuat::IDENTITY {
                        for value in track.values.as_chunks_mut::<4>().0 {
                            let q = DQuat::from_array(value.map(f64::from));
                            let rotated = self.parent_rotation.inverse() * q * self.turn;
                            *value = rotated.to_array().map(|x| x as f32);
                        }
                    }
                }
                Channel::Translation => {
                    if self.parent_rotation != DQuat::IDENTITY || was.translation != is.translation {
                        let back = self.parent_rotation.inverse();
                        let spline = track.interpolation == Interpolation::CubicSpline;
                        for (index, value) in track.values.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                            let v = DVec3::from_array(value.map(f64::from));
                            // The first and third of a spline's three are tangents.
                            let moved = if spline && index % 3 != 1 {
                                back * v
                            } else {
                                is.translation + back * (v - was.translation)
                            };
                            *value = moved.as_vec3().to_array();
                        }
                    }
                }
            }
            track
        })
        .collect()
    }

    /// Keys at all times of the clip, from where the joint was in the world.
    fn baked(&self, clip: &Clip, before: &Rig, after: &Rig) -> Vec<Track> {
        let mut times: Vec<f32> = clip.tracks.iter().flat_map(|t| t.times.iter().copied()).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let locals: Vec<Transform> = times
            .iter()
            .map(|&seconds| {
                let world = clip
                    .pose_at(&before.skeleton, seconds)
                    .world_from_joints(&before.skeleton);
                let stands = |joint: JointIndex| {
                    let bind = after.skeleton.joint(joint).bind_from_joint;
                    after.origin(joint, before).map_or(bind, |o| {
                        world[o.at()] * before.skeleton.joint(o).bind_from_joint.inverse() * bind
                    })
                };
                let parent = after.skeleton.joint(self.joint).parent;
                let parent = parent.map_or(DAffine3::IDENTITY, |p| stands(p).inverse());
                Transform::from_affine(parent * stands(self.joint))
            })
            .collect();
        let rest = after.skeleton.joint(self.joint).rest;
        let size = rest.translation.length().max(f64::MIN_POSITIVE);
        let still = |t: &Transform| {
            t.translation.distance(rest.translation) < 1e-6 * size
                && t.rotation.angle_between(rest.rotation) < 1e-6
        };
        if locals.iter().all(still) {
            return Vec::new();
        }
        let track = |channel: Channel, values: Vec<f32>| Track {
            joint: self.joint,
            channel,
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values,
        };
        vec![
            track(
                Channel::Translation,
                locals
                    .iter()
                    .flat_map(|l| l.translation.as_vec3().to_array())
                    .collect(),
            ),
            track(
                Channel::Rotation,
                locals
                    .iter()
                    .flat_map(|l| l.rotation.to_array().map(|x| x as f32))
                    .collect(),
            ),
        ]
    }
}
