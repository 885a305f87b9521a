//! Weights that are broken, put right where there is a safe way.
//!
//! [`repair`] measures, treats what is found, measures again, and keeps a treatment only if the score falls and no measure
//! that counts gets worse; one that fails as a whole is tried again near one joint at a time. Six treatments, in this order:
//!
//! - copies along **seams** that differ all get the row that is most like those around it, or most like a bind of our own;
//! - joints that are **exchanged**, because the weight of each is where a bind of our own has the other, change places;
//! - weight that is **astray**, on bones far away through the body, is taken from joints that a bind of our own does not
//!   have there either; where more than half of a row is astray, the bind's row takes its place;
//! - **rough** weights, and **hard edges**, become the median of those around them, or are smoothed, or both, by the
//!   length that scores best;
//! - what is still rough or astray takes the bind's rows; where that is much of a character, all of it may;
//! - where **left and right** differ, the row that is more like the bind's goes to both.
//!
//! A measure calls for its treatment where it is not sound, in the whole or near a joint, or counts one in the score.
//!
//! What no measure finds is not touched.

mod exchanged;
mod medians;
mod sides;
#[cfg(test)]
mod tests;
mod treatments;

use serde::Serialize;

use crate::bind::{BindError, BindOptions, DeformChoice, Method};
use crate::character::Weights;
use crate::measure::{Measure, MeasureError, MeasureOptions, Report, SolidDistance, measure_in_body};
use crate::skin::Skin;
use crate::task::{Cancelled, Task};
use treatments::Ward;

/// What was done against what is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Treatment {
    /// Copies along seams were united.
    Seams,
    /// Joints that stood in for each other changed places.
    Exchanged,
    /// Weight far away was taken back.
    Astray,
    /// Weights were smoothed, or became the median of those around them.
    Smoothed,
    /// Rows of a bind of our own took the place of broken ones.
    Rebound,
    /// Where left and right differ, the side that is less like a bind of our own became like the other.
    Evened,
}

/// One treatment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreatmentReport {
    /// What was done.
    pub treatment: Treatment,
    /// The joint near which it was done; everywhere if none.
    pub near: Option<String>,
    /// How many vertices changed.
    pub vertices: usize,
    /// The score before.
    pub before: f64,
    /// The score after.
    pub after: f64,
}

/// Weights before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// The weights; those that were given where nothing helped.
    pub weights: Weights,
    /// What was kept, in order.
    pub treatments: Vec<TreatmentReport>,
    /// How the weights that were given measure.
    pub before: Report,
    /// How these measure.
    pub after: Report,
}

/// Why nothing could be repaired.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// The weights cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The character cannot be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A measure may grow by this factor where it is half its limit or more, and no further.
const AS_GOOD: f64 = 1.02;
/// Below this severity a measure does not count.
const COUNTS: f64 = 0.5;
/// Where the score falls to this share, a measure may become suspect, never broken: weights that are put right meet those around
/// them in an edge that torn or swapped ones did not have.
const MUCH_BETTER: f64 = 0.67;
/// The severity that is still not broken then.
const NOT_BROKEN: f64 = 0.9;
/// A treatment must lower the score by this share.
const WORTH_IT: f64 = 0.005;
/// So many joints are tried one at a time.
const MOST_REGIONS: usize = 8;

