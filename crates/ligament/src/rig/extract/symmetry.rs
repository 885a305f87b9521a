//! Which plane the body is symmetric about, and a tree that is exactly as symmetric.
//!
//! Branches that are each other's mirror image are replaced by their mean, branches in the
//! plane are moved into it; what has no partner (a sword, a pouch) stays as it is.

use glam::DVec3;

use super::tree::Tree;
use super::voxels::Voxels;

/// A body is symmetric if so much of it lies on its mirror image.
const SYMMETRIC: f64 = 0.88;

/// Ends of partners may miss each other's mirror image by this share of the diagonal.
const PARTNER_REACH: f64 = 0.06;

/// A plane across one of the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mirror {
    /// The axis that it is across.
    pub axis: usize,
    /// Where it is along that axis.
    pub at: f64,
    /// The share of the body that lies on its mirror image.
    pub share: f64,
}

impl Mirror {
    /// The best plane across an axis: through the middle of the grid, the origin, or the
    /// body's centre of mass.
    pub fn across(axis: usize, voxels: &Voxels) -> Self {
        let solid: Vec<usize> = (0..voxels.solid.len()).filter(|&v| voxels.solid[v]).collect();
        let count = solid.len().max(1) as f64;
        let mass = solid
            .iter()
            .map(|&v| voxels.centre(voxels.voxel(v))[axis])
            .sum::<f64>()
            / count;
        let middle = voxels.origin[axis] + voxels.cell * f64::from(voxels.size[axis]) / 2.0;
        let mut best = Self {
            axis,
            at: middle,
            share: -1.0,
        };
        for at in [middle, 0.0, mass] {
            let mirror = Self { axis, at, share: 0.0 };
            let partnered = solid
                .iter()
                .filter(|&&v| {
                    let image = mirror.image(voxels.centre(voxels.voxel(v)));
                    voxels.is_solid(voxels.containing(image))
                })
                .count();
            let share = partnered as f64 / count;
            if share > best.share + 1e-3 {
                best = Self { share, ..mirror };
            }
        }
        best
    }

    /// Whether the body is symmetric about it.
    pub fn is_symmetric(&self) -> bool {
        self.share >= SYMMETRIC
    }

    /// The mirror image of a place.
    pub fn image(&self, p: DVec3) -> DVec3 {
        let mut image = p;
        image[self.axis] = 2.0 * self.at - p[self.axis];
        image
    }

    fn onto(&self, p: DVec3) -> DVec3 {
        let mut moved = p;
        moved[self.axis] = self.at;
        moved
    }
}

/// The tree with partners made each other's mirror images.
pub(super) fn symmetrised(tree: &Tree, mirror: &Mirror, diagonal: f64) -> Tree {
    let reach = PARTNER_REACH * diagonal;
    // In the plane, and as central as can be: the thickest such branch point, or point.
    let near = |n: &u32| {
        let p = tree.points[*n as usize];
        (p[mirror.axis] - mirror.at).abs() < reach / 2.0
    };
    let rank = |&n: &u32| (tree.links[n as usize].len() > 2, tree.radii[n as usize]);
    let root = (0..tree.len() as u32).filter(near).max_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let Some(root) = root else { return tree.clone() };
    let mut work = Symmetriser {
        old: tree,
        mirror,
        reach,
        new: Tree::default(),
    };
    let start = work
        .new
        .add(mirror.onto(tree.points[root as usize]), tree.radii[root as usize]);
    work.central(root, None, start);
    work.new
}

struct Symmetriser<'a> {
    old: &'a Tree,
    mirror: &'a Mirror,
    reach: f64,
    new: Tree,
}

