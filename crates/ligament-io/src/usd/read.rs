//! From a layer to a character.

use glam::{DAffine3, Vec2, Vec3};
use ligament::Character;
use ligament::character::{
    Influence, Joint, JointIndex, Mesh, Part, PartAttachment, Skeleton, Transform, Weights,
};

use crate::import::{ImportError, Imported};

use super::layer::{Layer, Prim, Value};
use super::read_blend_shapes::{ShapeAnimations, read_blend_shapes};
use super::read_clips::read_clips;
use super::read_material::{Pictures, read_material};
use super::read_mesh::{ReadMesh, read_mesh};
use super::read_skeleton::read_skeleton;
use super::read_uvs::Uvs;
use super::read_weights::{Binding, read_binding};
use super::stage::Stage;

pub(super) fn read_layer(
    layer: &Layer,
    name: &str,
    pictures: &mut Pictures<'_>,
) -> Result<Imported, ImportError> {
    let mut stage = Stage::new(layer)?;
    let of_type = |stage: &Stage<'_>, kind: &str| -> Vec<usize> {
        (0..stage.prims.len())
            .filter(|&i| stage.prims[i].prim.type_name == kind)
            .collect()
    };
    let mut joints = Vec::new();
    let mut skeletons = Vec::new();
    for index in of_type(&stage, "Skeleton") {
        skeletons.push(read_skeleton(&mut stage, index, &mut joints)?);
    }
    let meshes = of_type(&stage, "Mesh");
    if meshes.is_empty() && joints.is_empty() && stage.has_arcs {
        return Err(ImportError::Unsupported {
            what: "a scene whose parts are in other files or variants".to_owned(),
            way_out: "make it one file with `usdcat --flatten in.usd -o out.usdc`".to_owned(),
        });
    }
    let mut gather = Gather {
        mesh: Mesh::default(),
        normals: Vec::new(),
        has_normals: true,
        colors: Vec::new(),
        has_colors: false,
        uvs: Vec::new(),
        has_uvs: false,
        corner_normals: Vec::new(),
        has_hard_edges: false,
        pictures,
        influences: Vec::new(),
        world: None,
        shape_animations: ShapeAnimations::read(&mut stage),
    };
    let mut bindings = Vec::new();
    for &index in &meshes {
        let vertices = stage.prims[index].prim.value("points").and_then(Value::numbers);
        let vertices = vertices.map_or(0, |n| n.len() / 3);
        bindings.push(read_binding(&mut stage, index, &skeletons, vertices)?);
    }
    let any_bound = bindings.iter().any(Option::is_some);
    for (&index, binding) in meshes.iter().zip(bindings) {
        gather.add(&mut stage, index, binding, any_bound, &mut joints)?;
    }
    let Gather {
        mut mesh,
        normals,
        has_normals,
        colors,
        has_colors,
        uvs,
        has_uvs,
        corner_normals,
        has_hard_edges,
        influences,
        ..
    } = gather;
    let any_vertices = !mesh.positions.is_empty();
    mesh.normals = (has_normals && any_vertices).then_some(normals);
    mesh.colors = has_colors.then_some(colors);
    mesh.corner_uvs = has_uvs.then_some(uvs);
    mesh.corner_normals = (has_hard_edges && has_normals).then_some(corner_normals);
    let weights = if any_bound {
        let weights = Weights::new(influences.iter().map(Vec::as_slice));
        Some(weights.map_err(|e| ImportError::malformed("the weights", e.to_string()))?)
    } else {
        None
    };
    let clips = read_clips(&mut stage, &skeletons, &joints);
    Ok(Imported {
        character: Character {
            name: name.to_owned(),
            mesh,
            skeleton: Skeleton { joints },
            weights,
            clips,
        },
        warnings: stage.warnings,
    })
}

