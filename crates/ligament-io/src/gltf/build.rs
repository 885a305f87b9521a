//! A document made from a character alone: for samples, and for sources that are no glTF.

use glam::{DAffine3, DVec3, Vec3};
use ligament::Character;
use ligament::character::{
    Alpha, Channel, Interpolation, JointIndex, Material, PartAttachment, Skeleton, Texture, Transform,
    UvTransform, Wrap,
};
use serde_json::{Map, Value, json};

use super::accessor::Component;
use super::container::{Document, image_type};
use super::json::list_mut;
use super::read::read_character;
use super::shape_motion::Morphed;
use super::split_vertices::SplitVertices;
use super::textures::{CLAMP, MIRROR, REPEAT};
use super::write_weights::{WeightFormat, WriteWeightsError, matrix_columns, with_weights};
use crate::shape_motion::whole_clips;

const ARRAY_BUFFER: u32 = 34962;
const INDEX_BUFFER: u32 = 34963;

/// A document made from a character, and where its vertices came from.
pub struct Built {
    /// The document.
    pub document: Document,
    /// For each vertex of the document, in the order in which it is read back, the vertex
    /// of the character. Vertices on a texture's seam appear once for each side of it.
    pub source_vertices: Vec<u32>,
}

/// A document that holds the character: joints as nodes, a skin, a mesh node for each
/// part, the clips, the textures, and the weights if it has any.
pub fn build(character: &Character) -> Result<Built, WriteWeightsError> {
    let (document, source_vertices) = build_unbound(character);
    let Some(weights) = &character.weights else {
        return Ok(Built {
            document,
            source_vertices,
        });
    };
    let read = read_character(&document, &character.name, None, 0)?;
    let nodes = nodes_of_joints(character);
    let joint_in_file = |joint: JointIndex| {
        let node = nodes.get(joint.at()).copied().flatten();
        node.and_then(|n| read.rig.joint_of_node.get(n).copied().flatten())
            .unwrap_or(joint)
    };
    let gathered = weights
        .gathered(source_vertices.iter().map(|&v| v as usize))
        .renumbered(joint_in_file);
    Ok(Built {
        document: with_weights(&document, &read, &gathered, WeightFormat::Keep)?,
        source_vertices,
    })
}

