//! Where the outline of a body bends in between head and shoulders.
//!
//! A neck that is thinner than the head is found by that (`landmarks`). Under a hood or hair nothing is thinnest: the slices only get
//! smaller upward. Between a wide chest and the head they do so faster than a straight line would, and the place that is furthest inside
//! the hull of that curve is where neck and head meet.

use super::half::Half;
use super::landmarks::slices;

/// A slice is so much thinner than the hull there, as a share of it: less is no bend, and more is a gap below what rises from the head.
const BENT: (f64, f64) = (0.2, 0.95);
/// How far under the shoulders the curve begins, and how high it ends, as shares of the height.
const BEGINS: f64 = 0.02;
const ENDS: f64 = 0.97;

/// How high the nape is, over shoulders that are at a height; `None` where the outline does not bend.
pub(in crate::rig::template) fn nape(half: &Half, shoulders: f64) -> Option<f64> {
    let sizes: Vec<f64> = slices(half).iter().map(|s| (s.central as f64).sqrt()).collect();
    let size = |layer: i32| {
        let at = |l: i32| sizes.get(l.max(0) as usize).copied().unwrap_or(0.0);
        0.25 * at(layer - 1) + 0.5 * at(layer) + 0.25 * at(layer + 1)
    };
    let first = half.layer(shoulders - BEGINS * half.tall()).max(half.layers.0);
    let curve: Vec<(f64, f64)> = (first..=half.layers.1)
        .map(|layer| (half.height(layer), size(layer)))
        .collect();
    let hull = hull(&curve);
    let highest = half.ground() + ENDS * half.tall();
    let mut best: Option<(f64, f64, f64)> = None;
    for &(height, size) in curve.iter().take_while(|p| p.0 < highest) {
        let inside = at(&hull, height) - size;
        if best.is_none_or(|b| inside > b.1) {
            best = Some((height, inside, inside / (size + inside).max(f64::MIN_POSITIVE)));
        }
    }
    let (height, _, share) = best?;
    (share >= BENT.0 && share < BENT.1).then_some(height)
}

/// The upper hull of a curve whose points go on in one direction.
fn hull(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for &p in curve {
        while let [.., a, b] = hull[..] {
            // Under the line from the one before to the next it is no corner.
            if (b.0 - a.0) * (p.1 - a.1) < (b.1 - a.1) * (p.0 - a.0) {
                break;
            }
            hull.pop();
        }
        hull.push(p);
    }
    hull
}

/// The height of a hull over a place.
fn at(hull: &[(f64, f64)], place: f64) -> f64 {
    let on = hull.windows(2).find(|w| place <= w[1].0);
    match (on, hull) {
        (Some(w), _) => {
            let share = ((place - w[0].0) / (w[1].0 - w[0].0).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            w[0].1 + share * (w[1].1 - w[0].1)
        }
        (None, [.., last]) => last.1,
        (None, []) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against every line between two points of a curve: the hull is the highest of them.
    #[test]
    fn the_hull_is_the_highest_of_all_chords() {
        let curve: Vec<(f64, f64)> = (0..40)
            .map(|k| {
                (
                    f64::from(k),
                    f64::from((k * 37 + 11) % 29) - 0.02 * f64::from((k - 20) * (k - 20)),
                )
            })
            .collect();
        let hull = hull(&curve);
        for &(place, height) in &curve {
            let mut highest = height;
            for a in curve.iter().filter(|a| a.0 <= place) {
                for b in curve.iter().filter(|b| b.0 >= place && b.0 > a.0) {
                    let on = a.1 + (place - a.0) / (b.0 - a.0) * (b.1 - a.1);
                    highest = highest.max(on);
                }
            }
            assert!((at(&hull, place) - highest).abs() < 1e-9, "{place}");
        }
    }
}
