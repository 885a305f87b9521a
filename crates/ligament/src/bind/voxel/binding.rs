//! The slow half of voxel binding, kept.

use super::VoxelOptions;
use super::candidate_bones::CandidateBones;
use super::falloff::Form;
use super::thickness::thickness_scales;
use crate::bind::prepared::Notes;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindWarning};
use crate::character::{Bone, BoneShape, Skeleton};
use crate::solid::distance::{Field, Sources, all_distances, nearest_distances};
use crate::solid::{Bits, Leaves};
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
    /// Voxels that winding numbers put inside; none in a binding that was read from a file.
    pub(super) by_winding: Option<Bits>,
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
    /// Finds the solid, the distances through it, and those of the skin's own points.
    pub(in crate::bind) fn prepare(
        rules: &Rules<'_>,
        own: &VoxelOptions,
        notes: &mut Notes,
        task: &Task<'_>,
    ) -> Result<(Self, CandidateBones), BindError> {
        let form = own.preset;
        let skeleton = rules.skeleton();
        let surface = rules.skin.solid_surface();
        let mut watch = task.stopwatch();
        let mut bones = rules.bones(form.leaf_stub());
        bones.extend(own.influences.iter().cloned());
        watch.lap("prepare");

        let solid = own
            .solid
            .solid(surface, form.resolution(), form.winding_numbers(), task)?;
        notes.warnings.extend(BindWarning::of_strays(rules.skin));
        notes.warnings.extend(BindWarning::of_flipped(&solid));
        watch.lap("voxels");

        let shapes: Vec<BoneShape> = bones.iter().map(|b| b.shape.clone()).collect();
        let mut sources = Sources::of(&solid, &shapes);
        notes
            .warnings
            .extend(BindWarning::of_bones_outside(skeleton, &bones, &sources.fit));
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
            own.sparse.unwrap_or(form.sparse()),
            own.diagonal.unwrap_or(form.diagonal()),
        );
        watch.lap("leaves");

        let penalty = own.penalty.unwrap_or(form.penalty());
        // Only the nearest joints matter to the papers' falloff, if all follow one rule.
        let influences = rules.options.influences;
        let one_rule = rules.options.regions.is_empty() && rules.masks.sets().len() == 1;
        let few = !form.tells_bones_apart() && one_rule && influences < bones.len();
        let field = if few {
            Field::Nearest(nearest_distances(&leaves, &sources, influences, penalty, task)?)
        } else {
            Field::All(all_distances(&leaves, &sources, penalty, task)?)
        };
        watch.lap("distances");

        let mut binding = Self {
            form,
            leaves,
            field,
            scales: vec![1.0; bones.len()],
            bones,
            joint_names: skeleton.joints.iter().map(|j| j.name.clone()).collect(),
            by_winding: Some(solid.ambiguous.combined(&solid.interior, |a, i| a & i)),
        };
        let (reach, alongside) =
            binding.candidates_and_sides(rules.skin.points(), |p| rules.skin.multiplicity(p), task)?;
        if form.weighs_thickness() {
            binding.scales = thickness_scales(&binding.bones, &alongside, |j| skeleton.skin_parent(j));
        }
        watch.lap("reach");
        notes.stages.extend(watch.stages());
        Ok((binding, reach))
    }

    /// Which falloff it was made for.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The bones that attract skin.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The factor that the thickness of its limb puts on the distances to each bone.
    pub(in crate::bind) fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// The sparse voxels.
    pub fn leaves(&self) -> &Leaves {
        &self.leaves
    }

    /// Whether a winding number put the middle of a leaf inside, because the six views did not agree; none if that is not
    /// known, as for a binding from a file.
    pub fn is_by_winding_number(&self, leaf: usize) -> Option<bool> {
        let grid = &self.leaves.grid;
        let voxel = grid.grid_from_bind(self.leaves.centre(leaf)).as_ivec3();
        let bits = self.by_winding.as_ref()?;
        Some(bits.get_or_false(voxel.x, voxel.y, voxel.z))
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
            by_winding: None,
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
