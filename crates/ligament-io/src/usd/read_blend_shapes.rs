//! `BlendShape` prims as blend shapes.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DVec3, Vec3};
use ligament::character::{BlendShape, Interpolation, ShapeMotion};

use super::layer::{Prim, Value};
use super::stage::Stage;
use crate::gltf::turn_of;
use crate::shape_motion::ClipNames;

/// What animations say of shapes, by the names that they have for them.
pub(super) struct ShapeAnimations {
    of_name: HashMap<String, Animated>,
    /// How many numbers meshes may still take: any number of meshes may name the same shape.
    room: usize,
}

#[derive(Default)]
struct Animated {
    /// How much there is while nothing moves: as the first animation that says so has it.
    weight: Option<f32>,
    motions: Vec<ShapeMotion>,
}

/// Meshes may take this many times the numbers that shapes and animations hold, and some more.
const LARGEST_GROWTH: usize = 16;
const FREE_NUMBERS: usize = 1 << 20;

impl ShapeAnimations {
    pub fn read(stage: &mut Stage<'_>) -> Self {
        let mut of_name: HashMap<String, Animated> = HashMap::new();
        let mut names = ClipNames::default();
        let mut held = 0usize;
        for index in 0..stage.prims.len() {
            let prim = stage.prims[index].prim;
            if prim.type_name == "BlendShape" {
                let values = prim.attributes.iter().filter_map(|a| a.still()?.numbers());
                held += values.map(<[_]>::len).sum::<usize>();
            }
            if prim.type_name != "SkelAnimation" {
                continue;
            }
            let clip = names.unique(prim.display_name());
            let Some(weights) = prim.attribute("blendShapeWeights") else {
                continue;
            };
            let shapes = prim.value("blendShapes").and_then(Value::texts).unwrap_or(&[]);
            let still = weights.still().and_then(Value::numbers).unwrap_or(&[]);
            let mut samples: Vec<(f64, &[f64])> = weights
                .samples
                .iter()
                .filter_map(|(t, v)| Some((*t, v.numbers()?)))
                .collect();
            if samples.is_empty() {
                samples.push((0.0, still));
            }
            let all = samples.len();
            samples.retain(|(_, numbers)| numbers.len() == shapes.len());
            let lost = all - samples.len();
            let path = stage.prims[index].path.clone();
            if lost > 0 {
                stage.warn(
                    "bad_samples",
                    format!(
                        "{path}: {lost} samples of 'blendShapeWeights' have not one value for each shape and are left out"
                    ),
                );
            }
            held += samples.len() * shapes.len();
            for (slot, name) in shapes.iter().enumerate() {
                let known = of_name.entry(name.clone()).or_default();
                if let Some(&weight) = still.get(slot) {
                    let weight = if weight.is_finite() { weight as f32 } else { 0.0 };
                    known.weight.get_or_insert(weight);
                }
                let motion = ShapeMotion {
                    clip: clip.clone(),
                    interpolation: Interpolation::Linear,
                    times: samples
                        .iter()
                        .map(|(t, _)| (t / stage.time_codes_per_second) as f32)
                        .collect(),
                    values: samples.iter().map(|(_, numbers)| numbers[slot] as f32).collect(),
                };
                let twice = known.motions.last().is_some_and(|m| m.clip == clip);
                if !twice && motion.check().is_ok() && motion.moves(known.weight.unwrap_or(0.0)) {
                    known.motions.push(motion);
                }
            }
        }
        Self {
            of_name,
            room: held * LARGEST_GROWTH + FREE_NUMBERS,
        }
    }

    /// Takes room for so many numbers if there is any.
    fn has_room(&mut self, numbers: usize) -> bool {
        let left = self.room.checked_sub(numbers);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }
}

