//! Blend channels as blend shapes.

use glam::{DAffine3, DMat3, DVec3, Vec3};
use ligament::character::BlendShape;

use super::convert::vector;
use crate::gltf::turn_of;
use crate::import::ImportWarning;

/// How many offsets the shapes of a mesh hold.
pub(super) fn size(mesh: &ufbx::Mesh) -> usize {
    let deformers = mesh.blend_deformers.into_iter();
    let channels = deformers.flat_map(|d| d.channels.into_iter());
    let shapes = channels.filter_map(|c| c.target_shape.as_ref());
    shapes.map(|s| s.num_offsets).sum()
}

/// What a shape is called among what clips move.
pub(super) type ChannelId = u32;

/// The shapes of a mesh whose vertices begin at `start`. A channel of several shapes, one after
/// the other, is left with the last.
pub(super) fn read(
    mesh: &ufbx::Mesh,
    start: usize,
    bind_from_geometry: DAffine3,
    warnings: &mut Vec<ImportWarning>,
) -> Vec<(ChannelId, BlendShape)> {
    let mut shapes = Vec::new();
    let (mut in_between, mut broken) = (0, 0);
    let channels = mesh
        .blend_deformers
        .into_iter()
        .flat_map(|d| d.channels.into_iter());
    for channel in channels {
        let Some(target) = channel.target_shape.as_ref() else {
            continue;
        };
        in_between += usize::from(channel.keyframes.len() > 1);
        let (name, own) = (channel.element.name.to_string(), target.element.name.to_string());
        let weight = channel.weight as f32;
        let shape = BlendShape {
            name: if name.is_empty() { own } else { name },
            part_vertices: start..start + mesh.vertices.len(),
            weight: if weight.is_finite() { weight } else { 0.0 },
            ..moved(
                target,
                start,
                mesh.vertices.len(),
                bind_from_geometry,
                &mut broken,
            )
        };
        shapes.push((channel.element.element_id, shape));
    }
    let mut warn = |code, message| warnings.push(ImportWarning { code, message });
    let of = mesh.element.name.to_string();
    if in_between > 0 {
        warn(
            "left_out_in_betweens",
            format!(
                "'{of}': {in_between} blend shape(s) go through others on their way; only where they end was read"
            ),
        );
    }
    if broken > 0 {
        warn(
            "bad_blend_shapes",
            format!(
                "'{of}': {broken} offset(s) of blend shapes are not finite or move no vertex; they were left out"
            ),
        );
    }
    shapes
}

fn moved(
    shape: &ufbx::BlendShape,
    start: usize,
    vertices: usize,
    bind_from_geometry: DAffine3,
    broken: &mut usize,
) -> BlendShape {
    let rotation = turn_of(bind_from_geometry.matrix3);
    let has_normals = !shape.normal_offsets.is_empty();
    let mut offsets: Vec<(u32, Vec3, Vec3)> = Vec::with_capacity(shape.num_offsets);
    for (i, &vertex) in shape.offset_vertices.iter().enumerate() {
        let fraction = shape.offset_weights.get(i).copied().unwrap_or(1.0);
        let at = |list: &[ufbx::Vec3], matrix: DMat3| {
            let offset = list.get(i).map_or(DVec3::ZERO, |&v| vector(v));
            (matrix * offset * fraction).as_vec3()
        };
        let offset = at(&shape.position_offsets, bind_from_geometry.matrix3);
        let normal = at(&shape.normal_offsets, rotation);
        if (vertex as usize) < vertices && offset.is_finite() && normal.is_finite() {
            offsets.push((start as u32 + vertex, offset, normal));
        } else {
            *broken += 1;
        }
    }
    // A vertex that is named twice moves as it was told first.
    offsets.sort_by_key(|o| o.0);
    offsets.dedup_by_key(|o| o.0);
    BlendShape {
        vertices: offsets.iter().map(|o| o.0).collect(),
        offsets: offsets.iter().map(|o| o.1).collect(),
        normal_offsets: has_normals.then(|| offsets.iter().map(|o| o.2).collect()),
        ..BlendShape::default()
    }
}
