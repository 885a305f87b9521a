//! What is broken, and what may help.

use crate::character::{Influence, Weights, WeightsBuilder};
use crate::measure::{Measure, Report, Verdict};
use crate::skin::{JointMasks, PointIndex, Skin};
use crate::task::{Cancelled, Task};
use crate::weights::{SmoothingRegion, smoothed, weight_distance};

use super::Treatment;
use super::exchanged::exchanged_joints;
use super::medians::medians;
use super::sides::Sides;

/// Weight on bones far away from which on a point is treated.
const ASTRAY: f32 = 0.02;
/// Roughness from which on a point is treated: half of what makes a whole character suspect.
const ROUGH: f32 = 0.05;
/// Difference of left and right from which on a point is treated.
const UNEVEN: f32 = 0.1;
/// Lengths that smoothing is tried with, as fractions of the diagonal.
const LENGTHS: [f64; 4] = [0.006, 0.012, 0.024, 0.045];
/// So many of them are tried on medians too: what is by chance is gone then, and steps are left.
const LENGTHS_OF_MEDIANS: usize = 2;
/// Points within so many smoothing lengths of a rough one are smoothed too: a step is as wide as one edge, and must
/// become as wide as the length.
const SMOOTHED_BESIDE: f64 = 2.0;
/// Where more of a character than this fraction is broken, little is left that the rest could be fitted to, and the whole
/// is bound anew.
const MOSTLY_BROKEN: f64 = 0.1;
/// Rows of which less than this fraction is left are replaced.
const ENOUGH_LEFT: f32 = 0.5;

/// Weights under treatment.
pub struct Ward<'a> {
    pub skin: &'a Skin,
    pub weights: &'a Weights,
    /// A bind of our own.
    pub own: &'a Weights,
    pub report: &'a Report,
}

