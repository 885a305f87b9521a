//! The solid body that a skeleton lies in: how deep a point is, how thick it is there, paths through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{DVec3, IVec3};

use super::voxels::{Voxels, around};
use crate::solid::Solid;

/// Steps near the surface cost up to this much more than along the middle.
const SHALLOW_COST: f64 = 8.0;

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
    /// How deep below the surface a point is; 0 outside.
    pub fn depth(&self, p: DVec3) -> f64 {
        let v = self.voxels.containing(p);
        if self.voxels.holds(v) {
            self.depths[self.voxels.at(v)]
        } else {
            0.0
        }
    }

    /// How deep below the surface a point is, between voxels too: it changes steadily
    /// as the point does.
    pub fn radius(&self, p: DVec3) -> f64 {
        let corner = (p - self.voxels.origin) / self.voxels.cell - 0.5;
        let (low, part) = (corner.floor(), corner - corner.floor());
        (0..8)
            .map(|k| {
                let side = IVec3::new(k & 1, k >> 1 & 1, k >> 2);
                let v = low.as_ivec3() + side;
                let fraction = |axis: usize| {
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
                depth * fraction(0) * fraction(1) * fraction(2)
            })
            .sum()
    }

    /// The solid voxel nearest to a point.
    pub(super) fn nearest_solid(&self, p: DVec3) -> Option<IVec3> {
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

    /// A point itself if the finer solid holds it, or the nearest point around that it does.
    pub(super) fn settled(&self, p: DVec3) -> DVec3 {
        if self.solid.contains(p) {
            return p;
        }
        let half = 0.5 * self.voxels.cell;
        let near = (-2..=2).flat_map(|z| (-2..=2).flat_map(move |y| (-2..=2).map(move |x| [x, y, z])));
        let positions = near.map(|o| p + half * DVec3::from(o.map(f64::from)));
        positions
            .filter(|&q| self.solid.contains(q))
            .min_by(|a, b| a.distance(p).total_cmp(&b.distance(p)))
            .unwrap_or(p)
    }

    /// How far a point is from the solid; 0 inside.
    pub fn off_solid(&self, p: DVec3) -> f64 {
        if self.depth(p) > 0.0 {
            return 0.0;
        }
        let nearest = self.nearest_solid(p);
        nearest.map_or(f64::INFINITY, |v| self.voxels.centre(v).distance(p))
    }

    /// A point inside near `p`: itself if it is inside, else where the solid is deeper
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

    /// A path through the solid from one point to another, both left out, that keeps to the
    /// middle; `None` if they are in separate pieces.
    pub fn path(&self, from: DVec3, to: DVec3) -> Option<Vec<DVec3>> {
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
        let mut path = Vec::new();
        while at != voxels.at(start) {
            at = cost.get(&at)?.1;
            path.push(voxels.centre(voxels.voxel(at)));
        }
        path.pop();
        path.reverse();
        Some(path)
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
