//! The `.skel` of Fast Projective Skinning (Komaritzan, Botsch 2019).
//!
//! Layout: the number of joints, then a line `x y z name parent` for each; the root's
//! parent is `root`, unless a joint has that name. Read: all of it. Nothing is lost.

use std::collections::HashMap;

use glam::DVec3;
use ligament::character::LooseJoint;

use crate::assemble::{skeleton_alone, skeleton_of};
use crate::import::{ImportError, Imported};
use crate::text::{Words, name_of};

/// Reads a skeleton.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let mut words = Words::new(bytes, None);
    let count = words.count("the number of joints")?;
    let mut joints = Vec::new();
    let mut parents: Vec<(String, usize)> = Vec::new();
    let mut number_of: HashMap<String, usize> = HashMap::new();
    for i in 0..count {
        let position = DVec3::new(words.f64("x")?, words.f64("y")?, words.f64("z")?);
        let joint = name_of(words.expect("a joint's name")?);
        let parent = name_of(words.expect("a parent's name")?);
        if number_of.insert(joint.clone(), i).is_some() {
            return Err(words.error(format!("there are two joints '{joint}'")));
        }
        joints.push(LooseJoint::at(joint, None, position));
        parents.push((parent, words.line()));
    }
    for (i, (joint, (parent, line))) in joints.iter_mut().zip(parents).enumerate() {
        // The root itself may be called "root".
        joint.parent = number_of.get(&parent).copied().filter(|&p| p != i);
        if joint.parent.is_none() && parent != "root" {
            let problem = format!("the parent '{parent}' does not exist");
            return Err(ImportError::malformed(format!("line {line}"), problem));
        }
    }
    let (skeleton, _) = skeleton_of(joints)?;
    Ok(skeleton_alone(name, skeleton, Vec::new(), Vec::new()))
}
