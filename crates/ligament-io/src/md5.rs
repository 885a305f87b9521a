//! MD5, the text models of Doom 3: `.md5mesh` with meshes, weights and joints, `.md5anim` with one clip.
//!
//! A mesh has no positions: a vertex is a sum over weights, each a position in a joint's frame and a fraction. Joints are given in the
//! model's space; the fourth number of a rotation is the negative root of what the three leave. Faces are clockwise seen from
//! outside. +Z is up and +X the front, which become +Y and +Z here; a unit stays a unit.
//!
//! Read: positions, weights of any number, texture coordinates, joints, clips. Lost: shaders but for their names, and a picture where a PNG
//! or JPEG of that name lies beside the model; bounds. A vertex whose weights do not place it together (they need not) keeps its place.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec2};
use ligament::Character;
use ligament::character::{
    Channel, Clip, Influence, Interpolation, JointIndex, LooseJoint, Mesh, Part, PartAttachment, Track,
    WeightsBuilder,
};

use crate::assemble::{skeleton_alone, skeleton_of, warning};
use crate::import::{ImportError, Imported};
use crate::iqm::material_of;
use crate::text::f64_of;

/// From the file's axes (+X front, +Z up) to ours (+Z front, +Y up).
const AXES: DMat3 = DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y);
/// No model has more of anything.
const MOST: usize = 1 << 26;

