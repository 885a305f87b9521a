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
//! mesh's size (steps with 1, 2 and 4 before it took 4 % of a biped's volume together). And
//! it ends when a step no longer halves a volume that is small already: from there on, on
//! two characters that were followed further, volumes rose and fell, and limbs were pulled in.

use std::sync::Arc;

use glam::DVec3;

use super::proxy::Proxy;
use crate::linear::{Cholesky, EliminationOrder, SymmetricMatrix};
use crate::task::{Cancelled, Task};

/// The weight of contraction in the first step.
const FIRST_PULL: f64 = 8.0;
/// What it is multiplied with after each step (s_L of the paper).
const PULL_GROWTH: f64 = 2.0;
/// The share of the first volume at which it ends.
const SMALLEST_VOLUME: f64 = 1e-6;
/// A volume below this share has to halve in each step.
const SMALL_VOLUME: f64 = 1e-2;
/// Steps after which it ends in any case; the characters tried took 7 to 9.
const MOST_STEPS: usize = 20;
/// A point's surroundings count as no smaller than this share of what they were: weights
/// beyond that lose the digits of their neighbours.
const SMALLEST_AREA: f64 = 1e-10;

/// Cotangents beyond this belong to triangles whose area is rounding alone. It must be far
/// beyond what triangles along a contracted limb have: with 100 the volume stalled at 10⁻³.
const LARGEST_COTANGENT: f64 = 1e5;

/// The points of the contracted surface, in the order of the proxy's. `rings` are the
/// proxy's.
pub(super) fn contract(proxy: &Proxy, rings: &[Vec<u32>], task: &Task<'_>) -> Result<Vec<DVec3>, Cancelled> {
    const STAGE: &str = "contracting";
    let mut points = proxy.points.clone();
    let first_volume = Proxy::volume(&points, &proxy.faces).abs();
    let mut operator = Operator::of(rings, &points, &proxy.faces);
    let first_areas = operator.areas.clone();
    let mut order = None;
    let mut pull = FIRST_PULL;
    let mut share = 1.0;
    for _ in 0..MOST_STEPS {
        task.step(STAGE, (f64::log10(share) / SMALLEST_VOLUME.log10()) as f32)?;
        let hold: Vec<f64> = first_areas
            .iter()
            .zip(&operator.areas)
            .map(|(&before, &now)| (before / now.max(SMALLEST_AREA * before)).sqrt())
            .map(|h| if h.is_finite() { h } else { 1.0 })
            .collect();
        let Some(next) = step(&operator.matrix, pull, &hold, &points, &mut order) else {
            break; // what rounding has made singular is contracted as far as it goes
        };
        let after = Proxy::volume(&next, &proxy.faces).abs() / first_volume;
        if after.is_nan() || (after > 0.5 * share && share < SMALL_VOLUME) {
            break;
        }
        (points, share) = (next, after);
        if share <= SMALLEST_VOLUME {
            break;
        }
        operator = Operator::of(rings, &points, &proxy.faces);
        pull *= PULL_GROWTH;
    }
    Ok(points)
}

/// The points after one step, by the normal equations `(W_L²·LᵀL + W_H²)·V′ = W_H²·V`, or
/// `None` where they cannot be solved. Their entries are always in the same places, so the
/// order of elimination is found once.
fn step(
    operator: &SymmetricMatrix,
    pull: f64,
    hold: &[f64],
    points: &[DVec3],
    order: &mut Option<Arc<EliminationOrder>>,
) -> Option<Vec<DVec3>> {
    let count = points.len();
    let held: Vec<f64> = hold.iter().map(|h| h * h).collect();
    let diagonal = SymmetricMatrix {
        starts: (0..=count as u32).collect(),
        columns: (0..count as u32).collect(),
        values: held.clone(),
    };
    // The paper's cotangents are twice those of the operator.
    let matrix = diagonal.plus_square(4.0 * pull * pull, operator, &vec![1.0; count]);
    if order.is_none() {
        *order = Some(Arc::new(
            EliminationOrder::of(&matrix.starts, &matrix.columns).ok()?,
        ));
    }
    let factors = Cholesky::with_order(order.clone()?, &matrix).ok()?;
    let mut axes: Vec<f64> = Vec::with_capacity(3 * count);
    for axis in 0..3 {
        axes.extend(points.iter().zip(&held).map(|(p, h)| h * p[axis]));
    }
    factors.solve_in_place(&mut axes).ok()?;
    let next: Vec<DVec3> = (0..count)
        .map(|i| DVec3::new(axes[i], axes[count + i], axes[2 * count + i]))
        .collect();
    next.iter().all(|p| p.is_finite()).then_some(next)
}

/// The cotangent operator of a closed surface, with negative weights as they are, and the
/// area around each point.
struct Operator {
    matrix: SymmetricMatrix,
    areas: Vec<f64>,
}

impl Operator {
    fn of(rings: &[Vec<u32>], points: &[DVec3], faces: &[[u32; 3]]) -> Self {
        let mut matrix = SymmetricMatrix::default();
        matrix.starts.push(0);
        for (i, ring) in rings.iter().enumerate() {
            matrix.columns.push(i as u32);
            matrix.columns.extend(ring.iter().filter(|&&j| j as usize > i));
            matrix.starts.push(matrix.columns.len() as u32);
        }
        matrix.values = vec![0.0; matrix.columns.len()];
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
                let weight = if cotangent.is_finite() {
                    cotangent / 2.0
                } else {
                    0.0
                };
                let (row, column) = (i.min(j) as usize, i.max(j));
                let start = matrix.starts[row] as usize;
                let columns = &matrix.columns[start..matrix.starts[row + 1] as usize];
                if let Ok(place) = columns.binary_search(&column) {
                    matrix.values[start + place] -= weight;
                }
                for p in [i, j] {
                    let diagonal = matrix.starts[p as usize] as usize;
                    matrix.values[diagonal] += weight;
                }
            }
        }
        Self { matrix, areas }
    }
}
