//! What a tree loses: branch points that are one, stubs, folds, points alone.

use super::body::Body;
use super::tree::{Tree, pair};

/// What contracted to within this fraction of the body's thickness of an end belongs to it.
const END_LENGTH: f64 = 0.25;
/// Branch points closer than this fraction of their radius are one.
const COINCIDENT: f64 = 0.8;
/// A branch is a fold of cloth if more than this fraction of its length is outside.
const FOLD: f64 = 0.2;

impl Tree {
    /// Unites branch points that are within each other.
    pub(super) fn merge_branch_points(&mut self, body: &Body<'_>, node_of_point: &mut [u32]) {
        loop {
            let mut shortest: Option<(f64, u32, Vec<u32>)> = None;
            for a in (0..self.len() as u32).filter(|&a| self.links[a as usize].len() > 2) {
                for &next in &self.links[a as usize] {
                    let branch = self.branch(a, next);
                    let Some(&b) = branch.last() else { continue };
                    if b < a || self.links[b as usize].len() < 3 {
                        continue;
                    }
                    let radius = self.radii[a as usize].min(self.radii[b as usize]);
                    let length = self.length(a, &branch);
                    let crosses = std::iter::once(&a)
                        .chain(&branch)
                        .zip(&branch)
                        .any(|(&x, &y)| self.is_bridge(x, y));
                    let near = length < COINCIDENT * radius && !crosses;
                    if near && shortest.as_ref().is_none_or(|s| length < s.0) {
                        shortest = Some((length, a, branch));
                    }
                }
            }
            let Some((_, a, branch)) = shortest else { return };
            let Some(&b) = branch.last() else { return };
            let middle = self.points[a as usize].midpoint(self.points[b as usize]);
            for n in branch {
                self.absorb(a, n, node_of_point);
            }
            self.points[a as usize] = body.inside(middle);
            self.radii[a as usize] = body.radius(self.points[a as usize]);
        }
    }

    /// Takes a point out that is joined to `into`, which takes its links and its region.
    pub(super) fn absorb(&mut self, into: u32, point: u32, node_of_point: &mut [u32]) {
        self.part(into, point);
        for n in self.links[point as usize].clone() {
            let across = self.is_bridge(point, n);
            self.part(point, n);
            self.join(into, n);
            if across {
                self.bridges.insert(pair(into, n));
            }
        }
        for node in node_of_point {
            if *node == point {
                *node = into;
            }
        }
    }

    /// Takes off branches that are stubs by their length, the radius of the branch point and
    /// that of their end, the shortest first. Where a branch ends in nothing but stubs, as
    /// the corners of a tube's flat end, all go, so that none of them is the end.
    pub(super) fn prune(&mut self, node_of_point: &mut [u32], is_stub: impl Fn(f64, f64, f64) -> bool) {
        loop {
            let mut shortest: Option<(f64, u32)> = None;
            for a in (0..self.len() as u32).filter(|&a| self.links[a as usize].len() > 2) {
                for (length, _) in self.stubs(a, &is_stub) {
                    if shortest.is_none_or(|s| length < s.0) {
                        shortest = Some((length, a));
                    }
                }
            }
            let Some((_, a)) = shortest else { return };
            let mut stubs = self.stubs(a, &is_stub);
            stubs.sort_by(|s, t| s.0.total_cmp(&t.0).then(s.1.cmp(&t.1)));
            if self.links[a as usize].len() > stubs.len() + 1 {
                stubs.truncate(1);
            }
            for n in stubs.into_iter().flat_map(|(_, branch)| branch) {
                self.absorb(a, n, node_of_point);
            }
        }
    }

    /// Lets every end stand for all that contracted to nearly the same point: a flat cap
    /// may have fallen into several nodes, each with a part of it.
    pub(super) fn gather_ends(&mut self, node_of_point: &mut [u32]) {
        for end in 0..self.len() as u32 {
            while let [next] = self.links[end as usize][..]
                && self.links[next as usize].len() == 2
                && self.distance(end, next) < END_LENGTH * self.radii[end as usize]
            {
                self.absorb(end, next, node_of_point);
            }
        }
    }

    /// The branches of a branch point that end in nothing and are stubs, with their lengths.
    pub(super) fn stubs(&self, a: u32, is_stub: &impl Fn(f64, f64, f64) -> bool) -> Vec<(f64, Vec<u32>)> {
        self.links[a as usize]
            .iter()
            .map(|&next| self.branch(a, next))
            .filter_map(|branch| {
                let &end = branch.last()?;
                let length = self.length(a, &branch);
                let stub = self.links[end as usize].len() == 1
                    && is_stub(length, self.radii[a as usize], self.radii[end as usize]);
                stub.then_some((length, branch))
            })
            .collect()
    }

    /// Takes off branches that run beside the solid rather than in it: folds of cloth,
    /// straps and brows, thinner than the voxels and bent more than their points can follow.
    pub(super) fn cut_folds(&mut self, body: &Body<'_>) {
        for end in 0..self.len() as u32 {
            let [next] = self.links[end as usize][..] else {
                continue;
            };
            let branch = self.branch(end, next);
            let forked = branch.last().is_some_and(|&n| self.links[n as usize].len() > 2);
            let whole: Vec<u32> = std::iter::once(end).chain(branch).collect();
            let outside = |w: &&[u32]| {
                let [p, q] = [w[0], w[1]].map(|n| self.points[n as usize]);
                !self.is_bridge(w[0], w[1]) && !body.holds_line(p, q)
            };
            let length = |w: &[u32]| self.distance(w[0], w[1]);
            let off: f64 = whole.windows(2).filter(outside).map(length).sum();
            if forked && off > FOLD * self.path_length(&whole) {
                for w in whole.windows(2) {
                    self.part(w[0], w[1]);
                }
            }
        }
    }

    /// Takes out what was absorbed; a single point stays.
    pub(super) fn drop_lone_points(&mut self) {
        let mut slot = vec![u32::MAX; self.len()];
        let mut kept = Self::default();
        for n in 0..self.len() {
            if !self.links[n].is_empty() || (kept.len() == 0 && n + 1 == self.len()) {
                slot[n] = kept.add(self.points[n], self.radii[n]);
            }
        }
        for n in (0..self.len()).filter(|&n| slot[n] != u32::MAX) {
            kept.links[slot[n] as usize] = self.links[n].iter().map(|&m| slot[m as usize]).collect();
        }
        kept.bridges = self
            .bridges
            .iter()
            .map(|&[a, b]| pair(slot[a as usize], slot[b as usize]))
            .collect();
        *self = kept;
    }
}
