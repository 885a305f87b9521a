//! Fields of cells: `.cells` files.
//!
//! Little-endian, version 2, or 1 where there is no surface:
//!
//! | what | type |
//! |---|---|
//! | `LIGCELLS` | 8 bytes |
//! | version, influences, number of cells, 1 if there are detours plus 2 if there is a surface | 4 × u16 |
//! | middle and side of the unit cube in bind space | 4 × f64 |
//! | for each cell: its name's length and bytes (UTF-8) | u16, bytes |
//! | – its joint's position, falloff, floor, number of sites | 5 × f32, u16 |
//! | – for each site: centre, lower triangle of F by rows, radius | 10 × f32 |
//! | of the detours: resolution, unit, number of voxels, bytes that follow | u16, f32, 2 × u32 |
//! | – deflated: the gaps between the voxels' numbers, then a column of bytes per cell | u32, u8 |
//! | of the surface that it was fitted to: number of points, of faces, bytes that follow | 3 × u32 |
//! | – deflated: all x, all y, all z, then each corner's difference from the corner before it | f32, u32 |
//! | CRC-32 of all before it | u32 |
//!
//! A field of 50 joints with six sites each takes 13 KB without detours and surface.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use ligament::bind::cells::{Cell, CellField, Detour, FieldError, FittedSurface, Site};

const MAGIC: &[u8; 8] = b"LIGCELLS";
const VERSION: u16 = 2;
/// Of a field without a surface, which earlier programs read.
const WITHOUT_SURFACE: u16 = 1;
/// What follows the cells.
const DETOURS: u16 = 1;
const SURFACE: u16 = 2;
/// Detours and surfaces unpack to at most so many bytes.
const LARGEST_DETOUR: usize = 1 << 26;
const LARGEST_SURFACE: usize = 1 << 28;

/// Why bytes are no field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// Another kind of file.
    #[error("this is no field of cells; make one with: ligament field fit")]
    NotAField,
    /// Written by a later version.
    #[error("the field has version {version}, and this program reads up to {VERSION}; update it")]
    TooNew {
        /// The file's version.
        version: u16,
    },
    /// It ends too early, or its checksum is not that of its bytes.
    #[error("the field is damaged: it is cut off or its checksum does not match; make it again")]
    Damaged,
    /// Its numbers are no field.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// The field as bytes. Names longer than 65,535 bytes are cut.
pub fn write(field: &CellField) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let influences = field.influences.min(usize::from(u16::MAX)) as u16;
    let detours = field.detour().map_or(0, |_| DETOURS);
    let (version, surface) = match field.surface {
        Some(_) => (VERSION, SURFACE),
        None => (WITHOUT_SURFACE, 0),
    };
    for x in [version, influences, field.cells.len() as u16, detours | surface] {
        out.extend(x.to_le_bytes());
    }
    for x in field.centre.to_array().into_iter().chain([field.size]) {
        out.extend(x.to_le_bytes());
    }
    for cell in &field.cells {
        let mut length = cell.joint.len().min(usize::from(u16::MAX));
        while !cell.joint.is_char_boundary(length) {
            length -= 1;
        }
        out.extend((length as u16).to_le_bytes());
        out.extend(&cell.joint.as_bytes()[..length]);
        for x in cell.origin.into_iter().chain([cell.falloff, cell.floor]) {
            out.extend(x.to_le_bytes());
        }
        out.extend((cell.sites.len() as u16).to_le_bytes());
        for site in &cell.sites {
            for x in site.centre.iter().chain(&site.shape).chain([&site.radius]) {
                out.extend(x.to_le_bytes());
            }
        }
    }
    if let Some(detour) = field.detour() {
        let cells = field.cells.len();
        let mut plain = Vec::new();
        let mut before = 0;
        for &voxel in detour.voxels() {
            plain.extend((voxel - before).to_le_bytes());
            before = voxel;
        }
        for cell in 0..cells {
            plain.extend(detour.bytes().iter().skip(cell).step_by(cells));
        }
        let packed = miniz_oxide::deflate::compress_to_vec(&plain, 8);
        out.extend(detour.resolution().to_le_bytes());
        out.extend(detour.unit().to_le_bytes());
        out.extend((detour.voxels().len() as u32).to_le_bytes());
        out.extend((packed.len() as u32).to_le_bytes());
        out.extend(packed);
    }
    if let Some(surface) = &field.surface {
        write_surface(surface, &mut out);
    }
    let sum = crc32fast::hash(&out);
    out.extend(sum.to_le_bytes());
    out
}

fn write_surface(surface: &FittedSurface, out: &mut Vec<u8>) {
    let (points, faces) = (surface.points(), surface.faces());
    let mut plain = Vec::with_capacity(12 * (points.len() + faces.len()));
    for axis in 0..3 {
        plain.extend(points.iter().flat_map(|p| p[axis].to_le_bytes()));
    }
    let mut before = 0u32;
    for &corner in faces.iter().flatten() {
        plain.extend(corner.wrapping_sub(before).to_le_bytes());
        before = corner;
    }
    let packed = miniz_oxide::deflate::compress_to_vec(&plain, 8);
    for count in [points.len(), faces.len(), packed.len()] {
        out.extend((count as u32).to_le_bytes());
    }
    out.extend(packed);
}

