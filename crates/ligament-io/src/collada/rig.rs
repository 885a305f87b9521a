//! Joints: nodes that are meant as joints or that a skin names, and the nodes above them.

use std::collections::HashMap;

use glam::DAffine3;
use ligament::character::{JointIndex, LooseJoint, Skeleton, Transform};

use super::axes::Axes;
use super::document::Document;
use super::nodes::{Node, matrix};
use super::xml::Element;
use crate::assemble::skeleton_of;
use crate::import::ImportError;

/// The skeleton, and the way from nodes to its joints.
pub(super) struct Rig {
    pub skeleton: Skeleton,
    pub joint_of_node: Vec<Option<JointIndex>>,
    /// Where a joint is in bind space, in the file's own axes.
    pub bind_of_node: HashMap<usize, DAffine3>,
}

/// A skin's joints: nodes of the scene, and what brings bind space to each.
pub(super) struct SkinJoints {
    pub nodes: Vec<Option<usize>>,
    pub joint_from_bind: Vec<DAffine3>,
}

/// The joints of a `<skin>`.
pub(super) fn skin_joints(
    document: &Document<'_>,
    skin: &Element,
    nodes: &[Node<'_>],
) -> Result<SkinJoints, ImportError> {
    let missing = |what: &str| ImportError::malformed("<skin>", format!("it has no {what}"));
    let joints = skin.child("joints").ok_or_else(|| missing("<joints>"))?;
    let source = |semantic: &str| {
        let input = joints.input(semantic);
        input.and_then(|i| document.find(i.attribute("source")))
    };
    let names = document.names(source("JOINT").ok_or_else(|| missing("joints"))?);
    let binds = document.numbers(source("INV_BIND_MATRIX").ok_or_else(|| missing("bind matrices"))?)?;
    let mut found = SkinJoints {
        nodes: Vec::new(),
        joint_from_bind: Vec::new(),
    };
    for (k, name) in names.iter().enumerate() {
        // By the name inside the skeleton, says the standard; exporters have used all three.
        let by = |key: &str| nodes.iter().position(|n| n.element.attribute(key) == Some(name));
        found
            .nodes
            .push(by("sid").or_else(|| by("id")).or_else(|| by("name")));
        let numbers = binds.values.get(16 * k..16 * k + 16);
        let numbers = numbers.ok_or_else(|| missing("bind matrix for every joint"))?;
        found.joint_from_bind.push(matrix(numbers));
    }
    Ok(found)
}

pub(super) fn build(nodes: &[Node<'_>], skins: &[SkinJoints], axes: &Axes) -> Result<Rig, ImportError> {
    let mut bind_of_node: HashMap<usize, DAffine3> = HashMap::new();
    let mut kept = vec![false; nodes.len()];
    let mut is_joint = vec![false; nodes.len()];
    for skin in skins {
        for (node, joint_from_bind) in skin.nodes.iter().zip(&skin.joint_from_bind) {
            if let Some(node) = *node {
                is_joint[node] = true;
                if joint_from_bind.matrix3.determinant().abs() > 1e-30 {
                    bind_of_node
                        .entry(node)
                        .or_insert_with(|| joint_from_bind.inverse());
                }
            }
        }
    }
    for (node, is_joint) in nodes.iter().zip(&mut is_joint) {
        *is_joint |= node.element.attribute("type") == Some("JOINT");
    }
    for joint in (0..nodes.len()).filter(|&n| is_joint[n]) {
        let mut at = Some(joint);
        while let Some(node) = at.filter(|&n| !kept[n]) {
            kept[node] = true;
            at = nodes[node].parent;
        }
    }
    let mut joint_of_node: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut loose: Vec<LooseJoint> = Vec::new();
    let mut rests = Vec::new();
    for (n, node) in nodes.iter().enumerate().filter(|(n, _)| kept[*n]) {
        // What no skin names rests where its parent was bound.
        let bind = match (bind_of_node.get(&n), node.parent) {
            (Some(&bind), _) => bind,
            (None, Some(parent)) => {
                let parent = bind_of_node.get(&parent).copied().unwrap_or(nodes[parent].world);
                parent * node.local
            }
            (None, None) => node.world,
        };
        bind_of_node.insert(n, bind);
        joint_of_node[n] = Some(loose.len());
        loose.push(LooseJoint {
            name: node.name().to_owned(),
            parent: node.parent.and_then(|p| joint_of_node[p]),
            bind_from_joint: axes.world(bind),
            in_skin: is_joint[n],
        });
        rests.push(axes.local(node.local, node.parent.is_none()));
    }
    if loose.is_empty() {
        // A mesh alone, which gets its skeleton from elsewhere.
        return Ok(Rig {
            joint_of_node: vec![None; nodes.len()],
            skeleton: Skeleton::default(),
            bind_of_node,
        });
    }
    let (mut skeleton, index_of) = skeleton_of(loose)?;
    for (rest, joint) in rests.into_iter().zip(&index_of) {
        skeleton.joints[joint.at()].rest = Transform::from_affine(rest);
    }
    skeleton
        .check()
        .map_err(|e| ImportError::malformed("the skeleton", e.to_string()))?;
    Ok(Rig {
        joint_of_node: joint_of_node.iter().map(|j| j.map(|j| index_of[j])).collect(),
        skeleton,
        bind_of_node,
    })
}
