//! Weights for points without a counterpart, from those around them: the second half of robust skin weight transfer
//! (Abdrashitov et al. 2023, section 3.2).
//!
//! Each joint's weights have the least energy wᵀ(L + ℓ² L M⁻¹ L)w with what is known held and the rest from 0 to 1; L is
//! the cotangent Laplacian, M the areas. The published energy has ℓ = 1 in whatever unit the scene is in, so that a scene
//! in centimetres gets other weights than in metres, and no bounds, so that weights run from −0.39 to 1.16 on a skirt.
//! Here ℓ is a length of the caller's: below it weights run on as they come, beyond it they even out.
//!
//! Points to fill form *holes*, which the energy does not connect: a hole is solved for the joints around it alone. As in
//! biharmonic binding no square is factorised. With F the free points, L_FF M⁻¹ (M + ℓ² L_FF) is the energy's matrix but
//! for points beside the border, and its two factors precondition conjugate gradients. Bounds are kept by a primal-dual
//! active set (Hintermüller, Ito and Kunisch 2002): what leaves them is held there, what the energy pulls inwards is let
//! go, until nothing changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::TransferError;
use crate::character::{Influence, JointIndex};
use crate::geometry::Laplacian;
use crate::linear::{Cholesky, EliminationOrder, LinearError, SymmetricMatrix};
use crate::task::Task;

/// Edges whose cotangents cancel still join what they join.
const LEAST_EDGE: f64 = 1e-6;
/// No area counts as less than this fraction of the mean: the square of L is divided by it.
const LEAST_AREA: f64 = 0.01;
/// A weight that leaves its bounds by less than this stays free, and is cut off at the end.
const OUTSIDE: f64 = 1e-4;
/// A held weight is let go if the energy would move it, alone, by more than this.
const PULLED: f64 = 1e-6;
/// Conjugate gradients end at this fraction of the error that they would start from with nothing known.
const PRECISION: f64 = 1e-6;
/// Rounds of the active set, three to ten of which are usual.
const MOST_ROUNDS: usize = 40;
/// Steps of conjugate gradients in one round.
const MOST_STEPS: usize = 300;
/// Weights below this are not worth an entry in a row.
const TAIL: f64 = 1e-5;

/// A point's weights before they are in order; joints ascend.
pub type Row = Vec<Influence>;

/// Fills the rows that are `None`, as far as points with rows are connected to them; returns how many it filled.
pub fn inpaint(
    laplacian: &Laplacian,
    rows: &mut [Option<Row>],
    length: f64,
    task: &Task<'_>,
) -> Result<usize, TransferError> {
    let holes = holes(laplacian, rows);
    let total: usize = holes.iter().map(Vec::len).sum();
    let done = AtomicUsize::new(0);
    let known: &[Option<Row>] = rows;
    let filled: Vec<Vec<Row>> = holes
        .par_iter()
        .map(|points| {
            let filled = Hole::of(laplacian, known, points, length).fill(known, task)?;
            let so_far = done.fetch_add(points.len(), Ordering::Relaxed) + points.len();
            task.step("inpainting", so_far as f32 / total as f32)?;
            Ok(filled)
        })
        .collect::<Result<_, TransferError>>()?;
    for (points, filled) in holes.iter().zip(filled) {
        for (&point, row) in points.iter().zip(filled) {
            rows[point as usize] = Some(row);
        }
    }
    Ok(total)
}

/// Points without a row, ascending, together where a way of two edges joins them. What no row is connected to is left out.
fn holes(laplacian: &Laplacian, rows: &[Option<Row>]) -> Vec<Vec<u32>> {
    let mut reached: Vec<bool> = rows.iter().map(Option::is_some).collect();
    let mut holes = Vec::new();
    for first in 0..rows.len() as u32 {
        if std::mem::replace(&mut reached[first as usize], true) {
            continue;
        }
        let mut hole = vec![first];
        let mut has_border = false;
        let mut next = 0;
        while let Some(&at) = hole.get(next) {
            next += 1;
            for (beside, _) in laplacian.row(at as usize) {
                has_border |= rows[beside as usize].is_some();
                for (to, _) in std::iter::once((beside, 0.0)).chain(laplacian.row(beside as usize)) {
                    if !std::mem::replace(&mut reached[to as usize], true) {
                        hole.push(to);
                    }
                }
            }
        }
        if has_border {
            hole.sort_unstable();
            holes.push(hole);
        }
    }
    holes
}

/// The energy around one hole. Points are numbered anew: the hole's, those beside them, those beside these.
struct Hole {
    /// The mesh's numbers.
    points: Vec<u32>,
    /// How many of them are to be filled.
    size: usize,
    /// Where the neighbours of each point begin; one more at the end. The outermost points have none.
    starts: Vec<u32>,
    neighbours: Vec<(u32, f64)>,
    areas: Vec<f64>,
    /// ℓ².
    square: f64,
    /// The diagonal of the energy's matrix.
    diagonal: Vec<f64>,
}