/// The field that bytes hold.
pub fn read(bytes: &[u8]) -> Result<CellField, CellsError> {
    if !bytes.starts_with(MAGIC) {
        return Err(CellsError::NotAField);
    }
    let mut reader = Reader(&bytes[MAGIC.len()..]);
    let version = reader.u16()?;
    if ![WITHOUT_SURFACE, VERSION].contains(&version) {
        return Err(CellsError::TooNew { version });
    }
    let body = bytes.len().checked_sub(4).ok_or(CellsError::Damaged)?;
    if crc32fast::hash(&bytes[..body]).to_le_bytes() != bytes[body..] {
        return Err(CellsError::Damaged);
    }
    let influences = usize::from(reader.u16()?);
    let count = reader.u16()?;
    let more = reader.u16()?;
    let centre = DVec3::new(reader.f64()?, reader.f64()?, reader.f64()?);
    let size = reader.f64()?;
    let mut cells = Vec::new(); // grows with what is there, not with what is promised
    for _ in 0..count {
        let length = usize::from(reader.u16()?);
        let name = std::str::from_utf8(reader.take(length)?).map_err(|_| CellsError::Damaged)?;
        let origin = [reader.f32()?, reader.f32()?, reader.f32()?];
        let (falloff, floor) = (reader.f32()?, reader.f32()?);
        let sites = (0..reader.u16()?)
            .map(|_| {
                let mut x = [0.0; 10];
                for x in &mut x {
                    *x = reader.f32()?;
                }
                Ok(Site {
                    centre: [x[0], x[1], x[2]],
                    shape: [x[3], x[4], x[5], x[6], x[7], x[8]],
                    radius: x[9],
                })
            })
            .collect::<Result<_, CellsError>>()?;
        cells.push(Cell {
            joint: name.to_owned(),
            origin,
            falloff,
            floor,
            sites,
        });
    }
    // Any number but zero said so in version 1.
    let has_detour = more & DETOURS != 0 || version == WITHOUT_SURFACE && more != 0;
    let detour = has_detour
        .then(|| read_detour(&mut reader, cells.len()))
        .transpose()?;
    let has_surface = version == VERSION && more & SURFACE != 0;
    let surface = has_surface
        .then(|| read_surface(&mut reader).map(Arc::new))
        .transpose()?;
    let field = CellField {
        influences,
        centre,
        size,
        cells,
        detour,
        surface,
    };
    field.check()?;
    Ok(field)
}

fn read_detour(reader: &mut Reader<'_>, cells: usize) -> Result<Detour, CellsError> {
    let resolution = reader.u16()?;
    let unit = reader.f32()?;
    let (voxels, packed) = (reader.u32()? as usize, reader.u32()? as usize);
    let whole = voxels
        .checked_mul(4 + cells)
        .filter(|&w| w <= LARGEST_DETOUR)
        .ok_or(CellsError::Damaged)?;
    let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(reader.take(packed)?, whole)
        .map_err(|_| CellsError::Damaged)?;
    if plain.len() != whole {
        return Err(CellsError::Damaged);
    }
    let (gaps, columns) = plain.split_at(4 * voxels);
    let mut numbers = Vec::with_capacity(voxels);
    let mut at = 0u32;
    for gap in gaps.chunks_exact(4) {
        at = at
            .checked_add(u32::from_le_bytes([gap[0], gap[1], gap[2], gap[3]]))
            .ok_or(CellsError::Damaged)?;
        numbers.push(at);
    }
    let mut rows = vec![0; columns.len()];
    for (cell, column) in columns.chunks_exact(voxels.max(1)).enumerate() {
        for (to, &byte) in rows.iter_mut().skip(cell).step_by(cells.max(1)).zip(column) {
            *to = byte;
        }
    }
    Detour::new(resolution, cells, unit, numbers, rows).ok_or(CellsError::Damaged)
}

