//! Smoothing weights along a surface by a length.
//!
//! Solves (A/h² + L) w = (A/h²) w₀ for each joint, with A the areas, L the cotangent
//! Laplacian and h a length for each position: what diffuses further than h is pulled back
//! to where it came from. A length, and not a number of averaging steps, so that the
//! result does not depend on how finely the surface is cut. Weights stay within 0 and 1
//! and keep their sum, because L is a matrix of the right signs and rows that sum to zero.
//!
//! A joint reaches few positions, so each joint's system is solved only where its weights
//! are and three lengths around (beyond, they would be under a twentieth of what they are
//! at the border), by conjugate gradients with the diagonal as preconditioner.

use glam::DVec3;
use rayon::prelude::*;

use super::Laplacian;
use crate::character::{Influence, JointIndex, Weights};
use crate::task::{Cancelled, Task};

/// How many lengths around its weights a joint's system is solved.
const REACH: f64 = 3.0;
/// Residuals below this share of the right-hand side end the iteration.
const TOLERANCE: f64 = 1e-3;
/// More iterations are never needed: each takes the error down by a fixed factor.
const MOST_ITERATIONS: usize = 200;

/// Smooths weights by `lengths[i]` at position i. The result has as many influences as
/// diffusion gives; the caller limits them.
pub fn diffused(
    laplacian: &Laplacian,
    points: &[DVec3],
    lengths: &[f64],
    weights: &Weights,
    joints: usize,
    task: &Task<'_>,
) -> Result<Vec<Vec<Influence>>, Cancelled> {
    let mut of_joint: Vec<Vec<(u32, f32)>> = vec![Vec::new(); joints];
    for position in 0..points.len() {
        for influence in weights.of_vertex(position) {
            of_joint[influence.joint.at()].push((position as u32, influence.weight));
        }
    }
    let system = System::new(laplacian, points, lengths);
    let solved: Vec<Vec<(u32, f32)>> = of_joint
        .par_iter()
        .map(|given| {
            task.step("smoothing", 0.5)?;
            Ok(system.solve(given))
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut rows: Vec<Vec<Influence>> = vec![Vec::new(); points.len()];
    for (joint, values) in solved.iter().enumerate() {
        for &(position, weight) in values.iter().filter(|v| v.1 > 0.0) {
            rows[position as usize].push(Influence {
                joint: JointIndex(joint as u16),
                weight,
            });
        }
    }
    Ok(rows)
}

/// The matrix with rows divided by A/h²: one on what is given, `pull` on what is around.
struct System<'a> {
    laplacian: &'a Laplacian,
    points: &'a [DVec3],
    lengths: &'a [f64],
    /// A/h² of each position; zero where nothing holds a position to what it was given.
    hold: Vec<f64>,
    diagonal: Vec<f64>,
}

impl<'a> System<'a> {
    fn new(laplacian: &'a Laplacian, points: &'a [DVec3], lengths: &'a [f64]) -> Self {
        let hold: Vec<f64> = laplacian
            .areas
            .iter()
            .zip(lengths)
            .map(|(&area, &h)| area / (h * h).max(f64::MIN_POSITIVE))
            .collect();
        let diagonal = (0..points.len())
            .map(|i| hold[i] + laplacian.row(i).map(|e| e.1).sum::<f64>())
            .collect();
        Self {
            laplacian,
            points,
            lengths,
            hold,
            diagonal,
        }
    }

    /// The smoothed values of one joint, in ascending order of positions.
    fn solve(&self, given: &[(u32, f32)]) -> Vec<(u32, f32)> {
        let support = self.support(given);
        let n = support.len();
        let mut local = vec![u32::MAX; self.points.len()];
        for (i, &p) in support.iter().enumerate() {
            local[p as usize] = i as u32;
        }
        // The rows of the support, with columns outside it dropped: zero is held there.
        let mut starts = vec![0usize];
        let mut entries: Vec<(u32, f64)> = Vec::new();
        for &p in &support {
            let row = self.laplacian.row(p as usize);
            entries.extend(
                row.map(|(q, w)| (local[q as usize], w))
                    .filter(|e| e.0 != u32::MAX && e.1 > 0.0),
            );
            starts.push(entries.len());
        }
        let diagonal: Vec<f64> = support.iter().map(|&p| self.diagonal[p as usize]).collect();
        let apply = |x: &[f64], out: &mut [f64]| {
            for i in 0..n {
                let sum: f64 = entries[starts[i]..starts[i + 1]]
                    .iter()
                    .map(|&(j, w)| w * x[j as usize])
                    .sum();
                out[i] = diagonal[i] * x[i] - sum;
            }
        };
        let mut right = vec![0.0; n];
        let mut x = vec![0.0; n];
        for &(p, weight) in given {
            let i = local[p as usize] as usize;
            right[i] = self.hold[p as usize] * f64::from(weight);
            x[i] = f64::from(weight);
        }
        conjugate_gradients(&diagonal, &right, &mut x, apply);
        for (i, &p) in support.iter().enumerate() {
            if self.diagonal[p as usize] == 0.0 {
                // Nobody holds it and it has no neighbours: it keeps what it was given.
                let own = given
                    .binary_search_by_key(&p, |g| g.0)
                    .map_or(0.0, |at| f64::from(given[at].1));
                x[i] = own;
            }
        }
        support
            .iter()
            .zip(&x)
            .map(|(&p, &value)| (p, value as f32))
            .collect()
    }

    /// The positions with a weight and those within reach, ascending.
    fn support(&self, given: &[(u32, f32)]) -> Vec<u32> {
        let mut distance = rustc_hash::FxHashMap::<u32, f64>::default();
        let mut front: Vec<u32> = given.iter().map(|g| g.0).collect();
        for &p in &front {
            distance.insert(p, 0.0);
        }
        let mut list = front.clone();
        while !front.is_empty() {
            let mut next = Vec::new();
            for &p in &front {
                let so_far = distance[&p];
                for (q, _) in self.laplacian.row(p as usize) {
                    let way = so_far + self.points[p as usize].distance(self.points[q as usize]);
                    if way > REACH * self.lengths[q as usize] {
                        continue;
                    }
                    match distance.entry(q) {
                        std::collections::hash_map::Entry::Vacant(free) => {
                            free.insert(way);
                            list.push(q);
                            next.push(q);
                        }
                        std::collections::hash_map::Entry::Occupied(mut known) => {
                            if way < *known.get() {
                                known.insert(way);
                                next.push(q);
                            }
                        }
                    }
                }
            }
            front = next;
        }
        list.sort_unstable();
        list
    }
}

/// Solves a symmetric positive definite system from the start `x`.
fn conjugate_gradients(diagonal: &[f64], right: &[f64], x: &mut [f64], apply: impl Fn(&[f64], &mut [f64])) {
    let n = x.len();
    let scaled = |r: &[f64], i: usize| {
        if diagonal[i] > 0.0 {
            r[i] / diagonal[i]
        } else {
            0.0
        }
    };
    let mut image = vec![0.0; n];
    apply(x, &mut image);
    let mut residual: Vec<f64> = (0..n).map(|i| right[i] - image[i]).collect();
    let mut direction: Vec<f64> = (0..n).map(|i| scaled(&residual, i)).collect();
    let mut energy: f64 = (0..n).map(|i| residual[i] * direction[i]).sum();
    let goal: f64 = (0..n).map(|i| right[i] * scaled(right, i)).sum::<f64>() * TOLERANCE * TOLERANCE;
    for _ in 0..MOST_ITERATIONS {
        if energy <= goal {
            return;
        }
        apply(&direction, &mut image);
        let curvature: f64 = (0..n).map(|i| direction[i] * image[i]).sum();
        if curvature <= 0.0 {
            return;
        }
        let step = energy / curvature;
        for i in 0..n {
            x[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        let next: f64 = (0..n).map(|i| residual[i] * scaled(&residual, i)).sum();
        let share = next / energy;
        for i in 0..n {
            direction[i] = scaled(&residual, i) + share * direction[i];
        }
        energy = next;
    }
}
