//! All meshes of a file as one mesh in bind space.

use std::ops::Range;

use glam::{DAffine3, DMat3, DVec3, Vec2, Vec3};
use ligament::character::{Mesh, Part, PartAttachment, Weights, WeightsBuilder};
use ligament::{JointIndex, Skeleton};
use ufbx::{Node, Scene};

use super::blend_shapes::{self, ChannelId};
use super::convert::{matrix, vector};
use super::geometry;
use super::material::material;
use super::skeleton::{Rig, skin_of};
use super::texture::{Beside, Pictures};
use super::tree::{self, Tree};
use super::weights::{add_rigid, add_skin};
use crate::corner_normals::at_hard_edges;
use crate::import::ImportWarning;

/// The mesh and the weights it came with.
pub(super) struct Gathered {
    pub mesh: Mesh,
    pub weights: Option<Weights>,
    /// For each blend shape, what clips call it.
    pub channels: Vec<ChannelId>,
}

/// Collects meshes node by node, until there are `limit` vertices and triangles.
pub(super) fn gather(
    scene: &Scene,
    tree: &Tree,
    rig: &Rig,
    limit: usize,
    beside: Beside,
    warnings: &mut Vec<ImportWarning>,
) -> Gathered {
    let drawn = tree::drawn(scene, tree);
    let meshes = || drawn.iter().filter_map(|&n| scene.nodes[n].mesh.as_ref());
    let mut gather = Gather {
        rig,
        any_skinned: meshes().any(|m| skin_of(m).is_some()),
        mesh: Mesh::default(),
        normals: Some(Vec::new()),
        colors: meshes().any(|m| m.vertex_color.exists).then(Vec::new),
        corner_uvs: meshes().any(|m| m.vertex_uv.exists).then(Vec::new),
        pictures: Pictures::new(beside),
        hard_edges: Vec::new(),
        channels: Vec::new(),
        weights: WeightsBuilder::with_capacity(
            meshes().map(|m| m.vertices.len()).sum::<usize>().min(limit),
            2,
        ),
        warnings,
    };
    let mut skinned = vec![false; scene.meshes.len()];
    let (mut total, mut left_out) = (0usize, 0);
    for &n in &drawn {
        let node = &scene.nodes[n];
        let (Some(mesh), Some(carrier)) = (node.mesh.as_ref(), rig.joint_of_node[n]) else {
            continue;
        };
        let index = mesh.element.typed_id as usize;
        if skin_of(mesh).is_some() && std::mem::replace(&mut skinned[index], true) {
            gather.warn(
                "shared_mesh",
                format!(
                    "'{}' shows a skinned mesh a second time, in the same place; it was left out",
                    tree::name(node)
                ),
            );
            continue;
        }
        let size = mesh.vertices.len() + mesh.num_triangles + blend_shapes::size(mesh);
        if total + size > limit || gather.mesh.positions.len() + mesh.vertices.len() > u32::MAX as usize {
            left_out += 1;
            continue;
        }
        total += size;
        gather.node(node, mesh, carrier);
    }
    if left_out > 0 {
        gather.warn(
            "too_many_instances",
            format!("{left_out} node(s) repeat meshes more often than fits; they were left out"),
        );
    }
    let Gather {
        mut mesh,
        normals,
        colors,
        corner_uvs,
        hard_edges,
        channels,
        weights,
        any_skinned,
        ..
    } = gather;
    mesh.normals = normals.filter(|n| !n.is_empty());
    mesh.colors = colors;
    mesh.corner_uvs = corner_uvs;
    if let (Some(normals), false) = (&mesh.normals, hard_edges.is_empty()) {
        let smooth = mesh.triangles.iter().map(|t| t.map(|v| normals[v as usize]));
        let mut all: Vec<[Vec3; 3]> = smooth.collect();
        for (first, hard) in hard_edges {
            all[first..first + hard.len()].copy_from_slice(&hard);
        }
        mesh.corner_normals = Some(all);
    }
    Gathered {
        mesh,
        weights: any_skinned.then(|| weights.finish()),
        channels,
    }
}

struct Gather<'a> {
    rig: &'a Rig,
    any_skinned: bool,
    mesh: Mesh,
    /// None as soon as one mesh has none.
    normals: Option<Vec<Vec3>>,
    colors: Option<Vec<[f32; 4]>>,
    /// None if no mesh has any.
    corner_uvs: Option<Vec<[Vec2; 3]>>,
    pictures: Pictures<'a>,
    /// The first triangle of each mesh that has hard edges, and the normals of its corners.
    hard_edges: Vec<(usize, Vec<[Vec3; 3]>)>,
    channels: Vec<ChannelId>,
    weights: WeightsBuilder,
    warnings: &'a mut Vec<ImportWarning>,
}

