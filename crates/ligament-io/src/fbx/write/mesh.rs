//! Runs of vertices as meshes with their skins.

use std::collections::HashMap;
use std::ops::Range;

use glam::{DAffine3, DVec3, Vec2};
use ligament::Character;
use ligament::character::{JointIndex, Part, PartAttachment, Transform};

use super::blend_shapes::write_blend_shapes;
use super::node::Node;
use super::rig::{Rig, model};
use super::scene::{Scene, UNITS, matrix, object, properties};
use crate::export::runs;

/// For each plain node whether a mesh can be put on it: it carries one mesh and nothing else.
pub(super) fn carriers(character: &Character) -> Vec<bool> {
    let mut carried = vec![0usize; character.skeleton.joints.len()];
    for (_, parts) in runs(&character.mesh) {
        if let PartAttachment::Rigid(joint) = character.mesh.parts[parts[0]].attachment {
            carried[joint.at()] += 1;
        }
    }
    let mut alone: Vec<bool> = character
        .skeleton
        .joints
        .iter()
        .zip(&carried)
        .map(|(joint, &meshes)| {
            let sound = joint.bind_from_joint.matrix3.determinant() != 0.0;
            !joint.in_skin && meshes == 1 && sound && joint.bind_from_joint.inverse().is_finite()
        })
        .collect();
    for parent in character.skeleton.joints.iter().filter_map(|j| j.parent) {
        alone[parent.at()] = false;
    }
    alone
}

/// What was written of meshes.
pub(super) struct WrittenMeshes {
    /// Their nodes, and where these were at bind time.
    pub placed: Vec<(i64, DAffine3)>,
    /// For each blend shape the number of its channel; none for one of no part.
    pub channels: Vec<Option<i64>>,
}

/// Writes all meshes.
pub(super) fn write_meshes(
    scene: &mut Scene,
    character: &Character,
    rig: &mut Rig,
    carriers: &[bool],
    materials: &[i64],
) -> WrittenMeshes {
    let mut placed = Vec::new();
    let mut channels = vec![None; character.mesh.blend_shapes.len()];
    for (vertices, parts) in runs(&character.mesh) {
        let first = &character.mesh.parts[parts[0]];
        let (node, world_from_mesh) = node_of(scene, rig, carriers, first);
        let mut slots: Vec<i64> = Vec::new();
        for &part in &parts {
            if !slots.contains(&materials[part]) {
                slots.push(materials[part]);
            }
        }
        let slot_of = |part: usize| slots.iter().position(|m| *m == materials[part]).unwrap_or(0) as i32;
        let geometry = scene.id();
        let run = Run {
            character,
            vertices: &vertices,
            parts: &parts,
            mesh_from_bind: world_from_mesh.inverse(),
        };
        let slot_of_part: Vec<i32> = parts.iter().map(|&p| slot_of(p)).collect();
        let record = run.geometry(geometry, &first.name, &slot_of_part);
        scene.objects.push(record);
        scene.connect(geometry, node);
        for material in slots {
            scene.connect(material, node);
        }
        if first.attachment == PartAttachment::Skin {
            write_skin(scene, &run, rig, geometry, &first.name, world_from_mesh);
        }
        let shapes = character.mesh.blend_shapes.iter().enumerate();
        let (indices, shapes): (Vec<_>, Vec<_>) = shapes.filter(|(_, s)| s.part_vertices == vertices).unzip();
        let written = write_blend_shapes(scene, &shapes, geometry, &first.name, run.mesh_from_bind);
        for (index, channel) in indices.into_iter().zip(written) {
            channels[index] = Some(channel);
        }
        placed.push((node, world_from_mesh));
    }
    WrittenMeshes { placed, channels }
}

/// The node that a mesh hangs on, made if there is none yet, and where it is in bind space.
fn node_of(scene: &mut Scene, rig: &mut Rig, carriers: &[bool], part: &Part) -> (i64, DAffine3) {
    let carrier = match part.attachment {
        PartAttachment::Rigid(joint) => rig.get(joint).map(|node| (joint, *node)),
        PartAttachment::Skin => None,
    };
    let sound = |m: &DAffine3| m.matrix3.determinant() != 0.0 && m.inverse().is_finite();
    let carrier = carrier.filter(|(_, node)| sound(&node.bind));
    if let Some((joint, node)) = carrier
        && carriers[joint.at()]
    {
        let waits = rig.waiting.iter().position(|(id, _)| *id == node.id);
        scene.objects.extend(waits.map(|w| rig.waiting.swap_remove(w).1));
        return (node.id, node.bind);
    }
    let id = scene.id();
    let name = if part.name.is_empty() { "mesh" } else { &part.name };
    scene.objects.push(model(id, name, "Mesh", &Transform::IDENTITY));
    scene.connect(id, carrier.map_or(0, |(_, node)| node.id));
    (id, carrier.map_or(DAffine3::IDENTITY, |(_, node)| node.bind))
}

