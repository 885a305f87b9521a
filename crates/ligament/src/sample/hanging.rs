//! Cloth that hangs from the hips on chains of joints, and legs that push it when they move.

use std::f64::consts::TAU;

use glam::DVec3;

use super::rig::{Animator, Plan, pitch, roll};
use crate::character::{Clip, Skeleton, Track};

/// Chains of joints around a garment.
pub(super) struct Hanging {
    /// Each chain's name, which its joints are numbered after, and its angle: from the front over the left.
    pub chains: Vec<(String, f64)>,
    /// Heights of a chain's joints; the last is where the hem hangs.
    pub heights: &'static [f64],
    /// Half widths of the garment to the side and to the front at a height.
    pub half_widths: fn(f64) -> (f64, f64),
    /// Where the middle of the garment lies.
    pub middle_z: f64,
}

/// How far thigh, shin and foot reach around their bones, and cloth stays off them, folds included; and from where to where along
/// them: toes reach beyond their joint.
const LEG: [(&str, &str, f64, [f64; 2]); 3] = [
    ("upper_leg", "lower_leg", 0.095, [0.0, 1.0]),
    ("lower_leg", "foot", 0.085, [0.0, 1.0]),
    ("foot", "toes", 0.085, [0.0, 1.45]),
];
/// The middle of the heel from the ankle, in the bind pose: no bone reaches there. How far it reaches, and cloth stays off it.
const HEEL: (DVec3, f64) = (DVec3::new(0.0, -0.054, -0.032), 0.075);
/// How much less they keep from the line between two chains: flesh alone has to be behind it. With all of it the whole skirt is pushed
/// so far out that the hem rises.
const BEHIND: f64 = 0.045;
/// Chains that are further apart than this hang free of each other, as a coat's tails do.
const FREE: f64 = 50.0 / 360.0 * TAU;
/// Points along each bone that are kept inside.
const ALONG: usize = 8;

impl Hanging {
    /// Plans the chains, under the hips.
    pub fn add_to(&self, plan: &mut Plan) {
        for (name, angle) in &self.chains {
            let mut parent = "hips".to_owned();
            for (i, &y) in self.heights.iter().enumerate() {
                let (side, front) = (self.half_widths)(y);
                let (sin, cos) = angle.sin_cos();
                // Exactly in the middle: the sine of half a turn is not quite zero.
                let x = if sin.abs() < 1e-9 { 0.0 } else { side * sin };
                let joint = format!("{name}_{}", i + 1);
                plan.add(&joint, &parent, DVec3::new(x, y, front * cos + self.middle_z));
                parent = joint;
            }
        }
    }

    /// Turns the joints of each chain, all but the last, outward by degrees: those of a chain's angle at a phase.
    pub fn tracks(
        &self,
        skeleton: &Skeleton,
        name: &str,
        duration_secs: f64,
        outward: impl Fn(f64, f64) -> Vec<f64>,
    ) -> Vec<Track> {
        let keys = 24;
        let mut to = Animator::new(skeleton, name, duration_secs, keys);
        for (chain, angle) in &self.chains {
            for joint in 0..self.heights.len() - 1 {
                to.rotate(&format!("{chain}_{}", joint + 1), |u| {
                    let degrees = outward(*angle, u).get(joint).copied().unwrap_or(0.0);
                    roll(degrees * angle.sin()) * pitch(-degrees * angle.cos())
                });
            }
        }
        to.finish().tracks
    }

    /// The directions halfway from a chain to its neighbours, and the cosines of the angles to them.
    fn halfway(&self, angle: f64) -> Vec<(DVec3, f64)> {
        let around = |other: f64| (other - angle).rem_euclid(TAU);
        let others = || {
            self.chains
                .iter()
                .map(|c| around(c.1))
                .filter(|&a| a > 1e-6 && a < TAU - 1e-6)
        };
        let (left, right) = (others().fold(TAU, f64::min), TAU - others().fold(0.0, f64::max));
        [left, -right]
            .into_iter()
            .filter(|gap| gap.abs() <= FREE)
            .map(|gap| (direction(angle + gap / 2.0), (gap / 2.0).cos()))
            .collect()
    }

    /// Turns the chains so that the legs of a clip stay within the cloth, as an animator's drivers would: each joint below
    /// the first is pushed outward as far as thighs, shins and feet near its height reach, and no further. Between two chains cloth hangs
    /// straight, and so they are pushed until what lies between them is behind that line.
    pub fn pushed_by_legs(&self, skeleton: &Skeleton, clip: &Clip, duration_secs: f64) -> Vec<Track> {
        let heights = self.heights;
        let last = heights.len() - 1;
        self.tracks(skeleton, &clip.name, duration_secs, |angle, u| {
            let legs = legs_beside_hips(skeleton, clip, (u * duration_secs) as f32);
            let outward = direction(angle);
            let halfway = self.halfway(angle);
            let mut out = vec![0.0f64; heights.len()];
            for &(at, radius) in &legs {
                let (side, front) = (self.half_widths)(at.y);
                let cloth = side * outward.x * outward.x + front * outward.z * outward.z;
                let lines = (halfway.iter()).map(|(line, cosine)| (at.dot(*line) + radius - BEHIND) / cosine);
                let needed = lines.fold(at.dot(outward) + radius, f64::max) - cloth;
                for joint in 1..=last {
                    let below = if joint == last {
                        f64::NEG_INFINITY
                    } else {
                        heights[joint + 1]
                    };
                    if (below..=heights[joint - 1]).contains(&at.y) {
                        out[joint] = out[joint].max(needed);
                    }
                }
            }
            let tilt = |i: usize| {
                (out[i + 1] - out[i])
                    .atan2(heights[i] - heights[i + 1])
                    .to_degrees()
            };
            (0..last)
                .map(|i| tilt(i) - if i > 0 { tilt(i - 1) } else { 0.0 })
                .collect()
        })
    }
}

