//! Smoothing weights along a surface by a length.
//!
//! Solves (A/h² + L) w = (A/h²) w₀ for each joint, with A the areas, L the cotangent
//! Laplacian and h a length for each position: what diffuses further than h is pulled back
//! to where it came from. A length, and not a number of averaging steps, so that the
//! result does not depend on how finely the surface is cut. Weights stay within 0 and 1
//! and keep their sum, because L is a matrix of the right signs and rows that sum to zero.
//!
//! What is flat stays flat: each joint's system is solved only within three lengths of
//! where its weights change (beyond, the difference would be under a twentieth). What was
//! given holds around it.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use rayon::BroadcastContext;
use rayon::prelude::*;

use super::Laplacian;
use crate::character::{Influence, JointIndex, Rows, Weights};
use crate::task::{Cancelled, Task};

/// How many lengths around a change of its weights a joint's system is solved.
const REACH: f32 = 3.0;
/// Weights below this are not smoothed but dropped, and smaller changes along an edge stay:
/// there are many, far from their joint, and each would widen the place where the joint's
/// system is solved.
const COUNTS: f32 = 0.01;
/// Preconditioned residuals below this fraction of the right-hand side end the iteration. On a
/// body of 49,000 positions, weights at 5e-3 are off by 0.0023 on average and by 0.014 for
/// one in a hundred, at 1e-3 by 0.0004 and 0.003, in a third more time.
const TOLERANCE: f64 = 5e-3;
/// More iterations are never needed: each takes the error down by a fixed factor.
const MOST_ITERATIONS: usize = 200;
/// What is left of a joint below this is not worth a row's place.
const TAIL: f32 = 1e-3;
/// ω of the preconditioner. On the athlete 1.3, 1.5 and 1.7 take 0.77, 0.74 and 0.83
/// million row steps.
const RELAXATION: f32 = 1.5;
/// Positions that one thread prepares in one go.
const CHUNK: usize = 1024;

/// Positions whose rows one thread puts together in one go.
const ROWS_CHUNK: usize = 8192;

/// What joins a position to a neighbour: all that is asked of it lies together, since a walk over the surface jumps
/// about.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    position: u32,
    /// How far it is.
    distance: f32,
    /// The Laplacian's weight.
    weight: f32,
    /// The same in a matrix with ones on its diagonal, times ω.
    scaled: f32,
}

/// Smoothing over one surface by one length for each position, ready for any weights.
#[derive(Debug, Clone)]
pub struct Diffusion {
    /// Where the neighbours of each position begin; one more at the end.
    starts: Vec<u32>,
    neighbours: Vec<Neighbour>,
    /// How far from a change of weights a position is solved for; negative where nothing holds
    /// or pulls it (no area, no angle), which stays as it is.
    reach: Vec<f32>,
    /// A/h² of each position; zero where nothing holds a position to what it was given.
    hold: Vec<f32>,
    /// One over the root of the matrix's diagonal, which scales it to ones.
    scale: Vec<f32>,
}

