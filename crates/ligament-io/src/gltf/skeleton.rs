//! One skeleton and one bind space for all skins of a file.
//!
//! Every skin stores, for each joint, the matrix from its mesh's space to the joint at
//! bind time. Meshes with their own spaces (quantised ones, ones exported under a scaled
//! node) therefore disagree by a constant matrix per skin. The character's bind space is
//! the world in which the first skin's root stands at rest: upright, in the scene's units.

use glam::DAffine3;
use ligament::character::{Joint, JointIndex, Skeleton};

use super::error::GltfWarning;
use super::nodes::{Scene, Skin};

/// The skeleton, and how the file's nodes and skins map to it.
#[derive(Debug, Clone)]
pub(super) struct Rig {
    pub skeleton: Skeleton,
    /// For each node its joint, where it is part of the skeleton.
    pub joint_of_node: Vec<Option<JointIndex>>,
    /// For each skin the matrix from its meshes' space to bind space, where it is used.
    pub bind_from_mesh: Vec<Option<DAffine3>>,
    /// The node behind each joint.
    pub node_of_joint: Vec<usize>,
}

impl Rig {
    /// The joints behind the slots of a skin.
    pub fn joints_of_skin(&self, skin: &Skin) -> Vec<JointIndex> {
        skin.joints
            .iter()
            .filter_map(|&n| self.joint_of_node[n])
            .collect()
    }
}

/// Builds the rig from the skins in `used` and every node in `carriers`, with all their
/// ancestors. `guessed` are joints that no skin names.
pub(super) fn build_rig(
    scene: &Scene,
    skins: &[Skin],
    used: &[usize],
    carriers: &[usize],
    guessed: &[usize],
    warnings: &mut Vec<GltfWarning>,
) -> Rig {
    let mut in_skin = vec![false; scene.nodes.len()];
    for &node in used.iter().flat_map(|&s| &skins[s].joints).chain(guessed) {
        in_skin[node] = true;
    }
    let mut wanted = in_skin.clone();
    for &node in carriers {
        wanted[node] = true;
    }
    // Children come later in the order, so going backwards reaches all ancestors.
    for &node in scene.order.iter().rev() {
        if let (true, Some(parent)) = (wanted[node], scene.nodes[node].parent) {
            wanted[parent] = true;
        }
    }

    let (bind_of_node, bind_from_mesh) = place_joints(scene, skins, used, warnings);
    let mut joints: Vec<Joint> = Vec::new();
    let mut joint_of_node = vec![None; scene.nodes.len()];
    let mut node_of_joint = Vec::new();
    for &node in scene.order.iter().filter(|&&n| wanted[n]) {
        let Ok(index) = u16::try_from(joints.len()) else {
            break; // the caller sees that joints are missing
        };
        let parent: Option<JointIndex> = scene.nodes[node].parent.and_then(|p| joint_of_node[p]);
        let rest = scene.nodes[node].local;
        let followed = || {
            parent.map_or(scene.world[node], |p| {
                joints[p.at()].bind_from_joint * rest.to_affine()
            })
        };
        joints.push(Joint {
            name: scene.nodes[node].name.clone(),
            parent,
            rest,
            bind_from_joint: bind_of_node[node].unwrap_or_else(followed),
            in_skin: in_skin[node],
        });
        joint_of_node[node] = Some(JointIndex(index));
        node_of_joint.push(node);
    }
    Rig {
        skeleton: Skeleton { joints },
        joint_of_node,
        bind_from_mesh,
        node_of_joint,
    }
}

/// Where each node that a skin names was at bind time, and each skin's way to bind space.
fn place_joints(
    scene: &Scene,
    skins: &[Skin],
    used: &[usize],
    warnings: &mut Vec<GltfWarning>,
) -> (Vec<Option<DAffine3>>, Vec<Option<DAffine3>>) {
    let mut bind: Vec<Option<(DAffine3, usize)>> = vec![None; scene.nodes.len()];
    let mut bind_from_mesh = vec![None; skins.len()];
    // The skin with most joints says most about the bind pose; the others join it.
    let mut by_size = used.to_vec();
    by_size.sort_by_key(|&s| std::cmp::Reverse(skins[s].joints.len()));
    for &s in &by_size {
        let skin = &skins[s];
        let stored = || {
            let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
            pairs.filter_map(|(&node, m)| Some((node, (*m)?)))
        };
        let shared = stored().find_map(|(node, m)| Some(bind[node]?.0 * m));
        let root = stored().min_by_key(|&(node, _)| depth(scene, node));
        let own = || root.map_or(DAffine3::IDENTITY, |(node, m)| scene.world[node] * m);
        let to_bind = shared.unwrap_or_else(own);
        bind_from_mesh[s] = Some(to_bind);
        let mut disagreeing = None;
        for (node, joint_from_mesh) in stored() {
            let placed = to_bind * joint_from_mesh.inverse();
            match bind[node] {
                None => bind[node] = Some((placed, s)),
                Some((known, first)) if differs(known, placed) => {
                    disagreeing.get_or_insert((first, node));
                }
                Some(_) => {}
            }
        }
        if let Some((first, node)) = disagreeing {
            warnings.push(GltfWarning::SkinsDisagree {
                first,
                second: s,
                joint: scene.nodes[node].name.clone(),
            });
        }
    }
    (
        bind.into_iter().map(|b| b.map(|(m, _)| m)).collect(),
        bind_from_mesh,
    )
}

fn depth(scene: &Scene, node: usize) -> usize {
    std::iter::successors(scene.nodes[node].parent, |&p| scene.nodes[p].parent).count()
}

/// Whether two placements of a joint differ by more than rounding does.
fn differs(a: DAffine3, b: DAffine3) -> bool {
    let size = a.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    !a.abs_diff_eq(b, 1e-3 * size)
}

/// Nodes that look like joints in a file without skins: trees of two or more nodes that
/// carry nothing. Returns them in order.
pub(super) fn guess_joints(scene: &Scene) -> Vec<usize> {
    let mut carries = vec![false; scene.nodes.len()];
    let mut children = vec![0usize; scene.nodes.len()];
    for &node in scene.order.iter().rev() {
        let n = &scene.nodes[node];
        carries[node] |= n.mesh.is_some() || n.carries_other;
        if let Some(parent) = n.parent {
            carries[parent] |= carries[node];
            children[parent] += 1;
        }
    }
    let is_bare = |node: usize| !carries[node];
    scene
        .order
        .iter()
        .copied()
        .filter(|&node| {
            let parent_is_bare = scene.nodes[node].parent.is_some_and(is_bare);
            is_bare(node) && (parent_is_bare || children[node] > 0)
        })
        .collect()
}
