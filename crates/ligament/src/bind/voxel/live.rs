//! A character with its binding, ready for new weights at once.
//!
//! Falloffs, regions, locks, the number of influences and the pose that falloffs follow
//! change nothing about voxels, distances or the surface: all of that is found once.

use std::sync::{Arc, OnceLock};

use super::binding::VoxelBinding;
use super::candidate_bones::CandidateBones;
use super::falloff;
use super::{VoxelEvaluation, VoxelOptions};
use crate::bind::floating::find_hosts;
use crate::bind::prepared::Notes;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions, BindResult, BindWarning};
use crate::character::Weights;
use crate::geometry::Diffusion;
use crate::skin::{Mirror, Skin};
use crate::task::{Stopwatch, Task};
use crate::weights::mirror_averaged;

/// A binding and a skin in its volume. It owns both.
#[derive(Debug)]
pub struct LiveBinding {
    binding: Arc<VoxelBinding>,
    skin: Skin,
    reach: CandidateBones,
    /// What was guessed about pieces that no bone reaches.
    floating: Option<BindWarning>,
    /// Found when weights are first smoothed.
    diffusion: OnceLock<Diffusion>,
    /// The joints that took part when `mirror` was found, and who mirrors whom.
    joints: Vec<bool>,
    mirror: Option<Mirror>,
}

impl LiveBinding {
    /// Gets ready for a skin in the volume that the binding was made for: the same one, another level of detail, an
    /// injured version.
    pub fn new(
        binding: impl Into<Arc<VoxelBinding>>,
        skin: &Skin,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let binding = binding.into();
        binding.check(&skin.character().skeleton)?;
        let rules = Rules::of(skin, options)?;
        let reach = binding.reach(skin.points(), task)?;
        Ok(Self::with_reach(binding, &rules, reach))
    }

    /// Finds the voxels and distances of a skin, and gets ready for it.
    pub(in crate::bind) fn prepare(
        rules: &Rules<'_>,
        own: &VoxelOptions,
        notes: &mut Notes,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let (binding, reach) = VoxelBinding::prepare(rules, own, notes, task)?;
        let mut watch = task.stopwatch();
        let live = Self::with_reach(Arc::new(binding), rules, reach);
        watch.lap("surface");
        notes.stages.extend(watch.stages());
        Ok(live)
    }

    pub(super) fn with_reach(
        binding: Arc<VoxelBinding>,
        rules: &Rules<'_>,
        mut reach: CandidateBones,
    ) -> Self {
        let skin = rules.skin.clone();
        let floating = find_hosts(|p| reach.reaches(p), skin.surface(), skin.laplacian())
            .map(|floating| reach.take_hosts(floating));
        let mut live = Self {
            binding,
            floating,
            diffusion: OnceLock::new(),
            joints: rules.joints.clone(),
            mirror: None,
            skin,
            reach,
        };
        live.mirror = live.mirror_for(&live.joints);
        live
    }

    fn mirror_for(&self, joints: &[bool]) -> Option<Mirror> {
        let skeleton = &self.skin.character().skeleton;
        Mirror::of(self.skin.points(), self.skin.diagonal(), skeleton, joints)
    }

    /// The voxels and distances.
    pub fn binding(&self) -> &VoxelBinding {
        &self.binding
    }

    /// The bones around each point.
    pub(in crate::bind) fn reach(&self) -> &CandidateBones {
        &self.reach
    }

    /// Who mirrors whom among the joints that took part when it was prepared.
    pub(in crate::bind) fn mirror(&self, joints: &[bool]) -> Option<&Mirror> {
        self.mirror.as_ref().filter(|_| joints == self.joints)
    }

    /// Gives the voxels and distances away.
    pub fn into_binding(self) -> VoxelBinding {
        Arc::unwrap_or_clone(self.binding)
    }

    /// The weights that come of these options: falloff, top k, smoothing, symmetry.
    pub fn weights(
        &self,
        options: &BindOptions,
        evaluation: VoxelEvaluation,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        self.evaluate(Rules::of(&self.skin, options)?, evaluation, task)
    }

    pub(in crate::bind) fn evaluate(
        &self,
        mut rules: Rules<'_>,
        evaluation: VoxelEvaluation,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        let mut watch = task.stopwatch();
        let of_points = self.weights_of_points(&rules, evaluation, &mut watch, task)?;
        let weights = rules.finished(of_points)?;
        watch.lap("finish");
        rules.warnings.extend(self.floating.clone());
        Ok(BindResult {
            weights,
            warnings: rules.warnings,
            stages: watch.stages(),
        })
    }

    /// What was guessed about pieces that no bone reaches.
    pub(in crate::bind) fn floating(&self) -> Option<&BindWarning> {
        self.floating.as_ref()
    }

    /// The weights of points, neither pruned nor handed out.
    pub(in crate::bind) fn weights_of_points(
        &self,
        rules: &Rules<'_>,
        evaluation: VoxelEvaluation,
        watch: &mut Stopwatch<'_>,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let influences = rules.options.influences;
        let mut weights = self.reach.weights(
            &self.binding,
            self.skin.points(),
            influences,
            |p| rules.masks.at(p),
            |p| rules.falloffs[p].or(evaluation.falloff),
            task,
        )?;
        watch.lap("weights");
        if evaluation.smoothing.unwrap_or(self.binding.form().smooths()) {
            let diffusion = self.diffusion.get_or_init(|| {
                Diffusion::new(self.skin.laplacian(), self.skin.points(), self.reach.lengths())
            });
            let smooth = diffusion.of(&weights, rules.joints.len(), task)?;
            weights = falloff::limited(&smooth, &weights, influences, |p| rules.masks.at(p));
        }
        watch.lap("smoothing");
        let other = (rules.joints != self.joints).then(|| self.mirror_for(&rules.joints));
        if let Some(mirror) = other.as_ref().unwrap_or(&self.mirror) {
            weights = mirror_averaged(&weights, mirror.points(), mirror.joints(), influences);
        }
        Ok(weights)
    }
}
