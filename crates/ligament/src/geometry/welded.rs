//! The mesh as one surface: corners that share a position share a number.

use glam::DVec3;

use super::Weld;
use crate::character::Mesh;

/// A mesh whose faces name positions instead of vertices, so that seams of texture,
/// normals and parts do not look like holes. Faces keep their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WeldedMesh {
    /// The distinct positions, in the order of [`Weld`].
    pub points: Vec<DVec3>,
    /// Corners as indices into `points`, one entry for each triangle of the mesh.
    pub faces: Vec<[u32; 3]>,
    /// The length of the bounding box's diagonal.
    pub diagonal: f64,
}

impl WeldedMesh {
    /// Welds a mesh that has passed [`Mesh::check`].
    pub fn of(mesh: &Mesh) -> Self {
        Self::by(mesh, &Weld::of(mesh))
    }

    /// Welds a mesh by a weld that is already known.
    pub fn by(mesh: &Mesh, weld: &Weld) -> Self {
        let point = |&v: &u32| mesh.positions[v as usize].as_dvec3();
        let position = |v: u32| weld.point_of_vertex[v as usize];
        Self {
            points: weld.first_vertex.iter().map(point).collect(),
            faces: mesh.triangles.iter().map(|t| t.map(position)).collect(),
            diagonal: f64::from(mesh.diagonal()),
        }
    }

    /// The positions of a face's corners.
    pub fn corners(&self, face: usize) -> [DVec3; 3] {
        self.faces[face].map(|p| self.points[p as usize])
    }

    /// Whether two corners of a face are one position, so that it is an edge or a point
    /// and no face at all. Such faces have no part in edges and shells.
    pub fn is_collapsed(&self, face: usize) -> bool {
        let [a, b, c] = self.faces[face];
        a == b || b == c || c == a
    }

    /// The face's normal, as long as its area.
    pub fn area_vector(&self, face: usize) -> DVec3 {
        let [a, b, c] = self.corners(face);
        (b - a).cross(c - a) / 2.0
    }
}
