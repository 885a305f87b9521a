//! The influences of one skinned mesh.

use ligament::character::{Influence, JointIndex, WeightsBuilder};
use ufbx::SkinDeformer;

use super::skeleton::Rig;
use super::tree::id;
use crate::import::ImportWarning;

/// A sum of weights may be off by this much before a user hears of it. FBX stores
/// weights in percent in some programs, rounded to two digits.
const SUM_TOLERANCE: f64 = 0.01;

/// Adds the influences of all vertices of a mesh. A vertex without weight follows the
/// skin's first joint.
pub(super) fn add_skin(
    builder: &mut WeightsBuilder,
    skin: &SkinDeformer,
    vertices: usize,
    rig: &Rig,
    part: &str,
    warnings: &mut Vec<ImportWarning>,
) {
    let joints: Vec<Option<JointIndex>> = skin
        .clusters
        .into_iter()
        .map(|c| rig.joint_of_node.get(id(c.bone_node.as_ref()?)).copied()?)
        .collect();
    let fallback = joints.iter().flatten().copied().next().unwrap_or(JointIndex(0));
    let (mut unweighted, mut off) = (0, 0);
    let mut list = Vec::new();
    for v in 0..vertices {
        list.clear();
        let weights = skin.vertices.get(v).and_then(|found| {
            let start = found.weight_begin as usize;
            skin.weights.get(start..start + found.num_weights as usize)
        });
        let mut sum = 0.0;
        for w in weights.unwrap_or_default() {
            let joint = joints.get(w.cluster_index as usize).copied().flatten();
            let sound = w.weight.is_finite() && w.weight > 0.0 && w.weight < f64::from(f32::MAX);
            if let (Some(joint), true) = (joint, sound) {
                sum += w.weight;
                let weight = w.weight as f32;
                list.push(Influence { joint, weight });
            }
        }
        if builder.push(&list).is_err() {
            unweighted += 1;
            add_rigid(builder, 1, fallback);
        } else if (sum - 1.0).abs() > SUM_TOLERANCE {
            off += 1;
        }
    }
    let found = [
        (
            unweighted,
            "unweighted_vertices",
            "vertices without weight; they follow the skin's first joint",
        ),
        (
            off,
            "weights_not_normalised",
            "vertices whose weights do not sum to one; they were normalised",
        ),
    ];
    warnings.extend(found.into_iter().filter(|f| f.0 > 0).map(|(count, code, what)| {
        let message = format!("'{part}' has {count} {what}");
        ImportWarning { code, message }
    }));
}

/// Adds vertices that follow one joint alone.
pub(super) fn add_rigid(builder: &mut WeightsBuilder, vertices: usize, joint: JointIndex) {
    for _ in 0..vertices {
        // A weight of one is always taken.
        let _ = builder.push(&[Influence { joint, weight: 1.0 }]);
    }
}
