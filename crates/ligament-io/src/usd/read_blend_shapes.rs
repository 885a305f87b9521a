//! `BlendShape` prims as blend shapes.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DVec3, Vec3};
use ligament::character::BlendShape;

use super::layer::{Prim, Value};
use super::stage::Stage;
use crate::gltf::turn_of;

/// How much of each shape there is while nothing moves, by the names that animations have for
/// them: as the first moment of the first animation that says so has it.
pub(super) fn shape_weights(stage: &Stage<'_>) -> HashMap<String, f32> {
    let mut weights = HashMap::new();
    let animations = stage.prims.iter().map(|p| p.prim);
    for prim in animations.filter(|p| p.type_name == "SkelAnimation") {
        let names = prim.value("blendShapes").and_then(Value::texts).unwrap_or(&[]);
        let numbers = prim
            .value("blendShapeWeights")
            .and_then(Value::numbers)
            .unwrap_or(&[]);
        for (name, &weight) in names.iter().zip(numbers) {
            let weight = if weight.is_finite() { weight as f32 } else { 0.0 };
            weights.entry(name.clone()).or_insert(weight);
        }
    }
    weights
}

/// The shapes of a mesh whose vertices begin at `start`.
pub(super) fn read_blend_shapes(
    stage: &mut Stage<'_>,
    index: usize,
    start: usize,
    vertices: usize,
    bind_from_mesh: DAffine3,
    weights: &HashMap<String, f32>,
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
        in_between += usize::from(shape.attributes.iter().any(|a| a.name.starts_with("inbetweens:")));
        let Some(moved) = moved(shape, start, vertices, bind_from_mesh) else {
            bad += 1;
            continue;
        };
        shapes.push(BlendShape {
            name: shape.given_name().unwrap_or(name).to_owned(),
            part_vertices: start..start + vertices,
            weight: weights.get(name).copied().unwrap_or(0.0),
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
    let turn = turn_of(bind_from_mesh.matrix3);
    let changed = |matrix: DMat3, v: &[f64; 3]| (matrix * DVec3::from_array(*v)).as_vec3();
    let mut moves: Vec<(u32, Vec3, Vec3)> = indices
        .iter()
        .enumerate()
        .map(|(i, &vertex)| {
            let place = changed(bind_from_mesh.matrix3, &offsets[i]);
            let normal = normals.get(i).map_or(Vec3::ZERO, |n| changed(turn, n));
            ((start + vertex) as u32, place, normal)
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
