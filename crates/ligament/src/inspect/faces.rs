//! Faces that should not be there: without area, or there twice.

use rayon::prelude::*;

use crate::geometry::WeldedMesh;

/// A face lower than this fraction of the bounding box's diagonal has no area that `f32`
/// coordinates could tell from zero: the same few units in the last place within which
/// positions are welded. Faces collapsed to a line are at 0 to 1e-7; the thinnest slivers
/// that were seen in clean characters are at about 4e-7.
pub const FLAT_FACE: f64 = 4e-7;

/// Faces with a repeated position, or whose height over their longest edge is at most
/// [`FLAT_FACE`] of the diagonal, in order.
pub fn degenerate_faces(welded: &WeldedMesh) -> Vec<u32> {
    let thinnest = FLAT_FACE * welded.diagonal;
    (0..welded.faces.len())
        .into_par_iter()
        .filter(|&face| {
            let [a, b, c] = welded.corners(face);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            welded.is_collapsed(face) || 2.0 * welded.area_vector(face).length() <= thinnest * longest
        })
        .map(|face| face as u32)
        .collect()
}

/// Faces with the same three positions as a face before them, in whatever orientation: the
/// extra copies only, in order. Collapsed faces are not compared.
pub fn duplicate_faces(welded: &WeldedMesh) -> Vec<u32> {
    let mut keyed: Vec<([u32; 3], u32)> = (0..welded.faces.len())
        .filter(|&face| !welded.is_collapsed(face))
        .map(|face| {
            let mut key = welded.faces[face];
            key.sort_unstable();
            (key, face as u32)
        })
        .collect();
    keyed.par_sort_unstable();
    let mut copies: Vec<u32> = keyed
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| pair[1].1)
        .collect();
    copies.sort_unstable();
    copies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes::{cube, welded};
    use glam::Vec3;

    #[test]
    fn copies_are_found_in_any_orientation() {
        let mut m = cube(Vec3::ZERO, 1.0);
        let [a, b, c] = m.triangles[0];
        m.triangles.extend([[b, c, a], [b, a, c]]);
        assert_eq!(duplicate_faces(&welded(&m)), [12, 13]);
        assert!(degenerate_faces(&welded(&m)).is_empty());
    }

    #[test]
    fn repeated_positions_and_slivers_are_degenerate() {
        let mut m = cube(Vec3::ZERO, 1.0);
        let [a, b, _] = m.triangles[0];
        let middle = m.positions[a as usize].midpoint(m.positions[b as usize]);
        m.positions.extend([middle, m.positions[a as usize]]);
        m.triangles.extend([[a, b, 8], [a, 9, b]]);
        assert_eq!(degenerate_faces(&welded(&m)), [12, 13]);
        assert!(duplicate_faces(&welded(&m)).is_empty());
        // A narrow face is still a face.
        m.positions[8] += Vec3::splat(1e-5);
        assert_eq!(degenerate_faces(&welded(&m)), [13]);
    }
}