impl Symmetriser<'_> {
    fn branches(&self, node: u32, from: Option<u32>) -> Vec<Vec<u32>> {
        self.old.links[node as usize]
            .iter()
            .filter(|&&n| Some(n) != from)
            .map(|&n| self.old.branch(node, n))
            .collect()
    }

    fn end(&self, branch: &[u32]) -> DVec3 {
        branch
            .last()
            .map_or(DVec3::ZERO, |&e| self.old.points[e as usize])
    }

    fn before_end(branch: &[u32], start: u32) -> Option<u32> {
        Some(match branch {
            [.., before, _] => *before,
            _ => start,
        })
    }

    /// Copies what hangs on a point in the plane.
    fn central(&mut self, node: u32, from: Option<u32>, new: u32) {
        let branches = self.branches(node, from);
        let mut options = Vec::new();
        for i in 0..branches.len() {
            for j in i..branches.len() {
                let miss = self
                    .mirror
                    .image(self.end(&branches[i]))
                    .distance(self.end(&branches[j]));
                // A branch is its own partner only if all of it is in the plane.
                let allowed = if i == j { self.reach / 2.0 } else { self.reach };
                if miss < allowed {
                    options.push((miss, i, j));
                }
            }
        }
        options.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut taken = vec![false; branches.len()];
        for (_, i, j) in options {
            if taken[i] || taken[j] {
                continue;
            }
            (taken[i], taken[j]) = (true, true);
            if i == j {
                let mut last = new;
                let mut before = node;
                for &n in &branches[i] {
                    last = self.copy(before, n, last, self.mirror.onto(self.old.points[n as usize]));
                    before = n;
                }
                let from = Self::before_end(&branches[i], node);
                self.central(before, from, last);
            } else {
                self.partners((node, node), &branches[i], &branches[j], (new, new));
            }
        }
        for (branch, _) in branches.iter().zip(taken).filter(|(_, taken)| !taken) {
            self.alone(node, branch, new);
        }
    }

    /// Copies two branches as mirror images of their mean, and what hangs on them.
    fn partners(&mut self, starts: (u32, u32), a: &[u32], b: &[u32], news: (u32, u32)) {
        let whole = |start: u32, branch: &[u32]| -> Vec<u32> {
            std::iter::once(start).chain(branch.iter().copied()).collect()
        };
        let (a, b) = (whole(starts.0, a), whole(starts.1, b));
        let count = a.len().max(b.len());
        let bridged = |path: &[u32]| path.windows(2).any(|w| self.old.is_bridge(w[0], w[1]));
        let across = bridged(&a) || bridged(&b);
        let mut last = news;
        for k in 1..count {
            let share = k as f64 / (count - 1) as f64;
            let (p, radius) = self.along(&a, share);
            let (q, other) = self.along(&b, share);
            let place = p.midpoint(self.mirror.image(q));
            let radius = radius.midpoint(other);
            let next = (
                self.new.add(place, radius),
                self.new.add(self.mirror.image(place), radius),
            );
            for (l, n) in [(last.0, next.0), (last.1, next.1)] {
                self.new.join(l, n);
                if across && k == 1 {
                    self.new.bridges.insert([l.min(n), l.max(n)]);
                }
            }
            last = next;
        }
        let (Some(&end_a), Some(&end_b)) = (a.last(), b.last()) else {
            return;
        };
        let before = |path: &[u32]| path.len().checked_sub(2).map(|i| path[i]);
        let (of_a, of_b) = (self.branches(end_a, before(&a)), self.branches(end_b, before(&b)));
        let mut options = Vec::new();
        for i in 0..of_a.len() {
            for j in 0..of_b.len() {
                let miss = self.mirror.image(self.end(&of_a[i])).distance(self.end(&of_b[j]));
                if miss < self.reach {
                    options.push((miss, i, j));
                }
            }
        }
        options.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        let (mut taken_a, mut taken_b) = (vec![false; of_a.len()], vec![false; of_b.len()]);
        for (_, i, j) in options {
            if !taken_a[i] && !taken_b[j] {
                (taken_a[i], taken_b[j]) = (true, true);
                self.partners((end_a, end_b), &of_a[i], &of_b[j], last);
            }
        }
        for (end, branches, taken, new) in [(end_a, of_a, taken_a, last.0), (end_b, of_b, taken_b, last.1)] {
            for (branch, _) in branches.iter().zip(taken).filter(|(_, taken)| !taken) {
                self.alone(end, branch, new);
            }
        }
    }

    /// The place at a share of a path's length.
    fn along(&self, path: &[u32], share: f64) -> (DVec3, f64) {
        let mut left = share * self.old.path_length(path);
        for w in path.windows(2) {
            let step = self.old.distance(w[0], w[1]);
            if left <= step && step > 0.0 {
                let [a, b] = [w[0], w[1]].map(|n| n as usize);
                let t = left / step;
                let radius = self.old.radii[a] + t * (self.old.radii[b] - self.old.radii[a]);
                return (self.old.points[a].lerp(self.old.points[b], t), radius);
            }
            left -= step;
        }
        let end = path.last().copied().unwrap_or(0) as usize;
        (self.old.points[end], self.old.radii[end])
    }

    fn copy(&mut self, before: u32, node: u32, last: u32, place: DVec3) -> u32 {
        let next = self.new.add(place, self.old.radii[node as usize]);
        self.new.join(last, next);
        if self.old.is_bridge(before, node) {
            self.new.bridges.insert([last.min(next), last.max(next)]);
        }
        next
    }

    /// Copies a branch and all that hangs on it as it is.
    fn alone(&mut self, node: u32, branch: &[u32], new: u32) {
        let (mut before, mut last) = (node, new);
        for &n in branch {
            last = self.copy(before, n, last, self.old.points[n as usize]);
            before = n;
        }
        for next in self.branches(before, Self::before_end(branch, node)) {
            self.alone(before, &next, last);
        }
    }
}
