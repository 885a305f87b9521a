//! From a document to a character, with a note of where each vertex came from.

use std::ops::Range;
use std::sync::Arc;

use glam::{DAffine3, DMat3, Vec2, Vec3};
use ligament::Character;
use ligament::character::{Alpha, Influence, Material, Mesh, Part, PartAttachment, Weights};
use rustc_hash::FxHashMap;

use super::clips::read_clips;
use super::container::Document;
use super::error::{GltfError, GltfWarning};
use super::influences::{influence_sets, read_influences};
use super::json::Node;
use super::nodes::{Scene, Skin, read_scene, read_skins};
use super::reader::Reader;
use super::scenes;
use super::skeleton::{Rig, build_rig, guess_joints};
use super::textures::{Textures, read_uvs};

/// What a document holds of a character.
#[derive(Clone)]
pub(super) struct ReadCharacter {
    /// Shared with whoever works on it.
    pub character: Arc<Character>,
    pub blocks: Vec<VertexBlock>,
    pub rig: Rig,
    /// For each clip the animation that it is.
    pub animation_of_clip: Vec<usize>,
    pub warnings: Vec<GltfWarning>,
}

/// A run of vertices that one or more primitives of a node share.
#[derive(Debug, Clone)]
pub(super) struct VertexBlock {
    pub vertices: Range<usize>,
    pub node: usize,
    pub mesh: usize,
    /// The primitives of the mesh that use these vertices.
    pub primitives: Vec<usize>,
    /// The skin that the file binds them with, if any.
    pub skin: Option<usize>,
    /// Whether binding gives them weights.
    pub is_skin: bool,
    /// Whether an earlier block holds the same primitives: weights are written once.
    pub repeats: bool,
}

/// `asked_scene` is the scene that was asked for, if any was; `unfolded` is how many of the document's bytes are none of the file's, but were
/// decompressed from it.
pub(super) fn read_character(
    document: &Document,
    name: &str,
    asked_scene: Option<usize>,
    unfolded: usize,
) -> Result<ReadCharacter, GltfError> {
    let reader = Reader::new(document, unfolded);
    let mut warnings = Vec::new();
    let scene = read_scene(&reader)?;
    let skins = read_skins(&reader, &scene, &mut warnings)?;

    let shown = scenes::shown(&Node::root(reader.json()), &scene, asked_scene, &mut warnings)?;
    let drawn: Vec<usize> = (0..scene.nodes.len())
        .filter(|&n| scene.nodes[n].mesh.is_some() && shown[n])
        .collect();
    let mut used: Vec<usize> = drawn.iter().filter_map(|&n| scene.nodes[n].skin).collect();
    used.sort_unstable();
    used.dedup();
    let any_skinned = !used.is_empty();
    let mut guessed = Vec::new();
    if !any_skinned {
        // No mesh is bound yet: all skins offer joints, or the bare nodes do.
        let is_shown = |skin: &usize| skins[*skin].joints.iter().any(|&n| shown[n]);
        used = (0..skins.len()).filter(is_shown).collect();
        if used.is_empty() {
            guessed = guess_joints(&scene);
            guessed.retain(|&n| shown[n]);
            if let Some(&root) = guessed.first() {
                warnings.push(GltfWarning::GuessedSkeleton {
                    joints: guessed.len(),
                    root: scene.nodes[root].name.clone(),
                });
            }
        }
    }
    let rig = build_rig(&scene, &skins, &used, &drawn, &guessed, &mut warnings);
    let lost_joint = used
        .iter()
        .flat_map(|&s| &skins[s].joints)
        .find(|&&n| rig.joint_of_node[n].is_none());
    if let Some(node) = lost_joint {
        return Err(GltfError::Unsupported {
            location: format!("/nodes/{node}"),
            what: "a skeleton of more than 65,535 nodes".to_owned(),
            way_out: "split the scene and bind one character at a time",
        });
    }

    let mut gather = Gather {
        reader: &reader,
        scene: &scene,
        skins: &skins,
        rig: &rig,
        mesh: Mesh::default(),
        influences: Vec::new(),
        any_weights: false,
        has_normals: true,
        has_colors: false,
        has_uvs: false,
        corner_uvs: Vec::new(),
        textures: Textures::new(&reader),
        normals: Vec::new(),
        colors: Vec::new(),
        blocks: Vec::new(),
        warnings: &mut warnings,
    };
    gather.all_nodes(&drawn, any_skinned)?;
    let Gather {
        mut mesh,
        influences,
        any_weights,
        has_normals,
        has_colors,
        has_uvs,
        corner_uvs,
        normals,
        colors,
        blocks,
        ..
    } = gather;
    mesh.normals = has_normals.then_some(normals);
    mesh.colors = has_colors.then_some(colors);
    mesh.corner_uvs = has_uvs.then_some(corner_uvs);
    let weights = any_weights
        .then(|| Weights::new(influences.iter().map(Vec::as_slice)).ok())
        .flatten();
    let (animation_of_clip, clips) = read_clips(&reader, &scene, &rig, &mut warnings)?
        .into_iter()
        .unzip();
    let character = Character {
        name: name.to_owned(),
        mesh,
        skeleton: rig.skeleton.clone(),
        weights,
        clips,
    };
    Ok(ReadCharacter {
        character: Arc::new(character),
        blocks,
        rig,
        animation_of_clip,
        warnings,
    })
}

