//! One mesh's vertices and faces, in its own space.

use glam::{DVec3, Vec2};

use super::convert::vector;

/// For each vertex the mean of its corners' normals, or none if the mesh has no normals.
pub(super) fn normals(mesh: &ufbx::Mesh) -> Option<Vec<DVec3>> {
    let source = &mesh.vertex_normal;
    if !source.exists {
        return None;
    }
    let mut sums = vec![DVec3::ZERO; mesh.vertices.len()];
    let mut first = vec![DVec3::ZERO; mesh.vertices.len()];
    for (&vertex, &index) in mesh.vertex_indices.iter().zip(&source.indices) {
        let (v, Some(&normal)) = (vertex as usize, source.values.get(index as usize)) else {
            continue;
        };
        let Some(sum) = sums.get_mut(v) else { continue };
        let normal = vector(normal);
        if first[v] == DVec3::ZERO {
            first[v] = normal;
        }
        *sum += normal;
    }
    // The two sides of a doubled sheet cancel out: the first corner decides.
    let mean = |(sum, first): (DVec3, DVec3)| if sum.length() > 1e-3 { sum } else { first };
    Some(sums.into_iter().zip(first).map(mean).collect())
}

/// For each vertex the colour of its first corner, or none if the mesh has no colours.
pub(super) fn colors(mesh: &ufbx::Mesh) -> Option<Vec<[f32; 4]>> {
    let source = &mesh.vertex_color;
    if !source.exists {
        return None;
    }
    let of_vertex = |first: &u32| {
        let index = source.indices.get(*first as usize)?;
        let c = source.values.get(*index as usize)?;
        Some([c.x, c.y, c.z, c.w].map(|x| x as f32))
    };
    let mut colors: Vec<[f32; 4]> = mesh
        .vertex_first_index
        .iter()
        .map(|first| of_vertex(first).unwrap_or([1.0; 4]))
        .collect();
    colors.resize(mesh.vertices.len(), [1.0; 4]);
    Some(colors)
}

/// The normal of a corner, if the mesh has normals.
fn corner_normal(mesh: &ufbx::Mesh, corner: u32) -> Option<DVec3> {
    let source = &mesh.vertex_normal;
    let index = source.indices.get(corner as usize).filter(|_| source.exists)?;
    let normal = vector(*source.values.get(*index as usize)?);
    normal.is_finite().then_some(normal)
}

/// Where a corner of the mesh is on its picture, from the upper left; zero without
/// coordinates.
fn corner_uv(mesh: &ufbx::Mesh, corner: u32) -> Vec2 {
    let source = &mesh.vertex_uv;
    let stored = || {
        let index = source.indices.get(corner as usize)?;
        let uv = source.values.get(*index as usize)?;
        Some(Vec2::new(uv.x as f32, (1.0 - uv.y) as f32))
    };
    let uv = source.exists.then(stored).flatten();
    uv.filter(|uv| uv.is_finite()).unwrap_or(Vec2::ZERO)
}

/// A face.
pub(super) struct Triangle {
    /// Its vertices.
    pub vertices: [u32; 3],
    /// Where its corners are on the picture.
    pub uvs: [Vec2; 3],
    /// The normals of its corners, where there are any.
    pub normals: [Option<DVec3>; 3],
}

impl Triangle {
    /// The same face seen from the other side.
    pub fn turned(mut self) -> Self {
        self.vertices.swap(1, 2);
        self.uvs.swap(1, 2);
        self.normals.swap(1, 2);
        self
    }
}

/// The faces of one part as triangles of the mesh's vertices.
pub(super) fn triangles(mesh: &ufbx::Mesh, part: &ufbx::MeshPart) -> Vec<Triangle> {
    let mut triangles = Vec::with_capacity(part.num_triangles);
    let mut corners = Vec::new();
    let vertices = mesh.vertices.len();
    let faces = part.face_indices.iter();
    for face in faces.filter_map(|&f| mesh.faces.get(f as usize)) {
        let (start, count) = (face.index_begin as usize, face.num_indices as usize);
        if count < 3 || start + count > mesh.vertex_indices.len() {
            continue;
        }
        corners.clear();
        corners.resize(3 * (count - 2), 0);
        let found = if count == 3 {
            corners.copy_from_slice(&[start as u32, start as u32 + 1, start as u32 + 2]);
            1
        } else {
            mesh.triangulate_face(&mut corners, *face) as usize
        };
        for corner in corners.as_chunks::<3>().0.iter().take(found) {
            let triangle = corner.map(|c| mesh.vertex_indices.get(c as usize).copied().unwrap_or(u32::MAX));
            if triangle.iter().all(|&v| (v as usize) < vertices) {
                triangles.push(Triangle {
                    vertices: triangle,
                    uvs: corner.map(|c| corner_uv(mesh, c)),
                    normals: corner.map(|c| corner_normal(mesh, c)),
                });
            }
        }
    }
    triangles
}
