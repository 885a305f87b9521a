//! Weights of points as their neighbours agree on them.

use crate::character::{Influence, JointIndex, Weights, WeightsBuilder};
use crate::geometry::Laplacian;

/// At some points, for each joint the median of its weights at the point and its neighbours, summing to one again. What single
/// points have by chance goes, and a border between joints stays where it is, which a mean would blur.
pub fn medians(weights: &Weights, laplacian: &Laplacian, points: &[bool]) -> Weights {
    let mut builder = WeightsBuilder::with_capacity(points.len(), 4);
    let mut joints: Vec<JointIndex> = Vec::new();
    let mut row: Vec<Influence> = Vec::new();
    let mut of_joint: Vec<f32> = Vec::new();
    for (point, &is_treated) in points.iter().enumerate() {
        row.clear();
        if is_treated {
            let around: Vec<usize> = std::iter::once(point)
                .chain(laplacian.row(point).map(|(n, _)| n as usize))
                .collect();
            joints.clear();
            joints.extend(around.iter().flat_map(|&p| weights.of_vertex(p)).map(|i| i.joint));
            joints.sort_unstable();
            joints.dedup();
            for &joint in &joints {
                of_joint.clear();
                of_joint.extend(around.iter().map(|&p| weights.weight(p, joint)));
                of_joint.sort_unstable_by(f32::total_cmp);
                let (low, high) = (of_joint[(of_joint.len() - 1) / 2], of_joint[of_joint.len() / 2]);
                let weight = 0.5 * (low + high);
                if weight > 0.0 {
                    row.push(Influence { joint, weight });
                }
            }
        }
        // Where neighbours agree on nothing, the point keeps what it has.
        if row.is_empty() || builder.push(&row).is_err() {
            builder.push_valid(weights.of_vertex(point));
        }
    }
    builder.finish()
}
