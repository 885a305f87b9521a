//! The skin: positions, triangles, and the parts they belong to.

use std::ops::Range;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::{BlendShape, JointIndex};

/// A triangle mesh made of parts. Nothing is promised about its topology: edges may be
/// open or shared by many faces, faces may be degenerate, doubled or intersecting.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Vertex positions in bind space. Vertices split for texture seams or hard edges
    /// appear once for each copy; [`Weld`](crate::geometry::Weld) finds the copies.
    pub positions: Vec<Vec3>,
    /// Corner indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Unit normals as the source has them, one per vertex, or `None`.
    pub normals: Option<Vec<Vec3>>,
    /// Linear RGBA colours, one per vertex, or `None`.
    pub colors: Option<Vec<[f32; 4]>>,
    /// Texture coordinates of each face's corners, in the order of `triangles`, or `None`.
    /// They belong to corners because a vertex on a texture's seam has several. The
    /// picture's upper left corner is (0, 0), as in glTF.
    pub corner_uvs: Option<Vec<[Vec2; 3]>>,
    /// Unit normals of each face's corners, in the order of `triangles`, where some vertex has
    /// several because an edge is hard; `None` where `normals` say all.
    pub corner_normals: Option<Vec<[Vec3; 3]>>,
    /// The parts, which cover `triangles` in order without gaps. Two parts may name the
    /// same range of vertices, never ranges that overlap otherwise.
    pub parts: Vec<Part>,
    /// Blend shapes of its parts, those of one part in order. Binding, posing and drawing leave them alone; readers and
    /// writers keep them.
    pub blend_shapes: Vec<BlendShape>,
}

/// A run of triangles that share a material and hang on the skeleton the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What the source calls it.
    pub name: String,
    /// Its vertices in [`Mesh::positions`].
    pub vertices: Range<usize>,
    /// Its faces in [`Mesh::triangles`].
    pub triangles: Range<usize>,
    /// How it looks.
    pub material: Material,
    /// How it hangs on the skeleton.
    pub attachment: PartAttachment,
    /// The joints that its vertices may follow, where the source limits them (a glove's
    /// skin may end at the wrist); `None` for all.
    pub joints: Option<Vec<JointIndex>>,
}

/// How a part hangs on the skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartAttachment {
    /// It is skin: its vertices get weights.
    Skin,
    /// It is carried as one piece by this joint (a helmet, a sword) and is never bound.
    Rigid(JointIndex),
}

/// As much of a material as a picture needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// What the source calls it; empty when it has no name.
    pub name: String,
    /// Linear RGBA base colour.
    pub base_color: [f32; 4],
    /// Whether its back faces are meant to be seen.
    pub double_sided: bool,
    /// The picture that colours it, times `base_color`, where the source has one.
    pub texture: Option<Texture>,
    /// What the alpha of colour and picture means.
    pub alpha: Alpha,
    /// Small bumps, where the source has a picture of them.
    pub normal_map: Option<NormalMap>,
}

/// A picture of which way the surface faces, as glTF has it: red along the picture, green up it, blue out of the surface.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalMap {
    /// The picture.
    pub texture: Texture,
    /// What red and green are multiplied by.
    pub strength: f32,
}

impl Material {
    /// How its pictures are laid on: as the colour is, or else as the bumps are.
    pub fn uv_transform(&self) -> UvTransform {
        let bumps = self.normal_map.as_ref().map(|map| &map.texture);
        let laid = self.texture.as_ref().or(bumps);
        laid.map_or(UvTransform::IDENTITY, |t| t.transform)
    }

    /// The bumps, where they are laid on as the colour is: for formats in which a
    /// material's pictures share their coordinates.
    pub fn normal_map_laid_alike(&self) -> Option<&NormalMap> {
        let map = self.normal_map.as_ref();
        map.filter(|map| map.texture.transform == self.uv_transform())
    }
}

/// What a material's alpha means (glTF 2.0, 3.9.4).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Alpha {
    /// Nothing: it hides all that is behind it.
    #[default]
    Opaque,
    /// It is cut out where alpha is below this.
    Mask(f32),
    /// It lets shine through what is behind it.
    Blend,
}

/// A picture that is carried along as it is, never looked into, and how it is laid on.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// What the source calls it.
    pub name: String,
    /// A PNG, JPEG or WebP file's bytes.
    pub bytes: Arc<[u8]>,
    /// What is beside it, to the sides and above and below.
    pub wrap: [Wrap; 2],
    /// From the mesh's texture coordinates to the picture.
    pub transform: UvTransform,
}

impl Texture {
    /// A picture that repeats, laid on as the coordinates say.
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.into(),
            bytes: bytes.into(),
            wrap: [Wrap::Repeat; 2],
            transform: UvTransform::IDENTITY,
        }
    }
}

/// What is beside a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The picture again.
    #[default]
    Repeat,
    /// Its mirror image.
    Mirror,
    /// The pixels at its edge.
    Clamp,
}

