//! How far apart two weightings are.

use crate::character::Influence;

/// Half the sum of differences of two vertices' weights: 0 if they are equal, 1 if they
/// share no joint.
pub fn weight_distance(a: &[Influence], b: &[Influence]) -> f64 {
    let weight = |of: &[Influence], joint| {
        of.iter()
            .find(|i| i.joint == joint)
            .map_or(0.0, |i| f64::from(i.weight))
    };
    let over_a: f64 = a
        .iter()
        .map(|i| (f64::from(i.weight) - weight(b, i.joint)).abs())
        .sum();
    let only_b: f64 = b
        .iter()
        .filter(|i| a.iter().all(|j| j.joint != i.joint))
        .map(|i| f64::from(i.weight))
        .sum();
    (over_a + only_b) / 2.0
}
