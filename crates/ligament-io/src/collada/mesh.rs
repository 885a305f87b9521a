//! Meshes: one vertex for each position of a geometry, faces by material, weights of its skin.

use glam::{DAffine3, DVec3, Vec2, Vec3};
use ligament::character::{Influence, JointIndex, Mesh, Part, PartAttachment, Weights, WeightsBuilder};

use super::axes::Axes;
use super::document::{Document, Numbers};
use super::material;
use super::nodes::{Node, matrix};
use super::placing::fits_better;
use super::rig::{Rig, SkinJoints};
use super::xml::Element;
use crate::assemble::warning;
use crate::corner_normals::at_hard_edges;
use crate::import::{ImportError, ImportWarning};
use crate::polygon::triangles_of_corners;

/// A geometry as a node places it, with its skin if it has one.
pub(super) struct GeometryInstance<'a> {
    pub node: usize,
    /// `<instance_geometry>` or `<instance_controller>`.
    pub instance: &'a Element,
    pub geometry: &'a Element,
    /// The `<skin>` and its joints' place in the list of skins.
    pub skin: Option<(&'a Element, usize)>,
}

pub(super) struct Gathered {
    pub mesh: Mesh,
    pub weights: Option<Weights>,
}

pub(super) struct Gatherer<'a> {
    pub document: &'a Document<'a>,
    pub nodes: &'a [Node<'a>],
    pub skins: &'a [SkinJoints],
    pub rig: &'a Rig,
    pub axes: &'a Axes,
    pub beside: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

