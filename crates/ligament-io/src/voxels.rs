//! Prepared voxel bindings, `.voxels`: voxels, distances and bones, so that another level of
//! detail, other falloffs and other regions need no new search.
//!
//! Layout, little-endian: the magic `LGVOXELS`, the version (u32), the CRC-32 of the body
//! (u32), and the body in blocks, each as its plain length (u32), its packed length (u32)
//! and LZ4. The body is:
//! - the form (u8: 0 Ligament's, 1 of 2014, 2 of 2013) and whether ways run across edges and
//!   corners (u8);
//! - the names of the skeleton's joints: count (u32), then length (u32) and UTF-8 each;
//! - bones: count (u32), then joint (u16), stub (u8), shape (u8: segment, point, sphere,
//!   box), its numbers (f64; box: three axes, centre, half extent) and factor (f32);
//! - the grid: origin, size (f64), counts (u32);
//! - levels: count (u8), then the bits of each, finest first, and those of the boundary, as
//!   64-bit words in the order of [`Bits`];
//! - distances: kind (u8: 0 to all bones, 1 to the nearest), penalty and units in a voxel
//!   (f64); then for each group of sixteen bones the rows of all leaves as differences (u16)
//!   to the leaf before; or the number of bones for each leaf (u32) and their keys (u32).
//!
//! Neighbours of leaves are found again. Nothing is lost: the same weights come out, bit for
//! bit. What a file may unfold to is bounded by LZ4's 255 bytes for one, and leaves are not
//! listed before the distances of all of them are known to be there.

use std::path::{Path, PathBuf};

use glam::{DAffine3, DMat3, DVec3, UVec3};
use ligament::bind::BindError;
use ligament::bind::voxel::{Form, VoxelBinding, VoxelBindingParts};
use ligament::character::{Bone, BoneShape, JointIndex};
use ligament::solid::distance::{Distances, Field, LANES, Metric, Nearest};
use ligament::solid::{Bits, Grid, Leaves};

use crate::atomic::{WriteError, write_file};

/// What every file begins with.
const MAGIC: &[u8; 8] = b"LGVOXELS";
/// The version that is written, and the only one so far.
const VERSION: u32 = 1;
/// The plain length of a block; LZ4 cannot pack more than two gigabytes at once.
const BLOCK: usize = 1 << 24;
/// LZ4 gives at most this many bytes for one.
const MOST_UNPACKED: usize = 255;
/// Magic, version and checksum.
const HEADER: usize = 16;

/// Why a prepared binding cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelsError {
    /// The system refused.
    #[error("cannot read ({source}): {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is some other file.
    #[error("this is no prepared binding; prepare one and save it")]
    NotABinding,
    /// Another version of this program wrote it.
    #[error("it has version {found} and this program reads version {VERSION}; prepare it again")]
    UnknownVersion {
        /// The version that it states.
        found: u32,
    },
    /// It is not as it was written.
    #[error("it is damaged or cut off ({0}); prepare it again")]
    Damaged(&'static str),
    /// Its parts do not fit each other.
    #[error(transparent)]
    Binding(#[from] BindError),
}

/// Writes a binding to a file.
pub fn save(binding: VoxelBinding, path: &Path) -> Result<(), WriteError> {
    write_file(path, &write(binding))
}

/// Reads a binding from a file.
pub fn open(path: &Path) -> Result<VoxelBinding, VoxelsError> {
    let bytes = std::fs::read(path).map_err(|source| VoxelsError::Io {
        path: path.to_owned(),
        source,
    })?;
    read(&bytes)
}

/// A binding as bytes.
pub fn write(binding: VoxelBinding) -> Vec<u8> {
    packed(&body(&binding.into_parts()))
}

/// A binding from bytes.
pub fn read(bytes: &[u8]) -> Result<VoxelBinding, VoxelsError> {
    let start = bytes.get(..MAGIC.len()).ok_or(VoxelsError::NotABinding)?;
    if start != MAGIC {
        return Err(VoxelsError::NotABinding);
    }
    let mut header = Reader(&bytes[MAGIC.len()..]);
    let version = header.u32()?;
    if version != VERSION {
        return Err(VoxelsError::UnknownVersion { found: version });
    }
    let checksum = header.u32()?;
    let body = unpacked(header)?;
    if crc32fast::hash(&body) != checksum {
        return Err(VoxelsError::Damaged("its checksum differs"));
    }
    read_body(&body)
}

fn packed(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER + body.len() / 4);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend(crc32fast::hash(body).to_le_bytes());
    for block in body.chunks(BLOCK) {
        let packed = lz4_flex::block::compress(block);
        out.extend((block.len() as u32).to_le_bytes());
        out.extend((packed.len() as u32).to_le_bytes());
        out.extend(packed);
    }
    out
}

