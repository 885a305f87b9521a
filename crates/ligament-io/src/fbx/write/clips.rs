//! Clips as animation stacks.
//!
//! FBX runs straight from key to key in Euler angles, in centimetres and in scales. Straight
//! tracks and steps are exact with the keys that they have. Turns and splines get as many keys
//! more as it takes to stay within a hair of them.

use std::ops::Range;

use glam::{DQuat, DVec3};
use ligament::Character;
use ligament::character::{Channel, Clip, Interpolation, ShapeMotion, Track, Transform};

use super::node::Node;
use super::rig::{Rig, RigNode, degrees, euler_near, from_euler};
use super::scene::{FRAMES_PER_SECOND, Scene, object, properties, property, ticks, time};
use crate::shape_motion::{sample_times, whole_clips};

/// How far the written curve may be off between keys: radians for turns, a share of the
/// largest number for the others.
const TOLERANCE: f64 = 5e-5;
/// Keys are never closer than this because of it.
const SHORTEST: f64 = 1.0 / 120.0;
/// Seconds that a spline may last to be followed at every frame: beyond this only where it
/// has keys.
const LONGEST_BAKED: f64 = 3600.0;
/// Flags of keys: steps, and straight lines as exporters write them.
const STEP: i32 = 0x2;
const LINEAR: i32 = 0x4 | 0x100 | 0x2000 | 0x4000;
/// Seconds that a step of a shape takes: importers join keys that are nearer to each other.
const SLOPE: f32 = 1e-3;
/// The default weights of tangents, which straight lines ignore.
const TANGENTS: u32 = 218_434_821;

/// When, and three numbers.
type Key = (f64, DVec3);

/// Writes all clips; returns the end of the last one, in seconds. `channels` are those of the blend
/// shapes.
pub(super) fn write_clips(
    scene: &mut Scene,
    character: &Character,
    rig: &Rig,
    channels: &[Option<i64>],
) -> f64 {
    let mut last = 0f64;
    for (index, clip) in whole_clips(character).iter().enumerate() {
        let (start, end) = clip.span_secs();
        last = last.max(f64::from(end));
        let (stack, layer) = (scene.id(), scene.id());
        let name = match clip.name {
            "" => format!("clip {index}"),
            name => name.to_owned(),
        };
        let span = [
            ("LocalStart", start),
            ("LocalStop", end),
            ("ReferenceStart", start),
            ("ReferenceStop", end),
        ];
        let span = span.map(|(name, t)| time(name, f64::from(t)));
        let record = object("AnimationStack", stack, &name, "").child(properties(span));
        scene.objects.push(record);
        scene.objects.push(object("AnimationLayer", layer, &name, ""));
        scene.connect(layer, stack);
        for track in clip.joints.into_iter().flat_map(driving) {
            if let Some(node) = rig.get(track.joint) {
                let rest = character.skeleton.joint(track.joint).rest;
                write_track(scene, layer, node, track, rest);
            }
        }
        for (shape, motion) in &clip.shapes {
            if let Some(channel) = channels[*shape] {
                write_shape_motion(scene, layer, channel, motion);
            }
        }
    }
    last
}

/// Where several tracks drive one channel, the last does.
fn driving(clip: &Clip) -> impl Iterator<Item = &Track> {
    let mut driven = std::collections::HashMap::new();
    for (i, track) in clip.tracks.iter().enumerate() {
        driven.insert((track.joint, track.channel), i);
    }
    let last = move |&(i, track): &(usize, &Track)| driven.get(&(track.joint, track.channel)) == Some(&i);
    clip.tracks
        .iter()
        .enumerate()
        .filter(last)
        .map(|(_, track)| track)
}

fn write_track(scene: &mut Scene, layer: i64, node: &RigNode, track: &Track, rest: Transform) {
    let (name, driven) = match track.channel {
        Channel::Translation => ("T", "Lcl Translation"),
        Channel::Rotation => ("R", "Lcl Rotation"),
        Channel::Scale => ("S", "Lcl Scaling"),
    };
    let written = Written { node, track, rest };
    let keys = written.keys();
    let is_step = track.interpolation == Interpolation::Step;
    let numbers = ["d|X", "d|Y", "d|Z"]
        .into_iter()
        .enumerate()
        .map(|(i, axis)| (axis, keys.iter().map(|k| k.1[i]).collect()))
        .collect();
    let times = keys.iter().map(|k| k.0);
    let curves = Curves {
        name,
        drives: (node.id, driven),
        times: increasing(times),
        is_step,
        numbers,
    };
    curves.write(scene, layer);
}

