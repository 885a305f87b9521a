//! The scene's nodes, parents first, and which of them are joints.

use ufbx::{Node, Scene};

/// The tree without its root, which stands for the world. Nodes are named by their index
/// in [`Scene::nodes`].
pub(super) struct Tree {
    /// All nodes, depth first.
    pub order: Vec<usize>,
    /// Each node's parent; none for those under the root.
    pub parent: Vec<Option<usize>>,
    /// How many nodes are above each.
    pub depth: Vec<usize>,
}

/// A node's index in [`Scene::nodes`].
pub(super) fn id(node: &Node) -> usize {
    node.element.typed_id as usize
}

impl Tree {
    pub fn new(scene: &Scene) -> Self {
        let count = scene.nodes.len();
        let mut tree = Self {
            order: Vec::with_capacity(count),
            parent: vec![None; count],
            depth: vec![0; count],
        };
        let mut seen = vec![false; count];
        let mut waiting: Vec<&Node> = scene.root_node.children.into_iter().collect();
        waiting.reverse();
        while let Some(node) = waiting.pop() {
            let n = id(node);
            if n >= count || std::mem::replace(&mut seen[n], true) {
                continue;
            }
            let above = node.parent.as_ref().filter(|p| !p.is_root).map(|p| id(p));
            tree.parent[n] = above.filter(|&p| seen.get(p) == Some(&true));
            tree.depth[n] = tree.parent[n].map_or(0, |p| tree.depth[p] + 1);
            tree.order.push(n);
            let first = waiting.len();
            waiting.extend(&node.children);
            waiting[first..].reverse();
        }
        tree
    }
}

/// What a person calls a node. Where a bone was split in two because its scale is not
/// passed on, the half that moves skin has its name.
pub(super) fn name(node: &Node) -> String {
    match (&node.parent, &node.scale_helper) {
        (Some(bone), _) if node.is_scale_helper => bone.element.name.to_string(),
        (_, Some(_)) => format!("{}.unscaled", node.element.name),
        _ => node.element.name.to_string(),
    }
}

/// Nodes that carry a mesh, in the file's order.
pub(super) fn drawn(scene: &Scene, tree: &Tree) -> Vec<usize> {
    let has_faces = |n: &usize| scene.nodes[*n].mesh.as_ref().is_some_and(|m| m.num_faces > 0);
    let mut drawn: Vec<usize> = tree.order.iter().copied().filter(has_faces).collect();
    drawn.sort_by_key(|&n| scene.nodes[n].element.element_id);
    drawn
}

/// For each node whether skin may follow it: it is a bone or a cluster names it. In a
/// file with neither, trees of two or more nodes that carry nothing are taken for bones;
/// the second answer says whether that happened.
pub(super) fn joints(scene: &Scene, tree: &Tree) -> (Vec<bool>, bool) {
    let mut joints = vec![false; scene.nodes.len()];
    for &n in &tree.order {
        joints[n] = scene.nodes[n].bone.is_some();
    }
    for cluster in &scene.skin_clusters {
        let bone = cluster.bone_node.as_ref().filter(|b| !b.is_root);
        if let Some(joint) = bone.and_then(|b| joints.get_mut(id(b))) {
            *joint = true;
        }
    }
    if joints.contains(&true) {
        return (joints, false);
    }
    let mut carries = vec![false; scene.nodes.len()];
    let mut children = vec![0usize; scene.nodes.len()];
    for &n in tree.order.iter().rev() {
        let node = &scene.nodes[n];
        carries[n] |= node.mesh.is_some() || node.light.is_some() || node.camera.is_some();
        if let Some(parent) = tree.parent[n] {
            carries[parent] |= carries[n];
            children[parent] += 1;
        }
    }
    for &n in &tree.order {
        let parent_is_bare = tree.parent[n].is_some_and(|p| !carries[p]);
        joints[n] = !carries[n] && (parent_is_bare || children[n] > 0);
    }
    let guessed = joints.contains(&true);
    (joints, guessed)
}