fn unpacked(mut from: Reader<'_>) -> Result<Vec<u8>, VoxelsError> {
    let mut body = Vec::new();
    while !from.0.is_empty() {
        let plain = from.u32()? as usize;
        let length = from.u32()? as usize;
        let block = from.take(length)?;
        if plain > BLOCK || plain > MOST_UNPACKED.saturating_mul(block.len()) {
            return Err(VoxelsError::Damaged("a block is too long"));
        }
        let before = body.len();
        body.resize(before + plain, 0);
        match lz4_flex::block::decompress_into(block, &mut body[before..]) {
            Ok(length) if length == plain => {}
            _ => return Err(VoxelsError::Damaged("a block cannot be unpacked")),
        }
    }
    Ok(body)
}

fn body(parts: &VoxelBindingParts) -> Vec<u8> {
    let mut out = Vec::new();
    out.push(match parts.form {
        Form::Ligament => 0,
        Form::Paper2014 => 1,
        Form::Paper2013 => 2,
    });
    out.push(u8::from(parts.leaves.diagonal()));
    out.extend((parts.joint_names.len() as u32).to_le_bytes());
    for name in &parts.joint_names {
        out.extend((name.len() as u32).to_le_bytes());
        out.extend(name.as_bytes());
    }
    out.extend((parts.bones.len() as u32).to_le_bytes());
    for (bone, scale) in parts.bones.iter().zip(&parts.scales) {
        write_bone(bone, &mut out);
        out.extend(scale.to_le_bytes());
    }
    let grid = &parts.leaves.grid;
    write_points(&[grid.origin], &mut out);
    out.extend(grid.size.to_le_bytes());
    out.extend(grid.counts.to_array().iter().flat_map(|c| c.to_le_bytes()));
    out.push(parts.leaves.level_count() as u8);
    for bits in parts.leaves.level_bits() {
        out.extend(bits.words().iter().flat_map(|w| w.to_le_bytes()));
    }
    let boundary = parts.leaves.boundary_voxels();
    out.extend(boundary.words().iter().flat_map(|w| w.to_le_bytes()));
    write_field(&parts.field, &mut out);
    out
}

fn write_bone(bone: &Bone, out: &mut Vec<u8>) {
    out.extend(bone.joint.0.to_le_bytes());
    out.push(u8::from(bone.stub));
    match &bone.shape {
        BoneShape::Segment { head, tail } => {
            out.push(0);
            write_points(&[*head, *tail], out);
        }
        BoneShape::Point(at) => {
            out.push(1);
            write_points(&[*at], out);
        }
        BoneShape::Sphere { centre, radius } => {
            out.push(2);
            write_points(&[*centre], out);
            out.extend(radius.to_le_bytes());
        }
        BoneShape::Box {
            bind_from_box,
            half_extent,
        } => {
            out.push(3);
            let axes = bind_from_box.matrix3;
            write_points(
                &[
                    axes.x_axis,
                    axes.y_axis,
                    axes.z_axis,
                    bind_from_box.translation,
                    *half_extent,
                ],
                out,
            );
        }
    }
}

