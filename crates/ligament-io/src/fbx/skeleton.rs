//! One skeleton for all skins of a file: the bones, the nodes above them, and the nodes
//! that carry meshes.

use glam::DAffine3;
use ligament::character::{Joint, JointIndex, Skeleton};
use ufbx::{Scene, SkinDeformer};

use super::convert::{matrix, transform};
use super::placing::place_nodes;
use super::tree::{self, Tree};
use crate::import::{ImportError, ImportWarning};

/// The skeleton, and how the file's nodes and skins map to it.
pub(super) struct Rig {
    pub skeleton: Skeleton,
    /// For each node its joint, where it is part of the skeleton.
    pub joint_of_node: Vec<Option<JointIndex>>,
    /// For each skin the way from its mesh's geometry to bind space, where it is used.
    pub bind_from_geometry: Vec<Option<DAffine3>>,
}

/// The skin that moves a mesh, if it has clusters.
pub(super) fn skin_of(mesh: &ufbx::Mesh) -> Option<&SkinDeformer> {
    let mut skins = mesh.skin_deformers.into_iter();
    skins.find(|s| s.clusters.into_iter().any(|c| c.bone_node.is_some()))
}

pub(super) fn build_rig(
    scene: &Scene,
    tree: &Tree,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Rig, ImportError> {
    let (in_skin, guessed) = tree::joints(scene, tree);
    let drawn = tree::drawn(scene, tree);
    let mut wanted = in_skin.clone();
    for &node in &drawn {
        wanted[node] = true;
    }
    // Children come later in the order, so going backwards reaches all ancestors.
    for &node in tree.order.iter().rev() {
        if let (true, Some(parent)) = (wanted[node], tree.parent[node]) {
            wanted[parent] = true;
        }
    }

    let mut used: Vec<&SkinDeformer> = Vec::new();
    let mut is_used = vec![false; scene.skin_deformers.len()];
    for mesh in drawn.iter().filter_map(|&n| scene.nodes[n].mesh.as_ref()) {
        let Some(skin) = skin_of(mesh) else { continue };
        if let Some(seen @ false) = is_used.get_mut(skin.element.typed_id as usize) {
            *seen = true;
            used.push(skin);
        }
    }
    let placing = place_nodes(scene, tree, &used, warnings);

    let mut joints: Vec<Joint> = Vec::new();
    let mut joint_of_node = vec![None; scene.nodes.len()];
    for &n in tree.order.iter().filter(|&&n| wanted[n]) {
        let Ok(index) = u16::try_from(joints.len()) else {
            return Err(ImportError::Unsupported {
                what: "a skeleton of more than 65,535 nodes".to_owned(),
                way_out: "split the scene and bind one character at a time".to_owned(),
            });
        };
        let node = &scene.nodes[n];
        let parent: Option<JointIndex> = tree.parent[n].and_then(|p| joint_of_node[p]);
        let rest = transform(&node.local_transform);
        let followed = || {
            parent.map_or(matrix(&node.node_to_world), |p| {
                joints[p.at()].bind_from_joint * rest.to_affine()
            })
        };
        joints.push(Joint {
            name: tree::name(node),
            parent,
            rest,
            bind_from_joint: placing.bind_from_node[n].unwrap_or_else(followed),
            in_skin: in_skin[n],
        });
        joint_of_node[n] = Some(JointIndex(index));
    }
    if let (true, Some(root)) = (guessed, joints.iter().find(|j| j.in_skin)) {
        warnings.push(ImportWarning {
            code: "guessed_skeleton",
            message: format!(
                "the file names no bones; took {} plain node(s) for joints, from '{}' down",
                joints.iter().filter(|j| j.in_skin).count(),
                root.name
            ),
        });
    }
    Ok(Rig {
        skeleton: Skeleton { joints },
        joint_of_node,
        bind_from_geometry: placing.bind_from_geometry,
    })
}