/// L_FF and M + ℓ² L_FF of free points, ready to solve.
struct Factors {
    plain: Cholesky,
    screened: Cholesky,
}

/// What holds a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Free,
    Low,
    High,
}

impl Hole {
    fn of(laplacian: &Laplacian, rows: &[Option<Row>], hole: &[u32], length: f64) -> Self {
        let mut index: FxHashMap<u32, u32> = FxHashMap::default();
        let mut points = hole.to_vec();
        index.extend(hole.iter().copied().zip(0..));
        let mut inner = 0;
        // Twice around: to the hole's neighbours, and to theirs.
        for _ in 0..2 {
            let ring = inner..points.len();
            inner = points.len();
            for k in ring {
                for (to, _) in laplacian.row(points[k] as usize) {
                    index.entry(to).or_insert_with(|| {
                        points.push(to);
                        points.len() as u32 - 1
                    });
                }
            }
        }
        debug_assert!(points[hole.len()..].iter().all(|&p| rows[p as usize].is_some()));
        let (mut starts, mut neighbours) = (vec![0], Vec::new());
        for (k, &p) in points.iter().enumerate() {
            if k < inner {
                let edge = |(to, weight): (u32, f64)| (index[&to], weight.max(LEAST_EDGE));
                neighbours.extend(laplacian.row(p as usize).map(edge));
            }
            starts.push(neighbours.len() as u32);
        }
        let area = |&p: &u32| laplacian.areas[p as usize];
        let mean = points[..inner].iter().map(area).sum::<f64>() / inner.max(1) as f64;
        // A surface without any area has no length either: any number does.
        let least = if mean > 0.0 { LEAST_AREA * mean } else { 1.0 };
        let areas: Vec<f64> = points[..inner].iter().map(|p| area(p).max(least)).collect();
        let mut made = Self {
            size: hole.len(),
            points,
            starts,
            neighbours,
            areas,
            square: length * length,
            diagonal: Vec::new(),
        };
        made.diagonal = (0..made.size)
            .map(|f| {
                let own = made.sum(f);
                let around: f64 = made.row(f).map(|(to, w)| w * w / made.areas[to as usize]).sum();
                own + made.square * (own * own / made.areas[f] + around)
            })
            .collect();
        made
    }

    fn row(&self, point: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[point] as usize..self.starts[point + 1] as usize;
        self.neighbours[range].iter().copied()
    }

    fn sum(&self, point: usize) -> f64 {
        self.row(point).map(|(_, weight)| weight).sum()
    }

    /// Rows for the hole's points.
    fn fill(&self, rows: &[Option<Row>], task: &Task<'_>) -> Result<Vec<Row>, TransferError> {
        let border = &self.points[self.size..];
        let row_of = |p: u32| rows[p as usize].as_deref().unwrap_or_default();
        let mut joints: Vec<JointIndex> = border
            .iter()
            .flat_map(|&p| row_of(p).iter().map(|i| i.joint))
            .collect();
        joints.sort_unstable();
        joints.dedup();
        // Constants cost no energy: one joint alone stays alone.
        if let [only] = joints[..] {
            let alone = Influence {
                joint: only,
                weight: 1.0,
            };
            return Ok(vec![vec![alone]; self.size]);
        }
        let all: Vec<u32> = (0..self.size as u32).collect();
        let factors = self.factors(&all)?;
        let solved: Vec<Vec<f64>> = joints
            .par_iter()
            .map(|&joint| {
                let mut weights = vec![0.0; self.points.len()];
                for (weight, &p) in weights[self.size..].iter_mut().zip(border) {
                    let own = row_of(p).iter().find(|i| i.joint == joint);
                    *weight = own.map_or(0.0, |i| f64::from(i.weight));
                }
                self.solve(&all, &factors, &mut weights, task)?;
                self.keep_bounds(&mut weights, task)?;
                weights.truncate(self.size);
                Ok(weights)
            })
            .collect::<Result<_, TransferError>>()?;
        let row = |point: usize| -> Row {
            let of_joint = joints.iter().zip(&solved);
            let weights = of_joint.map(|(&joint, weights)| Influence {
                joint,
                weight: weights[point] as f32,
            });
            weights.filter(|i| f64::from(i.weight) > TAIL).collect()
        };
        Ok((0..self.size).map(row).collect())
    }

    /// The energy's gradient at the hole's points.
    fn gradient(&self, weights: &[f64]) -> Vec<f64> {
        let applied = |values: &[f64], point: usize| -> f64 {
            self.row(point)
                .map(|(to, weight)| weight * (values[point] - values[to as usize]))
                .sum()
        };
        let bent: Vec<f64> = (0..self.areas.len()).map(|p| applied(weights, p)).collect();
        let density: Vec<f64> = bent.iter().zip(&self.areas).map(|(b, a)| b / a).collect();
        (0..self.size)
            .map(|p| bent[p] + self.square * applied(&density, p))
            .collect()
    }

