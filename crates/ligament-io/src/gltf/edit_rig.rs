//! An edited skeleton back into the document that it belongs to.
//!
//! Nodes keep their numbers: new joints are added at the end, joints that are gone are taken
//! out of the tree and of the skins, unless they carry something; then they stay as plain
//! nodes. Only nodes, skins and tracks that an edit changed are written.

use std::collections::BTreeMap;

use glam::DAffine3;
use ligament::character::{Clip, JointIndex, Track, Transform};
use ligament::{Character, Weights};
use serde_json::{Map, Value, json};

use super::GltfFile;
use super::accessor::Component;
use super::build::{Builder, node_json};
use super::container::Document;
use super::json::list_mut;
use super::read::{ReadCharacter, VertexBlock};
use super::write_weights::{WriteWeightsError, matrix_columns};

/// The file with an edited rig, and the weights as it numbers vertices and joints.
pub(super) fn with_edited_rig(
    file: &GltfFile,
    edited: &Character,
    origins: &[Option<JointIndex>],
) -> Result<(GltfFile, Weights), WriteWeightsError> {
    let read = &file.read;
    let fail = WriteWeightsError::OtherCharacter;
    if origins.len() != edited.skeleton.joints.len() {
        return Err(fail("not every joint says where it comes from"));
    }
    let known = read.rig.skeleton.joints.len();
    if origins.iter().flatten().any(|o| o.at() >= known) {
        return Err(fail("a joint comes from one that the file does not have"));
    }
    if edited.mesh.positions.len() != read.character.mesh.positions.len() {
        return Err(fail("it has another number of vertices"));
    }
    let weights = edited.weights.as_ref().ok_or(fail("it has no weights"))?;

    let mut editor = Editor::new(&file.document, read, edited, origins);
    editor.write_nodes();
    editor.write_children();
    editor.write_skins();
    editor.write_clips();
    let (nodes, moved_meshes) = (editor.nodes, editor.moved_meshes);
    let made = file.again(editor.builder.document)?;

    let joint_in_file = |joint: JointIndex| {
        let node = nodes[joint.at()];
        made.read
            .rig
            .joint_of_node
            .get(node)
            .copied()
            .flatten()
            .unwrap_or(joint)
    };
    // Vertices come in the order of the nodes that draw them; a mesh may have moved to a new
    // one.
    let mut gathered: Vec<usize> = Vec::with_capacity(weights.vertex_count());
    for block in &made.read.blocks {
        let node = moved_meshes.get(&block.node).copied().unwrap_or(block.node);
        let old = read
            .blocks
            .iter()
            .find(|b| b.node == node && b.primitives == block.primitives)
            .ok_or(fail("its meshes are others"))?;
        gathered.extend(old.vertices.clone());
    }
    let weights = weights.gathered(gathered).renumbered(joint_in_file);
    Ok((made, weights))
}

struct Editor<'a> {
    builder: Builder,
    read: &'a ReadCharacter,
    edited: &'a Character,
    origins: &'a [Option<JointIndex>],
    /// The node of each joint after the edit.
    nodes: Vec<usize>,
    /// For each joint of the file its joint after the edit.
    now: Vec<Option<JointIndex>>,
    /// New nodes that carry the mesh of an old one.
    moved_meshes: BTreeMap<usize, usize>,
}

impl<'a> Editor<'a> {
    fn new(
        document: &Document,
        read: &'a ReadCharacter,
        edited: &'a Character,
        origins: &'a [Option<JointIndex>],
    ) -> Self {
        let mut next = document
            .json
            .get("nodes")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        let mut now = vec![None; read.rig.skeleton.joints.len()];
        let mut nodes = Vec::with_capacity(origins.len());
        for (joint, origin) in (0..).map(JointIndex).zip(origins) {
            nodes.push(match origin {
                Some(origin) => {
                    now[origin.at()] = Some(joint);
                    read.rig.node_of_joint[origin.at()]
                }
                None => {
                    next += 1;
                    next - 1
                }
            });
        }
        Self {
            builder: Builder {
                document: document.clone(),
            },
            read,
            edited,
            origins,
            nodes,
            now,
            moved_meshes: BTreeMap::new(),
        }
    }

