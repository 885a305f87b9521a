//! Weights as small integers that sum exactly to their full scale.
//!
//! glTF and engines store weights as 8- or 16-bit fractions, and a sum that is off by a
//! single unit visibly distorts what is far from the origin. Largest-remainder rounding
//! gives the integers that are nearest to the weights among all that sum exactly.

use super::Influence;

/// Fractions of 255 that sum to exactly 255. Empty for no influence.
pub fn quantise_u8(influences: &[Influence]) -> Vec<u8> {
    quantise(influences, u32::from(u8::MAX))
        .into_iter()
        .map(|q| q as u8)
        .collect()
}

/// Fractions of 65535 that sum to exactly 65535. Empty for no influence.
pub fn quantise_u16(influences: &[Influence]) -> Vec<u16> {
    quantise(influences, u32::from(u16::MAX))
        .into_iter()
        .map(|q| q as u16)
        .collect()
}

/// Rounds down, then gives the units that are missing to the largest remainders, ties to
/// the larger weight (which comes first). Influences are sorted and sum to one, so the
/// result is sorted too, at most `full` each, and a unit never goes to a smaller weight
/// before an equal larger one.
fn quantise(influences: &[Influence], full: u32) -> Vec<u32> {
    let sum: f64 = influences.iter().map(|i| f64::from(i.weight)).sum();
    let exact: Vec<f64> = influences
        .iter()
        .map(|i| f64::from(i.weight) / sum * f64::from(full))
        .collect();
    let mut rounded: Vec<u32> = exact.iter().map(|&x| x.floor() as u32).collect();
    let missing = full.saturating_sub(rounded.iter().sum()) as usize;
    let mut by_remainder: Vec<usize> = (0..exact.len()).collect();
    by_remainder.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()).then(a.cmp(&b)));
    for &i in by_remainder.iter().take(missing) {
        rounded[i] += 1;
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::super::JointIndex;
    use super::*;
    use proptest::prelude::*;

    fn list(weights: &[f32]) -> Vec<Influence> {
        let sum: f32 = weights.iter().sum();
        let mut list: Vec<Influence> = weights
            .iter()
            .enumerate()
            .map(|(j, &w)| Influence {
                joint: JointIndex(j as u16),
                weight: w / sum,
            })
            .collect();
        list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        list
    }

    #[test]
    fn thirds_share_evenly() {
        assert_eq!(quantise_u8(&list(&[1.0, 1.0, 1.0])), [85, 85, 85]);
        assert_eq!(quantise_u8(&list(&[1.0, 1.0])), [128, 127]);
        assert_eq!(quantise_u16(&list(&[1.0])), [65535]);
        assert!(quantise_u8(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn sums_are_exact_and_errors_under_one_unit(
            weights in prop::collection::vec(1e-6f32..1.0, 1..12)
        ) {
            let list = list(&weights);
            for (full, q) in [
                (255, quantise_u8(&list).iter().map(|&q| u32::from(q)).collect::<Vec<_>>()),
                (65535, quantise_u16(&list).iter().map(|&q| u32::from(q)).collect()),
            ] {
                prop_assert_eq!(q.iter().sum::<u32>(), full);
                prop_assert!(q.is_sorted_by(|a, b| a >= b), "{q:?}");
                for (i, &q) in list.iter().zip(&q) {
                    prop_assert!((f64::from(i.weight) * f64::from(full) - f64::from(q)).abs() < 1.01);
                }
            }
        }
    }
}