/// Coordinates are scaled, turned, then moved, as `KHR_texture_transform` has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// How they are moved.
    pub offset: Vec2,
    /// How they are turned, in radians.
    pub rotation: f32,
    /// How they are scaled.
    pub scale: Vec2,
}

impl UvTransform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self {
        offset: Vec2::ZERO,
        rotation: 0.0,
        scale: Vec2::ONE,
    };

    /// Coordinates on the picture.
    pub fn apply(&self, uv: Vec2) -> Vec2 {
        let scaled = uv * self.scale;
        if self.rotation == 0.0 {
            return scaled + self.offset;
        }
        let (sin, cos) = self.rotation.sin_cos();
        let turned = Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x);
        turned + self.offset
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0, 1.0, 1.0, 1.0],
            double_sided: false,
            texture: None,
            alpha: Alpha::Opaque,
            normal_map: None,
        }
    }
}

/// Why a mesh cannot be worked on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no face to bind.
    #[error("the mesh has no triangles; check that the file's meshes are triangles, not lines or points")]
    NoTriangles,
    /// A coordinate is NaN or infinite.
    #[error(
        "vertex {vertex} of part '{part}' has a position that is not finite ({position}); re-export the mesh or delete the vertex"
    )]
    NotFinite {
        /// Index into [`Mesh::positions`].
        vertex: usize,
        /// The part it belongs to.
        part: String,
        /// The position itself.
        position: Vec3,
    },
    /// A triangle points past the end of the vertices.
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {vertices}")]
    VertexOutOfRange {
        /// Index into [`Mesh::triangles`].
        triangle: usize,
        /// The index that is too large.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A per-vertex array has the wrong length.
    #[error("{array} has {found} entries where {vertices} are needed")]
    WrongLength {
        /// The array at fault.
        array: &'static str,
        /// Its length.
        found: usize,
        /// How many vertices (or faces, for what belongs to faces) there are.
        vertices: usize,
    },
    /// The parts do not cover the mesh as [`Mesh::parts`] demands.
    #[error("part {part} ('{name}') does not continue where the part before it ended, or leaves the mesh")]
    BadPart {
        /// Index into [`Mesh::parts`].
        part: usize,
        /// Its name.
        name: String,
    },
    /// A blend shape does not fit its vertices, or holds numbers that are not finite.
    #[error(
        "blend shape {shape} ('{name}') does not fit its part's vertices, or has offsets that are not finite"
    )]
    BadShape {
        /// Index into [`Mesh::blend_shapes`].
        shape: usize,
        /// Its name.
        name: String,
    },
}

impl Mesh {
    /// A mesh of one part from positions (`Vec3` or `[f32; 3]`) and corner indices,
    /// counter-clockwise seen from outside. [`Mesh::check`], which every bind calls, says
    /// what is wrong with it.
    pub fn new(
        positions: impl IntoIterator<Item = impl Into<Vec3>>,
        triangles: impl Into<Vec<[u32; 3]>>,
    ) -> Self {
        let positions = positions.into_iter().map(Into::into).collect();
        Self::single_part("mesh", positions, triangles.into())
    }

    /// A mesh of one part with a name.
    pub fn single_part(name: &str, positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let part = Part {
            name: name.to_owned(),
            vertices: 0..positions.len(),
            triangles: 0..triangles.len(),
            material: Material::default(),
            attachment: PartAttachment::Skin,
            joints: None,
        };
        Self {
            positions,
            triangles,
            parts: vec![part],
            ..Self::default()
        }
    }

