//! A skeleton from elsewhere in a document that has none: nodes, a skin and clips are
//! added at the end, nothing else changes.

use ligament::character::{Clip, JointIndex, Skeleton};
use serde_json::{Value, json};

use super::build::{Builder, node_json};
use super::container::Document;
use super::json::list_mut;

/// A copy of the document with the skeleton beside the meshes of a scene, or of the first one.
pub(super) fn with_skeleton(
    document: &Document,
    scene: Option<usize>,
    skeleton: &Skeleton,
    clips: &[Clip],
) -> Document {
    let mut builder = Builder {
        document: document.clone(),
    };
    let first = document
        .json
        .get("nodes")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    let node_of_joint: Vec<Option<usize>> = (0..skeleton.joints.len()).map(|j| Some(first + j)).collect();
    let mut roots = Vec::new();
    for (i, joint) in skeleton.joints.iter().enumerate() {
        let mut node = node_json(&joint.name, &joint.rest);
        let children: Vec<usize> = (0..skeleton.joints.len())
            .filter(|&c| skeleton.joints[c].parent == Some(JointIndex(i as u16)))
            .map(|c| first + c)
            .collect();
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        list_mut(builder.document.object_mut(), "nodes").push(node);
        if joint.parent.is_none() {
            roots.push(first + i);
        }
    }
    let default = || document.json.get("scene").and_then(Value::as_u64).unwrap_or(0) as usize;
    let scene = scene.unwrap_or_else(default);
    if let Some(Value::Object(scene)) = builder.document.json.pointer_mut(&format!("/scenes/{scene}")) {
        list_mut(scene, "nodes").extend(roots.into_iter().map(Value::from));
    }
    if let Some(skin) = builder.skin(skeleton, &node_of_joint) {
        list_mut(builder.document.object_mut(), "skins").push(skin);
    }
    for clip in clips {
        let clip = builder.clip(clip, &node_of_joint);
        list_mut(builder.document.object_mut(), "animations").push(clip);
    }
    builder.document
}
