//! IQM, the Inter-Quake Model of open games, version 2: meshes, weights, skeleton and clips in one file.
//!
//! Layout: a header of counts and offsets; texts; meshes; vertex arrays; triangles, clockwise seen from outside; joints with parent and
//! local transform; poses, which say how frames are packed; clips; frames of 16-bit channels. The format states neither axes nor unit: by
//! the custom of its tools +Z is up and −Y the front, which becomes +Y and +Z here, and a unit stays a unit.
//!
//! Read: positions, normals, colours, the first texture coordinates, up to four influences, materials by name and their picture where a
//! file of that name lies beside the model, joints, clips. Lost: tangents, bounds, comments, extensions.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec2, Vec3};
use ligament::Character;
use ligament::character::{
    Channel, Clip, Influence, Interpolation, JointIndex, LooseJoint, Material, Mesh, Part, PartAttachment,
    Texture, Track, Weights, WeightsBuilder,
};

use crate::assemble::{skeleton_of, warning};
use crate::import::{ImportError, ImportWarning, Imported};
use crate::usd::half;

const MAGIC: &[u8; 16] = b"INTERQUAKEMODEL\0";
/// Numbers of the header after the magic.
const HEADER: usize = 27;

/// From the file's axes (+Z up) to ours (+Y up).
const UP: DMat3 = DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y);

/// Reads a file; pictures that it names are found by `beside`.
pub fn read(
    bytes: &[u8],
    name: &str,
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Imported, ImportError> {
    let file = File::new(bytes)?;
    let mut warnings = Vec::new();
    let rig = file.joints()?;
    let (skeleton, index_of) = skeleton_of(rig.loose)?;
    let (mesh, weights) = file.mesh(&index_of, beside, &mut warnings)?;
    mesh.check()
        .map_err(|e| ImportError::malformed("the mesh", e.to_string()))?;
    let clips = file.clips(&index_of, &rig.parents, &mut warnings)?;
    Ok(Imported {
        character: Character {
            name: name.to_owned(),
            mesh,
            skeleton,
            weights,
            clips,
        },
        warnings,
    })
}

struct Rig {
    loose: Vec<LooseJoint>,
    parents: Vec<Option<usize>>,
}

/// A list of records: how many, and where the first is.
#[derive(Clone, Copy)]
struct List {
    count: usize,
    at: usize,
}

struct File<'a> {
    bytes: &'a [u8],
    header: [u32; HEADER],
}

