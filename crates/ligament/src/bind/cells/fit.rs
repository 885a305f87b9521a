//! Fitting a field to a character (SkinCells, section 3.6).
//!
//! Adam on the parameters of all cells. A step looks at a few poses of a pool and, on
//! large meshes, at some patches of the surface. Floors c sink to zero on the way and stay
//! there for the rest, so that the field that is delivered is the one that was fitted.
//! Between steps a position remembers the cells nearest to it and only weighs those.
//!
//! Pieces of work have a fixed size and their gradients are added in order: the same field
//! at any thread count.

use std::sync::Arc;

use glam::DAffine3;

use super::batch::Batch;
use super::beside::places;
use super::collision::BodyAtRest;
use super::detour::Detour;
use super::domain::FitDomain;
use super::field::CellField;
use super::fit_loop::{Fit, Run};
use super::fit_options::{FitOptions, Freedom};
use super::fit_report::{FitReport, Fitted};
use super::fitted_surface::surface_of;
use super::garment_poses::GarmentRig;
use super::guidance::{Guidance, Targets};
use super::parameters::{Layout, Opened};
use super::poses::{PoseSource, poses};
use super::start::{Started, start};
use crate::bind::BindError;
use crate::character::{Character, Weights};
use crate::task::Task;

/// Poses that a fit is judged by and does not see.
const UNSEEN: usize = 24;
/// Poses whose change tells when to stop.
const WATCHED: usize = 4;
/// The seed of poses that fits with this seed do not see.
pub fn unseen_seed(seed: u64) -> u64 {
    seed ^ 0x0075_6e73_6565_6e00
}

/// What a fit is given beside its options.
#[derive(Default)]
pub struct Setting<'a> {
    /// The most joints that a position follows; at least one.
    pub influences: usize,
    /// Weights to come near to, and to stay near to.
    pub guidance: Option<&'a Guidance>,
    /// Weights of all vertices to start from.
    pub from: Option<&'a Weights>,
    /// Longer paths through the solid; it is carried over into the field.
    pub detour: Option<Detour>,
}

/// Fits a field to a character whose bind is prepared as `domain`.
pub fn fit(
    character: &Character,
    domain: &FitDomain,
    setting: Setting<'_>,
    options: &FitOptions,
    task: &Task<'_>,
) -> Result<Fitted, BindError> {
    let begun = task.now();
    let Setting {
        influences,
        guidance,
        from,
        detour,
    } = setting;
    let layout = Layout {
        cells: domain.joints.len(),
        sites: options.sites.clamp(1, 32),
    };
    let beside = if options.beside > 0.0 && !options.body.is_empty() {
        places(domain, detour.as_ref(), options.seed)
    } else {
        Vec::new()
    };
    let from = from.map(|w| Targets::new(domain, &Guidance::everywhere(w.clone(), 1.0)));
    let guidance = guidance.map(|g| Targets::new(domain, g));
    let mut fit = Fit {
        domain,
        options,
        // More influences than cells are as many as there are.
        influences: influences.clamp(1, layout.cells.max(1)),
        layout,
        detours: detours_at_points(domain, layout.cells, detour.as_ref()),
        targets: from.or_else(|| guidance.clone()),
        beside,
        candidate_starts: Vec::new(),
        candidates: Vec::new(),
        reach: Vec::new(),
    };
    let floor = match options.freedom() {
        // So large that the border never shows: 1/d^r.
        Freedom::Falloff => 1e6,
        _ => options.floor.max(1e-9),
    };
    let Started { mut list, reach } = start(
        domain,
        &character.skeleton,
        layout,
        options.start,
        floor,
        options.seed,
    );

    fit.reach = fit.restrained(reach);

    let body = body_of(character, domain, &options.body);
    let garment = match (&body, &fit.targets) {
        (Some(body), Some(moved_by)) if options.pose_source == PoseSource::Limits => {
            GarmentRig::new(character, domain, body.is_body(), &moved_by.rows)
        }
        _ => None,
    };
    let moves = |count: usize, seed: u64| -> Vec<Vec<DAffine3>> {
        let all = match &garment {
            Some(garment) => garment.poses(character, &options.joint_limits, count, seed),
            None => poses(character, options.pose_source, &options.joint_limits, count, seed),
        };
        all.iter().map(|pose| domain.moves(pose)).collect()
    };
    let pool = moves(options.pose_pool.max(1), options.seed);
    let unseen = moves(UNSEEN, unseen_seed(options.seed));
    let unseen: Vec<&[DAffine3]> = unseen.iter().map(Vec::as_slice).collect();

    fit.choose_candidates(&Opened::of(layout, &list, 0.0));
    if fit.targets.is_some() && options.guided_steps > 0 {
        fit.follow_guidance(&mut list, task)?;
    }
    fit.targets = guidance;
    let whole = Batch::whole(domain);
    let unseen_before = fit.judge(&list, &whole, &unseen, body.as_ref(), task)?;
    let Run {
        curve,
        steps,
        converged,
        went_back,
    } = fit.run(&mut list, &pool, body.as_ref(), &unseen[..WATCHED], begun, task)?;
    let unseen = fit.judge(&list, &whole, &unseen, body.as_ref(), task)?;

    let named: Vec<(String, [f32; 3])> = domain
        .joints
        .iter()
        .map(|&j| {
            let origin = (character.skeleton.bind_position(j) - domain.centre) / domain.size;
            (
                character.skeleton.joint(j).name.clone(),
                origin.as_vec3().to_array(),
            )
        })
        .collect();
    let field = CellField {
        influences: fit.influences,
        centre: domain.centre,
        size: domain.size,
        cells: Opened::of(layout, &list, fit.last_floor()).cells(&named),
        detour,
        surface: surface_of(&domain.points, domain.skin.faces()).map(Arc::new),
    };
    field.check().map_err(BindError::Field)?;
    Ok(Fitted {
        field,
        report: FitReport {
            steps,
            converged,
            went_back,
            curve,
            weights: options.losses,
            unseen_before,
            unseen,
            springs: domain.spring_count(),
            seconds: task.now().saturating_sub(begun).as_secs_f64(),
        },
    })
}

fn detours_at_points(domain: &FitDomain, cells: usize, detour: Option<&Detour>) -> Vec<f32> {
    let Some(detour) = detour else {
        return Vec::new();
    };
    let mut all = vec![0.0; domain.points.len() * cells];
    for (x, row) in domain.points.iter().zip(all.chunks_exact_mut(cells)) {
        detour.add_to(x.as_vec3(), row);
    }
    all
}

/// The body that the parts of these names form.
fn body_of(character: &Character, domain: &FitDomain, patterns: &[String]) -> Option<BodyAtRest> {
    if patterns.is_empty() {
        return None;
    }
    let mut is_body = vec![false; domain.points.len()];
    let points = domain.skin.points_of_vertices();
    for part in &character.mesh.parts {
        if patterns
            .iter()
            .any(|p| wildmatch::WildMatch::new(p).matches(&part.name))
        {
            points[part.vertices.clone()]
                .iter()
                .flatten()
                .for_each(|point| is_body[point.at()] = true);
        }
    }
    BodyAtRest::new(domain, is_body)
}
