//! The slow half of voxel binding, kept.

use std::time::Instant;

use super::falloff::Form;
use super::reach::Reach;
use super::thickness::thickness_scales;
use crate::bind::{BindError, BindOptions, BindWarning, Job, Stage};
use crate::character::{Bone, BoneShape, Character, JointIndex, Skeleton, bones_of};
use crate::geometry::Welded;
use crate::solid::distance::{Field, SourceFit, Sources, all_distances, nearest_distances};
use crate::solid::{Leaves, Solid, SolidOptions};
use crate::task::Task;

/// Voxels, distances and bones of a character: everything that weights are made of.
#[derive(Debug, Clone)]
pub struct VoxelBinding {
    pub(super) form: Form,
    pub(super) leaves: Leaves,
    pub(super) field: Field,
    pub(super) bones: Vec<Bone>,
    /// For each bone the factor that the thickness of its limb puts on distances.
    pub(super) scales: Vec<f32>,
    /// The names of the skeleton's joints, so that a binding is not used with another one.
    pub(super) joint_names: Vec<String>,
}

/// What a binding is made of, to write it to a file and to read it again.
#[derive(Debug, Clone)]
pub struct VoxelBindingParts {
    /// Which falloff it was made for.
    pub form: Form,
    /// The sparse voxels.
    pub leaves: Leaves,
    /// The distances.
    pub field: Field,
    /// The bones.
    pub bones: Vec<Bone>,
    /// The factor of each bone.
    pub scales: Vec<f32>,
    /// The names of the skeleton's joints.
    pub joint_names: Vec<String>,
}

impl VoxelBinding {
    /// Finds the solid, the distances through it, and those of the job's own positions.
    pub fn prepare(
        job: &mut Job<'_>,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Welded, Reach, Vec<Stage>), BindError> {
        let form = Form::from_preset(options.preset.as_deref())?;
        let settings = &options.voxel;
        let mut stages = Vec::new();
        let mut start = Instant::now();
        let mut lap = |name: &'static str| {
            stages.push(Stage {
                name,
                time: start.elapsed(),
            });
            start = Instant::now();
        };
        let mut bones = bones_of(&character.skeleton, &job.deforms, form.leaf_stub());
        bones.extend(settings.influences.iter().cloned());
        let surface = job.surface();
        let resolution = settings.resolution.resolve(&surface, form.resolution());
        lap("prepare");

        let solid_options = SolidOptions {
            resolution,
            views: settings.views,
            winding_numbers: settings.winding_numbers.unwrap_or(form.winding_numbers()),
            turn_inside_out: settings.turn_inside_out,
            paint: settings.paint.clone(),
        };
        let solid = Solid::of(&surface, &solid_options, task)?;
        if !solid.turned_shells.is_empty() {
            job.warnings.push(BindWarning::ShellsInsideOut {
                shells: solid.turned_shells.len(),
            });
        }
        lap("voxels");

        let shapes: Vec<BoneShape> = bones.iter().map(|b| b.shape.clone()).collect();
        let mut sources = Sources::of(&solid, &shapes);
        warn_of_bones_outside(job, &character.skeleton, &bones, &sources.fit);
        if !form.tells_bones_apart() {
            // The papers' distance to a joint is the least over its bones: one search for them.
            let mut group = 0;
            let groups: Vec<usize> = (0..bones.len())
                .map(|b| {
                    group += usize::from(b > 0 && bones[b].joint != bones[b - 1].joint);
                    group
                })
                .collect();
            sources = sources.merged(&groups);
            bones.dedup_by_key(|b| b.joint);
        }
        let leaves = Leaves::of(
            &solid,
            &sources.voxels(solid.grid.counts),
            settings.sparse.unwrap_or(form.sparse()),
            settings.diagonal.unwrap_or(form.diagonal()),
        );
        lap("leaves");

