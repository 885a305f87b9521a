//! A character as the page draws it: what it is made of, as JSON, and its mesh, pictures and motions as frames.

use glam::{DAffine3, Vec3};
use ligament::character::{BoneShape, Mesh};
use ligament::character::{LEAF_STUB, PartAttachment, Transform, bones_of};
use ligament::motion::builtin::{body_of, builtin_clip, builtins};
use ligament::motion::retarget::NamedJoints;
use ligament::motion::{JointMove, joint_kinds, range_of_motion};
use ligament::{Character, Clip, Pose, Skeleton};
use ligament_app::asset::Asset;
use ligament_render::joint_colors;
use serde::Serialize;

use crate::wire::{Frame, Kind};

/// What a character is made of.
#[derive(Debug, Serialize)]
pub struct Scene {
    /// Frames that belong to it carry this number.
    pub serial: u32,
    /// What a person calls it.
    pub name: String,
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// The joints, parents first.
    pub joints: Vec<SceneJoint>,
    /// Lines from joint to child, and the stubs of leaves.
    pub bones: Vec<SceneBone>,
    /// Runs of triangles that look alike.
    pub parts: Vec<ScenePart>,
    /// The file's clips, those that Ligament makes for such a body, and the range of motion last.
    pub clips: Vec<SceneClip>,
    /// Whether the file has weights of its own.
    pub has_weights: bool,
    /// Whether the vertices have colours.
    pub has_colors: bool,
    /// Whether the vertices have texture coordinates.
    pub has_uvs: bool,
    /// What was found in the files.
    pub warnings: Vec<String>,
}

/// A joint.
#[derive(Debug, Serialize)]
pub struct SceneJoint {
    /// Its name.
    pub name: String,
    /// Its parent's number.
    pub parent: Option<u16>,
    /// Whether it may hold weights.
    pub in_skin: bool,
    /// Three columns and the position where it was bound.
    pub bind: [f64; 12],
    /// Its transform seen from its parent: translation, rotation, scale.
    pub rest: [f64; 10],
    /// Its colour, linear.
    pub color: [f32; 3],
    /// How far it bends, and which ways.
    pub moves: &'static [JointMove],
}

/// A bone.
#[derive(Debug, Serialize)]
pub struct SceneBone {
    /// The joint that moves it.
    pub joint: u16,
    /// Where it begins, bound.
    pub head: [f32; 3],
    /// Where it ends.
    pub tail: [f32; 3],
    /// Whether it is a leaf's stub.
    pub stub: bool,
}

/// A part.
#[derive(Debug, Serialize)]
pub struct ScenePart {
    /// Its name.
    pub name: String,
    /// Its material's name.
    pub material: String,
    /// Its first triangle and the one after its last.
    pub triangles: [usize; 2],
    /// Its first vertex and the one after its last.
    pub vertices: [usize; 2],
    /// Its colour, linear.
    pub color: [f32; 4],
    /// Whether its back is to be seen.
    pub double_sided: bool,
    /// The number of its picture.
    pub texture: Option<usize>,
    /// The joint that carries it as one piece.
    pub carried_by: Option<u16>,
}

/// A motion.
#[derive(Debug, Serialize)]
pub struct SceneClip {
    /// Its name.
    pub name: String,
    /// How long it takes.
    pub seconds: f32,
    /// `file`, `builtin` for what `builtin:` names, or `range` for the range of motion.
    pub kind: &'static str,
}

/// A character and what its frames are made from.
pub struct Stage {
    pictures: Vec<ligament::character::Texture>,
    /// Clips that are not the file's: what `builtin:` names.
    lent: Vec<Clip>,
}

/// Poses a second of a clip that is sent.
const RATE: f32 = 30.0;
/// Poses of a clip at most.
const MOST_POSES: usize = 3000;
/// Seconds from one pose of the range of motion to the next.
const RANGE_STEP: f32 = 0.6;

