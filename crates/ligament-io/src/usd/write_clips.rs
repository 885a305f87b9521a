//! Clips as `SkelAnimation` prims.
//!
//! USD interpolates linearly between samples. Linear tracks are sampled at the keys of
//! their channel, which is exact; steps get a second sample right before each key; splines
//! are baked at 30 frames a second.

use glam::DQuat;
use ligament::character::{Channel, Clip, Transform};
use ligament::{Character, Pose};

use super::layer::{Attribute, Prim, Value};
use super::names::Names;
use super::write::{attribute, displayed};
use super::write_blend_shapes::ShapeNames;
use super::write_rig::WrittenRig;
use crate::shape_motion::{FRAMES_PER_SECOND, sample_times, whole_clips};

/// Time codes in a second.
pub(super) const TIME_CODES_PER_SECOND: f64 = FRAMES_PER_SECOND;

pub(super) fn write_clips(
    character: &Character,
    rig: &WrittenRig,
    shapes: &ShapeNames<'_>,
    names: &mut Names,
) -> Vec<Prim> {
    whole_clips(character)
        .iter()
        .map(|whole| {
            let mut prim = displayed("SkelAnimation", whole.name, names.unique(whole.name, "clip"));
            if let Some(clip) = whole.joints {
                write_joints(&mut prim, character, rig, clip);
            }
            prim.attributes.extend(shapes.in_clip(whole));
            prim
        })
        .collect()
}

fn write_joints(prim: &mut Prim, character: &Character, rig: &WrittenRig, clip: &Clip) {
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
        let moving = clip.tracks.iter().filter(|t| t.channel == channel);
        let times = sample_times(moving.map(|t| (t.interpolation, t.times.as_slice())));
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
}
