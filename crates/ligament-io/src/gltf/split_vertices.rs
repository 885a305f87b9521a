//! Vertices split for texture coordinates: glTF has one per vertex, a character one per
//! corner.

use std::ops::Range;

use glam::Vec2;
use ligament::Mesh;

/// A range of a mesh's vertices as glTF stores it.
pub(super) struct SplitVertices {
    /// The vertex of the mesh behind each one, in the mesh's order.
    pub sources: Vec<u32>,
    /// Their texture coordinates, if the mesh has any.
    pub uvs: Option<Vec<Vec2>>,
    start: usize,
    /// For each vertex of the range, where its copies begin; one entry more than vertices.
    firsts: Vec<u32>,
}

impl SplitVertices {
    /// Splits the vertices in `range` as the corners of the parts that use it demand.
    pub fn of(mesh: &Mesh, range: &Range<usize>) -> Self {
        let Some(corner_uvs) = &mesh.corner_uvs else {
            return Self {
                sources: range.clone().map(|v| v as u32).collect(),
                uvs: None,
                start: range.start,
                firsts: (0..=range.len() as u32).collect(),
            };
        };
        // The coordinates of each vertex, in the order in which faces first use them.
        let mut of_vertex: Vec<Vec<Vec2>> = vec![Vec::new(); range.len()];
        for part in mesh.parts.iter().filter(|p| p.vertices == *range) {
            for triangle in part.triangles.clone() {
                for (&vertex, uv) in mesh.triangles[triangle].iter().zip(&corner_uvs[triangle]) {
                    let list = &mut of_vertex[vertex as usize - range.start];
                    if !list.contains(uv) {
                        list.push(*uv);
                    }
                }
            }
        }
        let (mut sources, mut uvs, mut firsts) = (Vec::new(), Vec::new(), vec![0]);
        for (vertex, mut list) in range.clone().zip(of_vertex) {
            if list.is_empty() {
                list.push(Vec2::ZERO); // no face uses it; weights and order still count it
            }
            sources.extend(std::iter::repeat_n(vertex as u32, list.len()));
            uvs.extend(list);
            firsts.push(sources.len() as u32);
        }
        Self {
            sources,
            uvs: Some(uvs),
            start: range.start,
            firsts,
        }
    }

    /// The split vertices that a vertex of the mesh became.
    pub fn copies(&self, vertex: u32) -> Range<u32> {
        let vertex = vertex as usize - self.start;
        self.firsts[vertex]..self.firsts[vertex + 1]
    }

    /// The split vertex at a corner of a face.
    pub fn index(&self, mesh: &Mesh, triangle: usize, corner: usize) -> u32 {
        let vertex = mesh.triangles[triangle][corner] as usize - self.start;
        let copies = self.firsts[vertex] as usize..self.firsts[vertex + 1] as usize;
        let (Some(uvs), Some(corner_uvs)) = (&self.uvs, &mesh.corner_uvs) else {
            return copies.start as u32;
        };
        let wanted = corner_uvs[triangle][corner];
        let copy = uvs[copies.clone()].iter().position(|uv| *uv == wanted);
        (copies.start + copy.unwrap_or(0)) as u32
    }
}
