//! Fewer influences with the least change of what the skin does.
//!
//! The largest weights are not those that matter: two joints that move alike can stand for each other, and a small weight
//! of a joint that moves far shows. Over poses, with d_i the displacement from the posed vertex to where joint i alone
//! would take it, weights v of any joints of a vertex are off by |Σ v_i d_i|² = vᵀGv. Kept are those `k` with which that is
//! least, weighed anew: v ≥ 0, Σv = 1, least vᵀGv. Of few joints all choices are tried; of many the one whose loss costs
//! least is given up until `k` are left.

use glam::{DAffine3, DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use crate::character::{Influence, Weights};

/// Weights are held to what they were by this fraction of the mean of G's diagonal: poses may not tell joints apart.
const HELD: f64 = 1e-4;
/// All choices of at most so many joints are tried: 70 of four among eight.
const FEW: usize = 8;
/// Vertices that one thread handles in one go.
const CHUNK: usize = 256;

/// What a limit costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LimitCost {
    /// Vertices that had more influences.
    pub limited: usize,
    /// How far the skin moves because of it, root mean square over those vertices and all poses, in the mesh's unit.
    pub rms: f64,
    /// The furthest that one of them moves.
    pub worst: f64,
}

/// Keeps at most `k` influences of each vertex, those with which its posed positions change least; `poses` are
/// `world_from_bind` of each joint. Vertices of `k` or fewer stay to the bit.
pub fn limited_by_motion(
    weights: &Weights,
    positions: &[Vec3],
    poses: &[Vec<DAffine3>],
    k: usize,
) -> Weights {
    let k = k.max(1);
    let rows: Vec<Option<Vec<Influence>>> = (0..weights.vertex_count())
        .into_par_iter()
        .with_min_len(CHUNK)
        .map(|vertex| {
            let row = weights.of_vertex(vertex);
            (row.len() > k).then(|| fewer(row, positions[vertex].as_dvec3(), poses, k))
        })
        .collect();
    let made = Weights::in_parallel(rows.len(), k, |vertices, builder| {
        for vertex in vertices {
            match &rows[vertex] {
                Some(row) if builder.push(row).is_ok() => {}
                _ => builder.push_valid(weights.of_vertex(vertex)),
            }
        }
        Ok::<_, std::convert::Infallible>(())
    });
    match made {
        // Only rows that no builder takes are still too long.
        Ok(weights) => weights.limited(k),
        Err(never) => match never {},
    }
}

/// What other weights of the same vertices change, over vertices that had more than `k` influences.
pub fn limit_cost(
    before: &Weights,
    after: &Weights,
    positions: &[Vec3],
    poses: &[Vec<DAffine3>],
    k: usize,
) -> LimitCost {
    let limited: Vec<usize> = (0..before.vertex_count())
        .filter(|&v| before.of_vertex(v).len() > k)
        .collect();
    let (mut sum, mut worst) = (0.0, 0.0f64);
    for &vertex in &limited {
        let at = positions[vertex].as_dvec3();
        for pose in poses {
            let off =
                posed(before.of_vertex(vertex), at, pose).distance(posed(after.of_vertex(vertex), at, pose));
            sum += off * off;
            worst = worst.max(off);
        }
    }
    let count = (limited.len() * poses.len()).max(1) as f64;
    LimitCost {
        limited: limited.len(),
        rms: (sum / count).sqrt(),
        worst,
    }
}

fn posed(row: &[Influence], at: DVec3, pose: &[DAffine3]) -> DVec3 {
    row.iter()
        .map(|i| f64::from(i.weight) * pose[i.joint.at()].transform_point3(at))
        .sum()
}

/// One vertex's `k` influences.
fn fewer(row: &[Influence], at: DVec3, poses: &[Vec<DAffine3>], k: usize) -> Vec<Influence> {
    let n = row.len();
    let mut gram = vec![0.0; n * n];
    for pose in poses {
        let whole = posed(row, at, pose);
        let off: Vec<DVec3> = row
            .iter()
            .map(|i| pose[i.joint.at()].transform_point3(at) - whole)
            .collect();
        for i in 0..n {
            for j in 0..n {
                gram[i * n + j] += off[i].dot(off[j]);
            }
        }
    }
    let trace: f64 = (0..n).map(|i| gram[i * n + i]).sum();
    let hold = if trace > 0.0 { HELD * trace / n as f64 } else { 1.0 };
    let problem = Problem {
        gram,
        hold,
        wanted: row.iter().map(|i| f64::from(i.weight)).collect(),
    };
    let best = if n <= FEW {
        best_of_all(&problem, k)
    } else {
        one_by_one(&problem, k)
    };
    row.iter()
        .zip(best)
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(i, weight)| Influence {
            joint: i.joint,
            weight: weight as f32,
        })
        .collect()
}

