//! RigNet's rig text (Xu et al. 2020), with its neighbours' variations.
//!
//! Lines: `joints NAME x y z`, `root NAME`, `hier PARENT CHILD`, and for each vertex
//! `skin VERTEX JOINT WEIGHT JOINT WEIGHT ...`. Read: the skeleton, and the weights if
//! every vertex from 0 to the last one named has some; see
//! [`crate::weights::rignet_text`] for weights that belong to a known mesh.
//!
//! Lost in writing: how joints are turned, a rest pose other than the bind pose, nodes
//! that are no joints of the skin are written as joints, and blanks in names become `_`.

use std::collections::HashMap;
use std::fmt::Write as _;

use glam::DVec3;
use ligament::Character;
use ligament::character::LooseJoint;

use crate::assemble::{skeleton_alone, skeleton_of, warning};
use crate::import::{ImportError, Imported};
use crate::text::{Line, f64_of, lines, name_of, shown};
use crate::weights::labels::Labels;
use crate::weights::rignet_text;

/// Reads a rig.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let mut joints: Vec<LooseJoint> = Vec::new();
    let mut number_of: HashMap<&[u8], usize> = HashMap::new();
    let mut bones: Vec<(Line, &[u8], &[u8])> = Vec::new();
    let mut root: Option<(Line, &[u8])> = None;
    for line in lines(bytes) {
        let words: Vec<&[u8]> = line.words().take(5).collect();
        match words[..] {
            [b"joints", joint, x, y, z] => {
                let [Some(x), Some(y), Some(z)] = [x, y, z].map(f64_of) else {
                    return Err(line.error("a joint needs three coordinates"));
                };
                if number_of.insert(joint, joints.len()).is_some() {
                    return Err(line.error(format!("there are two joints {}", shown(joint))));
                }
                joints.push(LooseJoint::at(name_of(joint), None, DVec3::new(x, y, z)));
            }
            [b"root", joint] => root = Some((line, joint)),
            [b"hier", parent, child] => bones.push((line, parent, child)),
            [] | [b"skin", ..] => {}
            _ => return Err(line.error(format!("{} is not understood", shown(line.text)))),
        }
    }
    let find = |line: Line, joint: &[u8]| {
        let found = number_of.get(joint).copied();
        found.ok_or_else(|| line.error(format!("there is no joint {}", shown(joint))))
    };
    for (line, parent, child) in bones {
        let (parent, child) = (find(line, parent)?, find(line, child)?);
        if joints[child].parent.replace(parent).is_some() {
            return Err(line.error(format!("joint '{}' has two parents", joints[child].name)));
        }
    }
    if let Some((line, joint)) = root {
        let root = find(line, joint)?;
        if joints[root].parent.is_some() {
            return Err(line.error(format!("the root {} has a parent", shown(joint))));
        }
    }
    let (skeleton, _) = skeleton_of(joints)?;
    let weights = rignet_text::read_all(bytes, &skeleton)?;
    let mut imported = skeleton_alone(name, skeleton, Vec::new(), Vec::new());
    match weights {
        rignet_text::Found::Nothing => {}
        rignet_text::Found::Gaps => imported.warnings.push(warning(
            "left_out_weights",
            "some vertices have no weights: all weights were left out",
        )),
        rignet_text::Found::All(weights) => imported.character.weights = Some(weights),
    }
    Ok(imported)
}

/// The skeleton, and the weights if there are any, as text.
pub fn write(character: &Character) -> String {
    let skeleton = &character.skeleton;
    let labels = Labels::without_blanks(skeleton);
    let mut text = String::new();
    for joint in skeleton.indices() {
        let DVec3 { x, y, z } = skeleton.bind_position(joint);
        let _ = writeln!(text, "joints {} {x} {y} {z}", labels.of(joint));
    }
    for joint in skeleton.indices() {
        if skeleton.joint(joint).parent.is_none() {
            let _ = writeln!(text, "root {}", labels.of(joint));
        }
    }
    if let Some(weights) = &character.weights {
        text.push_str(&rignet_text::write(weights, skeleton));
    }
    for joint in skeleton.indices() {
        if let Some(parent) = skeleton.joint(joint).parent {
            let _ = writeln!(text, "hier {} {}", labels.of(parent), labels.of(joint));
        }
    }
    text
}
