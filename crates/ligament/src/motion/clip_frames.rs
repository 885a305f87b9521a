//! Frames of the file's own clips.

use super::Frame;
use crate::character::{Channel, Character, Clip, Skeleton};

/// Rotations that change by less in every number leave a clip still.
const BENDS: f32 = 1e-3;

/// At most `limit` frames of the clips that bend the skeleton.
pub fn clip_frames(character: &Character, limit: usize) -> Vec<Frame> {
    let skeleton = &character.skeleton;
    let sound: Vec<Clip> = character
        .clips
        .iter()
        .map(|clip| Clip {
            name: clip.name.clone(),
            tracks: clip
                .tracks
                .iter()
                .filter(|t| t.joint.at() < skeleton.joints.len() && t.check().is_ok())
                .cloned()
                .collect(),
        })
        .filter(|clip| bends(clip, skeleton))
        .collect();
    if sound.is_empty() || limit == 0 {
        return Vec::new();
    }
    let chosen: Vec<&Clip> = if sound.len() > limit {
        let last = (sound.len() - 1) as f64;
        (0..limit)
            .map(|i| &sound[(i as f64 * last / (limit - 1).max(1) as f64) as usize])
            .collect()
    } else {
        sound.iter().collect()
    };
    let (base, extra) = (limit / chosen.len(), limit % chosen.len());
    let mut frames = Vec::with_capacity(limit);
    for (i, clip) in chosen.into_iter().enumerate() {
        let (start, end) = clip.span_secs();
        let count = if end > start {
            base + usize::from(i < extra)
        } else {
            1
        };
        for k in 0..count {
            let fraction = (k as f64 + 0.5) / count as f64;
            let seconds = if end > start {
                (f64::from(start) + fraction * (f64::from(end) - f64::from(start))) as f32
            } else {
                start
            };
            let called = if clip.name.is_empty() { "clip" } else { &clip.name };
            frames.push(Frame {
                name: format!("{called} {:.2} s", seconds - start),
                clip: Some(clip.name.clone()),
                seconds: Some(seconds),
                pose: clip.pose_at(skeleton, seconds),
            });
        }
    }
    frames
}

fn bends(clip: &Clip, skeleton: &Skeleton) -> bool {
    clip.tracks.iter().any(|track| {
        let rotations = track.channel == Channel::Rotation && skeleton.joint(track.joint).in_skin;
        rotations
            && (0..4).any(|axis| {
                let values = track.values.iter().skip(axis).step_by(4);
                let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &v| {
                    (low.min(v), high.max(v))
                });
                high - low > BENDS
            })
    })
}