impl Ward<'_> {
    /// For each point whether a treatment is for it.
    pub fn broken(&self, treatment: Treatment) -> Vec<bool> {
        let unsound = |m: Measure| {
            let whole = self.report.finding(m).is_some_and(|f| {
                f.verdict != Verdict::Sound || m.score_unit().is_some_and(|unit| f.value > unit)
            });
            let near = |r: &crate::measure::RegionVerdict| {
                r.verdict != Verdict::Sound
                    && r.findings
                        .iter()
                        .any(|f| f.measure == m && f.verdict != Verdict::Sound)
            };
            whole || self.report.regions.iter().any(near)
        };
        let maps = &self.report.maps;
        let rough = unsound(Measure::Roughness) || unsound(Measure::HardEdges);
        let astray = unsound(Measure::Bleed);
        match treatment {
            Treatment::Seams => self.marked(|v| maps.tearing.get(v).is_some_and(|&t| t > 0.0)),
            Treatment::Astray => self.marked(|v| astray && maps.bleed.get(v).is_some_and(|&b| b > ASTRAY)),
            Treatment::Smoothed => {
                self.marked(|v| rough && maps.roughness.get(v).is_some_and(|&r| r > ROUGH))
            }
            Treatment::Exchanged => {
                if !astray {
                    return vec![false; self.skin.len()];
                }
                let partners = exchanged_joints(self.skin, self.weights, self.own);
                let is_exchanged = |i: &Influence| partners[i.joint.at()] != i.joint;
                self.marked(|v| self.weights.of_vertex(v).iter().any(is_exchanged))
            }
            Treatment::Evened => {
                let uneven = unsound(Measure::Asymmetry);
                self.marked(|v| uneven && maps.asymmetry.get(v).is_some_and(|&a| a > UNEVEN))
            }
            Treatment::Rebound => self.marked(|v| {
                (rough && maps.roughness.get(v).is_some_and(|&r| r > 2.0 * ROUGH))
                    || (astray && maps.bleed.get(v).is_some_and(|&b| b > ASTRAY))
            }),
        }
    }

    /// The points of vertices for which something holds.
    fn marked(&self, holds: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut marked = vec![false; self.skin.len()];
        for (vertex, point) in self.skin.points_of_vertices().iter().enumerate() {
            if let Some(point) = point {
                marked[point.at()] |= holds(vertex);
            }
        }
        marked
    }

    /// Weights that a treatment of some points may lead to.
    pub fn treated(
        &self,
        treatment: Treatment,
        points: &[bool],
        task: &Task<'_>,
    ) -> Result<Vec<Weights>, Cancelled> {
        let as_marked = |new: Weights| (new, points.to_vec());
        let of_points: Vec<(Weights, Vec<bool>)> = match treatment {
            Treatment::Seams => vec![as_marked(self.united(points)), as_marked(self.like_own(points))],
            Treatment::Exchanged => {
                let partners = exchanged_joints(self.skin, self.weights, self.own);
                vec![as_marked(self.of_points().renumbered(|j| partners[j.at()]))]
            }
            Treatment::Evened => {
                let all = self.of_points();
                let own = self.own_of_points();
                vec![as_marked(
                    Sides::of(self.skin, &all).more_like(&own, &all, points),
                )]
            }
            Treatment::Astray => vec![as_marked(self.taken_back(points))],
            Treatment::Rebound => {
                let mut tried = vec![as_marked(self.rebound(points))];
                let broken = points.iter().filter(|&&b| b).count();
                if broken as f64 > MOSTLY_BROKEN * points.len() as f64 {
                    let all = vec![true; points.len()];
                    tried.push((self.rebound(&all), all));
                }
                tried
            }
            Treatment::Smoothed => {
                let all = self.of_points();
                let ring = self.with_neighbours(points);
                let laplacian = self.skin.laplacian();
                let once = medians(&all, laplacian, &ring);
                let twice = medians(&once, laplacian, &ring);
                let mut tried = vec![(twice.clone(), ring.clone())];
                for (from, length) in LENGTHS
                    .iter()
                    .map(|&l| (&all, l))
                    .chain(LENGTHS[..LENGTHS_OF_MEDIANS].iter().map(|&l| (&twice, l)))
                {
                    let length = length * self.skin.diagonal();
                    let beside = self.grown(points, SMOOTHED_BESIDE * length);
                    let region = SmoothingRegion {
                        length,
                        points: Some(&beside),
                        locked_joints: None,
                        influences: all.max_influences().max(4),
                    };
                    let new = smoothed(from, self.skin.laplacian(), self.skin.points(), &region, task)?;
                    tried.push((new, beside));
                }
                tried
            }
        };
        Ok(of_points
            .iter()
            .map(|(new, treated)| self.to_vertices(new, treated))
            .collect())
    }

    /// The points, and those that a path along edges of at most a length leads to.
    fn grown(&self, points: &[bool], length: f64) -> Vec<bool> {
        let at = self.skin.points();
        let laplacian = self.skin.laplacian();
        let mut left: Vec<f64> = points.iter().map(|&p| if p { length } else { -1.0 }).collect();
        let mut queue: Vec<u32> = (0..points.len() as u32).filter(|&p| points[p as usize]).collect();
        // First in, first out: a point comes back only when a longer rest of the way is found for it.
        let mut next = 0;
        while let Some(&point) = queue.get(next) {
            next += 1;
            for (to, _) in laplacian.row(point as usize) {
                let rest = left[point as usize] - at[point as usize].distance(at[to as usize]);
                if rest > left[to as usize].max(0.0) {
                    left[to as usize] = rest;
                    queue.push(to);
                }
            }
        }
        left.iter().map(|&l| l >= 0.0).collect()
    }

    /// The points and their neighbours.
    fn with_neighbours(&self, points: &[bool]) -> Vec<bool> {
        let laplacian = self.skin.laplacian();
        let near = |p: usize| points[p] || laplacian.row(p).any(|(n, _)| points[n as usize]);
        (0..points.len()).map(near).collect()
    }

    /// Our own bind's rows of the first vertices at points.
    fn own_of_points(&self) -> Weights {
        let first = (0..self.skin.len() as u32).map(|p| self.skin.first_vertex(PointIndex(p)));
        self.own.gathered(first)
    }

    /// The rows of the first vertices at points.
    fn of_points(&self) -> Weights {
        let first = (0..self.skin.len() as u32).map(|p| self.skin.first_vertex(PointIndex(p)));
        self.weights.gathered(first)
    }

    /// Vertices of treated points get the new rows, as far as the skins of their parts list the joints; the others keep theirs
    /// to the bit.
    pub fn to_vertices(&self, new: &Weights, treated: &[bool]) -> Weights {
        let masks = JointMasks::of(
            self.skin,
            &vec![true; self.skin.character().skeleton.joints.len()],
        )
        .0;
        let mut builder = WeightsBuilder::with_capacity(self.weights.vertex_count(), 4);
        let mut listed: Vec<Influence> = Vec::new();
        for (vertex, point) in self.skin.points_of_vertices().iter().enumerate() {
            let old = self.weights.of_vertex(vertex);
            let Some(point) = point.filter(|p| treated[p.at()]) else {
                builder.push_valid(old);
                continue;
            };
            let (row, mask) = (new.of_vertex(point.at()), masks.at(point.at()));
            listed.clear();
            listed.extend(row.iter().filter(|i| mask[i.joint.at()]));
            if listed.len() == row.len() {
                builder.push_valid(row);
            } else if listed.is_empty() || builder.push(&listed).is_err() {
                builder.push_valid(old);
            }
        }
        builder.finish()
    }

    /// The vertices at each point.
    fn copies(&self) -> Vec<Vec<u32>> {
        let mut copies: Vec<Vec<u32>> = vec![Vec::new(); self.skin.len()];
        for (vertex, point) in self.skin.points_of_vertices().iter().enumerate() {
            if let Some(point) = point {
                copies[point.at()].push(vertex as u32);
            }
        }
        copies
    }

    fn row(&self, vertex: u32) -> &[Influence] {
        self.weights.of_vertex(vertex as usize)
    }

    /// All copies at a point get the row of the copy that differs least from what is around it.
    fn united(&self, points: &[bool]) -> Weights {
        let copies = self.copies();
        let laplacian = self.skin.laplacian();
        self.by_speaker(points, &copies, |point, vertex| {
            let around = laplacian.row(point).flat_map(|(n, _)| &copies[n as usize]);
            around
                .map(|&n| weight_distance(self.row(vertex), self.row(n)))
                .sum()
        })
    }

    /// The same with the copy that differs least from our own bind: where every face has vertices of its own, what is around
    /// is as torn as the point itself.
    fn like_own(&self, points: &[bool]) -> Weights {
        self.by_speaker(points, &self.copies(), |_, vertex| {
            weight_distance(self.row(vertex), self.own.of_vertex(vertex as usize))
        })
    }

    /// All copies at a point get the row of the copy that is least unlike.
    fn by_speaker(
        &self,
        points: &[bool],
        copies: &[Vec<u32>],
        unlike: impl Fn(usize, u32) -> f64,
    ) -> Weights {
        let mut builder = WeightsBuilder::with_capacity(self.skin.len(), 4);
        for (point, own) in copies.iter().enumerate() {
            let speaker = match own.as_slice() {
                [first, ..] if !points[point] => *first,
                several => several
                    .iter()
                    .copied()
                    .min_by(|&a, &b| unlike(point, a).total_cmp(&unlike(point, b)))
                    .unwrap_or(0),
            };
            builder.push_valid(self.row(speaker));
        }
        builder.finish()
    }

    /// Points whose weight on joints that our own bind has nothing near goes to the other joints of the row.
    fn taken_back(&self, points: &[bool]) -> Weights {
        let skeleton = &self.skin.character().skeleton;
        let mut builder = WeightsBuilder::with_capacity(self.skin.len(), 4);
        for (point, &broken) in points.iter().enumerate() {
            let vertex = self.skin.first_vertex(PointIndex(point as u32));
            let (row, own) = (self.weights.of_vertex(vertex), self.own.of_vertex(vertex));
            if !broken {
                builder.push_valid(row);
                continue;
            }
            let near = |i: &&Influence| {
                own.iter().any(|o| {
                    o.joint == i.joint
                        || skeleton.skin_parent(o.joint) == Some(i.joint)
                        || skeleton.skin_parent(i.joint) == Some(o.joint)
                })
            };
            let left: Vec<Influence> = row.iter().filter(near).copied().collect();
            let fraction: f32 = left.iter().map(|i| i.weight).sum();
            if fraction < ENOUGH_LEFT || builder.push(&left).is_err() {
                builder.push_valid(own);
            }
        }
        builder.finish()
    }

    /// Rows of our own bind.
    fn rebound(&self, points: &[bool]) -> Weights {
        let mut builder = WeightsBuilder::with_capacity(self.skin.len(), 4);
        for (point, &broken) in points.iter().enumerate() {
            let vertex = self.skin.first_vertex(PointIndex(point as u32));
            let from = if broken { self.own } else { self.weights };
            builder.push_valid(from.of_vertex(vertex));
        }
        builder.finish()
    }
}
