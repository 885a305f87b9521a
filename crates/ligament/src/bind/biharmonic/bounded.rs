//! The least Laplacian energy ½ wᵀ(L M⁻¹ L)w of leaves with some of w given and the rest
//! from 0 to 1: the quadratic programme of one bone (Jacobson et al. 2011, equations 2 to 5,
//! partition of unity left for afterwards).
//!
//! A primal-dual active set method: leaves are free or held at 0 or at 1. The free ones are
//! solved for; those that leave the bounds are then held, held ones that the energy pulls
//! inwards are set free, all at once, until nothing changes (Hintermüller, Ito and Kunisch
//! 2002). The free leaves of a bone are few, because far away its weight is held at 0.
//!
//! The system of the free leaves, Q_FF = (L M⁻¹ L)_FF, is never formed. It is
//! L_FF M_F⁻¹ L_FF plus a term on leaves beside those that are not free, so
//! L_FF⁻¹ M_F L_FF⁻¹ — one sparse Cholesky factor of a Laplacian, which is far smaller than
//! one of its square — is a good preconditioner for conjugate gradients: every eigenvalue
//! of the product is at least 1, and few are large.

use crate::bind::BindError;
use crate::linear::{Cholesky, LinearError, SymmetricMatrix};
use crate::solid::VolumeLaplacian;
use crate::task::Task;

/// A weight that leaves its bounds by less than this stays free, and is cut off at the end.
const OUTSIDE: f64 = 1e-4;
/// A held weight is set free if the energy would move it, alone, by more than this. Many
/// leaves together move much further than one: with 10⁻⁴ weights are off by up to 0.004 on
/// an elephant at 32³, with 10⁻⁶ by 0.0003, at the same cost.
const PULLED: f64 = 1e-6;
/// Conjugate gradients end at this fraction of the error they would start from with nothing
/// known: first while the sets are sought, then for the answer.
const ROUGH: f64 = 1e-3;
const FINE: f64 = 1e-5;
/// It has settled when at most one free leaf in so many changes sides: the last few go back
/// and forth by hardly more than the tolerances.
const SETTLED: usize = 1000;
/// Guesses this close to a bound start at it.
const NEAR: f64 = 5e-3;
/// Rounds of the active set, ten to forty of which are usual.
const MOST_ROUNDS: usize = 80;
/// Steps of conjugate gradients in one round.
const MOST_STEPS: usize = 400;

/// What holds a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The bones: its value is given.
    Given,
    /// Nothing.
    Free,
    /// The bound 0.
    Low,
    /// The bound 1.
    High,
}

/// How a solve went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Rounds of the active set.
    pub rounds: usize,
    /// Steps of conjugate gradients in all rounds.
    pub steps: usize,
    /// The most leaves that were free at once.
    pub most_free: usize,
    /// Leaves that still changed sides in the last round.
    pub unsettled: usize,
}

/// Finds the weights of one bone. `weights` comes with what is given and a guess for the
/// rest, and leaves with the answer; only leaves that `may_change` do.
pub fn solve(
    laplacian: &VolumeLaplacian,
    may_change: impl Fn(usize) -> bool,
    weights: &mut [f64],
    task: &Task<'_>,
) -> Result<Effort, BindError> {
    let mut held: Vec<Held> = (0..weights.len())
        .map(|leaf| match weights[leaf] {
            _ if !may_change(leaf) => Held::Given,
            w if w < NEAR => Held::Low,
            w if w > 1.0 - NEAR => Held::High,
            _ => Held::Free,
        })
        .collect();
    let diagonal = laplacian.diagonal_of_square();
    let mut effort = Effort::default();
    let mut precision = ROUGH;
    loop {
        for (weight, held) in weights.iter_mut().zip(&held) {
            match held {
                Held::Low => *weight = 0.0,
                Held::High => *weight = 1.0,
                Held::Given | Held::Free => {}
            }
        }
        let free: Vec<u32> = (0..held.len() as u32)
            .filter(|&l| held[l as usize] == Held::Free)
            .collect();
        effort.rounds += 1;
        effort.most_free = effort.most_free.max(free.len());
        if !free.is_empty() {
            effort.steps += FreeSystem::of(laplacian, &free)?.solve(laplacian, weights, precision, task)?;
        }
        let pull = laplacian.twice(weights);
        effort.unsettled = 0;
        for leaf in 0..held.len() {
            let step = -pull[leaf] / diagonal[leaf];
            let now = match held[leaf] {
                Held::Free if weights[leaf] < -OUTSIDE => Held::Low,
                Held::Free if weights[leaf] > 1.0 + OUTSIDE => Held::High,
                Held::Low if step > PULLED => Held::Free,
                Held::High if step < -PULLED => Held::Free,
                same => same,
            };
            effort.unsettled += usize::from(now != held[leaf]);
            held[leaf] = now;
        }
        let settled = effort.unsettled * SETTLED <= free.len();
        if settled && precision == FINE || effort.rounds == MOST_ROUNDS {
            break;
        }
        if settled {
            precision = FINE;
        }
    }
    for (leaf, weight) in weights.iter_mut().enumerate() {
        if may_change(leaf) {
            *weight = weight.clamp(0.0, 1.0);
        }
    }
    Ok(effort)
}

