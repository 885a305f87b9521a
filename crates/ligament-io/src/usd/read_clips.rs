//! `SkelAnimation` prims as clips.

use glam::{DAffine3, DQuat, DVec3};
use ligament::character::{Channel, Clip, Interpolation, Joint, Track};

use super::layer::{Prim, Value};
use super::read_skeleton::{ReadSkeleton, local_transform};
use super::stage::{Stage, unit};

/// Numbers that differ by less than this are the rest pose, not a motion. Scales come in
/// half precision.
const SAME: f64 = 1e-6;
const SAME_SCALE: f64 = 1e-3;

/// Reads all animations: the bound one first, then the others in order.
pub(super) fn read_clips(stage: &mut Stage<'_>, skeletons: &[ReadSkeleton], joints: &[Joint]) -> Vec<Clip> {
    let mut order: Vec<usize> = (0..stage.prims.len())
        .filter(|&i| stage.prims[i].prim.type_name == "SkelAnimation")
        .collect();
    let source = |s: &ReadSkeleton| {
        let skeleton = stage.find(&s.path)?;
        stage.find(stage.inherited(skeleton, "skel:animationSource")?)
    };
    let bound: Vec<usize> = skeletons.iter().filter_map(source).collect();
    order.sort_by_key(|i| !bound.contains(i));
    let mut clips = Vec::new();
    for index in order {
        let prim = stage.prims[index].prim;
        let path = stage.prims[index].path.clone();
        let tokens = prim.value("joints").and_then(Value::texts).unwrap_or(&[]);
        let known = |s: &ReadSkeleton| {
            tokens
                .iter()
                .filter(|t| s.joint_of_token.contains_key(*t))
                .count()
        };
        let owner = skeletons.iter().rev().max_by_key(|s| known(s));
        let Some(owner) = owner.filter(|s| known(s) > 0) else {
            continue;
        };
        let tracks = read_tracks(stage, prim, tokens, owner, joints, &path);
        if !tracks.is_empty() {
            clips.push(Clip {
                name: prim.display_name().to_owned(),
                tracks,
            });
        }
    }
    clips
}

fn read_tracks(
    stage: &mut Stage<'_>,
    prim: &Prim,
    tokens: &[String],
    owner: &ReadSkeleton,
    joints: &[Joint],
    path: &str,
) -> Vec<Track> {
    let mut tracks = Vec::new();
    let mut resting = None;
    for (channel, name) in [
        (Channel::Translation, "translations"),
        (Channel::Rotation, "rotations"),
        (Channel::Scale, "scales"),
    ] {
        let width = channel.width();
        let Some(attribute) = prim.attribute(name) else {
            continue;
        };
        let still;
        let samples = if attribute.samples.is_empty() {
            still = attribute.default.iter().map(|v| (0.0, v.clone())).collect();
            &still
        } else {
            &attribute.samples
        };
        let fits = |v: &Value| v.numbers().is_some_and(|n| n.len() == width * tokens.len());
        let good: Vec<(f32, &[f64])> = samples
            .iter()
            .filter(|(_, v)| fits(v))
            .filter_map(|(t, v)| Some(((t / stage.time_codes_per_second) as f32, v.numbers()?)))
            .collect();
        if good.len() < samples.len() {
            let lost = samples.len() - good.len();
            stage.warn(
                "bad_samples",
                format!(
                    "{path}: {lost} samples of '{name}' have not one value for each joint and are left out"
                ),
            );
        }
        if good.is_empty() {
            continue;
        }
        for (slot, token) in tokens.iter().enumerate() {
            let Some(&joint) = owner.joint_of_token.get(token) else {
                continue;
            };
            let is_root = owner.roots.contains(&joint);
            let values = good
                .iter()
                .map(|(_, n)| converted(channel, &n[slot * width..][..width], is_root, owner));
            let track = Track {
                joint,
                channel,
                interpolation: Interpolation::Linear,
                times: good.iter().map(|(t, _)| *t).collect(),
                values: values.flatten().map(|v| v as f32).collect(),
            };
            if track.check().is_err() {
                continue;
            }
            if moves(&track, &joints[joint.at()]) {
                tracks.push(track);
            } else if !attribute.samples.is_empty() {
                resting.get_or_insert(track);
            }
        }
    }
    // A clip that holds the rest pose for a time is one too.
    if tracks.is_empty() {
        tracks.extend(resting);
    }
    tracks.sort_by_key(|t: &Track| t.joint);
    tracks
}

/// One value as the character's joint has it.
fn converted(channel: Channel, file: &[f64], is_root: bool, owner: &ReadSkeleton) -> Vec<f64> {
    let vector = DVec3::new(file[0], file[1], file[2]);
    let local = match channel {
        Channel::Translation => DAffine3::from_translation(vector),
        Channel::Scale => return file.to_vec(),
        Channel::Rotation => DAffine3::from_quat(unit(DQuat::from_xyzw(file[1], file[2], file[3], file[0]))),
    };
    let local = local_transform(local, is_root, owner.root_from_file, owner.scale);
    match channel {
        Channel::Rotation => local.rotation.to_array().to_vec(),
        _ => local.translation.to_array().to_vec(),
    }
}

/// Whether a track does anything that resting does not.
fn moves(track: &Track, joint: &Joint) -> bool {
    let rest = &joint.rest;
    let width = track.channel.width();
    let size = rest.translation.length().max(1e-3);
    track.values.chunks(width).any(|v| {
        let v: Vec<f64> = v.iter().map(|&x| f64::from(x)).collect();
        match track.channel {
            Channel::Translation => (DVec3::new(v[0], v[1], v[2]) - rest.translation).length() > SAME * size,
            Channel::Scale => {
                (DVec3::new(v[0], v[1], v[2]) - rest.scale).abs().max_element()
                    > SAME_SCALE * rest.scale.abs().max_element()
            }
            Channel::Rotation => {
                let q = DQuat::from_xyzw(v[0], v[1], v[2], v[3]).normalize();
                (1.0 - q.dot(rest.rotation).abs()) > SAME * SAME * 0.5
            }
        }
    })
}
