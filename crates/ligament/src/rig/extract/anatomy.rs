//! What the body is: legs, arms, trunk, head and tail, and where their joints go.
//!
//! A *leg* is the largest part of the tree on one side of the body whose ends are all near
//! the ground. One on each side makes a biped, two a quadruped; anything else keeps its
//! branches as they are. Limbs rarely show where they bend in the pose that they are
//! modelled in, so a knee or an elbow goes where the limb bends if it does, else where
//! anatomy has it. Names are those that engines know humanoids by, in the spelling that
//! the samples use. Left and right follow from where feet (of a biped) or the head (of a
//! quadruped) point.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use serde::Serialize;

use super::axes::Axes;
use super::body::Body;
use super::tree::Tree;

/// What kind of body a skeleton was recognised as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyPlan {
    /// Two legs.
    Biped,
    /// Four legs.
    Quadruped,
    /// None of these; joints are named by branch.
    Other,
}

/// An end is near the ground if it is in this lowest share of the height.
const GROUND: f64 = 0.17;
/// What is nearer to the plane of symmetry than this fraction of the diagonal is on no side.
pub(super) const CENTRAL: f64 = 0.025;
/// Ends further apart than this, as a share of the limb's length, that come together less of the way are two feet: toes and a heel part
/// at the ankle, a spider's legs at the trunk.
const FEET_APART: f64 = 0.2;
const SAME_LEG: f64 = 0.4;
/// Joints that anatomy asks for.
#[derive(Debug, Clone)]
pub(super) struct Anatomy {
    pub plan: BodyPlan,
    pub axes: Axes,
    pub root: Option<u32>,
    /// Points of the tree that are joints, by name.
    pub names: BTreeMap<u32, String>,
    /// Points on parts that need no more joints than these.
    pub settled: BTreeSet<u32>,
}

/// A part of the tree that hangs on a point.
#[derive(Debug, Clone)]
pub(super) struct Limb {
    /// From the point it hangs on to its farthest end.
    pub(super) path: Vec<u32>,
    /// How far it is to the side, on the mean of its ends.
    pub(super) sideways: f64,
}

impl Limb {
    pub(super) fn on(&self) -> u32 {
        self.path[0]
    }
}

/// Recognises a body; adds points to the tree where joints are wanted.
pub(super) fn recognise(
    tree: &mut Tree,
    candidates: [Axes; 2],
    symmetric: bool,
    body: &Body<'_>,
    diagonal: f64,
) -> Anatomy {
    for axes in candidates {
        let mut work = Work {
            tree,
            anatomy: Anatomy {
                plan: BodyPlan::Other,
                axes,
                root: None,
                names: BTreeMap::new(),
                settled: BTreeSet::new(),
            },
            symmetric,
            body,
            diagonal,
        };
        let legs = work.legs();
        let (left, right): (Vec<Limb>, Vec<Limb>) = legs.into_iter().partition(|l| l.sideways > 0.0);
        match (&left[..], &right[..]) {
            ([a], [b]) => work.biped(a.clone(), b.clone()),
            ([_, _], [_, _]) => work.four_legs(left, right),
            // It stands this way, on more legs than are known.
            ([_, _, _, ..], [_, _, _, ..]) => break,
            _ => continue,
        }
        return work.anatomy;
    }
    Anatomy {
        plan: BodyPlan::Other,
        axes: candidates[0],
        root: None,
        names: BTreeMap::new(),
        settled: BTreeSet::new(),
    }
}

/// The point that leaves the least behind any of its neighbours, by length of bone.
pub(super) fn most_central(tree: &Tree) -> u32 {
    let order = tree.outward(0);
    let parents = tree.parents(0);
    let mut below = vec![0.0; tree.len()];
    let mut worst = vec![0.0f64; tree.len()];
    for &n in order.iter().rev() {
        if let Some(p) = parents[n as usize] {
            let fraction = below[n as usize] + tree.distance(n, p);
            below[p as usize] += fraction;
            worst[p as usize] = worst[p as usize].max(fraction);
        }
    }
    let total = below.first().copied().unwrap_or(0.0);
    let imbalance = |n: u32| worst[n as usize].max(total - below[n as usize]);
    order
        .into_iter()
        .min_by(|&a, &b| {
            // The thicker of two that balance equally well.
            let radius = |n: u32| tree.radii[n as usize];
            imbalance(a)
                .total_cmp(&imbalance(b))
                .then(radius(b).total_cmp(&radius(a)))
        })
        .unwrap_or(0)
}

/// Which way a limb may bend.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bends {
    AnyWay,
    Forward,
}

pub(super) struct Work<'a> {
    pub(super) tree: &'a mut Tree,
    pub(super) anatomy: Anatomy,
    pub(super) symmetric: bool,
    pub(super) body: &'a Body<'a>,
    pub(super) diagonal: f64,
}

