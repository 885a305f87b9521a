//! Contraction of a closed surface to nearly nothing, by implicit Laplacian smoothing with
//! weights that keep what is thin already where it is.
//!
//! Au, Tai, Chu, Cohen-Or and Lee, "Skeleton Extraction by Mesh Contraction" (2008),
//! equation 1 and section 4: each step solves, in the sense of least squares,
//! `W_L·L·V′ = 0` and `W_H·V′ = W_H·V`, with L the cotangent operator of the present shape
//! and diagonal weights. `W_L` doubles from step to step; `W_H` of a point grows with the
//! root of how much its surroundings have shrunk. It ends when the volume is 10⁻⁶ of the
//! first one.
//!
//! Two things are not the paper's. It starts with `W_L = 10⁻³·√A`, A the mean area of a
//! face, which depends on the unit of length; here the start is [`FIRST_PULL`], whatever the
//! mesh's size: with less the first steps do nothing, with more thin limbs shorten. And it
//! ends when a step no longer halves a volume that is small already: from there on
//! rounding in triangles without area moves points, not their shape.

use faer::Mat;
use faer::Side;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use glam::DVec3;
use rayon::prelude::*;

use super::proxy::Proxy;
use crate::task::{Cancelled, Task};

/// The weight of contraction in the first step.
const FIRST_PULL: f64 = 8.0;
/// What it is multiplied with after each step (s_L of the paper).
const PULL_GROWTH: f64 = 2.0;
/// The share of the first volume at which it ends.
const SMALLEST_VOLUME: f64 = 1e-6;
/// A volume below this share has to halve in each step.
const SMALL_VOLUME: f64 = 1e-2;
/// Steps after which it ends in any case; real characters take 6 to 10.
const MOST_STEPS: usize = 20;
/// A point's surroundings count as no smaller than this share of what they were: weights
/// beyond that lose the digits of their neighbours.
const SMALLEST_AREA: f64 = 1e-10;

/// Cotangents beyond this belong to triangles whose area is rounding alone. It must be far
/// beyond what triangles along a contracted limb have: with 100 limbs shorten before the
/// body is thin.
const LARGEST_COTANGENT: f64 = 1e5;

/// The points of the contracted surface, in the order of the proxy's.
pub(super) fn contract(proxy: &Proxy, rings: &[Vec<u32>], task: &Task<'_>) -> Result<Vec<DVec3>, Cancelled> {
    const STAGE: &str = "contracting";
    let mut points = proxy.points.clone();
    let first_volume = Proxy::volume(&points, &proxy.faces).abs();
    let mut laplacian = Operator::of(rings, &points, &proxy.faces);
    let first_areas = laplacian.areas.clone();
    let mut solver = Solver::new(&laplacian);
    let mut pull = FIRST_PULL;
    for _ in 0..MOST_STEPS {
        let share = Proxy::volume(&points, &proxy.faces).abs() / first_volume;
        if share.is_nan() || share <= SMALLEST_VOLUME {
            break;
        }
        task.step(STAGE, (share.log10() / SMALLEST_VOLUME.log10()) as f32)?;
        let hold: Vec<f64> = first_areas
            .iter()
            .zip(&laplacian.areas)
            .map(|(&before, &now)| (before / now.max(SMALLEST_AREA * before)).sqrt())
            .map(|h| if h.is_finite() { h } else { 1.0 })
            .collect();
        let Some(next) = solver.step(&laplacian, pull, &hold, &points) else {
            break; // what rounding has made singular is contracted as far as it goes
        };
        let after = Proxy::volume(&next, &proxy.faces).abs() / first_volume;
        if after > 0.5 * share && share < SMALL_VOLUME {
            break;
        }
        points = next;
        laplacian = Operator::of(rings, &points, &proxy.faces);
        pull *= PULL_GROWTH;
    }
    Ok(points)
}

/// The normal equations `(W_L²·LᵀL + W_H²)·V′ = W_H²·V`, whose pattern never changes.
struct Solver {
    /// The lower triangle, column by column.
    starts: Vec<usize>,
    rows: Vec<usize>,
    symbolic: Option<SymbolicLlt<usize>>,
}