impl<'a> File<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, ImportError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ImportError::malformed("the file", "this is not IQM"));
        }
        let mut header = [0; HEADER];
        for (k, number) in header.iter_mut().enumerate() {
            *number = number_at(bytes, MAGIC.len() + 4 * k)?;
        }
        if header[0] != 2 {
            return Err(ImportError::Unsupported {
                what: format!("version {} of IQM", header[0]),
                way_out: "export as version 2".to_owned(),
            });
        }
        Ok(Self { bytes, header })
    }

    /// A list whose records have so many bytes, all of which are there.
    fn list(&self, count: usize, at: usize, record: usize) -> Result<List, ImportError> {
        let list = List {
            count: self.header[count] as usize,
            at: self.header[at] as usize,
        };
        let end = list
            .count
            .checked_mul(record)
            .and_then(|n| n.checked_add(list.at));
        if list.count > 0 && end.is_none_or(|end| end > self.bytes.len()) {
            return Err(ImportError::malformed(
                format!("byte {}", list.at),
                format!("the file is cut off: {} records should be here", list.count),
            ));
        }
        Ok(list)
    }

    fn u32(&self, at: usize) -> Result<u32, ImportError> {
        number_at(self.bytes, at)
    }

    fn index(&self, at: usize) -> Result<usize, ImportError> {
        Ok(self.u32(at)? as usize)
    }

    fn f64(&self, at: usize) -> Result<f64, ImportError> {
        let value = f32::from_bits(self.u32(at)?);
        if value.is_finite() {
            Ok(f64::from(value))
        } else {
            Err(ImportError::malformed(
                format!("byte {at}"),
                "a number is not finite",
            ))
        }
    }

    fn vector(&self, at: usize) -> Result<DVec3, ImportError> {
        Ok(DVec3::new(self.f64(at)?, self.f64(at + 4)?, self.f64(at + 8)?))
    }

    fn text(&self, offset: u32) -> Result<String, ImportError> {
        let texts = self.list(3, 4, 1)?;
        let from = (offset as usize).min(texts.count);
        let all =
            &self.bytes[texts.at.min(self.bytes.len())..][..if texts.count > 0 { texts.count } else { 0 }];
        let rest = &all[from..];
        let end = rest.iter().position(|&b| b == 0).unwrap_or(rest.len());
        Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
    }

    fn joints(&self) -> Result<Rig, ImportError> {
        let list = self.list(13, 14, 48)?;
        if list.count > usize::from(u16::MAX) {
            return Err(ImportError::malformed(
                "the skeleton",
                format!("{} joints are too many", list.count),
            ));
        }
        let (mut loose, mut parents): (Vec<LooseJoint>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        for k in 0..list.count {
            let at = list.at + 48 * k;
            let parent = self.u32(at + 4)?.cast_signed();
            let parent = usize::try_from(parent).ok();
            let local = affine(
                self.vector(at + 8)?,
                [
                    self.f64(at + 20)?,
                    self.f64(at + 24)?,
                    self.f64(at + 28)?,
                    self.f64(at + 32)?,
                ],
                self.vector(at + 36)?,
            );
            // Parents come first, says the format; a file that disagrees has no shape.
            let bind_from_joint = match parent {
                None => up(local),
                Some(parent) => {
                    let Some(parent) = loose.get(parent) else {
                        let problem = format!("joint {k} comes before its parent {parent}");
                        return Err(ImportError::malformed("the skeleton", problem));
                    };
                    parent.bind_from_joint * local
                }
            };
            loose.push(LooseJoint {
                name: self.text(self.u32(at)?)?,
                parent,
                bind_from_joint,
                in_skin: true,
            });
            parents.push(parent);
        }
        Ok(Rig { loose, parents })
    }

    fn mesh(
        &self,
        index_of: &[JointIndex],
        beside: &dyn Fn(&str) -> Option<Vec<u8>>,
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<(Mesh, Option<Weights>), ImportError> {
        let vertices = self.header[8] as usize;
        let arrays = self.list(7, 9, 20)?;
        let mut mesh = Mesh::default();
        let (mut uvs, mut joints, mut parts_of) = (None, None, None);
        for k in 0..arrays.count {
            let at = arrays.at + 20 * k;
            let array = Array {
                format: self.u32(at + 8)?,
                size: self.index(at + 12)?,
                at: self.index(at + 16)?,
            };
            let kind = self.u32(at)?;
            if !matches!(kind, 0 | 1 | 2 | 4 | 5 | 6) {
                continue;
            }
            let least = [3, 2, 3, 0, 4, 4, 4][kind as usize];
            let values = self.array(&array, vertices, least)?;
            match kind {
                0 => mesh.positions = values.iter().map(up_f32).collect(),
                1 => uvs = Some(values),
                2 => {
                    let normals = values.iter().map(|v| up_f32(v).normalize_or(Vec3::Y));
                    mesh.normals = Some(normals.collect());
                }
                4 => joints = Some((values, array.format)),
                5 => parts_of = Some((values, array.format)),
                _ => {
                    let whole = if array.format == 1 { 255.0 } else { 1.0 };
                    let color = |v: &[f32; 4]| v.map(|c| (c / whole).clamp(0.0, 1.0));
                    mesh.colors = Some(values.iter().map(color).collect());
                }
            }
        }
        if mesh.positions.len() != vertices {
            return Err(ImportError::malformed("the mesh", "there are no positions"));
        }
        let triangles = self.list(10, 11, 12)?;
        let meshes = self.list(5, 6, 24)?;
        for k in 0..meshes.count {
            let at = meshes.at + 24 * k;
            let [first_vertex, vertex_count, first, count] = [
                self.index(at + 8)?,
                self.index(at + 12)?,
                self.index(at + 16)?,
                self.index(at + 20)?,
            ];
            let range = |first: usize, count: usize, all: usize| {
                let end = first.checked_add(count).filter(|&end| end <= all);
                end.map(|end| first..end)
            };
            let (Some(of_vertices), Some(of_triangles)) = (
                range(first_vertex, vertex_count, vertices),
                range(first, count, triangles.count),
            ) else {
                return Err(ImportError::malformed(
                    format!("mesh {k}"),
                    "it names vertices or faces that are not there",
                ));
            };
            let from = mesh.triangles.len();
            for face in of_triangles {
                let at = triangles.at + 12 * face;
                let corners = [self.u32(at)?, self.u32(at + 8)?, self.u32(at + 4)?];
                if corners.iter().any(|&c| !of_vertices.contains(&(c as usize))) {
                    return Err(ImportError::malformed(
                        format!("face {face}"),
                        "it names a vertex of another mesh",
                    ));
                }
                mesh.triangles.push(corners);
            }
            let material = self.text(self.u32(at + 4)?)?;
            mesh.parts.push(Part {
                name: self.text(self.u32(at)?)?,
                vertices: of_vertices,
                triangles: from..mesh.triangles.len(),
                material: material_of(&material, beside),
                attachment: PartAttachment::Skin,
                joints: None,
            });
        }
        mesh.corner_uvs = uvs.map(|uvs| {
            let uv = |v: u32| Vec2::new(uvs[v as usize][0], uvs[v as usize][1]);
            mesh.triangles.iter().map(|t| t.map(uv)).collect()
        });
        let weights = match (joints, parts_of) {
            (Some((joints, _)), Some((fractions, format))) if !index_of.is_empty() => {
                let whole = if format == 1 { 255.0 } else { 1.0 };
                Some(weights_of(&joints, &fractions, whole, index_of, warnings))
            }
            _ => None,
        };
        Ok((mesh, weights))
    }

    /// The first four numbers of each vertex.
    fn array(&self, array: &Array, vertices: usize, least: usize) -> Result<Vec<[f32; 4]>, ImportError> {
        let bytes_each = match array.format {
            0 | 1 => 1,
            2 | 3 | 6 => 2,
            4 | 5 | 7 => 4,
            8 => 8,
            other => {
                let problem = format!("a vertex array of the unknown format {other}");
                return Err(ImportError::malformed("the mesh", problem));
            }
        };
        let short = || ImportError::malformed(format!("byte {}", array.at), "a vertex array is cut off");
        let step = bytes_each * array.size;
        let end = vertices.checked_mul(step).and_then(|n| n.checked_add(array.at));
        let all = end
            .and_then(|end| self.bytes.get(array.at..end))
            .ok_or_else(short)?;
        if array.size < least {
            return Err(ImportError::malformed(
                "the mesh",
                "a vertex array has too few numbers a vertex",
            ));
        }
        let mut values = Vec::with_capacity(vertices);
        for vertex in all.chunks_exact(step.max(1)).take(vertices) {
            let mut value = [0.0; 4];
            for (k, number) in vertex.chunks_exact(bytes_each).take(4).enumerate() {
                value[k] = number_of(array.format, number);
                if !value[k].is_finite() {
                    return Err(ImportError::malformed("the mesh", "a number is not finite"));
                }
            }
            values.push(value);
        }
        Ok(values)
    }

    fn clips(
        &self,
        index_of: &[JointIndex],
        parents: &[Option<usize>],
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<Vec<Clip>, ImportError> {
        let (poses, anims) = (self.list(15, 16, 88)?, self.list(17, 18, 20)?);
        if poses.count == 0 || anims.count == 0 {
            return Ok(Vec::new());
        }
        if poses.count != parents.len() {
            let message = "its clips are for another number of joints and were left out";
            warnings.push(warning("left_out_clips", message));
            return Ok(Vec::new());
        }
        let (frames, channels) = (self.header[19] as usize, self.header[20] as usize);
        let at = self.header[21] as usize;
        let end = frames
            .checked_mul(channels)
            .and_then(|n| n.checked_mul(2))
            .and_then(|n| n.checked_add(at));
        let data = end
            .and_then(|end| self.bytes.get(at..end))
            .ok_or_else(|| ImportError::malformed("the clips", "their frames are cut off"))?;
        let mut packed = Vec::with_capacity(poses.count);
        let mut used = 0;
        for k in 0..poses.count {
            let pose = Packed::new(self, poses.at + 88 * k)?;
            used += pose.mask.count_ones() as usize;
            packed.push(pose);
        }
        if used > channels {
            return Err(ImportError::malformed(
                "the clips",
                "their poses have more channels than a frame",
            ));
        }
        let mut clips = Vec::with_capacity(anims.count.min(frames));
        for k in 0..anims.count {
            let at = anims.at + 20 * k;
            let (first, count) = (self.index(at + 4)?, self.index(at + 8)?);
            if first.checked_add(count).is_none_or(|end| end > frames) {
                return Err(ImportError::malformed(
                    format!("clip {k}"),
                    "it names frames that are not there",
                ));
            }
            let rate = self.f64(at + 12)?;
            let rate = if rate > 0.0 { rate } else { 24.0 };
            let times: Vec<f32> = (0..count).map(|f| (f as f64 / rate) as f32).collect();
            let rows = data.chunks_exact((channels * 2).max(1)).skip(first).take(count);
            let mut values = vec![[Vec::new(), Vec::new(), Vec::new()]; packed.len()];
            for row in rows {
                let mut numbers = row
                    .chunks_exact(2)
                    .map(|b| f64::from(u16::from_le_bytes([b[0], b[1]])));
                for (joint, pose) in packed.iter().enumerate() {
                    let mut local = pose.local(&mut numbers);
                    if parents[joint].is_none() {
                        local = up(local);
                    }
                    let (scale, rotation, translation) = local.to_scale_rotation_translation();
                    values[joint][0].extend(translation.as_vec3().to_array());
                    values[joint][1].extend(rotation.as_quat().to_array());
                    values[joint][2].extend(scale.as_vec3().to_array());
                }
            }
            let mut tracks = Vec::new();
            for (joint, [translations, rotations, scales]) in values.into_iter().enumerate() {
                let all = [
                    (Channel::Translation, translations),
                    (Channel::Rotation, rotations),
                    (Channel::Scale, scales),
                ];
                for (channel, values) in all {
                    if !values.is_empty() && values.iter().all(|v| v.is_finite()) {
                        tracks.push(Track {
                            joint: index_of[joint],
                            channel,
                            interpolation: Interpolation::Linear,
                            times: times.clone(),
                            values,
                        });
                    }
                }
            }
            clips.push(Clip {
                name: self.text(self.u32(at)?)?,
                tracks,
            });
        }
        Ok(clips)
    }
}

struct Array {
    format: u32,
    size: usize,
    at: usize,
}

/// How one joint's transforms are packed: ten numbers, of which frames hold those in the mask.
struct Packed {
    mask: u32,
    offsets: [f64; 10],
    scales: [f64; 10],
}

impl Packed {
    fn new(file: &File<'_>, at: usize) -> Result<Self, ImportError> {
        let mut pose = Self {
            mask: file.u32(at + 4)? & 0x3FF,
            offsets: [0.0; 10],
            scales: [0.0; 10],
        };
        for k in 0..10 {
            pose.offsets[k] = file.f64(at + 8 + 4 * k)?;
            pose.scales[k] = file.f64(at + 48 + 4 * k)?;
        }
        Ok(pose)
    }

    fn local(&self, numbers: &mut impl Iterator<Item = f64>) -> DAffine3 {
        let mut v = self.offsets;
        for (k, value) in v.iter_mut().enumerate() {
            if self.mask & (1 << k) != 0 {
                *value += numbers.next().unwrap_or(0.0) * self.scales[k];
            }
        }
        affine(
            DVec3::new(v[0], v[1], v[2]),
            [v[3], v[4], v[5], v[6]],
            DVec3::new(v[7], v[8], v[9]),
        )
    }
}

fn weights_of(
    joints: &[[f32; 4]],
    fractions: &[[f32; 4]],
    whole: f32,
    index_of: &[JointIndex],
    warnings: &mut Vec<ImportWarning>,
) -> Weights {
    let mut builder = WeightsBuilder::with_capacity(joints.len(), 4);
    let mut unweighted = 0;
    for (joints, fractions) in joints.iter().zip(fractions) {
        let influences: Vec<Influence> = (0..4)
            .filter(|&k| fractions[k] > 0.0)
            .filter_map(|k| {
                let joint = *index_of.get(joints[k] as usize)?;
                let weight = fractions[k] / whole;
                Some(Influence { joint, weight })
            })
            .collect();
        if builder.push(&influences).is_err() {
            unweighted += 1;
            let joint = index_of[0];
            // A weight of one is always taken.
            let _ = builder.push(&[Influence { joint, weight: 1.0 }]);
        }
    }
    if unweighted > 0 {
        let message = format!("{unweighted} vertices have no weight; they follow the first joint");
        warnings.push(warning("unweighted_vertices", message));
    }
    builder.finish()
}

/// A material with a picture of its name, where there is one.
pub(crate) fn material_of(name: &str, beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> Material {
    let picture = [name.to_owned(), format!("{name}.png"), format!("{name}.jpg")]
        .into_iter()
        .filter(|file| {
            [".png", ".jpg", ".jpeg"]
                .iter()
                .any(|e| file.to_lowercase().ends_with(e))
        })
        .find_map(|file| Some(Texture::new(file.clone(), beside(&file)?)));
    Material {
        name: name.to_owned(),
        texture: picture,
        ..Material::default()
    }
}

fn number_at(bytes: &[u8], at: usize) -> Result<u32, ImportError> {
    let four = at.checked_add(4).and_then(|end| bytes.get(at..end));
    let four: Option<[u8; 4]> = four.and_then(|b| b.try_into().ok());
    four.map(u32::from_le_bytes)
        .ok_or_else(|| ImportError::malformed(format!("byte {at}"), "the file is cut off"))
}

fn number_of(format: u32, b: &[u8]) -> f32 {
    let four = |b: &[u8]| [b[0], b[1], b[2], b[3]];
    match format {
        0 => f32::from(b[0].cast_signed()),
        1 => f32::from(b[0]),
        2 => f32::from(i16::from_le_bytes([b[0], b[1]])),
        3 => f32::from(u16::from_le_bytes([b[0], b[1]])),
        4 => i32::from_le_bytes(four(b)) as f32,
        5 => u32::from_le_bytes(four(b)) as f32,
        6 => half(u16::from_le_bytes([b[0], b[1]])) as f32,
        7 => f32::from_le_bytes(four(b)),
        _ => f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]) as f32,
    }
}

fn affine(translation: DVec3, [x, y, z, w]: [f64; 4], scale: DVec3) -> DAffine3 {
    let rotation = DQuat::from_xyzw(x, y, z, w);
    let rotation = if rotation.length_squared() > 1e-12 {
        rotation.normalize()
    } else {
        DQuat::IDENTITY
    };
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}

fn up(local: DAffine3) -> DAffine3 {
    DAffine3::from_mat3(UP) * local
}

fn up_f32(v: &[f32; 4]) -> Vec3 {
    Vec3::new(v[0], v[2], -v[1])
}
