//! Channels of `weights`: the motion of morph targets.

use std::ops::Range;

use ligament::character::{BlendShape, Interpolation, ShapeMotion};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::build::Builder;
use super::clips::{clip_name, interpolation_of};
use super::json::{Node, list_mut};
use super::reader::Reader;
use crate::shape_motion::{ClipNames, SharedKeys, WholeClip};

/// For each node, what animations do to the weights of its mesh.
pub(super) struct NodeMotions {
    of_node: FxHashMap<usize, Vec<NodeMotion>>,
}

struct NodeMotion {
    clip: String,
    interpolation: Interpolation,
    times: Vec<f32>,
    /// For each key a number for each target; for splines three times that.
    values: Vec<f32>,
}

/// Whether any animation of a document moves morph targets.
pub(super) fn moves_shapes(document: &Value) -> bool {
    let animations = Node::root(document).items("animations").unwrap_or_default();
    let mut channels = animations
        .iter()
        .flat_map(|a| a.items("channels").unwrap_or_default());
    channels.any(|c| c.get("target").is_some_and(|t| t.str_or("path", "") == "weights"))
}

impl NodeMotions {
    /// Reads all of them. Channels that cannot be read move nothing.
    pub fn read(reader: &Reader<'_>) -> Self {
        let mut of_node: FxHashMap<usize, Vec<NodeMotion>> = FxHashMap::default();
        let animations = Node::root(reader.json()).items("animations").unwrap_or_default();
        let mut names = ClipNames::default();
        for (i, animation) in animations.iter().enumerate() {
            let clip = names.unique(&clip_name(animation, i));
            for channel in animation.items("channels").unwrap_or_default() {
                if let Some((node, motion)) = read_channel(reader, animation, &channel, &clip) {
                    let of_node = of_node.entry(node).or_default();
                    // Of two channels for one thing, the first counts.
                    if !of_node.iter().any(|m| m.clip == clip) {
                        of_node.push(motion);
                    }
                }
            }
        }
        Self { of_node }
    }

    /// What they do to one of a node's `targets` targets.
    pub fn of_target(
        &self,
        reader: &Reader<'_>,
        node: usize,
        target: usize,
        targets: usize,
    ) -> Vec<ShapeMotion> {
        let motions = self.of_node.get(&node).into_iter().flatten();
        motions
            .filter_map(|m| {
                let width = match m.interpolation {
                    Interpolation::CubicSpline => 3,
                    _ => 1,
                };
                let keys = m.times.len();
                let fits = m.values.len() == keys * width * targets;
                let bytes = size_of::<f32>() * keys * (1 + width);
                // Several primitives share the motion of their node.
                if !fits || reader.spend(bytes, String::new).is_err() {
                    return None;
                }
                let motion = ShapeMotion {
                    clip: m.clip.clone(),
                    interpolation: m.interpolation,
                    times: m.times.clone(),
                    values: (0..keys * width)
                        .map(|k| m.values[k * targets + target])
                        .collect(),
                };
                motion.check().is_ok().then_some(motion)
            })
            .collect()
    }
}

fn read_channel(
    reader: &Reader<'_>,
    animation: &Node<'_>,
    channel: &Node<'_>,
    clip: &str,
) -> Option<(usize, NodeMotion)> {
    let target = channel.get("target")?;
    if target.str_or("path", "") != "weights" {
        return None;
    }
    let node = target.get("node")?.as_index().ok()?;
    let sampler = animation
        .item("samplers", channel.get("sampler")?.as_index().ok()?)
        .ok()?;
    let numbers = |key: &str| {
        let accessor = sampler.get(key)?.as_index().ok()?;
        Some(reader.elements(accessor).ok()?.to_f32())
    };
    let motion = NodeMotion {
        clip: clip.to_owned(),
        interpolation: interpolation_of(&sampler).ok()?,
        times: numbers("input")?,
        values: numbers("output")?,
    };
    Some((node, motion))
}

/// A mesh node that was built, and the vertices of its shapes.
pub(super) struct Morphed {
    pub node: usize,
    pub vertices: Range<usize>,
}

impl Builder {
    /// Adds to an animation what the clip does to the shapes of these nodes.
    pub(super) fn move_shapes(
        &mut self,
        animation: &mut Value,
        clip: &WholeClip<'_>,
        shapes: &[BlendShape],
        morphed: &[Morphed],
    ) {
        let Value::Object(animation) = animation else {
            return;
        };
        for Morphed { node, vertices } in morphed {
            let all = shapes.iter().enumerate();
            let own: Vec<_> = all
                .filter(|(_, s)| s.part_vertices == *vertices)
                .map(|(i, s)| (s, clip.of_shape(i)))
                .collect();
            let Some(keys) = SharedKeys::of(&own) else {
                continue;
            };
            let (input, times) = self.floats(keys.times, "SCALAR", 1, None);
            self.state_bounds(input, &times, 1);
            let (output, _) = self.floats(keys.values, "SCALAR", 1, None);
            let interpolation = match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            let samplers = list_mut(animation, "samplers");
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
            let sampler = samplers.len() - 1;
            list_mut(animation, "channels")
                .push(json!({ "sampler": sampler, "target": { "node": node, "path": "weights" } }));
        }
    }
}
