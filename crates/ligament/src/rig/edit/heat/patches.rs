//! The skin in patches, about as wide as the length over which heat fades: coarse enough to
//! solve on them in a millisecond, fine enough to tell from it where a change is felt.

use std::collections::VecDeque;

use glam::DVec3;

use crate::bind::heat::{HeatSurface, LEAST_EDGE};
use crate::surface::Laplacian;

/// How far a patch's first position covers, as a share of the length over which heat fades.
const COVERED: f64 = 1.0;
/// And at most this share of the diagonal, where nothing heats.
const WIDEST: f64 = 0.05;
/// Patches of many positions conduct so much better than the edges between them say. Of 1 to 4
/// this factor has the fewest positions solved in all when every joint of the armadillo is
/// dragged: 15 in 100 less than 1.
const CONDUCTING: f64 = 2.0;

/// Positions in patches.
#[derive(Debug)]
pub(super) struct Patches {
    of_position: Vec<u32>,
    /// Where each patch's positions begin; one more at the end.
    starts: Vec<u32>,
    positions: Vec<u32>,
    /// What the skin conducts between patches, and their areas.
    pub laplacian: Laplacian,
}

impl Patches {
    /// Divides a surface with heat M·H at its positions.
    pub fn of(surface: &HeatSurface, heat: &[f64]) -> Self {
        let of_position = divided(surface, heat);
        let count = of_position.iter().max().map_or(0, |&last| last as usize + 1);
        let mut starts = vec![0u32; count + 1];
        for &patch in &of_position {
            starts[patch as usize + 1] += 1;
        }
        for patch in 0..count {
            starts[patch + 1] += starts[patch];
        }
        let mut positions: Vec<u32> = (0..of_position.len() as u32).collect();
        positions.sort_by_key(|&p| of_position[p as usize]);
        let mut patches = Self {
            of_position,
            starts,
            positions,
            laplacian: Laplacian::default(),
        };
        patches.laplacian = patches.conducting(surface);
        patches
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The patch of a position.
    pub fn of_position(&self, position: usize) -> usize {
        self.of_position[position] as usize
    }

    /// The positions of a patch.
    pub fn positions(&self, patch: usize) -> &[u32] {
        &self.positions[self.starts[patch] as usize..self.starts[patch + 1] as usize]
    }

    /// The sums over patches of what positions have.
    pub fn sums(&self, of_position: impl Fn(usize) -> f64) -> Vec<f64> {
        let of_patch = |patch| {
            self.positions(patch)
                .iter()
                .map(|&p| of_position(p as usize))
                .sum()
        };
        (0..self.len()).map(of_patch).collect()
    }

    /// The Laplacian between patches. Along a way from middle to middle an edge takes the
    /// share of the difference that it is long, in that direction; so patches of one
    /// position have the surface's own.
    fn conducting(&self, surface: &HeatSurface) -> Laplacian {
        let points = &surface.skin.points;
        let middle = |patch: usize| {
            let positions = self.positions(patch);
            let sum: DVec3 = positions.iter().map(|&p| points[p as usize]).sum();
            sum / positions.len() as f64
        };
        let middles: Vec<DVec3> = (0..self.len()).map(middle).collect();
        let mut laplacian = Laplacian {
            starts: vec![0],
            areas: self.sums(|p| surface.areas[p]),
            ..Laplacian::default()
        };
        let mut row: Vec<(u32, f64)> = Vec::new();
        for patch in 0..self.len() {
            row.clear();
            for &from in self.positions(patch) {
                for (to, weight) in surface.laplacian.row(from as usize) {
                    let other = self.of_position(to as usize);
                    if other == patch {
                        continue;
                    }
                    let across = middles[other] - middles[patch];
                    let edge = points[to as usize] - points[from as usize];
                    let share = (edge.dot(across) / across.length_squared()).abs();
                    let share = if share <= 1.0 { share } else { 1.0 };
                    let better = CONDUCTING + (1.0 - CONDUCTING) * share;
                    row.push((other as u32, weight.max(LEAST_EDGE) * share * better));
                }
            }
            row.sort_by_key(|e| e.0);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                laplacian.columns.push(same[0].0);
                laplacian.weights.push(same.iter().map(|e| e.1).sum());
            }
            laplacian.starts.push(laplacian.columns.len() as u32);
        }
        laplacian
    }
}

/// For each position the number of its patch: that of the nearest first position by edges,
/// where first positions cover the surface.
fn divided(surface: &HeatSurface, heat: &[f64]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let points = &surface.skin.points;
    let widest = WIDEST * surface.skin.body.diagonal;
    let mut covered = vec![false; points.len()];
    let mut firsts: Vec<u32> = Vec::new();
    let mut queue: VecDeque<u32> = VecDeque::new();
    let mut seen = vec![NONE; points.len()];
    for first in 0..points.len() {
        if covered[first] {
            continue;
        }
        let fading = (surface.areas[first] / heat[first].max(f64::MIN_POSITIVE)).sqrt();
        let radius = (COVERED * fading).min(widest);
        firsts.push(first as u32);
        seen[first] = first as u32;
        queue.push_back(first as u32);
        while let Some(from) = queue.pop_front() {
            covered[from as usize] = true;
            for (to, _) in surface.laplacian.row(from as usize) {
                let near = points[to as usize].distance(points[first]) <= radius;
                if near && seen[to as usize] != first as u32 {
                    seen[to as usize] = first as u32;
                    queue.push_back(to);
                }
            }
        }
    }
    let mut patch = vec![NONE; points.len()];
    for (number, &first) in (0..).zip(&firsts) {
        patch[first as usize] = number;
    }
    queue.extend(firsts);
    while let Some(from) = queue.pop_front() {
        for (to, _) in surface.laplacian.row(from as usize) {
            if patch[to as usize] == NONE {
                patch[to as usize] = patch[from as usize];
                queue.push_back(to);
            }
        }
    }
    patch
}
