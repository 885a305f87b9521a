//! Weights that are the same left and right.

use std::convert::Infallible;

use crate::character::{Influence, JointIndex, Weights};

/// Each point's weights averaged with those of its partner, joints swapped; at most `k` are kept. What voxels, ties and
/// rounding made different is then the same.
pub fn mirror_averaged(weights: &Weights, points: &[u32], joints: &[JointIndex], k: usize) -> Weights {
    let averaged = Weights::in_parallel(points.len(), k.min(4), |range, builder| {
        let mut row: Vec<Influence> = Vec::new();
        for position in range {
            row.clear();
            row.extend_from_slice(weights.of_vertex(position));
            for other in weights.of_vertex(points[position] as usize) {
                let joint = joints[other.joint.at()];
                match row.iter_mut().find(|i| i.joint == joint) {
                    Some(own) => own.weight += other.weight,
                    None => row.push(Influence {
                        joint,
                        weight: other.weight,
                    }),
                }
            }
            // Sums of the same two numbers in either order are the same, so ties are
            // exact: a joint and its partner are kept or dropped together.
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            if row.len() > k {
                let border = row[k].weight;
                let keep = row.partition_point(|i| i.weight > border).min(k);
                row.truncate(if keep == 0 { k } else { keep });
            }
            if builder.push(&row).is_err() {
                builder.push_valid(weights.of_vertex(position));
            }
        }
        Ok::<_, Infallible>(())
    });
    match averaged {
        Ok(weights) => weights,
        Err(never) => match never {},
    }
}
