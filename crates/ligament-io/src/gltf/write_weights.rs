//! Weights back into the document they belong to, with everything else left alone.
//!
//! Where the old accessor is of the right type and nobody else uses its bytes, the new
//! weights replace them in place; else they are appended and the attribute points there.
//! Indices of accessors, views, nodes and skins keep their meaning: things are added at
//! the end, never renumbered.

use std::collections::BTreeMap;

use glam::DAffine3;
use ligament::Weights;
use ligament::character::{Influence, JointIndex, quantise_u8, quantise_u16};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::accessor::Component;
use super::container::Document;
use super::error::GltfError;
use super::influences::influence_sets;
use super::json::{Node, list_mut};
use super::read::{ReadCharacter, VertexBlock};
use super::uses::Uses;

const ARRAY_BUFFER: u32 = 34962;

/// How weights are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightFormat {
    /// As the file has them now; floats where it has none.
    #[default]
    Keep,
    /// 32-bit floats.
    F32,
    /// 16-bit fractions that sum to exactly 65535.
    U16,
    /// 8-bit fractions that sum to exactly 255.
    U8,
}

/// Why weights cannot be written into a document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteWeightsError {
    /// The weights are of another mesh.
    #[error("there are weights for {found} vertices, but the character has {expected}")]
    WrongCount {
        /// Vertices with weights.
        found: usize,
        /// Vertices of the character.
        expected: usize,
    },
    /// A vertex follows a joint that its mesh's skin does not list.
    #[error("vertex {vertex} follows joint '{joint}', which the skin of its mesh does not list")]
    JointNotInSkin {
        /// The vertex at fault.
        vertex: usize,
        /// The joint's name.
        joint: String,
    },
    /// The weights or joints are those of another character.
    #[error("the edited character is not the one in this file: {0}")]
    OtherCharacter(&'static str),
    /// The document contradicts itself.
    #[error(transparent)]
    Gltf(#[from] GltfError),
}

/// A copy of `document` that holds `weights`, which must cover all of the character's
/// vertices.
pub(super) fn with_weights(
    document: &Document,
    read: &ReadCharacter,
    weights: &Weights,
    format: WeightFormat,
) -> Result<Document, WriteWeightsError> {
    let expected = read.character.mesh.positions.len();
    if weights.vertex_count() != expected {
        return Err(WriteWeightsError::WrongCount {
            found: weights.vertex_count(),
            expected,
        });
    }
    let mut writer = Writer {
        document: document.clone(),
        read,
        uses: Uses::of(document)?,
        new_skins: Vec::new(),
    };
    for block in read.blocks.iter().filter(|b| b.is_skin && !b.repeats) {
        let slots = writer.slots_for(block)?;
        writer.write_block(block, weights, format, &slots)?;
    }
    Ok(writer.document)
}

/// For each joint its index in a skin.
type Slots = BTreeMap<JointIndex, u16>;

struct Writer<'a> {
    document: Document,
    read: &'a ReadCharacter,
    /// Who used what before anything was changed.
    uses: Uses,
    /// Skins that were added, each with the bind matrix it was made for.
    new_skins: Vec<(DAffine3, usize)>,
}

