//! Positions in groups of near ones: what is far from a group is far from all of it.

use glam::DVec3;

/// Positions that are looked at together.
const GROUP: usize = 64;
/// Bits of a coordinate in the order along a space-filling curve.
const CURVE_BITS: u32 = 10;

/// Positions in groups of near ones, each with a ball around it.
#[derive(Debug)]
pub(crate) struct Groups {
    positions: Vec<u32>,
    /// For each position its group.
    group_of: Vec<u32>,
    /// For each group the middle and radius of its ball.
    balls: Vec<(DVec3, f64)>,
}

impl Groups {
    /// Groups points by position.
    pub fn of(points: &[DVec3]) -> Self {
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| {
                (low.min(p), high.max(p))
            });
        let scale = f64::from(1u32 << CURVE_BITS) / (high - low).max_element().max(f64::MIN_POSITIVE);
        let mut keyed: Vec<(u32, u32)> = points
            .iter()
            .zip(0..)
            .map(|(&p, position)| (along_curve((p - low) * scale), position))
            .collect();
        keyed.sort_unstable();
        let positions: Vec<u32> = keyed.into_iter().map(|k| k.1).collect();
        let balls = positions
            .chunks(GROUP)
            .map(|group| {
                let at = |&p: &u32| points[p as usize];
                let middle = group.iter().map(at).sum::<DVec3>() / group.len() as f64;
                let radius = group.iter().map(|p| at(p).distance(middle)).fold(0.0, f64::max);
                (middle, radius)
            })
            .collect();
        let mut group_of = vec![0; points.len()];
        for (index, group) in (0..).zip(positions.chunks(GROUP)) {
            for &position in group {
                group_of[position as usize] = index;
            }
        }
        Self {
            positions,
            group_of,
            balls,
        }
    }

    /// A position's group.
    pub fn group_of(&self, position: u32) -> u32 {
        self.group_of[position as usize]
    }

    /// The positions of a group.
    pub fn members(&self, group: u32) -> &[u32] {
        let start = group as usize * GROUP;
        &self.positions[start..(start + GROUP).min(self.positions.len())]
    }

    /// The middle and radius of the ball around a group.
    pub fn ball(&self, group: u32) -> (DVec3, f64) {
        self.balls[group as usize]
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.balls.len()
    }

    /// The groups: their positions and the middle and radius of the ball around them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u32], (DVec3, f64))> {
        self.positions.chunks(GROUP).zip(self.balls.iter().copied())
    }
}

/// The index of a point with coordinates of [`CURVE_BITS`] bits on the Morton curve.
fn along_curve(point: DVec3) -> u32 {
    let most = (1u32 << CURVE_BITS) - 1;
    let spread = |x: f64| {
        let x = (x as u32).min(most);
        (0..CURVE_BITS).fold(0, |key, bit| key | (x >> bit & 1) << (3 * bit))
    };
    spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
}