/// Collects meshes one by one.
struct Gather<'p, 'l> {
    mesh: Mesh,
    normals: Vec<Vec3>,
    has_normals: bool,
    colors: Vec<[f32; 4]>,
    has_colors: bool,
    uvs: Vec<[Vec2; 3]>,
    has_uvs: bool,
    corner_normals: Vec<[Vec3; 3]>,
    has_hard_edges: bool,
    pictures: &'p mut Pictures<'l>,
    influences: Vec<Vec<Influence>>,
    /// The node that carries what no joint does.
    world: Option<JointIndex>,
    shape_animations: ShapeAnimations,
}

impl Gather<'_, '_> {
    fn add(
        &mut self,
        stage: &mut Stage<'_>,
        index: usize,
        binding: Option<Binding>,
        any_bound: bool,
        joints: &mut Vec<Joint>,
    ) -> Result<(), ImportError> {
        let prim = stage.prims[index].prim;
        let path = stage.prims[index].path.clone();
        if let Some(purpose @ ("guide" | "proxy")) = prim.text("purpose") {
            stage.warn(
                "left_out_purpose",
                format!("{path}: a mesh for '{purpose}' is left out"),
            );
            return Ok(());
        }
        let still = stage.inner_from_stage * stage.prims[index].world;
        let bind_from_mesh = binding.as_ref().map_or(still, |b| b.bind_from_mesh);
        let read = read_mesh(stage, index, bind_from_mesh)?;
        if self.mesh.positions.len() + read.positions.len() > u32::MAX as usize {
            return Err(ImportError::malformed(
                path,
                "there are more vertices than 32-bit indices can name",
            ));
        }
        let shapes = read_blend_shapes(
            stage,
            index,
            self.mesh.positions.len(),
            read.positions.len(),
            bind_from_mesh,
            &mut self.shape_animations,
        );
        self.mesh.blend_shapes.extend(shapes);
        let (attachment, lists, limit) = match binding {
            Some(b) => (b.attachment, b.influences, b.joints),
            None if any_bound => {
                let world = self.world(joints);
                let one = vec![Influence {
                    joint: world,
                    weight: 1.0,
                }];
                stage.warn(
                    "unbound_mesh",
                    format!("{path}: it is not bound and stands still"),
                );
                (
                    PartAttachment::Rigid(world),
                    vec![one; read.positions.len()],
                    None,
                )
            }
            None => (PartAttachment::Skin, Vec::new(), None),
        };
        self.influences.extend(lists);
        self.add_parts(stage, index, &read, attachment, limit);
        self.add_vertices(read);
        Ok(())
    }

    fn world(&mut self, joints: &mut Vec<Joint>) -> JointIndex {
        *self.world.get_or_insert_with(|| {
            joints.push(Joint {
                name: "world".to_owned(),
                parent: None,
                rest: Transform::IDENTITY,
                bind_from_joint: DAffine3::IDENTITY,
                in_skin: false,
            });
            JointIndex((joints.len() - 1) as u16)
        })
    }

