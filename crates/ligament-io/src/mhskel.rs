//! MakeHuman's `.mhskel`: a skeleton that finds its joints in the mesh.
//!
//! JSON. `bones` gives each bone its parent and the names of its head and tail; `joints`
//! gives each such name a list of vertices of the base mesh, whose mean is its position.
//! Read: a joint for each bone, at the bone's head.
//!
//! Lost: tails (a bone ends at its children) and the planes that say how bones are
//! rolled: joints are not turned. The base mesh is in decimetres; so is the skeleton.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec3, Vec3};
use ligament::character::LooseJoint;
use serde::Deserialize;

use crate::assemble::{skeleton_alone, skeleton_of};
use crate::import::{ImportError, Imported};

#[derive(Deserialize)]
struct File {
    bones: BTreeMap<String, Bone>,
    joints: BTreeMap<String, Vec<usize>>,
}

#[derive(Deserialize)]
struct Bone {
    head: String,
    parent: Option<String>,
}

/// Reads a skeleton for a mesh. `vertices` are those of the base mesh, all of them, in
/// its order.
pub fn read(bytes: &[u8], name: &str, vertices: &[Vec3]) -> Result<Imported, ImportError> {
    let file: File = serde_json::from_slice(bytes)
        .map_err(|e| ImportError::malformed(format!("line {}", e.line()), e.to_string()))?;
    let number_of: HashMap<&str, usize> = file.bones.keys().map(String::as_str).zip(0..).collect();
    let mut joints = Vec::with_capacity(file.bones.len());
    for (bone_name, bone) in &file.bones {
        let fail = |problem: String| ImportError::malformed(format!("/bones/{bone_name}"), problem);
        let around = file
            .joints
            .get(&bone.head)
            .filter(|list| !list.is_empty())
            .ok_or_else(|| fail(format!("the joint '{}' has no vertices", bone.head)))?;
        let mut sum = DVec3::ZERO;
        for &v in around {
            let count = vertices.len();
            let at = vertices.get(v).ok_or_else(|| {
                fail(format!(
                    "vertex {v} is none of the {count} of the mesh; is it the base mesh?"
                ))
            })?;
            sum += at.as_dvec3();
        }
        let parent = match &bone.parent {
            None => None,
            Some(parent) => Some(
                number_of
                    .get(parent.as_str())
                    .copied()
                    .ok_or_else(|| fail(format!("the parent '{parent}' does not exist")))?,
            ),
        };
        joints.push(LooseJoint::at(
            bone_name.clone(),
            parent,
            sum / around.len() as f64,
        ));
    }
    let (skeleton, _) = skeleton_of(joints)?;
    Ok(skeleton_alone(name, skeleton, Vec::new(), Vec::new()))
}