fn read_surface(reader: &mut Reader<'_>) -> Result<FittedSurface, CellsError> {
    let (points, faces) = (reader.u32()? as usize, reader.u32()? as usize);
    let packed = reader.u32()? as usize;
    let whole = points
        .checked_add(faces)
        .and_then(|count| count.checked_mul(12))
        .filter(|&whole| whole <= LARGEST_SURFACE)
        .ok_or(CellsError::Damaged)?;
    let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(reader.take(packed)?, whole)
        .map_err(|_| CellsError::Damaged)?;
    if plain.len() != whole {
        return Err(CellsError::Damaged);
    }
    let mut numbers = plain.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
    let coordinates: Vec<f32> = numbers
        .by_ref()
        .take(3 * points)
        .map(f32::from_le_bytes)
        .collect();
    let [x, y, z] = [0, 1, 2].map(|axis| &coordinates[axis * points..(axis + 1) * points]);
    let points = x
        .iter()
        .zip(y)
        .zip(z)
        .map(|((&x, &y), &z)| Vec3::new(x, y, z))
        .collect();
    let mut corner = 0u32;
    let corners: Vec<u32> = numbers
        .map(|b| {
            corner = corner.wrapping_add(u32::from_le_bytes(b));
            corner
        })
        .collect();
    let faces = corners.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect();
    FittedSurface::new(points, faces).ok_or(CellsError::Damaged)
}

/// Bytes not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], CellsError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CellsError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CellsError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(CellsError::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u16(&mut self) -> Result<u16, CellsError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, CellsError> {
        self.array().map(u32::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, CellsError> {
        self.array().map(f32::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, CellsError> {
        self.array().map(f64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_testkit::{Random, repeats};

    fn field() -> CellField {
        let mut random = Random(7);
        let mut number = |low: f32, high: f32| low + (high - low) * (random.below(1000) as f32 / 1000.0);
        let cells = (0..50)
            .map(|c| Cell {
                joint: format!("Gelenk_{c}_ä"),
                origin: [0.1, 0.2, 0.3],
                falloff: number(1.0, 3.0),
                floor: 0.0,
                sites: (0..6)
                    .map(|_| Site {
                        centre: [number(-0.5, 0.5), number(-0.5, 0.5), number(-0.5, 0.5)],
                        shape: [
                            number(0.5, 2.0),
                            number(-1.0, 1.0),
                            number(0.5, 2.0),
                            number(-1.0, 1.0),
                            number(-1.0, 1.0),
                            number(0.5, 2.0),
                        ],
                        radius: number(0.01, 0.1),
                    })
                    .collect(),
            })
            .collect();
        CellField {
            influences: 4,
            centre: DVec3::new(1.0, 2.0, 3.0),
            size: 1.8,
            cells,
            detour: None,
            surface: None,
        }
    }

    fn with_detour() -> CellField {
        let voxels: Vec<u32> = (0..40).map(|i| i * 7 + 3).collect();
        let bytes = (0..40 * 50).map(|i| (i * i % 251) as u8).collect();
        CellField {
            detour: Detour::new(8, 50, 1e-3, voxels, bytes),
            ..field()
        }
    }

    fn with_surface() -> CellField {
        let points = (0..30).map(|i| Vec3::new(0.01 * i as f32, (i % 7) as f32 / 9.0, -0.3));
        let faces = (0..28).map(|i| [i, (i * 5) % 30, i + 2]);
        CellField {
            surface: FittedSurface::new(points.collect(), faces.collect()).map(Arc::new),
            ..with_detour()
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert!(with_surface().surface.is_some());
        let alone = CellField {
            detour: None,
            ..with_surface()
        };
        for field in [field(), with_detour(), with_surface(), alone] {
            assert_eq!(read(&write(&field)), Ok(field));
        }
    }

    /// A field without a surface is written as before there were any, so that earlier programs read it.
    #[test]
    fn the_version_rises_with_a_surface_alone() {
        let version = |field: &CellField| write(field)[8];
        assert_eq!((version(&with_detour()), version(&with_surface())), (1, 2));
    }

    #[test]
    fn it_is_about_as_small_as_the_papers() {
        let size = write(&field()).len();
        assert!(size < 21_000, "{size} bytes");
    }

    #[test]
    fn other_files_and_later_versions_are_told_apart() {
        assert_eq!(read(b"glTF"), Err(CellsError::NotAField));
        assert_eq!(read(b""), Err(CellsError::NotAField));
        let mut later = write(&field());
        later[8] = 9;
        assert_eq!(read(&later), Err(CellsError::TooNew { version: 9 }));
    }

    /// Cut off at every length and with bytes changed, with and without a checksum that
    /// fits: an error or a sound field, never a panic.
    #[test]
    fn mutations_are_errors_or_fields() {
        let good = write(&with_surface());
        for end in 0..good.len() {
            assert!(read(&good[..end]).is_err());
        }
        let mut random = Random(3);
        let mut sound = 0;
        for _ in 0..repeats(4000) {
            let mut bytes = good.clone();
            for _ in 0..=random.below(4) {
                let at = 8 + random.below(bytes.len() - 8);
                bytes[at] = random.next() as u8;
            }
            let body = bytes.len() - 4;
            if random.below(10) > 0 {
                let sum = crc32fast::hash(&bytes[..body]).to_le_bytes();
                bytes[body..].copy_from_slice(&sum);
            }
            if let Ok(field) = read(&bytes) {
                assert_eq!(field.check(), Ok(()));
                sound += 1;
            }
        }
        assert!(sound > repeats(100), "only {sound} were sound");
    }
}
