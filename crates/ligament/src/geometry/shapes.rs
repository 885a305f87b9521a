//! Small meshes with known answers, for tests.

use glam::Vec3;

use super::WeldedMesh;
use crate::Mesh;

/// An axis-aligned cube of twelve faces wound outwards; the last two are its lid (+Y).
pub fn cube(low: Vec3, side: f32) -> Mesh {
    let corner = |i: u32| low + side * Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
    let quads = [
        [0, 2, 3, 1], // -Z
        [4, 5, 7, 6], // +Z
        [0, 4, 6, 2], // -X
        [1, 3, 7, 5], // +X
        [0, 1, 5, 4], // -Y
        [2, 6, 7, 3], // +Y
    ];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Mesh::single_part("cube", (0..8).map(corner).collect(), triangles.collect())
}

/// The same mesh turned inside out.
pub fn flipped(mut mesh: Mesh) -> Mesh {
    for t in &mut mesh.triangles {
        t.swap(1, 2);
    }
    mesh
}

/// Several meshes as the parts of one.
pub fn joined(meshes: &[Mesh]) -> Mesh {
    let mut all = Mesh::default();
    for mesh in meshes {
        let (vertex, triangle) = (all.positions.len(), all.triangles.len());
        all.positions.extend(&mesh.positions);
        all.triangles
            .extend(mesh.triangles.iter().map(|t| t.map(|v| v + vertex as u32)));
        all.parts.extend(mesh.parts.iter().cloned().map(|mut part| {
            part.vertices = part.vertices.start + vertex..part.vertices.end + vertex;
            part.triangles = part.triangles.start + triangle..part.triangles.end + triangle;
            part
        }));
    }
    all
}

/// A mesh with every coordinate multiplied.
pub fn scaled(mut mesh: Mesh, factor: f32) -> Mesh {
    for p in &mut mesh.positions {
        *p *= factor;
    }
    mesh
}

/// The mesh welded.
pub fn welded(mesh: &Mesh) -> WeldedMesh {
    WeldedMesh::of(mesh)
}