/// Vertices that become one mesh.
struct Run<'a> {
    character: &'a Character,
    vertices: &'a Range<usize>,
    parts: &'a [usize],
    /// From bind space to the mesh's own, both in centimetres.
    mesh_from_bind: DAffine3,
}

impl Run<'_> {
    fn triangles(&self) -> impl Iterator<Item = usize> {
        let mesh = &self.character.mesh;
        self.parts.iter().flat_map(|&p| mesh.parts[p].triangles.clone())
    }

    /// Whether its own space is a mirror image of bind space, so that faces turn around.
    fn is_mirrored(&self) -> bool {
        self.mesh_from_bind.matrix3.determinant() < 0.0
    }

    /// The corners of a face in the order in which they are written.
    fn corners<T: Copy>(&self, corners: [T; 3]) -> [T; 3] {
        let [a, b, c] = corners;
        if self.is_mirrored() { [a, c, b] } else { corners }
    }

    fn geometry(&self, id: i64, name: &str, slot_of_part: &[i32]) -> Node {
        let mesh = &self.character.mesh;
        let points = mesh.positions[self.vertices.clone()]
            .iter()
            .map(|p| self.mesh_from_bind.transform_point3(p.as_dvec3() * UNITS))
            .flat_map(|p| p.to_array());
        let index = |v: u32| i64::from(v) as i32 - self.vertices.start as i32;
        let faces = self.triangles().flat_map(|t| {
            let [a, b, c] = self.corners(mesh.triangles[t]).map(index);
            [a, b, !c] // the last corner of a polygon is stored by its complement
        });
        let mut layers = vec![self.normals()];
        layers.extend(self.colors());
        layers.extend(self.uvs());
        layers.push(
            layer_element("LayerElementSmoothing", "ByPolygon", "Direct").child(Node::of(
                "Smoothing",
                self.triangles().map(|_| 1).collect::<Vec<i32>>(),
            )),
        );
        layers.push(self.material_slots(slot_of_part));
        let layer = layers.iter().map(|element| {
            Node::new("LayerElement")
                .child(Node::of("Type", element.name()))
                .child(Node::of("TypedIndex", 0))
        });
        let layer = Node::of("Layer", 0)
            .child(Node::of("Version", 100))
            .children(layer.collect::<Vec<_>>());
        object("Geometry", id, name, "Mesh")
            .child(properties([]))
            .child(Node::of("GeometryVersion", 124))
            .child(Node::of("Vertices", points.collect::<Vec<f64>>()))
            .child(Node::of("PolygonVertexIndex", faces.collect::<Vec<i32>>()))
            .children(layers)
            .child(layer)
    }

    fn normals(&self) -> Node {
        let mesh = &self.character.mesh;
        let of_faces;
        let normals = match &mesh.normals {
            Some(normals) => normals,
            None => {
                of_faces = mesh.face_normals_at_vertices();
                &of_faces
            }
        };
        // Normals go with the inverse transpose, up to the length that is set to one.
        let rotation = self.mesh_from_bind.matrix3.inverse().transpose();
        let of_corners = self.triangles().flat_map(|t| {
            let of_face = match &mesh.corner_normals {
                Some(corners) => corners[t],
                None => mesh.triangles[t].map(|v| normals[v as usize]),
            };
            self.corners(of_face).into_iter().flat_map(|normal| {
                let n = rotation * normal.as_dvec3();
                n.try_normalize().unwrap_or(DVec3::Y).to_array()
            })
        });
        layer_element("LayerElementNormal", "ByPolygonVertex", "Direct")
            .child(Node::of("Normals", of_corners.collect::<Vec<f64>>()))
    }

    fn colors(&self) -> Option<Node> {
        let mesh = &self.character.mesh;
        let colors = &mesh.colors.as_ref()?[self.vertices.clone()];
        let index = |v: u32| i64::from(v) as i32 - self.vertices.start as i32;
        let indices = self
            .triangles()
            .flat_map(|t| self.corners(mesh.triangles[t]).map(index));
        let values = colors.iter().flatten().map(|&c| f64::from(c));
        Some(
            layer_element("LayerElementColor", "ByPolygonVertex", "IndexToDirect")
                .child(Node::of("Colors", values.collect::<Vec<f64>>()))
                .child(Node::of("ColorIndex", indices.collect::<Vec<i32>>())),
        )
    }

    fn uvs(&self) -> Option<Node> {
        let uvs = self.character.mesh.corner_uvs.as_ref()?;
        let mut index_of: HashMap<[u32; 2], i32> = HashMap::new();
        let mut values: Vec<f64> = Vec::new();
        let mut indices: Vec<i32> = Vec::new();
        // How a picture is laid on goes into the coordinates, which every program reads.
        let laid = self.parts.iter().flat_map(|&p| {
            let part = &self.character.mesh.parts[p];
            let transform = part.material.uv_transform();
            let triangles = part.triangles.clone();
            triangles.flat_map(move |t| self.corners(uvs[t]).map(|uv| transform.apply(uv)))
        });
        for Vec2 { x, y } in laid {
            let next = index_of.len() as i32;
            let index = *index_of.entry([x.to_bits(), y.to_bits()]).or_insert_with(|| {
                // FBX counts from the picture's lower edge.
                values.extend([f64::from(x), 1.0 - f64::from(y)]);
                next
            });
            indices.push(index);
        }
        Some(
            layer_element("LayerElementUV", "ByPolygonVertex", "IndexToDirect")
                .child(Node::of("UV", values))
                .child(Node::of("UVIndex", indices)),
        )
    }

    fn material_slots(&self, slot_of_part: &[i32]) -> Node {
        let same = slot_of_part.iter().all(|s| *s == slot_of_part[0]);
        let (mapping, slots) = if same {
            ("AllSame", vec![0])
        } else {
            let parts = self.parts.iter().zip(slot_of_part);
            let of_faces = parts.flat_map(|(&p, &slot)| {
                std::iter::repeat_n(slot, self.character.mesh.parts[p].triangles.len())
            });
            ("ByPolygon", of_faces.collect())
        };
        layer_element("LayerElementMaterial", mapping, "IndexToDirect").child(Node::of("Materials", slots))
    }
}

