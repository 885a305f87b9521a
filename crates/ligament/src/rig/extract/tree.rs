//! The curve skeleton: one tree of points inside the solid.
//!
//! From the graph that the surface collapsed to: nodes are moved to the middle of their
//! regions (Au et al. 2008, section 6), loops are cut where they are thinnest, separate
//! pieces are joined where they are nearest, lines that leave the solid are led back
//! through it, stubs that do not stick out of the body are taken off, and ends reach to
//! the tips of the limbs.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use glam::{DVec3, IVec3};

use super::collapse::Graph;
use super::proxy::Proxy;
use super::voxels::{Voxels, around};
use crate::solid::Solid;

/// What contracted to less than this share of the body's thickness where it leaves is the
/// rim of a flat end or a heel, not a limb.
const LIMB_LENGTH: f64 = 0.5;

/// What contracted to within this share of the body's thickness of an end belongs to it.
const END_LENGTH: f64 = 0.25;

/// A branch is a stub if it ends within this many radii of the body it leaves.
const STUB_REACH: f64 = 1.25;

/// Branch points closer than this share of their radius are one.
const SAME_PLACE: f64 = 0.8;

/// Steps near the surface cost up to this much more than along the middle.
const SHALLOW_COST: f64 = 8.0;

/// A branch is a fold of cloth if more than this share of its length is outside.
const FOLD: f64 = 0.2;

/// A tip stays below the surface by this share of the limb's radius.
const TIP_DEPTH: f64 = 0.6;

/// What is within this share of the limb's radius of the farthest point is the tip.
const TIP_WIDTH: f64 = 0.4;

/// Points joined to a tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub points: Vec<DVec3>,
    /// For each point the points that it is joined to.
    pub links: Vec<Vec<u32>>,
    /// For each point how deep in the solid it is.
    pub radii: Vec<f64>,
    /// Pairs of points that are joined across a gap, the smaller number first.
    pub bridges: BTreeSet<[u32; 2]>,
}

/// Voxels with their depths.
pub(super) struct Body<'a> {
    pub voxels: &'a Voxels,
    pub depths: &'a [f64],
    /// What the voxels were made of, at twice their resolution.
    pub solid: &'a Solid,
    /// The shortest branch that is kept.
    pub shortest: f64,
}