/// The shapes of a mesh whose vertices begin at `start`.
pub(super) fn read_blend_shapes(
    stage: &mut Stage<'_>,
    index: usize,
    start: usize,
    vertices: usize,
    bind_from_mesh: DAffine3,
    animations: &mut ShapeAnimations,
) -> Vec<BlendShape> {
    let prim = stage.prims[index].prim;
    let path = stage.prims[index].path.clone();
    let names = prim
        .value("skel:blendShapes")
        .and_then(Value::texts)
        .unwrap_or(&[]);
    let targets = prim
        .relationships
        .iter()
        .find(|r| r.name == "skel:blendShapeTargets");
    let targets: &[String] = targets.map_or(&[], |r| &r.targets);
    let mut shapes = Vec::new();
    let (mut bad, mut in_between) = (0, 0);
    for (name, target) in names.iter().zip(targets) {
        let found = stage.find(target).map(|i| stage.prims[i].prim);
        let Some(shape) = found.filter(|p| p.type_name == "BlendShape") else {
            bad += 1;
            continue;
        };
        let known = animations.of_name.get(name);
        let keys = known.map_or(0, |a| a.motions.iter().map(|m| 2 * m.times.len()).sum());
        let offsets = shape
            .value("offsets")
            .and_then(Value::numbers)
            .map_or(0, <[_]>::len);
        if !animations.has_room(2 * offsets + keys) {
            bad += 1;
            continue;
        }
        let animated = animations.of_name.get(name);
        in_between += usize::from(shape.attributes.iter().any(|a| a.name.starts_with("inbetweens:")));
        let Some(moved) = moved(shape, start, vertices, bind_from_mesh) else {
            bad += 1;
            continue;
        };
        shapes.push(BlendShape {
            name: shape.given_name().unwrap_or(name).to_owned(),
            part_vertices: start..start + vertices,
            weight: animated.and_then(|a| a.weight).unwrap_or(0.0),
            motions: animated.map_or_else(Vec::new, |a| a.motions.clone()),
            ..moved
        });
    }
    bad += names.len().abs_diff(targets.len());
    if bad > 0 {
        stage.warn(
            "bad_blend_shapes",
            format!("{path}: {bad} blend shapes are not there or do not fit the points; they are left out"),
        );
    }
    if in_between > 0 {
        stage.warn(
            "left_out_in_betweens",
            format!("{path}: {in_between} blend shapes go through others on their way; only where they end was read"),
        );
    }
    shapes
}

/// The vertices that a shape moves, and how; `None` if its lists do not fit.
fn moved(shape: &Prim, start: usize, vertices: usize, bind_from_mesh: DAffine3) -> Option<BlendShape> {
    let numbers = |name: &str| shape.value(name).and_then(Value::numbers).unwrap_or(&[]);
    let offsets = numbers("offsets").as_chunks::<3>().0;
    let normals = numbers("normalOffsets").as_chunks::<3>().0;
    let indices: Vec<usize> = match numbers("pointIndices") {
        [] => (0..offsets.len()).collect(),
        stated => stated.iter().map(|&i| i.max(-1.0) as i64 as usize).collect(),
    };
    let fits = offsets.len() == indices.len()
        && (normals.is_empty() || normals.len() == offsets.len())
        && indices.iter().all(|&i| i < vertices);
    if !fits {
        return None;
    }
    let rotation = turn_of(bind_from_mesh.matrix3);
    let changed = |matrix: DMat3, v: &[f64; 3]| (matrix * DVec3::from_array(*v)).as_vec3();
    let mut moves: Vec<(u32, Vec3, Vec3)> = indices
        .iter()
        .enumerate()
        .map(|(i, &vertex)| {
            let offset = changed(bind_from_mesh.matrix3, &offsets[i]);
            let normal = normals.get(i).map_or(Vec3::ZERO, |n| changed(rotation, n));
            ((start + vertex) as u32, offset, normal)
        })
        .filter(|m| m.1 != Vec3::ZERO || m.2 != Vec3::ZERO)
        .collect();
    if moves.iter().any(|m| !m.1.is_finite() || !m.2.is_finite()) {
        return None;
    }
    // A vertex that is named twice moves as it was told first.
    moves.sort_by_key(|m| m.0);
    moves.dedup_by_key(|m| m.0);
    Some(BlendShape {
        vertices: moves.iter().map(|m| m.0).collect(),
        offsets: moves.iter().map(|m| m.1).collect(),
        normal_offsets: (!normals.is_empty()).then(|| moves.iter().map(|m| m.2).collect()),
        ..BlendShape::default()
    })
}
