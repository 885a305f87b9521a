//! Smoothing weights along a surface by a length.
//!
//! Solves (A/h² + L) w = (A/h²) w₀ for each joint, with A the areas, L the cotangent
//! Laplacian and h a length for each position: what diffuses further than h is pulled back
//! to where it came from. A length, and not a number of averaging steps, so that the
//! result does not depend on how finely the surface is cut. Weights stay within 0 and 1
//! and keep their sum, because L is a matrix of the right signs and rows that sum to zero.
//!
//! A joint reaches few positions, so each joint's system is solved only where its weights
//! are and three lengths around (beyond, they would be under a twentieth of what they
//! are at the border), by conjugate gradients with the diagonal as preconditioner.

use glam::DVec3;
use rayon::prelude::*;

use super::Laplacian;
use crate::character::{Influence, JointIndex, Weights};
use crate::task::{Cancelled, Task};

/// How many lengths around its weights a joint's system is solved.
const REACH: f32 = 3.0;
/// Weights below this are not smoothed but dropped: there are many, far from their joint,
/// and each would widen the place where the joint's system is solved.
const COUNTS: f32 = 0.01;
/// Residuals below this share of the right-hand side end the iteration: errors of weights
/// are then about a hundredth where they are largest, in the middle of a blend.
const TOLERANCE: f32 = 2e-2;
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
        for influence in weights.of_vertex(position).iter().filter(|i| i.weight >= COUNTS) {
            of_joint[influence.joint.at()].push((position as u32, influence.weight));
        }
    }
    let system = System::new(laplacian, points, lengths);
    let solved: Vec<Vec<(u32, f32)>> = of_joint
        .par_iter()
        .map_init(
            || Scratch::new(points.len()),
            |scratch, given| {
                task.step("smoothing", 0.5)?;
                Ok(system.solve(given, scratch))
            },
        )
        .collect::<Result<_, Cancelled>>()?;
    let mut rows: Vec<Vec<Influence>> = (0..points.len())
        .map(|p| Vec::with_capacity(weights.of_vertex(p).len() + 2))
        .collect();
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

/// One entry for each position, clean between two joints.
struct Scratch {
    /// The way from the nearest weight, infinite where none is near.
    way: Vec<f32>,
    /// The number of a position among those that are solved for.
    local: Vec<u32>,
}

impl Scratch {
    fn new(positions: usize) -> Self {
        Self {
            way: vec![f32::INFINITY; positions],
            local: vec![u32::MAX; positions],
        }
    }
}

/// The matrix, in the units of its largest entries.
struct System<'a> {
    laplacian: &'a Laplacian,
    lengths: &'a [f64],
    /// A/h² of each position; zero where nothing holds a position to what it was given.
    hold: Vec<f32>,
    diagonal: Vec<f32>,
    /// The weights of the Laplacian's entries.
    weights: Vec<f32>,
    /// The lengths of the edges of the Laplacian's entries.
    edges: Vec<f32>,
}

impl<'a> System<'a> {
    fn new(laplacian: &'a Laplacian, points: &[DVec3], lengths: &'a [f64]) -> Self {
        let row_sum = |i: usize| laplacian.row(i).map(|e| e.1).sum::<f64>();
        let held = |i: usize| {
            let hold = laplacian.areas[i] / (lengths[i] * lengths[i]);
            // A position with no length is held a million times stronger than it is pulled.
            hold.min(1e6 * row_sum(i))
        };
        let hold: Vec<f64> = (0..points.len()).map(held).collect();
        Self {
            laplacian,
            lengths,
            diagonal: (0..points.len()).map(|i| (hold[i] + row_sum(i)) as f32).collect(),
            hold: hold.iter().map(|&h| h as f32).collect(),
            weights: laplacian.weights.iter().map(|&w| w as f32).collect(),
            edges: (0..points.len())
                .flat_map(|i| {
                    laplacian
                        .row(i)
                        .map(move |(j, _)| points[i].distance(points[j as usize]) as f32)
                })
                .collect(),
        }
    }

    fn row(&self, position: usize) -> std::ops::Range<usize> {
        self.laplacian.starts[position] as usize..self.laplacian.starts[position + 1] as usize
    }

