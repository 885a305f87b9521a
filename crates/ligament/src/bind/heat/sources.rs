//! Which joint heats each position, and how strongly.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use rayon::prelude::*;

use super::form::{Barrier, HeatForm};
use super::visibility::Faces;
use crate::character::{Bone, JointIndex};
use crate::task::{Cancelled, Task};

/// Joints whose costs differ by this share are equally near, and share the heat.
pub(crate) const TIE: f64 = 1e-4;
/// What keeps the cost finite for a bone straight behind the skin's back; Blender's value.
pub(crate) const BEHIND: f64 = 5e-4;
/// Costs are at least this share of the diagonal, so that a bone on the skin gives finite
/// heat.
const NEAREST: f64 = 1e-4;
/// Positions handled between two looks at the cancel flag.
const CHUNK: usize = 512;

/// The sources of heat: H and p of seed 003, equation 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    /// H: the heat of each position; 0 where no bone is seen.
    pub heat: Vec<f64>,
    /// p: where each position's joints begin in `joints`; one more at the end.
    pub starts: Vec<u32>,
    /// The joints that heat it and the share that each has; shares sum to 1.
    pub joints: Vec<(JointIndex, f64)>,
    /// For each position the cost of its joints, which H follows.
    pub cost: Vec<f64>,
    /// For each position whether the straight way to its first joint stays in the body.
    pub seen: Vec<bool>,
}

impl Sources {
    /// The joints that heat a position and their shares; none where no bone is seen.
    pub fn of_position(&self, position: usize) -> &[(JointIndex, f64)] {
        &self.joints[self.starts[position] as usize..self.starts[position + 1] as usize]
    }
}

/// What the sources are found from.
pub(super) struct Scene<'a> {
    /// The positions.
    pub points: &'a [DVec3],
    /// Their normals, outwards.
    pub normals: &'a [DVec3],
    /// The bones, a joint's together.
    pub bones: &'a [Bone],
    /// The joints that a position may follow.
    pub allowed: &'a (dyn Fn(usize) -> &'a [bool] + Sync),
    /// How strongly each joint radiates, 1 as published.
    pub magnitudes: &'a [f64],
    /// The length of the bounding box's diagonal.
    pub diagonal: f64,
    /// What is in the way.
    pub obstacle: Obstacle<'a>,
}

/// What is between positions and bones.
pub(super) enum Obstacle<'a> {
    /// Nothing.
    None,
    /// Faces that hide bones.
    Faces(&'a Faces),
    /// Room outside, which costs.
    Outside {
        /// Whether a point is in the body.
        inside: &'a (dyn Fn(DVec3) -> bool + Sync),
        /// How far apart points are asked.
        step: f64,
    },
}

/// The source of one position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// The least cost.
    pub cost: f64,
    /// Whether the straight way to one of the joints stays in the body.
    pub seen: bool,
    /// The joints that have the least cost.
    pub joints: Vec<JointIndex>,
}

impl Found {
    /// The sum of how strongly the joints radiate, and H.
    pub fn radiated(&self, magnitudes: &[f64], form: &HeatForm, diagonal: f64) -> (f64, f64) {
        // Each of the joints radiates c/cost² (DESIGN.md: H = m·c/d², p = 1/m each).
        let sum: f64 = self.joints.iter().map(|j| magnitudes[j.at()]).sum();
        let cost = self.cost.max(NEAREST * diagonal).max(f64::MIN_POSITIVE.sqrt());
        (sum, form.strength * sum / (cost * cost))
    }
}

/// One joint as seen from one position.
pub(super) struct Candidate {
    joint: JointIndex,
    /// The nearest point of its bones.
    nearest: DVec3,
    distance: f64,
    /// What the cost is divided by.
    facing: f64,
    /// The cost if nothing is in the way.
    least_cost: f64,
}

