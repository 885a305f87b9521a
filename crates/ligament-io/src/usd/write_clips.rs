//! Clips as `SkelAnimation` prims.
//!
//! USD interpolates linearly between samples. Linear tracks are sampled at the keys of
//! their channel, which is exact; steps get a second sample right before each key; splines
//! are baked at 30 frames a second.

use glam::DQuat;
use ligament::character::{Channel, Clip, Interpolation, Transform};
use ligament::{Character, Pose};

use super::layer::{Attribute, Prim, Value};
use super::names::Names;
use super::write::{attribute, displayed};
use super::write_rig::WrittenRig;

/// Time codes in a second.
pub(super) const TIME_CODES_PER_SECOND: f64 = 30.0;
/// Seconds that a baked spline may last: beyond this its keys alone are kept.
const LONGEST_BAKED: f32 = 3600.0;

pub(super) fn write_clips(character: &Character, rig: &WrittenRig, names: &mut Names) -> Vec<Prim> {
    let clips = character.clips.iter();
    clips
        .filter(|clip| !clip.tracks.is_empty())
        .map(|clip| write_clip(character, rig, clip, names))
        .collect()
}

fn write_clip(character: &Character, rig: &WrittenRig, clip: &Clip, names: &mut Names) -> Prim {
    let mut prim = displayed("SkelAnimation", &clip.name, names.unique(&clip.name, "clip"));
    let skeleton = &character.skeleton;
    let mut driven = vec![false; skeleton.joints.len()];
    for track in &clip.tracks {
        driven[track.joint.at()] = true;
    }
    let joints: Vec<_> = rig.joints.iter().filter(|j| driven[j.source.at()]).collect();
    let paths = joints.iter().map(|j| j.path.clone()).collect();
    prim.attributes.push(Attribute {
        is_uniform: true,
        ..attribute("token[]", "joints", Value::Texts(paths))
    });
    for (channel, type_name, name) in [
        (Channel::Translation, "float3[]", "translations"),
        (Channel::Rotation, "quatf[]", "rotations"),
        (Channel::Scale, "half3[]", "scales"),
    ] {
        let mut last: Vec<DQuat> = vec![DQuat::IDENTITY; joints.len()];
        let mut numbers_of = |pose: &Pose| {
            let mut numbers = Vec::with_capacity(joints.len() * channel.width());
            for (joint, last) in joints.iter().zip(&mut last) {
                let local = Transform::from_affine(joint.local(pose.locals[joint.source.at()]));
                match channel {
                    Channel::Translation => numbers.extend(local.translation.to_array()),
                    Channel::Scale => numbers.extend(local.scale.to_array()),
                    Channel::Rotation => {
                        // The same side as before: some readers blend without looking.
                        let q = local.rotation;
                        let q = if last.dot(q) < 0.0 { -q } else { q };
                        *last = q;
                        numbers.extend([q.w, q.x, q.y, q.z]);
                    }
                }
            }
            Value::Numbers(numbers)
        };
        let times = sample_times(clip, channel);
        let mut values = attribute(type_name, name, Value::Blocked);
        if times.is_empty() {
            values.default = Some(numbers_of(&Pose::rest(skeleton)));
        } else {
            values.default = None;
            values.samples = times
                .iter()
                .map(|&t| {
                    let code = f64::from(t) * TIME_CODES_PER_SECOND;
                    (code, numbers_of(&clip.pose_at(skeleton, t)))
                })
                .collect();
        }
        prim.attributes.push(values);
    }
    prim
}

/// When a channel must be sampled, in seconds, increasing.
fn sample_times(clip: &Clip, channel: Channel) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    for track in clip.tracks.iter().filter(|t| t.channel == channel) {
        times.extend_from_slice(&track.times);
        let (Some(&first), Some(&last)) = (track.times.first(), track.times.last()) else {
            continue;
        };
        match track.interpolation {
            Interpolation::Linear => {}
            Interpolation::Step => {
                let before = track.times.iter().skip(1).map(|t| t.next_down());
                times.extend(before.filter(|t| *t > first));
            }
            Interpolation::CubicSpline if last - first < LONGEST_BAKED => {
                let frame = |t: f32| f64::from(t) * TIME_CODES_PER_SECOND;
                let frames = (frame(first).ceil() as i64)..(frame(last).floor() as i64 + 1);
                times.extend(frames.map(|f| (f as f64 / TIME_CODES_PER_SECOND) as f32));
            }
            Interpolation::CubicSpline => {}
        }
    }
    times.retain(|t| t.is_finite());
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}
