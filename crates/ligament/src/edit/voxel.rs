//! Voxel weights that follow an edit: distances again from bones that moved, then weights.

use std::sync::Arc;

use super::grouped_rows::{GroupedRows, Grouping};
use super::rig_state::Rig;
use super::session::SessionOptions;
use crate::bind::voxel::{Form, MovingBinding};
use crate::bind::{BindError, Job};
use crate::character::{Bone, BoneShape, Character, Influence, Weights};
use crate::task::Task;

/// Distances and weights of a skin, kept up to date.
pub(super) struct VoxelField {
    binding: MovingBinding,
    rows: GroupedRows,
}

impl VoxelField {
    /// Binds a character on a rig.
    pub fn new(
        character: &Character,
        rig: &Rig,
        job: Job<'_>,
        options: &SessionOptions,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let (bones, nearer) = bones(rig, &job.deforms);
        let bind_options = rig.bind_options(options.influences, options.floor);
        let mut binding = MovingBinding::new(&job, bones, &bind_options, task)?;
        let weights = binding.weights(job, &nearer, character, &bind_options, task)?;
        Ok(Self {
            binding,
            rows: by_keys(&weights, rig),
        })
    }

    /// Follows another rig, and tells from how many bones distances were run again. On an
    /// error the weights are as they were.
    pub fn update(
        &mut self,
        character: &Character,
        rig: &Rig,
        job: Job<'_>,
        options: &SessionOptions,
        task: &Task<'_>,
    ) -> Result<usize, BindError> {
        let (bones, nearer) = bones(rig, &job.deforms);
        let again = self.binding.follow(bones, task)?;
        let bind_options = rig.bind_options(options.influences, options.floor);
        let weights = self
            .binding
            .weights(job, &nearer, character, &bind_options, task)?;
        self.rows = by_keys(&weights, rig);
        Ok(again)
    }

    /// The weights of positions as they are written, joints as keys.
    pub fn rows(&self) -> &GroupedRows {
        &self.rows
    }
}

/// Bones and shapes by place of their joints, and how much nearer each counts: as heat with
/// the magnitude c falls with c/d², a distance is divided by √c.
fn bones(rig: &Rig, deforms: &[bool]) -> (Vec<Bone>, Vec<f32>) {
    let places = rig.places();
    let mut bones: Vec<Bone> = rig
        .bones(deforms, Form::Ligament.leaf_stub())
        .into_iter()
        .filter_map(|bone| {
            Some(Bone {
                joint: places[bone.joint.at()]?,
                ..bone
            })
        })
        .collect();
    for joint in rig.skeleton.indices().filter(|j| deforms[j.at()]) {
        let at = rig.skeleton.bind_position(joint);
        for shape in &rig.settings[rig.key(joint).at()].shapes {
            let shape = match shape.clone() {
                BoneShape::Point(offset) => BoneShape::Point(at + offset),
                BoneShape::Sphere { centre, radius } => BoneShape::Sphere {
                    centre: at + centre,
                    radius,
                },
                BoneShape::Segment { head, tail } => BoneShape::Segment {
                    head: at + head,
                    tail: at + tail,
                },
                BoneShape::Box {
                    mut bind_from_box,
                    half_extent,
                } => {
                    bind_from_box.translation += at;
                    BoneShape::Box {
                        bind_from_box,
                        half_extent,
                    }
                }
            };
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
            joint: rig.key(i.joint),
            weight: i.weight,
        }));
    })
}
