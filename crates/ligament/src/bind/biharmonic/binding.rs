//! The slow half of biharmonic binding, kept, and the fast half.

use rayon::prelude::*;

use super::BiharmonicOptions;
use super::field::BiharmonicField;
use crate::bind::floating::find_hosts;
use crate::bind::prepared::Notes;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions, BindResult, BindWarning};
use crate::character::{BoneShape, Influence, JointIndex, LEAF_STUB, Weights, WeightsError};
use crate::skin::{Mirror, Skin};
use crate::task::{Cancelled, Task};
use crate::weights::mirror_averaged;

/// Voxels along the longest side unless asked otherwise. On the reference solutions 128
/// lowers the disagreement by an eighth and takes ten times as long.
const USUAL_RESOLUTION: u32 = 64;

/// The weights of a character's joints everywhere in its solid.
#[derive(Debug, Clone)]
pub struct BiharmonicBinding {
    field: BiharmonicField,
    /// The joint behind each handle of the field.
    joints: Vec<JointIndex>,
    /// The names of the skeleton's joints, so that a binding is not used with another one.
    joint_names: Vec<String>,
}

impl BiharmonicBinding {
    /// The slow half.
    pub(in crate::bind) fn prepare(
        rules: &Rules<'_>,
        own: &BiharmonicOptions,
        notes: &mut Notes,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let (surface, skeleton) = (rules.skin.solid_surface(), rules.skeleton());
        let mut watch = task.stopwatch();
        let solid = own.solid.solid(surface, Some(USUAL_RESOLUTION), true, task)?;
        notes.warnings.extend(BindWarning::of_strays(rules.skin));
        notes.warnings.extend(BindWarning::of_flipped(&solid));
        watch.lap("voxels");

        let mut bones = rules.bones(LEAF_STUB);
        bones.extend(own.influences.iter().cloned());
        bones.sort_by_key(|b| b.joint);
        let handles: Vec<Vec<BoneShape>> = bones
            .chunk_by(|a, b| a.joint == b.joint)
            .map(|own| own.iter().map(|b| b.shape.clone()).collect())
            .collect();
        let field = BiharmonicField::of(&solid, &handles, own.sparse, task)?;
        notes
            .warnings
            .extend(BindWarning::of_bones_outside(skeleton, &bones, field.fit()));
        bones.dedup_by_key(|b| b.joint);
        watch.lap("solve");
        notes.stages.extend(watch.stages());
        Ok(Self {
            field,
            joints: bones.iter().map(|b| b.joint).collect(),
            joint_names: skeleton.joints.iter().map(|j| j.name.clone()).collect(),
        })
    }

    /// The fast half: weights for a skin in the volume that this binding was made for, the same one with fewer
    /// influences, another level of detail, an injured version.
    pub fn bind(&self, skin: &Skin, options: &BindOptions, task: &Task<'_>) -> Result<BindResult, BindError> {
        let names = skin.character().skeleton.joints.iter().map(|j| &j.name);
        if !names.eq(&self.joint_names) {
            return Err(BindError::BindingDoesNotFit(format!(
                "it was made for a skeleton of {} joints and this one has {}, or other names; prepare one for this skeleton",
                self.joint_names.len(),
                skin.character().skeleton.joints.len()
            )));
        }
        self.evaluate(Rules::of(skin, options)?, task)
    }

    /// The weights everywhere.
    pub fn field(&self) -> &BiharmonicField {
        &self.field
    }

    /// The joint behind each handle of the field.
    pub fn joints(&self) -> &[JointIndex] {
        &self.joints
    }

    pub(in crate::bind) fn evaluate(
        &self,
        mut rules: Rules<'_>,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        let mut watch = task.stopwatch();
        let skin = rules.skin;
        let influences = rules.options.influences;
        let rows: Vec<Vec<Influence>> = skin
            .points()
            .par_iter()
            .enumerate()
            .with_min_len(256)
            .map(|(point, &at)| {
                task.check()?;
                let allowed = rules.masks.at(point);
                let mut row: Vec<Influence> = self
                    .joints
                    .iter()
                    .zip(self.field.at(at))
                    .filter(|(joint, weight)| *weight > 0.0 && allowed[joint.at()])
                    .map(|(&joint, weight)| Influence {
                        joint,
                        weight: weight as f32,
                    })
                    .collect();
                row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
                row.truncate(influences);
                Ok(row)
            })
            .collect::<Result<_, Cancelled>>()?;
        let floating = find_hosts(|p| !rows[p as usize].is_empty(), skin.surface(), skin.laplacian());
        let host = |point: usize| floating.as_ref().map_or(point, |f| f.hosts[point] as usize);
        let mut weights = Weights::in_parallel(rows.len(), 4, |points, builder| {
            for point in points {
                let allowed = rules.masks.at(point);
                // A host may follow joints that this point may not.
                let row = rows[host(point)].iter().filter(|i| allowed[i.joint.at()]);
                let row: Vec<Influence> = row.copied().collect();
                if builder.push(&row).is_err() {
                    let any = allowed.iter().position(|&a| a).unwrap_or(0);
                    builder.push(&[Influence {
                        joint: JointIndex(any as u16),
                        weight: 1.0,
                    }])?;
                }
            }
            Ok::<_, WeightsError>(())
        })?;
        rules.warnings.extend(floating.map(|f| f.warning));
        let mirror = Mirror::of(skin.points(), skin.diagonal(), rules.skeleton(), &rules.joints);
        if let Some(mirror) = mirror {
            weights = mirror_averaged(&weights, mirror.points(), mirror.joints(), influences);
        }
        let weights = rules.finished(weights)?;
        watch.lap("evaluate");
        Ok(BindResult {
            weights,
            warnings: rules.warnings,
            stages: watch.stages(),
        })
    }
}
