//! Parts put together into one mesh.

use glam::Vec3;

use super::surface::Surface;
use crate::character::{Material, Mesh, Part, PartAttachment};

/// A mesh while its parts are added.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    mesh: Mesh,
    normals: Vec<Vec3>,
}

/// A material seen from one side.
pub(super) fn material(name: &str, rgb: [f32; 3]) -> Material {
    Material {
        name: name.to_owned(),
        base_color: [rgb[0], rgb[1], rgb[2], 1.0],
        ..Material::default()
    }
}

/// A material of thin cloth or hair.
pub(super) fn cloth(name: &str, rgb: [f32; 3]) -> Material {
    Material {
        double_sided: true,
        ..material(name, rgb)
    }
}

impl Assembly {
    /// Adds a surface as the next part.
    pub fn add(&mut self, name: &str, surface: Surface, material: Material) {
        let mesh = &mut self.mesh;
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        mesh.positions.extend(surface.positions);
        self.normals.extend(surface.normals);
        mesh.triangles
            .extend(surface.triangles.iter().map(|t| t.map(|v| v + vertices as u32)));
        mesh.parts.push(Part {
            name: name.to_owned(),
            vertices: vertices..mesh.positions.len(),
            triangles: triangles..mesh.triangles.len(),
            material,
            attachment: PartAttachment::Skin,
            joints: None,
        });
    }

    /// The finished mesh.
    pub fn finish(mut self) -> Mesh {
        self.mesh.normals = Some(self.normals);
        self.mesh
    }
}

impl Surface {
    /// A mesh of this surface alone.
    pub fn into_mesh(self, name: &str, material: Material) -> Mesh {
        let mut assembly = Assembly::default();
        assembly.add(name, self, material);
        assembly.finish()
    }

    /// One surface after the other, not joined.
    pub fn joined(mut self, other: Self) -> Self {
        let offset = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|v| v + offset)));
        self
    }

    /// The mirror image in x = 0, still wound outward.
    pub fn mirrored(&self) -> Self {
        let flip = Vec3::new(-1.0, 1.0, 1.0);
        Self {
            positions: self.positions.iter().map(|&p| p * flip).collect(),
            normals: self.normals.iter().map(|&n| n * flip).collect(),
            triangles: self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
        }
    }

    /// Wound the other way, with normals to match, as a mirrored object whose transform was
    /// applied carelessly.
    pub fn inside_out(mut self) -> Self {
        for t in &mut self.triangles {
            t.swap(1, 2);
        }
        for n in &mut self.normals {
            *n = -*n;
        }
        self
    }

    /// The faces whose middle `keep` agrees to, and the others. Vertices on the border are
    /// in both, as exporters split them between materials.
    pub fn split(&self, keep: impl Fn(Vec3) -> bool) -> [Self; 2] {
        let mut halves = [Self::default(), Self::default()];
        let mut position = vec![[u32::MAX; 2]; self.positions.len()];
        for t in &self.triangles {
            let middle = t.iter().map(|&v| self.positions[v as usize]).sum::<Vec3>() / 3.0;
            let side = usize::from(!keep(middle));
            let half = &mut halves[side];
            let corners = t.map(|v| {
                let at = &mut position[v as usize][side];
                if *at == u32::MAX {
                    *at = half.positions.len() as u32;
                    half.positions.push(self.positions[v as usize]);
                    half.normals.push(self.normals[v as usize]);
                }
                *at
            });
            half.triangles.push(corners);
        }
        halves
    }

    /// Joins positions that are one point, `rings` rings of `around` points from top to
    /// bottom, and one point, into a closed surface.
    pub fn capped_rings(mut self, rings: usize, around: usize) -> Self {
        let v = |r: usize, s: usize| (1 + r * around + s % around) as u32;
        let end = self.positions.len() as u32 - 1;
        for s in 0..around {
            self.triangles.push([0, v(0, s), v(0, s + 1)]);
            self.triangles.push([end, v(rings - 1, s + 1), v(rings - 1, s)]);
            for r in 0..rings - 1 {
                let [a, b, c, d] = [v(r, s), v(r + 1, s), v(r + 1, s + 1), v(r, s + 1)];
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        self.with_face_normals()
    }

    /// Joins rings of `around` points into a torus, the last ring to the first.
    pub fn ring_of_rings(mut self, rings: usize, around: usize) -> Self {
        let v = |r: usize, s: usize| (r % rings * around + s % around) as u32;
        for r in 0..rings {
            for s in 0..around {
                let [a, b, c, d] = [v(r, s), v(r, s + 1), v(r + 1, s + 1), v(r + 1, s)];
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        self.with_face_normals()
    }

    /// A grid of `columns` by `rows` points (`closed` joins the last column to the first),
    /// wound so that with u to the right and v up it is seen from the front.
    pub fn sheet(columns: usize, rows: usize, closed: bool, at: impl Fn(f64, f64) -> glam::DVec3) -> Self {
        let mut surface = Self::default();
        let spans = if closed { columns } else { columns - 1 };
        for r in 0..rows {
            for c in 0..columns {
                let p = at(c as f64 / spans as f64, r as f64 / (rows - 1) as f64);
                surface.positions.push(p.as_vec3());
            }
        }
        for r in 0..rows - 1 {
            for c in 0..spans {
                let v = |c: usize, r: usize| (r * columns + c % columns) as u32;
                let [a, b, d, e] = [v(c, r), v(c + 1, r), v(c + 1, r + 1), v(c, r + 1)];
                surface.triangles.push([a, b, d]);
                surface.triangles.push([a, d, e]);
            }
        }
        surface.with_face_normals()
    }

    /// With normals taken from the faces.
    pub fn with_face_normals(mut self) -> Self {
        let mut mesh = Mesh::default();
        std::mem::swap(&mut mesh.positions, &mut self.positions);
        std::mem::swap(&mut mesh.triangles, &mut self.triangles);
        self.normals = mesh.face_normals_at_vertices();
        self.positions = mesh.positions;
        self.triangles = mesh.triangles;
        self
    }
}