fn build_unbound(character: &Character) -> (Document, Vec<u32>) {
    let mut builder = Builder {
        document: Document::from_parts(Map::new(), Vec::new()),
    };
    let skeleton = &character.skeleton;
    let node_of_joint = nodes_of_joints(character);
    let node_of = |joint: JointIndex| node_of_joint[joint.at()];
    let mut nodes: Vec<Value> = Vec::new();
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut roots = Vec::new();
    for joint in skeleton.indices() {
        let Some(node) = node_of(joint) else { continue };
        let joint = skeleton.joint(joint);
        nodes.push(node_json(&joint.name, &joint.rest));
        children.push(Vec::new());
        match joint.parent.and_then(node_of) {
            Some(parent) => children[parent].push(node),
            None => roots.push(node),
        }
    }

    let (materials, material_of_part) = builder.materials(character);
    let mut source_vertices = Vec::new();
    let mut meshes: Vec<(String, Vec<Value>, Map<String, Value>)> = Vec::new();
    let mut mesh_roots = Vec::new();
    let mut morphed: Vec<Morphed> = Vec::new();
    let mut groups: Vec<(std::ops::Range<usize>, usize, SplitVertices)> = Vec::new();
    for (part, &material) in character.mesh.parts.iter().zip(&material_of_part) {
        let shared = groups.iter().position(|(range, ..)| *range == part.vertices);
        if let Some((_, mesh, split)) = shared.map(|g| &groups[g]) {
            // The same vertices under another material: one more primitive of the mesh.
            let indices = builder.indices(character, part, split);
            let primitives: &mut Vec<Value> = &mut meshes[*mesh].1;
            let mut primitive = primitives[0].clone();
            primitive["indices"] = indices.into();
            primitive["material"] = material.into();
            primitives.push(primitive);
            continue;
        }
        let split = SplitVertices::of(&character.mesh, &part.vertices);
        source_vertices.extend_from_slice(&split.sources);
        let indices = builder.indices(character, part, &split);
        let attributes = builder.attributes(character, part, &split);
        let mut primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
        let shapes = character.mesh.blend_shapes.iter();
        let shapes: Vec<_> = shapes.filter(|s| s.part_vertices == part.vertices).collect();
        let mut stated = Map::new();
        if let Some((targets, of_mesh)) = builder.targets(&shapes, &split, carrier_of(character, part)) {
            primitive["targets"] = targets.into();
            stated = of_mesh;
        }
        let mesh = meshes.len();
        groups.push((part.vertices.clone(), mesh, split));
        meshes.push((part.name.clone(), vec![primitive], stated));
        let node = nodes.len();
        nodes.push(json!({ "name": part.name, "mesh": mesh }));
        morphed.push(Morphed {
            node,
            vertices: part.vertices.clone(),
        });
        let carrier = match part.attachment {
            PartAttachment::Rigid(joint) => node_of(joint),
            PartAttachment::Skin => None,
        };
        match carrier {
            Some(carrier) => children[carrier].push(node),
            None => mesh_roots.push(node),
        }
    }
    let meshes: Vec<Value> = meshes
        .into_iter()
        .map(|(name, primitives, stated)| {
            let mut mesh = Map::new();
            mesh.insert("name".to_owned(), name.into());
            mesh.insert("primitives".to_owned(), primitives.into());
            mesh.extend(stated);
            Value::Object(mesh)
        })
        .collect();
    for (node, children) in nodes.iter_mut().zip(&children) {
        if !children.is_empty() {
            node["children"] = json!(children);
        }
    }
    mesh_roots.extend(roots);

    let mut json = Map::new();
    json.insert(
        "asset".to_owned(),
        json!({ "version": "2.0", "generator": "Ligament" }),
    );
    json.insert("scene".to_owned(), 0.into());
    json.insert(
        "scenes".to_owned(),
        json!([{ "name": character.name, "nodes": mesh_roots }]),
    );
    // glTF allows no empty lists.
    for (key, list) in [("nodes", nodes), ("meshes", meshes), ("materials", materials)] {
        if !list.is_empty() {
            json.insert(key.to_owned(), list.into());
        }
    }
    if let Some(skin) = builder.skin(&character.skeleton, &node_of_joint) {
        json.insert("skins".to_owned(), json!([skin]));
    }
    let clips: Vec<Value> = whole_clips(character)
        .iter()
        .map(|whole| {
            let mut made = match whole.joints {
                Some(clip) => builder.clip(clip, &node_of_joint),
                None => json!({ "name": whole.name, "samplers": [], "channels": [] }),
            };
            builder.move_shapes(&mut made, whole, &character.mesh.blend_shapes, &morphed);
            made
        })
        .collect();
    if !clips.is_empty() {
        json.insert("animations".to_owned(), clips.into());
    }
    for (key, value) in std::mem::take(builder.document.object_mut()) {
        json.insert(key, value); // buffers, views, accessors
    }
    *builder.document.object_mut() = json;
    (builder.document, source_vertices)
}

/// The node that each joint becomes. Plain nodes at the ends of the tree that carry
/// nothing and never move are left out: they were the nodes of the source's meshes.
pub(crate) fn nodes_of_joints(character: &Character) -> Vec<Option<usize>> {
    let joints = &character.skeleton.joints;
    let mut wanted: Vec<bool> = joints.iter().map(|j| j.in_skin).collect();
    for part in &character.mesh.parts {
        if let PartAttachment::Rigid(joint) = part.attachment {
            wanted[joint.at()] = true;
        }
    }
    for track in character.clips.iter().flat_map(|c| &c.tracks) {
        wanted[track.joint.at()] = true;
    }
    for (i, joint) in joints.iter().enumerate().rev() {
        if let (true, Some(parent)) = (wanted[i], joint.parent) {
            wanted[parent.at()] = true;
        }
    }
    let mut next = 0;
    wanted
        .into_iter()
        .map(|wanted| {
            next += usize::from(wanted);
            wanted.then(|| next - 1)
        })
        .collect()
}

/// A picture that was written, laid on in one way.
struct KnownTexture<'a> {
    bytes: &'a [u8],
    wrap: [Wrap; 2],
    image: usize,
    texture: usize,
}

