//! Joints that give their weight to others.

use std::convert::Infallible;

use crate::character::{Influence, JointIndex, Skeleton, Weights};

/// The weight of each joint goes to `to[joint]`; rows in which nothing moves stay to the bit.
pub fn redirected(weights: &Weights, to: &[JointIndex]) -> Weights {
    let made = Weights::in_parallel(weights.vertex_count(), 4, |vertices, builder| {
        let mut row: Vec<Influence> = Vec::new();
        for vertex in vertices {
            let before = weights.of_vertex(vertex);
            row.clear();
            row.extend(before.iter().map(|i| Influence {
                joint: to[i.joint.at()],
                ..*i
            }));
            if row == before || builder.push(&row).is_err() {
                builder.push_valid(before);
            }
        }
        Ok::<_, Infallible>(())
    });
    match made {
        Ok(weights) => weights,
        Err(never) => match never {},
    }
}

/// Where weight of removed joints belongs: with the nearest joint above that stays, which moved them; where there is none,
/// with the nearest by position. `None` if no joint stays.
pub fn joint_remap(skeleton: &Skeleton, removed: &[bool]) -> Option<Vec<JointIndex>> {
    let stays = |j: &JointIndex| skeleton.joint(*j).in_skin && !removed[j.at()];
    skeleton
        .indices()
        .map(|joint| {
            if !removed[joint.at()] {
                return Some(joint);
            }
            let mut above = skeleton.skin_parent(joint);
            while let Some(j) = above {
                if stays(&j) {
                    return Some(j);
                }
                above = skeleton.skin_parent(j);
            }
            let at = skeleton.bind_position(joint);
            let distance = |j: &JointIndex| skeleton.bind_position(*j).distance_squared(at);
            skeleton
                .indices()
                .filter(stays)
                .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_goes_to_the_joint_above_or_the_nearest() {
        let joints = [
            ("root", None, [0.0, 0.0, 0.0]),
            ("spine", Some(0), [0.0, 1.0, 0.0]),
            ("twist", Some(1), [0.0, 1.5, 0.0]),
            ("head", Some(1), [0.0, 2.0, 0.0]),
        ];
        let skeleton = Skeleton::from_positions(&joints).unwrap();
        let to = |removed: [bool; 4]| {
            joint_remap(&skeleton, &removed).map(|h| h.iter().map(|j| j.0).collect::<Vec<_>>())
        };
        assert_eq!(to([false, false, true, false]), Some(vec![0, 1, 1, 3]));
        assert_eq!(to([false, true, true, false]), Some(vec![0, 0, 0, 3]));
        assert_eq!(to([true, false, false, false]), Some(vec![1, 1, 2, 3]));
        assert_eq!(to([true; 4]), None);
        let inf = |joint: u16, weight: f32| Influence {
            joint: JointIndex(joint),
            weight,
        };
        let rows = [vec![inf(2, 0.5), inf(1, 0.25), inf(3, 0.25)], vec![inf(3, 1.0)]];
        let weights = Weights::new(rows.iter().map(Vec::as_slice)).unwrap();
        let made = redirected(
            &weights,
            &joint_remap(&skeleton, &[false, false, true, false]).unwrap(),
        );
        assert_eq!(made.of_vertex(0), [inf(1, 0.75), inf(3, 0.25)]);
        assert_eq!(made.of_vertex(1), rows[1]);
    }
}