    fn node_mut(&mut self, node: usize) -> Option<&mut Map<String, Value>> {
        match self.builder.document.json.pointer_mut(&format!("/nodes/{node}")) {
            Some(Value::Object(node)) => Some(node),
            _ => None,
        }
    }

    fn node(&self, node: usize) -> Option<&Value> {
        self.builder.document.json.pointer(&format!("/nodes/{node}"))
    }

    /// Names and rest transforms, and nodes for new joints.
    fn write_nodes(&mut self) {
        let (edited, read) = (self.edited, self.read);
        let joints = || edited.skeleton.joints.iter().enumerate();
        for (_, joint) in joints().filter(|(i, _)| self.origins[*i].is_none()) {
            let made = node_json(&joint.name, &joint.rest);
            list_mut(self.builder.document.object_mut(), "nodes").push(made);
        }
        for (i, joint) in joints() {
            let Some(origin) = self.origins[i] else { continue };
            let old = read.rig.skeleton.joint(origin);
            let number = self.nodes[i];
            let Some(node) = self.node_mut(number) else {
                continue;
            };
            if joint.name != old.name {
                node.insert("name".to_owned(), joint.name.clone().into());
            }
            if joint.rest != old.rest {
                for key in ["matrix", "translation", "rotation", "scale"] {
                    node.shift_remove(key);
                }
                let made = node_json("", &joint.rest);
                for key in ["translation", "rotation", "scale"] {
                    if let Some(value) = made.get(key) {
                        node.insert(key.to_owned(), value.clone());
                    }
                }
            }
            if joint.bind_from_joint != old.bind_from_joint {
                self.keep_mesh_in_place(number, joint.bind_from_joint.inverse() * old.bind_from_joint);
            }
        }
    }

    /// A mesh that a joint itself carries stays where it is when the joint does not: it gets
    /// a node of its own below it.
    fn keep_mesh_in_place(&mut self, number: usize, new_from_old: DAffine3) {
        let Some(node) = self.node_mut(number) else { return };
        if node.contains_key("skin") {
            return; // its skin says where it is
        }
        let Some(mesh) = node.shift_remove("mesh") else {
            return;
        };
        let weights = node.shift_remove("weights");
        let mut made = node_json("mesh", &Transform::from_affine(new_from_old));
        made["mesh"] = mesh;
        if let Some(weights) = weights {
            made["weights"] = weights;
        }
        let nodes = list_mut(self.builder.document.object_mut(), "nodes");
        nodes.push(made);
        let location = nodes.len() - 1;
        self.moved_meshes.insert(location, number);
        if let Some(node) = self.node_mut(number) {
            list_mut(node, "children").push(location.into());
        }
    }

