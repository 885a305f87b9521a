//! The faces of an OBJ: corners first, triangles when all vertices are known.

use std::ops::Range;

use glam::{Vec2, Vec3};
use ligament::character::{Mesh, Part, PartAttachment};

use super::material::Materials;
use super::normals::set_normals;
use super::parts::{PartNames, vertex_ranges};
use crate::import::ImportError;
use crate::polygon::triangulate;
use crate::text::{Line, shown};

/// No normal, or no texture coordinates, at this corner.
pub(super) const NONE: u32 = u32::MAX;

/// All faces in the file's order, as flat lists.
#[derive(Default)]
pub(super) struct Faces {
    /// The vertex at each corner, counted from 0.
    pub(super) vertices: Vec<u32>,
    /// The normal at each corner; empty until one has a normal.
    pub(super) normals: Vec<u32>,
    /// The texture coordinates at each corner; empty until one has some.
    uvs: Vec<u32>,
    pub(super) faces: Vec<Face>,
}

pub(super) struct Face {
    /// Where its corners end.
    end: u32,
    part: u32,
    /// Its smoothing group; 0 for none.
    pub smoothing: u32,
    line: u32,
}

/// What the file has listed so far, which negative indices count back from.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub vertices: usize,
    pub uvs: usize,
    pub normals: usize,
}

/// The indices at a corner, from 0.
#[derive(Debug, PartialEq)]
struct Corner {
    vertex: u32,
    uv: u32,
    normal: u32,
}

impl Faces {
    /// Takes an `f` line.
    pub fn take(&mut self, line: Line, part: u32, smoothing: u32, counts: Counts) -> Result<(), ImportError> {
        let start = self.vertices.len();
        for word in line.words().skip(1) {
            if word.starts_with(b"#") {
                break;
            }
            let Corner { vertex, uv, normal } = corner(word, counts)
                .ok_or_else(|| line.error(format!("{} is no corner of a face", shown(word))))?;
            self.vertices.push(vertex);
            if normal != NONE || !self.normals.is_empty() {
                self.normals.resize(self.vertices.len() - 1, NONE);
                self.normals.push(normal);
            }
            if uv != NONE || !self.uvs.is_empty() {
                self.uvs.resize(self.vertices.len() - 1, NONE);
                self.uvs.push(uv);
            }
        }
        let corners = self.vertices.len() - start;
        if corners < 3 {
            return Err(line.error(format!("a face needs three corners and has {corners}")));
        }
        let end = u32::try_from(self.vertices.len()).map_err(|_| line.error("there are too many faces"))?;
        self.faces.push(Face {
            end,
            part,
            smoothing,
            line: line.number as u32,
        });
        Ok(())
    }

    pub fn have_normals(&self) -> bool {
        !self.normals.is_empty()
    }

    /// The faces, each with the indices of its corners in the file's lists.
    pub(super) fn each_face(&self) -> impl Iterator<Item = (&Face, Range<usize>)> {
        let starts = std::iter::once(0).chain(self.faces.iter().map(|f| f.end as usize));
        let faces = self.faces.iter().zip(starts);
        faces.map(|(face, start)| (face, start..face.end as usize))
    }

    pub(super) fn line_of_corner(&self, corner: usize) -> String {
        let face = self.faces.partition_point(|f| f.end as usize <= corner);
        format!("line {}", self.faces.get(face).map_or(0, |f| f.line))
    }

