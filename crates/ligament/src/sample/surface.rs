//! The surface of a solid with about as many vertices as wanted.

use glam::{DVec3, Vec3};

use super::implicit::Solid;
use super::lattice::march;
use super::remesh::Remesh;

/// A surface before it becomes a part of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Surface {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// What to make of a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meshing {
    /// Vertices wanted, roughly.
    pub vertices: usize,
    /// Sides of the cubes that first sample the field: under the narrowest gap.
    pub cell: f64,
    /// Whether the solid equals its mirror image in x = 0; then so does the surface,
    /// vertex for vertex.
    pub mirrored: bool,
    /// What to multiply the length of edges with at a point: under 1 where it is to be
    /// finer.
    pub detail: fn(DVec3) -> f64,
}

/// Rounds of remeshing; the count of vertices settles after three or four.
const ROUNDS: usize = 6;

/// A closed surface with well-shaped triangles, wound outward.
pub(super) fn surface_of(solid: &Solid, how: Meshing) -> Surface {
    let raw = march(solid, how.cell, how.mirrored);
    let mut mesh = Remesh::new(solid, raw, how.mirrored, how.detail);
    // Equilateral triangles of side e have 2 / (sqrt(3) e^2) vertices per area; the rest
    // is for curvature.
    let area = mesh.area() * if how.mirrored { 2.0 } else { 1.0 };
    mesh.edge = (1.6 * area / how.vertices as f64).sqrt();
    if mesh.edge < 0.9 * how.cell {
        let finer = march(solid, mesh.edge, how.mirrored);
        let edge = mesh.edge;
        mesh = Remesh::new(solid, finer, how.mirrored, how.detail);
        mesh.edge = edge;
    }
    for fraction in [0.3, 0.45, 0.6] {
        mesh.collapse_short(fraction);
        mesh.compact();
    }
    for _ in 0..ROUNDS {
        mesh.split_long();
        mesh.collapse_short(0.72);
        mesh.compact();
        mesh.flip_to_delaunay();
        mesh.relax(0.7);
        let now = mesh.whole_count(how.mirrored);
        mesh.edge *= (now as f64 / how.vertices as f64).sqrt().clamp(0.7, 1.4);
    }
    for _ in 0..2 {
        mesh.flip_to_delaunay();
        mesh.relax(0.5);
    }
    mesh.project(2);
    mesh.flip_to_delaunay();
    finished(&mesh, how.mirrored)
}

/// Drops what was collapsed, and adds the mirror image of a half.
fn finished(mesh: &Remesh<'_>, mirrored: bool) -> Surface {
    const NONE: u32 = u32::MAX;
    let mut surface = Surface::default();
    let mut slot = vec![[NONE; 2]; mesh.positions.len()];
    let to_f32 = |p: DVec3| p.as_vec3();
    for corners in mesh.triangles.iter().filter(|t| t[0] != NONE) {
        for &v in corners {
            let v = v as usize;
            if slot[v][0] != NONE {
                continue;
            }
            let (p, n) = (to_f32(mesh.positions[v]), to_f32(mesh.normals[v]));
            slot[v] = [surface.positions.len() as u32; 2];
            surface.positions.push(p);
            surface.normals.push(n);
            if mirrored && !mesh.rim[v] {
                let flip = Vec3::new(-1.0, 1.0, 1.0);
                slot[v][1] += 1;
                surface.positions.push(p * flip);
                surface.normals.push(n * flip);
            }
        }
        surface.triangles.push(corners.map(|v| slot[v as usize][0]));
        if mirrored {
            let [a, b, c] = corners.map(|v| slot[v as usize][1]);
            surface.triangles.push([a, c, b]);
        }
    }
    surface
}