/// What `KHR_texture_transform` says, where it changes anything.
fn transform_json(transform: &UvTransform) -> Option<Value> {
    let mut fields = Map::new();
    if transform.offset != UvTransform::IDENTITY.offset {
        fields.insert("offset".to_owned(), json!(transform.offset.to_array()));
    }
    if transform.rotation != 0.0 {
        fields.insert("rotation".to_owned(), json!(transform.rotation));
    }
    if transform.scale != UvTransform::IDENTITY.scale {
        fields.insert("scale".to_owned(), json!(transform.scale.to_array()));
    }
    (!fields.is_empty()).then_some(Value::Object(fields))
}

pub(super) fn node_json(name: &str, rest: &Transform) -> Value {
    let mut node = Map::new();
    node.insert("name".to_owned(), name.into());
    if rest.translation != DVec3::ZERO {
        node.insert("translation".to_owned(), json!(rest.translation.to_array()));
    }
    if rest.rotation != Transform::IDENTITY.rotation {
        node.insert("rotation".to_owned(), json!(rest.rotation.to_array()));
    }
    if rest.scale != DVec3::ONE {
        node.insert("scale".to_owned(), json!(rest.scale.to_array()));
    }
    Value::Object(node)
}

/// What a joint carries is stored as the joint sees it.
fn carrier_of(character: &Character, part: &ligament::Part) -> Option<DAffine3> {
    match part.attachment {
        PartAttachment::Rigid(joint) => Some(character.skeleton.joint(joint).bind_from_joint.inverse()),
        PartAttachment::Skin => None,
    }
}

pub(super) struct Builder {
    pub document: Document,
}

impl Builder {
    pub(super) fn floats(
        &mut self,
        numbers: impl IntoIterator<Item = f32>,
        kind: &str,
        width: usize,
        target: Option<u32>,
    ) -> (usize, Vec<f32>) {
        let numbers: Vec<f32> = numbers.into_iter().collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.document.append_view(&bytes, target);
        let accessor = self.document.append_accessor(json!({
            "bufferView": view,
            "componentType": Component::F32.code(),
            "count": numbers.len() / width,
            "type": kind,
        }));
        (accessor, numbers)
    }

