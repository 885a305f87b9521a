//! Stanford PLY: ASCII and binary of both byte orders.
//!
//! Read: `vertex` with x, y, z, normals (nx, ny, nz) and colours (red, green, blue, alpha,
//! also `diffuse_red` and `r`; taken as sRGB), and `face` with its list of corners, of any
//! number.
//!
//! Lost: everything else that a file may hold: texture coordinates, colours of faces,
//! edges, materials. Refused: triangle strips.
//!
//! Points without faces, Gaussian splats among them, are kept whole by [`PointFile`] and moved by [`MovedProperties`].

mod header;
mod moved;
mod points;
mod source;

use glam::Vec3;
use ligament::character::Mesh;

use crate::assemble::{linear_from_srgb, mesh_alone, unit_normals};
use crate::import::{ImportError, Imported};
use crate::polygon::triangulate;
use header::{Element, Header, Kind};
pub use moved::MovedProperties;
pub use points::{Changes, NewNumber, PointFile, is_points};
use source::Source;

/// Reads a PLY.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let (header, data_start) = Header::read(bytes)?;
    let mut source = Source::new(bytes, data_start, header.encoding);
    let mut vertices = Vertices::default();
    let mut faces = Faces::default();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => vertices.take(element, &mut source)?,
            "face" => faces.take(element, &mut source)?,
            "tristrips" => {
                return Err(ImportError::Unsupported {
                    what: "PLY with triangle strips".to_owned(),
                    way_out: "save it with faces".to_owned(),
                });
            }
            _ => skip(element, &mut source)?,
        }
    }
    let count = vertices.positions.len();
    let mut triangles = Vec::new();
    let mut start = 0;
    for (face, &end) in faces.ends.iter().enumerate() {
        let corners = &faces.corners[start..end];
        if let Some(bad) = corners.iter().find(|&&v| v as usize >= count) {
            let problem = format!("vertex {bad} does not exist; there are {count}");
            return Err(ImportError::malformed(format!("face {face}"), problem));
        }
        triangulate(&vertices.positions, corners, &mut triangles);
        start = end;
    }
    let mut mesh = Mesh::single_part(name, vertices.positions, triangles);
    if vertices.normals.len() == count {
        mesh.normals = unit_normals(vertices.normals);
    }
    if vertices.colors.len() == count {
        mesh.colors = Some(vertices.colors);
    }
    mesh_alone(name, mesh, Vec::new())
}

#[derive(Default)]
struct Vertices {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
}

/// Where in a vertex a property goes: x y z, nx ny nz, red green blue alpha.
const SLOTS: [&str; 10] = ["x", "y", "z", "nx", "ny", "nz", "red", "green", "blue", "alpha"];
const COLOR: std::ops::Range<usize> = 6..9;
const ALPHA: usize = 9;

fn slot_of(property: &str) -> Option<usize> {
    let plain = property.strip_prefix("diffuse_").unwrap_or(property);
    let full = match plain {
        "r" => "red",
        "g" => "green",
        "b" => "blue",
        "a" => "alpha",
        other => other,
    };
    SLOTS.iter().position(|&slot| slot == full)
}

impl Vertices {
    fn take(&mut self, element: &Element, source: &mut Source) -> Result<(), ImportError> {
        let slots: Vec<Option<usize>> = element.properties.iter().map(|p| slot_of(&p.name)).collect();
        let has = |slot: usize| slots.contains(&Some(slot));
        if !(0..3).all(has) {
            return Err(ImportError::malformed(
                "the header",
                "vertices have no x, y and z",
            ));
        }
        let (has_normals, has_colors) = ((3..6).all(has), COLOR.into_iter().all(has));
        for vertex in 0..element.count {
            let mut values = [0f64; SLOTS.len()];
            values[ALPHA] = 1.0;
            for (property, &slot) in element.properties.iter().zip(&slots) {
                let scale = match property.kind {
                    Kind::List { count, item } => {
                        source.skip_list(count, item)?;
                        continue;
                    }
                    Kind::Scalar(kind) => match slot {
                        Some(slot) if slot >= COLOR.start => kind.largest_color(),
                        _ => 1.0,
                    },
                };
                let number = source.number(property.kind.scalar())?;
                if let Some(slot) = slot {
                    values[slot] = number / scale;
                }
            }
            let [x, y, z, nx, ny, nz, r, g, b, a] = values.map(|v| v as f32);
            let position = Vec3::new(x, y, z);
            if !position.is_finite() {
                let problem = format!("its position is not finite ({position})");
                return Err(ImportError::malformed(format!("vertex {vertex}"), problem));
            }
            self.positions.push(position);
            if has_normals {
                self.normals.push(Vec3::new(nx, ny, nz));
            }
            if has_colors {
                let [r, g, b] = [r, g, b].map(linear_from_srgb);
                self.colors.push([r, g, b, a.clamp(0.0, 1.0)]);
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Faces {
    corners: Vec<u32>,
    ends: Vec<usize>,
}

impl Faces {
    fn take(&mut self, element: &Element, source: &mut Source) -> Result<(), ImportError> {
        let is_corners = |name: &str| name == "vertex_indices" || name == "vertex_index";
        if element.count > 0 && !element.properties.iter().any(|p| is_corners(&p.name)) {
            return Err(ImportError::malformed(
                "the header",
                "faces have no vertex_indices",
            ));
        }
        for _ in 0..element.count {
            for property in &element.properties {
                match property.kind {
                    Kind::List { count, item } if is_corners(&property.name) => {
                        for _ in 0..source.length(count)? {
                            let index = source.number(item)?;
                            if !(index >= 0.0 && index < f64::from(u32::MAX)) {
                                return Err(source.error(format!("{index} is no vertex")));
                            }
                            self.corners.push(index as u32);
                        }
                    }
                    Kind::List { count, item } => source.skip_list(count, item)?,
                    Kind::Scalar(kind) => {
                        source.number(kind)?;
                    }
                }
            }
            self.ends.push(self.corners.len());
        }
        Ok(())
    }
}

fn skip(element: &Element, source: &mut Source) -> Result<(), ImportError> {
    if element.properties.is_empty() {
        return Ok(()); // nothing to read, however many there are
    }
    for _ in 0..element.count {
        for property in &element.properties {
            match property.kind {
                Kind::List { count, item } => source.skip_list(count, item)?,
                Kind::Scalar(kind) => {
                    source.number(kind)?;
                }
            }
        }
    }
    Ok(())
}