    /// The smoothed values of one joint, in ascending order of positions.
    fn solve(&self, given: &[(u32, f32)], scratch: &mut Scratch) -> Vec<(u32, f32)> {
        let support = self.support(given, scratch);
        for (i, &p) in support.iter().enumerate() {
            scratch.local[p as usize] = i as u32;
        }
        // The rows of the support, without columns outside it: zero is held there.
        let mut starts = Vec::with_capacity(support.len() + 1);
        starts.push(0usize);
        let mut entries: Vec<(u32, f32)> = Vec::with_capacity(7 * support.len());
        for &p in &support {
            for e in self.row(p as usize) {
                let column = scratch.local[self.laplacian.columns[e] as usize];
                if column != u32::MAX {
                    entries.push((column, self.weights[e]));
                }
            }
            starts.push(entries.len());
        }
        let diagonal: Vec<f32> = support.iter().map(|&p| self.diagonal[p as usize]).collect();
        let mut right = vec![0.0; support.len()];
        let mut x = vec![0.0; support.len()];
        for &(p, weight) in given {
            let i = scratch.local[p as usize] as usize;
            right[i] = self.hold[p as usize] * weight;
            x[i] = weight;
        }
        conjugate_gradients(&diagonal, &right, &mut x, |from, to| {
            for (i, range) in starts.windows(2).enumerate() {
                let sum: f32 = entries[range[0]..range[1]]
                    .iter()
                    .map(|&(j, w)| w * from[j as usize])
                    .sum();
                to[i] = diagonal[i] * from[i] - sum;
            }
        });
        for &p in &support {
            scratch.local[p as usize] = u32::MAX;
        }
        support.into_iter().zip(x).collect()
    }

    /// The positions with a weight and those within reach of one, ascending.
    fn support(&self, given: &[(u32, f32)], scratch: &mut Scratch) -> Vec<u32> {
        let mut list: Vec<u32> = given.iter().map(|g| g.0).collect();
        for &p in &list {
            scratch.way[p as usize] = 0.0;
        }
        let mut front: Vec<u32> = list.clone();
        let mut next = Vec::new();
        while !front.is_empty() {
            for &p in &front {
                for e in self.row(p as usize) {
                    let q = self.laplacian.columns[e] as usize;
                    let way = scratch.way[p as usize] + self.edges[e];
                    if way < scratch.way[q] && way <= REACH * self.lengths[q] as f32 {
                        if scratch.way[q] == f32::INFINITY {
                            list.push(q as u32);
                        }
                        scratch.way[q] = way;
                        next.push(q as u32);
                    }
                }
            }
            std::mem::swap(&mut front, &mut next);
            next.clear();
        }
        list.sort_unstable();
        for &p in &list {
            scratch.way[p as usize] = f32::INFINITY;
        }
        list
    }
}