impl Solver {
    fn new(laplacian: &Operator) -> Self {
        let count = laplacian.len();
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for column in 0..count {
            let first = rows.len();
            rows.push(column);
            for (k, _) in laplacian.row(column) {
                rows.push(k as usize);
                rows.extend(laplacian.row(k as usize).map(|(j, _)| j as usize));
            }
            let tail = &mut rows[first..];
            tail.sort_unstable();
            let mut kept = first;
            for at in first..rows.len() {
                let row = rows[at];
                if row >= column && (kept == first || rows[kept - 1] != row) {
                    rows[kept] = row;
                    kept += 1;
                }
            }
            rows.truncate(kept);
            starts.push(rows.len());
        }
        let pattern = SymbolicSparseColMatRef::new_checked(count, count, &starts, None, &rows);
        let symbolic = SymbolicLlt::try_new(pattern, Side::Lower).ok();
        Self {
            starts,
            rows,
            symbolic,
        }
    }

    /// The points after one step, or `None` where the system cannot be solved.
    fn step(&mut self, l: &Operator, pull: f64, hold: &[f64], points: &[DVec3]) -> Option<Vec<DVec3>> {
        let count = l.len();
        // Each column of LᵀL by its own; the paper's cotangents are twice those here.
        let factor = 4.0 * pull * pull;
        let diagonal: Vec<f64> = (0..count).map(|i| l.row(i).map(|(_, w)| w).sum()).collect();
        let columns: Vec<Vec<f64>> = (0..count)
            .into_par_iter()
            .with_min_len(256)
            .map_init(
                || vec![0.0f64; count],
                |sums, i| {
                    let mut add = |k: usize, weight: f64| {
                        sums[k] += weight * diagonal[k];
                        for (j, w) in l.row(k) {
                            sums[j as usize] -= weight * w;
                        }
                    };
                    add(i, diagonal[i]);
                    for (k, w) in l.row(i) {
                        add(k as usize, -w);
                    }
                    let range = self.starts[i]..self.starts[i + 1];
                    let mut column: Vec<f64> = self.rows[range].iter().map(|&j| factor * sums[j]).collect();
                    column[0] += hold[i] * hold[i];
                    sums[i] = 0.0;
                    for (k, _) in l.row(i) {
                        sums[k as usize] = 0.0;
                        for (j, _) in l.row(k as usize) {
                            sums[j as usize] = 0.0;
                        }
                    }
                    column
                },
            )
            .collect();
        let values: Vec<f64> = columns.into_iter().flatten().collect();
        let pattern = SymbolicSparseColMatRef::new_checked(count, count, &self.starts, None, &self.rows);
        let matrix = SparseColMatRef::new(pattern, &values);
        let factors = Llt::try_new_with_symbolic(self.symbolic.clone()?, matrix, Side::Lower).ok()?;
        let right = Mat::from_fn(count, 3, |i, axis| hold[i] * hold[i] * points[i][axis]);
        let found = factors.solve(&right);
        let next: Vec<DVec3> = (0..count)
            .map(|i| DVec3::new(found[(i, 0)], found[(i, 1)], found[(i, 2)]))
            .collect();
        next.iter().all(|p| p.is_finite()).then_some(next)
    }
}

/// The cotangent operator of a closed surface, row by row, without its diagonal.
struct Operator {
    starts: Vec<usize>,
    columns: Vec<u32>,
    weights: Vec<f64>,
    areas: Vec<f64>,
}

impl Operator {
    fn of(rings: &[Vec<u32>], points: &[DVec3], faces: &[[u32; 3]]) -> Self {
        let mut starts = vec![0];
        for ring in rings {
            starts.push(starts[starts.len() - 1] + ring.len());
        }
        let columns: Vec<u32> = rings.iter().flatten().copied().collect();
        let mut weights = vec![0.0; columns.len()];
        let mut areas = vec![0.0; rings.len()];
        for face in faces {
            let [a, b, c] = face.map(|p| points[p as usize]);
            let double_area = (b - a).cross(c - a).length();
            for k in 0..3 {
                let (i, j, at) = (face[k], face[(k + 1) % 3], face[(k + 2) % 3]);
                areas[i as usize] += double_area / 2.0;
                let (u, v) = (
                    points[i as usize] - points[at as usize],
                    points[j as usize] - points[at as usize],
                );
                let cotangent = (u.dot(v) / double_area).clamp(-LARGEST_COTANGENT, LARGEST_COTANGENT);
                let cotangent = if cotangent.is_finite() { cotangent } else { 0.0 };
                for (from, to) in [(i, j), (j, i)] {
                    if let Ok(place) = rings[from as usize].binary_search(&to) {
                        weights[starts[from as usize] + place] += cotangent / 2.0;
                    }
                }
            }
        }
        Self {
            starts,
            columns,
            weights,
            areas,
        }
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[i]..self.starts[i + 1];
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.weights[range].iter().copied())
    }

    fn len(&self) -> usize {
        self.areas.len()
    }
}
