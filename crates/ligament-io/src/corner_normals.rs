//! Normals of corners: what makes an edge hard.

use std::ops::Range;

use glam::Vec3;

/// Normals at one vertex that differ by less than this are one: programs compute them corner by
/// corner, and rounding is no edge. The cosine of 0.8 degrees.
const ALIKE: f32 = 0.9999;

/// The normals of each face's corners where some vertex has several, so that an edge is hard; those of
/// a vertex that are nearly alike are the same. `None` where all edges are smooth. The faces are of
/// `vertices` alone.
pub(crate) fn at_hard_edges(
    vertices: Range<usize>,
    triangles: &[[u32; 3]],
    corners: &[[Vec3; 3]],
) -> Option<Vec<[Vec3; 3]>> {
    let mut of_vertex: Vec<Vec<Vec3>> = vec![Vec::new(); vertices.len()];
    let mut is_hard = false;
    let mut all = Vec::with_capacity(corners.len());
    for (triangle, normals) in triangles.iter().zip(corners) {
        let mut made = [Vec3::Y; 3];
        for ((&vertex, normal), made) in triangle.iter().zip(normals).zip(&mut made) {
            let own = (vertex as usize).checked_sub(vertices.start);
            let Some(known) = own.and_then(|v| of_vertex.get_mut(v)) else {
                continue;
            };
            let alike = known.iter().find(|k| k.dot(*normal) > ALIKE);
            *made = alike.copied().unwrap_or(*normal);
            if alike.is_none() {
                is_hard |= !known.is_empty();
                known.push(*normal);
            }
        }
        all.push(made);
    }
    is_hard.then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_an_edge() {
        let faces = [[0, 1, 2], [0, 2, 3]];
        let near = Vec3::new(0.005, 0.0, 1.0).normalize();
        let smooth = [[Vec3::Z; 3], [near, Vec3::Z, Vec3::Z]];
        assert_eq!(at_hard_edges(0..4, &faces, &smooth), None);
        let hard = [[Vec3::Z; 3], [near, Vec3::X, Vec3::X]];
        let found = at_hard_edges(0..4, &faces, &hard);
        assert_eq!(found, Some(vec![[Vec3::Z; 3], [Vec3::Z, Vec3::X, Vec3::X]]));
    }
}
