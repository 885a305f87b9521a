//! SkinCells: a field of weights in space, fitted so that the skin deforms well (seed 004).
//!
//! Prepare: [`fit()`] a [`CellField`] to a character over random poses. Evaluate: the field
//! at any points, at most l weights each by construction: every level of detail, a
//! garment, a point cloud.
//!
//! Promises: the same field for the same seed at any thread count; the same weights for a
//! character in metres and in centimetres. Does not promise the global optimum: it
//! descends from where it starts.

mod adam;
mod batch;
mod collision;
mod detour;
mod evaluate;
mod field;
mod fit;
mod geodesic;
mod guidance;
mod losses;
mod parameters;
mod per_position;
mod poses;
mod random;
mod rotation;
mod site_groups;
mod skin;
mod springs;
mod start;
#[cfg(test)]
mod tests;
mod weigh;

use std::time::Instant;

pub use detour::{Detour, MAX_RESOLUTION};
pub use evaluate::Evaluator;
pub use field::{Cell, CellField, FieldError, Site};
pub use fit::{CurvePoint, FitOptions, FitReport, Fitted, Freedom, Setting, fit, losses_of, unseen_seed};
pub use geodesic::detours;
pub use guidance::Guidance;
pub use losses::{LossWeights, Losses};
pub use per_position::{PerPosition, optimise_weights};
pub use poses::{PoseSource, poses};
pub use skin::{REFERENCE_SIZE, Skin};
pub use start::Start;

use super::{BindError, BindOptions, Bound, Job, Method, Stage};
use crate::character::{Character, Weights};
use crate::task::Task;

/// The method `cells`.
pub struct Cells;

impl Method for Cells {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn summary(&self) -> &'static str {
        "a field fitted over random poses so that skin deforms well; sparse by construction, takes seconds (preset paper)"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let start = Instant::now();
        let fit_options = FitOptions::of_preset(options.preset.as_deref())?;
        let fitted = fit_character(character, options, &fit_options, None, task)?;
        let fitted_in = start.elapsed();
        let mut bound = bind_by_field(character, &fitted.field, options, task)?;
        bound.stages.insert(
            0,
            Stage {
                name: "fit",
                time: fitted_in,
            },
        );
        Ok(bound)
    }
}

/// Fits a field to a character as the method `cells` does.
pub fn fit_character(
    character: &Character,
    options: &BindOptions,
    fit_options: &FitOptions,
    guidance: Option<&Guidance>,
    task: &Task<'_>,
) -> Result<Fitted, BindError> {
    let job = Job::new(character, options)?;
    let mut skin = Skin::new(character, &job, task)?;
    if fit_options.springs_by_limb {
        skin = skin.with_springs_by_limb(&character.skeleton);
    }
    let detour = if fit_options.geodesic {
        detours(character, &skin, &job.deforms, task)?
    } else {
        None
    };
    // The user's guidance shows the way; without any, the voxel bind does.
    let locked = locked_vertices(character, options)?;
    let from = match (guidance, fit_options.start) {
        (None, Start::Voxels) => voxel_weights(character, options, task)?,
        _ => None,
    };
    let own = match (guidance, &from, &character.weights) {
        (Some(guidance), ..) => Some(guidance.clone()),
        // What is locked is as it was in these too.
        (None, Some(from), _) if fit_options.hold > 0.0 || locked.is_some() => {
            Some(Guidance::everywhere(from.clone(), fit_options.hold))
        }
        (None, None, Some(present)) if locked.is_some() => Some(Guidance::everywhere(present.clone(), 0.0)),
        _ => None,
    };
    let guidance = own.map(|mut guidance| {
        if let Some(locked) = locked {
            guidance.locked = locked;
        }
        guidance
    });
    let setting = Setting {
        influences: options.influences,
        guidance: guidance.as_ref(),
        from: from.as_ref(),
        detour,
    };
    fit(character, &job, &skin, setting, fit_options, task)
}

/// The vertices that the options lock, if they lock any.
fn locked_vertices(character: &Character, options: &BindOptions) -> Result<Option<Vec<bool>>, BindError> {
    if options.locks.vertices.is_empty() {
        return Ok(None);
    }
    let mut locked = vec![false; character.mesh.positions.len()];
    for set in &options.locks.vertices {
        for (locked, inside) in locked.iter_mut().zip(set.resolve(character)?) {
            *locked |= inside;
        }
    }
    Ok(Some(locked))
}

/// What the voxel bind gives; nothing where it cannot.
fn voxel_weights(
    character: &Character,
    options: &BindOptions,
    task: &Task<'_>,
) -> Result<Option<Weights>, BindError> {
    let Some(voxel) = super::methods().iter().find(|m| m.name() == "voxel") else {
        return Ok(None);
    };
    let options = BindOptions {
        preset: None,
        ..options.clone()
    };
    match voxel.bind(character, &options, task) {
        Ok(bound) => Ok(Some(bound.weights)),
        Err(BindError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(_) => Ok(None),
    }
}

/// Binds a character by a field that was fitted to it, or to another level of detail, or
/// to the body under a garment. Joints are found by name. Where fewer influences are asked
/// for than the field has, the border D moves in, so weights stay continuous.
pub fn bind_by_field(
    character: &Character,
    field: &CellField,
    options: &BindOptions,
    task: &Task<'_>,
) -> Result<Bound, BindError> {
    let start = Instant::now();
    let mut job = Job::new(character, options)?;
    let (joints, warnings) = field.joints_in(&character.skeleton)?;
    job.warnings.extend(warnings);
    let fewer = CellField {
        influences: field.influences.min(options.influences),
        ..field.clone()
    };
    let per_position =
        Evaluator::new(&fewer).weights_at(&job.positions, &joints, |p| Some(job.allowed_at(p)), task)?;
    let per_position = options.floored(per_position);
    let weighed = start.elapsed();
    let start = Instant::now();
    let weights = job.scatter(&per_position)?;
    Ok(Bound {
        weights,
        warnings: std::mem::take(&mut job.warnings),
        stages: vec![
            Stage {
                name: "weigh",
                time: weighed,
            },
            Stage {
                name: "scatter",
                time: start.elapsed(),
            },
        ],
    })
}