    /// One part for each subset of faces that has a material of its own, and one for the
    /// faces that are in none.
    fn add_parts(
        &mut self,
        stage: &mut Stage<'_>,
        index: usize,
        read: &ReadMesh,
        attachment: PartAttachment,
        limit: Option<Vec<JointIndex>>,
    ) {
        let prim = stage.prims[index].prim;
        let first_vertex = self.mesh.positions.len();
        let vertices = first_vertex..first_vertex + read.positions.len();
        let subsets: Vec<&Prim> = prim
            .children
            .iter()
            .filter(|c| c.type_name == "GeomSubset" && c.text("familyName") == Some("materialBind"))
            .collect();
        // A face belongs to the first subset that names it, or to the rest at the end.
        let mut faces_of_subset: Vec<Vec<usize>> = vec![Vec::new(); subsets.len() + 1];
        let mut is_taken = vec![false; read.faces.len()];
        for (subset, faces) in subsets.iter().zip(&mut faces_of_subset) {
            for &face in subset.value("indices").and_then(Value::numbers).unwrap_or(&[]) {
                let face = face as usize;
                if is_taken.get(face) == Some(&false) {
                    is_taken[face] = true;
                    faces.push(face);
                }
            }
        }
        if let Some(rest) = faces_of_subset.last_mut() {
            rest.extend((0..is_taken.len()).filter(|&f| !is_taken[f]));
        }
        for (subset, faces) in faces_of_subset.iter().enumerate() {
            let start = self.mesh.triangles.len();
            for &face in faces {
                let moved = read.triangles[read.faces[face].clone()]
                    .iter()
                    .map(|t| t.map(|v| v + first_vertex as u32));
                self.mesh.triangles.extend(moved);
            }
            let end = self.mesh.triangles.len();
            let (owner, bound) = match subsets.get(subset) {
                Some(child) => (*child, child.target("material:binding")),
                None => (prim, None),
            };
            let is_whole_mesh = subsets.is_empty() && !vertices.is_empty();
            if start == end && !is_whole_mesh {
                continue;
            }
            let bound = bound.or_else(|| stage.inherited(index, "material:binding"));
            let (mut material, uv_name) =
                bound.map_or_else(Default::default, |path| read_material(stage, path, self.pictures));
            if bound.is_none() {
                material.base_color = read.color.unwrap_or(material.base_color);
            }
            let uvs = Uvs::of(prim, uv_name.as_deref());
            self.add_uvs(stage, index, read, faces, uvs.as_ref());
            self.add_corner_normals(read, faces);
            material.double_sided = prim.value("doubleSided") == Some(&Value::Bool(true));
            self.mesh.parts.push(Part {
                name: owner.display_name().to_owned(),
                vertices: vertices.clone(),
                triangles: start..end,
                material,
                attachment,
                joints: limit.clone(),
            });
        }
    }

    /// The normals of the corners of some faces' triangles.
    fn add_corner_normals(&mut self, read: &ReadMesh, faces: &[usize]) {
        self.has_hard_edges |= read.corner_normals.is_some();
        let at_vertex = |v: u32| read.normals.as_ref().map_or(Vec3::Y, |n| n[v as usize]);
        let triangles = faces.iter().flat_map(|&face| read.faces[face].clone());
        self.corner_normals
            .extend(triangles.map(|t| match &read.corner_normals {
                Some(normals) => normals[t],
                None => read.triangles[t].map(at_vertex),
            }));
    }

    /// Texture coordinates of some faces' triangles; zeros where there are none.
    fn add_uvs(
        &mut self,
        stage: &mut Stage<'_>,
        index: usize,
        read: &ReadMesh,
        faces: &[usize],
        uvs: Option<&Uvs<'_>>,
    ) {
        let mut missing = 0usize;
        let mut found = 0usize;
        for triangle in faces.iter().flat_map(|&face| read.faces[face].clone()) {
            let mut corners = [Vec2::ZERO; 3];
            if let Some(uvs) = uvs {
                let corners_of_vertices = read.corners[triangle].iter().zip(&read.triangles[triangle]);
                for ((&corner, &vertex), uv) in corners_of_vertices.zip(&mut corners) {
                    match uvs.at(corner, vertex) {
                        Some(known) => {
                            *uv = known;
                            found += 1;
                        }
                        None => missing += 1,
                    }
                }
            }
            self.uvs.push(corners);
        }
        self.has_uvs |= found > 0;
        if missing > 0 {
            let path = stage.prims[index].path.clone();
            stage.warn(
                "bad_texture_coordinates",
                format!("{path}: {missing} corners have no texture coordinates that can be used"),
            );
        }
    }

    fn add_vertices(&mut self, read: ReadMesh) {
        self.mesh.positions.extend(read.positions);
        let end = self.mesh.positions.len();
        self.has_normals &= read.normals.is_some();
        self.normals.extend(read.normals.unwrap_or_default());
        self.normals.resize(end, Vec3::Y);
        self.has_colors |= read.colors.is_some();
        self.colors.extend(read.colors.unwrap_or_default());
        self.colors.resize(end, [1.0; 4]);
    }
}