fn write_points(points: &[DVec3], out: &mut Vec<u8>) {
    out.extend(
        points
            .iter()
            .flat_map(|p| p.to_array())
            .flat_map(f64::to_le_bytes),
    );
}

fn write_field(field: &Field, out: &mut Vec<u8>) {
    let (kind, metric) = match field {
        Field::All(all) => (0, all.metric),
        Field::Nearest(nearest) => (1, nearest.metric),
    };
    out.push(kind);
    out.extend(metric.penalty.to_le_bytes());
    out.extend(metric.units_per_voxel.to_le_bytes());
    match field {
        Field::All(all) => {
            for rows in all.groups() {
                // Neighbouring leaves are about as far from a bone, so differences repeat.
                let mut last = [0u16; LANES];
                for row in rows {
                    for (units, last) in row.iter().zip(&mut last) {
                        out.extend(units.wrapping_sub(*last).to_le_bytes());
                        *last = *units;
                    }
                }
            }
        }
        Field::Nearest(nearest) => {
            out.extend((nearest.k as u32).to_le_bytes());
            out.extend(nearest.keys().iter().flat_map(|k| k.to_le_bytes()));
        }
    }
}

fn read_body(body: &[u8]) -> Result<VoxelBinding, VoxelsError> {
    let mut from = Reader(body);
    let form = match from.u8()? {
        0 => Form::Ligament,
        1 => Form::Paper2014,
        2 => Form::Paper2013,
        _ => return Err(VoxelsError::Damaged("its form is not known")),
    };
    let diagonal = from.flag()?;
    let mut joint_names = Vec::new();
    for _ in 0..from.u32()? {
        let length = from.u32()? as usize;
        let name = std::str::from_utf8(from.take(length)?)
            .map_err(|_| VoxelsError::Damaged("a joint's name is no text"))?;
        joint_names.push(name.to_owned());
    }
    let (mut bones, mut scales) = (Vec::new(), Vec::new());
    for _ in 0..from.u32()? {
        bones.push(from.bone()?);
        scales.push(f32::from_le_bytes(from.array()?));
    }
    let grid = Grid {
        origin: from.point()?,
        size: from.f64()?,
        counts: UVec3::from_array([from.u32()?, from.u32()?, from.u32()?]),
    };
    let mut levels = Vec::new();
    let mut counts = grid.counts;
    for _ in 0..from.u8()? {
        levels.push(from.bits(counts)?);
        counts = counts.map(|c| c.div_ceil(2));
    }
    let boundary = from.bits(grid.counts)?;
    // The field first: listing leaves takes more memory than their bits, and they are as
    // many as there are distances.
    let leaf_count = levels.iter().map(Bits::count).sum();
    let field = from.field(leaf_count, bones.len())?;
    if !from.0.is_empty() {
        return Err(VoxelsError::Damaged("there is more in it than there should be"));
    }
    let leaves = Leaves::from_levels(grid, levels, &boundary, diagonal)
        .ok_or(VoxelsError::Damaged("its voxels are no octree"))?;
    Ok(VoxelBinding::from_parts(VoxelBindingParts {
        form,
        leaves,
        field,
        bones,
        scales,
        joint_names,
    })?)
}