/// The direction at an angle, from the front over the left.
fn direction(angle: f64) -> DVec3 {
    DVec3::new(angle.sin(), 0.0, angle.cos())
}

/// Points in the middle of the legs at a moment, and how far the legs reach around them; in the bind pose's axes at the
/// hips, which carry cloth and legs alike.
fn legs_beside_hips(skeleton: &Skeleton, clip: &Clip, seconds: f32) -> Vec<(DVec3, f64)> {
    let world = clip.pose_at(skeleton, seconds).world_from_joints(skeleton);
    let Some(hips) = skeleton.find("hips") else {
        return Vec::new();
    };
    let bind_from_world = skeleton.joint(hips).bind_from_joint * world[hips.at()].inverse();
    let position = |name: String| {
        skeleton
            .find(&name)
            .map(|j| bind_from_world.transform_point3(world[j.at()].translation))
    };
    let mut positions = Vec::new();
    for side in ["left", "right"] {
        for (from, to, radius, [first, last]) in LEG {
            let ends = position(format!("{side}_{from}")).zip(position(format!("{side}_{to}")));
            let along = (0..=ALONG).map(|i| first + (last - first) * i as f64 / ALONG as f64);
            positions.extend(
                ends.into_iter()
                    .flat_map(|(a, b)| along.clone().map(move |t| (a.lerp(b, t), radius))),
            );
        }
        if let Some(foot) = skeleton.find(&format!("{side}_foot")) {
            let world_from_bind = world[foot.at()] * skeleton.joint(foot).bind_from_joint.inverse();
            let heel = skeleton.bind_position(foot) + HEEL.0;
            positions.push((
                bind_from_world.transform_point3(world_from_bind.transform_point3(heel)),
                HEEL.1,
            ));
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;

    /// How far the legs of a walk stick out of the polygon that the chains span, at worst, in metres.
    fn sticks_out(character: &Character, hanging: &Hanging) -> f64 {
        let skeleton = &character.skeleton;
        let clip = character.clips.iter().find(|c| c.name == "walk").unwrap();
        let hips = skeleton.find("hips").unwrap();
        let mut worst = f64::NEG_INFINITY;
        for moment in 0..48 {
            let seconds = 1.1 * moment as f32 / 48.0;
            let world = clip.pose_at(skeleton, seconds).world_from_joints(skeleton);
            let bind_from_world = skeleton.joint(hips).bind_from_joint * world[hips.at()].inverse();
            let joints = |name: &str| -> Vec<DVec3> {
                (1..=hanging.heights.len())
                    .map(|i| skeleton.find(&format!("{name}_{i}")).unwrap())
                    .map(|j| bind_from_world.transform_point3(world[j.at()].translation))
                    .collect()
            };
            let chains: Vec<(f64, Vec<DVec3>)> = (hanging.chains.iter())
                .map(|(name, angle)| (*angle, joints(name)))
                .collect();
            for (at, _) in legs_beside_hips(skeleton, clip, seconds) {
                for (angle, chain) in &chains {
                    let outward = DVec3::new(angle.sin(), 0.0, angle.cos());
                    let Some(span) = chain.windows(2).find(|s| (s[1].y..s[0].y).contains(&at.y)) else {
                        continue;
                    };
                    let t = (span[0].y - at.y) / (span[0].y - span[1].y);
                    worst = worst.max((at - span[0].lerp(span[1], t)).dot(outward));
                }
            }
        }
        worst
    }

    #[test]
    fn the_chains_keep_the_middle_of_the_legs_inside() {
        for (name, hanging) in [
            ("skirt@1500", super::super::skirt::hanging()),
            ("coat@1500", super::super::coat::hanging()),
        ] {
            let mut character = super::super::make(name).unwrap();
            let out = sticks_out(&character, &hanging);
            assert!(out < -0.03, "{name}: {out}");
            // Without what drives them the legs go through.
            let skeleton = character.skeleton.clone();
            let hangs = |t: &Track| {
                let joint = &skeleton.joint(t.joint).name;
                hanging.chains.iter().any(|c| joint.starts_with(&c.0))
            };
            character.clips[0].tracks.retain(|t| !hangs(t));
            assert!(sticks_out(&character, &hanging) > out + 0.05, "{name}");
        }
    }
}
