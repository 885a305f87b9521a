//! What a motion is like.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::character::{Channel, Clip, JointIndex, Skeleton, Track};

/// A value further than this from rest moves the joint: relative to the value's own size,
/// at least 1. Keys written as `f32` differ from their rest value by about 1e-7.
const MOVES: f64 = 1e-5;

/// Counts of a motion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClipFacts {
    /// What the source calls it; empty when it has no name.
    pub name: String,
    /// From the first key to the last.
    pub seconds: f32,
    /// How many tracks it has.
    pub tracks: usize,
    /// Tracks that cannot be played; see [`Track::check`].
    pub broken_tracks: usize,
    /// Joints that a track drives.
    pub joints_driven: usize,
    /// Joints with a key that is not their rest value: those that are seen to move.
    pub joints_moved: usize,
}

/// Everything about a motion. Its tracks must name joints of the skeleton.
pub fn clip_facts(clip: &Clip, skeleton: &Skeleton) -> ClipFacts {
    let (start, end) = clip.span_secs();
    let sound = || clip.tracks.iter().filter(|t| t.check().is_ok());
    let joints = |tracks: &mut dyn Iterator<Item = &Track>| {
        tracks.map(|t| t.joint).collect::<BTreeSet<JointIndex>>().len()
    };
    ClipFacts {
        name: clip.name.clone(),
        seconds: end - start,
        tracks: clip.tracks.len(),
        broken_tracks: clip.tracks.len() - sound().count(),
        joints_driven: joints(&mut clip.tracks.iter()),
        joints_moved: joints(&mut sound().filter(|t| leaves_rest(t, skeleton))),
    }
}

/// Whether a key of a sound track differs from the joint's rest value.
fn leaves_rest(track: &Track, skeleton: &Skeleton) -> bool {
    let rest = skeleton.joint(track.joint).rest;
    let rest_value = match track.channel {
        Channel::Translation => rest.translation.extend(0.0),
        Channel::Scale => rest.scale.extend(0.0),
        Channel::Rotation => rest.rotation.into(),
    };
    track.times.iter().any(|&time| {
        let value = glam::DVec4::from(track.sample(time));
        let mut distance = value.distance(rest_value);
        if track.channel == Channel::Rotation {
            // A quaternion and its negative are the same turn.
            distance = distance.min(value.distance(-rest_value));
        }
        distance > MOVES * rest_value.length().max(1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Interpolation, Joint, Transform};
    use glam::DAffine3;

    #[test]
    fn a_joint_held_at_rest_is_driven_but_not_moved() {
        let joint = Joint {
            name: String::new(),
            parent: None,
            rest: Transform::IDENTITY,
            bind_from_joint: DAffine3::IDENTITY,
            in_skin: true,
        };
        let skeleton = Skeleton {
            joints: vec![joint; 3],
        };
        let track = |joint, channel, values: &[f32]| Track {
            joint: JointIndex(joint),
            channel,
            interpolation: Interpolation::Linear,
            times: vec![0.5, 2.0],
            values: values.to_vec(),
        };
        let held = [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0];
        let clip = Clip {
            name: "wave".to_owned(),
            tracks: vec![
                track(0, Channel::Rotation, &held),
                track(1, Channel::Translation, &[0.0, 0.0, 0.0, 0.0, 0.1, 0.0]),
                track(1, Channel::Scale, &[1.0; 6]),
                track(2, Channel::Scale, &[2.0; 5]),
            ],
        };
        assert_eq!(
            clip_facts(&clip, &skeleton),
            ClipFacts {
                name: "wave".to_owned(),
                seconds: 1.5,
                tracks: 4,
                broken_tracks: 1,
                joints_driven: 3,
                joints_moved: 1,
            }
        );
    }
}