    /// Checks everything that the types alone do not promise.
    pub fn check(&self) -> Result<(), MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::NoTriangles);
        }
        let vertices = self.positions.len();
        for (array, found) in [
            ("normals", self.normals.as_ref().map(Vec::len)),
            ("colors", self.colors.as_ref().map(Vec::len)),
        ] {
            if let Some(found) = found.filter(|&found| found != vertices) {
                return Err(MeshError::WrongLength {
                    array,
                    found,
                    vertices,
                });
            }
        }
        for (array, found) in [
            ("corner_uvs", self.corner_uvs.as_ref().map(Vec::len)),
            ("corner_normals", self.corner_normals.as_ref().map(Vec::len)),
        ] {
            if let Some(found) = found.filter(|&found| found != self.triangles.len()) {
                return Err(MeshError::WrongLength {
                    array,
                    found,
                    vertices: self.triangles.len(),
                });
            }
        }
        let mut next_triangle = 0;
        for (part, p) in self.parts.iter().enumerate() {
            let continues = p.triangles.start == next_triangle
                && p.triangles.end >= p.triangles.start
                && p.triangles.end <= self.triangles.len()
                && p.vertices.start <= p.vertices.end
                && p.vertices.end <= vertices;
            if !continues {
                return Err(MeshError::BadPart {
                    part,
                    name: p.name.clone(),
                });
            }
            next_triangle = p.triangles.end;
        }
        if next_triangle != self.triangles.len() {
            return Err(MeshError::BadPart {
                part: self.parts.len(),
                name: "(missing)".to_owned(),
            });
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(MeshError::VertexOutOfRange {
                    triangle,
                    vertex,
                    vertices,
                });
            }
        }
        if let Some(vertex) = self.positions.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::NotFinite {
                vertex,
                part: self.part_of_vertex(vertex).map_or("", |p| &p.name).to_owned(),
                position: self.positions[vertex],
            });
        }
        if let Some(shape) = self.blend_shapes.iter().position(|s| !s.is_sound(vertices)) {
            return Err(MeshError::BadShape {
                shape,
                name: self.blend_shapes[shape].name.clone(),
            });
        }
        Ok(())
    }

    /// The first part that holds a vertex, or `None` for one that no part names.
    pub fn part_of_vertex(&self, vertex: usize) -> Option<&Part> {
        self.parts.iter().find(|p| p.vertices.contains(&vertex))
    }

    /// For each vertex the joint that carries it rigidly, or `None` where it is skin.
    pub fn rigid_joint_of_vertices(&self) -> Vec<Option<JointIndex>> {
        let mut joints = vec![None; self.positions.len()];
        for part in &self.parts {
            if let PartAttachment::Rigid(joint) = part.attachment {
                joints[part.vertices.clone()].fill(Some(joint));
            }
        }
        joints
    }

    /// The corners of the smallest axis-aligned box around all vertices; two zeros for
    /// an empty mesh.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let Some(&first) = self.positions.first() else {
            return (Vec3::ZERO, Vec3::ZERO);
        };
        self.positions
            .iter()
            .fold((first, first), |(lo, hi), &p| (lo.min(p), hi.max(p)))
    }

    /// The length of the bounding box's diagonal: the unit of all relative tolerances.
    pub fn diagonal(&self) -> f32 {
        let (lo, hi) = self.bounds();
        (hi - lo).length()
    }

    /// The diagonal of the bounding box, but at most eight times that of the box which holds the middle of the vertices along
    /// every axis, all but two in a hundred at either end: a vertex that went astray does not make everything else
    /// small. For meshes without strays it is the diagonal.
    pub fn robust_diagonal(&self) -> f32 {
        const SAMPLES: usize = 4096;
        const AT_EACH_END: usize = 50; // one in fifty
        const LONGEST: f32 = 8.0;
        let diagonal = self.diagonal();
        let step = self.positions.len().div_ceil(SAMPLES).max(1);
        let mut middle = Vec3::ZERO;
        for axis in 0..3 {
            let mut along: Vec<f32> = self.positions.iter().step_by(step).map(|p| p[axis]).collect();
            along.sort_by(f32::total_cmp);
            let cut = along.len() / AT_EACH_END;
            if let (Some(low), Some(high)) = (along.get(cut), along.len().checked_sub(1 + cut)) {
                middle[axis] = along[high] - low;
            }
        }
        match LONGEST * middle.length() {
            most if most > 0.0 && most < diagonal => most,
            _ => diagonal,
        }
    }

    /// Area-weighted vertex normals from the faces, the same for vertices that share an
    /// index. Vertices with no area around them get +Y.
    pub fn face_normals_at_vertices(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|v| self.positions[v as usize]);
            let area_normal = (b - a).cross(c - a);
            for &v in corners {
                normals[v as usize] += area_normal;
            }
        }
        for n in &mut normals {
            *n = n.try_normalize().unwrap_or(Vec3::Y);
        }
        normals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Mesh {
        Mesh::single_part("t", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])
    }

    #[test]
    fn a_good_mesh_passes() {
        assert_eq!(triangle().check(), Ok(()));
        assert_eq!(triangle().face_normals_at_vertices(), vec![Vec3::Z; 3]);
        assert!((triangle().diagonal() - 2f32.sqrt()).abs() < 1e-6);
        let own = Mesh::new([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]);
        assert_eq!(own.positions, triangle().positions);
        assert_eq!(own.check(), Ok(()));
    }

    #[test]
    fn each_fault_is_named() {
        let mut m = triangle();
        m.positions[1].y = f32::NAN;
        assert!(matches!(m.check(), Err(MeshError::NotFinite { vertex: 1, .. })));

        let mut m = triangle();
        m.triangles[0][2] = 9;
        assert!(matches!(
            m.check(),
            Err(MeshError::VertexOutOfRange {
                triangle: 0,
                vertex: 9,
                ..
            })
        ));

        let mut m = triangle();
        m.normals = Some(vec![Vec3::Z]);
        assert!(matches!(
            m.check(),
            Err(MeshError::WrongLength {
                array: "normals",
                found: 1,
                ..
            })
        ));

        let mut m = triangle();
        m.parts[0].triangles = 0..0;
        assert!(matches!(m.check(), Err(MeshError::BadPart { .. })));

        assert_eq!(Mesh::default().check(), Err(MeshError::NoTriangles));
    }
}