    fn factors(&self, free: &[u32]) -> Result<Factors, LinearError> {
        const OUT: u32 = u32::MAX;
        let mut slot = vec![OUT; self.points.len()];
        for (new, &old) in free.iter().enumerate() {
            slot[old as usize] = new as u32;
        }
        let matrix = |mass: f64, scale: f64| {
            let own: Vec<f64> = free
                .iter()
                .map(|&f| {
                    let out = self.row(f as usize).filter(|&(to, _)| slot[to as usize] == OUT);
                    let held: f64 = out.map(|(_, weight)| weight).sum();
                    mass * self.areas[f as usize] + scale * held
                })
                .collect();
            SymmetricMatrix::of_graph(&own, |row| {
                let mut inside: Vec<(u32, f64)> = self
                    .row(free[row] as usize)
                    .filter(|&(to, _)| slot[to as usize] != OUT)
                    .map(|(to, weight)| (slot[to as usize], scale * weight))
                    .collect();
                inside.sort_unstable_by_key(|e| e.0);
                inside.into_iter()
            })
        };
        let plain = matrix(0.0, 1.0);
        let order = Arc::new(EliminationOrder::of(&plain.starts, &plain.columns)?);
        Ok(Factors {
            plain: Cholesky::with_order(order.clone(), &plain)?,
            screened: Cholesky::with_order(order, &matrix(1.0, self.square))?,
        })
    }

    /// Minimises over free points by conjugate gradients.
    fn solve(
        &self,
        free: &[u32],
        factors: &Factors,
        weights: &mut [f64],
        task: &Task<'_>,
    ) -> Result<(), TransferError> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let precondition = |r: &[f64]| -> Result<Vec<f64>, LinearError> {
            let mut z = r.to_vec();
            factors.plain.solve_in_place(&mut z)?;
            for (z, &f) in z.iter_mut().zip(free) {
                *z *= self.areas[f as usize];
            }
            factors.screened.solve_in_place(&mut z)?;
            Ok(z)
        };
        let residual = |weights: &[f64]| -> Vec<f64> {
            let gradient = self.gradient(weights);
            free.iter().map(|&f| -gradient[f as usize]).collect()
        };
        // What would be left to do if all free points were 0.
        let mut cold = weights.to_vec();
        for &f in free {
            cold[f as usize] = 0.0;
        }
        let cold = residual(&cold);
        let goal = PRECISION * PRECISION * dot(&cold, &precondition(&cold)?);
        let mut r = residual(weights);
        let mut z = precondition(&r)?;
        let mut along = z.clone();
        let mut error = dot(&r, &z);
        let mut spread = vec![0.0; weights.len()];
        for _ in 0..MOST_STEPS {
            if error <= goal {
                break;
            }
            task.check()?;
            for (&f, &a) in free.iter().zip(&along) {
                spread[f as usize] = a;
            }
            let gradient = self.gradient(&spread);
            let image: Vec<f64> = free.iter().map(|&f| gradient[f as usize]).collect();
            let step = error / dot(&along, &image);
            if !step.is_finite() {
                break;
            }
            for (k, &f) in free.iter().enumerate() {
                weights[f as usize] += step * along[k];
                r[k] -= step * image[k];
            }
            z = precondition(&r)?;
            let next = dot(&r, &z);
            for (a, z) in along.iter_mut().zip(&z) {
                *a = z + next / error * *a;
            }
            error = next;
        }
        Ok(())
    }

    /// Brings weights that minimise the energy without bounds to those that do with them.
    fn keep_bounds(&self, weights: &mut [f64], task: &Task<'_>) -> Result<(), TransferError> {
        let mut held = vec![Held::Free; self.size];
        for _ in 0..MOST_ROUNDS {
            let pull = self.gradient(weights);
            let mut changes = 0;
            for point in 0..self.size {
                let step = -pull[point] / self.diagonal[point];
                let now = match held[point] {
                    Held::Free if weights[point] < -OUTSIDE => Held::Low,
                    Held::Free if weights[point] > 1.0 + OUTSIDE => Held::High,
                    Held::Low if step > PULLED => Held::Free,
                    Held::High if step < -PULLED => Held::Free,
                    same => same,
                };
                changes += usize::from(now != held[point]);
                held[point] = now;
            }
            if changes == 0 {
                break;
            }
            for (weight, held) in weights.iter_mut().zip(&held) {
                match held {
                    Held::Low => *weight = 0.0,
                    Held::High => *weight = 1.0,
                    Held::Free => {}
                }
            }
            let free: Vec<u32> = (0..self.size as u32)
                .filter(|&p| held[p as usize] == Held::Free)
                .collect();
            if !free.is_empty() {
                self.solve(&free, &self.factors(&free)?, weights, task)?;
            }
        }
        for weight in &mut weights[..self.size] {
            *weight = weight.clamp(0.0, 1.0);
        }
        Ok(())
    }
}
