//! How faces meet along edges, on the welded mesh.

use rayon::prelude::*;

use super::WeldedMesh;

/// Edges that are not simply shared by two faces of one winding. Collapsed faces
/// ([`WeldedMesh::is_collapsed`]) have no edges; doubled faces count as often as they occur.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeFaults {
    /// Edges of one face only, in the direction in which that face runs along them.
    pub open: Vec<[u32; 2]>,
    /// Edges of more than two faces, smaller position first.
    pub non_manifold: Vec<[u32; 2]>,
    /// Edges of exactly two faces that both run along them in the same direction, so that
    /// one of the two is wound the wrong way; smaller position first.
    pub inconsistent: Vec<[u32; 2]>,
}

/// Finds all edges that are open, non-manifold or wound inconsistently, sorted.
pub fn edge_faults(welded: &WeldedMesh) -> EdgeFaults {
    // (smaller end, larger end, whether the face runs from smaller to larger)
    let mut sides: Vec<(u32, u32, bool)> = Vec::with_capacity(3 * welded.faces.len());
    for (face, &[a, b, c]) in welded.faces.iter().enumerate() {
        if !welded.is_collapsed(face) {
            sides.extend([(a, b), (b, c), (c, a)].map(|(p, q)| (p.min(q), p.max(q), p < q)));
        }
    }
    sides.par_sort_unstable();

    let mut faults = EdgeFaults::default();
    for edge in sides.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1)) {
        let (lo, hi, forward) = edge[0];
        match edge.len() {
            1 => faults.open.push(if forward { [lo, hi] } else { [hi, lo] }),
            2 if edge[1].2 == forward => faults.inconsistent.push([lo, hi]),
            2 => {}
            _ => faults.non_manifold.push([lo, hi]),
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{cube, flipped, joined, welded};
    use super::*;
    use glam::Vec3;

    fn counts(welded: &WeldedMesh) -> [usize; 3] {
        let f = edge_faults(welded);
        [f.open.len(), f.non_manifold.len(), f.inconsistent.len()]
    }

    #[test]
    fn a_cube_has_no_faults_even_when_its_vertices_are_split() {
        assert_eq!(counts(&welded(&cube(Vec3::ZERO, 1.0))), [0, 0, 0]);
        let mut split = cube(Vec3::ZERO, 1.0);
        split.positions = split
            .triangles
            .iter()
            .flatten()
            .map(|&v| split.positions[v as usize])
            .collect();
        split.triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        assert_eq!(counts(&welded(&split)), [0, 0, 0]);
    }

    #[test]
    fn an_open_cube_has_the_four_edges_of_its_lid() {
        let mut open = cube(Vec3::ZERO, 1.0);
        open.triangles.truncate(10);
        assert_eq!(counts(&welded(&open)), [4, 0, 0]);
    }

    #[test]
    fn a_fin_makes_an_edge_non_manifold() {
        let mut fin = cube(Vec3::ZERO, 1.0);
        let [a, b, _] = fin.triangles[0];
        fin.positions.push(Vec3::splat(5.0));
        fin.triangles.push([a, b, 8]);
        assert_eq!(counts(&welded(&fin)), [2, 1, 0]);
    }

    #[test]
    fn one_flipped_face_disagrees_with_its_three_neighbours() {
        let mut m = cube(Vec3::ZERO, 1.0);
        m.triangles[3].swap(0, 1);
        assert_eq!(counts(&welded(&m)), [0, 0, 3]);
        // A whole cube inside out agrees with itself.
        let both = joined(&[cube(Vec3::ZERO, 1.0), flipped(cube(Vec3::X * 3.0, 1.0))]);
        assert_eq!(counts(&welded(&both)), [0, 0, 0]);
    }

    #[test]
    fn a_moebius_band_cannot_be_wound_consistently() {
        let n = 12;
        let mut m = crate::Mesh::default();
        for i in 0..n {
            let angle = i as f32 / n as f32 * std::f32::consts::TAU;
            let out = Vec3::new(angle.cos(), 0.0, angle.sin());
            let across = out * (angle / 2.0).cos() + Vec3::Y * (angle / 2.0).sin();
            m.positions.extend([3.0 * out + across, 3.0 * out - across]);
        }
        for i in 0..n as u32 {
            let (a, b) = (2 * i, 2 * i + 1);
            // The last quad closes the band upside down.
            let (c, d) = if i + 1 < n as u32 { (a + 2, b + 2) } else { (1, 0) };
            m.triangles.extend([[a, b, c], [c, b, d]]);
        }
        let m = crate::Mesh::single_part("band", m.positions, m.triangles);
        assert_eq!(counts(&welded(&m)), [2 * n, 0, 1]);
    }

    #[test]
    fn collapsed_faces_have_no_edges() {
        let mut m = cube(Vec3::ZERO, 1.0);
        m.triangles.push([0, 0, 1]);
        assert_eq!(counts(&welded(&m)), [0, 0, 0]);
    }
}
