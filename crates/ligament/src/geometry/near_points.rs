//! Which point lies at a position, within a tolerance: what mirror images and matches are found with.

use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;

/// The edge of a cell, in tolerances. Cells are much wider than the tolerance: all but a few searches look into one
/// cell only.
const CELLS_PER_TOLERANCE: f64 = 16.0;
/// The end of a chain.
const NOBODY: u32 = u32::MAX;

/// Points by the cells that they are in.
pub struct NearPoints<'a> {
    points: &'a [DVec3],
    reach: f64,
    /// Cells are counted from here, so that they can be told apart however far away all points are.
    origin: DVec3,
    first: FxHashMap<IVec3, u32>,
    /// For each point the next one in its cell.
    next: Vec<u32>,
}

impl<'a> NearPoints<'a> {
    /// Gets ready to find points within `reach` of positions.
    pub fn new(points: &'a [DVec3], reach: f64) -> Self {
        let mut found = Self {
            points,
            reach,
            origin: points.first().copied().unwrap_or_default(),
            first: FxHashMap::default(),
            next: vec![NOBODY; points.len()],
        };
        found.first.reserve(points.len());
        for (i, &p) in points.iter().enumerate() {
            let cell = found.cell(p);
            found.next[i] = found.first.insert(cell, i as u32).unwrap_or(NOBODY);
        }
        found
    }

    fn cell(&self, p: DVec3) -> IVec3 {
        ((p - self.origin) / (CELLS_PER_TOLERANCE * self.reach))
            .floor()
            .as_ivec3()
    }

    /// The point nearest to a position, if one is within reach; of equally near ones the first.
    pub fn nearest(&self, position: DVec3) -> Option<u32> {
        let (low, high) = (self.cell(position - self.reach), self.cell(position + self.reach));
        let mut best: Option<(f64, u32)> = None;
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let mut candidate = self.first.get(&IVec3::new(x, y, z)).copied().unwrap_or(NOBODY);
                    while candidate != NOBODY {
                        let distance = self.points[candidate as usize].distance(position);
                        if distance <= self.reach && best.is_none_or(|b| (distance, candidate) < b) {
                            best = Some((distance, candidate));
                        }
                        candidate = self.next[candidate as usize];
                    }
                }
            }
        }
        best.map(|b| b.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_agrees_with_the_naive_search(
            points in prop::collection::vec(prop::array::uniform3(-6i8..6), 0..40),
            positions in prop::collection::vec(prop::array::uniform3(-60i8..60), 1..20),
            reach in prop::sample::select(vec![0.05, 0.5, 1.0, 3.0]),
        ) {
            let points: Vec<DVec3> = points.iter().map(|p| DVec3::from(p.map(f64::from))).collect();
            let near = NearPoints::new(&points, reach);
            for position in positions {
                let position = DVec3::from(position.map(f64::from)) / 10.0;
                let naive = (0..points.len() as u32)
                    .map(|i| (points[i as usize].distance(position), i))
                    .filter(|f| f.0 <= reach)
                    .min_by(|a, b| a.partial_cmp(b).unwrap())
                    .map(|f| f.1);
                prop_assert_eq!(near.nearest(position), naive);
            }
        }
    }
}