impl Diffusion {
    /// Gets ready to smooth by `lengths[i]` at position i.
    pub fn new(laplacian: &Laplacian, points: &[DVec3], lengths: &[f64]) -> Self {
        let rows: Vec<(f32, f32)> = (0..points.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| {
                let sum = laplacian.row(i).map(|e| e.1).sum::<f64>();
                // A position with no length is held a million times stronger than it is pulled.
                let hold = (laplacian.areas[i] / (lengths[i] * lengths[i])).min(1e6 * sum);
                (hold as f32, (hold + sum) as f32)
            })
            .collect();
        let scale: Vec<f32> = rows.iter().map(|r| 1.0 / r.1.sqrt()).collect();
        let neighbours = (0..points.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .flat_map_iter(|i| {
                let scale = &scale;
                let own = RELAXATION * scale[i];
                laplacian.row(i).map(move |(j, weight)| Neighbour {
                    position: j,
                    distance: points[i].distance(points[j as usize]) as f32,
                    weight: weight as f32,
                    scaled: weight as f32 * own * scale[j as usize],
                })
            })
            .collect();
        Self {
            starts: laplacian.starts.clone(),
            neighbours,
            reach: rows
                .iter()
                .zip(lengths)
                .map(|(row, &length)| if row.1 > 0.0 { REACH * length as f32 } else { -1.0 })
                .collect(),
            hold: rows.iter().map(|r| r.0).collect(),
            scale,
        }
    }

    /// Smoothed weights. A row has as many influences as diffusion gives; the caller limits
    /// them.
    pub fn of(&self, weights: &Weights, joints: usize, task: &Task<'_>) -> Result<Rows, Cancelled> {
        let given = given_of_joints(weights, joints);
        // Every thread takes the longest that is left: the last to end is then a short one.
        let mut order: Vec<(usize, usize)> = (0..joints)
            .map(|joint| (given.iter().map(|part| part[joint].len()).sum(), joint))
            .collect();
        order.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
        let next = AtomicUsize::new(0);
        let work = |_: BroadcastContext<'_>| {
            let mut scratch = Scratch::new(weights.vertex_count());
            let mut done = Vec::new();
            let mut of_joint = Vec::new();
            while let Some(&(_, joint)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                task.step("smoothing", 0.5)?;
                of_joint.clear();
                of_joint.extend(given.iter().flat_map(|part| &part[joint]).copied());
                done.push((joint, self.smoothed(&of_joint, &mut scratch)));
            }
            Ok(done)
        };
        let mut solved = vec![Vec::new(); joints];
        for done in rayon::broadcast(work) {
            for (joint, values) in done? {
                solved[joint] = values;
            }
        }
        Ok(rows_of(&solved, weights.vertex_count()))
    }

    fn neighbours(&self, position: u32) -> &[Neighbour] {
        let starts = &self.starts;
        &self.neighbours[starts[position as usize] as usize..starts[position as usize + 1] as usize]
    }

    /// The values of one joint after smoothing, positions ascending.
    fn smoothed(&self, given: &[(u32, f32)], scratch: &mut Scratch) -> Vec<(u32, f32)> {
        for &(p, weight) in given {
            scratch.given[p as usize] = weight;
        }
        let support = self.support(given, scratch);
        for (i, &p) in support.iter().enumerate() {
            scratch.local[p as usize] = i as u32;
        }
        // The system among the support, scaled to ones on its diagonal; what is given around
        // it moves to the right-hand side.
        let mut system = System {
            before: Triangle::with_capacity(support.len()),
            after: Triangle::with_capacity(support.len()),
        };
        let mut right = Vec::with_capacity(support.len());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (i, &p) in support.iter().enumerate() {
            let mut known = self.hold[p as usize] * scratch.given[p as usize];
            for neighbour in self.neighbours(p) {
                let other = neighbour.position as usize;
                let local = scratch.local[other];
                if local == u32::MAX {
                    known += neighbour.weight * scratch.given[other];
                } else if (local as usize) < i {
                    before.push((local, neighbour.scaled));
                } else {
                    after.push((local, neighbour.scaled));
                }
            }
            system.before.push_row(&before);
            system.after.push_row(&after);
            before.clear();
            after.clear();
            right.push(known * self.scale[p as usize]);
        }
        let mut x: Vec<f32> = support
            .iter()
            .map(|&p| scratch.given[p as usize] / self.scale[p as usize])
            .collect();
        system.solve(&right, &mut x);

        // What is flat stays, between what was solved.
        let mut flat = given
            .iter()
            .filter(|g| scratch.local[g.0 as usize] == u32::MAX)
            .copied()
            .peekable();
        let mut all = Vec::with_capacity(given.len() + support.len() / 2);
        for (&p, x) in support.iter().zip(&x) {
            while let Some(value) = flat.next_if(|f| f.0 < p) {
                all.push(value);
            }
            let value = x * self.scale[p as usize];
            if value > TAIL {
                all.push((p, value));
            }
        }
        all.extend(flat);
        scratch.clean(given, &support);
        all
    }

