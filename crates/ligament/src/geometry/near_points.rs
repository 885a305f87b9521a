//! Which point lies at a position, within a tolerance: what mirror images and matches are found with.

use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;

/// The edge of a cell, in tolerances: the largest, with which all but a few searches look into one cell only, and the
/// least, with which most look into eight.
const WIDEST: f64 = 16.0;
const NARROWEST: f64 = 2.0;
/// Cells become narrower where more points than this are in one on the mean.
const POINTS_IN_CELL: f64 = 8.0;

/// Points by the cells that they are in.
pub struct NearPoints {
    reach: f64,
    grid: Grid,
    /// Where the points of each cell begin and end.
    cells: FxHashMap<IVec3, (u32, u32)>,
    /// Points and their indices, cell by cell, ascending in each.
    points: Vec<(DVec3, u32)>,
}

/// Which cell a position is in.
#[derive(Clone, Copy)]
struct Grid {
    /// Cells are counted from here, so that they can be told apart however far away all points are.
    origin: DVec3,
    edge: f64,
}

impl Grid {
    fn cell(&self, p: DVec3) -> IVec3 {
        ((p - self.origin) / self.edge).floor().as_ivec3()
    }
}

impl NearPoints {
    /// Gets ready to find points within `reach` of positions.
    pub fn new(points: &[DVec3], reach: f64) -> Self {
        let mut grid = Grid {
            origin: points.first().copied().unwrap_or_default(),
            edge: WIDEST * reach,
        };
        let mut counts = counted(points, grid);
        let mean = points.len() as f64 / counts.len().max(1) as f64;
        if mean > POINTS_IN_CELL {
            // Points lie on surfaces: a cell of half the width has a quarter of them.
            let narrower = WIDEST * (POINTS_IN_CELL / mean).sqrt();
            grid.edge = narrower.max(NARROWEST) * reach;
            counts = counted(points, grid);
        }
        // Cells in the order in which points are first met.
        let mut free = 0;
        let mut sorted = vec![(DVec3::ZERO, 0); points.len()];
        for (i, &p) in points.iter().enumerate() {
            if let Some(range) = counts.get_mut(&grid.cell(p)) {
                if range.0 == UNSEEN {
                    let count = range.1;
                    *range = (free, free);
                    free += count;
                }
                sorted[range.1 as usize] = (p, i as u32);
                range.1 += 1;
            }
        }
        Self {
            reach,
            grid,
            cells: counts,
            points: sorted,
        }
    }

    /// The point nearest to a position, if one is within reach; of equally near ones the first.
    pub fn nearest(&self, position: DVec3) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        self.any_around(position, |distance, index| {
            if best.is_none_or(|b| (distance, index) < b) {
                best = Some((distance, index));
            }
            false
        });
        best.map(|b| b.1)
    }

    /// Whether a point is within reach of a position.
    pub fn is_near(&self, position: DVec3) -> bool {
        self.any_around(position, |_, _| true)
    }

    /// Calls `visit` with the points within reach until it returns true; returns whether it did.
    fn any_around(&self, position: DVec3, mut visit: impl FnMut(f64, u32) -> bool) -> bool {
        let [low, high] = [position - self.reach, position + self.reach].map(|p| self.grid.cell(p));
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let Some(&(start, end)) = self.cells.get(&IVec3::new(x, y, z)) else {
                        continue;
                    };
                    for &(point, index) in &self.points[start as usize..end as usize] {
                        let distance = point.distance(position);
                        if distance <= self.reach && visit(distance, index) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }
}

/// Where a cell begins whose points are only counted yet.
const UNSEEN: u32 = u32::MAX;

/// How many points are in each cell, as the second number.
fn counted(points: &[DVec3], grid: Grid) -> FxHashMap<IVec3, (u32, u32)> {
    let mut counts: FxHashMap<IVec3, (u32, u32)> = FxHashMap::default();
    for &p in points {
        counts.entry(grid.cell(p)).or_insert((UNSEEN, 0)).1 += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_agrees_with_the_naive_search(
            points in prop::collection::vec(prop::array::uniform3(-6i8..6), 0..200),
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
                prop_assert_eq!(near.is_near(position), naive.is_some());
            }
        }
    }
}