        let penalty = settings.penalty.unwrap_or(form.penalty());
        // Only the nearest joints matter to the papers' falloff, if all follow one rule.
        let one_rule = options.regions.is_empty() && job.allowed.len() == 1;
        let few = !form.tells_bones_apart() && one_rule && options.influences < bones.len();
        let field = if !few {
            Field::All(all_distances(&leaves, &sources, penalty, task)?)
        } else {
            Field::Nearest(nearest_distances(
                &leaves,
                &sources,
                options.influences,
                penalty,
                task,
            )?)
        };
        lap("distances");

        let mut binding = Self {
            form,
            leaves,
            field,
            scales: vec![1.0; bones.len()],
            bones,
            joint_names: character.skeleton.joints.iter().map(|j| j.name.clone()).collect(),
        };
        let (reach, beside) = binding.reach_and_sides(&surface.points, task)?;
        if form.weighs_thickness() {
            binding.scales = thickness_scales(&binding.bones, &beside, |j| job.skin_parent(j));
        }
        lap("reach");
        Ok((binding, surface, reach, stages))
    }

    /// Which falloff it was made for.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The bones that attract skin.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The sparse voxels.
    pub fn leaves(&self) -> &Leaves {
        &self.leaves
    }

    /// The bytes that voxels and distances take.
    pub fn memory(&self) -> usize {
        self.leaves.memory() + self.field.memory()
    }

    /// Takes it apart, to write it to a file.
    pub fn into_parts(self) -> VoxelBindingParts {
        VoxelBindingParts {
            form: self.form,
            leaves: self.leaves,
            field: self.field,
            bones: self.bones,
            scales: self.scales,
            joint_names: self.joint_names,
        }
    }

    /// Puts it together again; fails if the parts do not fit each other.
    pub fn from_parts(parts: VoxelBindingParts) -> Result<Self, BindError> {
        let fits = !parts.bones.is_empty()
            && parts.bones.len() <= usize::from(u16::MAX)
            && parts.bones.iter().all(|b| b.shape.is_finite())
            && parts.field.bones() == parts.bones.len()
            && parts.field.leaves() == parts.leaves.len()
            && parts.scales.len() == parts.bones.len()
            && parts.scales.iter().all(|s| s.is_finite() && *s > 0.0)
            && parts.bones.iter().all(|b| b.joint.at() < parts.joint_names.len());
        if !fits {
            return Err(BindError::BindingDoesNotFit(
                "its parts do not belong together; prepare it again".to_owned(),
            ));
        }
        Ok(Self {
            form: parts.form,
            leaves: parts.leaves,
            field: parts.field,
            bones: parts.bones,
            scales: parts.scales,
            joint_names: parts.joint_names,
        })
    }

    /// Fails if the skeleton is not the one that the binding was made for.
    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), BindError> {
        let same = skeleton.joints.len() == self.joint_names.len()
            && skeleton
                .joints
                .iter()
                .zip(&self.joint_names)
                .all(|(j, name)| j.name == *name);
        if same {
            Ok(())
        } else {
            Err(BindError::BindingDoesNotFit(format!(
                "it was made for a skeleton of {} joints and this one has {}, or other names; prepare one for this skeleton",
                self.joint_names.len(),
                skeleton.joints.len()
            )))
        }
    }
}

/// Warns of bones that lie wholly outside the solid; `fit` is how each lies in it.
pub(in crate::bind) fn warn_of_bones_outside(
    job: &mut Job<'_>,
    skeleton: &Skeleton,
    bones: &[Bone],
    fit: &[SourceFit],
) {
    let mut joints: Vec<JointIndex> = bones
        .iter()
        .zip(fit)
        .filter(|(_, fit)| matches!(fit, SourceFit::Snapped(_)))
        .map(|(bone, _)| bone.joint)
        .collect();
    joints.dedup();
    if !joints.is_empty() {
        job.warnings.push(BindWarning::BonesOutside {
            joints: joints.iter().map(|&j| skeleton.joint(j).name.clone()).collect(),
        });
    }
}