fn layer_element(name: &'static str, mapping: &str, reference: &str) -> Node {
    let version = match name {
        "LayerElementSmoothing" => 102,
        _ => 101,
    };
    let set = match name {
        "LayerElementUV" => "UVMap",
        "LayerElementColor" => "Col",
        _ => "",
    };
    Node::of(name, 0)
        .child(Node::of("Version", version))
        .child(Node::of("Name", set))
        .child(Node::of("MappingInformationType", mapping))
        .child(Node::of("ReferenceInformationType", reference))
}

/// The weights of a mesh: a cluster for each joint that it follows.
fn write_skin(
    scene: &mut Scene,
    run: &Run<'_>,
    rig: &Rig,
    geometry: i64,
    name: &str,
    world_from_mesh: DAffine3,
) {
    let Some(weights) = &run.character.weights else {
        return;
    };
    let mut of_joint: Vec<(Vec<i32>, Vec<f64>)> = vec![Default::default(); rig.of_joint.len()];
    for (i, vertex) in run.vertices.clone().enumerate() {
        for influence in weights.of_vertex(vertex) {
            let (indices, fractions) = &mut of_joint[influence.joint.at()];
            indices.push(i as i32);
            fractions.push(f64::from(influence.weight));
        }
    }
    let skin = scene.id();
    let record = object("Deformer", skin, name, "Skin")
        .child(Node::of("Version", 101))
        .child(Node::of("Link_DeformAcuracy", 50.0))
        .child(Node::of("SkinningType", "Linear"));
    scene.objects.push(record);
    scene.connect(skin, geometry);
    for (joint, (indices, fractions)) in of_joint.into_iter().enumerate() {
        let index = JointIndex(joint as u16);
        let Some(node) = rig.get(index).filter(|_| !indices.is_empty()) else {
            continue;
        };
        let cluster = scene.id();
        let joint_name = &run.character.skeleton.joint(index).name;
        let record = object("Deformer", cluster, joint_name, "Cluster")
            .child(Node::of("Version", 100))
            .child(Node::of("UserData", "").with(""))
            .child(Node::of("Indexes", indices))
            .child(Node::of("Weights", fractions))
            .child(Node::of(
                "Transform",
                matrix(node.bind.inverse() * world_from_mesh),
            ))
            .child(Node::of("TransformLink", matrix(node.bind)))
            .child(Node::of("TransformAssociateModel", matrix(node.armature)));
        scene.objects.push(record);
        scene.connect(cluster, skin);
        scene.connect(node.id, cluster);
    }
}
