//! Further clips for the skeleton that a document has: animations are added at the end.
//!
//! A node that is animated may not have a matrix: it gets the translation, rotation and scale that the matrix stands for.

use ligament::Clip;
use serde_json::Value;

use super::build::{Builder, node_json};
use super::container::Document;
use super::json::list_mut;
use super::read::ReadCharacter;

/// A copy of the document with the clips after its own.
pub(super) fn with_clips(document: &Document, read: &ReadCharacter, clips: &[Clip]) -> Document {
    let mut builder = Builder {
        document: document.clone(),
    };
    let node_of_joint = &read.rig.node_of_joint;
    let nodes: Vec<Option<usize>> = node_of_joint.iter().map(|&node| Some(node)).collect();
    for clip in clips {
        let made = builder.clip(clip, &nodes);
        list_mut(builder.document.object_mut(), "animations").push(made);
        for track in &clip.tracks {
            let joint = &read.character.skeleton.joints[track.joint.at()];
            let location = format!("/nodes/{}", node_of_joint[track.joint.at()]);
            let Some(Value::Object(node)) = builder.document.json.pointer_mut(&location) else {
                continue;
            };
            if node.remove("matrix").is_some() {
                let plain = node_json(&joint.name, &joint.rest);
                for key in ["translation", "rotation", "scale"] {
                    if let Some(value) = plain.get(key) {
                        node.insert(key.to_owned(), value.clone());
                    }
                }
            }
        }
    }
    builder.document
}