impl Body<'_> {
    /// How deep below the surface a place is; 0 outside.
    pub fn depth(&self, p: DVec3) -> f64 {
        let v = self.voxels.containing(p);
        if self.voxels.holds(v) {
            self.depths[self.voxels.at(v)]
        } else {
            0.0
        }
    }

    /// How deep below the surface a place is, between voxels too: it changes steadily
    /// as the place does.
    pub fn radius(&self, p: DVec3) -> f64 {
        let corner = (p - self.voxels.origin) / self.voxels.cell - 0.5;
        let (low, part) = (corner.floor(), corner - corner.floor());
        (0..8)
            .map(|k| {
                let side = IVec3::new(k & 1, k >> 1 & 1, k >> 2);
                let v = low.as_ivec3() + side;
                let share = |axis: usize| {
                    if side[axis] == 1 {
                        part[axis]
                    } else {
                        1.0 - part[axis]
                    }
                };
                let depth = if self.voxels.holds(v) {
                    self.depths[self.voxels.at(v)]
                } else {
                    0.0
                };
                depth * share(0) * share(1) * share(2)
            })
            .sum()
    }

    /// The solid voxel nearest to a place.
    fn nearest_solid(&self, p: DVec3) -> Option<IVec3> {
        let from = self.voxels.containing(p).clamp(IVec3::ZERO, self.voxels.size - 1);
        let most = self.voxels.size.max_element();
        let mut best: Option<(f64, [i32; 3])> = None;
        for reach in 0..=most {
            // One ring beyond the first find: corners are farther than sides.
            if best.is_some_and(|b| b.0 < (f64::from(reach) - 1.0) * self.voxels.cell) {
                break;
            }
            for v in shell(from, reach).filter(|&v| self.voxels.is_solid(v)) {
                let candidate = (self.voxels.centre(v).distance(p), v.to_array());
                if best.is_none_or(|b| candidate < b) {
                    best = Some(candidate);
                }
            }
        }
        best.map(|b| b.1.into())
    }

    /// Whether a straight line runs inside. Voxels have steps where limbs are smooth, so near
    /// the surface the finer solid has the word.
    pub fn holds_line(&self, a: DVec3, b: DVec3) -> bool {
        let deep = 1.5 * self.voxels.cell;
        self.voxels
            .along(a, b, |p| self.depth(p) > deep || self.solid.contains(p))
    }

    /// A place itself if the finer solid holds it, or the nearest place around that it does.
    fn settled(&self, p: DVec3) -> DVec3 {
        if self.solid.contains(p) {
            return p;
        }
        let half = 0.5 * self.voxels.cell;
        let near = (-2..=2).flat_map(|z| (-2..=2).flat_map(move |y| (-2..=2).map(move |x| [x, y, z])));
        let places = near.map(|o| p + half * DVec3::from(o.map(f64::from)));
        places
            .filter(|&q| self.solid.contains(q))
            .min_by(|a, b| a.distance(p).total_cmp(&b.distance(p)))
            .unwrap_or(p)
    }

    /// How far a place is from the solid; 0 inside.
    pub fn off_solid(&self, p: DVec3) -> f64 {
        if self.depth(p) > 0.0 {
            return 0.0;
        }
        let nearest = self.nearest_solid(p);
        nearest.map_or(f64::INFINITY, |v| self.voxels.centre(v).distance(p))
    }

    /// A place inside near `p`: itself if it is inside, else where the solid is deeper
    /// around the nearest solid voxel.
    pub fn inside(&self, p: DVec3) -> DVec3 {
        if self.depth(p) > 0.0 {
            return p;
        }
        let Some(mut v) = self.nearest_solid(p) else {
            return p;
        };
        for _ in 0..3 {
            let deeper = around(v).filter(|&n| self.voxels.is_solid(n)).max_by(|&a, &b| {
                let depth = |n: IVec3| self.depths[self.voxels.at(n)];
                depth(a)
                    .total_cmp(&depth(b))
                    .then(b.to_array().cmp(&a.to_array()))
            });
            match deeper {
                Some(n) if self.depths[self.voxels.at(n)] > self.depths[self.voxels.at(v)] => v = n,
                _ => break,
            }
        }
        self.voxels.centre(v)
    }

    /// A way through the solid from one place to another, both left out, that keeps to the
    /// middle; `None` if they are in separate pieces.
    pub fn way(&self, from: DVec3, to: DVec3) -> Option<Vec<DVec3>> {
        let voxels = self.voxels;
        let start = self.nearest_solid(from)?;
        let goal = self.nearest_solid(to)?;
        let deepest = self.depth(from).max(self.depth(to)).max(voxels.cell);
        let mut cost: rustc_hash::FxHashMap<usize, (f64, usize)> = rustc_hash::FxHashMap::default();
        let mut queue = BinaryHeap::new();
        cost.insert(voxels.at(start), (0.0, voxels.at(start)));
        queue.push(Reverse((0u64, voxels.at(start))));
        while let Some(Reverse((so_far, at))) = queue.pop() {
            let so_far = f64::from_bits(so_far);
            if at == voxels.at(goal) {
                break;
            }
            if cost.get(&at).is_some_and(|c| c.0 < so_far) {
                continue;
            }
            let v = voxels.voxel(at);
            for n in around(v).filter(|&n| voxels.is_solid(n)) {
                let next = voxels.at(n);
                let shallow = (1.0 - self.depths[next] / deepest).max(0.0);
                let step = (n - v).as_dvec3().length() * (1.0 + SHALLOW_COST * shallow * shallow);
                let total = so_far + step;
                if cost.get(&next).is_none_or(|c| total < c.0) {
                    cost.insert(next, (total, at));
                    queue.push(Reverse((total.to_bits(), next)));
                }
            }
        }
        let mut at = voxels.at(goal);
        let mut way = Vec::new();
        while at != voxels.at(start) {
            at = cost.get(&at)?.1;
            way.push(voxels.centre(voxels.voxel(at)));
        }
        way.pop();
        way.reverse();
        Some(way)
    }
}

