//! Vertices at one position.
//!
//! Exporters split a vertex where its normal, texture coordinate or material changes.
//! Coincident vertices must move together or the skin tears, so weights are computed once per
//! *point* and handed out to the vertices there. The file keeps all of its vertices.

use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// Which vertices lie at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weld {
    /// For each vertex its point. Points are numbered in order of first use.
    pub point_of_vertex: Vec<u32>,
    /// For each point the first vertex there.
    pub first_vertex: Vec<u32>,
}

impl Weld {
    /// Unifies vertices that lie within `tolerance` of the first vertex of a position
    /// (0 for exactly equal ones). Coordinates must be finite.
    pub fn within(positions: &[Vec3], tolerance: f32) -> Self {
        // Cells much wider than the tolerance: all but a few vertices look into one cell.
        let cell_size = CELLS_PER_TOLERANCE * f64::from(tolerance);
        let cell_of = |x: f64| -> i64 {
            if tolerance > 0.0 {
                (x / cell_size).floor() as i64
            } else {
                (x + 0.0).to_bits() as i64 // + 0.0 joins -0.0 and 0.0
            }
        };
        // The last point in each cell, and for each point the one before it in its cell.
        let mut last_in_cell: FxHashMap<[i64; 3], u32> = FxHashMap::default();
        last_in_cell.reserve(positions.len());
        let mut before: Vec<Option<u32>> = Vec::new();
        let mut point_of_vertex = Vec::with_capacity(positions.len());
        let mut first_vertex: Vec<u32> = Vec::new();
        let reach = DVec3::splat(f64::from(tolerance));
        for (v, &p) in positions.iter().enumerate() {
            let cells = |at: DVec3| at.to_array().map(cell_of);
            let (low, high) = (cells(p.as_dvec3() - reach), cells(p.as_dvec3() + reach));
            let mut found: Option<u32> = None;
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        let mut next = last_in_cell.get(&[x, y, z]).copied();
                        while let Some(candidate) = next {
                            next = before[candidate as usize];
                            let q = positions[first_vertex[candidate as usize] as usize];
                            let matches = tolerance == 0.0 || p.distance_squared(q) <= tolerance * tolerance;
                            if matches && found.is_none_or(|f| candidate < f) {
                                found = Some(candidate);
                            }
                        }
                    }
                }
            }
            let position = found.unwrap_or_else(|| {
                let new = first_vertex.len() as u32;
                first_vertex.push(v as u32);
                before.push(last_in_cell.insert(cells(p.as_dvec3()), new));
                new
            });
            point_of_vertex.push(position);
        }
        Self {
            point_of_vertex,
            first_vertex,
        }
    }

    /// Unifies vertices that are equal up to what `f32` coordinates of this extent can
    /// tell apart, so that meshes brought into one space by different matrices meet.
    pub fn of(mesh: &crate::character::Mesh) -> Self {
        Self::within(&mesh.positions, mesh.robust_diagonal() * TWIN_TOLERANCE)
    }

    /// How many distinct positions there are.
    pub fn point_count(&self) -> usize {
        self.first_vertex.len()
    }
}

/// Weld may differ by this fraction of the bounding box's diagonal: a few units in the last
/// place of an `f32`, far less than the shortest edge of any mesh made to be seen.
const TWIN_TOLERANCE: f32 = 4e-7;

/// Width of a search cell. Narrower ones make more vertices look into several cells, wider
/// ones put more vertices into each; from 16 to 256 it makes no difference.
const CELLS_PER_TOLERANCE: f64 = 64.0;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_positions_are_one_point_and_minus_zero_is_zero() {
        let p = [Vec3::ZERO, Vec3::X, Vec3::new(-0.0, 0.0, -0.0), Vec3::X];
        let weld = Weld::within(&p, 0.0);
        assert_eq!(weld.point_of_vertex, [0, 1, 0, 1]);
        assert_eq!(weld.first_vertex, [0, 1]);
    }

    #[test]
    fn a_match_is_found_across_cell_borders() {
        let p = [
            Vec3::new(0.99999, 0.0, 0.0),
            Vec3::new(1.00001, 0.0, 0.0),
            Vec3::new(1.1, 0.0, 0.0),
        ];
        assert_eq!(Weld::within(&p, 1e-4).point_of_vertex, [0, 0, 1]);
        assert_eq!(Weld::within(&p, 0.5e-5).point_of_vertex, [0, 1, 2]);
    }

    proptest! {
        /// Against the definition, on a small grid that breeds coincidences.
        #[test]
        fn agrees_with_the_naive_search(
            points in prop::collection::vec((0i8..4, 0i8..4, 0i8..4), 0..60),
            tolerance in prop::sample::select(vec![0.0f32, 0.3, 1.0, 1.5]),
        ) {
            let points: Vec<Vec3> = points.iter()
                .map(|&(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)))
                .collect();
            let weld = Weld::within(&points, tolerance);
            let mut first: Vec<usize> = Vec::new();
            for (v, p) in points.iter().enumerate() {
                let naive = first.iter().position(|&f| points[f].distance(*p) <= tolerance)
                    .unwrap_or_else(|| { first.push(v); first.len() - 1 });
                prop_assert_eq!(weld.point_of_vertex[v] as usize, naive);
            }
        }
    }
}