impl Work<'_> {
    pub(super) fn at(&self, n: u32) -> DVec3 {
        self.tree.points[n as usize]
    }

    pub(super) fn height(&self, n: u32) -> f64 {
        self.at(n)[self.anatomy.axes.up]
    }

    pub(super) fn sideways(&self, n: u32) -> f64 {
        self.anatomy.axes.sideways(self.at(n))
    }

    /// The ends of what hangs on `from` by way of `next`.
    pub(super) fn ends(&self, from: u32, next: u32) -> Vec<u32> {
        let mut ends = Vec::new();
        let mut stack = vec![(next, from)];
        while let Some((n, before)) = stack.pop() {
            let links = &self.tree.links[n as usize];
            if links.len() == 1 {
                ends.push(n);
            }
            stack.extend(links.iter().filter(|&&m| m != before).map(|&m| (m, n)));
        }
        ends
    }

    /// Length times squared radius of what hangs on `from` by way of `next`.
    pub(super) fn bulk(&self, from: u32, next: u32) -> f64 {
        let mut bulk = 0.0;
        let mut stack = vec![(next, from)];
        while let Some((n, before)) = stack.pop() {
            let radius = self.tree.radii[n as usize];
            bulk += self.tree.distance(n, before) * radius * radius;
            let links = &self.tree.links[n as usize];
            stack.extend(links.iter().filter(|&&m| m != before).map(|&m| (m, n)));
        }
        bulk
    }

    pub(super) fn limb(&self, from: u32, ends: &[u32]) -> Option<Limb> {
        let sideways = ends.iter().map(|&e| self.sideways(e)).sum::<f64>() / ends.len().max(1) as f64;
        let longest = ends
            .iter()
            .map(|&e| self.tree.path(from, e))
            .max_by(|a, b| self.tree.path_length(a).total_cmp(&self.tree.path_length(b)))?;
        Some(Limb {
            path: longest,
            sideways,
        })
    }

    pub(super) fn legs(&self) -> Vec<Limb> {
        let heights = (0..self.tree.len() as u32).map(|n| self.height(n));
        let low = heights.clone().fold(f64::INFINITY, f64::min);
        let high = heights.fold(f64::NEG_INFINITY, f64::max);
        let ground = low + GROUND * (high - low);
        let central = CENTRAL * self.diagonal;
        let mut legs = Vec::new();
        let root = most_central(self.tree);
        let mut stack: Vec<(u32, u32)> = self.tree.links[root as usize]
            .iter()
            .map(|&n| (n, root))
            .collect();
        while let Some((n, from)) = stack.pop() {
            let ends = self.ends(from, n);
            let both_sides = ends.iter().any(|&e| self.sideways(e) > central)
                && ends.iter().any(|&e| self.sideways(e) < -central);
            if ends.iter().all(|&e| self.height(e) < ground) && !both_sides {
                for feet in self.feet(from, &ends) {
                    legs.extend(self.limb(from, &feet).filter(|l| l.sideways.abs() > central));
                }
                continue;
            }
            let links = &self.tree.links[n as usize];
            stack.extend(links.iter().filter(|&&m| m != from).map(|&m| (m, n)));
        }
        legs
    }

    /// Ends in groups, each a foot: several legs may leave the trunk together, as a spider's do.
    fn feet(&self, from: u32, ends: &[u32]) -> Vec<Vec<u32>> {
        let paths: Vec<Vec<u32>> = ends.iter().map(|&e| self.tree.path(from, e)).collect();
        let lengths: Vec<f64> = paths.iter().map(|p| self.tree.path_length(p)).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let one_foot = |a: usize, b: usize| {
            let together = paths[a].iter().zip(&paths[b]).take_while(|(p, q)| p == q).count();
            let shared = self.tree.path_length(&paths[a][..together]);
            self.at(ends[a]).distance(self.at(ends[b])) < FEET_APART * longest
                || shared > SAME_LEG * lengths[a].min(lengths[b])
        };
        let mut feet: Vec<Vec<usize>> = Vec::new();
        for end in 0..ends.len() {
            // All groups that it belongs to become one.
            let belongs = |foot: &Vec<usize>| foot.iter().any(|&e| one_foot(e, end));
            let (joined, mut others): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
                feet.into_iter().partition(belongs);
            let mut foot: Vec<usize> = joined.into_iter().flatten().collect();
            foot.push(end);
            others.push(foot);
            feet = others;
        }
        feet.into_iter()
            .map(|foot| foot.into_iter().map(|e| ends[e]).collect())
            .collect()
    }

    /// Where two limbs meet: the thickest point between the points that they hang on.
    pub(super) fn meeting(&self, a: u32, b: u32) -> u32 {
        let radius = |n: u32| self.tree.radii[n as usize];
        let between = self.tree.path(a, b);
        between
            .into_iter()
            .max_by(|&m, &n| radius(m).total_cmp(&radius(n)))
            .unwrap_or(a)
    }

    /// Where the trunk meets two legs: the point between the points that they hang on which
    /// the bulk of the body hangs on too.
    pub(super) fn trunk_of(&self, a: u32, b: u32) -> u32 {
        let between = self.tree.path(a, b);
        let on_path: BTreeSet<u32> = between.iter().copied().collect();
        let bulk = |n: u32| {
            let links = self.tree.links[n as usize]
                .iter()
                .filter(|m| !on_path.contains(m));
            links.map(|&m| self.bulk(n, m)).fold(0.0, f64::max)
        };
        between
            .iter()
            .copied()
            .max_by(|&m, &n| bulk(m).total_cmp(&bulk(n)))
            .unwrap_or(a)
    }

    pub(super) fn name(&mut self, point: u32, name: String) {
        self.anatomy.names.entry(point).or_insert(name);
    }

    pub(super) fn settle(&mut self, path: &[u32]) {
        self.anatomy.settled.extend(path);
    }
}

/// The point on the segment between two others that is nearest to a point.
pub(super) fn nearest_on_line(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    a + along * t
}

/// How far a point is from the segment between two others.
pub(super) fn off_line(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    p.distance(nearest_on_line(p, a, b))
}