impl Gatherer<'_> {
    pub fn gather(
        &self,
        instances: &[GeometryInstance<'_>],
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<Gathered, ImportError> {
        let mut mesh = Mesh::default();
        let (mut normals, mut has_normals) = (Vec::new(), true);
        let (mut uvs, mut has_uvs) = (Vec::new(), false);
        let (mut corner_normals, mut hard_edges) = (Vec::new(), false);
        let mut builder = WeightsBuilder::with_capacity(0, 4);
        let (mut skinned, mut unweighted) = (false, 0);
        for instance in instances {
            let Some(source) = instance.geometry.child("mesh") else {
                warnings.push(warning("left_out_surfaces", "left out a spline or a convex hull"));
                continue;
            };
            let positions = self.positions(source)?;
            let to_bind = self.to_bind(instance, &positions, warnings)?;
            let first = mesh.positions.len();
            for k in 0..positions.rows() {
                let row = positions.row(k).filter(|r| r.len() >= 3);
                let row =
                    row.ok_or_else(|| ImportError::malformed("<vertices>", "positions have three numbers"))?;
                let point = to_bind.transform_point3(DVec3::new(row[0], row[1], row[2]));
                mesh.positions.push(self.axes.point(point).as_vec3());
            }
            let rotation = to_bind.matrix3.inverse().transpose();
            let up = |sum: DVec3| self.axes.direction(sum).normalize_or(DVec3::Y).as_vec3();
            let first_triangle = mesh.triangles.len();
            let mut sums = vec![DVec3::ZERO; positions.rows()];
            let joint = self.carrier(instance.node);
            let attachment = match (instance.skin, joint) {
                (None, Some(joint)) => PartAttachment::Rigid(joint),
                _ => PartAttachment::Skin,
            };
            for primitive in &source.children {
                let Some(faces) = Faces::read(self.document, primitive, source)? else {
                    continue;
                };
                let from = mesh.triangles.len();
                for polygon in &faces.polygons {
                    let positions: Vec<Vec3> = polygon
                        .iter()
                        .map(|c| {
                            mesh.positions
                                .get(first + c.vertex)
                                .filter(|_| c.vertex < positions.rows())
                                .copied()
                        })
                        .collect::<Option<_>>()
                        .ok_or_else(|| {
                            ImportError::malformed(
                                format!("<{}>", primitive.name),
                                "a face names a vertex that is not there",
                            )
                        })?;
                    for triangle in triangles_of_corners(&positions) {
                        let corners = triangle.map(|t| &polygon[t as usize]);
                        mesh.triangles
                            .push([0, 1, 2].map(|k| (first + corners[k].vertex) as u32));
                        uvs.push([0, 1, 2].map(|k| corners[k].uv.unwrap_or(Vec2::ZERO)));
                        corner_normals.push(corners.map(|c| up(rotation * c.normal.unwrap_or(DVec3::ZERO))));
                    }
                    for corner in polygon {
                        has_uvs |= corner.uv.is_some();
                        match corner.normal {
                            Some(normal) => sums[corner.vertex] += rotation * normal,
                            None => has_normals = false,
                        }
                    }
                }
                let material = material::bound(
                    self.document,
                    instance.instance,
                    primitive.attribute("material"),
                    self.beside,
                );
                mesh.parts.push(Part {
                    name: self.nodes[instance.node].name().to_owned(),
                    vertices: first..first + positions.rows(),
                    triangles: from..mesh.triangles.len(),
                    material,
                    attachment,
                    joints: None,
                });
            }
            normals.extend(sums.into_iter().map(up));
            let own = first_triangle..mesh.triangles.len();
            let hard = at_hard_edges(
                first..mesh.positions.len(),
                &mesh.triangles[own.clone()],
                &corner_normals[own.clone()],
            );
            hard_edges |= hard.is_some();
            let smooth = || {
                mesh.triangles[own.clone()]
                    .iter()
                    .map(|t| t.map(|v| normals[v as usize]))
            };
            let kept = hard.unwrap_or_else(|| smooth().collect());
            corner_normals[own.clone()].copy_from_slice(&kept);
            let joint = joint.unwrap_or(JointIndex(0));
            match instance.skin {
                Some((skin, k)) => {
                    skinned = true;
                    unweighted += self.influences(skin, &self.skins[k], positions.rows(), &mut builder)?;
                }
                None => {
                    for _ in 0..positions.rows() {
                        // A weight of one is always taken.
                        let _ = builder.push(&[Influence { joint, weight: 1.0 }]);
                    }
                }
            }
        }
        if unweighted > 0 {
            let message = format!("{unweighted} vertices have no weight; they follow the skin's first joint");
            warnings.push(warning("unweighted_vertices", message));
        }
        mesh.normals = (has_normals && !normals.is_empty()).then_some(normals);
        mesh.corner_uvs = has_uvs.then_some(uvs);
        mesh.corner_normals = (hard_edges && mesh.normals.is_some()).then_some(corner_normals);
        mesh.check()
            .map_err(|e| ImportError::malformed("the mesh", e.to_string()))?;
        Ok(Gathered {
            mesh,
            weights: skinned.then(|| builder.finish()),
        })
    }

    fn positions(&self, mesh: &Element) -> Result<Numbers, ImportError> {
        let vertices = mesh.child("vertices");
        let input = vertices.and_then(|v| v.input("POSITION"));
        let source = input.and_then(|i| self.document.find(i.attribute("source")));
        let source = source.ok_or_else(|| ImportError::malformed("<vertices>", "it has no positions"))?;
        self.document.numbers(source)
    }

    /// The joint that carries a node.
    fn carrier(&self, node: usize) -> Option<JointIndex> {
        let mut at = Some(node);
        while let Some(n) = at {
            let joint = self.rig.joint_of_node[n].filter(|j| self.rig.skeleton.joint(*j).in_skin);
            if joint.is_some() {
                return joint;
            }
            at = self.nodes[n].parent;
        }
        None
    }

    /// From a geometry's own space to bind space, in the file's axes.
    fn to_bind(
        &self,
        instance: &GeometryInstance<'_>,
        positions: &Numbers,
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<DAffine3, ImportError> {
        let Some((skin, k)) = instance.skin else {
            // Carried by a joint that was bound elsewhere than it rests, it goes there.
            let mut at = Some(instance.node);
            while let Some(n) = at {
                let joint = self.rig.joint_of_node[n].filter(|j| self.rig.skeleton.joint(*j).in_skin);
                if let (Some(_), Some(bind)) = (joint, self.rig.bind_of_node.get(&n)) {
                    return Ok(*bind * self.nodes[n].world.inverse() * self.nodes[instance.node].world);
                }
                at = self.nodes[n].parent;
            }
            return Ok(self.nodes[instance.node].world);
        };
        let shape = match skin.child("bind_shape_matrix") {
            None => DAffine3::IDENTITY,
            Some(element) => {
                let numbers = element.numbers()?;
                if numbers.len() != 16 {
                    return Err(ImportError::malformed(
                        "<bind_shape_matrix>",
                        "a matrix has 16 numbers",
                    ));
                }
                matrix(&numbers)
            }
        };
        // Another skin may have bound the same joints elsewhere: this one goes to the first one's space.
        let joints = &self.skins[k];
        let common = joints
            .nodes
            .iter()
            .zip(&joints.joint_from_bind)
            .find_map(|(node, joint_from_bind)| {
                let bind = self.rig.bind_of_node.get(&(*node)?)?;
                Some(*bind * *joint_from_bind)
            });
        let same = common
            .filter(|c| !c.abs_diff_eq(DAffine3::IDENTITY, 1e-5))
            .unwrap_or(DAffine3::IDENTITY);
        let (stated, as_placed) = (same * shape, self.nodes[instance.node].world);
        let rows = (0..positions.rows()).filter_map(|k| positions.row(k));
        let vertices: Vec<DVec3> = rows
            .filter(|r| r.len() >= 3)
            .map(|r| DVec3::new(r[0], r[1], r[2]))
            .collect();
        let binds = joints
            .nodes
            .iter()
            .flatten()
            .filter_map(|n| self.rig.bind_of_node.get(n));
        let binds: Vec<DVec3> = binds.map(|bind| bind.translation).collect();
        if !fits_better(as_placed, stated, &vertices, &binds) {
            return Ok(stated);
        }
        warnings.push(warning(
            "skin_beside_its_joints",
            format!(
                "'{}': its bind shape lies beside its joints; it was put where its node is",
                self.nodes[instance.node].name()
            ),
        ));
        Ok(as_placed)
    }

    /// Adds the influences of a skin; gives how many vertices had none.
    fn influences(
        &self,
        skin: &Element,
        joints: &SkinJoints,
        vertices: usize,
        builder: &mut WeightsBuilder,
    ) -> Result<usize, ImportError> {
        let missing = |what: &str| ImportError::malformed("<vertex_weights>", format!("it has no {what}"));
        let list = skin.child("vertex_weights").ok_or_else(|| missing("list"))?;
        let input = |semantic: &str| {
            let found = list.input(semantic);
            found.ok_or_else(|| missing(semantic))
        };
        let offset = |input: &Element| {
            input
                .attribute("offset")
                .and_then(|o| o.parse::<usize>().ok())
                .unwrap_or(0)
        };
        let (joint_at, weight_at) = (offset(input("JOINT")?), offset(input("WEIGHT")?));
        let fractions = self.document.expect(input("WEIGHT")?.attribute("source"), list)?;
        let fractions = self.document.numbers(fractions)?.values;
        let stride = 1 + list.children("input").map(offset).max().unwrap_or(0);
        let counts = list.child("vcount").ok_or_else(|| missing("vcount"))?.indices()?;
        let indices = list
            .child("v")
            .map(Element::indices)
            .transpose()?
            .unwrap_or_default();
        let joint_of = |k: usize| self.rig.joint_of_node[(*joints.nodes.get(k)?)?];
        let fallback = (0..joints.nodes.len())
            .find_map(joint_of)
            .unwrap_or(JointIndex(0));
        let (mut at, mut unweighted) = (0, 0);
        for vertex in 0..vertices {
            let count = counts.get(vertex).copied().flatten().unwrap_or(0);
            let end = count.checked_mul(stride).and_then(|n| n.checked_add(at));
            let rows = end
                .and_then(|end| indices.get(at..end))
                .ok_or_else(|| missing("indices for all vertices"))?;
            at += rows.len();
            let mut influences: Vec<Influence> = Vec::with_capacity(count);
            for row in rows.chunks_exact(stride) {
                let fraction = row[weight_at]
                    .and_then(|w| fractions.get(w))
                    .copied()
                    .unwrap_or(0.0);
                let joint = row[joint_at].and_then(joint_of);
                if let (Some(joint), true) = (joint, fraction > 0.0) {
                    influences.push(Influence {
                        joint,
                        weight: fraction as f32,
                    });
                }
            }
            if builder.push(&influences).is_err() {
                unweighted += 1;
                let _ = builder.push(&[Influence {
                    joint: fallback,
                    weight: 1.0,
                }]);
            }
        }
        Ok(unweighted)
    }
}

/// A face's corner.
struct Corner {
    vertex: usize,
    normal: Option<DVec3>,
    uv: Option<Vec2>,
}

struct Faces {
    polygons: Vec<Vec<Corner>>,
}

impl Faces {
    /// The faces of a primitive; none for lines and points.
    fn read(
        document: &Document<'_>,
        primitive: &Element,
        mesh: &Element,
    ) -> Result<Option<Self>, ImportError> {
        let kind = primitive.name.as_str();
        if !matches!(
            kind,
            "triangles" | "polylist" | "polygons" | "tristrips" | "trifans"
        ) {
            return Ok(None);
        }
        let offset = |input: &Element| {
            input
                .attribute("offset")
                .and_then(|o| o.parse::<usize>().ok())
                .unwrap_or(0)
        };
        let stride = 1 + primitive.children("input").map(offset).max().unwrap_or(0);
        let of = |semantic: &str| primitive.input(semantic);
        let vertex_at = offset(
            of("VERTEX")
                .ok_or_else(|| ImportError::malformed(format!("<{kind}>"), "its faces name no vertices"))?,
        );
        let numbers = |input: Option<&Element>| -> Result<Option<(usize, Numbers)>, ImportError> {
            let Some(input) = input else { return Ok(None) };
            let source = document.expect(input.attribute("source"), primitive)?;
            Ok(Some((offset(input), document.numbers(source)?)))
        };
        let mut normals = numbers(of("NORMAL"))?;
        if normals.is_none() {
            // Normals may go with the vertices.
            let shared = mesh.child("vertices");
            let shared = shared.and_then(|v| v.input("NORMAL"));
            normals = numbers(shared)?.map(|(_, n)| (vertex_at, n));
        }
        let uvs = numbers(of("TEXCOORD"))?;
        let corner = |row: &[Option<usize>]| -> Option<Corner> {
            let read = |of: &Option<(usize, Numbers)>| {
                let (at, numbers) = of.as_ref()?;
                numbers.row(row[*at]?).map(<[f64]>::to_vec)
            };
            Some(Corner {
                vertex: row[vertex_at]?,
                normal: read(&normals)
                    .filter(|n| n.len() >= 3)
                    .map(|n| DVec3::new(n[0], n[1], n[2])),
                uv: read(&uvs)
                    .filter(|n| n.len() >= 2)
                    .map(|n| Vec2::new(n[0] as f32, 1.0 - n[1] as f32)),
            })
        };
        let fail = || ImportError::malformed(format!("<{kind}>"), "it has fewer corners than its faces need");
        let mut polygons = Vec::new();
        let counts = primitive.child("vcount").map(Element::indices).transpose()?;
        for list in primitive.children("p") {
            let indices = list.indices()?;
            let corners: Vec<&[Option<usize>]> = indices.chunks_exact(stride).collect();
            let mut add = |rows: &[&[Option<usize>]]| -> Result<(), ImportError> {
                let polygon: Option<Vec<Corner>> = rows.iter().map(|row| corner(row)).collect();
                polygons.push(polygon.ok_or_else(fail)?);
                Ok(())
            };
            match kind {
                "triangles" => corners.chunks_exact(3).try_for_each(add)?,
                "polylist" => {
                    let mut at = 0usize;
                    for count in counts.iter().flatten() {
                        let count = count.ok_or_else(fail)?;
                        let end = at
                            .checked_add(count)
                            .filter(|&end| end <= corners.len())
                            .ok_or_else(fail)?;
                        if count >= 3 {
                            add(&corners[at..end])?;
                        }
                        at = end;
                    }
                }
                "polygons" if corners.len() >= 3 => add(&corners)?,
                "tristrips" => {
                    for (k, t) in corners.windows(3).enumerate() {
                        add(&if k % 2 == 0 {
                            [t[0], t[1], t[2]]
                        } else {
                            [t[1], t[0], t[2]]
                        })?;
                    }
                }
                "trifans" => {
                    for pair in corners.get(1..).unwrap_or_default().windows(2) {
                        add(&[corners[0], pair[0], pair[1]])?;
                    }
                }
                _ => {}
            }
        }
        Ok(Some(Self { polygons }))
    }
}
