//! Medit's `.mesh`, as libigl and TetGen write tetrahedral meshes, in ASCII.
//!
//! Read: all vertices, inner ones too, because weights and poses of such meshes count
//! them; the boundary under `Triangles` and `Quadrilaterals`, or, where the file has
//! none, the faces that belong to one tetrahedron alone. A boundary that encloses less
//! than nothing is turned inside out, with a warning.
//!
//! Lost: the tetrahedra themselves and all references (the number after each entry).
//! Refused: two dimensions, and the binary `.meshb`.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use ligament::character::Mesh;

use crate::assemble::{mesh_alone, warning};
use crate::import::{ImportError, Imported};
use crate::polygon::triangulate;
use crate::text::{Words, shown};

/// Reads a Medit mesh.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let mut words = Words::new(bytes, Some(b'#'));
    if words.next() != Some(&b"MeshVersionFormatted"[..]) {
        return Err(words.error("'MeshVersionFormatted' should be the first word"));
    }
    words.count("the version")?;
    let mut positions: Vec<Vec3> = Vec::new();
    let mut corners: Vec<u32> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut tetrahedra: Vec<[u32; 4]> = Vec::new();
    while let Some(keyword) = words.next() {
        match keyword {
            b"Dimension" => {
                if words.count("the dimension")? != 3 {
                    return Err(ImportError::Unsupported {
                        what: "a mesh of other than three dimensions".to_owned(),
                        way_out: "save it with three coordinates a vertex".to_owned(),
                    });
                }
            }
            b"Vertices" => {
                for _ in 0..words.count("the number of vertices")? {
                    let [x, y, z] = [words.f32("x")?, words.f32("y")?, words.f32("z")?];
                    positions.push(Vec3::new(x, y, z));
                    words.f64("a vertex's reference")?;
                }
            }
            b"Triangles" => {
                for _ in 0..words.count("the number of triangles")? {
                    corners.extend(entry::<3>(&mut words)?);
                    ends.push(corners.len());
                }
            }
            b"Quadrilaterals" => {
                for _ in 0..words.count("the number of quadrilaterals")? {
                    corners.extend(entry::<4>(&mut words)?);
                    ends.push(corners.len());
                }
            }
            b"Tetrahedra" => {
                for _ in 0..words.count("the number of tetrahedra")? {
                    tetrahedra.push(entry(&mut words)?);
                }
            }
            b"End" => break,
            b"Edges" => skip(&mut words, 3)?,
            b"Corners" | b"Ridges" | b"RequiredVertices" | b"RequiredEdges" => skip(&mut words, 1)?,
            b"Hexahedra" | b"Hexaedra" => skip(&mut words, 9)?,
            b"Normals" | b"Tangents" => skip(&mut words, 3)?,
            b"NormalAtVertices" | b"TangentAtVertices" => skip(&mut words, 2)?,
            other => {
                return Err(words.error(format!("{} is no keyword that is known here", shown(other))));
            }
        }
    }
    let vertices = positions.len();
    let mut indices = corners.iter().chain(tetrahedra.iter().flatten());
    if let Some(&bad) = indices.find(|&&v| v as usize >= vertices) {
        let problem = format!(
            "vertex {} does not exist; there are {vertices}",
            u64::from(bad) + 1
        );
        return Err(ImportError::malformed("the faces", problem));
    }
    let mut triangles = Vec::new();
    let mut start = 0;
    for end in ends {
        triangulate(&positions, &corners[start..end], &mut triangles);
        start = end;
    }
    if triangles.is_empty() {
        triangles = hull(&positions, &tetrahedra);
    }
    let mut warnings = Vec::new();
    if !tetrahedra.is_empty() && volume(&positions, &triangles) < 0.0 {
        for [_, b, c] in &mut triangles {
            std::mem::swap(b, c);
        }
        warnings.push(warning(
            "turned_inside_out",
            "the boundary faced inwards and was turned round",
        ));
    }
    mesh_alone(name, Mesh::single_part(name, positions, triangles), warnings)
}

/// `N` vertices counted from 1, and a reference.
fn entry<const N: usize>(words: &mut Words) -> Result<[u32; N], ImportError> {
    let mut vertices = [0; N];
    for vertex in &mut vertices {
        let number = words.count("a vertex")?;
        *vertex = number
            .checked_sub(1)
            .and_then(|v| u32::try_from(v).ok())
            .ok_or_else(|| words.error("vertices are counted from 1"))?;
    }
    words.f64("a reference")?;
    Ok(vertices)
}

/// Reads over a section of `width` numbers an entry.
fn skip(words: &mut Words, width: usize) -> Result<(), ImportError> {
    let entries = words.count("the number of entries")?;
    for _ in 0..entries.saturating_mul(width) {
        words.f64("a number")?;
    }
    Ok(())
}

/// The faces that belong to one tetrahedron alone, facing away from its fourth corner.
fn hull(positions: &[Vec3], tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces_of = |t: &[u32; 4]| {
        let [a, b, c, d] = *t;
        [([b, c, d], a), ([a, d, c], b), ([a, b, d], c), ([a, c, b], d)]
    };
    let key = |mut face: [u32; 3]| {
        face.sort_unstable();
        face
    };
    let mut uses: HashMap<[u32; 3], u32> = HashMap::new();
    for (face, _) in tetrahedra.iter().flat_map(faces_of) {
        *uses.entry(key(face)).or_default() += 1;
    }
    let at = |v: u32| positions[v as usize].as_dvec3();
    let mut hull = Vec::new();
    for ([a, b, c], opposite) in tetrahedra.iter().flat_map(faces_of) {
        if uses.get(&key([a, b, c])) == Some(&1) {
            let normal = (at(b) - at(a)).cross(at(c) - at(a));
            let inwards = normal.dot(at(opposite) - at(a)) > 0.0;
            hull.push(if inwards { [a, c, b] } else { [a, b, c] });
        }
    }
    hull
}

/// Six times the enclosed volume.
fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let centre = positions.first().map_or(DVec3::ZERO, |p| p.as_dvec3());
    triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize].as_dvec3() - centre);
            a.cross(b).dot(c)
        })
        .sum()
}
