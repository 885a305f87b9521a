//! Which joint heats each position, and how strongly.

use std::cmp::Ordering;
use std::sync::atomic::{self, AtomicUsize};

use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::form::{Barrier, HeatForm};
use super::groups::Groups;
use crate::character::{Bone, JointIndex};
use crate::geometry::Faces;
use crate::task::{Cancelled, Task};

/// Joints whose costs differ by this share are equally near, and share the heat.
pub(crate) const TIE: f64 = 1e-4;
/// What keeps the cost finite for a bone straight behind the skin's back; Blender's value.
pub(crate) const BEHIND: f64 = 5e-4;
/// Costs are at least this fraction of the diagonal, so that a bone on the skin gives finite
/// heat.
const NEAREST: f64 = 1e-4;
/// Bounds are this share on the safe side of what rounding may do to them.
const SAFE: f64 = 1e-9;

/// The sources of heat: H and p of Bang et al. 2015, equation 1.
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
    /// Their normals, outwards; zero where they cancel.
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
pub(crate) struct HeatSource {
    /// The least cost.
    pub cost: f64,
    /// Whether the straight way to one of the joints stays in the body.
    pub seen: bool,
    /// The joints that have the least cost.
    pub joints: SmallVec<[JointIndex; 2]>,
}

impl HeatSource {
    /// The sum of how strongly the joints radiate, and H.
    pub fn radiated(&self, magnitudes: &[f64], form: &HeatForm, diagonal: f64) -> (f64, f64) {
        // Each of the joints radiates c/cost² (H = m·c/d², p = 1/m each).
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

impl Candidate {
    fn order(&self, other: &Self) -> Ordering {
        let by_cost = self.least_cost.total_cmp(&other.least_cost);
        by_cost.then(self.joint.cmp(&other.joint))
    }
}

/// A joint as seen from a group of positions.
pub(super) struct CostBound<'a> {
    joint: JointIndex,
    bones: &'a [Bone],
    /// No position of the group has it cheaper.
    least_cost: f64,
}

/// Finds the sources of all positions.
pub(super) fn find(
    scene: &Scene<'_>,
    groups: &Groups,
    form: &HeatForm,
    task: &Task<'_>,
) -> Result<Sources, Cancelled> {
    let done = AtomicUsize::new(0);
    let every: Vec<(&[u32], (DVec3, f64))> = groups.iter().collect();
    let found: Vec<Vec<(u32, HeatSource)>> = every
        .into_par_iter()
        .map(|(positions, ball)| {
            let before = done.fetch_add(positions.len(), atomic::Ordering::Relaxed);
            task.step("sources", before as f32 / scene.points.len() as f32)?;
            Ok(scene.sources_in(ball, positions.iter().copied(), form))
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut of_position: Vec<Option<HeatSource>> = vec![None; scene.points.len()];
    for (position, found) in found.into_iter().flatten() {
        of_position[position as usize] = Some(found);
    }

    let mut sources = Sources {
        heat: Vec::with_capacity(scene.points.len()),
        starts: Vec::with_capacity(scene.points.len() + 1),
        joints: Vec::with_capacity(scene.points.len()),
        cost: Vec::with_capacity(scene.points.len()),
        seen: Vec::with_capacity(scene.points.len()),
    };
    sources.starts.push(0);
    for found in of_position.iter().flatten() {
        let (sum, heat) = found.radiated(scene.magnitudes, form, scene.diagonal);
        sources.heat.push(heat);
        if sum > 0.0 {
            let fraction = |&j: &JointIndex| (j, scene.magnitudes[j.at()] / sum);
            sources.joints.extend(found.joints.iter().map(fraction));
        }
        sources.starts.push(sources.joints.len() as u32);
        sources.cost.push(found.cost);
        sources.seen.push(found.seen);
    }
    Ok(sources)
}

impl Scene<'_> {
    /// The sources of some positions in a ball, given by its middle and radius.
    pub fn sources_in(
        &self,
        ball: (DVec3, f64),
        positions: impl Iterator<Item = u32>,
        form: &HeatForm,
    ) -> Vec<(u32, HeatSource)> {
        let cost_bounds = self.cost_bounds(ball);
        let mut candidates = Vec::new();
        positions
            .map(|p| {
                (
                    p,
                    self.sources_of(p as usize, &cost_bounds, form, &mut candidates),
                )
            })
            .collect()
    }

    /// The joints that could come at most as costly as `cost` somewhere in a ball.
    pub fn cost_bounds_within(&self, ball: (DVec3, f64), cost: f64) -> Vec<CostBound<'_>> {
        let mut cost_bounds = self.cost_bounds(ball);
        cost_bounds.retain(|p| p.least_cost <= highest_cost(cost));
        cost_bounds
    }

    /// Whether one of some joints could come at most as costly as `cost` at a position, in the
    /// default form.
    pub fn is_within_reach(&self, position: usize, cost_bounds: &[CostBound<'_>], cost: f64) -> bool {
        let (at, facing) = (self.points[position], HeatForm::default().facing);
        let most = highest_cost(cost);
        // Most are too far away whichever way the skin faces.
        let furthest = most * (1.0 + BEHIND) * (1.0 + SAFE);
        let near = |b: &Bone| b.shape.closest_point(at).distance_squared(at) <= furthest * furthest;
        cost_bounds
            .iter()
            .take_while(|p| p.least_cost <= most)
            .any(|p| p.bones.iter().any(near) && self.candidate(position, p, facing).least_cost <= most)
    }

    /// The joints as seen from a ball, lowest_cost first.
    fn cost_bounds(&self, (middle, radius): (DVec3, f64)) -> Vec<CostBound<'_>> {
        let cost_bound = |bones: &'_ [Bone]| {
            let distances = bones.iter().map(|b| b.shape.distance(middle));
            let nearest = distances.fold(f64::INFINITY, f64::min) - radius * (1.0 + SAFE);
            // A cost is at least the distance over the best that facing can do.
            nearest.max(0.0) * (1.0 - SAFE) / (1.0 + BEHIND)
        };
        let mut cost_bounds: Vec<CostBound<'_>> = self
            .bones
            .chunk_by(|a, b| a.joint == b.joint)
            .map(|bones| CostBound {
                joint: bones[0].joint,
                bones,
                least_cost: cost_bound(bones),
            })
            .collect();
        cost_bounds.sort_by(|a, b| a.least_cost.total_cmp(&b.least_cost).then(a.joint.cmp(&b.joint)));
        cost_bounds
    }

