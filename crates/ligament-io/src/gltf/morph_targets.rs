//! Morph targets as blend shapes.
//!
//! A document keeps its targets whatever is read here; they are read for what leaves it, so
//! only when they are asked for: the faces of an avatar can be larger than all the rest.

use glam::{DAffine3, DMat3, Vec3};
use ligament::character::BlendShape;
use serde_json::{Map, Value, json};

use super::accessor::Component;
use super::build::Builder;
use super::container::Document;
use super::json::Node;
use super::read::{ReadCharacter, VertexBlock};
use super::reader::Reader;
use super::shape_motion::NodeMotions;
use super::split_vertices::SplitVertices;

/// The targets of all primitives, in bind space. What cannot be read moves nothing, so that the
/// others keep their numbers.
pub(super) fn read_blend_shapes(document: &Document, read: &ReadCharacter) -> Vec<BlendShape> {
    let reader = Reader::new(document, 0);
    let motions = NodeMotions::read(&reader);
    let blocks = read.blocks.iter();
    blocks
        .flat_map(|block| of_block(&reader, read, &motions, block))
        .collect()
}

fn of_block(
    reader: &Reader<'_>,
    read: &ReadCharacter,
    motions: &NodeMotions,
    block: &VertexBlock,
) -> Vec<BlendShape> {
    let root = Node::root(reader.json());
    let Ok(mesh) = root.item("meshes", block.mesh) else {
        return Vec::new();
    };
    let carrier = read.rig.joint_of_node.get(block.node).copied().flatten();
    let own = block.skin.and_then(|s| *read.rig.bind_from_mesh.get(s)?);
    let carried = carrier.map(|c| read.rig.skeleton.joint(c).bind_from_joint);
    let bind_from_mesh = own.or(carried).unwrap_or(DAffine3::IDENTITY);
    let Some(primitive) = block
        .primitives
        .first()
        .and_then(|&p| mesh.item("primitives", p).ok())
    else {
        return Vec::new();
    };
    let weights = root
        .item("nodes", block.node)
        .ok()
        .and_then(|n| n.get("weights"))
        .or_else(|| mesh.get("weights"));
    let weight = |k: usize| {
        let stated = weights.as_ref()?.value.get(k)?.as_f64()?;
        Some(stated as f32).filter(|w| w.is_finite())
    };
    // The position that all agree on now, and where some put them before.
    let names = [&mesh, &primitive].map(|holder| holder.get("extras")?.get("targetNames"));
    let name = |k: usize| {
        let mut lists = names.iter().flatten();
        lists.find_map(|list| list.value.get(k)?.as_str())
    };
    let targets = primitive.items("targets").unwrap_or_default();
    targets
        .iter()
        .enumerate()
        .map(|(k, target)| BlendShape {
            name: name(k).map_or_else(|| format!("shape{k}"), str::to_owned),
            weight: weight(k).unwrap_or(0.0),
            part_vertices: block.vertices.clone(),
            motions: motions
                .of_target(reader, block.node, k, targets.len())
                .into_iter()
                .filter(|m| m.moves(weight(k).unwrap_or(0.0)))
                .collect(),
            ..moved(reader, target, block, bind_from_mesh)
        })
        .collect()
}

/// The vertices that a target moves, and how.
fn moved(
    reader: &Reader<'_>,
    target: &Node<'_>,
    block: &VertexBlock,
    bind_from_mesh: DAffine3,
) -> BlendShape {
    let read = |key: &str, matrix: DMat3| -> Option<Vec<Vec3>> {
        let elements = reader.elements(target.get(key)?.as_index().ok()?).ok()?;
        if elements.width != 3 || elements.count() != block.vertices.len() {
            return None;
        }
        let numbers = elements.to_f32();
        let vectors = numbers.as_chunks::<3>().0.iter();
        let changed = |v: &[f32; 3]| (matrix * Vec3::from_array(*v).as_dvec3()).as_vec3();
        Some(vectors.map(changed).map(finite).collect())
    };
    let offsets = read("POSITION", bind_from_mesh.matrix3);
    let normals = read("NORMAL", turn_of(bind_from_mesh.matrix3));
    let at = |list: &Option<Vec<Vec3>>, i: usize| list.as_ref().map_or(Vec3::ZERO, |l| l[i]);
    let moves: Vec<usize> = (0..block.vertices.len())
        .filter(|&i| at(&offsets, i) != Vec3::ZERO || at(&normals, i) != Vec3::ZERO)
        .collect();
    BlendShape {
        vertices: moves.iter().map(|&i| (block.vertices.start + i) as u32).collect(),
        offsets: moves.iter().map(|&i| at(&offsets, i)).collect(),
        normal_offsets: normals.map(|n| moves.iter().map(|&i| n[i]).collect()),
        ..BlendShape::default()
    }
}

