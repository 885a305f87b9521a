//! Geomview's OFF.
//!
//! Read: positions, faces of any number of corners, and where the header says so vertex
//! normals (`NOFF`) and vertex colours (`COFF`; whole numbers are 0 to 255, taken as
//! sRGB). Comments start with `#`. A file without header word is taken as `OFF`. Each
//! vertex and each face must have a line of its own, as all known programs write them.
//!
//! Lost: face colours, texture coordinates (`ST` is read over). Refused: binary files,
//! four coordinates (`4OFF`) and other dimensions (`nOFF`).

use glam::Vec3;
use ligament::character::Mesh;

use crate::assemble::{linear_from_srgb, mesh_alone, unit_normals};
use crate::import::{ImportError, Imported};
use crate::polygon::triangulate;
use crate::text::{Line, count_of, f32_of, lines, shown};

/// What a line of a vertex holds besides its position.
#[derive(Clone, Copy)]
struct Header {
    textures: bool,
    colors: bool,
    normals: bool,
}

/// Reads an OFF.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let mut rows = Rows {
        lines: lines(bytes),
        last: 1,
    };
    let mut row = rows.next("the header")?;
    let mut header = Header {
        textures: false,
        colors: false,
        normals: false,
    };
    let first = words(row).next().unwrap_or_default();
    if !first.first().is_some_and(u8::is_ascii_digit) || first.ends_with(b"OFF") {
        header = header_of(row, first)?;
        if words(row).any(|w| w.eq_ignore_ascii_case(b"BINARY")) {
            return Err(unsupported("binary OFF"));
        }
        // Some files put the counts on the header's line.
        row = Line {
            number: row.number,
            text: row.after_first_word(),
        };
        if words(row).next().is_none() {
            row = rows.next("the counts")?;
        }
    }
    let count = |row: Line, at: usize| {
        words(row)
            .nth(at)
            .and_then(count_of)
            .ok_or_else(|| row.error("the numbers of vertices and faces should be here"))
    };
    let (vertices, faces) = (count(row, 0)?, count(row, 1)?);

    let mut mesh = Mesh::default();
    let (mut normals, mut colors) = (Vec::new(), Vec::new());
    for _ in 0..vertices {
        let row = rows.next("a vertex")?;
        let mut numbers = words(row);
        mesh.positions.push(vec3(&mut numbers, row)?);
        if header.normals {
            normals.push(vec3(&mut numbers, row)?);
        }
        if header.colors {
            colors.push(color(numbers.collect(), row)?);
        }
    }
    let mut corners = Vec::new();
    for _ in 0..faces {
        let row = rows.next("a face")?;
        let mut numbers = words(row);
        let wanted = numbers
            .next()
            .and_then(count_of)
            .ok_or_else(|| row.error("the number of corners should be here"))?;
        corners.clear();
        for word in numbers.take(wanted) {
            let vertex = count_of(word)
                .filter(|&v| v < vertices)
                .ok_or_else(|| row.error(format!("{} is none of the {vertices} vertices", shown(word))))?;
            corners.push(vertex as u32);
        }
        if corners.len() < wanted {
            return Err(row.error(format!("the face has {} of its {wanted} corners", corners.len())));
        }
        triangulate(&mesh.positions, &corners, &mut mesh.triangles);
    }
    let mut mesh = Mesh::single_part(name, mesh.positions, mesh.triangles);
    mesh.normals = header.normals.then(|| unit_normals(normals)).flatten();
    mesh.colors = header.colors.then_some(colors);
    mesh_alone(name, mesh, Vec::new())
}

/// `[ST][C][N][4][n]OFF`.
fn header_of(row: Line, word: &[u8]) -> Result<Header, ImportError> {
    let mut rest = word
        .strip_suffix(b"OFF")
        .ok_or_else(|| row.error(format!("{} is not the header of an OFF file", shown(word))))?;
    let mut take = |prefix: &[u8]| match rest.strip_prefix(prefix) {
        Some(after) => {
            rest = after;
            true
        }
        None => false,
    };
    let header = Header {
        textures: take(b"ST"),
        colors: take(b"C"),
        normals: take(b"N"),
    };
    if rest == b"4" || rest == b"n" || rest == b"4n" {
        return Err(unsupported("OFF with other than three coordinates"));
    }
    if !rest.is_empty() {
        return Err(row.error(format!("{} is not the header of an OFF file", shown(word))));
    }
    // Texture coordinates come last on a line and need no reading over, unless they
    // would be taken for a colour.
    if header.textures && header.colors {
        return Err(unsupported("OFF with colours and texture coordinates"));
    }
    Ok(header)
}

fn unsupported(what: &str) -> ImportError {
    ImportError::Unsupported {
        what: what.to_owned(),
        way_out: "save it as plain text OFF, PLY or OBJ".to_owned(),
    }
}

/// Words up to a comment.
fn words<'a>(row: Line<'a>) -> impl Iterator<Item = &'a [u8]> {
    row.words().take_while(|w| !w.starts_with(b"#"))
}

fn vec3<'a>(words: &mut impl Iterator<Item = &'a [u8]>, row: Line) -> Result<Vec3, ImportError> {
    let mut number = || {
        words
            .next()
            .and_then(f32_of)
            .ok_or_else(|| row.error("three numbers should be here"))
    };
    Ok(Vec3::new(number()?, number()?, number()?))
}

fn color(words: Vec<&[u8]>, row: Line) -> Result<[f32; 4], ImportError> {
    let numbers: Option<Vec<f32>> = words.iter().map(|w| f32_of(w)).collect();
    let whole = words.iter().all(|w| w.iter().all(u8::is_ascii_digit));
    let scale = if whole { 1.0 / 255.0 } else { 1.0 };
    let linear = |c: f32| linear_from_srgb(c * scale);
    match numbers.as_deref() {
        Some(&[r, g, b]) => Ok([linear(r), linear(g), linear(b), 1.0]),
        Some(&[r, g, b, a]) => Ok([linear(r), linear(g), linear(b), (a * scale).clamp(0.0, 1.0)]),
        _ => Err(row.error("a colour of three or four numbers should be here")),
    }
}

/// Lines that hold something.
struct Rows<'a> {
    lines: crate::text::Lines<'a>,
    last: usize,
}

impl<'a> Rows<'a> {
    fn next(&mut self, what: &str) -> Result<Line<'a>, ImportError> {
        for line in self.lines.by_ref() {
            self.last = line.number;
            if !line.text.is_empty() && !line.text.starts_with(b"#") {
                return Ok(line);
            }
        }
        Err(ImportError::malformed(
            format!("line {}", self.last),
            format!("the file ends where {what} should be"),
        ))
    }
}
