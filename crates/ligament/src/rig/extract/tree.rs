//! The curve skeleton: one tree of points inside the solid.
//!
//! From the graph that the surface collapsed to: nodes are moved to the middle of their
//! regions (Au et al. 2008, section 6), loops are cut where they are thinnest, separate
//! pieces are joined where they are nearest, lines that leave the solid are led back
//! through it, stubs that do not stick out of the body are taken off, and ends reach to
//! the tips of the limbs.

use std::collections::BTreeSet;

use glam::DVec3;

use super::body::Body;
use super::collapse::Graph;
use super::proxy::Proxy;

/// What contracted to less than this fraction of the body's thickness where it leaves is the
/// rim of a flat end or a heel, not a limb.
const LIMB_LENGTH: f64 = 0.5;

/// A branch is a stub if it ends within this many radii of the body it leaves.
const STUB_REACH: f64 = 1.25;

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

pub(super) fn pair(a: u32, b: u32) -> [u32; 2] {
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

    pub(super) fn part(&mut self, a: u32, b: u32) {
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

    pub(super) fn length(&self, from: u32, branch: &[u32]) -> f64 {
        let mut length = 0.0;
        let mut before = from;
        for &n in branch {
            length += self.distance(before, n);
            before = n;
        }
        length
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
                let fraction = left / step.max(f64::MIN_POSITIVE);
                if !(0.15..=0.85).contains(&fraction) || self.is_bridge(a, b) {
                    return if fraction < 0.5 { a } else { b };
                }
                let p = self.points[a as usize].lerp(self.points[b as usize], fraction);
                let radius =
                    self.radii[a as usize] + fraction * (self.radii[b as usize] - self.radii[a as usize]);
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

    /// The point at a length from the start of a path.
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
        let position = proxy.points[p];
        means[node as usize].0 += position;
        means[node as usize].1 += 1.0;
        for &q in ring {
            let other = node_of_point[q as usize];
            if other != node {
                let length = position.distance(proxy.points[q as usize]);
                borders[node as usize].push((other, position - contracted[p], length));
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
