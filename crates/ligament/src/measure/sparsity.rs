//! How many joints hold a vertex, and weights too small to matter.
//!
//! Over the vertices of skin: the most and the mean number of influences, the fraction of
//! vertices that follow one joint alone, and the fraction of influences that are **tiny**
//! (below 0.01), all but the numbers of influences in `0.0..=1.0`. Tiny weights cost an
//! engine as much as large ones and crowd out influences that matter.

use serde::Serialize;

use super::measured_skin::MeasuredSkin;
use crate::character::Weights;

/// Weights below this are tiny.
const TINY: f32 = 0.01;

/// Counts of influences.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sparsity {
    /// The most influences that a vertex has.
    pub max_influences: usize,
    /// The mean number of influences.
    pub mean_influences: f64,
    /// The fraction of vertices that follow one joint alone.
    pub rigid_share: f64,
    /// The fraction of influences that are tiny.
    pub tiny_share: f64,
}

/// Counts the influences of the skin.
pub(super) fn sparsity(weights: &Weights, skin: &MeasuredSkin) -> Sparsity {
    let (mut most, mut all, mut rigid, mut tiny) = (0, 0usize, 0usize, 0usize);
    for &v in &skin.vertices {
        let influences = weights.of_vertex(v as usize);
        most = most.max(influences.len());
        all += influences.len();
        rigid += usize::from(influences.len() == 1);
        tiny += influences.iter().filter(|i| i.weight < TINY).count();
    }
    let vertices = skin.vertices.len().max(1) as f64;
    Sparsity {
        max_influences: most,
        mean_influences: all as f64 / vertices,
        rigid_share: rigid as f64 / vertices,
        tiny_share: tiny as f64 / all.max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::character::{Influence, JointIndex};
    use glam::Vec3;

    #[test]
    fn counts_by_hand() {
        let mesh = Mesh::single_part("t", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
        let inf = |joint, weight| Influence {
            joint: JointIndex(joint),
            weight,
        };
        let lists = [
            vec![inf(0, 1.0)],
            vec![inf(0, 0.995), inf(1, 0.005)],
            vec![inf(0, 0.5), inf(1, 0.3), inf(2, 0.2)],
        ];
        let weights = Weights::new(lists.iter().map(Vec::as_slice)).unwrap();
        let found = sparsity(&weights, &MeasuredSkin::of(&mesh));
        assert_eq!((found.max_influences, found.mean_influences), (3, 2.0));
        assert!((found.rigid_share - 1.0 / 3.0).abs() < 1e-12);
        assert!((found.tiny_share - 1.0 / 6.0).abs() < 1e-12);
    }
}
