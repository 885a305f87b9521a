//! Wavefront OBJ, with its material library.
//!
//! Read: positions, faces of any number of corners (also with negative indices), groups
//! and objects and materials as parts, vertex colours (`v x y z r g b`, taken as sRGB),
//! normals of corners, so that hard edges stay hard, or those that smoothing groups mean, and from the
//! material library `Kd` (taken as linear, as Blender does), `d`, `Tr`, `map_Kd` and `norm` with their options for scale,
//! offset and clamping: PNG and JPEG files below the model's folder, with the texture coordinates of each corner.
//! The vertices stay as the file lists them, in number and order.
//!
//! Lost: textures of other kinds and those not found (a warning names them), all maps but these two (`bump` may hold
//! heights), lines, points, curves and surfaces.
//!
//! OBJ states neither unit nor axes: numbers are taken as they are.

mod faces;
mod material;
mod normals;
mod parts;

use std::borrow::Cow;

use glam::{Vec2, Vec3};

use crate::assemble::{linear_from_srgb, mesh_alone, warning};
use crate::import::{ImportError, ImportWarning, Imported};
use crate::text::{Line, f32_of, lines, name_of, shown};
use faces::{Counts, Faces};
use material::Materials;
use parts::PartNames;

/// Reads an OBJ. `companion` returns the material library or picture of a given name, or
/// `None`; see [`crate::companion::beside`].
pub fn read(
    bytes: &[u8],
    name: &str,
    companion: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Imported, ImportError> {
    let mut file = File::default();
    for line in lines(&with_joined_lines(bytes)) {
        file.take(line, companion)?;
    }
    file.finish(name)
}

/// A backslash at the end of a line continues it on the next. Line numbers in messages
/// count a continued line once.
fn with_joined_lines(bytes: &[u8]) -> Cow<'_, [u8]> {
    let continues = |i: usize| {
        bytes[i] == b'\\' && (bytes[i + 1..].starts_with(b"\n") || bytes[i + 1..].starts_with(b"\r\n"))
    };
    let Some(first) = memchr::memchr_iter(b'\\', bytes).find(|&i| continues(i)) else {
        return Cow::Borrowed(bytes);
    };
    let mut joined = bytes[..first].to_vec();
    let mut i = first;
    while i < bytes.len() {
        if continues(i) {
            i += if bytes[i + 1] == b'\r' { 3 } else { 2 };
            joined.push(b' ');
        } else {
            joined.push(bytes[i]);
            i += 1;
        }
    }
    Cow::Owned(joined)
}

#[derive(Default)]
struct File {
    positions: Vec<Vec3>,
    /// sRGB, as long as `positions` from the first vertex that has one.
    colors: Vec<[f32; 4]>,
    normals: Vec<Vec3>,
    /// From the picture's upper left corner.
    uvs: Vec<Vec2>,
    bad_uvs: usize,
    faces: Faces,
    parts: PartNames,
    materials: Materials,
    /// The smoothing group of the faces that come; 0 for none.
    smoothing: u32,
    left_out: usize,
    warnings: Vec<ImportWarning>,
}