impl Writer<'_> {
    /// The slots of the skin that binds a block; a mesh that had none gets one.
    fn slots_for(&mut self, block: &VertexBlock) -> Result<Slots, WriteWeightsError> {
        let skin = match block.skin {
            Some(skin) => skin,
            None => self.skin_for_unbound(block),
        };
        let joint_of = |node: usize| self.read.rig.joint_of_node.get(node).copied().flatten();
        let nodes = Node::root(&self.document.json)
            .item("skins", skin)?
            .items("joints")?;
        let mut slots = Slots::new();
        for (slot, node) in nodes.iter().enumerate() {
            if let (Some(joint), Ok(slot)) = (joint_of(node.as_index()?), u16::try_from(slot)) {
                slots.entry(joint).or_insert(slot);
            }
        }
        Ok(slots)
    }

    /// Gives the block's node a skin: one that the file has and that fits, or a new one.
    fn skin_for_unbound(&mut self, block: &VertexBlock) -> usize {
        let rig = &self.read.rig;
        let carrier = rig.joint_of_node[block.node];
        let bind_from_mesh = carrier.map_or(DAffine3::IDENTITY, |j| rig.skeleton.joint(j).bind_from_joint);
        let fits =
            |m: &DAffine3| m.abs_diff_eq(bind_from_mesh, 1e-6 * (1.0 + bind_from_mesh.translation.length()));
        let offered = rig
            .bind_from_mesh
            .iter()
            .position(|m| m.as_ref().is_some_and(fits));
        let made = || {
            self.new_skins
                .iter()
                .find(|(m, _)| fits(m))
                .map(|&(_, skin)| skin)
        };
        let skin = offered.or_else(made).unwrap_or_else(|| {
            let skin = self.append_skin(bind_from_mesh);
            self.new_skins.push((bind_from_mesh, skin));
            skin
        });
        if let Some(Value::Object(node)) = self.document.json.pointer_mut(&format!("/nodes/{}", block.node)) {
            node.insert("skin".to_owned(), skin.into());
        }
        skin
    }

    fn append_skin(&mut self, bind_from_mesh: DAffine3) -> usize {
        let rig = &self.read.rig;
        let in_skin: Vec<JointIndex> = rig
            .skeleton
            .indices()
            .filter(|&j| rig.skeleton.joint(j).in_skin)
            .collect();
        let bytes: Vec<u8> = in_skin
            .iter()
            .map(|&j| rig.skeleton.joint(j).bind_from_joint.inverse() * bind_from_mesh)
            .flat_map(matrix_columns)
            .flat_map(f32::to_le_bytes)
            .collect();
        let view = self.document.append_view(&bytes, None);
        let accessor = self.document.append_accessor(json!({
            "bufferView": view,
            "componentType": Component::F32.code(),
            "count": in_skin.len(),
            "type": "MAT4",
        }));
        let joints: Vec<usize> = in_skin.iter().map(|j| rig.node_of_joint[j.at()]).collect();
        let skins = list_mut(self.document.object_mut(), "skins");
        skins.push(json!({ "inverseBindMatrices": accessor, "joints": joints }));
        skins.len() - 1
    }

    fn write_block(
        &mut self,
        block: &VertexBlock,
        weights: &Weights,
        format: WeightFormat,
        slots: &Slots,
    ) -> Result<(), WriteWeightsError> {
        let lists = || block.vertices.clone().map(|v| (v, weights.of_vertex(v)));
        for (vertex, list) in lists() {
            if let Some(lost) = list.iter().find(|i| !slots.contains_key(&i.joint)) {
                return Err(WriteWeightsError::JointNotInSkin {
                    vertex,
                    joint: self.read.rig.skeleton.joint(lost.joint).name.clone(),
                });
            }
        }
        let mesh = Node::root(&self.document.json).item("meshes", block.mesh)?;
        let attributes = mesh.item("primitives", block.primitives[0])?.need("attributes")?;
        let old_sets = influence_sets(&attributes)?;
        let old_type = |accessor: usize| self.document.accessor(accessor).ok().map(|a| a.component);
        let first = old_sets.first().copied();
        let joint_type = {
            let largest = lists()
                .flat_map(|(_, l)| l)
                .filter_map(|i| slots.get(&i.joint))
                .max()
                .copied()
                .unwrap_or(0);
            let needed = if largest < 256 {
                Component::U8
            } else {
                Component::U16
            };
            let old = first
                .and_then(|(j, _)| old_type(j))
                .filter(|c| matches!(c, Component::U8 | Component::U16));
            if old == Some(Component::U16) {
                Component::U16
            } else {
                needed
            }
        };
        let weight_type = match format {
            WeightFormat::F32 => Component::F32,
            WeightFormat::U16 => Component::U16,
            WeightFormat::U8 => Component::U8,
            WeightFormat::Keep => first
                .and_then(|(_, w)| old_type(w))
                .filter(|c| matches!(c, Component::U8 | Component::U16))
                .unwrap_or(Component::F32),
        };
        let set_count = lists()
            .map(|(_, l)| l.len())
            .max()
            .unwrap_or(0)
            .div_ceil(4)
            .max(1);
        for set in 0..set_count {
            let (mut joint_bytes, mut weight_bytes) = (Vec::new(), Vec::new());
            for (_, list) in lists() {
                let bytes = (&mut joint_bytes, &mut weight_bytes);
                push_set(bytes, list, set, (joint_type, weight_type), slots);
            }
            let old = old_sets.get(set).copied();
            self.put(
                block,
                &format!("JOINTS_{set}"),
                old.map(|o| o.0),
                joint_type,
                &joint_bytes,
            )?;
            self.put(
                block,
                &format!("WEIGHTS_{set}"),
                old.map(|o| o.1),
                weight_type,
                &weight_bytes,
            )?;
        }
        self.drop_sets_from(block, set_count);
        Ok(())
    }

    /// Stores the elements of one attribute of a block.
    fn put(
        &mut self,
        block: &VertexBlock,
        attribute: &str,
        old: Option<usize>,
        component: Component,
        bytes: &[u8],
    ) -> Result<(), GltfError> {
        let normalized = attribute.starts_with("WEIGHTS") && component != Component::F32;
        let size = 4 * component.size();
        let own = old.filter(|&accessor| !self.uses.elsewhere(accessor, block.mesh, &block.primitives));
        if let Some(accessor) = own {
            let stated = self.document.accessor(accessor)?;
            let same_shape = stated.component == component
                && stated.normalized == normalized
                && stated.count * size == bytes.len();
            let location = if same_shape {
                self.uses.overwritable(accessor)
            } else {
                None
            };
            if let Some((buffer, offset, stride)) = location {
                let target = &mut self.document.buffers[buffer].bytes;
                for (i, element) in bytes.chunks_exact(size).enumerate() {
                    target[offset + i * stride..offset + i * stride + size].copy_from_slice(element);
                }
                if let Some(Value::Object(fields)) =
                    self.document.json.pointer_mut(&format!("/accessors/{accessor}"))
                {
                    fields.shift_remove("min");
                    fields.shift_remove("max");
                }
                return Ok(());
            }
        }
        let view = self.document.append_view(bytes, Some(ARRAY_BUFFER));
        let mut fields = Map::new();
        // What the accessor carries besides (a name, extras) stays with it.
        if let Some(Value::Object(kept)) =
            own.and_then(|a| self.document.json.pointer(&format!("/accessors/{a}")))
        {
            fields.clone_from(kept);
            for key in ["byteOffset", "min", "max", "sparse", "normalized"] {
                fields.shift_remove(key);
            }
        }
        fields.insert("bufferView".to_owned(), view.into());
        fields.insert("componentType".to_owned(), component.code().into());
        fields.insert("count".to_owned(), block.vertices.len().into());
        fields.insert("type".to_owned(), "VEC4".into());
        if normalized {
            fields.insert("normalized".to_owned(), true.into());
        }
        match own.and_then(|a| self.document.json.pointer_mut(&format!("/accessors/{a}"))) {
            Some(location) => *location = Value::Object(fields),
            None => {
                let accessor = self.document.append_accessor(Value::Object(fields));
                self.edit_attributes(block, |attributes| {
                    attributes.insert(attribute.to_owned(), accessor.into());
                });
            }
        }
        Ok(())
    }

    /// Removes influence sets that are not needed any more.
    fn drop_sets_from(&mut self, block: &VertexBlock, first: usize) {
        self.edit_attributes(block, |attributes| {
            attributes.retain(|key, _| {
                let set = key
                    .strip_prefix("JOINTS_")
                    .or_else(|| key.strip_prefix("WEIGHTS_"));
                set.and_then(|n| n.parse::<usize>().ok())
                    .is_none_or(|n| n < first)
            });
        });
    }

    fn edit_attributes(&mut self, block: &VertexBlock, mut edit: impl FnMut(&mut Map<String, Value>)) {
        for primitive in &block.primitives {
            let pointer = format!("/meshes/{}/primitives/{primitive}/attributes", block.mesh);
            if let Some(Value::Object(attributes)) = self.document.json.pointer_mut(&pointer) {
                edit(attributes);
            }
        }
    }
}