    /// The positions within reach of a change of the given weights, ascending.
    fn support(&self, given: &[(u32, f32)], scratch: &mut Scratch) -> Vec<u32> {
        let mut list: Vec<u32> = Vec::new();
        for &(p, weight) in given {
            for neighbour in self.neighbours(p) {
                let q = neighbour.position;
                if (weight - scratch.given[q as usize]).abs() <= COUNTS {
                    continue;
                }
                for end in [p, q] {
                    if scratch.path_length[end as usize] != 0.0 && self.reach[end as usize] >= 0.0 {
                        scratch.path_length[end as usize] = 0.0;
                        list.push(end);
                    }
                }
            }
        }
        // Ring by ring, each position once: a shorter way of more edges that comes later does
        // not go on from there, which costs a little of the reach and saves half of the walk.
        let mut from = 0;
        while from < list.len() {
            let ring = from..list.len();
            from = ring.end;
            for k in ring {
                let p = list[k];
                let so_far = scratch.path_length[p as usize];
                for neighbour in self.neighbours(p) {
                    let q = neighbour.position as usize;
                    let path_length = so_far + neighbour.distance;
                    if path_length < scratch.path_length[q] && path_length <= self.reach[q] {
                        if scratch.path_length[q] == f32::INFINITY {
                            list.push(q as u32);
                        }
                        scratch.path_length[q] = path_length;
                    }
                }
            }
        }
        list.sort_unstable();
        list
    }
}

/// One entry for each position, clean between two joints.
struct Scratch {
    /// The joint's weight before smoothing.
    given: Vec<f32>,
    /// The way from the nearest change, infinite where none is near.
    path_length: Vec<f32>,
    /// The number of a position among those that are solved for.
    local: Vec<u32>,
}

impl Scratch {
    fn new(positions: usize) -> Self {
        Self {
            given: vec![0.0; positions],
            path_length: vec![f32::INFINITY; positions],
            local: vec![u32::MAX; positions],
        }
    }

    fn clean(&mut self, given: &[(u32, f32)], support: &[u32]) {
        for &(p, _) in given {
            self.given[p as usize] = 0.0;
        }
        for &p in support {
            self.path_length[p as usize] = f32::INFINITY;
            self.local[p as usize] = u32::MAX;
        }
    }
}

/// For each chunk of positions and each joint the weights that count, positions ascending.
fn given_of_joints(weights: &Weights, joints: usize) -> Vec<Vec<Vec<(u32, f32)>>> {
    let positions = weights.vertex_count();
    (0..positions.div_ceil(ROWS_CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut of_joint: Vec<Vec<(u32, f32)>> = vec![Vec::new(); joints];
            for position in chunk * ROWS_CHUNK..positions.min((chunk + 1) * ROWS_CHUNK) {
                for influence in weights.of_vertex(position).iter().filter(|i| i.weight >= COUNTS) {
                    of_joint[influence.joint.at()].push((position as u32, influence.weight));
                }
            }
            of_joint
        })
        .collect()
}

/// Lists by joint, positions ascending, turned into rows by position, joints ascending.
fn rows_of(of_joint: &[Vec<(u32, f32)>], positions: usize) -> Rows {
    let chunks: Vec<(Vec<u32>, Vec<Influence>)> = (0..positions.div_ceil(ROWS_CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let first = chunk * ROWS_CHUNK;
            let end = positions.min(first + ROWS_CHUNK);
            let within = |values: &'_ [(u32, f32)]| {
                let from = values.partition_point(|v| (v.0 as usize) < first);
                from..from + values[from..].partition_point(|v| (v.0 as usize) < end)
            };
            let mut ends = vec![0u32; end - first + 1];
            for values in of_joint {
                for &(position, _) in &values[within(values)] {
                    ends[position as usize - first + 1] += 1;
                }
            }
            for p in 0..end - first {
                ends[p + 1] += ends[p];
            }
            let nothing = Influence {
                joint: JointIndex(0),
                weight: 0.0,
            };
            let mut influences = vec![nothing; ends[end - first] as usize];
            // Starts become ends while rows fill.
            for (joint, values) in of_joint.iter().enumerate() {
                for &(position, weight) in &values[within(values)] {
                    let slot = &mut ends[position as usize - first];
                    influences[*slot as usize] = Influence {
                        joint: JointIndex(joint as u16),
                        weight,
                    };
                    *slot += 1;
                }
            }
            ends.pop();
            (ends, influences)
        })
        .collect();
    let mut starts = Vec::with_capacity(positions + 1);
    starts.push(0);
    let mut influences = Vec::with_capacity(chunks.iter().map(|c| c.1.len()).sum());
    for (ends, of_chunk) in &chunks {
        let before = influences.len() as u32;
        starts.extend(ends.iter().map(|end| before + end));
        influences.extend_from_slice(of_chunk);
    }
    Rows::from_parts(starts, influences)
}

