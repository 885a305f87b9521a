//! When feet stand on the ground.

use glam::DVec3;
use serde::Serialize;

use super::map::RetargetMap;
use super::sampled::Sampled;

/// A foot's ball is on the ground if it is lower than this, in leg lengths; an ankle, which lifts first, may be higher.
const LOW_BALL: f64 = 0.05;
const LOW_ANKLE: f64 = 0.08;

/// And if it is slower than this, in leg lengths a second; swinging feet are ten times as fast.
const SLOW: f64 = 0.5;

/// A foot that stands for less time only comes near the ground, in seconds.
const SHORTEST: f64 = 0.06;

/// A time in which a foot stands on the ground.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contact {
    /// Which leg of the map.
    pub leg: usize,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// How the ground moves, in the source's space and a second: a body that walks on the spot walks on a belt.
    pub ground: [f64; 3],
}

/// All times in which feet of the source stand.
pub(super) fn find(source: &Sampled, map: &RetargetMap) -> Vec<Contact> {
    let count = source.frames.len();
    let up = map.source_axes.up();
    let level = |v: DVec3| v - up * v.dot(up);
    let tracks: Vec<Foot> = map
        .legs
        .iter()
        .map(|leg| {
            let joint = leg.ball.map_or(leg.source[2], |b| b.0);
            let length = source.leg_length(leg.source);
            let low = length * if leg.ball.is_some() { LOW_BALL } else { LOW_ANKLE };
            let at = |f: usize| source.frames[f].positions[joint.at()];
            let standing = source.standing(joint).dot(up);
            let mut heights: Vec<f64> = (0..count).map(|f| at(f).dot(up)).collect();
            let mut sorted = heights.clone();
            sorted.sort_by(f64::total_cmp);
            // Feet that sink in stand where they are lowest.
            let floor = standing.min(sorted[count / 10]);
            heights.iter_mut().for_each(|h| *h -= floor);
            let velocity = |f: usize| {
                let (before, after) = (f.saturating_sub(1), (f + 1).min(count - 1));
                let span = (after - before).max(1) as f64 * source.step;
                (at(after) - at(before)) / span
            };
            Foot {
                low: heights.iter().map(|&h| h < low).collect(),
                velocities: (0..count).map(velocity).collect(),
                length,
            }
        })
        .collect();
    // The ground moves as most feet do that are low.
    let mut low: Vec<DVec3> = Vec::new();
    for foot in &tracks {
        let pairs = foot.velocities.iter().zip(&foot.low);
        low.extend(pairs.filter(|(_, low)| **low).map(|(v, _)| level(*v)));
    }
    let ground = DVec3::from_array(std::array::from_fn(|axis| {
        let mut speeds: Vec<f64> = low.iter().map(|v| v[axis]).collect();
        speeds.sort_by(f64::total_cmp);
        speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
    }));
    let shortest = ((SHORTEST / source.step).ceil() as usize).max(2);
    let mut contacts = Vec::new();
    for (leg, foot) in tracks.iter().enumerate() {
        let stands: Vec<bool> = (0..count)
            .map(|f| foot.low[f] && (foot.velocities[f] - ground).length() < SLOW * foot.length)
            .collect();
        let mut f = 0;
        while f < count {
            let first = f;
            while f < count && stands[f] {
                f += 1;
            }
            if f - first >= shortest.min(count) {
                contacts.push(Contact {
                    leg,
                    first,
                    last: f - 1,
                    ground: ground.to_array(),
                });
            }
            f += 1;
        }
    }
    contacts
}

struct Foot {
    low: Vec<bool>,
    velocities: Vec<DVec3>,
    length: f64,
}
