//! Which positions a bone that moved may now be the source of.

use glam::DVec3;

use crate::bind::heat::{BEHIND, HeatSkin, TIE};
use crate::character::BoneShape;

/// Positions that are looked at together.
const GROUP: usize = 64;
/// Bits of a coordinate in the order along a space-filling curve.
const CURVE_BITS: u32 = 10;

/// Positions in groups of near ones, each with a ball around it.
#[derive(Debug)]
pub(super) struct Groups {
    positions: Vec<u32>,
    /// For each group the middle and radius of its ball.
    balls: Vec<(DVec3, f64)>,
}

impl Groups {
    /// Groups the positions of a skin by place.
    pub fn of(skin: &HeatSkin) -> Self {
        let (low, high) = skin
            .points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| {
                (low.min(p), high.max(p))
            });
        let scale = f64::from(1u32 << CURVE_BITS) / (high - low).max_element().max(f64::MIN_POSITIVE);
        let mut keyed: Vec<(u32, u32)> = skin
            .points
            .iter()
            .zip(0..)
            .map(|(&p, position)| (along_curve((p - low) * scale), position))
            .collect();
        keyed.sort_unstable();
        let positions: Vec<u32> = keyed.into_iter().map(|k| k.1).collect();
        let balls = positions
            .chunks(GROUP)
            .map(|group| {
                let at = |&p: &u32| skin.points[p as usize];
                let middle = group.iter().map(at).sum::<DVec3>() / group.len() as f64;
                let radius = group.iter().map(|p| at(p).distance(middle)).fold(0.0, f64::max);
                (middle, radius)
            })
            .collect();
        Self { positions, balls }
    }

    /// The positions to which one of `shapes` could come at most as dear as `costs`, without
    /// regard to what is in the way.
    pub fn within(&self, skin: &HeatSkin, shapes: &[&BoneShape], costs: &[f64]) -> Vec<u32> {
        let mut found = Vec::new();
        // A cost is at least the distance over the best that facing can do.
        let farthest = |cost: f64| cost * (1.0 + TIE) * (1.0 + BEHIND);
        for (group, &(middle, radius)) in self.positions.chunks(GROUP).zip(&self.balls) {
            let dearest = group.iter().map(|&p| costs[p as usize]).fold(0.0, f64::max);
            let reach = farthest(dearest) + radius;
            if shapes.iter().all(|s| s.distance(middle) > reach) {
                continue;
            }
            found.extend(group.iter().copied().filter(|&p| {
                let (at, reach) = (skin.points[p as usize], farthest(costs[p as usize]));
                shapes.iter().any(|s| s.distance(at) <= reach)
            }));
        }
        found
    }
}

/// The place of a point with coordinates of [`CURVE_BITS`] bits on the Morton curve.
fn along_curve(point: DVec3) -> u32 {
    let most = (1u32 << CURVE_BITS) - 1;
    let spread = |x: f64| {
        let x = (x as u32).min(most);
        (0..CURVE_BITS).fold(0, |key, bit| key | (x >> bit & 1) << (3 * bit))
    };
    spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
}