/// What a row takes off: entries of four columns, zero where there are fewer. Rows of two to
/// four columns in turn would have the processor guess, half the time wrongly, where each ends.
#[derive(Clone, Copy)]
struct Four {
    columns: [u32; 4],
    entries: [f32; 4],
}

/// The rows of a triangle without its diagonal.
struct Triangle {
    /// Where each row begins in `fours`; one more at the end.
    starts: Vec<u32>,
    fours: Vec<Four>,
}

impl Triangle {
    fn with_capacity(rows: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self {
            starts,
            fours: Vec::with_capacity(rows + rows / 4),
        }
    }

    fn push_row(&mut self, row: &[(u32, f32)]) {
        for few in row.chunks(4) {
            let mut four = Four {
                columns: [0; 4],
                entries: [0.0; 4],
            };
            for (slot, &(column, entry)) in few.iter().enumerate() {
                four.columns[slot] = column;
                four.entries[slot] = entry;
            }
            self.fours.push(four);
        }
        self.starts.push(self.fours.len() as u32);
    }

    /// The product of one row and x.
    #[inline(always)]
    fn product(&self, row: usize, x: &[f32]) -> f32 {
        let fours = &self.fours[self.starts[row] as usize..self.starts[row + 1] as usize];
        fours.iter().fold(0.0, |sum, four| {
            let term = |slot: usize| four.entries[slot] * x[four.columns[slot] as usize];
            sum + ((term(0) + term(1)) + (term(2) + term(3)))
        })
    }
}

/// A symmetric matrix with ones on its diagonal and −1/ω times these triangles off it.
///
/// Solved by conjugate gradients, preconditioned by symmetric successive over-relaxation in
/// the form of Eisenstat (1981): with C = 1/ω − L for the entries L below the diagonal, the
/// matrix is C + Cᵀ + 1 − 2/ω, so that C⁻¹ A C⁻ᵀ takes two triangular solves and no product.
struct System {
    before: Triangle,
    after: Triangle,
}

impl System {
    /// x := C⁻¹ x.
    fn forward(&self, x: &mut [f32]) {
        for row in 0..x.len() {
            x[row] = RELAXATION * x[row] + self.before.product(row, x);
        }
    }

    /// x := C⁻ᵀ x.
    fn backward(&self, x: &mut [f32]) {
        for row in (0..x.len()).rev() {
            x[row] = RELAXATION * x[row] + self.after.product(row, x);
        }
    }

    /// Solves from the start `x`.
    fn solve(&self, right: &[f32], x: &mut [f32]) {
        let n = x.len();
        let mut y = right.to_vec();
        self.forward(&mut y);
        let goal = dot(&y, &y) * TOLERANCE * TOLERANCE;
        // The start in the unknowns y = Cᵀ x, and its residual C⁻¹ (b − A x).
        let mut residual = right.to_vec();
        for row in 0..n {
            let before = self.before.product(row, x) / RELAXATION;
            let after = self.after.product(row, x) / RELAXATION;
            residual[row] += before + after - x[row];
            y[row] = x[row] / RELAXATION - after;
        }
        self.forward(&mut residual);
        let mut direction = residual.clone();
        let mut energy = dot(&residual, &residual);
        let (mut back, mut image) = (vec![0.0; n], vec![0.0; n]);
        for _ in 0..MOST_ITERATIONS {
            if energy <= goal {
                break;
            }
            back.copy_from_slice(&direction);
            self.backward(&mut back);
            for i in 0..n {
                image[i] = direction[i] + (1.0 - 2.0 / RELAXATION) * back[i];
            }
            self.forward(&mut image);
            for i in 0..n {
                image[i] += back[i];
            }
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 {
                break;
            }
            let step = (energy / curvature) as f32;
            for i in 0..n {
                y[i] += step * direction[i];
                residual[i] -= step * image[i];
            }
            let next = dot(&residual, &residual);
            let fraction = (next / energy) as f32;
            for i in 0..n {
                direction[i] = residual[i] + fraction * direction[i];
            }
            energy = next;
        }
        self.backward(&mut y);
        x.copy_from_slice(&y);
    }
}