/// Finds the sources of all positions.
pub(super) fn find(scene: &Scene<'_>, form: &HeatForm, task: &Task<'_>) -> Result<Sources, Cancelled> {
    let done = AtomicUsize::new(0);
    let chunks: Vec<Vec<Found>> = (0..scene.points.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let before = done.fetch_add(CHUNK, Ordering::Relaxed);
            task.step("sources", before as f32 / scene.points.len() as f32)?;
            let positions = chunk * CHUNK..scene.points.len().min((chunk + 1) * CHUNK);
            let mut scratch = Vec::new();
            Ok(positions
                .map(|p| scene.sources_of(p, form, &mut scratch))
                .collect())
        })
        .collect::<Result<_, Cancelled>>()?;

    let mut sources = Sources {
        heat: Vec::with_capacity(scene.points.len()),
        starts: Vec::with_capacity(scene.points.len() + 1),
        joints: Vec::with_capacity(scene.points.len()),
        cost: Vec::with_capacity(scene.points.len()),
        seen: Vec::with_capacity(scene.points.len()),
    };
    sources.starts.push(0);
    for found in chunks.iter().flatten() {
        let (sum, heat) = found.radiated(scene.magnitudes, form, scene.diagonal);
        sources.heat.push(heat);
        if sum > 0.0 {
            let share = |&j: &JointIndex| (j, scene.magnitudes[j.at()] / sum);
            sources.joints.extend(found.joints.iter().map(share));
        }
        sources.starts.push(sources.joints.len() as u32);
        sources.cost.push(found.cost);
        sources.seen.push(found.seen);
    }
    Ok(sources)
}

impl Scene<'_> {
    /// The least cost at a position, whether the way is clear, and the joints that have it.
    /// `candidates` is room to work in.
    pub fn sources_of(&self, position: usize, form: &HeatForm, candidates: &mut Vec<Candidate>) -> Found {
        let at = self.points[position];
        self.list_candidates(position, form.facing, candidates);
        let outside_cost = match form.barrier {
            Barrier::Outside { cost } => cost,
            Barrier::Faces => 0.0,
        };
        // Cheapest first: once the least possible cost is over the best found, it is over.
        // That is after two or three joints, too few to sort all of them.
        let mut best = f64::INFINITY;
        let mut found: Vec<(f64, bool, JointIndex)> = Vec::new();
        while let Some(cheapest) = (0..candidates.len()).min_by(|&a, &b| {
            let (a, b) = (&candidates[a], &candidates[b]);
            a.least_cost.total_cmp(&b.least_cost).then(a.joint.cmp(&b.joint))
        }) {
            let c = candidates.swap_remove(cheapest);
            if c.least_cost > best * (1.0 + TIE) {
                break;
            }
            let outside = match self.obstacle {
                Obstacle::Outside { inside, step } => length_outside(at, c.nearest, inside, step),
                _ => 0.0,
            };
            let cost = (c.distance + outside_cost * outside) / c.facing;
            best = best.min(cost);
            let seen = match self.obstacle {
                Obstacle::Faces(faces) => !faces.hide(at, c.nearest, position as u32),
                _ => outside == 0.0,
            };
            found.push((cost, seen, c.joint));
        }
        found.retain(|f| f.0 <= best * (1.0 + TIE));
        let seen = found.iter().any(|f| f.1);
        if matches!(self.obstacle, Obstacle::Faces(_)) {
            found.retain(|f| f.1);
        }
        Found {
            cost: best,
            seen,
            joints: found.into_iter().map(|f| f.2).collect(),
        }
    }

    /// The joints that a position may follow.
    fn list_candidates(&self, position: usize, facing: bool, candidates: &mut Vec<Candidate>) {
        let (at, normal) = (self.points[position], self.normals[position]);
        let allowed = (self.allowed)(position);
        candidates.clear();
        let mut bones = self.bones;
        while let Some(first) = bones.first() {
            let joint = first.joint;
            let count = bones.iter().take_while(|b| b.joint == joint).count();
            let (own, rest) = bones.split_at(count);
            bones = rest;
            if !allowed[joint.at()] {
                continue;
            }
            let mut nearest = own[0].shape.closest_point(at);
            let mut squared = nearest.distance_squared(at);
            for bone in &own[1..] {
                let other = bone.shape.closest_point(at);
                if other.distance_squared(at) < squared {
                    (nearest, squared) = (other, other.distance_squared(at));
                }
            }
            let distance = squared.sqrt();
            let facing = if facing && distance > 0.0 {
                (0.5 * (1.0 + normal.dot(at - nearest) / distance)).max(0.0) + BEHIND
            } else {
                1.0
            };
            candidates.push(Candidate {
                joint,
                nearest,
                distance,
                facing,
                least_cost: distance / facing,
            });
        }
    }
}

/// How much of the way between two points is outside, asked at the middles of equal steps.
fn length_outside(from: DVec3, to: DVec3, inside: &(dyn Fn(DVec3) -> bool + Sync), step: f64) -> f64 {
    let length = from.distance(to);
    let steps = (length / step).ceil();
    let outside = (0..steps as usize)
        .filter(|&i| !inside(from.lerp(to, (i as f64 + 0.5) / steps)))
        .count();
    if outside == 0 {
        return 0.0;
    }
    outside as f64 / steps * length
}