/// A matrix as glTF stores it: column by column, the last row exactly 0 0 0 1.
pub(super) fn matrix_columns(m: DAffine3) -> [f32; 16] {
    let [x, y, z, t] = [
        m.matrix3.x_axis,
        m.matrix3.y_axis,
        m.matrix3.z_axis,
        m.translation,
    ]
    .map(|c| c.as_vec3());
    [
        x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, t.x, t.y, t.z, 1.0,
    ]
}

/// The weights of one vertex as they are stored; the component's size says how many of the
/// four bytes count.
fn stored_weights(list: &[Influence], component: Component) -> Vec<[u8; 4]> {
    match component {
        Component::U8 => quantise_u8(list).into_iter().map(|q| [q, 0, 0, 0]).collect(),
        Component::U16 => {
            let bytes = |q: u16| [q.to_le_bytes()[0], q.to_le_bytes()[1], 0, 0];
            quantise_u16(list).into_iter().map(bytes).collect()
        }
        _ => list.iter().map(|i| i.weight.to_le_bytes()).collect(),
    }
}

/// Adds four slots and four weights of a vertex. A slot that is not used, or whose weight
/// rounds to nothing, is joint 0 with weight 0, as glTF asks.
fn push_set(
    (joint_bytes, weight_bytes): (&mut Vec<u8>, &mut Vec<u8>),
    list: &[Influence],
    set: usize,
    (joint_type, weight_type): (Component, Component),
    slots: &Slots,
) {
    let stored = stored_weights(list, weight_type);
    for i in 4 * set..4 * set + 4 {
        let used = stored.get(i).filter(|bytes| **bytes != [0; 4]);
        let slot = used.and_then(|_| slots.get(&list[i].joint)).copied().unwrap_or(0);
        match joint_type {
            Component::U8 => joint_bytes.push(slot as u8),
            _ => joint_bytes.extend(slot.to_le_bytes()),
        }
        let bytes = used.copied().unwrap_or_default();
        weight_bytes.extend(&bytes[..weight_type.size()]);
    }
}