    /// The triangles of each part together, parts in order of their first face.
    pub fn into_mesh(
        self,
        positions: Vec<Vec3>,
        uvs: &[Vec2],
        normals: Option<&[Vec3]>,
        names: &PartNames,
        materials: &Materials,
    ) -> Result<Mesh, ImportError> {
        let vertices = positions.len();
        if let Some(corner) = self.vertices.iter().position(|&v| v as usize >= vertices) {
            let problem = format!(
                "vertex {} does not exist; there are {vertices}",
                u64::from(self.vertices[corner]) + 1
            );
            return Err(ImportError::malformed(self.line_of_corner(corner), problem));
        }
        // Some programs write indices of texture coordinates and leave those out.
        let textured = !uvs.is_empty() && !self.uvs.is_empty();
        let missing = |&i: &u32| i != NONE && i as usize >= uvs.len();
        if textured && let Some(corner) = self.uvs.iter().position(missing) {
            let problem = format!(
                "texture coordinates {} do not exist; there are {}",
                u64::from(self.uvs[corner]) + 1,
                uvs.len()
            );
            return Err(ImportError::malformed(self.line_of_corner(corner), problem));
        }
        // A stable counting sort of the faces by part.
        let mut order: Vec<u32> = (0..self.faces.len() as u32).collect();
        order.sort_by_key(|&f| self.faces[f as usize].part);

        let mut triangles = Vec::with_capacity(self.vertices.len().saturating_sub(2 * self.faces.len()));
        let mut corner_uvs = Vec::with_capacity(if textured { triangles.capacity() } else { 0 });
        let mut corner_normals = Vec::with_capacity(normals.map_or(0, |_| triangles.capacity()));
        let mut scratch = Scratch::default();
        let mut parts: Vec<Part> = Vec::new();
        let mut current = None;
        for f in order {
            let f = f as usize;
            let face = &self.faces[f];
            if current != Some(face.part) {
                current = Some(face.part);
                let (name, material) = names.get(face.part);
                parts.push(Part {
                    name: name.to_owned(),
                    vertices: 0..vertices,
                    triangles: triangles.len()..triangles.len(),
                    material: materials.get(material),
                    attachment: PartAttachment::Skin,
                    joints: None,
                });
            }
            let start = if f == 0 { 0 } else { self.faces[f - 1].end as usize };
            let vertices = &self.vertices[start..face.end as usize];
            if textured || normals.is_some() {
                let uv_of = |corner: u32| {
                    let index = self.uvs.get(start + corner as usize).copied().unwrap_or(NONE);
                    uvs.get(index as usize).copied().unwrap_or(Vec2::ZERO)
                };
                for corners in scratch.triangles(&positions, vertices) {
                    triangles.push(corners.map(|corner| vertices[corner as usize]));
                    if textured {
                        corner_uvs.push(corners.map(uv_of));
                    }
                    let normals = normals.map(|normals| corners.map(|c| normals[start + c as usize]));
                    corner_normals.extend(normals);
                }
            } else {
                triangulate(&positions, vertices, &mut triangles);
            }
            if let Some(part) = parts.last_mut() {
                part.triangles.end = triangles.len();
            }
        }
        let ranges = vertex_ranges(parts.iter().map(|p| &triangles[p.triangles.clone()]), vertices);
        for (part, range) in parts.iter_mut().zip(ranges) {
            part.vertices = range;
        }
        let mut mesh = Mesh {
            positions,
            triangles,
            corner_uvs: textured.then_some(corner_uvs),
            parts,
            ..Mesh::default()
        };
        if normals.is_some() {
            set_normals(&mut mesh, &corner_normals);
        }
        Ok(mesh)
    }
}

/// Cuts faces into triangles of their corners, not of vertices, which a face may use twice.
#[derive(Default)]
struct Scratch {
    positions: Vec<Vec3>,
    corners: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

impl Scratch {
    /// The face's triangles, as indices into `vertices`.
    fn triangles(&mut self, positions: &[Vec3], vertices: &[u32]) -> &[[u32; 3]] {
        self.triangles.clear();
        if vertices.len() == 3 {
            self.triangles.push([0, 1, 2]);
            return &self.triangles;
        }
        self.positions.clear();
        self.positions
            .extend(vertices.iter().map(|&v| positions[v as usize]));
        self.corners.clear();
        self.corners.extend(0..vertices.len() as u32);
        triangulate(&self.positions, &self.corners, &mut self.triangles);
        &self.triangles
    }
}

/// `v`, `v/vt`, `v//vn` or `v/vt/vn`, as indices from 0.
fn corner(word: &[u8], counts: Counts) -> Option<Corner> {
    let mut fields = word.split(|&b| b == b'/');
    let vertex = index(fields.next()?, counts.vertices)?;
    let uv = match fields.next() {
        None | Some(b"") => NONE,
        // Back from the end of nothing: left out, as indices of missing coordinates are.
        Some([b'-', ..]) if counts.uvs == 0 => NONE,
        Some(field) => index(field, counts.uvs)?,
    };
    let normal = match fields.next() {
        None | Some(b"") => NONE,
        Some(field) => index(field, counts.normals)?,
    };
    Some(Corner { vertex, uv, normal })
}

/// An index from 1, or back from the end, as one from 0.
fn index(field: &[u8], count: usize) -> Option<u32> {
    let (back, digits) = match field.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, field),
    };
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let mut number: u64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = 10 * number + u64::from(digit - b'0');
    }
    let from_start = if back {
        (count as u64).checked_sub(number).filter(|_| number > 0)?
    } else {
        number.checked_sub(1)?
    };
    u32::try_from(from_start).ok().filter(|&i| i != NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_every_kind() {
        let counts = Counts {
            vertices: 10,
            uvs: 8,
            normals: 5,
        };
        let of = |text: &str| corner(text.as_bytes(), counts).map(|c| [c.vertex, c.uv, c.normal]);
        assert_eq!(of("3"), Some([2, NONE, NONE]));
        assert_eq!(of("3/7"), Some([2, 6, NONE]));
        assert_eq!(of("3//4"), Some([2, NONE, 3]));
        assert_eq!(of("3/7/4"), Some([2, 6, 3]));
        assert_eq!(of("-1/-1/-5"), Some([9, 7, 0]));
        let none = Counts { uvs: 0, ..counts };
        assert_eq!(corner(b"1/-1", none).map(|c| c.uv), Some(NONE));
        for bad in [
            "0",
            "-11",
            "x",
            "",
            "1//x",
            "1//-6",
            "1/-9",
            "1/x/1",
            "99999999999",
            "4294967296",
            "1.5",
        ] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}
