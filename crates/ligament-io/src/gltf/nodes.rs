//! The scene: nodes, their parents and transforms, and the skins that name joints.

use glam::{DAffine3, DMat4, DQuat, DVec3};
use ligament::character::Transform;

use super::error::{GltfError, GltfWarning};
use super::json::Node;
use super::reader::Reader;

/// One node of the scene.
#[derive(Debug, Clone)]
pub(super) struct SceneNode {
    pub name: String,
    pub parent: Option<usize>,
    pub local: Transform,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Whether it carries a camera, a light or the like.
    pub carries_other: bool,
}

/// All nodes, and an order in which parents come first.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub nodes: Vec<SceneNode>,
    pub order: Vec<usize>,
    pub world: Vec<DAffine3>,
}

/// A skin: joints and where they were when the mesh was bound.
#[derive(Debug, Clone)]
pub(super) struct Skin {
    /// Node indices, in the file's order.
    pub joints: Vec<usize>,
    /// The stored matrices; `None` where there is none that can be inverted.
    pub joint_from_mesh: Vec<Option<DAffine3>>,
}

pub(super) fn read_scene(reader: &Reader<'_>) -> Result<Scene, GltfError> {
    let root = Node::root(reader.json());
    let list = root.items("nodes")?;
    let (mesh_count, skin_count) = (root.count("meshes"), root.count("skins"));
    let mut nodes = Vec::with_capacity(list.len());
    for (i, node) in list.iter().enumerate() {
        let optional = |key: &str, count: usize, of: &str| -> Result<Option<usize>, GltfError> {
            node.get(key).map(|n| n.as_index_under(count, of)).transpose()
        };
        let name = match node.str_or("name", "") {
            "" => format!("node{i}"),
            name => name.to_owned(),
        };
        nodes.push(SceneNode {
            name,
            parent: None,
            local: read_transform(node)?,
            mesh: optional("mesh", mesh_count, "mesh")?,
            skin: optional("skin", skin_count, "skin")?,
            carries_other: node.get("camera").is_some() || node.get("extensions").is_some(),
        });
    }
    let mut children = vec![Vec::new(); nodes.len()];
    for (i, node) in list.iter().enumerate() {
        for child in node.items("children")? {
            let c = child.as_index_under(nodes.len(), "node")?;
            if nodes[c].parent.is_some() {
                return Err(child.fail(format!("node {c} has more than one parent")));
            }
            nodes[c].parent = Some(i);
            children[i].push(c);
        }
    }
    let mut order = Vec::with_capacity(nodes.len());
    let mut stack: Vec<usize> = (0..nodes.len())
        .rev()
        .filter(|&i| nodes[i].parent.is_none())
        .collect();
    while let Some(i) = stack.pop() {
        order.push(i);
        stack.extend(children[i].iter().rev());
    }
    if order.len() < nodes.len() {
        let mut reached = vec![false; nodes.len()];
        for &i in &order {
            reached[i] = true;
        }
        let lost = reached.iter().position(|r| !r).unwrap_or(0);
        return Err(GltfError::malformed(
            format!("/nodes/{lost}"),
            "is its own ancestor: the nodes form a circle",
        ));
    }
    let mut world = vec![DAffine3::IDENTITY; nodes.len()];
    for &i in &order {
        let local = nodes[i].local.to_affine();
        world[i] = nodes[i].parent.map_or(local, |p| world[p] * local);
    }
    Ok(Scene { nodes, order, world })
}

fn read_transform(node: &Node<'_>) -> Result<Transform, GltfError> {
    if node.get("matrix").is_some() {
        let m = DMat4::from_cols_array(&node.numbers_or("matrix", [0.0; 16])?);
        let affine = DAffine3::from_mat4(m);
        return Ok(Transform::from_affine(affine));
    }
    let rotation = DQuat::from_array(node.numbers_or("rotation", [0.0, 0.0, 0.0, 1.0])?);
    Ok(Transform {
        translation: DVec3::from_array(node.numbers_or("translation", [0.0; 3])?),
        rotation: if rotation.length_squared() > 1e-12 {
            rotation.normalize()
        } else {
            DQuat::IDENTITY
        },
        scale: DVec3::from_array(node.numbers_or("scale", [1.0; 3])?),
    })
}

pub(super) fn read_skins(
    reader: &Reader<'_>,
    scene: &Scene,
    warnings: &mut Vec<GltfWarning>,
) -> Result<Vec<Skin>, GltfError> {
    let root = Node::root(reader.json());
    let mut skins = Vec::new();
    for (skin, node) in root.items("skins")?.into_iter().enumerate() {
        let mut joints = Vec::new();
        for joint in node.items("joints")? {
            joints.push(joint.as_index_under(scene.nodes.len(), "node")?);
        }
        if joints.is_empty() {
            return Err(node.fail("has no joints"));
        }
        let mut matrices = match node.get("inverseBindMatrices") {
            Some(accessor) => read_matrices(reader, accessor.as_index()?)?,
            None => vec![Some(DAffine3::IDENTITY); joints.len()],
        };
        if matrices.len() < joints.len() {
            warnings.push(GltfWarning::MissingBindMatrices {
                skin,
                matrices: matrices.len(),
                joints: joints.len(),
            });
        }
        for (m, &joint) in matrices.iter().zip(&joints) {
            if m.is_none() {
                warnings.push(GltfWarning::BadBindMatrix {
                    joint: scene.nodes[joint].name.clone(),
                });
            }
        }
        matrices.resize(joints.len(), None);
        skins.push(Skin {
            joints,
            joint_from_mesh: matrices,
        });
    }
    Ok(skins)
}

fn read_matrices(reader: &Reader<'_>, accessor: usize) -> Result<Vec<Option<DAffine3>>, GltfError> {
    let elements = reader.elements(accessor)?;
    if elements.width != 16 {
        return Err(GltfError::malformed(
            format!("/accessors/{accessor}"),
            "inverse bind matrices must be 4×4 matrices",
        ));
    }
    let numbers = elements.to_f32();
    Ok(numbers
        .as_chunks::<16>()
        .0
        .iter()
        .map(|m| {
            let affine = DAffine3::from_mat4(DMat4::from_cols_array(&m.map(f64::from)));
            let sound =
                affine.is_finite() && affine.inverse().is_finite() && affine.matrix3.determinant() != 0.0;
            sound.then_some(affine)
        })
        .collect())
}
