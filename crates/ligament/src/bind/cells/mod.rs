//! SkinCells: a field of weights in space, fitted so that the skin deforms well (SkinCells 2026).
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
mod beside;
mod collision;
mod detour;
mod domain;
mod evaluate;
mod field;
mod fit;
mod fit_loop;
mod fit_options;
mod fit_report;
mod fitted_surface;
mod garment_poses;
mod geodesic;
mod guidance;
mod losses;
#[cfg(any(test, feature = "research"))]
mod losses_of;
mod parameters;
#[cfg(any(test, feature = "research"))]
mod per_position;
mod poses;
mod random;
mod rotation;
mod site_groups;
mod springs;
mod start;
mod stretched_out;
#[cfg(test)]
mod tests;
mod weigh;

use glam::Vec3;

pub use detour::{Detour, MAX_RESOLUTION};
pub use domain::{FitDomain, REFERENCE_SIZE};
pub use evaluate::Evaluator;
pub use field::{Cell, CellField, FieldError, Site};
#[cfg(not(feature = "research"))]
use fit::{Setting, fit};
pub use fit_options::FitOptions;
pub use fit_report::{CurvePoint, FitReport, Fitted};
pub use fitted_surface::FittedSurface;
pub use geodesic::detours;
pub use guidance::Guidance;
pub use losses::{LossWeights, Losses};
#[cfg(feature = "research")]
pub use per_position::{PerPosition, optimise_weights};
pub use poses::{PoseSource, poses};
pub use start::Start;
#[cfg(feature = "research")]
pub use {
    fit::{Setting, fit, unseen_seed},
    fit_options::Freedom,
    losses_of::losses_of,
};

use super::rules::Rules;
use super::voxel::VoxelOptions;
use super::{BindError, BindOptions, BindResult, Method};
use crate::character::{Character, Weights};
use crate::motion::Stance;
use crate::skin::Skin;
use crate::task::Task;

/// How many times as much the voxel bind holds a fit over a body: what pushes cloth off legs in random poses else lets a blouse flare
/// over the hips that no leg comes near when it walks.
const HOLD_OVER_BODY: f32 = 3.0;

/// Fits a field to a skin as the method `cells` does.
pub fn fit_character(
    skin: &Skin,
    options: &BindOptions,
    fit_options: &FitOptions,
    guidance: Option<&Guidance>,
    task: &Task<'_>,
) -> Result<Fitted, BindError> {
    if fit_options.stance == Stance::T {
        return stretched_out::fit(skin, options, fit_options, guidance, task);
    }
    let character = skin.character();
    let rules = Rules::of(skin, options)?;
    let mut domain = FitDomain::of(&rules, task)?;
    if fit_options.springs_by_limb {
        domain = domain.with_springs_by_limb(&character.skeleton);
    }
    let detour = if fit_options.geodesic {
        detours(character, &domain, &rules.joints, task)?
    } else {
        None
    };
    // The user's guidance shows the path; without any, the voxel bind does.
    let locked = locked_vertices(character, options)?;
    let from = match (guidance, fit_options.start) {
        (None, Start::Voxels) => voxel_weights(skin, options, task)?,
        _ => None,
    };
    let hold = match fit_options.body.is_empty() {
        true => fit_options.hold,
        false => HOLD_OVER_BODY * fit_options.hold,
    };
    let own = match (guidance, &from, &character.weights) {
        (Some(guidance), ..) => Some(guidance.clone()),
        // What is locked is as it was in these too.
        (None, Some(from), _) if hold > 0.0 || locked.is_some() => {
            Some(Guidance::everywhere(from.clone(), hold))
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
    fit(character, &domain, setting, fit_options, task)
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
fn voxel_weights(skin: &Skin, options: &BindOptions, task: &Task<'_>) -> Result<Option<Weights>, BindError> {
    match Method::Voxel(VoxelOptions::default()).bind(skin, options, task) {
        Ok(bound) => Ok(Some(bound.weights)),
        Err(BindError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(_) => Ok(None),
    }
}

/// Weights by a field that was fitted to this skin, or to another level of detail, or to the body under a garment.
/// Joints are found by name. Where fewer influences are asked for than the field has, the border D moves in, so weights
/// stay continuous.
pub fn bind_by_field(
    skin: &Skin,
    field: &CellField,
    options: &BindOptions,
    task: &Task<'_>,
) -> Result<BindResult, BindError> {
    evaluate_field(field, Rules::of(skin, options)?, task)
}

/// The same for options that are resolved.
pub(super) fn evaluate_field(
    field: &CellField,
    mut rules: Rules<'_>,
    task: &Task<'_>,
) -> Result<BindResult, BindError> {
    let mut watch = task.stopwatch();
    let (joints, warnings) = field.joints_in(rules.skeleton())?;
    rules.warnings.extend(warnings);
    let fewer = CellField {
        influences: field.influences.min(rules.options.influences),
        ..field.clone()
    };
    let points: Vec<Vec3> = rules.skin.points().iter().map(|p| p.as_vec3()).collect();
    let allowed = |p| Some(rules.masks.at(p));
    let of_points = Evaluator::new(&fewer).weights_at(&points, &joints, allowed, task)?;
    watch.lap("weigh");
    let weights = rules.finished(of_points)?;
    watch.lap("scatter");
    Ok(BindResult {
        weights,
        warnings: rules.warnings,
        stages: watch.stages(),
    })
}