/// Solves a symmetric positive definite system from the start `x`. Rows whose diagonal is
/// zero stay as they are.
fn conjugate_gradients(diagonal: &[f32], right: &[f32], x: &mut [f32], apply: impl Fn(&[f32], &mut [f32])) {
    let n = x.len();
    let scaled = |r: f32, i: usize| if diagonal[i] > 0.0 { r / diagonal[i] } else { 0.0 };
    let mut image = vec![0.0f32; n];
    apply(x, &mut image);
    let mut residual: Vec<f32> = (0..n).map(|i| right[i] - image[i]).collect();
    let mut direction: Vec<f32> = (0..n).map(|i| scaled(residual[i], i)).collect();
    // Sums over thousands of terms need more digits than the terms.
    let sum = |f: &dyn Fn(usize) -> f32| (0..n).map(|i| f64::from(f(i))).sum::<f64>();
    let mut energy = sum(&|i| residual[i] * direction[i]);
    let goal = sum(&|i| right[i] * scaled(right[i], i)) * f64::from(TOLERANCE * TOLERANCE);
    for _ in 0..MOST_ITERATIONS {
        if energy <= goal {
            return;
        }
        apply(&direction, &mut image);
        let curvature = sum(&|i| direction[i] * image[i]);
        if curvature <= 0.0 {
            return;
        }
        let step = (energy / curvature) as f32;
        for i in 0..n {
            x[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        let next = sum(&|i| residual[i] * scaled(residual[i], i));
        let share = (next / energy) as f32;
        for i in 0..n {
            direction[i] = scaled(residual[i], i) + share * direction[i];
        }
        energy = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of squares along x, `n` by 3 points, one apart.
    fn strip(n: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut faces = Vec::new();
        for x in 0..n - 1 {
            for y in 0..2 {
                let i = x * 3 + y;
                faces.push([i, i + 3, i + 4]);
                faces.push([i, i + 4, i + 1]);
            }
        }
        let points = (0..3 * n)
            .map(|i| DVec3::new(f64::from(i / 3), f64::from(i % 3), 0.0))
            .collect();
        (points, faces)
    }

    fn halves(points: &[DVec3], border: f64) -> Weights {
        Weights::rigid(points.iter().map(|p| JointIndex(u16::from(p.x > border))))
    }

    fn run(points: &[DVec3], faces: &[[u32; 3]], length: f64, weights: &Weights) -> Vec<Vec<Influence>> {
        let laplacian = Laplacian::of(points, faces);
        diffused(
            &laplacian,
            points,
            &vec![length; points.len()],
            weights,
            2,
            &Task::unattended(),
        )
        .unwrap()
    }

    fn of_joint(row: &[Influence], joint: u16) -> f32 {
        row.iter().find(|i| i.joint.0 == joint).map_or(0.0, |i| i.weight)
    }

    /// On a line, a step smoothed by (1 − h² d²/dx²)⁻¹ is ½·exp(−x/h) beyond the step.
    #[test]
    fn a_step_becomes_an_exponential() {
        let (points, faces) = strip(81);
        let h = 6.0;
        let rows = run(&points, &faces, h, &halves(&points, 40.0));
        for (p, row) in points.iter().zip(&rows) {
            let x = p.x - 40.5;
            let expected = if x > 0.0 {
                1.0 - 0.5 * (-x / h).exp()
            } else {
                0.5 * (x / h).exp()
            };
            // Beyond three lengths the tail is cut.
            assert!(
                (f64::from(of_joint(row, 1)) - expected).abs() < 0.05,
                "{} for {expected} at {x}",
                of_joint(row, 1)
            );
        }
    }

    #[test]
    fn weights_keep_their_sum_and_stay_positive() {
        let (points, faces) = strip(30);
        let rows = run(&points, &faces, 2.0, &halves(&points, 14.5));
        for row in &rows {
            let sum: f32 = row.iter().map(|i| i.weight).sum();
            assert!((sum - 1.0).abs() < 0.06, "{sum}");
            assert!(row.iter().all(|i| i.weight >= 0.0));
        }
    }

    /// Against dense elimination on everything, without support or iteration.
    #[test]
    fn it_agrees_with_a_dense_solve() {
        let (points, faces) = strip(12);
        let laplacian = Laplacian::of(&points, &faces);
        let (n, h) = (points.len(), 1.5);
        let weights = halves(&points, 5.5);
        let mut matrix = vec![vec![0.0f64; n + 1]; n];
        for i in 0..n {
            matrix[i][i] = laplacian.areas[i] / (h * h);
            matrix[i][n] = matrix[i][i] * f64::from(weights.weight(i, JointIndex(1)));
            for (j, w) in laplacian.row(i) {
                matrix[i][i] += w;
                matrix[i][j as usize] -= w;
            }
        }
        for pivot in 0..n {
            let row = matrix[pivot].clone();
            for (i, other) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
                let _ = i;
                let share = other[pivot] / row[pivot];
                other.iter_mut().zip(&row).for_each(|(o, r)| *o -= share * r);
            }
        }
        let rows = run(&points, &faces, h, &weights);
        for i in 0..n {
            let exact = matrix[i][n] / matrix[i][i];
            assert!(
                (f64::from(of_joint(&rows[i], 1)) - exact).abs() < 0.05,
                "{} for {exact}",
                of_joint(&rows[i], 1)
            );
        }
    }

    #[test]
    fn no_length_means_no_change_and_lone_points_keep_theirs() {
        let (mut points, faces) = strip(10);
        points.push(DVec3::splat(50.0));
        let weights = halves(&points, 4.5);
        let rows = run(&points, &faces, 0.0, &weights);
        for (i, row) in rows.iter().enumerate() {
            for influence in weights.of_vertex(i) {
                assert!(
                    (of_joint(row, influence.joint.0) - 1.0).abs() < 1e-3,
                    "position {i}"
                );
            }
        }
    }
}
