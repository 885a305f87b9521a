//! Blend shapes: a deformer for each mesh that has some, a channel for each shape.

use glam::{DAffine3, DMat3, Vec3};
use ligament::character::BlendShape;

use super::node::Node;
use super::scene::{Scene, UNITS, object, properties, property};
use crate::gltf::turn_of;

/// Writes the shapes of one mesh; returns the number of each one's channel.
pub(super) fn write_blend_shapes(
    scene: &mut Scene,
    shapes: &[&BlendShape],
    geometry: i64,
    name: &str,
    mesh_from_bind: DAffine3,
) -> Vec<i64> {
    if shapes.is_empty() {
        return Vec::new();
    }
    let mut channels = Vec::new();
    let deformer = scene.id();
    let record = object("Deformer", deformer, name, "BlendShape").child(Node::of("Version", 100));
    scene.objects.push(record);
    scene.connect(deformer, geometry);
    for shape in shapes {
        let (channel, target) = (scene.id(), scene.id());
        let percent = 100.0 * f64::from(shape.weight);
        let record = object("Deformer", channel, &shape.name, "BlendShapeChannel")
            .child(properties([
                property("DeformPercent", "Number", "", "A").with(percent)
            ]))
            .child(Node::of("Version", 100))
            .child(Node::of("DeformPercent", percent))
            .child(Node::of("FullWeights", vec![100.0f64]));
        scene.objects.push(record);
        scene.connect(channel, deformer);
        scene.objects.push(target_record(shape, target, mesh_from_bind));
        scene.connect(target, channel);
        channels.push(channel);
    }
    channels
}

fn target_record(shape: &BlendShape, id: i64, mesh_from_bind: DAffine3) -> Node {
    let first = shape.part_vertices.start as u32;
    let indices: Vec<i32> = shape.vertices.iter().map(|&v| (v - first) as i32).collect();
    let numbers = |matrix: DMat3, list: &[Vec3]| -> Vec<f64> {
        let changed = list.iter().map(|v| matrix * v.as_dvec3());
        changed.flat_map(|v| v.to_array()).collect()
    };
    let offsets = numbers(mesh_from_bind.matrix3 * UNITS, &shape.offsets);
    // Some programs refuse shapes without normals; zeros change none.
    let normals = match &shape.normal_offsets {
        Some(normals) => numbers(turn_of(mesh_from_bind.matrix3), normals),
        None => vec![0.0; offsets.len()],
    };
    object("Geometry", id, &shape.name, "Shape")
        .child(properties([]))
        .child(Node::of("Version", 100))
        .child(Node::of("Indexes", indices))
        .child(Node::of("Vertices", offsets))
        .child(Node::of("Normals", normals))
}
