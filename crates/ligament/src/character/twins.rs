//! Vertices at one position.
//!
//! Exporters split a vertex where its normal, texture coordinate or material changes.
//! Twins must move together or the skin tears, so weights are computed once per
//! *position* and scattered to the vertices. Vertices are unified, never welded: the
//! file keeps all of them.

use std::collections::HashMap;

use glam::Vec3;

/// Which vertices are twins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twins {
    /// For each vertex, its position's number. Numbers are given in order of first use.
    pub position_of_vertex: Vec<u32>,
    /// For each position, the first vertex that has it.
    pub first_vertex: Vec<u32>,
}

impl Twins {
    /// Unifies vertices that lie within `tolerance` of the first vertex of a position
    /// (0 for exactly equal ones). Coordinates must be finite.
    pub fn within(positions: &[Vec3], tolerance: f32) -> Self {
        // Grid cells twice as wide as the tolerance: a match lies in the vertex's own
        // cell or in one of the neighbours on the sides it is near to.
        let cell_size = if tolerance > 0.0 {
            2.0 * f64::from(tolerance)
        } else {
            0.0
        };
        let cell_of = |p: f32| -> i64 {
            if cell_size > 0.0 {
                (f64::from(p) / cell_size).floor() as i64
            } else {
                i64::from((p + 0.0).to_bits()) // + 0.0 joins -0.0 and 0.0
            }
        };
        let mut first_in_cell: HashMap<[i64; 3], Vec<u32>> = HashMap::with_capacity(positions.len());
        let mut position_of_vertex = Vec::with_capacity(positions.len());
        let mut first_vertex: Vec<u32> = Vec::new();
        let reach = if cell_size > 0.0 { 1 } else { 0 };
        for (v, &p) in positions.iter().enumerate() {
            let cell = [cell_of(p.x), cell_of(p.y), cell_of(p.z)];
            let mut found: Option<u32> = None;
            for dx in -reach..=reach {
                for dy in -reach..=reach {
                    for dz in -reach..=reach {
                        let near = [
                            cell[0].saturating_add(dx),
                            cell[1].saturating_add(dy),
                            cell[2].saturating_add(dz),
                        ];
                        for &candidate in first_in_cell.get(&near).into_iter().flatten() {
                            let q = positions[first_vertex[candidate as usize] as usize];
                            let matches = cell_size == 0.0 || p.distance_squared(q) <= tolerance * tolerance;
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
                first_in_cell.entry(cell).or_default().push(new);
                new
            });
            position_of_vertex.push(position);
        }
        Self {
            position_of_vertex,
            first_vertex,
        }
    }

    /// Unifies vertices that are equal up to what `f32` coordinates of this extent can
    /// tell apart, so that meshes brought into one space by different matrices meet.
    pub fn of(mesh: &super::Mesh) -> Self {
        Self::within(&mesh.positions, mesh.diagonal() * TWIN_TOLERANCE)
    }

    /// How many distinct positions there are.
    pub fn position_count(&self) -> usize {
        self.first_vertex.len()
    }
}

/// Twins may differ by this share of the bounding box's diagonal: a few units in the last
/// place of an `f32`, far less than the shortest edge of any mesh made to be seen.
const TWIN_TOLERANCE: f32 = 4e-7;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_positions_are_twins_and_minus_zero_is_zero() {
        let p = [Vec3::ZERO, Vec3::X, Vec3::new(-0.0, 0.0, -0.0), Vec3::X];
        let twins = Twins::within(&p, 0.0);
        assert_eq!(twins.position_of_vertex, [0, 1, 0, 1]);
        assert_eq!(twins.first_vertex, [0, 1]);
    }

    #[test]
    fn a_match_is_found_across_cell_borders() {
        let p = [
            Vec3::new(0.99999, 0.0, 0.0),
            Vec3::new(1.00001, 0.0, 0.0),
            Vec3::new(1.1, 0.0, 0.0),
        ];
        assert_eq!(Twins::within(&p, 1e-4).position_of_vertex, [0, 0, 1]);
        assert_eq!(Twins::within(&p, 0.5e-5).position_of_vertex, [0, 1, 2]);
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
            let twins = Twins::within(&points, tolerance);
            let mut first: Vec<usize> = Vec::new();
            for (v, p) in points.iter().enumerate() {
                let naive = first.iter().position(|&f| points[f].distance(*p) <= tolerance)
                    .unwrap_or_else(|| { first.push(v); first.len() - 1 });
                prop_assert_eq!(twins.position_of_vertex[v] as usize, naive);
            }
        }
    }
}