/// What is still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], VoxelsError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(VoxelsError::Damaged("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// `count` things of `N` bytes each.
    fn list<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]], VoxelsError> {
        let bytes = self.take(count.saturating_mul(N))?;
        Ok(bytes.as_chunks().0)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], VoxelsError> {
        let (array, rest) = self
            .0
            .split_first_chunk()
            .ok_or(VoxelsError::Damaged("it ends too early"))?;
        self.0 = rest;
        Ok(*array)
    }

    fn u8(&mut self) -> Result<u8, VoxelsError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, VoxelsError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Result<f64, VoxelsError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn flag(&mut self) -> Result<bool, VoxelsError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(VoxelsError::Damaged("yes or no should be 1 or 0")),
        }
    }

    fn point(&mut self) -> Result<DVec3, VoxelsError> {
        Ok(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    fn bone(&mut self) -> Result<Bone, VoxelsError> {
        let joint = JointIndex(u16::from_le_bytes(self.array()?));
        let stub = self.flag()?;
        let shape = match self.u8()? {
            0 => BoneShape::Segment {
                head: self.point()?,
                tail: self.point()?,
            },
            1 => BoneShape::Point(self.point()?),
            2 => BoneShape::Sphere {
                centre: self.point()?,
                radius: self.f64()?,
            },
            3 => BoneShape::Box {
                bind_from_box: DAffine3 {
                    matrix3: DMat3::from_cols(self.point()?, self.point()?, self.point()?),
                    translation: self.point()?,
                },
                half_extent: self.point()?,
            },
            _ => return Err(VoxelsError::Damaged("the shape of a bone is not known")),
        };
        Ok(Bone { joint, shape, stub })
    }

    fn bits(&mut self, counts: UVec3) -> Result<Bits, VoxelsError> {
        let rows = (counts.y as usize).saturating_mul(counts.z as usize);
        let words = rows.saturating_mul(counts.x.div_ceil(64) as usize);
        let words = self.list(words)?.iter().map(|w| u64::from_le_bytes(*w)).collect();
        Bits::from_words(counts, words).ok_or(VoxelsError::Damaged("voxels lie beyond the grid"))
    }

    fn field(&mut self, leaves: usize, bones: usize) -> Result<Field, VoxelsError> {
        let kind = self.u8()?;
        let metric = Metric {
            penalty: self.f64()?,
            units_per_voxel: self.f64()?,
        };
        let field = match kind {
            0 => {
                let mut groups = Vec::new();
                for _ in 0..bones.div_ceil(LANES) {
                    let rows: &[[u8; 2 * LANES]] = self.list(leaves)?;
                    let mut last = [0u16; LANES];
                    let row = |row: &[u8; 2 * LANES]| {
                        for (last, step) in last.iter_mut().zip(row.as_chunks().0) {
                            *last = last.wrapping_add(u16::from_le_bytes(*step));
                        }
                        last
                    };
                    groups.push(rows.iter().map(row).collect());
                }
                Distances::from_groups(metric, bones, groups).map(Field::All)
            }
            1 => {
                let k = self.u32()? as usize;
                let keys = self.list(leaves.saturating_mul(k))?;
                let keys = keys.iter().map(|k| u32::from_le_bytes(*k)).collect();
                Nearest::from_keys(metric, k, bones, keys).map(Field::Nearest)
            }
            _ => None,
        };
        field.ok_or(VoxelsError::Damaged("its distances are not those of its bones"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::bind::{BindOptions, BindResult, Method, Prepared, VoxelOptions};
    use ligament::sample;
    use ligament::skin::Skin;
    use ligament::solid::Resolution;
    use ligament::task::Task;
    use ligament_testkit::{Random, repeats};

    fn options(preset: Form) -> VoxelOptions {
        let mut options = VoxelOptions {
            preset,
            ..VoxelOptions::default()
        };
        options.solid.resolution = Resolution::Voxels(32);
        options
    }

    fn skin_of(name: &str) -> Skin {
        Skin::new(sample::make(name).unwrap()).unwrap()
    }

    fn prepared(name: &str, own: &VoxelOptions) -> VoxelBinding {
        let method = Method::Voxel(own.clone());
        let prepared = method.prepare(&skin_of(name), &BindOptions::default(), &Task::unattended());
        prepared.unwrap().into_voxels().unwrap()
    }

    fn bind(binding: VoxelBinding, skin: &Skin) -> Result<BindResult, BindError> {
        let (options, task) = (BindOptions::default(), Task::unattended());
        Prepared::with_voxels(
            binding,
            skin,
            &options,
            VoxelOptions::default().evaluation(),
            &task,
        )?
        .evaluate(&options, &task)
    }

    #[test]
    fn a_binding_that_was_saved_gives_the_same_weights() {
        for preset in [Form::Ligament, Form::Paper2014, Form::Paper2013] {
            let mut options = options(preset);
            options.influences = vec![
                Bone {
                    joint: JointIndex(1),
                    shape: BoneShape::Sphere {
                        centre: DVec3::new(0.0, 1.0, 0.0),
                        radius: 0.05,
                    },
                    stub: false,
                },
                Bone {
                    joint: JointIndex(2),
                    shape: BoneShape::Box {
                        bind_from_box: DAffine3::from_rotation_y(0.3),
                        half_extent: DVec3::splat(0.1),
                    },
                    stub: true,
                },
            ];
            let skin = skin_of("knight@2000");
            let bytes = write(prepared("knight@2000", &options));
            let again = read(&bytes).unwrap();
            let weights = bind(again.clone(), &skin).unwrap().weights;
            let whole = Method::Voxel(options).bind(&skin, &BindOptions::default(), &Task::unattended());
            assert_eq!(weights, whole.unwrap().weights);
            assert_eq!(write(again), bytes);
        }
    }

    #[test]
    fn one_file_binds_several_levels_of_detail() {
        let binding = read(&write(prepared("knight@4000", &options(Form::Ligament)))).unwrap();
        for lod in ["knight@2000", "knight@9000"] {
            let skin = skin_of(lod);
            let bound = bind(binding.clone(), &skin).unwrap();
            let vertices = skin.character().mesh.positions.len();
            assert_eq!(bound.weights.vertex_count(), vertices);
        }
        let message = bind(binding, &skin_of("hound@2000")).unwrap_err().to_string();
        assert!(message.contains("prepare one for this skeleton"), "{message}");
    }

    #[test]
    fn other_files_and_other_versions_are_named() {
        assert!(matches!(read(b"glTF"), Err(VoxelsError::NotABinding)));
        assert!(matches!(
            read(b"glTF, and much more"),
            Err(VoxelsError::NotABinding)
        ));
        let mut bytes = write(prepared("tube", &options(Form::Ligament)));
        bytes[8] = 9;
        let message = read(&bytes).unwrap_err().to_string();
        assert!(
            message.contains("version 9") && message.contains("prepare it again"),
            "{message}"
        );
    }

    /// Broken anywhere, a file is refused or read, and what is read can be used. The body is
    /// broken too, behind a checksum that is right.
    #[test]
    fn broken_files_never_panic() {
        let mut random = Random(1);
        let mut random = |limit: usize| random.below(limit);
        let skin = skin_of("tube");
        let mut used = 0;
        for preset in [Form::Ligament, Form::Paper2014] {
            let options = options(preset);
            let good = write(prepared("tube", &options));
            let plain = unpacked(Reader(&good[HEADER..])).unwrap();
            for length in (0..good.len()).step_by(1 + good.len() / 200) {
                assert!(read(&good[..length]).is_err(), "cut to {length} bytes");
            }
            for round in 0..repeats(600) {
                let whole = round % 3 == 0;
                let mut bytes = if whole { good.clone() } else { plain.clone() };
                for _ in 0..=random(3) {
                    // Counts and shapes are at the start.
                    let reach = if random(2) == 0 {
                        bytes.len().min(400)
                    } else {
                        bytes.len()
                    };
                    let at = random(reach);
                    match random(4) {
                        0 => bytes[at] = random(256) as u8,
                        1 => bytes[at] ^= 1 << random(8),
                        2 => bytes[at] = 0xFF,
                        _ => {
                            let end = (at + random(9)).min(bytes.len());
                            bytes.drain(at..end);
                        }
                    }
                    if bytes.is_empty() {
                        bytes.push(0);
                    }
                }
                let read = if whole {
                    read(&bytes)
                } else {
                    read(&packed(&bytes))
                };
                if let Ok(binding) = read
                    && bind(binding.clone(), &skin).is_ok()
                {
                    used += 1;
                    let _ = binding.explain(DVec3::ZERO, &skin.character().skeleton, 3);
                }
            }
        }
        assert!(
            used > repeats(100),
            "only {used} broken files reached the weights"
        );
    }
}