/// The weights of the best choice of `k` joints; of equal ones the first.
fn best_of_all(problem: &Problem, k: usize) -> Vec<f64> {
    let n = problem.wanted.len();
    let choices = (0u32..1 << n).filter(|choice| choice.count_ones() as usize == k);
    let tries = choices.map(|choice| {
        let allowed: Vec<usize> = (0..n).filter(|i| choice >> i & 1 == 1).collect();
        problem.least(&allowed)
    });
    let best = tries.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or_else(|| problem.wanted.clone(), |(_, weights)| weights)
}

/// The weights once all but `k` joints are given up, each time the one that costs least.
fn one_by_one(problem: &Problem, k: usize) -> Vec<f64> {
    let mut kept: Vec<usize> = (0..problem.wanted.len()).collect();
    let mut best = problem.wanted.clone();
    while kept.len() > k {
        let tries = (0..kept.len()).map(|gone| {
            let mut others = kept.clone();
            others.remove(gone);
            let (cost, weights) = problem.least(&others);
            (cost, others, weights)
        });
        // Of equal ones the last: the smallest weight goes.
        let Some((_, others, weights)) =
            tries.min_by(|a, b| a.0.total_cmp(&b.0).then(std::cmp::Ordering::Greater))
        else {
            break;
        };
        kept = others;
        best = weights;
    }
    best
}

/// min vᵀGv + h|v − w|² over v ≥ 0 with Σv = 1.
struct Problem {
    gram: Vec<f64>,
    hold: f64,
    wanted: Vec<f64>,
}

impl Problem {
    /// The least cost with these influences alone, and all weights then. Negative ones leave the set one at a time.
    fn least(&self, allowed: &[usize]) -> (f64, Vec<f64>) {
        let mut set = allowed.to_vec();
        loop {
            let solved = self.with_sum_one(&set);
            let lowest = (0..set.len()).min_by(|&a, &b| solved[a].total_cmp(&solved[b]));
            match lowest {
                Some(lowest) if solved[lowest] < 0.0 && set.len() > 1 => {
                    set.remove(lowest);
                }
                _ => {
                    let mut all = vec![0.0; self.wanted.len()];
                    for (&i, v) in set.iter().zip(&solved) {
                        all[i] = v.max(0.0);
                    }
                    return (self.cost(&all), all);
                }
            }
        }
    }

    fn cost(&self, v: &[f64]) -> f64 {
        let n = v.len();
        let moved: f64 = (0..n)
            .map(|i| v[i] * (0..n).map(|j| self.gram[i * n + j] * v[j]).sum::<f64>())
            .sum();
        let off: f64 = v.iter().zip(&self.wanted).map(|(v, w)| (v - w) * (v - w)).sum();
        moved + self.hold * off
    }

    /// Without bounds: (G + h)v = hw + λ1, with λ so that the sum is one.
    fn with_sum_one(&self, set: &[usize]) -> Vec<f64> {
        let (n, m) = (self.wanted.len(), set.len());
        let mut matrix = vec![0.0; m * m];
        for (a, &i) in set.iter().enumerate() {
            for (b, &j) in set.iter().enumerate() {
                matrix[a * m + b] = self.gram[i * n + j] + if i == j { self.hold } else { 0.0 };
            }
        }
        let held: Vec<f64> = set.iter().map(|&i| self.hold * self.wanted[i]).collect();
        let (plain, ones) = (solved(&matrix, held), solved(&matrix, vec![1.0; m]));
        let missing = 1.0 - plain.iter().sum::<f64>();
        let lambda = missing / ones.iter().sum::<f64>();
        plain.iter().zip(&ones).map(|(p, o)| p + lambda * o).collect()
    }
}