/// The sum of products, in the same order at any time: eight sums side by side, since one
/// alone waits for itself, and every few dozen terms on to one of twice the digits.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut total = 0.0f64;
    for (a, b) in a.chunks(256).zip(b.chunks(256)) {
        let mut lanes = [0.0f32; 8];
        for (a, b) in a.chunks(8).zip(b.chunks(8)) {
            for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
                *lane += a * b;
            }
        }
        total += lanes.iter().map(|&l| f64::from(l)).sum::<f64>();
    }
    total
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
        let rows = Diffusion::new(&laplacian, points, &vec![length; points.len()])
            .of(weights, 2, &Task::unattended())
            .unwrap();
        (0..rows.len()).map(|i| rows.of(i).to_vec()).collect()
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

    /// Joint 1 by dense elimination on everything, without support or iteration.
    fn exact(points: &[DVec3], faces: &[[u32; 3]], length: f64, weights: &Weights) -> Vec<f64> {
        let laplacian = Laplacian::of(points, faces);
        let n = points.len();
        let mut matrix = vec![vec![0.0f64; n + 1]; n];
        for i in 0..n {
            matrix[i][i] = laplacian.areas[i] / (length * length);
            matrix[i][n] = matrix[i][i] * f64::from(weights.weight(i, JointIndex(1)));
            for (j, w) in laplacian.row(i) {
                matrix[i][i] += w;
                matrix[i][j as usize] -= w;
            }
        }
        for pivot in 0..n {
            let row = matrix[pivot].clone();
            for (i, other) in matrix.iter_mut().enumerate() {
                if i != pivot {
                    let fraction = other[pivot] / row[pivot];
                    other.iter_mut().zip(&row).for_each(|(o, r)| *o -= fraction * r);
                }
            }
        }
        (0..n).map(|i| matrix[i][n] / matrix[i][i]).collect()
    }

    #[test]
    fn it_agrees_with_a_dense_solve() {
        let (points, faces) = strip(12);
        let weights = halves(&points, 5.5);
        let rows = run(&points, &faces, 1.5, &weights);
        for (row, exact) in rows.iter().zip(exact(&points, &faces, 1.5, &weights)) {
            let found = f64::from(of_joint(row, 1));
            assert!((found - exact).abs() < 0.05, "{found} for {exact}");
        }
    }

    /// A fan whose hub has more neighbours than fit into a few fours, all of them before it or
    /// all behind.
    #[test]
    fn rows_of_many_columns_count_whole() {
        let rim = 11;
        for hub in [0, rim] {
            let first = u32::from(hub == 0);
            let on_rim = |k: u32| first + k % rim;
            let mut points = vec![DVec3::ZERO; rim as usize + 1];
            for k in 0..rim {
                let angle = std::f64::consts::TAU * f64::from(k) / f64::from(rim);
                points[on_rim(k) as usize] = DVec3::new(angle.cos(), angle.sin(), 0.0);
            }
            let faces: Vec<[u32; 3]> = (0..rim).map(|k| [hub, on_rim(k), on_rim(k + 1)]).collect();
            let weights = halves(&points, 0.2);
            let rows = run(&points, &faces, 2.0, &weights);
            for (row, exact) in rows.iter().zip(exact(&points, &faces, 2.0, &weights)) {
                let found = f64::from(of_joint(row, 1));
                assert!((found - exact).abs() < 5e-3, "{found} for {exact}");
            }
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
