//! Voxel weights that follow an edit: distances again from bones that moved, then weights.

use std::sync::Arc;

use super::grouped_rows::{GroupedRows, Grouping};
use super::rig_state::Rig;
use crate::bind::BindError;
use crate::bind::rules::Rules;
use crate::bind::voxel::{Form, MovingBinding};
use crate::character::{Bone, Influence, Weights};
use crate::task::Task;

/// Distances and weights of a skin, kept up to date.
pub(super) struct VoxelField {
    binding: MovingBinding,
    rows: GroupedRows,
}

impl VoxelField {
    /// Binds a skin on a rig. The rules are those of the rig.
    pub fn new(rules: &Rules<'_>, rig: &Rig, task: &Task<'_>) -> Result<Self, BindError> {
        let (bones, nearer) = bones(rig, &rules.joints);
        let mut binding = MovingBinding::new(rules.skin, bones, task)?;
        let weights = binding.weights(rules, &nearer, rig.evaluation(), task)?;
        Ok(Self {
            binding,
            rows: by_keys(&weights, rig),
        })
    }

    /// Follows another rig, and tells from how many bones distances were run again. On an
    /// error the weights are as they were.
    pub fn update(&mut self, rules: &Rules<'_>, rig: &Rig, task: &Task<'_>) -> Result<usize, BindError> {
        let (bones, nearer) = bones(rig, &rules.joints);
        let again = self.binding.follow(bones, task)?;
        let weights = self.binding.weights(rules, &nearer, rig.evaluation(), task)?;
        self.rows = by_keys(&weights, rig);
        Ok(again)
    }

    /// The weights of positions as they are written, joints as keys.
    pub fn rows(&self) -> &GroupedRows {
        &self.rows
    }
}

/// Bones and shapes by position of their joints, and how much nearer each counts: as heat with
/// the magnitude c falls with c/d², a distance is divided by √c.
fn bones(rig: &Rig, deforms: &[bool]) -> (Vec<Bone>, Vec<f32>) {
    let joints = rig.joints_of_keys();
    let mut bones: Vec<Bone> = rig
        .bones(deforms, Form::Ligament.leaf_stub())
        .into_iter()
        .filter_map(|bone| {
            Some(Bone {
                joint: joints[bone.joint.at()]?,
                ..bone
            })
        })
        .collect();
    for joint in rig.skeleton.indices().filter(|j| deforms[j.at()]) {
        let at = rig.skeleton.bind_position(joint);
        for shape in &rig.settings[rig.key(joint).at()].shapes {
            let shape = shape.moved_by(at);
            bones.push(Bone {
                joint,
                shape,
                stub: true,
            });
        }
    }
    let magnitude = |b: &Bone| rig.settings[rig.key(b.joint).at()].heat.magnitude;
    let nearer = bones.iter().map(|b| magnitude(b).sqrt() as f32).collect();
    (bones, nearer)
}

fn by_keys(weights: &Weights, rig: &Rig) -> GroupedRows {
    let grouping = Grouping::in_order(weights.vertex_count());
    GroupedRows::new(Arc::new(grouping), |position, list| {
        list.extend(weights.of_vertex(position).iter().map(|i| Influence {
            joint: rig.key(i.joint).in_solver(),
            weight: i.weight,
        }));
    })
}
