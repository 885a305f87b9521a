//! Which plane the body is symmetric about, and a tree that is exactly as symmetric.
//!
//! One half of the tree, the richer one, takes the other's place, so that what was found on
//! one side alone is there on both.

use glam::DVec3;

use super::body::Body;
use super::tree::Tree;
use super::voxels::Voxels;

/// A body is symmetric if so much of it lies on its mirror image.
const SYMMETRIC: f64 = 0.88;

/// What is nearer than this fraction of the diagonal to the plane may be in it.
const REACH: f64 = 0.03;

/// A limb whose mirror image is somewhere so many voxels off the body is on one side alone.
const OFF: f64 = 2.0;
/// So is one with more than this fraction of its mirror image outside.
const OFF_SHARE: f64 = 0.15;

/// A plane across one of the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::rig) struct Mirror {
    /// The axis that it is across.
    pub axis: usize,
    /// Where it is along that axis.
    pub at: f64,
    /// The fraction of the body that lies on its mirror image.
    pub fraction: f64,
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
            fraction: -1.0,
        };
        for at in [middle, 0.0, mass] {
            let mirror = Self {
                axis,
                at,
                fraction: 0.0,
            };
            let partnered = solid
                .iter()
                .filter(|&&v| {
                    let image = mirror.image(voxels.centre(voxels.voxel(v)));
                    voxels.is_solid(voxels.containing(image))
                })
                .count();
            let fraction = partnered as f64 / count;
            if fraction > best.fraction + 1e-3 {
                best = Self { fraction, ..mirror };
            }
        }
        best
    }

    /// Whether the body is symmetric about it.
    pub fn is_symmetric(&self) -> bool {
        self.fraction >= SYMMETRIC
    }

    /// The mirror image of a point.
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

