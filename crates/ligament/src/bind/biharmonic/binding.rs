//! The slow half of biharmonic binding, kept, and the fast half.

use std::time::Instant;

use rayon::prelude::*;

use super::field::BiharmonicField;
use crate::bind::floating::find_hosts;
use crate::bind::symmetry::Mirror;
use crate::bind::voxel::binding::warn_of_bones_outside;
use crate::bind::{BindError, BindOptions, BindWarning, Bound, Job, Stage};
use crate::character::{
    BoneShape, Character, Influence, JointIndex, LEAF_STUB, Weights, WeightsError, bones_of,
};
use crate::geometry::Laplacian;
use crate::solid::{Solid, SolidOptions};
use crate::task::{Cancelled, Task};

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
    /// The slow half for a character: the binding, what was guessed, and where the time
    /// went.
    pub fn new(
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Vec<BindWarning>, Vec<Stage>), BindError> {
        let mut job = Job::new(character, options)?;
        let (binding, stages) = Self::prepare(&mut job, character, options, task)?;
        Ok((binding, std::mem::take(&mut job.warnings), stages))
    }

    /// A new binding, and the weights that come of it.
    pub fn made_with_weights(
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Bound), BindError> {
        let mut job = Job::new(character, options)?;
        let (binding, mut stages) = Self::prepare(&mut job, character, options, task)?;
        let weights = binding.evaluate(&mut job, character, options, &mut stages, task)?;
        let bound = Bound {
            weights,
            warnings: std::mem::take(&mut job.warnings),
            stages,
        };
        Ok((binding, bound))
    }

    /// The fast half: weights for a character in the volume that this binding was made for,
    /// the same one with fewer influences, another level of detail, an injured version.
    pub fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let mut job = Job::new(character, options)?;
        let names = character.skeleton.joints.iter().map(|j| &j.name);
        if !names.eq(&self.joint_names) {
            return Err(BindError::BindingDoesNotFit(format!(
                "it was made for a skeleton of {} joints and this one has {}, or other names; prepare one for this skeleton",
                self.joint_names.len(),
                character.skeleton.joints.len()
            )));
        }
        let mut stages = Vec::new();
        let weights = self.evaluate(&mut job, character, options, &mut stages, task)?;
        Ok(Bound {
            weights,
            warnings: std::mem::take(&mut job.warnings),
            stages,
        })
    }

    /// The weights everywhere.
    pub fn field(&self) -> &BiharmonicField {
        &self.field
    }

    /// The joint behind each handle of the field.
    pub fn joints(&self) -> &[JointIndex] {
        &self.joints
    }

    fn prepare(
        job: &mut Job<'_>,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Vec<Stage>), BindError> {
        options.no_preset("biharmonic")?;
        let settings = &options.voxel;
        let start = Instant::now();
        let surface = job.surface();
        let solid_options = SolidOptions {
            resolution: settings.resolution.resolve(&surface, Some(USUAL_RESOLUTION)),
            views: settings.views,
            winding_numbers: settings.winding_numbers.unwrap_or(true),
            turn_inside_out: settings.turn_inside_out,
            paint: settings.paint.clone(),
        };
        let solid = Solid::of(&surface, &solid_options, task)?;
        if !solid.turned_shells.is_empty() {
            job.warnings.push(BindWarning::ShellsInsideOut {
                shells: solid.turned_shells.len(),
            });
        }
        let voxels = start.elapsed();

        let start = Instant::now();
        let mut bones = bones_of(&character.skeleton, &job.deforms, LEAF_STUB);
        bones.extend(settings.influences.iter().cloned());
        bones.sort_by_key(|b| b.joint);
        let handles: Vec<Vec<BoneShape>> = bones
            .chunk_by(|a, b| a.joint == b.joint)
            .map(|own| own.iter().map(|b| b.shape.clone()).collect())
            .collect();
        let field = BiharmonicField::of(&solid, &handles, settings.sparse.unwrap_or(true), task)?;
        warn_of_bones_outside(job, &character.skeleton, &bones, field.fit());
        let solved = start.elapsed();
        bones.dedup_by_key(|b| b.joint);
        let binding = Self {
            field,
            joints: bones.iter().map(|b| b.joint).collect(),
            joint_names: character.skeleton.joints.iter().map(|j| j.name.clone()).collect(),
        };
        let stage = |name, time| Stage { name, time };
        Ok((binding, vec![stage("voxels", voxels), stage("solve", solved)]))
    }

    fn evaluate(
        &self,
        job: &mut Job<'_>,
        character: &Character,
        options: &BindOptions,
        stages: &mut Vec<Stage>,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let start = Instant::now();
        let surface = job.surface();
        let rows: Vec<Vec<Influence>> = surface
            .points
            .par_iter()
            .enumerate()
            .with_min_len(256)
            .map(|(position, &point)| {
                task.check()?;
                let allowed = job.allowed_at(position);
                let mut row: Vec<Influence> = self
                    .joints
                    .iter()
                    .zip(self.field.at(point))
                    .filter(|(joint, weight)| *weight > 0.0 && allowed[joint.at()])
                    .map(|(&joint, weight)| Influence {
                        joint,
                        weight: weight as f32,
                    })
                    .collect();
                row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
                row.truncate(options.influences);
                Ok(row)
            })
            .collect::<Result<_, Cancelled>>()?;
        let laplacian = Laplacian::of(&surface.points, &surface.faces);
        let floating = find_hosts(|p| !rows[p as usize].is_empty(), &surface, &laplacian);
        let host = |position: usize| floating.as_ref().map_or(position, |f| f.hosts[position] as usize);
        let mut weights = Weights::in_parallel(rows.len(), 4, |positions, builder| {
            for position in positions {
                let allowed = job.allowed_at(position);
                // A host may follow joints that this position may not.
                let row = rows[host(position)].iter().filter(|i| allowed[i.joint.at()]);
                let row: Vec<Influence> = row.copied().collect();
                if builder.push(&row).is_err() {
                    let any = allowed.iter().position(|&a| a).unwrap_or(0);
                    builder.push(&[Influence {
                        joint: JointIndex(any as u16),
                        weight: 1.0,
                    }])?;
                }
            }
            Ok(())
        })
        .map_err(|_: WeightsError| BindError::NothingToBind)?;
        let warning = floating.map(|f| f.warning);
        job.warnings.extend(warning);
        if let Some(mirror) = Mirror::of(
            &surface.points,
            surface.diagonal,
            &character.skeleton,
            &job.deforms,
        ) {
            weights = mirror.averaged(&weights, options.influences);
        }
        let weights = job.scatter(&options.floored(weights))?;
        stages.push(Stage {
            name: "evaluate",
            time: start.elapsed(),
        });
        Ok(weights)
    }
}
