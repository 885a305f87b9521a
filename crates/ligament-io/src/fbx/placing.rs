//! Where joints and skinned meshes were when skin and bones were brought together.
//!
//! A cluster stores where its bone was in the world at bind time and the way from the
//! mesh to the bone. Where a skin's clusters agree, that world is bind space. Where they
//! do not (some exporters write nonsense there), bind space is the world in which the
//! skin's topmost bone stands at rest, as for glTF.

use glam::DAffine3;
use ufbx::{Scene, SkinDeformer};

use super::convert::matrix;
use super::tree::{Tree, id};
use crate::import::ImportWarning;

/// What the clusters and bind poses say.
pub(super) struct Placing {
    /// For each node where it was at bind time, where the file says so.
    pub bind_from_node: Vec<Option<DAffine3>>,
    /// For each skin the way from its mesh's geometry to bind space.
    pub bind_from_geometry: Vec<Option<DAffine3>>,
}

struct Stored {
    node: usize,
    bone_from_geometry: DAffine3,
    world_from_bone: DAffine3,
}

pub(super) fn place_nodes(
    scene: &Scene,
    tree: &Tree,
    used: &[&SkinDeformer],
    warnings: &mut Vec<ImportWarning>,
) -> Placing {
    let mut placing = Placing {
        bind_from_node: vec![None; scene.nodes.len()],
        bind_from_geometry: vec![None; scene.skin_deformers.len()],
    };
    // The skin with most joints says most about the bind pose; the others join it.
    let mut by_size = used.to_vec();
    by_size.sort_by_key(|s| std::cmp::Reverse(s.clusters.len()));
    for skin in by_size {
        let stored = stored(skin);
        let bind_from_geometry = stored
            .iter()
            .find_map(|s| Some(placing.bind_from_node[s.node]? * s.bone_from_geometry))
            .or_else(|| bind_world(&stored))
            .unwrap_or_else(|| {
                let root = stored.iter().min_by_key(|s| tree.depth[s.node]);
                root.map_or(DAffine3::IDENTITY, |s| {
                    matrix(&scene.nodes[s.node].node_to_world) * s.bone_from_geometry
                })
            });
        if let Some(known) = placing.bind_from_geometry.get_mut(skin.element.typed_id as usize) {
            *known = Some(bind_from_geometry);
        }
        let mut disagreeing = None;
        for s in &stored {
            let placed = bind_from_geometry * s.bone_from_geometry.inverse();
            match placing.bind_from_node[s.node] {
                None => placing.bind_from_node[s.node] = Some(placed),
                Some(known) if differs(known, placed) => disagreeing = disagreeing.or(Some(s.node)),
                Some(_) => {}
            }
        }
        if let Some(node) = disagreeing {
            warnings.push(ImportWarning {
                code: "skins_disagree",
                message: format!(
                    "skin '{}' was bound in another pose than the skins before it: joint '{}' and perhaps others",
                    skin.element.name, scene.nodes[node].element.name
                ),
            });
        }
    }
    join_bind_poses(scene, &mut placing.bind_from_node);
    placing
}

/// The clusters of a skin whose matrices can be used.
fn stored(skin: &SkinDeformer) -> Vec<Stored> {
    let sound = |m: DAffine3| m.is_finite() && m.matrix3.determinant() != 0.0;
    skin.clusters
        .into_iter()
        .filter_map(|cluster| {
            let bone = cluster.bone_node.as_ref().filter(|b| !b.is_root)?;
            Some(Stored {
                node: id(bone),
                bone_from_geometry: matrix(&cluster.geometry_to_bone),
                world_from_bone: matrix(&cluster.bind_to_world),
            })
        })
        .filter(|s| sound(s.bone_from_geometry) && s.bone_from_geometry.inverse().is_finite())
        .collect()
}

/// Where the geometry was in the world at bind time, if all clusters agree on it.
fn bind_world(stored: &[Stored]) -> Option<DAffine3> {
    let mut all = stored.iter().map(|s| s.world_from_bone * s.bone_from_geometry);
    let first = all.next()?;
    let sound = first.is_finite() && first.matrix3.determinant() != 0.0;
    (sound && all.all(|m| !differs(first, m))).then_some(first)
}

/// Bones that no cluster names stand where the file's bind poses put them, if a pose
/// agrees with the clusters.
fn join_bind_poses(scene: &Scene, bind_from_node: &mut [Option<DAffine3>]) {
    let by_clusters = bind_from_node.to_vec();
    for pose in scene.poses.into_iter().filter(|p| p.is_bind_pose) {
        let placed = || {
            let bones = pose.bone_poses.iter().filter(|b| !b.bone_node.is_root);
            bones.map(|b| (&b.bone_node, matrix(&b.bone_to_world)))
        };
        let mut known = placed()
            .filter_map(|(node, m)| Some((by_clusters.get(id(node)).copied()??, m)))
            .peekable();
        if known.peek().is_none() || known.any(|(known, m)| differs(known, m)) {
            continue;
        }
        for (node, m) in placed().filter(|(node, _)| node.bone.is_some()) {
            let sound = m.is_finite() && m.matrix3.determinant() != 0.0;
            if let Some(bind @ None) = bind_from_node.get_mut(id(node)) {
                *bind = sound.then_some(m);
            }
        }
    }
}

/// Whether two placements differ by more than rounding does.
fn differs(a: DAffine3, b: DAffine3) -> bool {
    let size = a.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    !a.abs_diff_eq(b, 1e-3 * size)
}
