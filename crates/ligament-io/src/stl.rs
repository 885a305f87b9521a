//! STL, binary and ASCII.
//!
//! Read: the triangles. Corners at exactly one position become one vertex: STL has no
//! shared vertices of its own, and skin that is not joined would tear. Each `solid` of an
//! ASCII file is a part.
//!
//! Lost: facet normals (they follow from the corners), colours in the attribute bytes.

use glam::Vec3;
use ligament::character::{Material, Mesh, Part, PartAttachment};
use ligament::geometry::Weld;

use crate::assemble::mesh_alone;
use crate::import::{ImportError, Imported};
use crate::text::{Line, f32_of, lines, name_of, without_mark};

/// Bytes before the first triangle of a binary file: a comment and a count.
const HEADER: usize = 84;
/// Bytes of a triangle: normal, three corners, attribute.
const TRIANGLE: usize = 50;

/// Reads an STL.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let count = bytes
        .get(HEADER - 4..HEADER)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    // Binary files may also begin with "solid": believe the length, and zeros, which no
    // text holds.
    let fits = count.is_some_and(|n| bytes.len() == HEADER + TRIANGLE * n);
    let says_solid = without_mark(bytes).trim_ascii_start().starts_with(b"solid");
    let has_zeros = bytes.iter().take(512).any(|&b| b == 0);
    let soup = if fits || has_zeros || !says_solid {
        binary(bytes, name, count)?
    } else {
        ascii(bytes, name)?
    };
    let mesh = welded(soup)?;
    mesh_alone(name, mesh, Vec::new())
}

/// Loose triangles: three corners each, and where each part starts.
struct Soup {
    corners: Vec<Vec3>,
    parts: Vec<(String, usize)>,
}

fn binary(bytes: &[u8], name: &str, count: Option<usize>) -> Result<Soup, ImportError> {
    let count = count.ok_or_else(|| {
        ImportError::malformed("byte 0", "neither 'solid' nor the header of a binary STL is here")
    })?;
    let facets = bytes.get(HEADER..).unwrap_or_default();
    if facets.len() / TRIANGLE < count {
        let problem = format!(
            "the file ends after {} of {count} triangles",
            facets.len() / TRIANGLE
        );
        return Err(ImportError::malformed(format!("byte {}", bytes.len()), problem));
    }
    let mut corners = Vec::with_capacity(3 * count);
    for (i, facet) in facets.chunks_exact(TRIANGLE).take(count).enumerate() {
        for corner in facet[12..48].chunks_exact(12) {
            let number =
                |at: usize| f32::from_le_bytes([corner[at], corner[at + 1], corner[at + 2], corner[at + 3]]);
            let p = Vec3::new(number(0), number(4), number(8));
            if !p.is_finite() {
                let location = format!("byte {}", HEADER + i * TRIANGLE);
                return Err(ImportError::malformed(
                    location,
                    format!("a corner is not finite ({p})"),
                ));
            }
            corners.push(p);
        }
    }
    Ok(Soup {
        corners,
        parts: vec![(name.to_owned(), 0)],
    })
}

fn ascii(bytes: &[u8], name: &str) -> Result<Soup, ImportError> {
    let mut soup = Soup {
        corners: Vec::new(),
        parts: Vec::new(),
    };
    let incomplete = |line: Line| line.error("a facet should have three corners");
    for line in lines(bytes) {
        let Some(word) = line.words().next() else { continue };
        match word {
            b"solid" => {
                let solid = name_of(line.after_first_word());
                let solid = if solid.is_empty() { name.to_owned() } else { solid };
                soup.parts.push((solid, soup.corners.len()));
            }
            b"vertex" => {
                let mut words = line.words().skip(1);
                let mut number = || {
                    words
                        .next()
                        .and_then(f32_of)
                        .ok_or_else(|| line.error("a corner needs three numbers"))
                };
                soup.corners.push(Vec3::new(number()?, number()?, number()?));
            }
            b"endloop" | b"endfacet" | b"endsolid" if !soup.corners.len().is_multiple_of(3) => {
                return Err(incomplete(line));
            }
            b"facet" | b"outer" | b"endloop" | b"endfacet" | b"endsolid" => {}
            _ => {
                let problem = "a line of an ASCII STL begins with solid, facet, outer, vertex or end...";
                return Err(line.error(problem));
            }
        }
    }
    if !soup.corners.len().is_multiple_of(3) {
        return Err(ImportError::malformed(
            "the last line",
            "the file ends within a facet",
        ));
    }
    Ok(soup)
}

fn welded(soup: Soup) -> Result<Mesh, ImportError> {
    if u32::try_from(soup.corners.len()).is_err() {
        return Err(ImportError::malformed("the mesh", "it has too many triangles"));
    }
    let weld = Weld::within(&soup.corners, 0.0);
    let positions: Vec<Vec3> = weld
        .first_vertex
        .iter()
        .map(|&v| soup.corners[v as usize])
        .collect();
    let triangles: Vec<[u32; 3]> = weld
        .point_of_vertex
        .chunks_exact(3)
        .map(|c| [c[0], c[1], c[2]])
        .collect();
    let mut parts: Vec<Part> = Vec::new();
    for (i, (name, start)) in soup.parts.iter().enumerate() {
        let end = soup.parts.get(i + 1).map_or(soup.corners.len(), |next| next.1);
        if end > *start {
            parts.push(Part {
                name: name.clone(),
                // Solids may touch and share vertices: all name all of them.
                vertices: 0..positions.len(),
                triangles: start / 3..end / 3,
                material: Material::default(),
                attachment: PartAttachment::Skin,
                joints: None,
            });
        }
    }
    Ok(Mesh {
        positions,
        triangles,
        parts,
        ..Mesh::default()
    })
}
