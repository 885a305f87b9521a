//! Contraction of a closed surface to nearly nothing, by implicit Laplacian smoothing with
//! weights that keep what is thin already where it is.
//!
//! Au, Tai, Chu, Cohen-Or and Lee, "Skeleton Extraction by Mesh Contraction" (2008),
//! equation 1 and section 4: L is the cotangent operator of the present shape, the weight
//! `W_L` of contraction doubles from step to step, and the weight `W_H` that holds a point
//! grows with the root of how much its surroundings have shrunk. It ends when the volume is
//! 10⁻⁶ of the first one.
//!
//! Two things are not the paper's. It solves `W_L·L·V′ = 0` and `W_H·V′ = W_H·V` in the
//! sense of least squares; here a step is `(W_L·L + W_H)·V′ = W_H·V` with edges of L that
//! are never negative, so that every point moves to a weighted mean of points and none can
//! overshoot. (With least squares the points around the fork of a Y slid past half of an
//! arm, and the tree branched six times.) It is cheaper too: L has a third of the entries
//! of LᵀL. And the paper starts with `W_L = 10⁻³·√A`, A the mean area of a face, which
//! depends on the unit of length; here the start is [`FIRST_PULL`], whatever the size.

use std::sync::Arc;

use glam::DVec3;

use super::proxy::Proxy;
use crate::linear::{Cholesky, EliminationOrder, SymmetricMatrix};
use crate::task::{Cancelled, Task};

/// The weight of contraction in the first step: it evens out what is a few edges wide.
const FIRST_PULL: f64 = 8.0;
/// What it is multiplied with after each step (s_L of the paper).
const PULL_GROWTH: f64 = 2.0;
/// The fraction of the first volume at which it ends.
const SMALLEST_VOLUME: f64 = 1e-6;
/// Steps after which it ends in any case.
const MOST_STEPS: usize = 20;
/// A point's surroundings count as no smaller than this fraction of what they were: weights
/// beyond that lose the digits of their neighbours.
const SMALLEST_AREA: f64 = 1e-10;

/// A triangle counts as no flatter than this: twice its area by the square of its longest
/// side.
const FLATTEST: f64 = 1e-6;

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
    let mut fraction = 1.0;
    for _ in 0..MOST_STEPS {
        task.step(STAGE, (f64::log10(fraction) / SMALLEST_VOLUME.log10()) as f32)?;
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
        if after.is_nan() {
            break;
        }
        (points, fraction) = (next, after);
        if fraction <= SMALLEST_VOLUME {
            break;
        }
        operator = Operator::of(rings, &points, &proxy.faces);
        pull *= PULL_GROWTH;
    }
    Ok(points)
}

/// The points after one step, or `None` where they cannot be solved for. The matrix has its
/// entries always at the same indices, so the order of elimination is found once.
fn step(
    operator: &SymmetricMatrix,
    pull: f64,
    hold: &[f64],
    points: &[DVec3],
    order: &mut Option<Arc<EliminationOrder>>,
) -> Option<Vec<DVec3>> {
    let count = points.len();
    let mut matrix = operator.clone();
    for value in &mut matrix.values {
        *value *= pull;
    }
    for (i, h) in hold.iter().enumerate() {
        matrix.values[matrix.starts[i] as usize] += h;
    }
    if order.is_none() {
        *order = Some(Arc::new(
            EliminationOrder::of(&matrix.starts, &matrix.columns).ok()?,
        ));
    }
    let factors = Cholesky::with_order(order.clone()?, &matrix).ok()?;
    let mut axes: Vec<f64> = Vec::with_capacity(3 * count);
    for axis in 0..3 {
        axes.extend(points.iter().zip(hold).map(|(p, h)| h * p[axis]));
    }
    factors.solve_in_place(&mut axes).ok()?;
    let next: Vec<DVec3> = (0..count)
        .map(|i| DVec3::new(axes[i], axes[count + i], axes[2 * count + i]))
        .collect();
    next.iter().all(|p| p.is_finite()).then_some(next)
}

/// The cotangent operator of a closed surface, edges no less than nothing, and the area
/// around each point.
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
            let longest = (b - a).length_squared().max((c - b).length_squared());
            let longest = longest.max((a - c).length_squared());
            let area = (b - a).cross(c - a).length();
            let double_area = area.max(FLATTEST * longest);
            for k in 0..3 {
                let (i, j, at) = (face[k], face[(k + 1) % 3], face[(k + 2) % 3]);
                areas[i as usize] += area / 2.0;
                let (u, v) = (
                    points[i as usize] - points[at as usize],
                    points[j as usize] - points[at as usize],
                );
                let weight = if double_area > 0.0 {
                    u.dot(v) / double_area
                } else {
                    0.0
                };
                let (row, column) = (i.min(j) as usize, i.max(j));
                let start = matrix.starts[row] as usize;
                let columns = &matrix.columns[start..matrix.starts[row + 1] as usize];
                if let Ok(slot) = columns.binary_search(&column) {
                    matrix.values[start + slot] -= weight;
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