fn finite(v: Vec3) -> Vec3 {
    if v.is_finite() { v } else { Vec3::ZERO }
}

/// What a map of positions does to unit normals: exact where it scales evenly.
pub(crate) fn turn_of(map: DMat3) -> DMat3 {
    let rotation = map.inverse().transpose();
    let size = rotation.determinant().abs().cbrt();
    if size.is_finite() && size > 0.0 {
        rotation * (1.0 / size)
    } else {
        DMat3::IDENTITY
    }
}

impl Builder {
    /// The targets of the primitives that draw these vertices, with their names and weights as
    /// the mesh states them. `mesh_from_bind` is where the node carries them.
    pub(super) fn targets(
        &mut self,
        shapes: &[&BlendShape],
        split: &SplitVertices,
        mesh_from_bind: Option<DAffine3>,
    ) -> Option<(Vec<Value>, Map<String, Value>)> {
        if shapes.is_empty() {
            return None;
        }
        let matrix = mesh_from_bind.map_or(DMat3::IDENTITY, |m| m.matrix3);
        let rotation = mesh_from_bind.map_or(DMat3::IDENTITY, |m| turn_of(m.matrix3));
        let changed = |m: DMat3, v: Vec3| {
            if mesh_from_bind.is_some() {
                (m * v.as_dvec3()).as_vec3()
            } else {
                v
            }
        };
        let any_normals = shapes.iter().any(|s| s.normal_offsets.is_some());
        let mut targets = Vec::new();
        for shape in shapes {
            let mut copies: Vec<(u32, Vec3, Vec3)> = Vec::new();
            for (i, &vertex) in shape.vertices.iter().enumerate() {
                let normal = shape.normal_offsets.as_ref().map_or(Vec3::ZERO, |n| n[i]);
                let (offset, normal) = (changed(matrix, shape.offsets[i]), changed(rotation, normal));
                copies.extend(split.copies(vertex).map(|copy| (copy, offset, normal)));
            }
            let mut target = Map::new();
            let offsets: Vec<(u32, Vec3)> = copies.iter().map(|c| (c.0, c.1)).collect();
            target.insert(
                "POSITION".to_owned(),
                self.offsets(&offsets, split.sources.len(), true).into(),
            );
            if any_normals {
                let normals: Vec<(u32, Vec3)> = copies.iter().map(|c| (c.0, c.2)).collect();
                target.insert(
                    "NORMAL".to_owned(),
                    self.offsets(&normals, split.sources.len(), false).into(),
                );
            }
            targets.push(Value::Object(target));
        }
        let names: Vec<&str> = shapes.iter().map(|s| s.name.as_str()).collect();
        let weights: Vec<f32> = shapes.iter().map(|s| s.weight).collect();
        let mut stated = Map::new();
        stated.insert("weights".to_owned(), json!(weights));
        stated.insert("extras".to_owned(), json!({ "targetNames": names }));
        Some((targets, stated))
    }

    /// An accessor of mostly zeros, which keeps what is not zero alone.
    fn offsets(&mut self, moved: &[(u32, Vec3)], vertices: usize, bounds: bool) -> usize {
        let mut all = vec![Vec3::ZERO; vertices];
        for &(vertex, offset) in moved {
            all[vertex as usize] = offset;
        }
        let numbers = || all.iter().flat_map(|v| v.to_array());
        // An index and three numbers against three numbers.
        let is_dense = 16 * moved.len() >= 12 * vertices;
        let accessor = if is_dense {
            self.floats(numbers(), "VEC3", 3, None).0
        } else {
            // The format wants at least one.
            let kept = if moved.is_empty() {
                &[(0, Vec3::ZERO)]
            } else {
                moved
            };
            let indices: Vec<u8> = kept.iter().flat_map(|(v, _)| v.to_le_bytes()).collect();
            let values: Vec<u8> = kept
                .iter()
                .flat_map(|(_, offset)| offset.to_array())
                .flat_map(f32::to_le_bytes)
                .collect();
            let indices = self.document.append_view(&indices, None);
            let values = self.document.append_view(&values, None);
            self.document.append_accessor(json!({
                "componentType": Component::F32.code(),
                "count": vertices,
                "type": "VEC3",
                "sparse": {
                    "count": kept.len(),
                    "indices": { "bufferView": indices, "componentType": Component::U32.code() },
                    "values": { "bufferView": values },
                },
            }))
        };
        if bounds {
            let numbers: Vec<f32> = numbers().collect();
            self.state_bounds(accessor, &numbers, 3);
        }
        accessor
    }
}
