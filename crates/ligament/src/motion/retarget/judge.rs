//! How well feet stay on the ground.

use glam::DVec3;
use serde::Serialize;

use super::Contact;
use super::map::RetargetMap;
use crate::character::{Clip, JointIndex, Skeleton};

/// What feet do that they should not, in lengths of the target's own legs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct FootFaults {
    /// How fast feet move over the ground while they stand, leg lengths a second on average.
    pub sliding: f64,
    /// How far balls and ankles are below where they are bound, on average over all frames.
    pub penetration: f64,
    /// How far the balls of standing feet are above or below where they are bound, on average.
    pub floating: f64,
}

/// Measures a clip of the target at `times`, the frames that `contacts` count.
pub fn foot_faults(
    target: &Skeleton,
    clip: &Clip,
    times: &[f32],
    map: &RetargetMap,
    scale: f64,
    contacts: &[Contact],
) -> FootFaults {
    let up = map.target_axes.up();
    let across = map.target_axes.space_from_body * map.source_axes.space_from_body.inverse();
    let positions: Vec<Vec<DVec3>> = times
        .iter()
        .map(|&t| {
            let world = clip.pose_at(target, t).world_from_joints(target);
            world.iter().map(|w| w.translation).collect()
        })
        .collect();
    let height = |f: usize, j: JointIndex| (positions[f][j.at()] - target.bind_position(j)).dot(up);
    let (mut slid, mut floated, mut moves, mut stood) = (0.0, 0.0, 0usize, 0usize);
    for contact in contacts {
        let Some(limb) = map.legs.get(contact.leg) else {
            continue;
        };
        let leg = leg_length(target, limb.target);
        let pivot = limb.ball.map_or(limb.target[2], |b| b.1);
        let ground = scale * (across * DVec3::from_array(contact.ground));
        for f in contact.first..=contact.last.min(times.len() - 1) {
            floated += height(f, pivot).abs() / leg;
            stood += 1;
            if f == contact.first {
                continue;
            }
            let seconds = f64::from(times[f]) - f64::from(times[f - 1]);
            let moved = positions[f][pivot.at()] - positions[f - 1][pivot.at()] - ground * seconds;
            let level = moved - up * moved.dot(up);
            slid += level.length() / leg / seconds.max(1e-9);
            moves += 1;
        }
    }
    let (mut sunk, mut counted) = (0.0, 0usize);
    for limb in &map.legs {
        let leg = leg_length(target, limb.target);
        let ankle = limb.target[2];
        for f in 0..times.len() {
            let ball = limb.ball.map_or(0.0, |b| height(f, b.1));
            sunk += (-height(f, ankle)).max(-ball).max(0.0) / leg;
            counted += 1;
        }
    }
    let mean = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
    FootFaults {
        sliding: mean(slid, moves),
        penetration: mean(sunk, counted),
        floating: mean(floated, stood),
    }
}

fn leg_length(target: &Skeleton, joints: [JointIndex; 3]) -> f64 {
    let [a, b, c] = joints.map(|j| target.bind_position(j));
    (a.distance(b) + b.distance(c)).max(1e-12)
}
