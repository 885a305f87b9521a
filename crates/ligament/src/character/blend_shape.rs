//! Blend shapes: other positions that some vertices can go to.

use std::ops::Range;

use glam::Vec3;

use super::ShapeMotion;

/// A smile, a blink: how far some vertices move when all of it is wanted. Others call it a
/// morph target or a shape key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlendShape {
    /// What the source calls it.
    pub name: String,
    /// The vertices of the parts that it belongs to: the same range as theirs. A part's
    /// shapes are in the order in which the mesh lists them.
    pub part_vertices: Range<usize>,
    /// How much of it is there while nothing moves it; 0 is none and 1 all.
    pub weight: f32,
    /// The vertices that it moves, in [`Mesh::positions`](super::Mesh::positions), increasing.
    pub vertices: Vec<u32>,
    /// How far each of them moves, in bind space.
    pub offsets: Vec<Vec3>,
    /// What each of them adds to its unit normal, or `None`.
    pub normal_offsets: Option<Vec<Vec3>>,
    /// What clips do to it, at most one entry for each.
    pub motions: Vec<ShapeMotion>,
}

impl BlendShape {
    /// Whether it fits a mesh of so many vertices and all its numbers are finite.
    pub(super) fn is_sound(&self, vertices: usize) -> bool {
        let range = &self.part_vertices;
        let inside = |v: &u32| range.contains(&(*v as usize));
        let as_long = |list: &Vec<Vec3>| list.len() == self.vertices.len();
        let finite = |list: &Vec<Vec3>| list.iter().all(|v| v.is_finite());
        range.start <= range.end
            && range.end <= vertices
            && self.weight.is_finite()
            && self.vertices.iter().all(inside)
            && self.vertices.is_sorted_by(|a, b| a < b)
            && self.motions.iter().all(|m| m.check().is_ok())
            && as_long(&self.offsets)
            && finite(&self.offsets)
            && self
                .normal_offsets
                .as_ref()
                .is_none_or(|n| as_long(n) && finite(n))
    }

    /// The same shape of a mesh whose vertices were joined: `of_vertex` says which vertex of the new
    /// mesh each vertex became, in the same order. Of vertices that became one, the first decides.
    pub fn joined(&self, of_vertex: &[u32]) -> Self {
        let normals = self.normal_offsets.as_ref();
        let mut joined = Self {
            name: self.name.clone(),
            weight: self.weight,
            motions: self.motions.clone(),
            normal_offsets: normals.map(|_| Vec::new()),
            ..Self::default()
        };
        if let (Some(&first), Some(&last)) = (
            of_vertex.get(self.part_vertices.start),
            of_vertex.get(self.part_vertices.end.max(1) - 1),
        ) && !self.part_vertices.is_empty()
        {
            joined.part_vertices = first as usize..last as usize + 1;
        }
        for (i, &vertex) in self.vertices.iter().enumerate() {
            let vertex = of_vertex[vertex as usize];
            if joined.vertices.last().is_some_and(|&last| last >= vertex) {
                continue;
            }
            joined.vertices.push(vertex);
            joined.offsets.push(self.offsets[i]);
            if let (Some(to), Some(from)) = (&mut joined.normal_offsets, normals) {
                to.push(from[i]);
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Interpolation, Mesh, MeshError};

    fn smile() -> BlendShape {
        BlendShape {
            name: "smile".to_owned(),
            part_vertices: 0..4,
            weight: 0.25,
            vertices: vec![1, 2, 3],
            offsets: vec![Vec3::X, Vec3::Y, Vec3::Y],
            normal_offsets: Some(vec![Vec3::Z; 3]),
            motions: vec![ShapeMotion {
                clip: "talk".to_owned(),
                interpolation: Interpolation::Linear,
                times: vec![0.0, 1.0],
                values: vec![0.25, 1.0],
            }],
        }
    }

    #[test]
    fn each_fault_is_refused() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Y];
        let mut mesh = Mesh::single_part("m", positions, vec![[0, 1, 2], [0, 1, 3]]);
        mesh.blend_shapes = vec![smile()];
        assert_eq!(mesh.check(), Ok(()));
        let faults: [fn(&mut BlendShape); 7] = [
            |s| s.vertices[0] = 4,
            |s| s.vertices[1] = 1,
            |s| s.offsets[0].x = f32::NAN,
            |s| s.normal_offsets = Some(Vec::new()),
            |s| s.part_vertices = 0..9,
            |s| s.weight = f32::INFINITY,
            |s| s.motions[0].values[1] = f32::NAN,
        ];
        for fault in faults {
            let mut broken = mesh.clone();
            fault(&mut broken.blend_shapes[0]);
            let found = broken.check();
            assert!(
                matches!(found, Err(MeshError::BadShape { shape: 0, .. })),
                "{found:?}"
            );
        }
    }

    #[test]
    fn vertices_that_became_one_move_once() {
        let joined = smile().joined(&[5, 6, 7, 7]);
        assert_eq!(joined.part_vertices, 5..8);
        assert_eq!(joined.vertices, [6, 7]);
        assert_eq!(joined.offsets, [Vec3::X, Vec3::Y]);
        assert_eq!(joined.normal_offsets, Some(vec![Vec3::Z; 2]));
        assert_eq!((joined.name.as_str(), joined.weight), ("smile", 0.25));
        assert_eq!(joined.motions, smile().motions);
    }
}