/// How much there is of a shape, in percent. Steps are steep slopes: some importers take every curve
/// of a shape for a straight one.
fn write_shape_motion(scene: &mut Scene, layer: i64, channel: i64, motion: &ShapeMotion) {
    const NAME: &str = "DeformPercent";
    let (times, values): (Vec<f32>, Vec<f64>) = match motion.interpolation {
        Interpolation::Linear => {
            let values = motion.values.iter().map(|&v| f64::from(v));
            (motion.times.clone(), values.collect())
        }
        Interpolation::CubicSpline => {
            let times = sample_times([(motion.interpolation, motion.times.as_slice())]);
            let values = times.iter().map(|&t| motion.sample(t)).collect();
            (times, values)
        }
        Interpolation::Step => {
            let (mut times, mut values) = (Vec::new(), Vec::new());
            let mut before: Option<(f32, f64)> = None;
            for (&t, &value) in motion.times.iter().zip(&motion.values) {
                if let Some((earlier, value)) = before {
                    times.push((t - SLOPE).max(0.5 * (earlier + t)));
                    values.push(value);
                }
                times.push(t);
                values.push(f64::from(value));
                before = Some((t, f64::from(value)));
            }
            (times, values)
        }
    };
    let curves = Curves {
        name: NAME,
        drives: (channel, NAME),
        times: increasing(times.iter().map(|&t| f64::from(t))),
        is_step: false,
        numbers: vec![("d|DeformPercent", values.iter().map(|v| 100.0 * v).collect())],
    };
    curves.write(scene, layer);
}