impl File {
    fn take(&mut self, line: Line, companion: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<(), ImportError> {
        let Some(word) = line.words().next() else {
            return Ok(());
        };
        match word {
            b"v" => self.vertex(line)?,
            b"vn" => {
                let [x, y, z] = numbers::<3>(line)?;
                self.normals.push(Vec3::new(x, y, z));
            }
            b"vt" => self.texture_coordinates(line),
            b"f" | b"fo" => {
                let part = self.parts.current();
                let counts = Counts {
                    vertices: self.positions.len(),
                    uvs: self.uvs.len(),
                    normals: self.normals.len(),
                };
                self.faces.take(line, part, self.smoothing, counts)?;
            }
            b"g" => self.parts.set_group(name_of(line.after_first_word())),
            b"o" => self.parts.set_object(name_of(line.after_first_word())),
            b"usemtl" => self.parts.set_material(name_of(line.after_first_word())),
            b"s" => self.smoothing = smoothing(line),
            b"mtllib" => self.library(line, companion),
            b"l" | b"p" | b"curv" | b"curv2" | b"surf" => self.left_out += 1,
            _ => {} // comments, what later tools added
        }
        Ok(())
    }

    fn vertex(&mut self, line: Line) -> Result<(), ImportError> {
        let mut found = [0.0; 7];
        let mut count = 0;
        for word in line.words().skip(1).take(7) {
            found[count] = f32_of(word)
                .ok_or_else(|| line.error(format!("a coordinate should be a number, not {}", shown(word))))?;
            count += 1;
        }
        let [x, y, z, r, g, b, a] = found;
        if count < 3 {
            return Err(line.error(format!("a vertex needs three coordinates and has {count}")));
        }
        // Four numbers are a position and a weight of rational curves, which faces ignore.
        if count >= 6 {
            self.colors.resize(self.positions.len(), [1.0; 4]);
            self.colors.push([r, g, b, if count == 7 { a } else { 1.0 }]);
        }
        self.positions.push(Vec3::new(x, y, z));
        Ok(())
    }

    /// The file counts upwards from the picture's lower edge. A missing number is 0; so is
    /// one that cannot be used, since a wrong texture is no reason to refuse a mesh.
    fn texture_coordinates(&mut self, line: Line) {
        let mut words = line.words().skip(1).take_while(|word| !word.starts_with(b"#"));
        let mut bad = false;
        let mut next = || {
            words.next().map_or(0.0, |word| {
                f32_of(word).unwrap_or_else(|| {
                    bad = true;
                    0.0
                })
            })
        };
        let (u, v) = (next(), next());
        self.uvs.push(Vec2::new(u, 1.0 - v));
        self.bad_uvs += usize::from(bad);
    }

    /// A library's name may hold blanks, or the line several names.
    fn library(&mut self, line: Line, companion: &dyn Fn(&str) -> Option<Vec<u8>>) {
        let whole = name_of(line.after_first_word());
        if let Some(bytes) = companion(&whole) {
            self.materials
                .take_library(&bytes, &whole, companion, &mut self.warnings);
            return;
        }
        for name in whole.split_ascii_whitespace() {
            match companion(name).filter(|_| name != whole) {
                Some(bytes) => self
                    .materials
                    .take_library(&bytes, name, companion, &mut self.warnings),
                None => self.warnings.push(warning(
                    "missing_companion",
                    format!("the material library '{name}' is not beside the file: its materials stay white"),
                )),
            }
        }
    }

    fn finish(mut self, name: &str) -> Result<Imported, ImportError> {
        if self.left_out > 0 {
            self.warnings.push(warning(
                "left_out_elements",
                format!(
                    "{} lines, points, curves or surfaces were left out",
                    self.left_out
                ),
            ));
        }
        if self.bad_uvs > 0 {
            self.warnings.push(warning(
                "bad_texture_coordinates",
                format!(
                    "{} texture coordinates are no finite numbers and were taken as 0",
                    self.bad_uvs
                ),
            ));
        }
        let vertices = self.positions.len();
        let normals = self.faces.corner_normals(&self.positions, &self.normals)?;
        if normals.is_none() && self.faces.have_normals() {
            self.warnings.push(warning(
                "missing_normals",
                "some corners of faces have no normal; all normals were left out: hard edges look smooth",
            ));
        }
        let mut mesh = self.faces.into_mesh(
            self.positions,
            &self.uvs,
            normals.as_deref(),
            &self.parts,
            &self.materials,
        )?;
        if !self.colors.is_empty() {
            self.colors.resize(vertices, [1.0; 4]);
            // Some programs write 0 to 255.
            let bytes = self.colors.iter().flatten().any(|&c| c > 1.5);
            let scale = if bytes { 1.0 / 255.0 } else { 1.0 };
            let linear = |[r, g, b, a]: [f32; 4]| {
                let [r, g, b] = [r, g, b].map(|c| linear_from_srgb(c * scale));
                [r, g, b, a.clamp(0.0, 1.0)]
            };
            mesh.colors = Some(self.colors.into_iter().map(linear).collect());
        }
        mesh_alone(name, mesh, self.warnings)
    }
}

/// The group that an `s` line names: a number, or `off`.
fn smoothing(line: Line) -> u32 {
    let word = line.words().nth(1).unwrap_or_default();
    let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
    number.unwrap_or(0)
}

/// The `N` numbers after a line's first word.
fn numbers<const N: usize>(line: Line) -> Result<[f32; N], ImportError> {
    let mut found = [0.0; N];
    let mut words = line.words().skip(1);
    for number in &mut found {
        *number = words
            .next()
            .and_then(f32_of)
            .ok_or_else(|| line.error(format!("{N} numbers should be here")))?;
    }
    Ok(found)
}
