//! Animation stacks as clips.
//!
//! `ufbx` evaluates each node's local transform (pivots, pre- and post-rotation, layers,
//! scale inheritance) wherever its curves have keys, and between them at the file's frame
//! rate where a curve is not straight. Clips start at zero.

use glam::{DQuat, DVec3};
use ligament::JointIndex;
use ligament::character::{BlendShape, Channel, Clip, Interpolation, ShapeMotion, Skeleton, Track};
use ufbx::{AnimStack, BakeOpts, BakedAnim, Scene};

use super::blend_shapes::ChannelId;
use super::convert::{quaternion, vector};
use super::load;
use super::skeleton::Rig;
use crate::import::ImportWarning;
use crate::shape_motion::ClipNames;

/// A channel that stays this near to rest does not move.
const STILL: f64 = 1e-9;

/// The blend shapes that clips may move, and what they are called there.
pub(super) struct MovingShapes<'a> {
    pub channels: &'a [ChannelId],
    pub shapes: &'a mut [BlendShape],
}

/// The property that says how much there is of a shape.
const PERCENT: &str = "DeformPercent";

/// Reads all clips of joints, and gives each shape its motions.
pub(super) fn read_clips(
    scene: &Scene,
    rig: &Rig,
    bytes: &[u8],
    moving: &mut MovingShapes<'_>,
    warnings: &mut Vec<ImportWarning>,
) -> Vec<Clip> {
    let mut room = load::item_limit(bytes);
    let mut clips = Vec::new();
    let mut names = ClipNames::default();
    for stack in &scene.anim_stacks {
        let name = stack.element.name.to_string();
        let mut warn = |what: &str| {
            warnings.push(ImportWarning {
                code: "left_out_clip",
                message: format!("left out clip '{name}': {what}"),
            });
        };
        let baked = match bake(scene, stack, bytes) {
            Ok(baked) => baked,
            Err(problem) => {
                warn(&problem);
                continue;
            }
        };
        let found = keys_of_joints(&baked, rig);
        let percents = percents(&baked, moving);
        let start = start_of(&found, &percents);
        let (tracks, mut broken) = tracks(found, start);
        let of_shapes: usize = percents.iter().map(|p| 2 * p.keys.len()).sum();
        let numbers: usize = tracks.iter().map(|t| t.times.len() + t.values.len()).sum();
        if numbers + of_shapes > room {
            warn("it is too long for the size of the file");
            continue;
        }
        room -= numbers + of_shapes;
        let shape_clip = names.unique(&name);
        for percent in percents {
            let shape = &mut moving.shapes[percent.shape];
            let motion = percent.motion(&shape_clip, start);
            if motion.check().is_err() {
                broken += 1;
            } else if motion.moves(shape.weight) {
                shape.motions.push(motion);
            }
        }
        if broken > 0 {
            warnings.push(ImportWarning {
                code: "left_out_tracks",
                message: format!("left out {broken} track(s) of clip '{name}' whose numbers are not finite"),
            });
        }
        if !tracks.is_empty() {
            clips.push(Clip { name, tracks });
        }
    }
    clips
}

fn bake(scene: &Scene, stack: &AnimStack, bytes: &[u8]) -> Result<ufbx::BakedAnimRoot, String> {
    let rate = scene.settings.frames_per_second;
    let options = BakeOpts {
        temp_allocator: load::allocator(bytes),
        result_allocator: load::allocator(bytes),
        resample_rate: if (1.0..=240.0).contains(&rate) { rate } else { 30.0 },
        ..BakeOpts::default()
    };
    ufbx::bake_anim(scene, &stack.anim, options).map_err(|e| e.description.to_string())
}

/// When a clip begins: with the first key of what moves.
fn start_of(joints: &[Keys], shapes: &[Percent]) -> f64 {
    let joints = joints.iter().filter(|k| !k.constant).map(|k| k.keys[0].0);
    let shapes = shapes.iter().filter(|p| !p.constant).map(|p| p.keys[0].0);
    let start = joints.chain(shapes).fold(f64::INFINITY, f64::min);
    if start.is_finite() { start } else { 0.0 }
}

/// How much there is of a shape, as it was baked.
struct Percent {
    shape: usize,
    constant: bool,
    keys: Vec<(f64, f64)>,
}