/// Collects vertices and faces node by node.
struct Gather<'a> {
    reader: &'a Reader<'a>,
    scene: &'a Scene,
    skins: &'a [Skin],
    rig: &'a Rig,
    mesh: Mesh,
    influences: Vec<Vec<Influence>>,
    any_weights: bool,
    has_normals: bool,
    has_colors: bool,
    has_uvs: bool,
    corner_uvs: Vec<[Vec2; 3]>,
    textures: Textures<'a>,
    normals: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
    blocks: Vec<VertexBlock>,
    warnings: &'a mut Vec<GltfWarning>,
}

impl Gather<'_> {
    fn all_nodes(&mut self, drawn: &[usize], any_skinned: bool) -> Result<(), GltfError> {
        let mut left_out = 0;
        for &node in drawn {
            let Some(mesh) = self.scene.nodes[node].mesh else {
                continue;
            };
            let skin = self.scene.nodes[node].skin;
            if skin.is_none() && self.reader.is_low() {
                left_out += 1;
                continue;
            }
            let earlier = |b: &VertexBlock| b.mesh == mesh && b.skin.is_some() && skin.is_some();
            let repeats = self.blocks.iter().find(|&b| earlier(b)).map(|b| b.skin);
            if let Some(first) = repeats {
                self.warnings.push(GltfWarning::SharedMesh { mesh, node });
                if first == skin {
                    continue; // the very same skin in the very same place
                }
            }
            self.one_node(node, mesh, skin, any_skinned, repeats.is_some())?;
        }
        if left_out > 0 {
            self.warnings
                .push(GltfWarning::TooManyInstances { nodes: left_out });
        }
        Ok(())
    }

    fn one_node(
        &mut self,
        node: usize,
        mesh: usize,
        skin: Option<usize>,
        any_skinned: bool,
        repeats: bool,
    ) -> Result<(), GltfError> {
        let Some(carrier) = self.rig.joint_of_node[node] else {
            return Ok(());
        };
        let hangs_on_joint = {
            let skeleton = &self.rig.skeleton;
            skeleton.joint(carrier).in_skin || skeleton.skin_parent(carrier).is_some()
        };
        let has_skeleton = self.rig.skeleton.joints.iter().any(|j| j.in_skin);
        let is_skin = skin.is_some() || (!any_skinned && has_skeleton && !hangs_on_joint);
        let bind_from_mesh = skin
            .and_then(|s| self.rig.bind_from_mesh[s])
            .unwrap_or(self.rig.skeleton.joint(carrier).bind_from_joint);
        let json = Node::root(self.reader.json()).item("meshes", mesh)?;
        let node_name = &self.scene.nodes[node].name;
        let primitives = json.items("primitives")?;
        let mut block_of_attributes: FxHashMap<String, usize> = FxHashMap::default();
        for (p, primitive) in primitives.iter().enumerate() {
            let part = match primitives.len() {
                1 => node_name.clone(),
                _ => format!("{node_name}.{p}"),
            };
            let mode = primitive.index_or("mode", 4)?;
            if !(4..=6).contains(&mode) {
                let what = if mode == 0 { "points" } else { "lines" };
                self.warnings.push(GltfWarning::NotTriangles { part, what });
                continue;
            }
            let attributes = primitive.need("attributes")?;
            // Primitives that list the same attributes draw the same vertices.
            let key = attributes.value.to_string();
            let known = block_of_attributes.get(&key).copied();
            let block = match known {
                Some(block) => {
                    self.blocks[block].primitives.push(p);
                    block
                }
                None => {
                    let vertices = self.vertices(&attributes, bind_from_mesh)?;
                    self.weights_of(&attributes, &vertices, skin, carrier, &part)?;
                    self.blocks.push(VertexBlock {
                        vertices,
                        node,
                        mesh,
                        primitives: vec![p],
                        skin,
                        is_skin,
                        repeats,
                    });
                    block_of_attributes.insert(key, self.blocks.len() - 1);
                    self.blocks.len() - 1
                }
            };
            let vertices = self.blocks[block].vertices.clone();
            let triangles = self.triangles(primitive, mode, &vertices, bind_from_mesh, &part)?;
            self.extend_uvs(primitive, &vertices);
            if !is_skin && any_skinned {
                self.warnings.push(GltfWarning::RigidPart {
                    part: part.clone(),
                    node: self.carrier_name(carrier),
                });
            }
            let joints = skin.map(|s| self.rig.joints_of_skin(&self.skins[s]));
            let material = self.material(primitive)?;
            self.mesh.parts.push(Part {
                name: part,
                vertices,
                triangles,
                material,
                attachment: if is_skin {
                    PartAttachment::Skin
                } else {
                    PartAttachment::Rigid(carrier)
                },
                joints,
            });
        }
        Ok(())
    }

    /// What a person would say a rigid part hangs on.
    fn carrier_name(&self, carrier: ligament::JointIndex) -> String {
        let skeleton = &self.rig.skeleton;
        let joint = if skeleton.joint(carrier).in_skin {
            Some(carrier)
        } else {
            skeleton.skin_parent(carrier)
        };
        skeleton.joint(joint.unwrap_or(carrier)).name.clone()
    }

    /// Adds the vertices of a primitive; returns where they are.
    fn vertices(
        &mut self,
        attributes: &Node<'_>,
        bind_from_mesh: DAffine3,
    ) -> Result<Range<usize>, GltfError> {
        let accessor = attributes.need("POSITION")?;
        let index = accessor.as_index()?;
        let positions = self.reader.elements(index)?;
        if positions.width != 3 {
            return Err(accessor.fail("positions must be vectors of three"));
        }
        let start = self.mesh.positions.len();
        let numbers = positions.to_f32();
        let is_identity = bind_from_mesh == DAffine3::IDENTITY;
        self.mesh
            .positions
            .extend(numbers.as_chunks::<3>().0.iter().map(|&p| {
                let p = Vec3::from_array(p);
                if is_identity {
                    p
                } else {
                    bind_from_mesh.transform_point3(p.as_dvec3()).as_vec3()
                }
            }));
        let end = self.mesh.positions.len();
        if end > u32::MAX as usize {
            return Err(accessor.fail("there are more vertices than 32-bit indices can name"));
        }
        self.extend_normals(attributes, bind_from_mesh, end)?;
        self.extend_colors(attributes, end)?;
        Ok(start..end)
    }

    fn extend_normals(
        &mut self,
        attributes: &Node<'_>,
        bind_from_mesh: DAffine3,
        end: usize,
    ) -> Result<(), GltfError> {
        let normals = match attributes.get("NORMAL") {
            Some(accessor) => Some(self.reader.elements(accessor.as_index()?)?),
            None => None,
        };
        let usable = normals.filter(|n| n.width == 3 && self.normals.len() + n.count() == end);
        let Some(normals) = usable else {
            self.has_normals = false;
            self.normals.resize(end, Vec3::Y);
            return Ok(());
        };
        // Normals go with the inverse transpose, up to the length that is set to one.
        let rotation: DMat3 = bind_from_mesh.matrix3.inverse().transpose();
        self.normals
            .extend(normals.to_f32().as_chunks::<3>().0.iter().map(|&n| {
                (rotation * Vec3::from_array(n).as_dvec3())
                    .as_vec3()
                    .try_normalize()
                    .unwrap_or(Vec3::Y)
            }));
        Ok(())
    }

    fn extend_colors(&mut self, attributes: &Node<'_>, end: usize) -> Result<(), GltfError> {
        const WHITE: [f32; 4] = [1.0; 4];
        let colors = match attributes.get("COLOR_0") {
            Some(accessor) => Some(self.reader.elements(accessor.as_index()?)?),
            None => None,
        };
        if let Some(colors) = colors.filter(|c| self.colors.len() + c.count() == end) {
            let numbers = colors.to_f32();
            match colors.width {
                3 => self
                    .colors
                    .extend(numbers.as_chunks::<3>().0.iter().map(|&[r, g, b]| [r, g, b, 1.0])),
                4 => self.colors.extend_from_slice(numbers.as_chunks::<4>().0),
                _ => {}
            }
            self.has_colors = true;
        }
        self.colors.resize(end, WHITE);
        Ok(())
    }

    fn weights_of(
        &mut self,
        attributes: &Node<'_>,
        vertices: &Range<usize>,
        skin: Option<usize>,
        carrier: ligament::JointIndex,
        part: &str,
    ) -> Result<(), GltfError> {
        let one = |joint| vec![Influence { joint, weight: 1.0 }];
        let sets = influence_sets(attributes)?;
        if let (Some(skin), false) = (skin, sets.is_empty()) {
            let joints = self.rig.joints_of_skin(&self.skins[skin]);
            let lists = read_influences(self.reader, &sets, vertices.len(), &joints, part, self.warnings)?;
            self.any_weights = true;
            self.influences.extend(lists);
        } else if let Some(skin) = skin {
            let joints = self.rig.joints_of_skin(&self.skins[skin]);
            self.warnings.push(GltfWarning::Unweighted {
                part: part.to_owned(),
                vertices: vertices.len(),
            });
            self.influences
                .resize(vertices.end, one(joints.first().copied().unwrap_or(carrier)));
        } else {
            self.influences.resize(vertices.end, one(carrier));
        }
        Ok(())
    }

    /// Adds the faces of a primitive; returns where they are.
    fn triangles(
        &mut self,
        primitive: &Node<'_>,
        mode: usize,
        vertices: &Range<usize>,
        bind_from_mesh: DAffine3,
        part: &str,
    ) -> Result<Range<usize>, GltfError> {
        let indices: Vec<u32> = match primitive.get("indices") {
            Some(accessor) => self
                .reader
                .elements(accessor.as_index()?)?
                .to_u32()
                .ok_or_else(|| accessor.fail("indices must be unsigned integers"))?,
            None => (0..vertices.len() as u32).collect(),
        };
        let corners: Vec<[u32; 3]> = match mode {
            5 => (2..indices.len())
                .map(|i| {
                    let (a, b) = if i % 2 == 0 {
                        (i - 2, i - 1)
                    } else {
                        (i - 1, i - 2)
                    };
                    [indices[a], indices[b], indices[i]]
                })
                .collect(),
            6 => (2..indices.len())
                .map(|i| [indices[0], indices[i - 1], indices[i]])
                .collect(),
            _ => indices.as_chunks::<3>().0.to_vec(),
        };
        let start = self.mesh.triangles.len();
        let total = corners.len();
        // A mirroring transform turns faces inside out; turn them back.
        let mirrored = bind_from_mesh.matrix3.determinant() < 0.0;
        self.mesh.triangles.extend(
            corners
                .into_iter()
                .filter(|c| c.iter().all(|&v| (v as usize) < vertices.len()))
                .map(|c| c.map(|v| v + vertices.start as u32))
                .map(|[a, b, c]| if mirrored { [a, c, b] } else { [a, b, c] }),
        );
        let end = self.mesh.triangles.len();
        if end - start < total {
            self.warnings.push(GltfWarning::TrianglesOutOfRange {
                part: part.to_owned(),
                triangles: total - (end - start),
            });
        }
        Ok(start..end)
    }

    /// Adds the texture coordinates of the faces that were added last.
    fn extend_uvs(&mut self, primitive: &Node<'_>, vertices: &Range<usize>) {
        let uvs = read_uvs(self.reader, primitive, vertices.len());
        self.has_uvs |= uvs.is_some();
        let new = &self.mesh.triangles[self.corner_uvs.len()..];
        let uv = |v: u32| {
            uvs.as_ref()
                .map_or(Vec2::ZERO, |uvs| uvs[v as usize - vertices.start])
        };
        self.corner_uvs.extend(new.iter().map(|corners| corners.map(uv)));
    }

    fn material(&mut self, primitive: &Node<'_>) -> Result<Material, GltfError> {
        let Some(index) = primitive.get("material") else {
            return Ok(Material::default());
        };
        let material = Node::root(self.reader.json()).item("materials", index.as_index()?)?;
        let surface = material.get("pbrMetallicRoughness");
        let color = surface.map_or(Ok([1.0; 4]), |s| s.numbers_or("baseColorFactor", [1.0; 4]))?;
        Ok(Material {
            name: material.str_or("name", "").to_owned(),
            base_color: color.map(|c| c as f32),
            double_sided: material.bool_or("doubleSided", false),
            texture: self.textures.of_material(&material),
            normal_map: self.textures.normal_map(&material),
            alpha: match material.str_or("alphaMode", "OPAQUE") {
                "MASK" => {
                    let cutoff = material.get("alphaCutoff").and_then(|c| c.value.as_f64());
                    Alpha::Mask(cutoff.unwrap_or(0.5) as f32)
                }
                "BLEND" => Alpha::Blend,
                _ => Alpha::Opaque,
            },
        })
    }
}
