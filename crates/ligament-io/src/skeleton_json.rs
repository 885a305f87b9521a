//! Ligament's own small file for a skeleton.
//!
//! ```json
//! {
//!   "format": "ligament-skeleton",
//!   "version": 1,
//!   "joints": [
//!     { "name": "hips", "parent": null, "position": [0.0, 1.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0] },
//!     { "name": "spine", "parent": "hips", "position": [0.0, 1.2, 0.0] }
//!   ]
//! }
//! ```
//!
//! Positions and rotations (quaternions x, y, z, w; left out when not turned) are those
//! of the bind pose, in model space: right-handed, +Y up, metres. `parent` is a name, or
//! an index into the list where names repeat; it may come later in the list. A joint that is
//! no joint of the skin has `"in_skin": false`.
//!
//! Lost in writing: a rest pose other than the bind pose, and scale.

use std::collections::HashMap;

use glam::{DAffine3, DQuat, DVec3};
use ligament::character::{LooseJoint, Skeleton};
use serde_json::{Map, Value, json};

use crate::assemble::{skeleton_alone, skeleton_of};
use crate::import::{ImportError, Imported};

/// What the file says it is.
const FORMAT: &str = "ligament-skeleton";
/// The newest version that is read, and the one that is written.
const VERSION: u64 = 1;

/// Reads a skeleton.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let file: Value = serde_json::from_slice(bytes)
        .map_err(|e| ImportError::malformed(format!("line {}", e.line()), e.to_string()))?;
    if file["format"] != FORMAT {
        return Err(ImportError::malformed(
            "/format",
            format!("it should be \"{FORMAT}\""),
        ));
    }
    match file["version"].as_u64() {
        Some(1..=VERSION) => {}
        Some(newer) if newer > VERSION => {
            return Err(ImportError::Unsupported {
                what: format!("version {newer} of the skeleton format"),
                way_out: "use a newer Ligament".to_owned(),
            });
        }
        _ => {
            return Err(ImportError::malformed(
                "/version",
                format!("it should be {VERSION}"),
            ));
        }
    }
    let listed = file["joints"]
        .as_array()
        .ok_or_else(|| ImportError::malformed("/joints", "a list of joints should be here"))?;
    let mut number_of: HashMap<&str, usize> = HashMap::new();
    for (i, joint) in listed.iter().enumerate() {
        if let Some(name) = joint["name"].as_str() {
            number_of.entry(name).or_insert(i);
        }
    }
    let mut joints = Vec::with_capacity(listed.len());
    for (i, joint) in listed.iter().enumerate() {
        let fail =
            |key: &str, problem: &str| Err(ImportError::malformed(format!("/joints/{i}/{key}"), problem));
        let Some(joint_name) = joint["name"].as_str() else {
            return fail("name", "a name should be here");
        };
        let parent = match &joint["parent"] {
            Value::Null => None,
            Value::String(parent) => match number_of.get(parent.as_str()) {
                Some(&p) => Some(p),
                None => return fail("parent", "there is no joint of that name"),
            },
            other => match other.as_u64() {
                Some(p) if p < listed.len() as u64 => Some(p as usize),
                _ => {
                    return fail(
                        "parent",
                        "a joint's name or index in the list, or null, should be here",
                    );
                }
            },
        };
        let Some(position) = numbers::<3>(&joint["position"]) else {
            return fail("position", "three numbers should be here");
        };
        let rotation = match &joint["rotation"] {
            Value::Null => DQuat::IDENTITY,
            found => {
                let quaternion = numbers::<4>(found).map(DQuat::from_array);
                match quaternion.filter(|q| (q.length() - 1.0).abs() < 1e-3) {
                    Some(q) => q.normalize(),
                    None => return fail("rotation", "a unit quaternion x, y, z, w should be here"),
                }
            }
        };
        joints.push(LooseJoint {
            name: joint_name.to_owned(),
            parent,
            bind_from_joint: DAffine3::from_rotation_translation(rotation, DVec3::from_array(position)),
            in_skin: joint["in_skin"].as_bool().unwrap_or(true),
        });
    }
    let (skeleton, _) = skeleton_of(joints)?;
    Ok(skeleton_alone(name, skeleton, Vec::new(), Vec::new()))
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let list = value.as_array().filter(|list| list.len() == N)?;
    let mut numbers = [0.0; N];
    for (to, from) in numbers.iter_mut().zip(list) {
        *to = from.as_f64().filter(|x| x.is_finite())?;
    }
    Some(numbers)
}

/// The skeleton as text.
pub fn write(skeleton: &Skeleton) -> String {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for joint in &skeleton.joints {
        *uses.entry(&joint.name).or_default() += 1;
    }
    let joints: Vec<Value> = skeleton
        .joints
        .iter()
        .map(|joint| {
            let (_, rotation, position) = joint.bind_from_joint.to_scale_rotation_translation();
            let mut entry = Map::new();
            entry.insert("name".to_owned(), joint.name.as_str().into());
            let parent = joint.parent.map(|p| (p.0, skeleton.joint(p).name.as_str()));
            let parent = match parent {
                None => Value::Null,
                Some((_, name)) if uses.get(name) == Some(&1) => name.into(),
                Some((index, _)) => index.into(),
            };
            entry.insert("parent".to_owned(), parent);
            entry.insert("position".to_owned(), json!(position.to_array()));
            if rotation != DQuat::IDENTITY {
                entry.insert("rotation".to_owned(), json!(rotation.to_array()));
            }
            if !joint.in_skin {
                entry.insert("in_skin".to_owned(), false.into());
            }
            Value::Object(entry)
        })
        .collect();
    // One joint a line: easy to read, to edit and to compare.
    let lines: Vec<String> = joints.iter().map(|j| format!("    {j}")).collect();
    format!(
        "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"joints\": [\n{}\n  ]\n}}\n",
        lines.join(",\n")
    )
}