/// The tree with its richer half in place of the other, mirrored. What is all on that half
/// hangs on the points between, which move into the plane; ends that the body has on one
/// side alone (a sword, a pouch) stay as they are. `None` where the tree is too far from
/// symmetric for that: a loop that is open on one side.
pub(super) fn symmetrised(tree: &Tree, mirror: &Mirror, diagonal: f64, body: &Body<'_>) -> Option<Tree> {
    let reach = REACH * diagonal;
    let side = |n: u32| tree.points[n as usize][mirror.axis] - mirror.at;
    // Near the plane, and as central as can be: the thickest such branch point, or point.
    let rank = |n: u32| (tree.links[n as usize].len() > 2, tree.radii[n as usize]);
    let root = (0..tree.len() as u32)
        .filter(|&n| side(n).abs() < reach)
        .max_by(|&a, &b| {
            let (a, b) = (rank(a), rank(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        })?;
    let order = tree.outward(root);
    let parents = tree.parents(root);
    let mut ends = vec![Ends::default(); tree.len()];
    // Of how many points in a limb the mirror image is outside, and how many there are.
    let mut outside = vec![(0u32, 0u32); tree.len()];
    for &n in order.iter().rev() {
        if tree.links[n as usize].len() == 1 && n != root {
            ends[n as usize] = Ends::of(tree.points[n as usize], mirror, reach, body);
        }
        let image = mirror.image(tree.points[n as usize]);
        if ends[n as usize].side().is_some() && body.off_solid(image) > OFF * body.voxels.cell {
            ends[n as usize] = Ends::EXTRA;
        }
        let count = &mut outside[n as usize];
        *count = (count.0 + u32::from(!body.holds_line(image, image)), count.1 + 1);
        if let Some(p) = parents[n as usize] {
            let (count, own) = (*count, ends[n as usize]);
            let above = &mut outside[p as usize];
            *above = (above.0 + count.0, above.1 + count.1);
            ends[p as usize].add(&own);
        }
    }
    // A whole limb, from the middle on, is where it is on both sides or on none.
    let mut in_limb = vec![false; tree.len()];
    let mut lengths = [0.0; 2];
    for &n in &order {
        let Some(p) = parents[n as usize] else { continue };
        in_limb[n as usize] = ends[n as usize].side().is_some();
        let (out, all) = outside[n as usize];
        let begins = in_limb[n as usize] && !in_limb[p as usize];
        if (begins && f64::from(out) > OFF_SHARE * f64::from(all))
            || (in_limb[p as usize] && ends[p as usize].is_extra())
        {
            ends[n as usize] = Ends::EXTRA;
            in_limb[n as usize] = true;
        } else if let Some(above) = ends[n as usize].side() {
            lengths[usize::from(above)] += tree.distance(n, p);
        }
    }
    let richer = lengths[1] >= lengths[0];
    let sign = if richer { 1.0 } else { -1.0 };
    let mut new = Tree::default();
    // For each old point that is copied, the new one and its mirror image.
    let mut copies: Vec<Option<[u32; 2]>> = vec![None; tree.len()];
    for &n in &order {
        let (p, radius) = (tree.points[n as usize], tree.radii[n as usize]);
        let own = ends[n as usize];
        let before = match parents[n as usize] {
            None => None,
            Some(b) if copies[b as usize].is_some() => copies[b as usize].map(|at| (b, at)),
            Some(_) => continue,
        };
        let positions = match own.side() {
            _ if before.is_none() => [mirror.onto(p); 2],
            _ if own.is_extra() => continue,
            Some(above) if above != richer => continue,
            Some(_) if sign * side(n) < -reach => return None,
            None if side(n).abs() > 2.0 * reach => return None,
            // Nothing is in the middle there.
            None if body.off_solid(mirror.onto(p)) > 2.0 * body.voxels.cell + body.off_solid(p) => {
                return None;
            }
            Some(_) => {
                // On its own side, also where it leaves the middle.
                let mut position = p;
                position[mirror.axis] = mirror.at + sign * (sign * side(n)).max(0.0);
                [position, mirror.image(position)]
            }
            None => [mirror.onto(p); 2],
        };
        let one = new.add(positions[0], radius);
        let other = if own.side().is_some() && before.is_some() {
            new.add(positions[1], radius)
        } else {
            one
        };
        copies[n as usize] = Some([one, other]);
        if let Some((b, at)) = before {
            let pairs = [(at[0], one), (at[1], other)];
            for (from, to) in &pairs[..if one == other { 1 } else { 2 }] {
                new.join(*from, *to);
                if tree.is_bridge(b, n) {
                    new.bridges.insert([*from.min(to), *from.max(to)]);
                }
            }
        }
    }
    // What is on one side alone, and what the richer half lacks.
    let symmetric = new.len() as u32;
    let nearest = |new: &Tree, p: DVec3| {
        let distance = |m: u32| new.points[m as usize].distance(p);
        let nearest = (0..symmetric).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest.map(|m| (m, distance(m)))
    };
    for &n in &order {
        let Some(from) = parents[n as usize] else { continue };
        let own = ends[n as usize];
        let begins = |is: &dyn Fn(&Ends) -> bool| is(&own) && !is(&ends[from as usize]);
        let lost = |e: &Ends| e.side() == Some(!richer);
        let missing = begins(&lost) && {
            let far = farthest_end(tree, from, n);
            nearest(&new, tree.points[far as usize]).is_none_or(|(_, d)| d > 2.0 * reach)
        };
        if begins(&Ends::is_extra) || missing {
            let Some((at, _)) = nearest(&new, tree.points[from as usize]) else {
                continue;
            };
            copy_all(tree, from, n, &mut new, at);
        }
    }
    Some(new)
}

/// The end of what hangs on `from` by way of `next` that is farthest from `from`.
fn farthest_end(tree: &Tree, from: u32, next: u32) -> u32 {
    let mut best = (0.0, next);
    let mut stack = vec![(from, next)];
    while let Some((before, n)) = stack.pop() {
        let distance = tree.distance(from, n);
        if distance > best.0 {
            best = (distance, n);
        }
        let onward = tree.links[n as usize].iter().filter(|&&m| m != before);
        stack.extend(onward.map(|&m| (n, m)));
    }
    best.1
}

/// Copies what hangs on `from` by way of `next` as it is.
fn copy_all(tree: &Tree, from: u32, next: u32, new: &mut Tree, at: u32) {
    let mut stack = vec![(from, next, at)];
    while let Some((before, n, at)) = stack.pop() {
        let copy = new.add(tree.points[n as usize], tree.radii[n as usize]);
        new.join(at, copy);
        if tree.is_bridge(before, n) {
            new.bridges.insert([at.min(copy), at.max(copy)]);
        }
        let onward = tree.links[n as usize].iter().filter(|&&m| m != before);
        stack.extend(onward.map(|&m| (n, m, copy)));
    }
}

/// Where the ends of a part of a tree are.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    above: bool,
    below: bool,
    middle: bool,
    /// Some have no mirror image in the body. Where others are does not depend on them.
    extra: bool,
}

impl Ends {
    const EXTRA: Self = Self {
        above: false,
        below: false,
        middle: false,
        extra: true,
    };

    /// For a single end. The plane runs through it if the body is solid between it and its
    /// mirror image.
    fn of(end: DVec3, mirror: &Mirror, reach: f64, body: &Body<'_>) -> Self {
        let image = mirror.image(end);
        let middle = end.distance(image) < 2.0 * reach && body.voxels.sees(end, image);
        let above = end[mirror.axis] > mirror.at;
        Self {
            above: !middle && above,
            below: !middle && !above,
            middle,
            extra: false,
        }
    }

    fn add(&mut self, other: &Self) {
        self.above |= other.above;
        self.below |= other.below;
        self.middle |= other.middle;
        self.extra |= other.extra;
    }

    /// Whether all ends are above the plane, or all below.
    fn side(&self) -> Option<bool> {
        (!self.middle && self.above != self.below).then_some(self.above)
    }

    /// Whether no end has a mirror image in the body.
    fn is_extra(&self) -> bool {
        self.extra && !self.above && !self.below && !self.middle
    }
}