/// The voxels at a distance (of the largest coordinate) from a voxel.
fn shell(v: IVec3, reach: i32) -> impl Iterator<Item = IVec3> {
    (-reach..=reach).flat_map(move |z| {
        (-reach..=reach).flat_map(move |y| {
            let whole = z.abs() == reach || y.abs() == reach;
            let step = if whole { 1 } else { (2 * reach).max(1) };
            (-reach..=reach)
                .step_by(step as usize)
                .map(move |x| v + IVec3::new(x, y, z))
        })
    })
}

fn pair(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl Tree {
    /// The curve skeleton of a solid; see the module.
    pub fn of(
        graph: &Graph,
        proxy: &Proxy,
        rings: &[Vec<u32>],
        contracted: &[DVec3],
        body: &Body<'_>,
    ) -> Self {
        let mut node_of_point = graph.node_of_point.clone();
        let points: Vec<DVec3> = graph
            .centre_point
            .iter()
            .map(|&p| contracted[p as usize])
            .collect();
        let mut tree = Self {
            links: vec![Vec::new(); points.len()],
            radii: thickness(&points, proxy, &node_of_point),
            points,
            bridges: BTreeSet::new(),
        };
        tree.span(&graph.edges, rings, &node_of_point);
        tree.prune(&mut node_of_point, |length, fork, _| length < LIMB_LENGTH * fork);

        tree.gather_ends(&mut node_of_point);
        let centres = centred(&tree.points, proxy, rings, contracted, &node_of_point);
        let mut in_use = vec![false; tree.len()];
        for &node in &node_of_point {
            in_use[node as usize] = true;
        }
        for n in (0..tree.len()).filter(|&n| in_use[n]) {
            tree.points[n] = body.inside(centres[n]);
            tree.radii[n] = body.radius(tree.points[n]);
        }
        tree.bridge_gaps(&in_use);
        tree.merge_branch_points(body, &mut node_of_point);
        tree.prune(&mut node_of_point, |length, fork, tip| {
            length + tip < (STUB_REACH * fork).max(body.shortest)
        });
        tree.reach_tips(proxy, &node_of_point, body);
        tree.lead_inside(body);
        tree.smooth(body);
        for p in &mut tree.points {
            *p = body.settled(*p);
        }
        tree.cut_folds(body);
        tree.drop_lone_points();
        tree
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether a joined pair spans a gap.
    pub fn is_bridge(&self, a: u32, b: u32) -> bool {
        self.bridges.contains(&pair(a, b))
    }

    pub fn distance(&self, a: u32, b: u32) -> f64 {
        self.points[a as usize].distance(self.points[b as usize])
    }

    pub fn join(&mut self, a: u32, b: u32) {
        self.links[a as usize].push(b);
        self.links[b as usize].push(a);
    }

    fn part(&mut self, a: u32, b: u32) {
        self.links[a as usize].retain(|&n| n != b);
        self.links[b as usize].retain(|&n| n != a);
        self.bridges.remove(&pair(a, b));
    }

    pub fn add(&mut self, p: DVec3, radius: f64) -> u32 {
        self.points.push(p);
        self.radii.push(radius);
        self.links.push(Vec::new());
        self.points.len() as u32 - 1
    }

    /// Joins points along the graph's edges. A loop opens where least of the surface runs
    /// around it: where knees touch, not at a thigh.
    fn span(&mut self, edges: &[[u32; 2]], rings: &[Vec<u32>], node_of_point: &[u32]) {
        let mut borders: Vec<[u32; 2]> = Vec::new();
        for (p, ring) in rings.iter().enumerate() {
            let others = ring
                .iter()
                .map(|&q| pair(node_of_point[p], node_of_point[q as usize]));
            borders.extend(others.filter(|[a, b]| a != b));
        }
        borders.sort_unstable();
        let width =
            |edge: &[u32; 2]| borders.partition_point(|b| b <= edge) - borders.partition_point(|b| b < edge);
        let mut sorted: Vec<(usize, [u32; 2])> = edges.iter().map(|e| (width(e), *e)).collect();
        sorted.sort_by(|s, t| t.0.cmp(&s.0).then(s.1.cmp(&t.1)));
        let mut groups = Groups::of(self);
        for (_, [a, b]) in sorted {
            if groups.unite(a, b) {
                self.join(a, b);
            }
        }
    }

    /// Joins what is apart to one tree, across the narrowest gaps.
    fn bridge_gaps(&mut self, in_use: &[bool]) {
        let mut groups = Groups::of(self);
        let nodes: Vec<u32> = (0..self.len() as u32).filter(|&n| in_use[n as usize]).collect();
        let mut gaps = Vec::new();
        for (i, &a) in nodes.iter().enumerate() {
            for &b in &nodes[i + 1..] {
                if groups.find(a) != groups.find(b) {
                    let gap = self.distance(a, b) - self.radii[a as usize] - self.radii[b as usize];
                    gaps.push((gap, [a, b]));
                }
            }
        }
        gaps.sort_by(|s, t| s.0.total_cmp(&t.0).then(s.1.cmp(&t.1)));
        for (_, [a, b]) in gaps {
            if groups.unite(a, b) {
                self.join(a, b);
                self.bridges.insert([a, b]);
            }
        }
    }

    /// From `from` by way of `next` until a branch point or an end: all points but `from`.
    pub fn branch(&self, from: u32, next: u32) -> Vec<u32> {
        let mut branch = vec![next];
        let (mut before, mut now) = (from, next);
        while let [a, b] = self.links[now as usize][..] {
            let ahead = if a == before { b } else { a };
            (before, now) = (now, ahead);
            branch.push(now);
        }
        branch
    }

    fn length(&self, from: u32, branch: &[u32]) -> f64 {
        let mut length = 0.0;
        let mut before = from;
        for &n in branch {
            length += self.distance(before, n);
            before = n;
        }
        length
    }

    /// Unites branch points that are within each other.
    fn merge_branch_points(&mut self, body: &Body<'_>, node_of_point: &mut [u32]) {
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
                    let near = length < SAME_PLACE * radius && !crosses;
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
    fn absorb(&mut self, into: u32, point: u32, node_of_point: &mut [u32]) {
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
    fn prune(&mut self, node_of_point: &mut [u32], is_stub: impl Fn(f64, f64, f64) -> bool) {
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

    /// Lets every end stand for all that contracted to nearly the same place: a flat cap
    /// may have fallen into several nodes, each with a part of it.
    fn gather_ends(&mut self, node_of_point: &mut [u32]) {
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
    fn stubs(&self, a: u32, is_stub: &impl Fn(f64, f64, f64) -> bool) -> Vec<(f64, Vec<u32>)> {
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

    /// Leads every end on to the tip of its region: the middle of what is farthest out, which
    /// is the toes of a foot and the centre of a tube's flat cap.
    fn reach_tips(&mut self, proxy: &Proxy, node_of_point: &[u32], body: &Body<'_>) {
        let mut regions: Vec<Vec<DVec3>> = vec![Vec::new(); self.len()];
        for (p, &node) in node_of_point.iter().enumerate() {
            if self.links[node as usize].len() == 1 {
                regions[node as usize].push(proxy.points[p]);
            }
        }
        for (end, region) in regions.iter().enumerate() {
            let [before] = self.links[end][..] else { continue };
            let (from, base) = (self.points[end], self.points[before as usize]);
            let farthest = region.iter().map(|p| p.distance(base)).fold(0.0, f64::max);
            let near = farthest - (TIP_WIDTH * self.radii[end]).max(body.voxels.cell);
            let (sum, count) = region
                .iter()
                .filter(|p| p.distance(base) >= near)
                .fold((DVec3::ZERO, 0.0), |(sum, count), &p| (sum + p, count + 1.0));
            if count == 0.0 {
                continue;
            }
            let tip = sum / count;
            let below = TIP_DEPTH * self.radii[end];
            let stop = tip + (from - tip).clamp_length_max(below);
            let mut last = end as u32;
            let mut reach = |tree: &mut Self, p: DVec3| {
                if p.distance(from) > body.voxels.cell {
                    let next = tree.add(p, body.radius(p));
                    tree.join(last, next);
                    last = next;
                }
            };
            if body.voxels.sees(from, stop) {
                reach(self, stop);
            } else {
                for p in body.way(from, tip).unwrap_or_default() {
                    if p.distance(tip) > below {
                        reach(self, p);
                    }
                }
            }
        }
    }

    /// Leads lines that leave the solid through it.
    fn lead_inside(&mut self, body: &Body<'_>) {
        for a in 0..self.len() as u32 {
            for b in self.links[a as usize].clone() {
                let (p, q) = (self.points[a as usize], self.points[b as usize]);
                if b < a || self.is_bridge(a, b) || body.voxels.sees(p, q) {
                    continue;
                }
                let Some(way) = body.way(p, q) else {
                    self.bridges.insert([a, b]);
                    continue;
                };
                self.part(a, b);
                let mut last = a;
                for p in way {
                    let next = self.add(p, body.radius(p));
                    self.join(last, next);
                    last = next;
                }
                self.join(last, b);
            }
        }
    }

    /// Takes off branches that run beside the solid rather than in it: folds of cloth,
    /// straps and brows, thinner than the voxels and bent more than their points can follow.
    fn cut_folds(&mut self, body: &Body<'_>) {
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
    fn drop_lone_points(&mut self) {
        let mut place = vec![u32::MAX; self.len()];
        let mut kept = Self::default();
        for n in 0..self.len() {
            if !self.links[n].is_empty() || (kept.len() == 0 && n + 1 == self.len()) {
                place[n] = kept.add(self.points[n], self.radii[n]);
            }
        }
        for n in (0..self.len()).filter(|&n| place[n] != u32::MAX) {
            kept.links[place[n] as usize] = self.links[n].iter().map(|&m| place[m as usize]).collect();
        }
        kept.bridges = self
            .bridges
            .iter()
            .map(|&[a, b]| pair(place[a as usize], place[b as usize]))
            .collect();
        *self = kept;
    }

    /// The points along the way from one point to another, both included.
    pub fn path(&self, from: u32, to: u32) -> Vec<u32> {
        let parents = self.parents(from);
        let mut path = vec![to];
        let mut at = to;
        while at != from {
            let Some(parent) = parents[at as usize] else { break };
            at = parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// For each point the next one on the way to `root`, which has none.
    pub fn parents(&self, root: u32) -> Vec<Option<u32>> {
        let mut parents = vec![None; self.len()];
        for n in self.outward(root) {
            for &m in &self.links[n as usize] {
                if parents[n as usize] != Some(m) {
                    parents[m as usize] = Some(n);
                }
            }
        }
        parents
    }

    /// All points, each after the next one on its way to `root`.
    pub fn outward(&self, root: u32) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.len());
        let mut stack = vec![(root, root)];
        while let Some((n, from)) = stack.pop() {
            order.push(n);
            stack.extend(
                self.links[n as usize]
                    .iter()
                    .filter(|&&m| m != from)
                    .map(|&m| (m, n)),
            );
        }
        order
    }

    /// A point on a path at a length from its start: one that is there, or a new one.
    pub fn point_at(&mut self, path: &mut Vec<u32>, length: f64) -> u32 {
        let mut left = length.max(0.0);
        for k in 1..path.len() {
            let (a, b) = (path[k - 1], path[k]);
            let step = self.distance(a, b);
            if left <= step {
                let share = left / step.max(f64::MIN_POSITIVE);
                if !(0.15..=0.85).contains(&share) || self.is_bridge(a, b) {
                    return if share < 0.5 { a } else { b };
                }
                let p = self.points[a as usize].lerp(self.points[b as usize], share);
                let radius =
                    self.radii[a as usize] + share * (self.radii[b as usize] - self.radii[a as usize]);
                self.part(a, b);
                let new = self.add(p, radius);
                self.join(a, new);
                self.join(new, b);
                path.insert(k, new);
                return new;
            }
            left -= step;
        }
        path.last().copied().unwrap_or(0)
    }

    /// The place at a length from the start of a path.
    pub fn place_along(&self, path: &[u32], length: f64) -> DVec3 {
        let mut left = length.max(0.0);
        for w in path.windows(2) {
            let step = self.distance(w[0], w[1]);
            if left <= step && step > 0.0 {
                return self.points[w[0] as usize].lerp(self.points[w[1] as usize], left / step);
            }
            left -= step;
        }
        path.last().map_or(DVec3::ZERO, |&n| self.points[n as usize])
    }

    /// The length of a path.
    pub fn path_length(&self, path: &[u32]) -> f64 {
        path.windows(2).map(|w| self.distance(w[0], w[1])).sum()
    }

    /// Smooths what is no end and no branch point, as far as it stays inside.
    fn smooth(&mut self, body: &Body<'_>) {
        for _ in 0..8 {
            let before = self.points.clone();
            for n in 0..self.len() {
                if let [a, b] = self.links[n][..]
                    && !self.is_bridge(n as u32, a)
                    && !self.is_bridge(n as u32, b)
                {
                    let p = before[n].lerp(before[a as usize].midpoint(before[b as usize]), 0.5);
                    let seen = [a, b].iter().all(|&m| {
                        body.holds_line(p, before[m as usize]) && body.holds_line(p, self.points[m as usize])
                    });
                    if seen {
                        self.points[n] = p;
                    }
                }
            }
        }
        for n in 0..self.len() {
            self.radii[n] = body.radius(self.points[n]);
        }
    }
}

/// Which points are joined, directly or by way of others.
struct Groups(Vec<u32>);

impl Groups {
    fn of(tree: &Tree) -> Self {
        let mut groups = Self((0..tree.len() as u32).collect());
        for (a, links) in tree.links.iter().enumerate() {
            for &b in links {
                groups.unite(a as u32, b);
            }
        }
        groups
    }

    fn find(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }

    /// Unites the groups of two points; false if they are one already.
    fn unite(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a as usize] = b;
        a != b
    }
}

/// How thick the body is around each node: the mean distance to the points of its region
/// before they were contracted.
fn thickness(nodes: &[DVec3], proxy: &Proxy, node_of_point: &[u32]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0f64); nodes.len()];
    for (p, &node) in proxy.points.iter().zip(node_of_point) {
        let sum = &mut sums[node as usize];
        sum.0 += p.distance(nodes[node as usize]);
        sum.1 += 1.0;
    }
    sums.iter().map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// Moves each node by the mean of how far the borders of its region were contracted: each
/// border with a neighbouring region counts once, its points by the lengths of their edges.
fn centred(
    nodes: &[DVec3],
    proxy: &Proxy,
    rings: &[Vec<u32>],
    contracted: &[DVec3],
    node_of_point: &[u32],
) -> Vec<DVec3> {
    let mut borders: Vec<Vec<(u32, DVec3, f64)>> = vec![Vec::new(); nodes.len()];
    let mut means = vec![(DVec3::ZERO, 0.0); nodes.len()];
    for (p, ring) in rings.iter().enumerate() {
        let node = node_of_point[p];
        let place = proxy.points[p];
        means[node as usize].0 += place;
        means[node as usize].1 += 1.0;
        for &q in ring {
            let other = node_of_point[q as usize];
            if other != node {
                let length = place.distance(proxy.points[q as usize]);
                borders[node as usize].push((other, place - contracted[p], length));
            }
        }
    }
    borders
        .iter_mut()
        .zip(&means)
        .zip(nodes)
        .map(|((border, &(sum, count)), &node)| {
            if border.is_empty() {
                return sum / f64::max(count, 1.0);
            }
            border.sort_by_key(|b| b.0);
            let moves: Vec<DVec3> = border
                .chunk_by(|a, b| a.0 == b.0)
                .map(|loop_| {
                    let total: f64 = loop_.iter().map(|b| b.2).sum();
                    loop_.iter().map(|b| b.1 * b.2).sum::<DVec3>() / total
                })
                .collect();
            node + moves.iter().sum::<DVec3>() / moves.len() as f64
        })
        .collect()
}
