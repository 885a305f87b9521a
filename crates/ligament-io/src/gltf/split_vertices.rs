//! Vertices split for texture coordinates and hard edges: glTF has one of each per vertex, a character
//! one per corner.

use std::ops::Range;

use glam::{Vec2, Vec3};
use ligament::Mesh;

/// A range of a mesh's vertices as glTF stores it.
pub(super) struct SplitVertices {
    /// The vertex of the mesh behind each one, in the mesh's order.
    pub sources: Vec<u32>,
    /// Their texture coordinates, if the mesh has any.
    pub uvs: Option<Vec<Vec2>>,
    /// Their normals, if the mesh has some at corners.
    pub normals: Option<Vec<Vec3>>,
    start: usize,
    /// For each vertex of the range, where its copies begin; one entry more than vertices.
    firsts: Vec<u32>,
    /// What makes each one another than the other copies; empty where nothing is split.
    looks: Vec<Look>,
}

/// Texture coordinates and normal of a corner; zeros for what the mesh does not have there.
type Look = (Vec2, Vec3);

fn look(mesh: &Mesh, triangle: usize, corner: usize) -> Look {
    let uv = mesh.corner_uvs.as_ref().map(|uvs| uvs[triangle][corner]);
    let normal = mesh.corner_normals.as_ref().map(|n| n[triangle][corner]);
    (uv.unwrap_or_default(), normal.unwrap_or_default())
}

impl SplitVertices {
    /// Splits the vertices in `range` as the corners of the parts that use it demand.
    pub fn of(mesh: &Mesh, range: &Range<usize>) -> Self {
        if mesh.corner_uvs.is_none() && mesh.corner_normals.is_none() {
            return Self {
                sources: range.clone().map(|v| v as u32).collect(),
                uvs: None,
                normals: None,
                start: range.start,
                firsts: (0..=range.len() as u32).collect(),
                looks: Vec::new(),
            };
        }
        // The looks of each vertex, in the order in which faces first use them.
        let mut of_vertex: Vec<Vec<Look>> = vec![Vec::new(); range.len()];
        for part in mesh.parts.iter().filter(|p| p.vertices == *range) {
            for triangle in part.triangles.clone() {
                for (corner, &vertex) in mesh.triangles[triangle].iter().enumerate() {
                    let look = look(mesh, triangle, corner);
                    let list = &mut of_vertex[vertex as usize - range.start];
                    if !list.contains(&look) {
                        list.push(look);
                    }
                }
            }
        }
        let (mut sources, mut looks, mut firsts) = (Vec::new(), Vec::new(), vec![0]);
        for (vertex, mut list) in range.clone().zip(of_vertex) {
            if list.is_empty() {
                // No face uses it; weights and order still count it.
                let normal = mesh.normals.as_ref().map_or(Vec3::Y, |n| n[vertex]);
                list.push((Vec2::ZERO, normal));
            }
            sources.extend(std::iter::repeat_n(vertex as u32, list.len()));
            looks.extend(list);
            firsts.push(sources.len() as u32);
        }
        let uvs = mesh.corner_uvs.as_ref();
        let normals = mesh.corner_normals.as_ref();
        Self {
            sources,
            uvs: uvs.map(|_| looks.iter().map(|l| l.0).collect()),
            normals: normals.map(|_| looks.iter().map(|l| l.1).collect()),
            start: range.start,
            firsts,
            looks,
        }
    }

    /// The split vertices that a vertex of the mesh became.
    pub fn copies(&self, vertex: u32) -> Range<u32> {
        let vertex = vertex as usize - self.start;
        self.firsts[vertex]..self.firsts[vertex + 1]
    }

    /// The split vertex at a corner of a face.
    pub fn index(&self, mesh: &Mesh, triangle: usize, corner: usize) -> u32 {
        let copies = self.copies(mesh.triangles[triangle][corner]);
        if self.looks.is_empty() {
            return copies.start;
        }
        let wanted = look(mesh, triangle, corner);
        let range = copies.start as usize..copies.end as usize;
        let copy = self.looks[range].iter().position(|look| *look == wanted);
        copies.start + copy.unwrap_or(0) as u32
    }
}
