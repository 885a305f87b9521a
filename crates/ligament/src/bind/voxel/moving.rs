//! A voxel binding whose bones may move.
//!
//! Voxels are fine along bones in a binding that is made once. Here they are fine at the
//! surface alone, so that they stay the same when bones move: distances are then run again
//! from the bones whose voxels are others, and kept for all the rest.

use super::falloff::Form;
use super::thickness::thickness_scales;
use super::{LiveBinding, VoxelBinding};
use crate::bind::{BindError, BindOptions, Job};
use crate::character::{Bone, BoneShape, Character, Weights};
use crate::solid::distance::{Distances, Field, LANES, Sources, all_distances};
use crate::solid::{Bits, Leaves, Solid, SolidOptions};
use crate::task::{Cancelled, Task};

/// A binding, and the solid that bones are placed in.
#[derive(Debug)]
pub(crate) struct MovingBinding {
    binding: VoxelBinding,
    solid: Solid,
    sources: Sources,
    penalty: f64,
}

impl MovingBinding {
    /// Finds the solid and the distances through it, in the default form.
    pub fn new(
        job: &Job<'_>,
        bones: Vec<Bone>,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let (form, settings) = (Form::Ligament, &options.voxel);
        let surface = job.surface();
        let solid_options = SolidOptions {
            resolution: settings.resolution.resolve(&surface, form.resolution()),
            views: settings.views,
            winding_numbers: settings.winding_numbers.unwrap_or(form.winding_numbers()),
            turn_inside_out: settings.turn_inside_out,
            paint: settings.paint.clone(),
        };
        let solid = Solid::of(&surface, &solid_options, task)?;
        let leaves = Leaves::of(
            &solid,
            &Bits::new(solid.grid.counts),
            settings.sparse.unwrap_or(form.sparse()),
            settings.diagonal.unwrap_or(form.diagonal()),
        );
        let penalty = settings.penalty.unwrap_or(form.penalty());
        let sources = sources_of(&solid, &bones);
        let field = Field::All(all_distances(&leaves, &sources, penalty, task)?);
        Ok(Self {
            binding: VoxelBinding {
                form,
                leaves,
                field,
                scales: vec![1.0; bones.len()],
                bones,
                joint_names: Vec::new(),
            },
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
        let leaves = &self.binding.leaves;
        let again = Sources {
            of_bone: moved.iter().map(|&b| sources.of_bone[b].clone()).collect(),
            fit: moved.iter().map(|&b| sources.fit[b]).collect(),
        };
        let fresh = all_distances(leaves, &again, self.penalty, task)?;
        if let Field::All(old) = &self.binding.field {
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
                self.binding.field = Field::All(all);
            }
        }
        self.binding.bones = bones;
        self.sources = sources;
        Ok(moved.len())
    }

    /// The weights of the job's positions. `nearer` divides the distances to each bone.
    pub fn weights(
        &mut self,
        job: Job<'_>,
        nearer: &[f32],
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let surface = job.surface();
        let (reach, beside) = self.binding.reach_and_sides(&surface.points, task)?;
        self.binding.scales = thickness_scales(&self.binding.bones, &beside, |j| job.skin_parent(j));
        for (scale, nearer) in self.binding.scales.iter_mut().zip(nearer) {
            *scale /= nearer;
        }
        let mut vertex_of_position = vec![0; surface.points.len()];
        for (vertex, row) in job.row_of_vertices().into_iter().enumerate() {
            if let Some(row) = row {
                vertex_of_position[row] = vertex;
            }
        }
        let live = LiveBinding::with_reach(&self.binding, character, job, surface, reach);
        let bound = live.weights(options, task)?;
        Ok(bound.weights.gathered(vertex_of_position))
    }
}

fn sources_of(solid: &Solid, bones: &[Bone]) -> Sources {
    let shapes: Vec<BoneShape> = bones.iter().map(|b| b.shape.clone()).collect();
    Sources::of(solid, &shapes)
}
