//! Voxel binding.
mod recipe;
mod sampling;

use std::time::Instant;

use super::{BindError, BindOptions, Bound, Job, Method, Stage};
use crate::character::{Bone, BoneShape, Character, bones_of};
use crate::solid::distance::{Sources, all_distances};
use crate::solid::{Leaves, Solid, SolidOptions};
use crate::task::Task;

/// The method `voxel`.
pub struct Voxel;

impl Method for Voxel {
    fn name(&self) -> &'static str {
        "voxel"
    }
    fn summary(&self) -> &'static str {
        "distances through the solid that the mesh encloses, however broken it is"
    }
    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let mut stages = Vec::new();
        let mut start = Instant::now();
        let mut lap = |name: &'static str, start: &mut Instant| {
            stages.push(Stage {
                name,
                time: start.elapsed(),
            });
            *start = Instant::now();
        };
        let recipe = recipe::Recipe::default();
        let mut job = Job::new(character, options)?;
        let bones: Vec<Bone> = bones_of(&character.skeleton, &job.deforms, recipe.leaf_stub);
        let surface = job.surface();
        lap("prepare", &mut start);
        let solid_options = SolidOptions {
            resolution: recipe.resolution,
            ..SolidOptions::default()
        };
        let solid = Solid::of(&surface, &solid_options, task)?;
        lap("voxels", &mut start);
        let shapes: Vec<BoneShape> = bones.iter().map(|b| b.shape.clone()).collect();
        let sources = Sources::of(&solid, &shapes);
        let leaves = Leaves::of(&solid, &sources.voxels(solid.grid.counts), true, true);
        lap("leaves", &mut start);
        let distances = all_distances(&leaves, &sources, recipe.penalty, task)?;
        lap("distances", &mut start);
        let per_position = recipe.weights(&job, &surface, &bones, &leaves, &distances, options, task)?;
        lap("weights", &mut start);
        let weights = job.scatter(&per_position).map_err(|_| BindError::NothingToBind)?;
        lap("scatter", &mut start);
        let warnings = std::mem::take(&mut job.warnings);
        Ok(Bound {
            weights,
            warnings,
            stages,
        })
    }
}