/// The equations of the free leaves.
struct FreeSystem<'a> {
    free: &'a [u32],
    /// The free leaves and those beside them, ascending: all that L of them can reach.
    near: Vec<u32>,
    /// Where each free leaf stands in `near`.
    slot: Vec<u32>,
    /// L between the leaves of `near`.
    laplacian: SymmetricMatrix,
    /// M of `near`.
    volumes: Vec<f64>,
    /// L_FF.
    factor: Cholesky,
}

impl<'a> FreeSystem<'a> {
    fn of(whole: &VolumeLaplacian, free: &'a [u32]) -> Result<Self, LinearError> {
        let mut is_near = vec![false; whole.volumes.len()];
        let mut is_free = is_near.clone();
        for &leaf in free {
            is_free[leaf as usize] = true;
            is_near[leaf as usize] = true;
        }
        for row in 0..is_free.len() {
            for (column, _) in whole.matrix.upper_row(row) {
                let column = column as usize;
                is_near[row] |= is_free[column];
                is_near[column] |= is_free[row];
            }
        }
        let near: Vec<u32> = (0..is_near.len() as u32)
            .filter(|&l| is_near[l as usize])
            .collect();
        let slot = (0..near.len() as u32)
            .filter(|&n| is_free[near[n as usize] as usize])
            .collect();
        Ok(Self {
            free,
            volumes: near.iter().map(|&l| whole.volumes[l as usize]).collect(),
            laplacian: whole.matrix.submatrix(&near),
            near,
            slot,
            factor: Cholesky::of(&whole.matrix.submatrix(free))?,
        })
    }

    /// Q_FF x.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut spread = vec![0.0; self.near.len()];
        for (&slot, &x) in self.slot.iter().zip(x) {
            spread[slot as usize] = x;
        }
        let mut density = self.laplacian.times(&spread);
        for (d, v) in density.iter_mut().zip(&self.volumes) {
            *d /= v;
        }
        let product = self.laplacian.times(&density);
        self.slot.iter().map(|&p| product[p as usize]).collect()
    }

    /// L_FF⁻¹ M_F L_FF⁻¹ r.
    fn precondition(&self, r: &[f64]) -> Result<Vec<f64>, LinearError> {
        let mut z = r.to_vec();
        self.factor.solve_in_place(&mut z)?;
        for (z, &slot) in z.iter_mut().zip(&self.slot) {
            *z *= self.volumes[slot as usize];
        }
        self.factor.solve_in_place(&mut z)?;
        Ok(z)
    }

    /// Improves the free weights by conjugate gradients; returns the number of steps.
    fn solve(
        &self,
        whole: &VolumeLaplacian,
        weights: &mut [f64],
        precision: f64,
        task: &Task<'_>,
    ) -> Result<usize, BindError> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut x: Vec<f64> = self.free.iter().map(|&l| weights[l as usize]).collect();
        let pull = whole.twice(weights);
        let mut r: Vec<f64> = self.free.iter().map(|&l| -pull[l as usize]).collect();
        // What would be left to do if all of x were 0.
        let cold: Vec<f64> = r.iter().zip(self.times(&x)).map(|(r, own)| r + own).collect();
        let goal = precision * precision * dot(&cold, &self.precondition(&cold)?);
        let mut z = self.precondition(&r)?;
        let mut along = z.clone();
        let mut error = dot(&r, &z);
        let mut steps = 0;
        while error > goal && steps < MOST_STEPS {
            task.check()?;
            let image = self.times(&along);
            let length = error / dot(&along, &image);
            for i in 0..x.len() {
                x[i] += length * along[i];
                r[i] -= length * image[i];
            }
            z = self.precondition(&r)?;
            let next = dot(&r, &z);
            for (a, z) in along.iter_mut().zip(&z) {
                *a = z + next / error * *a;
            }
            error = next;
            steps += 1;
        }
        for (&leaf, &x) in self.free.iter().zip(&x) {
            weights[leaf as usize] = x;
        }
        Ok(steps)
    }
}
