//! Normals of an OBJ: stated at corners, or meant by smoothing groups.

use std::collections::HashMap;

use glam::Vec3;
use ligament::Mesh;

use super::faces::{Faces, NONE};
use crate::corner_normals::at_hard_edges;
use crate::import::ImportError;

impl Faces {
    /// The unit normal of each corner in the file's order: those that the file states, if every corner has one, or those that its
    /// smoothing groups mean. `None` where it says nothing of them.
    pub fn corner_normals(
        &self,
        positions: &[Vec3],
        normals: &[Vec3],
    ) -> Result<Option<Vec<Vec3>>, ImportError> {
        if self.have_normals() {
            return self.stated_normals(normals);
        }
        Ok(self
            .has_smoothing_groups()
            .then(|| self.grouped_normals(positions)))
    }

    fn stated_normals(&self, normals: &[Vec3]) -> Result<Option<Vec<Vec3>>, ImportError> {
        let mut of_corners = Vec::with_capacity(self.vertices.len());
        for corner in 0..self.vertices.len() {
            let index = self.normals.get(corner).copied().unwrap_or(NONE);
            if index == NONE {
                return Ok(None);
            }
            let Some(&normal) = normals.get(index as usize) else {
                let problem = format!("normal {} does not exist", u64::from(index) + 1);
                return Err(ImportError::malformed(self.line_of_corner(corner), problem));
            };
            let Some(normal) = normal.try_normalize() else {
                return Ok(None);
            };
            of_corners.push(normal);
        }
        Ok(Some(of_corners))
    }

    /// Whether faces differ in how they are smoothed. A file that says the same of all says nothing: `s off` is what
    /// some programs write whatever the mesh.
    fn has_smoothing_groups(&self) -> bool {
        let mut groups = self.faces.iter().map(|f| f.smoothing);
        let Some(first) = groups.next() else { return false };
        groups.any(|g| g != first)
    }

    /// Smooth within a group, hard between groups; faces of no group are flat.
    fn grouped_normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let at = |corner: usize| {
            let vertex = self.vertices[corner] as usize;
            positions.get(vertex).copied().unwrap_or(Vec3::ZERO)
        };
        let mut sums: HashMap<(u32, u32), Vec3> = HashMap::new();
        let mut of_faces = Vec::with_capacity(self.faces.len());
        for (face, corners) in self.each_face() {
            // Twice the area, along the normal, of any polygon.
            let positions = corners.clone().map(at);
            let next = corners.clone().skip(1).chain([corners.start]).map(at);
            let normal = positions.zip(next).map(|(a, b)| a.cross(b)).sum::<Vec3>();
            of_faces.push(normal);
            for corner in corners {
                *sums.entry((self.vertices[corner], face.smoothing)).or_default() += normal;
            }
        }
        let mut of_corners = Vec::with_capacity(self.vertices.len());
        for ((face, corners), flat) in self.each_face().zip(of_faces) {
            of_corners.extend(corners.map(|corner| {
                let normal = match face.smoothing {
                    0 => flat,
                    group => sums[&(self.vertices[corner], group)],
                };
                normal.normalize_or(Vec3::Y)
            }));
        }
        of_corners
    }
}

/// Gives a mesh the normals of its triangles' corners: one for each vertex, and beside them those of corners where an edge
/// is hard.
pub(super) fn set_normals(mesh: &mut Mesh, corners: &[[Vec3; 3]]) {
    let vertices = mesh.positions.len();
    mesh.corner_normals = at_hard_edges(0..vertices, &mesh.triangles, corners);
    let mut sums: Vec<Vec3> = vec![Vec3::ZERO; vertices];
    for (&vertex, &normal) in mesh.triangles.as_flattened().iter().zip(corners.as_flattened()) {
        let sum = &mut sums[vertex as usize];
        if mesh.corner_normals.is_some() || *sum == Vec3::ZERO {
            *sum += normal;
        }
    }
    mesh.normals = Some(sums.into_iter().map(|n| n.normalize_or(Vec3::Y)).collect());
}