    /// Who hangs on whom, and the scenes' roots.
    fn write_children(&mut self) {
        let rig = &self.read.rig;
        let node_of = |joint: JointIndex| rig.node_of_joint[joint.at()];
        // Joints that are gone leave the tree unless something else hangs on them.
        let mut gone: Vec<usize> = Vec::new();
        for (i, now) in self.now.iter().enumerate() {
            let number = rig.node_of_joint[i];
            let carries = self.node(number).is_some_and(|n| {
                let others = n.get("children").and_then(Value::as_array).into_iter().flatten();
                let mut others = others.filter_map(Value::as_u64);
                ["mesh", "camera", "skin", "extensions"]
                    .iter()
                    .any(|k| n.get(k).is_some())
                    || others.any(|c| rig.joint_of_node.get(c as usize).copied().flatten().is_none())
            });
            if now.is_none() && !carries {
                gone.push(number);
            }
        }
        let skeleton = &self.edited.skeleton;
        let old_parent = |number: usize| {
            let joint = rig.joint_of_node.get(number).copied().flatten()?;
            rig.skeleton.joint(joint).parent.map(node_of)
        };
        let mut moves: Vec<(usize, Option<usize>)> = Vec::new();
        for (joint, &number) in skeleton.joints.iter().zip(&self.nodes) {
            let parent = joint.parent.map(|p| self.nodes[p.at()]);
            if number >= rig.joint_of_node.len() || parent != old_parent(number) {
                moves.push((number, parent));
            }
        }
        let leaves = |n: usize| gone.contains(&n) || moves.iter().any(|m| m.0 == n);
        let kept = |list: &mut Vec<Value>| list.retain(|c| !c.as_u64().is_some_and(|c| leaves(c as usize)));
        let json = &mut self.builder.document.json;
        for node in json
            .get_mut("nodes")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let Some(node) = node.as_object_mut() else {
                continue;
            };
            if let Some(Value::Array(list)) = node.get_mut("children") {
                kept(list);
            }
            if node
                .get("children")
                .is_some_and(|c| c.as_array().is_some_and(Vec::is_empty))
            {
                node.shift_remove("children"); // glTF allows no empty lists
            }
        }
        let first = json.get("scene").and_then(Value::as_u64).unwrap_or(0) as usize;
        let scenes = json.get_mut("scenes").and_then(Value::as_array_mut);
        let roots: Vec<usize> = moves.iter().filter(|m| m.1.is_none()).map(|m| m.0).collect();
        for (number, scene) in scenes.into_iter().flatten().enumerate() {
            let Some(scene) = scene.as_object_mut() else {
                continue;
            };
            let before = scene.get("nodes").cloned();
            if let Some(Value::Array(list)) = scene.get_mut("nodes") {
                kept(list);
            }
            let held = before.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
            let holds = scene.get("nodes").and_then(Value::as_array).map_or(0, Vec::len);
            if held != holds || number == first && held == 0 {
                list_mut(scene, "nodes").extend(roots.iter().map(|&r| Value::from(r)));
            }
        }
        for (number, parent) in moves {
            if let Some(parent) = parent.and_then(|p| self.node_mut(p)) {
                list_mut(parent, "children").push(number.into());
            }
        }
    }

    /// Joints and bind matrices of the skins that an edit changed.
    fn write_skins(&mut self) {
        let (read, edited) = (self.read, self.edited);
        let skins = self
            .builder
            .document
            .json
            .get("skins")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        for skin in 0..skins {
            let Some(bind_from_mesh) = read.rig.bind_from_mesh.get(skin).copied().flatten() else {
                continue; // nobody is bound with it
            };
            let pointer = format!("/skins/{skin}/joints");
            let listed = self
                .builder
                .document
                .json
                .pointer(&pointer)
                .and_then(Value::as_array);
            let old: Vec<usize> = listed
                .into_iter()
                .flatten()
                .filter_map(|n| n.as_u64().map(|n| n as usize))
                .collect();
            // The joints that the parts of this skin may follow now.
            let mut wanted: Vec<usize> = Vec::new();
            // Where no skin binds anything yet, any may bind a mesh.
            let unbound = read.blocks.iter().all(|b| b.skin.is_none());
            let bound = |b: &&VertexBlock| b.skin == Some(skin) || (b.is_skin && unbound);
            for block in read.blocks.iter().filter(bound) {
                let Some(part) = edited.mesh.parts.iter().find(|p| p.vertices == block.vertices) else {
                    continue;
                };
                match &part.joints {
                    Some(joints) => wanted.extend(joints.iter().map(|j| self.nodes[j.at()])),
                    // A part without a list may follow every joint of the skin.
                    None if unbound => {
                        let skeleton = &edited.skeleton;
                        let skin = skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
                        wanted.extend(skin.map(|j| self.nodes[j.at()]));
                    }
                    None => {}
                }
            }
            if wanted.is_empty() {
                continue;
            }
            let mut joints: Vec<usize> = old.iter().copied().filter(|n| wanted.contains(n)).collect();
            for node in wanted {
                if !joints.contains(&node) {
                    joints.push(node);
                }
            }
            let joint_of = |node: usize| self.nodes.iter().position(|&n| n == node);
            let unmoved = |&node: &usize| {
                let was = read.rig.joint_of_node.get(node).copied().flatten();
                joint_of(node).zip(was).is_some_and(|(now, was)| {
                    let now = edited.skeleton.joints[now].bind_from_joint;
                    now == read.rig.skeleton.joint(was).bind_from_joint
                })
            };
            if joints == old && joints.iter().all(unmoved) {
                continue;
            }
            let bytes: Vec<u8> = joints
                .iter()
                .map(|&node| {
                    let bind = joint_of(node)
                        .map_or(DAffine3::IDENTITY, |j| edited.skeleton.joints[j].bind_from_joint);
                    bind.inverse() * bind_from_mesh
                })
                .flat_map(matrix_columns)
                .flat_map(f32::to_le_bytes)
                .collect();
            let document = &mut self.builder.document;
            let view = document.append_view(&bytes, None);
            let accessor = document.append_accessor(json!({
                "bufferView": view,
                "componentType": Component::F32.code(),
                "count": joints.len(),
                "type": "MAT4",
            }));
            if let Some(Value::Object(skin)) = document.json.pointer_mut(&format!("/skins/{skin}")) {
                skin.insert("inverseBindMatrices".to_owned(), accessor.into());
                skin.insert("joints".to_owned(), json!(joints));
                // It names the root of the joints, which may be another now.
                skin.shift_remove("skeleton");
            }
        }
    }

    /// Channels of the joints whose tracks changed.
    fn write_clips(&mut self) {
        let (read, edited) = (self.read, self.edited);
        let clips = read
            .character
            .clips
            .iter()
            .zip(&edited.clips)
            .zip(&read.animation_of_clip);
        for ((old, new), &animation) in clips {
            let old_node = |t: &Track| read.rig.node_of_joint[t.joint.at()];
            let new_node = |t: &Track| self.nodes[t.joint.at()];
            let same = |a: &Track, b: &Track| {
                a.channel == b.channel
                    && a.interpolation == b.interpolation
                    && a.times == b.times
                    && a.values == b.values
            };
            let mut changed: Vec<usize> = Vec::new();
            let mut nodes: Vec<usize> = old.tracks.iter().map(old_node).collect();
            nodes.extend(new.tracks.iter().map(new_node));
            nodes.sort_unstable();
            nodes.dedup();
            for node in nodes {
                let was: Vec<&Track> = old.tracks.iter().filter(|t| old_node(t) == node).collect();
                let is: Vec<&Track> = new.tracks.iter().filter(|t| new_node(t) == node).collect();
                if was.len() != is.len() || !was.iter().zip(&is).all(|(a, b)| same(a, b)) {
                    changed.push(node);
                }
            }
            if changed.is_empty() {
                continue;
            }
            let written = Clip {
                name: new.name.clone(),
                tracks: new
                    .tracks
                    .iter()
                    .filter(|t| changed.contains(&new_node(t)))
                    .cloned()
                    .collect(),
            };
            let node_of_joint: Vec<Option<usize>> = self.nodes.iter().map(|&n| Some(n)).collect();
            let made = self.builder.clip(&written, &node_of_joint);
            let location = format!("/animations/{animation}");
            let Some(Value::Object(target)) = self.builder.document.json.pointer_mut(&location) else {
                continue;
            };
            let samplers = list_mut(target, "samplers");
            let first = samplers.len();
            samplers.extend(made["samplers"].as_array().into_iter().flatten().cloned());
            let channels = list_mut(target, "channels");
            channels.retain(|c| {
                let path = c["target"]["path"].as_str();
                let node = c["target"]["node"].as_u64().map(|n| n as usize);
                path == Some("weights") || !node.is_some_and(|n| changed.contains(&n))
            });
            for channel in made["channels"].as_array().into_iter().flatten() {
                let mut channel = channel.clone();
                channel["sampler"] = (first + channel["sampler"].as_u64().unwrap_or(0) as usize).into();
                channels.push(channel);
            }
        }
    }
}
