//! A character with its binding, ready for new weights at once.
//!
//! Falloffs, regions, locks, the number of influences and the pose that falloffs follow
//! change nothing about voxels, distances or the surface: all of that is found once.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::binding::VoxelBinding;
use super::falloff;
use super::reach::Reach;
use crate::bind::floating::find_hosts;
use crate::bind::symmetry::Mirror;
use crate::bind::{BindError, BindOptions, BindWarning, Bound, Job, Stage};
use crate::character::{Character, Skeleton};
use crate::geometry::Welded;
use crate::geometry::{Diffusion, Laplacian};
use crate::task::Task;

/// A binding and a character in its volume.
pub struct LiveBinding<'a> {
    binding: &'a VoxelBinding,
    skeleton: &'a Skeleton,
    surface: Welded,
    reach: Reach,
    /// What was guessed about pieces that no bone reaches.
    floating: Option<BindWarning>,
    laplacian: Arc<Laplacian>,
    /// Found when weights are first smoothed.
    diffusion: OnceLock<Diffusion>,
    /// The joints that took part when `mirror` was found, and who mirrors whom.
    deforms: Vec<bool>,
    mirror: Option<Mirror>,
    job: Job<'a>,
}

impl<'a> LiveBinding<'a> {
    /// Gets ready for a character in the volume that the binding was made for: the same
    /// one, another level of detail, an injured version.
    pub fn new(
        binding: &'a VoxelBinding,
        character: &'a Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        binding.check(&character.skeleton)?;
        let job = Job::new(character, options)?;
        let surface = job.surface();
        let reach = binding.reach(&surface.points, task)?;
        Ok(Self::with_reach(binding, character, job, surface, reach))
    }

    pub(super) fn with_reach(
        binding: &'a VoxelBinding,
        character: &'a Character,
        job: Job<'a>,
        surface: Welded,
        mut reach: Reach,
    ) -> Self {
        let laplacian = job.laplacian_of(&surface);
        let floating =
            find_hosts(|p| reach.reaches(p), &surface, &laplacian).map(|floating| reach.take_hosts(floating));
        let mut live = Self {
            binding,
            skeleton: &character.skeleton,
            floating,
            laplacian,
            diffusion: OnceLock::new(),
            deforms: job.deforms.clone(),
            mirror: None,
            surface,
            reach,
            job,
        };
        live.mirror = live.mirror_for(&live.deforms);
        live
    }

    fn mirror_for(&self, deforms: &[bool]) -> Option<Mirror> {
        Mirror::of(
            &self.surface.points,
            self.surface.diagonal,
            self.skeleton,
            deforms,
        )
    }

    /// The weights that come of these options: falloff, top k, smoothing, symmetry.
    pub fn weights(&self, options: &BindOptions, task: &Task<'_>) -> Result<Bound, BindError> {
        let mut stages = Vec::new();
        let mut start = Instant::now();
        let mut lap = |name: &'static str| {
            stages.push(Stage {
                name,
                time: start.elapsed(),
            });
            start = Instant::now();
        };
        let mut job = self.job.again(options)?;
        job.warnings.extend(self.floating.clone());
        let mut weights = self.reach.weights(
            self.binding,
            &self.surface.points,
            options.influences,
            |p| job.allowed_at(p),
            |p| job.falloff_of_position[p].or(options.voxel.falloff),
            task,
        )?;
        lap("weights");
        if options.voxel.smoothing.unwrap_or(self.binding.form().smooths()) {
            let diffusion = self.diffusion.get_or_init(|| {
                let laplacian = self.laplacian.clone();
                Diffusion::new(laplacian, &self.surface.points, self.reach.lengths())
            });
            let smooth = diffusion.of(&weights, self.skeleton.joints.len(), task)?;
            weights = falloff::limited(&smooth, &weights, options.influences, |p| job.allowed_at(p));
        }
        lap("smoothing");
        let other = (job.deforms != self.deforms).then(|| self.mirror_for(&job.deforms));
        if let Some(mirror) = other.as_ref().unwrap_or(&self.mirror) {
            weights = mirror.averaged(&weights, options.influences);
        }
        let weights = job.scatter(&options.floored(weights))?;
        lap("finish");
        Ok(Bound {
            weights,
            warnings: job.warnings,
            stages,
        })
    }
}