impl Percent {
    /// The motion, with times counted from `start`; one key where nothing changes.
    fn motion(mut self, clip: &str, start: f64) -> ShapeMotion {
        if self.constant {
            self.keys.truncate(1);
            self.keys[0].0 = start;
        }
        ShapeMotion {
            clip: clip.to_owned(),
            interpolation: Interpolation::Linear,
            times: self.keys.iter().map(|k| (k.0 - start) as f32).collect(),
            values: self.keys.iter().map(|k| (k.1 / 100.0) as f32).collect(),
        }
    }
}

/// What a clip says of shapes.
fn percents(baked: &BakedAnim, moving: &MovingShapes<'_>) -> Vec<Percent> {
    let mut found = Vec::new();
    for (shape, channel) in moving.channels.iter().enumerate() {
        let Ok(at) = baked.elements.binary_search_by_key(channel, |e| e.element_id) else {
            continue;
        };
        let mut properties = baked.elements[at].props.iter();
        if let Some(property) = properties.find(|p| &*p.name == PERCENT && !p.keys.is_empty()) {
            found.push(Percent {
                shape,
                constant: property.constant_value,
                keys: property.keys.iter().map(|k| (k.time, k.value.x)).collect(),
            });
        }
    }
    found
}

/// What a clip says of joints.
fn keys_of_joints(baked: &BakedAnim, rig: &Rig) -> Vec<Keys> {
    let mut found: Vec<Keys> = Vec::new();
    for node in &baked.nodes {
        let Some(joint) = rig.joint_of_node.get(node.typed_id as usize).copied().flatten() else {
            continue;
        };
        let three = |k: &ufbx::BakedVec3| (k.time, vector(k.value).extend(0.0).to_array());
        let four = |k: &ufbx::BakedQuat| (k.time, quaternion(k.value).to_array());
        let channels = [
            (
                Channel::Translation,
                node.constant_translation,
                node.translation_keys.iter().map(three).collect(),
            ),
            (
                Channel::Rotation,
                node.constant_rotation,
                node.rotation_keys.iter().map(four).collect(),
            ),
            (
                Channel::Scale,
                node.constant_scale,
                node.scale_keys.iter().map(three).collect(),
            ),
        ];
        found.extend(channels.into_iter().map(|(channel, constant, keys)| Keys {
            joint,
            channel,
            constant,
            keys,
        }));
    }
    let says_nothing = |k: &Keys| k.keys.is_empty() || (k.constant && is_rest(&rig.skeleton, k));
    found.retain(|k| !says_nothing(k));
    found.sort_by_key(|k| k.joint);
    found
}

/// The tracks of all joints, counted from `start`, and how many could not be kept.
fn tracks(found: Vec<Keys>, start: f64) -> (Vec<Track>, usize) {
    let all = found.len();
    let mut tracks: Vec<Track> = found.into_iter().map(|k| k.track(start)).collect();
    tracks.retain(|t| t.check().is_ok());
    let broken = all - tracks.len();
    (tracks, broken)
}

/// One channel of one joint as it was baked.
struct Keys {
    joint: JointIndex,
    channel: Channel,
    constant: bool,
    keys: Vec<(f64, [f64; 4])>,
}

impl Keys {
    /// The track, with times counted from `start`; one key where nothing changes.
    fn track(mut self, start: f64) -> Track {
        if self.constant {
            self.keys.truncate(1);
            self.keys[0].0 = start;
        }
        let width = self.channel.width();
        let numbers = |k: &(f64, [f64; 4])| k.1.map(|x| x as f32).into_iter().take(width);
        Track {
            joint: self.joint,
            channel: self.channel,
            interpolation: Interpolation::Linear,
            times: self.keys.iter().map(|k| (k.0 - start) as f32).collect(),
            values: self.keys.iter().flat_map(numbers).collect(),
        }
    }
}

fn is_rest(skeleton: &Skeleton, keys: &Keys) -> bool {
    let rest = &skeleton.joint(keys.joint).rest;
    let [x, y, z, _] = keys.keys[0].1;
    let near = |at: DVec3| at.abs_diff_eq(DVec3::new(x, y, z), STILL * at.length().max(1.0));
    match keys.channel {
        Channel::Translation => near(rest.translation),
        Channel::Scale => near(rest.scale),
        Channel::Rotation => {
            let turn = DQuat::from_array(keys.keys[0].1);
            rest.rotation.dot(turn).abs() > 1.0 - STILL
        }
    }
}