/// A property that moves: a curve for each of its numbers.
struct Curves {
    name: &'static str,
    /// The object, and its property.
    drives: (i64, &'static str),
    times: Vec<i64>,
    is_step: bool,
    /// What each number is called, and its keys.
    numbers: Vec<(&'static str, Vec<f64>)>,
}

impl Curves {
    fn write(self, scene: &mut Scene, layer: i64) {
        let curve_node = scene.id();
        let first = |keys: &[f64]| keys.first().copied().unwrap_or(0.0);
        let defaults: Vec<Node> = self
            .numbers
            .iter()
            .map(|(axis, keys)| property(axis, "Number", "", "A").with(first(keys)))
            .collect();
        let record = object("AnimationCurveNode", curve_node, self.name, "").child(properties(defaults));
        scene.objects.push(record);
        scene.connect(curve_node, layer);
        scene.drive(curve_node, self.drives.0, self.drives.1);
        for (axis, keys) in self.numbers {
            let curve = scene.id();
            let tangents = [0.0, 0.0, f32::from_bits(TANGENTS), 0.0];
            let record = object("AnimationCurve", curve, "", "")
                .child(Node::of("Default", first(&keys)))
                .child(Node::of("KeyVer", 4009))
                .child(Node::of("KeyTime", self.times.clone()))
                .child(Node::of(
                    "KeyValueFloat",
                    keys.iter().map(|&k| k as f32).collect::<Vec<f32>>(),
                ))
                .child(Node::of(
                    "KeyAttrFlags",
                    vec![if self.is_step { STEP } else { LINEAR }],
                ))
                .child(Node::of("KeyAttrDataFloat", tangents.to_vec()))
                .child(Node::of("KeyAttrRefCount", vec![keys.len() as i32]));
            scene.objects.push(record);
            scene.drive(curve, curve_node, axis);
        }
    }
}

/// The times of keys in FBX's ticks. Two keys at one time, a jump, are a tick apart.
fn increasing(seconds: impl Iterator<Item = f64>) -> Vec<i64> {
    let mut times: Vec<i64> = Vec::new();
    for t in seconds {
        let time = ticks(t);
        let after = times.last().map_or(i64::MIN, |last| last + 1);
        times.push(time.max(after));
    }
    times
}

/// A track and the node that it is written for.
struct Written<'a> {
    node: &'a RigNode,
    track: &'a Track,
    rest: Transform,
}

impl Written<'_> {
    fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::new();
        let add = |t: f64, value: [f64; 4], keys: &mut Vec<Key>| {
            let before = keys.last().map_or(DVec3::ZERO, |k| k.1);
            keys.push((t, self.raw(value, before)));
        };
        match self.track.interpolation {
            Interpolation::CubicSpline => {
                for t in self.frames() {
                    add(t, self.track.sample(t as f32), &mut keys);
                }
            }
            _ => {
                let width = self.track.channel.width();
                for (t, value) in self.track.times.iter().zip(self.track.values.chunks(width)) {
                    let mut four = [0.0; 4];
                    for (to, from) in four.iter_mut().zip(value) {
                        *to = f64::from(*from);
                    }
                    add(f64::from(*t), four, &mut keys);
                }
            }
        }
        let straight = self.track.channel != Channel::Rotation;
        let keys = match self.track.interpolation {
            Interpolation::Step => keys,
            Interpolation::Linear if straight => keys,
            _ => self.refined(&keys),
        };
        let is_turn = self.track.channel == Channel::Rotation;
        keys.into_iter()
            .map(|(t, v)| (t, if is_turn { degrees(v) } else { v }))
            .collect()
    }

    /// A spline's keys, and the frames between them.
    fn frames(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.track.times.iter().map(|&t| f64::from(t)).collect();
        if let (Some(&first), Some(&last)) = (times.first(), times.last())
            && last - first < LONGEST_BAKED
        {
            let frames: Range<i64> =
                (first * FRAMES_PER_SECOND).ceil() as i64..(last * FRAMES_PER_SECOND).floor() as i64 + 1;
            times.extend(frames.map(|f| f64::from((f as f64 / FRAMES_PER_SECOND) as f32)));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// Numbers of the character's joint as those of the node: radians for turns from rest.
    fn raw(&self, value: [f64; 4], before: DVec3) -> DVec3 {
        let three = DVec3::new(value[0], value[1], value[2]);
        match self.track.channel {
            Channel::Translation => self.node.translation(three),
            Channel::Scale => self.node.scale(three),
            Channel::Rotation => euler_near(self.rotate(value), before),
        }
    }

    /// A rotation, seen from the rest pose.
    fn rotate(&self, value: [f64; 4]) -> DQuat {
        let q = DQuat::from_array(value);
        let q = if q.length_squared() > 1e-12 {
            q.normalize()
        } else {
            DQuat::IDENTITY
        };
        self.rest.rotation.normalize().conjugate() * q
    }

    /// The keys, and as many between them as it takes.
    fn refined(&self, keys: &[Key]) -> Vec<Key> {
        let Some(&first) = keys.first() else {
            return Vec::new();
        };
        let size = keys.iter().map(|k| k.1.abs().max_element()).fold(0.0, f64::max);
        let mut all = vec![first];
        for &end in &keys[1..] {
            self.refine(end, size, &mut all);
        }
        all
    }

    /// Adds keys after the last one, up to `end`.
    fn refine(&self, end: Key, size: f64, all: &mut Vec<Key>) {
        let start = all.last().copied().unwrap_or(end);
        let is_turn = self.track.channel == Channel::Rotation;
        // Angles go on from those before, which may have gone around meanwhile.
        let to = if is_turn {
            euler_near(from_euler(end.1), start.1)
        } else {
            end.1
        };
        let length = end.0 - start.0;
        let off = |fraction: f64| {
            let exact = self.track.sample((start.0 + fraction * length) as f32);
            let straight = start.1.lerp(to, fraction);
            if is_turn {
                let apart = from_euler(straight).conjugate() * self.rotate(exact);
                2.0 * apart.xyz().length()
            } else {
                (self.raw(exact, straight) - straight).abs().max_element() / size.max(1e-9)
            }
        };
        let exact_enough = length < 2.0 * SHORTEST || [0.25, 0.5, 0.75].iter().all(|&s| off(s) < TOLERANCE);
        if exact_enough {
            all.push((end.0, to));
            return;
        }
        let t = f64::from((start.0 + 0.5 * length) as f32);
        let middle = self.raw(self.track.sample(t as f32), start.1.lerp(to, 0.5));
        self.refine((t, middle), size, all);
        self.refine(end, size, all);
    }
}