impl Gather<'_> {
    fn warn(&mut self, code: &'static str, message: String) {
        self.warnings.push(ImportWarning { code, message });
    }

    fn node(&mut self, node: &Node, mesh: &ufbx::Mesh, carrier: JointIndex) {
        let skin = skin_of(mesh);
        let skeleton = &self.rig.skeleton;
        let bind_from_geometry = skin
            .and_then(|s| *self.rig.bind_from_geometry.get(s.element.typed_id as usize)?)
            .unwrap_or_else(|| skeleton.joint(carrier).bind_from_joint * matrix(&node.geometry_to_node));
        let is_skin = skin.is_some() || (!self.any_skinned && !hangs_on_joint(skeleton, carrier));
        let attachment = if is_skin {
            PartAttachment::Skin
        } else {
            PartAttachment::Rigid(carrier)
        };
        let name = Some(tree::name(node))
            .filter(|n| !n.is_empty())
            .unwrap_or_else(|| mesh.element.name.to_string());

        let start = self.mesh.positions.len();
        self.vertices(mesh, bind_from_geometry);
        let vertices = start..self.mesh.positions.len();
        let shapes = blend_shapes::read(mesh, start, bind_from_geometry, self.warnings);
        for (channel, shape) in shapes {
            self.channels.push(channel);
            self.mesh.blend_shapes.push(shape);
        }
        match skin {
            Some(skin) => add_skin(
                &mut self.weights,
                skin,
                vertices.len(),
                self.rig,
                &name,
                self.warnings,
            ),
            None => add_rigid(&mut self.weights, vertices.len(), carrier),
        }
        if mesh.skin_deformers.len() > 1 {
            self.warn(
                "several_skins",
                format!(
                    "'{name}' has {} skins, one on the other; only the first was read",
                    mesh.skin_deformers.len()
                ),
            );
        }
        if !is_skin && self.any_skinned {
            let joint = carrier_name(&self.rig.skeleton, carrier);
            self.warn(
                "rigid_part",
                format!("'{name}' has no skin; '{joint}' carries it as one piece"),
            );
        }

        let mirrored = bind_from_geometry.matrix3.determinant() < 0.0;
        let shown: Vec<_> = mesh
            .material_parts
            .iter()
            .map(|part| (part.index as usize, geometry::triangles(mesh, part)))
            .filter(|(_, triangles)| !triangles.is_empty())
            .collect();
        let rotation: DMat3 = bind_from_geometry.matrix3.inverse().transpose();
        let (first_triangle, mut corner_normals) = (self.mesh.triangles.len(), Vec::new());
        let several = shown.len() > 1;
        for (p, (slot, triangles)) in shown.into_iter().enumerate() {
            let first = self.mesh.triangles.len();
            for triangle in triangles {
                // A mirroring transform turns faces inside out; turn them back.
                let face = if mirrored { triangle.turned() } else { triangle };
                self.mesh.triangles.push(face.vertices.map(|v| v + start as u32));
                if let Some(all) = &mut self.corner_uvs {
                    all.push(face.uvs);
                }
                let turned = |n: Option<DVec3>| n.and_then(|n| (rotation * n).as_vec3().try_normalize());
                corner_normals.push(face.normals.map(|n| turned(n).unwrap_or(Vec3::Y)));
            }
            self.mesh.parts.push(Part {
                name: if several {
                    format!("{name}.{p}")
                } else {
                    name.clone()
                },
                vertices: vertices.clone(),
                triangles: first..self.mesh.triangles.len(),
                material: material(node, mesh, slot, &mut self.pictures, self.warnings),
                attachment,
                joints: None,
            });
        }
        if mesh.vertex_normal.exists {
            self.hard_edges(first_triangle, vertices, &corner_normals);
        }
    }

    /// Notes the normals of corners, which belong to the triangles from `first` on, if any edge is hard.
    fn hard_edges(&mut self, first: usize, vertices: Range<usize>, normals: &[[Vec3; 3]]) {
        let hard = at_hard_edges(vertices, &self.mesh.triangles[first..], normals);
        self.hard_edges.extend(hard.map(|normals| (first, normals)));
    }

    fn vertices(&mut self, mesh: &ufbx::Mesh, bind_from_geometry: DAffine3) {
        self.mesh.positions.extend(
            mesh.vertices
                .iter()
                .map(|&p| bind_from_geometry.transform_point3(vector(p)).as_vec3()),
        );
        let end = self.mesh.positions.len();
        // Normals go with the inverse transpose, up to the length that is set to one.
        let rotation: DMat3 = bind_from_geometry.matrix3.inverse().transpose();
        self.normals = match (self.normals.take(), geometry::normals(mesh)) {
            (Some(mut all), Some(more)) => {
                all.extend(
                    more.into_iter()
                        .map(|n| (rotation * n).as_vec3().try_normalize().unwrap_or(Vec3::Y)),
                );
                Some(all)
            }
            _ => None,
        };
        if let Some(colors) = &mut self.colors {
            colors.extend(geometry::colors(mesh).unwrap_or_default());
            colors.resize(end, [1.0; 4]);
        }
    }
}

/// Whether a joint of the skin is at or above a node.
fn hangs_on_joint(skeleton: &Skeleton, carrier: JointIndex) -> bool {
    skeleton.joint(carrier).in_skin || skeleton.skin_parent(carrier).is_some()
}

/// What a person would say a rigid part hangs on.
fn carrier_name(skeleton: &Skeleton, carrier: JointIndex) -> &str {
    let joint = if skeleton.joint(carrier).in_skin {
        Some(carrier)
    } else {
        skeleton.skin_parent(carrier)
    };
    &skeleton.joint(joint.unwrap_or(carrier)).name
}