    /// Adds the least and largest of each component, which some accessors must state.
    pub(super) fn state_bounds(&mut self, accessor: usize, numbers: &[f32], width: usize) {
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|c| {
                    numbers
                        .iter()
                        .skip(c)
                        .step_by(width)
                        .copied()
                        .reduce(pick)
                        .unwrap_or(0.0)
                })
                .collect()
        };
        if let Some(Value::Object(fields)) = self.document.json.pointer_mut(&format!("/accessors/{accessor}"))
        {
            fields.insert("min".to_owned(), json!(bound(f32::min)));
            fields.insert("max".to_owned(), json!(bound(f32::max)));
        }
    }

    /// Each different material once, and which one each part has.
    fn materials(&mut self, character: &Character) -> (Vec<Value>, Vec<usize>) {
        let mut distinct: Vec<&Material> = Vec::new();
        let mut of_part = Vec::new();
        for part in &character.mesh.parts {
            let index = distinct
                .iter()
                .position(|&m| *m == part.material)
                .unwrap_or_else(|| {
                    distinct.push(&part.material);
                    distinct.len() - 1
                });
            of_part.push(index);
        }
        let mut images: Vec<KnownTexture<'_>> = Vec::new();
        let values = distinct
            .iter()
            .map(|m| {
                let mut surface = Map::new();
                surface.insert("baseColorFactor".to_owned(), json!(m.base_color));
                let texture = m.texture.as_ref();
                if let Some(reference) = texture.and_then(|t| self.reference(t, &mut images)) {
                    surface.insert("baseColorTexture".to_owned(), reference);
                }
                surface.insert("metallicFactor".to_owned(), 0.0.into());
                surface.insert("roughnessFactor".to_owned(), 0.8.into());
                let mut material = Map::new();
                if !m.name.is_empty() {
                    material.insert("name".to_owned(), m.name.clone().into());
                }
                material.insert("pbrMetallicRoughness".to_owned(), surface.into());
                let bumps = m.normal_map.as_ref();
                if let Some((map, mut reference)) =
                    bumps.and_then(|map| Some((map, self.reference(&map.texture, &mut images)?)))
                {
                    if map.strength != 1.0 {
                        reference["scale"] = json!(map.strength);
                    }
                    material.insert("normalTexture".to_owned(), reference);
                }
                match m.alpha {
                    Alpha::Opaque => {}
                    Alpha::Mask(cutoff) => {
                        material.insert("alphaMode".to_owned(), "MASK".into());
                        material.insert("alphaCutoff".to_owned(), json!(cutoff));
                    }
                    Alpha::Blend => {
                        material.insert("alphaMode".to_owned(), "BLEND".into());
                    }
                }
                if m.double_sided {
                    material.insert("doubleSided".to_owned(), true.into());
                }
                Value::Object(material)
            })
            .collect();
        (values, of_part)
    }

    /// What a material says of a texture that it shows.
    fn reference<'a>(&mut self, texture: &'a Texture, known: &mut Vec<KnownTexture<'a>>) -> Option<Value> {
        let mut reference = json!({ "index": self.texture(texture, known)? });
        if let Some(extension) = transform_json(&texture.transform) {
            self.use_extension("KHR_texture_transform", false);
            reference["extensions"] = json!({ "KHR_texture_transform": extension });
        }
        Some(reference)
    }

    /// The index of a texture; each picture is stored once. `None` for bytes that are
    /// neither PNG nor JPEG.
    fn texture<'a>(&mut self, texture: &'a Texture, known: &mut Vec<KnownTexture<'a>>) -> Option<usize> {
        let bytes: &'a [u8] = &texture.bytes;
        let same_bytes = |k: &&KnownTexture<'a>| k.bytes == bytes;
        if let Some(k) = known.iter().find(|k| same_bytes(k) && k.wrap == texture.wrap) {
            return Some(k.texture);
        }
        let mime = image_type(bytes)?;
        let source = match known.iter().find(same_bytes) {
            Some(k) => k.image,
            None => {
                let view = self.document.append_view(bytes, None);
                let images = list_mut(self.document.object_mut(), "images");
                images.push(json!({ "name": texture.name, "mimeType": mime, "bufferView": view }));
                images.len() - 1
            }
        };
        let mut entry = if mime == "image/webp" {
            self.use_extension("EXT_texture_webp", true);
            json!({ "extensions": { "EXT_texture_webp": { "source": source } } })
        } else {
            json!({ "source": source })
        };
        if texture.wrap != [Wrap::Repeat; 2] {
            let [s, t] = texture.wrap.map(|wrap| match wrap {
                Wrap::Repeat => REPEAT,
                Wrap::Mirror => MIRROR,
                Wrap::Clamp => CLAMP,
            });
            let samplers = list_mut(self.document.object_mut(), "samplers");
            samplers.push(json!({ "wrapS": s, "wrapT": t }));
            entry["sampler"] = (samplers.len() - 1).into();
        }
        let textures = list_mut(self.document.object_mut(), "textures");
        textures.push(entry);
        known.push(KnownTexture {
            bytes,
            wrap: texture.wrap,
            image: source,
            texture: textures.len() - 1,
        });
        Some(textures.len() - 1)
    }

    /// Lists an extension, once.
    fn use_extension(&mut self, name: &str, required: bool) {
        let lists = ["extensionsUsed", "extensionsRequired"];
        for list in &lists[..if required { 2 } else { 1 }] {
            let names = list_mut(self.document.object_mut(), list);
            if !names.iter().any(|n| n == name) {
                names.push(name.into());
            }
        }
    }

    fn attributes(
        &mut self,
        character: &Character,
        part: &ligament::Part,
        split: &SplitVertices,
    ) -> Map<String, Value> {
        let mesh = &character.mesh;
        let carrier = carrier_of(character, part);
        let location = |p: Vec3| carrier.map_or(p, |m| m.transform_point3(p.as_dvec3()).as_vec3());
        let turn = |n: Vec3| carrier.map_or(n, |m| m.transform_vector3(n.as_dvec3()).normalize().as_vec3());
        let vertices = || split.sources.iter().map(|&v| v as usize);
        let mut attributes = Map::new();
        let positions = vertices().flat_map(|v| location(mesh.positions[v]).to_array());
        let (accessor, numbers) = self.floats(positions, "VEC3", 3, Some(ARRAY_BUFFER));
        self.state_bounds(accessor, &numbers, 3);
        attributes.insert("POSITION".to_owned(), accessor.into());
        let at_vertices = || mesh.normals.as_ref().map(|n| vertices().map(|v| n[v]).collect());
        if let Some(normals) = split.normals.clone().or_else(at_vertices) {
            let normals = normals.into_iter().flat_map(|n| turn(n).to_array());
            let (accessor, _) = self.floats(normals, "VEC3", 3, Some(ARRAY_BUFFER));
            attributes.insert("NORMAL".to_owned(), accessor.into());
        }
        if let Some(colors) = &mesh.colors {
            let numbers = vertices().flat_map(|v| colors[v]);
            let (accessor, _) = self.floats(numbers, "VEC4", 4, Some(ARRAY_BUFFER));
            attributes.insert("COLOR_0".to_owned(), accessor.into());
        }
        if let Some(uvs) = &split.uvs {
            let numbers = uvs.iter().flat_map(|uv| uv.to_array());
            let (accessor, _) = self.floats(numbers, "VEC2", 2, Some(ARRAY_BUFFER));
            attributes.insert("TEXCOORD_0".to_owned(), accessor.into());
        }
        attributes
    }

    fn indices(&mut self, character: &Character, part: &ligament::Part, split: &SplitVertices) -> usize {
        let corners = part
            .triangles
            .clone()
            .flat_map(|triangle| (0..3).map(move |corner| (triangle, corner)))
            .map(|(triangle, corner)| split.index(&character.mesh, triangle, corner));
        let (bytes, component): (Vec<u8>, Component) = if split.sources.len() <= usize::from(u16::MAX) {
            (
                corners.flat_map(|v| (v as u16).to_le_bytes()).collect(),
                Component::U16,
            )
        } else {
            (corners.flat_map(u32::to_le_bytes).collect(), Component::U32)
        };
        let view = self.document.append_view(&bytes, Some(INDEX_BUFFER));
        self.document.append_accessor(json!({
            "bufferView": view,
            "componentType": component.code(),
            "count": 3 * part.triangles.len(),
            "type": "SCALAR",
        }))
    }

    pub(super) fn skin(&mut self, skeleton: &Skeleton, node_of_joint: &[Option<usize>]) -> Option<Value> {
        let joints: Vec<usize> = (0..skeleton.joints.len())
            .filter(|&j| skeleton.joints[j].in_skin)
            .collect();
        if joints.is_empty() {
            return None;
        }
        let matrices = joints
            .iter()
            .flat_map(|&j| matrix_columns(skeleton.joints[j].bind_from_joint.inverse()));
        let (accessor, _) = self.floats(matrices, "MAT4", 16, None);
        let nodes: Vec<usize> = joints.iter().filter_map(|&j| node_of_joint[j]).collect();
        Some(json!({ "inverseBindMatrices": accessor, "joints": nodes }))
    }

    pub(super) fn clip(&mut self, clip: &ligament::Clip, node_of_joint: &[Option<usize>]) -> Value {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        let mut known_times: Vec<(&[f32], usize)> = Vec::new();
        for track in &clip.tracks {
            let known = known_times
                .iter()
                .find(|(times, _)| *times == track.times.as_slice())
                .map(|&(_, a)| a);
            let input = known.unwrap_or_else(|| {
                let (accessor, numbers) = self.floats(track.times.iter().copied(), "SCALAR", 1, None);
                self.state_bounds(accessor, &numbers, 1);
                known_times.push((&track.times, accessor));
                accessor
            });
            let kind = if track.channel == Channel::Rotation {
                "VEC4"
            } else {
                "VEC3"
            };
            let (output, _) = self.floats(track.values.iter().copied(), kind, track.channel.width(), None);
            let interpolation = match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            let path = match track.channel {
                Channel::Translation => "translation",
                Channel::Rotation => "rotation",
                Channel::Scale => "scale",
            };
            channels.push(
                json!({ "sampler": samplers.len(), "target": { "node": node_of_joint[track.joint.at()], "path": path } }),
            );
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        }
        json!({ "name": clip.name, "samplers": samplers, "channels": channels })
    }
}