/// A small positive definite system, by Cholesky factorisation.
fn solved(matrix: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    let m = right.len();
    let mut l = vec![0.0; m * m];
    for i in 0..m {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| l[i * m + k] * l[j * m + k]).sum();
            let left = matrix[i * m + j] - dot;
            l[i * m + j] = if i == j {
                left.max(f64::MIN_POSITIVE).sqrt()
            } else {
                left / l[j * m + j]
            };
        }
    }
    for i in 0..m {
        let dot: f64 = (0..i).map(|k| l[i * m + k] * right[k]).sum();
        right[i] = (right[i] - dot) / l[i * m + i];
    }
    for i in (0..m).rev() {
        let dot: f64 = (i + 1..m).map(|k| l[k * m + i] * right[k]).sum();
        right[i] = (right[i] - dot) / l[i * m + i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;
    use glam::DQuat;
    use proptest::prelude::*;

    fn rotate(degrees: f64, by: DVec3) -> DAffine3 {
        DAffine3::from_rotation_translation(DQuat::from_rotation_z(degrees.to_radians()), by)
    }

    fn row(fractions: &[f32]) -> Weights {
        let list: Vec<Influence> = (0..)
            .zip(fractions)
            .map(|(joint, &weight)| Influence {
                joint: JointIndex(joint),
                weight,
            })
            .collect();
        Weights::new([list.as_slice()]).unwrap()
    }

    #[test]
    fn joints_that_move_alike_stand_for_each_other() {
        // 0 and 1 move alike; the smallest weight, 2, moves elsewhere.
        let weights = row(&[0.4, 0.35, 0.25]);
        let pose = vec![
            rotate(0.0, DVec3::ZERO),
            rotate(0.0, DVec3::ZERO),
            rotate(0.0, DVec3::X),
        ];
        let (positions, poses) = ([Vec3::ZERO], [pose]);
        let made = limited_by_motion(&weights, &positions, &poses, 2);
        assert!(
            (made.weight(0, JointIndex(2)) - 0.25).abs() < 1e-3,
            "{:?}",
            made.of_vertex(0)
        );
        let cost = limit_cost(&weights, &made, &positions, &poses, 2);
        let largest = limit_cost(&weights, &weights.limited(2), &positions, &poses, 2);
        assert_eq!(cost.limited, 1);
        assert!(cost.worst < 1e-3 && largest.worst > 0.24, "{cost:?} {largest:?}");
    }

    /// All weights of all pairs of joints, in steps.
    fn naive(weights: &Weights, at: Vec3, poses: &[Vec<DAffine3>]) -> f64 {
        const STEPS: u16 = 200;
        let joints = weights.of_vertex(0).len() as u16;
        let mut least = f64::INFINITY;
        for a in 0..joints {
            for b in a + 1..joints {
                for step in 0..=STEPS {
                    let t = f32::from(step) / f32::from(STEPS);
                    let mut fractions = vec![0.0; usize::from(joints)];
                    fractions[usize::from(a)] = t;
                    fractions[usize::from(b)] = 1.0 - t;
                    least = least.min(limit_cost(weights, &row(&fractions), &[at], poses, 2).rms);
                }
            }
        }
        least
    }

    proptest! {
        #[test]
        fn the_cost_is_near_the_least_of_all_pairs(
            fractions in prop::collection::vec(1u8..20, 4),
            moves in prop::collection::vec((-60i16..60, prop::array::uniform3(-3i8..4)), 8),
        ) {
            let fractions: Vec<f32> = fractions.iter().map(|&s| f32::from(s)).collect();
            let weights = row(&fractions);
            let affine = |&(degrees, by): &(i16, [i8; 3])| {
                rotate(f64::from(degrees), DVec3::from(by.map(f64::from)) * 0.3)
            };
            let poses: Vec<Vec<DAffine3>> = moves.chunks(4).map(|m| m.iter().map(affine).collect()).collect();
            let at = Vec3::new(1.0, 0.5, 0.0);
            let made = limited_by_motion(&weights, &[at], &poses, 2);
            prop_assert!(made.of_vertex(0).len() <= 2);
            let cost = limit_cost(&weights, &made, &[at], &poses, 2).rms;
            let largest = limit_cost(&weights, &weights.limited(2), &[at], &poses, 2).rms;
            // Weights are held to what they were a little, and the naive search has steps.
            prop_assert!(cost <= largest + 0.06, "{} {}", cost, largest);
            prop_assert!(cost <= naive(&weights, at, &poses) + 0.06);
        }
    }
}