    /// The least cost at a position, whether the way is clear, and the joints that have it.
    /// `candidates` is room to work in.
    fn sources_of(
        &self,
        position: usize,
        cost_bounds: &[CostBound<'_>],
        form: &HeatForm,
        candidates: &mut Vec<Candidate>,
    ) -> HeatSource {
        let at = self.points[position];
        let allowed = (self.allowed)(position);
        let outside_cost = match form.barrier {
            Barrier::Outside { cost } => cost,
            Barrier::Faces => 0.0,
        };
        candidates.clear();
        let mut cost_bounds = cost_bounds.iter().filter(|p| allowed[p.joint.at()]).peekable();
        // Cheapest first: once the least possible cost is over the best found, it is over.
        // That is after two or three joints, too few to sort them.
        let mut best = f64::INFINITY;
        let mut found: SmallVec<[(f64, bool, JointIndex); 4]> = SmallVec::new();
        loop {
            let mut lowest_cost = (0..candidates.len())
                .min_by(|&a, &b| candidates[a].order(&candidates[b]))
                .map(|slot| (slot, candidates[slot].least_cost));
            // Joints that could be cheaper are looked at first.
            while let Some(next) =
                cost_bounds.next_if(|p| lowest_cost.is_none_or(|(_, cost)| p.least_cost <= cost))
            {
                candidates.push(self.candidate(position, next, form.facing));
                let last = candidates.len() - 1;
                if lowest_cost.is_none_or(|(slot, _)| candidates[last].order(&candidates[slot]).is_lt()) {
                    lowest_cost = Some((last, candidates[last].least_cost));
                }
            }
            let Some((slot, least_cost)) = lowest_cost else {
                break;
            };
            if least_cost > best * (1.0 + TIE) {
                break;
            }
            let c = candidates.swap_remove(slot);
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
        HeatSource {
            cost: best,
            seen,
            joints: found.into_iter().map(|f| f.2).collect(),
        }
    }

    /// A joint as seen from a position.
    fn candidate(&self, position: usize, cost_bound: &CostBound<'_>, facing: bool) -> Candidate {
        let (at, normal) = (self.points[position], self.normals[position]);
        let mut nearest = at;
        let mut squared = f64::INFINITY;
        for bone in cost_bound.bones {
            let other = bone.shape.closest_point(at);
            if other.distance_squared(at) < squared {
                (nearest, squared) = (other, other.distance_squared(at));
            }
        }
        let distance = squared.sqrt();
        // A sheet with faces on either side looks nowhere: the distance alone counts.
        let facing = if facing && distance > 0.0 && normal != DVec3::ZERO {
            (0.5 * (1.0 + normal.dot(at - nearest) / distance)).max(0.0) + BEHIND
        } else {
            1.0
        };
        Candidate {
            joint: cost_bound.joint,
            nearest,
            distance,
            facing,
            least_cost: distance / facing,
        }
    }
}

/// What another joint may cost and still share the heat with one that costs so much.
fn highest_cost(cost: f64) -> f64 {
    cost * (1.0 + TIE)
}

/// Points that are asked on one segment at the most: three times as many as the diagonal of the solid's grid has. Segments that
/// need more begin far outside, where next to nothing of them is inside.
const MOST_STEPS: f64 = 1024.0;

/// How much of the segment between two points is outside, asked at the middles of equal steps.
fn length_outside(from: DVec3, to: DVec3, inside: &(dyn Fn(DVec3) -> bool + Sync), step: f64) -> f64 {
    let length = from.distance(to);
    let steps = (length / step).ceil().min(MOST_STEPS);
    let outside = (0..steps as usize)
        .filter(|&i| !inside(from.lerp(to, (i as f64 + 0.5) / steps)))
        .count();
    if outside == 0 {
        return 0.0;
    }
    outside as f64 / steps * length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups rule joints out; a ball that is everywhere rules out none.
    #[test]
    fn groups_change_no_source() {
        let character = crate::sample::make("hand@1500").unwrap();
        let points: Vec<DVec3> = character.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let normals = crate::geometry::normals(&points, &character.mesh.triangles);
        let joints = character.skeleton.joints.len();
        let bones = crate::character::bones_of(&character.skeleton, &vec![true; joints], 0.5);
        let (allowed, magnitudes) = (vec![true; joints], vec![1.0; joints]);
        let allowed = |_: usize| &allowed[..];
        // Every second layer is outside, so that the nearest is often not the lowest_cost.
        let inside = |p: DVec3| (p.x * 40.0).floor() as i64 % 2 == 0;
        let scene = Scene {
            points: &points,
            normals: &normals,
            bones: &bones,
            allowed: &allowed,
            magnitudes: &magnitudes,
            diagonal: 1.0,
            obstacle: Obstacle::Outside {
                inside: &inside,
                step: 0.01,
            },
        };
        let form = HeatForm::default();
        let everywhere = (DVec3::ZERO, f64::INFINITY);
        let groups = Groups::of(&points);
        let mut seen = 0;
        for (positions, ball) in groups.iter() {
            let near = scene.sources_in(ball, positions.iter().copied(), &form);
            assert_eq!(
                near,
                scene.sources_in(everywhere, positions.iter().copied(), &form)
            );
            // A bone is within reach of what it heats, and not of what is nearer to others.
            let most = near.iter().map(|n| n.1.cost).fold(0.0, f64::max);
            let cost_bounds = scene.cost_bounds_within(ball, most);
            let within = |(p, found): &(u32, HeatSource)| {
                scene.is_within_reach(*p as usize, &cost_bounds, found.cost)
                    && !scene.is_within_reach(*p as usize, &cost_bounds, 1e-6)
            };
            assert!(near.iter().all(within));
            seen += positions.len();
        }
        assert_eq!(seen, points.len());
    }
}
