//! How smoothly weights pass from joint to joint.
//!
//! The **roughness** of a position is ½Σ|w − w̄| over joints, with w̄ the mean of its
//! neighbours' weights by the cotangent Laplacian's weights: the fraction of influence that
//! does not follow from the neighbours, in `0.0..=1.0`. Weights that are linear along the
//! surface have none, whatever the tessellation; noise has it everywhere, a hard border
//! along the border. The measure is the mean by area, and the 95th percentile over
//! positions. Positions without neighbours or area are left out.
//!
//! A **hard edge** is one over which more than half of the weight changes (½Σ|w − w'| > ½
//! between its ends): there the skin folds or tears open instead of bending. Its measure is
//! the fraction of edges that are hard, in `0.0..=1.0`.

use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::{CHUNK, MeasuredSkin};
use super::statistics::percentile;
use crate::character::{JointIndex, Weights};
use crate::geometry::Laplacian;
use crate::weights::weight_distance;

/// An edge over which more of the weight changes is hard.
const HARD: f64 = 0.5;

/// Roughness of weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Smoothness {
    /// Mean roughness by area, in `0.0..=1.0`.
    pub roughness: f64,
    /// 95th percentile over positions.
    pub roughness_p95: f64,
    /// The fraction of edges over which more than half of the weight changes.
    pub hard_edges: f64,
}

/// The roughness of each position; zero where it is not defined.
pub(super) fn roughness(weights: &Weights, skin: &MeasuredSkin) -> Vec<f32> {
    let laplacian = Laplacian::of(&skin.welded.points, &skin.welded.faces);
    let of = |p: u32| weights.of_vertex(skin.first_vertex[p as usize] as usize);
    (0..skin.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .map(|p| {
            let total: f64 = laplacian.row(p).map(|(_, weight)| weight).sum();
            if total <= 0.0 {
                return 0.0;
            }
            let mut difference: Vec<(JointIndex, f64)> = of(p as u32)
                .iter()
                .map(|i| (i.joint, f64::from(i.weight)))
                .collect();
            for (q, weight) in laplacian.row(p) {
                let fraction = weight / total;
                if fraction == 0.0 {
                    continue;
                }
                for i in of(q) {
                    let part = fraction * f64::from(i.weight);
                    match difference.iter_mut().find(|d| d.0 == i.joint) {
                        Some(d) => d.1 -= part,
                        None => difference.push((i.joint, -part)),
                    }
                }
            }
            (difference.iter().map(|d| d.1.abs()).sum::<f64>() / 2.0) as f32
        })
        .collect()
}

/// For each edge whether more than half of the weight changes along it.
pub(super) fn hard_edges(weights: &Weights, skin: &MeasuredSkin) -> Vec<bool> {
    let of = |p: u32| weights.of_vertex(skin.first_vertex[p as usize] as usize);
    skin.edges
        .par_iter()
        .with_min_len(CHUNK)
        .map(|&[a, b]| weight_distance(of(a), of(b)) > HARD)
        .collect()
}

/// Means and percentile.
pub(super) fn summary(of_position: &[f32], hard: &[bool], skin: &MeasuredSkin) -> Smoothness {
    let area: f64 = skin.areas.iter().sum();
    let sum: f64 = of_position
        .iter()
        .zip(&skin.areas)
        .map(|(&r, a)| f64::from(r) * a)
        .sum();
    let mut all: Vec<f64> = of_position.iter().map(|&r| f64::from(r)).collect();
    Smoothness {
        roughness: if area > 0.0 { sum / area } else { 0.0 },
        roughness_p95: percentile(&mut all, 95.0),
        hard_edges: hard.iter().filter(|&&h| h).count() as f64 / hard.len().max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::character::Influence;
    use glam::Vec3;

    /// A flat sheet of n × n positions, and weights by a function of x.
    fn sheet(n: u32, weight: impl Fn(f32) -> f32) -> (MeasuredSkin, Weights) {
        let positions: Vec<Vec3> = (0..n * n)
            .map(|i| Vec3::new((i % n) as f32, (i / n) as f32, 0.0))
            .collect();
        let triangles = (0..(n - 1) * (n - 1))
            .flat_map(|i| {
                let a = i / (n - 1) * n + i % (n - 1);
                [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
            })
            .collect();
        let lists: Vec<[Influence; 2]> = positions
            .iter()
            .map(|p| {
                let w = weight(p.x);
                [
                    Influence {
                        joint: JointIndex(0),
                        weight: w,
                    },
                    Influence {
                        joint: JointIndex(1),
                        weight: 1.0 - w,
                    },
                ]
            })
            .collect();
        let weights = Weights::new(lists.iter().map(|l| &l[..])).unwrap();
        (
            MeasuredSkin::of(&Mesh::single_part("sheet", positions, triangles)),
            weights,
        )
    }

    #[test]
    fn a_linear_blend_is_smooth_and_a_step_is_rough_at_its_border() {
        let n = 9;
        let (skin, linear) = sheet(n, |x| 0.9 - 0.1 * x);
        let found = roughness(&linear, &skin);
        let inner = |p: usize| {
            let (x, y) = (p as u32 % n, p as u32 / n);
            x > 0 && y > 0 && x + 1 < n && y + 1 < n
        };
        for p in (0..skin.len()).filter(|&p| inner(p)) {
            assert!(found[p] < 1e-6, "{} at {p}", found[p]);
        }
        let (skin, step) = sheet(n, |x| if x < 4.0 { 1.0 } else { 0.0 });
        let found = roughness(&step, &skin);
        for p in (0..skin.len()).filter(|&p| inner(p)) {
            // On squares each of four neighbours has a quarter; one of them is across.
            let expected = if [3, 4].contains(&(p as u32 % n)) {
                0.25
            } else {
                0.0
            };
            assert!((found[p] - expected).abs() < 1e-6, "{} at {p}", found[p]);
        }
        // Of 9 × 9 positions' 208 edges, 9 straight ones and 8 diagonals cross the step.
        let summary = summary(&found, &hard_edges(&step, &skin), &skin);
        assert!((summary.hard_edges - 17.0 / 208.0).abs() < 1e-12);
        assert!(!hard_edges(&linear, &skin).contains(&true));
    }
}