impl Stage {
    /// Looks at a character.
    pub fn of(character: &Character) -> Self {
        let mut pictures: Vec<ligament::character::Texture> = Vec::new();
        for texture in character
            .mesh
            .parts
            .iter()
            .filter_map(|p| p.material.texture.as_ref())
        {
            if !pictures.contains(texture) {
                pictures.push(texture.clone());
            }
        }
        let body = body_of(&character.skeleton);
        let made = builtins().iter().filter(|builtin| builtin.body == body);
        // None for a body that the motions are not made for.
        let lent = made.filter_map(|builtin| {
            builtin_clip(builtin.name, &character.skeleton, &NamedJoints::default()).ok()
        });
        Self {
            pictures,
            lent: lent.collect(),
        }
    }

    /// What it is made of.
    pub fn scene(&self, asset: &Asset, character: &Character, name: &str, serial: u32) -> Scene {
        let (mesh, skeleton) = (&character.mesh, &character.skeleton);
        let parts = mesh.parts.iter().map(|part| ScenePart {
            name: part.name.clone(),
            material: part.material.name.clone(),
            triangles: [part.triangles.start, part.triangles.end],
            vertices: [part.vertices.start, part.vertices.end],
            color: part.material.base_color,
            double_sided: part.material.double_sided,
            texture: part
                .material
                .texture
                .as_ref()
                .and_then(|t| self.pictures.iter().position(|p| p == t)),
            carried_by: match part.attachment {
                PartAttachment::Rigid(joint) => Some(joint.0),
                PartAttachment::Skin => None,
            },
        });
        Scene {
            serial,
            name: name.to_owned(),
            vertices: mesh.positions.len(),
            triangles: mesh.triangles.len(),
            joints: joints(skeleton),
            bones: bones(skeleton),
            parts: parts.collect(),
            clips: self.clips(character),
            has_weights: character.weights.is_some(),
            has_colors: mesh.colors.is_some(),
            has_uvs: mesh.corner_uvs.is_some(),
            warnings: asset.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    /// The pictures' files.
    pub fn textures(&self, serial: u32) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.pictures.iter().enumerate().map(move |(number, picture)| {
            Frame::new(Kind::Texture, serial, number as u32, picture.bytes.len() as u32)
                .bytes(&picture.bytes)
                .finish()
        })
    }

    fn clips(&self, character: &Character) -> Vec<SceneClip> {
        let named = |(number, clip): (usize, &Clip)| {
            let (start, end) = clip.span_secs();
            SceneClip {
                name: match clip.name.as_str() {
                    "" => format!("clip {}", number + 1),
                    name => name.to_owned(),
                },
                seconds: end - start,
                kind: "file",
            }
        };
        let mut clips: Vec<SceneClip> = character.clips.iter().enumerate().map(named).collect();
        clips.extend(self.lent.iter().map(|clip| SceneClip {
            name: format!("builtin:{}", clip.name),
            seconds: clip.span_secs().1,
            kind: "builtin",
        }));
        let range = range_poses(&character.skeleton).len();
        if range > 1 {
            clips.push(SceneClip {
                name: "range of motion".to_owned(),
                seconds: (range - 1) as f32 * RANGE_STEP,
                kind: "range",
            });
        }
        clips
    }

    /// The poses of a clip as the page's `clips` number them: seconds between two, joints, and each joint's transform. Between
    /// two poses the page goes straight.
    pub fn clip_frame(&self, character: &Character, clip: usize, serial: u32) -> Option<Vec<u8>> {
        let mut all = character.clips.iter().chain(&self.lent);
        let (step, poses) = match all.nth(clip) {
            Some(clip) => file_poses(clip, &character.skeleton),
            None if clip == character.clips.len() + self.lent.len() => {
                (RANGE_STEP, range_poses(&character.skeleton))
            }
            None => return None,
        };
        let joints = character.skeleton.joints.len() as u32;
        let transforms = poses
            .iter()
            .flat_map(|pose| &pose.locals)
            .flat_map(|local| flat_transform(local).map(|x| x as f32));
        let frame = Frame::new(Kind::Clip, serial, clip as u32, poses.len() as u32)
            .f32s([step])
            .u32s([joints])
            .f32s(transforms);
        Some(frame.finish())
    }
}

/// The mesh: positions, normals, texture coordinates, colours, corners.
pub fn mesh_frame(mesh: &Mesh, serial: u32) -> Vec<u8> {
    let flat = |vectors: &[Vec3]| vectors.iter().flat_map(|v| v.to_array()).collect::<Vec<f32>>();
    let normals = mesh
        .normals
        .clone()
        .unwrap_or_else(|| mesh.face_normals_at_vertices());
    let (vertices, triangles) = (mesh.positions.len() as u32, mesh.triangles.len() as u32);
    let mut frame = Frame::new(Kind::Mesh, serial, vertices, triangles)
        .f32s(flat(&mesh.positions))
        .f32s(flat(&normals));
    if let Some(corners) = &mesh.corner_uvs {
        // A document's vertices are split where textures have seams: all corners of a vertex agree.
        let mut uvs = vec![[0.0; 2]; mesh.positions.len()];
        for (triangle, of_corners) in mesh.triangles.iter().zip(corners) {
            for (&vertex, uv) in triangle.iter().zip(of_corners) {
                uvs[vertex as usize] = uv.to_array();
            }
        }
        frame = frame.f32s(uvs.into_iter().flatten());
    }
    if let Some(colors) = &mesh.colors {
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let bytes: Vec<u8> = colors.iter().flat_map(|c| c.map(byte)).collect();
        frame = frame.bytes(&bytes);
    }
    frame.u32s(mesh.triangles.iter().flatten().copied()).finish()
}

/// The joints as the page has them.
pub fn joints(skeleton: &Skeleton) -> Vec<SceneJoint> {
    let colors = joint_colors(skeleton);
    let kinds = joint_kinds(skeleton);
    skeleton
        .joints
        .iter()
        .zip(colors)
        .zip(kinds)
        .map(|((joint, color), kind)| SceneJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(|p| p.0),
            in_skin: joint.in_skin,
            bind: columns(joint.bind_from_joint),
            rest: flat_transform(&joint.rest),
            color,
            moves: kind.moves(),
        })
        .collect()
}

