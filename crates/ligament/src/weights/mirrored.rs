//! Weights of one side carried over to the other.

use std::convert::Infallible;

use crate::character::{Influence, JointIndex, Weights};

/// What a point does when one side gives its weights to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It keeps what it has.
    Gives,
    /// It takes what its partner has, left and right swapped.
    Takes,
    /// It lies on the plane, and becomes the same on both sides.
    Middle,
}

/// One side's weights on both. `partners` are points, where they have one, `joints` the partner of each joint; points
/// without a partner keep what they have. At most `k` influences are kept.
pub fn mirrored(
    weights: &Weights,
    sides: &[Side],
    partners: &[Option<u32>],
    joints: &[JointIndex],
    k: usize,
) -> Weights {
    let swapped = |i: &Influence| Influence {
        joint: joints[i.joint.at()],
        ..*i
    };
    let made = Weights::in_parallel(sides.len(), 4, |points, builder| {
        let mut row: Vec<Influence> = Vec::new();
        for point in points {
            row.clear();
            match (sides[point], partners[point]) {
                (Side::Takes, Some(partner)) => {
                    row.extend(weights.of_vertex(partner as usize).iter().map(swapped));
                }
                (Side::Middle, _) => {
                    let own = weights.of_vertex(point);
                    row.extend(own.iter().copied().chain(own.iter().map(swapped)));
                    keep_pairs(&mut row, joints, k);
                }
                _ => {}
            }
            // Joints that are there twice are joined by the builder.
            if row.is_empty() || builder.push(&row).is_err() {
                builder.push_valid(weights.of_vertex(point));
            }
        }
        Ok::<_, Infallible>(())
    });
    match made {
        Ok(weights) => weights.limited(k),
        Err(never) => match never {},
    }
}

/// Sums repeated joints and keeps at most `k`, a joint and its partner together where that is possible.
fn keep_pairs(row: &mut Vec<Influence>, joints: &[JointIndex], k: usize) {
    row.sort_by_key(|i| i.joint);
    row.dedup_by(|next, kept| {
        let same = next.joint == kept.joint;
        if same {
            kept.weight += next.weight;
        }
        same
    });
    row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
    if row.len() <= k {
        return;
    }
    // The last one may have lost its partner.
    let torn = |row: &[Influence], last: Influence| {
        let partner = joints[last.joint.at()];
        partner != last.joint && !row.iter().any(|i| i.joint == partner)
    };
    row.truncate(k);
    if let Some(&last) = row.last()
        && row.len() > 1
        && torn(row, last)
    {
        row.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_gives_the_other_takes_and_the_middle_is_even() {
        let inf = |joint: u16, weight: f32| Influence {
            joint: JointIndex(joint),
            weight,
        };
        // Joints: 0 in the middle, 1 left, 2 right. Points: left, middle, right, and one without a partner.
        let rows = [
            vec![inf(1, 0.75), inf(0, 0.25)],
            vec![inf(1, 0.6), inf(0, 0.4)],
            vec![inf(0, 1.0)],
            vec![inf(2, 1.0)],
        ];
        let weights = Weights::new(rows.iter().map(Vec::as_slice)).unwrap();
        let sides = [Side::Gives, Side::Middle, Side::Takes, Side::Takes];
        let partners = [Some(2), Some(1), Some(0), None];
        let joints = [0, 2, 1].map(JointIndex);
        let made = mirrored(&weights, &sides, &partners, &joints, 4);
        assert_eq!(made.of_vertex(0), rows[0]);
        assert_eq!(made.of_vertex(2), [inf(2, 0.75), inf(0, 0.25)]);
        assert_eq!(made.of_vertex(3), rows[3]);
        let middle = made.of_vertex(1);
        assert_eq!(middle.len(), 3);
        assert_eq!(made.weight(1, JointIndex(1)), made.weight(1, JointIndex(2)));
        // With room for two the pair of left and right does not fit beside the middle one.
        let few = mirrored(&weights, &sides, &partners, &joints, 2);
        assert_eq!(few.of_vertex(1), [inf(0, 1.0)]);
    }
}