/// Reads a `.md5mesh`; pictures that it names are found by `beside`.
pub fn read_mesh(
    bytes: &[u8],
    name: &str,
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Imported, ImportError> {
    let mut words = Words::new(bytes);
    words.version()?;
    let mut joints: Vec<LooseJoint> = Vec::new();
    let mut meshes = Vec::new();
    while let Some(word) = words.next() {
        match word {
            b"joints" => joints = read_joints(&mut words)?,
            b"mesh" => meshes.push(RawMesh::read(&mut words)?),
            b"commandline" | b"numJoints" | b"numMeshes" => {
                words.expect("a value")?;
            }
            other => {
                return Err(words.error(format!("'{}' is not known here", String::from_utf8_lossy(other))));
            }
        }
    }
    let frames: Vec<DAffine3> = joints.iter().map(|j| j.bind_from_joint).collect();
    let (skeleton, index_of) = skeleton_of(joints)?;
    let mut mesh = Mesh::default();
    let mut uvs: Vec<Vec2> = Vec::new();
    let mut builder = WeightsBuilder::with_capacity(0, 4);
    let (mut unweighted, mut warnings) = (0, Vec::new());
    for (number, raw) in meshes.iter().enumerate() {
        let first = mesh.positions.len();
        for vertex in &raw.vertices {
            let weights = vertex
                .first
                .checked_add(vertex.count)
                .and_then(|end| raw.weights.get(vertex.first..end))
                .ok_or_else(|| {
                    ImportError::malformed(
                        format!("mesh {number}"),
                        "a vertex names weights that are not there",
                    )
                })?;
            let (mut position, mut sum) = (DVec3::ZERO, 0.0);
            let mut influences = Vec::with_capacity(weights.len());
            for weight in weights {
                let frame = frames.get(weight.joint).ok_or_else(|| {
                    ImportError::malformed(
                        format!("mesh {number}"),
                        "a weight names a joint that is not there",
                    )
                })?;
                position += weight.fraction * frame.transform_point3(weight.position);
                sum += weight.fraction;
                if weight.fraction > 0.0 {
                    influences.push(Influence {
                        joint: index_of[weight.joint],
                        weight: weight.fraction as f32,
                    });
                }
            }
            // Shares that do not sum to one would pull the vertex to the origin.
            let position = if sum.abs() > 1e-9 {
                position / sum
            } else {
                position
            };
            mesh.positions.push(position.as_vec3());
            uvs.push(vertex.uv);
            if builder.push(&influences).is_err() {
                unweighted += 1;
                // A weight of one is always taken.
                let joint = index_of.first().copied().unwrap_or(JointIndex(0));
                let _ = builder.push(&[Influence { joint, weight: 1.0 }]);
            }
        }
        let from = mesh.triangles.len();
        for face in &raw.faces {
            if face.iter().any(|&corner| corner >= raw.vertices.len()) {
                return Err(ImportError::malformed(
                    format!("mesh {number}"),
                    "a face names a vertex that is not there",
                ));
            }
            let [a, b, c] = face.map(|corner| (first + corner) as u32);
            mesh.triangles.push([a, c, b]);
        }
        let shader = raw.shader.rsplit(['/', '\\']).next().unwrap_or(&raw.shader);
        mesh.parts.push(Part {
            name: shader.to_owned(),
            vertices: first..mesh.positions.len(),
            triangles: from..mesh.triangles.len(),
            material: material_of(shader, beside),
            attachment: PartAttachment::Skin,
            joints: None,
        });
    }
    mesh.corner_uvs = Some(
        mesh.triangles
            .iter()
            .map(|t| t.map(|v| uvs[v as usize]))
            .collect(),
    );
    mesh.check()
        .map_err(|e| ImportError::malformed("the mesh", e.to_string()))?;
    if unweighted > 0 {
        let message = format!("{unweighted} vertices have no weight; they follow the first joint");
        warnings.push(warning("unweighted_vertices", message));
    }
    let weights = (!skeleton.joints.is_empty()).then(|| builder.finish());
    Ok(Imported {
        character: Character {
            name: name.to_owned(),
            mesh,
            skeleton,
            weights,
            clips: Vec::new(),
        },
        warnings,
    })
}

/// Reads a `.md5anim`: a skeleton in the clip's base frame, and the clip.
pub fn read_clip(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let mut words = Words::new(bytes);
    words.version()?;
    let mut rate = 24.0;
    let mut hierarchy: Vec<Animated> = Vec::new();
    let mut base: Vec<[f64; 6]> = Vec::new();
    let mut frames: Vec<Vec<f64>> = Vec::new();
    let mut components = 0;
    while let Some(word) = words.next() {
        match word {
            b"frameRate" => rate = words.number("a frame rate")?,
            b"numAnimatedComponents" => components = words.count("a number of components")?,
            b"commandline" | b"numFrames" | b"numJoints" => {
                words.expect("a value")?;
            }
            b"hierarchy" => {
                words.open("{")?;
                while !words.closes("}")? {
                    hierarchy.push(Animated {
                        name: words.name()?,
                        parent: words.parent()?,
                        flags: words.count("flags")?,
                        first: words.count("a first component")?,
                    });
                }
            }
            b"bounds" => {
                words.open("{")?;
                while !words.closes("}")? {
                    words.expect("a bound")?;
                }
            }
            b"baseframe" => {
                words.open("{")?;
                while !words.closes("}")? {
                    base.push(read_frame(&mut words)?);
                }
            }
            b"frame" => {
                words.count("a frame's number")?;
                words.open("{")?;
                let mut frame = Vec::new();
                while !words.closes("}")? {
                    frame.push(words.number("a component")?);
                }
                if frame.len() < components {
                    return Err(
                        words.error(format!("a frame has {} of {components} components", frame.len()))
                    );
                }
                frames.push(frame);
            }
            other => {
                return Err(words.error(format!("'{}' is not known here", String::from_utf8_lossy(other))));
            }
        }
    }
    if base.len() < hierarchy.len() {
        return Err(ImportError::malformed(
            "the base frame",
            "it has fewer joints than the hierarchy",
        ));
    }
    let mut loose: Vec<LooseJoint> = Vec::with_capacity(hierarchy.len());
    for (joint, base) in hierarchy.iter().zip(&base) {
        let local = local_of(base);
        let bind_from_joint = match joint.parent {
            None => DAffine3::from_mat3(AXES) * local,
            Some(parent) => {
                let parent = loose.get(parent).ok_or_else(|| {
                    ImportError::malformed(
                        "the hierarchy",
                        format!("'{}' comes before its parent", joint.name),
                    )
                })?;
                parent.bind_from_joint * local
            }
        };
        loose.push(LooseJoint {
            name: joint.name.clone(),
            parent: joint.parent,
            bind_from_joint,
            in_skin: true,
        });
    }
    let (skeleton, index_of) = skeleton_of(loose)?;
    let rate = if rate > 0.0 { rate } else { 24.0 };
    let times: Vec<f32> = (0..frames.len()).map(|f| (f as f64 / rate) as f32).collect();
    let mut tracks = Vec::with_capacity(2 * hierarchy.len());
    for (number, (joint, base)) in hierarchy.iter().zip(&base).enumerate() {
        let (mut translations, mut rotations) = (Vec::new(), Vec::new());
        for frame in &frames {
            let mut values = *base;
            let mut next = joint.first;
            for (k, value) in values.iter_mut().enumerate() {
                if joint.flags & (1 << k) != 0 {
                    *value = *frame.get(next).ok_or_else(|| {
                        ImportError::malformed(
                            "the frames",
                            format!("'{}' has components that are not there", joint.name),
                        )
                    })?;
                    next += 1;
                }
            }
            let mut local = local_of(&values);
            if joint.parent.is_none() {
                local = DAffine3::from_mat3(AXES) * local;
            }
            let (_, rotation, translation) = local.to_scale_rotation_translation();
            translations.extend(translation.as_vec3().to_array());
            rotations.extend(rotation.as_quat().to_array());
        }
        for (channel, values) in [
            (Channel::Translation, translations),
            (Channel::Rotation, rotations),
        ] {
            if !values.is_empty() {
                tracks.push(Track {
                    joint: index_of[number],
                    channel,
                    interpolation: Interpolation::Linear,
                    times: times.clone(),
                    values,
                });
            }
        }
    }
    let clip = Clip {
        name: name.to_owned(),
        tracks,
    };
    Ok(skeleton_alone(name, skeleton, vec![clip], Vec::new()))
}

struct Animated {
    name: String,
    parent: Option<usize>,
    /// Which of the six numbers frames hold.
    flags: usize,
    first: usize,
}

struct RawVertex {
    uv: Vec2,
    first: usize,
    count: usize,
}

struct RawWeight {
    joint: usize,
    fraction: f64,
    position: DVec3,
}

#[derive(Default)]
struct RawMesh {
    shader: String,
    vertices: Vec<RawVertex>,
    faces: Vec<[usize; 3]>,
    weights: Vec<RawWeight>,
}

impl RawMesh {
    fn read(words: &mut Words<'_>) -> Result<Self, ImportError> {
        let mut mesh = Self::default();
        words.open("{")?;
        loop {
            let word = words.expect("the end of a mesh")?;
            match word {
                b"}" => return Ok(mesh),
                b"shader" => mesh.shader = words.name()?,
                b"numverts" | b"numtris" | b"numweights" => {
                    words.count("a number")?;
                }
                b"vert" => {
                    words.count("a vertex's number")?;
                    words.open("(")?;
                    let [u, v] = [words.number("u")?, words.number("v")?];
                    words.open(")")?;
                    mesh.vertices.push(RawVertex {
                        uv: Vec2::new(u as f32, v as f32),
                        first: words.count("a first weight")?,
                        count: words.count("a number of weights")?,
                    });
                }
                b"tri" => {
                    words.count("a face's number")?;
                    mesh.faces.push([
                        words.count("a corner")?,
                        words.count("a corner")?,
                        words.count("a corner")?,
                    ]);
                }
                b"weight" => {
                    words.count("a weight's number")?;
                    mesh.weights.push(RawWeight {
                        joint: words.count("a joint")?,
                        fraction: words.number("a fraction")?,
                        position: DVec3::from_array(words.triple()?),
                    });
                }
                other => {
                    return Err(words.error(format!(
                        "'{}' is not known in a mesh",
                        String::from_utf8_lossy(other)
                    )));
                }
            }
        }
    }
}

/// A position, and a rotation without its last component.
fn read_frame(words: &mut Words<'_>) -> Result<[f64; 6], ImportError> {
    let ([x, y, z], [a, b, c]) = (words.triple()?, words.triple()?);
    Ok([x, y, z, a, b, c])
}

fn read_joints(words: &mut Words<'_>) -> Result<Vec<LooseJoint>, ImportError> {
    let mut joints = Vec::new();
    words.open("{")?;
    while !words.closes("}")? {
        let (name, parent) = (words.name()?, words.parent()?);
        let frame = local_of(&read_frame(words)?);
        joints.push(LooseJoint {
            name,
            parent,
            bind_from_joint: DAffine3::from_mat3(AXES) * frame,
            in_skin: true,
        });
    }
    Ok(joints)
}

fn local_of(&[x, y, z, a, b, c]: &[f64; 6]) -> DAffine3 {
    let rest = 1.0 - a * a - b * b - c * c;
    let rotation = DQuat::from_xyzw(a, b, c, -rest.max(0.0).sqrt());
    DAffine3::from_rotation_translation(rotation.normalize(), DVec3::new(x, y, z))
}

/// The words of a file: names in quotes, brackets that stand alone, numbers.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let rest = self.bytes.get(self.at..)?;
            let byte = *rest.first()?;
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if byte == b'"' {
                let end = rest[1..]
                    .iter()
                    .position(|&b| b == b'"')
                    .map_or(rest.len(), |e| e + 1);
                self.at += (end + 1).min(rest.len());
                return Some(&rest[1..end.min(rest.len())]);
            } else {
                let stops = |b: &u8| b.is_ascii_whitespace() || b"(){}\"".contains(b);
                let end = rest.iter().position(stops).unwrap_or(rest.len()).max(1);
                self.at += end;
                return Some(&rest[..end]);
            }
        }
    }

    fn error(&self, problem: impl Into<String>) -> ImportError {
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        ImportError::malformed(format!("line {line}"), problem)
    }

    fn version(&mut self) -> Result<(), ImportError> {
        if self.next() != Some(b"MD5Version") {
            return Err(ImportError::malformed(
                "line 1",
                "this is not MD5: it begins with MD5Version",
            ));
        }
        match self.count("a version")? {
            10 => Ok(()),
            other => Err(ImportError::Unsupported {
                what: format!("version {other} of MD5"),
                way_out: "export as version 10".to_owned(),
            }),
        }
    }

    fn expect(&mut self, what: &str) -> Result<&'a [u8], ImportError> {
        self.next()
            .ok_or_else(|| self.error(format!("the file ends where {what} should be")))
    }

    fn open(&mut self, bracket: &str) -> Result<(), ImportError> {
        let word = self.expect(bracket)?;
        if word == bracket.as_bytes() {
            return Ok(());
        }
        Err(self.error(format!(
            "'{bracket}' should be here, not '{}'",
            String::from_utf8_lossy(word)
        )))
    }

    /// Whether this bracket comes next; then it is taken.
    fn closes(&mut self, bracket: &str) -> Result<bool, ImportError> {
        let before = self.at;
        let word = self.expect(bracket)?;
        let closes = word == bracket.as_bytes();
        if !closes {
            self.at = before;
        }
        Ok(closes)
    }

    fn name(&mut self) -> Result<String, ImportError> {
        Ok(String::from_utf8_lossy(self.expect("a name")?).into_owned())
    }

    fn number(&mut self, what: &str) -> Result<f64, ImportError> {
        let word = self.expect(what)?;
        f64_of(word).ok_or_else(|| self.error(format!("'{}' is no {what}", String::from_utf8_lossy(word))))
    }

    fn count(&mut self, what: &str) -> Result<usize, ImportError> {
        let number = self.number(what)?;
        if number.fract() == 0.0 && (0.0..=MOST as f64).contains(&number) {
            return Ok(number as usize);
        }
        Err(self.error(format!("{number} is no {what}")))
    }

    fn parent(&mut self) -> Result<Option<usize>, ImportError> {
        match self.number("a parent")? {
            number if number < 0.0 => Ok(None),
            number if number.fract() == 0.0 && number < MOST as f64 => Ok(Some(number as usize)),
            number => Err(self.error(format!("{number} is no parent"))),
        }
    }

    fn triple(&mut self) -> Result<[f64; 3], ImportError> {
        self.open("(")?;
        let triple = [
            self.number("a number")?,
            self.number("a number")?,
            self.number("a number")?,
        ];
        self.open(")")?;
        Ok(triple)
    }
}