fn columns(affine: DAffine3) -> [f64; 12] {
    affine.to_cols_array()
}

fn flat_transform(local: &Transform) -> [f64; 10] {
    let (t, r, s) = (local.translation, local.rotation, local.scale);
    [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z]
}

/// The bones as the page has them.
pub fn bones(skeleton: &Skeleton) -> Vec<SceneBone> {
    let in_skin: Vec<bool> = skeleton.joints.iter().map(|j| j.in_skin).collect();
    bones_of(skeleton, &in_skin, LEAF_STUB)
        .into_iter()
        .filter_map(|bone| {
            let (head, tail) = match bone.shape {
                BoneShape::Segment { head, tail } => (head, tail),
                BoneShape::Point(at) => (at, at),
                _ => return None,
            };
            Some(SceneBone {
                joint: bone.joint.0,
                head: head.as_vec3().to_array(),
                tail: tail.as_vec3().to_array(),
                stub: bone.stub,
            })
        })
        .collect()
}

fn file_poses(clip: &Clip, skeleton: &Skeleton) -> (f32, Vec<Pose>) {
    let (start, end) = clip.span_secs();
    let seconds = (end - start).max(0.0);
    let count = ((seconds * RATE).ceil() as usize + 1).clamp(2, MOST_POSES);
    let step = seconds / (count - 1) as f32;
    let poses = (0..count).map(|i| clip.pose_at(skeleton, start + i as f32 * step));
    (step, poses.collect())
}

/// From rest through every pose of the range of motion and back.
fn range_poses(skeleton: &Skeleton) -> Vec<Pose> {
    let frames = range_of_motion(skeleton, &[]);
    if frames.is_empty() {
        return Vec::new();
    }
    let rest = || std::iter::once(ligament::motion::bind_pose(skeleton));
    rest()
        .chain(frames.into_iter().map(|f| f.pose))
        .chain(rest())
        .collect()
}