/// Repairs weights of a character's vertices, as `options` measure them.
pub fn repair(
    skin: &Skin,
    weights: &Weights,
    options: &MeasureOptions,
    task: &Task<'_>,
) -> Result<Repaired, RepairError> {
    let character = skin.character();
    let body = SolidDistance::of(character, task)?;
    let measured = |weights: &Weights| {
        task.step("repairing", 0.0)?;
        Ok::<_, RepairError>(measure_in_body(
            character,
            weights,
            None,
            Some(&body),
            options,
            task,
        )?)
    };
    let before = measured(weights)?;
    let bind_options = BindOptions {
        deform: DeformChoice::Used,
        influences: weights.max_influences().max(4),
        ..BindOptions::default()
    };
    let mut with_weights = character.as_ref().clone();
    with_weights.weights = Some(weights.clone());
    let own_skin = skin.with_character(with_weights).map_err(BindError::from)?;
    let own = Method::default().bind(&own_skin, &bind_options, task)?.weights;
    let mut now = (weights.clone(), before.clone());
    let mut kept = Vec::new();
    for treatment in [
        Treatment::Seams,
        Treatment::Exchanged,
        Treatment::Astray,
        Treatment::Smoothed,
        Treatment::Rebound,
        Treatment::Evened,
    ] {
        let ward = Ward {
            skin,
            weights: &now.0,
            own: &own,
            report: &now.1,
        };
        let broken = ward.broken(treatment);
        if !broken.contains(&true) {
            continue;
        }
        let mut best: Option<(Weights, Report)> = None;
        for tried in ward.treated(treatment, &broken, task)? {
            let report = measured(&tried)?;
            let least = best.as_ref().map_or(&now.1, |b| &b.1);
            if is_better(least, &report) && is_better(&now.1, &report) {
                best = Some((tried, report));
            }
        }
        if let Some(found) = best {
            kept.push(reported(treatment, None, &now, &found));
            now = found;
            continue;
        }
        // As a whole it harms somewhere: joint by joint, the worst first.
        for (name, region) in ward_regions(skin, &now.1, &own, &broken) {
            let ward = Ward {
                skin,
                weights: &now.0,
                own: &own,
                report: &now.1,
            };
            for tried in ward.treated(treatment, &region, task)? {
                let report = measured(&tried)?;
                if is_better(&now.1, &report) {
                    let found = (tried, report);
                    kept.push(reported(treatment, Some(name.clone()), &now, &found));
                    now = found;
                    break;
                }
            }
        }
    }
    Ok(Repaired {
        weights: now.0,
        treatments: kept,
        before,
        after: now.1,
    })
}

/// Whether weights measure better than others, and by no measure that counts worse.
fn is_better(before: &Report, after: &Report) -> bool {
    let much_better = after.score < MUCH_BETTER * before.score;
    let least = if much_better { NOT_BROKEN } else { COUNTS };
    let worse = |finding: &crate::measure::Finding| {
        let was = before.finding(finding.measure).map_or(0.0, |f| f.severity);
        finding.severity > AS_GOOD * was.max(least)
    };
    let counts = |m: Measure| m.score_unit().is_some();
    let any_worse = after.findings.iter().any(|f| counts(f.measure) && worse(f));
    !any_worse && after.score < (1.0 - WORTH_IT) * before.score
}

fn reported(
    treatment: Treatment,
    near: Option<String>,
    before: &(Weights, Report),
    after: &(Weights, Report),
) -> TreatmentReport {
    let rows = before.0.iter().zip(after.0.iter());
    TreatmentReport {
        treatment,
        near,
        vertices: rows.filter(|(a, b)| a != b).count(),
        before: before.1.score,
        after: after.1.score,
    }
}

/// The broken points near each joint, the worst joints of the report first.
fn ward_regions(skin: &Skin, report: &Report, own: &Weights, broken: &[bool]) -> Vec<(String, Vec<bool>)> {
    let skeleton = &skin.character().skeleton;
    let nearest = |point: usize| {
        let vertex = skin.first_vertex(crate::skin::PointIndex(point as u32));
        own.of_vertex(vertex).first().map(|i| i.joint)
    };
    let mut regions = Vec::new();
    for verdict in report.regions.iter().take(MOST_REGIONS) {
        let Some(joint) = skeleton.find(&verdict.name) else {
            continue;
        };
        let inside: Vec<bool> = (0..broken.len())
            .map(|p| broken[p] && nearest(p) == Some(joint))
            .collect();
        if inside.contains(&true) {
            regions.push((verdict.name.clone(), inside));
        }
    }
    regions
}
