//! A voxel binding whose bones may move.
//!
//! Voxels are fine along bones in a binding that is made once. Here they are fine at the
//! surface alone, so that they stay the same when bones move: distances are then run again
//! from the bones whose voxels are others, and kept for all the rest.

use std::sync::Arc;

use super::falloff::Form;
use super::thickness::thickness_scales;
use super::{LiveBinding, VoxelBinding, VoxelEvaluation};
use crate::bind::BindError;
use crate::bind::rules::Rules;
use crate::character::{Bone, BoneShape, Weights};
use crate::skin::Skin;
use crate::solid::distance::{Distances, Field, LANES, Sources, all_distances};
use crate::solid::{Bits, Leaves, Solid, SolidSettings};
use crate::task::{Cancelled, Task};

/// A binding, and the solid that bones are placed in.
#[derive(Debug)]
pub(crate) struct MovingBinding {
    binding: Arc<VoxelBinding>,
    solid: Solid,
    sources: Sources,
    penalty: f64,
}

impl MovingBinding {
    /// Finds the solid and the distances through it, in the default form.
    pub fn new(skin: &Skin, bones: Vec<Bone>, task: &Task<'_>) -> Result<Self, BindError> {
        let form = Form::Ligament;
        let settings = SolidSettings::default();
        let surface = skin.solid_surface();
        let solid = settings.solid(surface, form.resolution(), form.winding_numbers(), task)?;
        let nowhere = Bits::new(solid.grid.counts);
        let leaves = Leaves::of(&solid, &nowhere, form.sparse(), form.diagonal());
        let penalty = form.penalty();
        let sources = sources_of(&solid, &bones);
        let field = Field::All(all_distances(&leaves, &sources, penalty, task)?);
        Ok(Self {
            binding: Arc::new(VoxelBinding {
                form,
                leaves,
                field,
                scales: vec![1.0; bones.len()],
                bones,
                joint_names: Vec::new(),
                by_winding: None,
            }),
            solid,
            sources,
            penalty,
        })
    }

    /// Moves to other bones, and tells from how many of them distances were run again.
    /// Nothing changes when cancelled.
    pub fn follow(&mut self, bones: Vec<Bone>, task: &Task<'_>) -> Result<usize, Cancelled> {
        let sources = sources_of(&self.solid, &bones);
        // Distances depend on nothing but the voxels that they start from.
        let known: Vec<Option<usize>> = sources
            .of_bone
            .iter()
            .map(|own| self.sources.of_bone.iter().position(|old| old == own))
            .collect();
        let moved: Vec<usize> = (0..bones.len()).filter(|&b| known[b].is_none()).collect();
        // Nobody else holds the binding: nothing is copied.
        let binding = Arc::make_mut(&mut self.binding);
        let leaves = &binding.leaves;
        let again = Sources {
            of_bone: moved.iter().map(|&b| sources.of_bone[b].clone()).collect(),
            fit: moved.iter().map(|&b| sources.fit[b]).collect(),
        };
        let fresh = all_distances(leaves, &again, self.penalty, task)?;
        if let Field::All(old) = &binding.field {
            let mut groups = vec![vec![[u16::MAX; LANES]; leaves.len()]; bones.len().div_ceil(LANES)];
            let mut next_fresh = 0;
            for (bone, known) in known.iter().enumerate() {
                let (from, column) = match known {
                    Some(old_bone) => (old, *old_bone),
                    None => {
                        next_fresh += 1;
                        (&fresh, next_fresh - 1)
                    }
                };
                let rows = from.groups()[column / LANES].iter();
                for (to, row) in groups[bone / LANES].iter_mut().zip(rows) {
                    to[bone % LANES] = row[column % LANES];
                }
            }
            if let Some(all) = Distances::from_groups(old.metric, bones.len(), groups) {
                binding.field = Field::All(all);
            }
        }
        binding.bones = bones;
        self.sources = sources;
        Ok(moved.len())
    }

    /// The weights of a skin's points, pruned. `nearer` divides the distances to each bone.
    pub fn weights(
        &mut self,
        rules: &Rules<'_>,
        nearer: &[f32],
        evaluation: VoxelEvaluation,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let (reach, alongside) = self
            .binding
            .candidates_and_sides(rules.skin.points(), |_| 1, task)?;
        let binding = Arc::make_mut(&mut self.binding);
        let parent = |j| rules.skeleton().skin_parent(j);
        binding.scales = thickness_scales(&binding.bones, &alongside, parent);
        for (scale, nearer) in binding.scales.iter_mut().zip(nearer) {
            *scale /= nearer;
        }
        let live = LiveBinding::with_reach(self.binding.clone(), rules, reach);
        let weights = live.weights_of_points(rules, evaluation, &mut task.stopwatch(), task)?;
        Ok(rules.options.pruned(weights))
    }
}

fn sources_of(solid: &Solid, bones: &[Bone]) -> Sources {
    let shapes: Vec<BoneShape> = bones.iter().map(|b| b.shape.clone()).collect();
    Sources::of(solid, &shapes)
}
