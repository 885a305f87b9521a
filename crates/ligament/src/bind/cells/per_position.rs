//! Weights of the positions themselves, optimised by the losses that a field is fitted by
//! (SkinCells, section 4.1): what cells are compared with.
//!
//! A position keeps the joints that it came with and shifts weight between them; the
//! sparsity loss empties all but the heaviest l, and what it does not empty is cut off at
//! the end. Nothing carries over to another mesh, and a position that came without a joint
//! never finds it: it ends in the valley where it begins.

use glam::DAffine3;

use super::adam::Adam;
use super::batch::Batch;
use super::domain::FitDomain;
use super::fit_options::FitOptions;
use super::fit_report::CurvePoint;
use super::guidance::{Guidance, Targets};
use super::losses::{Measure, Rows};
use super::poses::poses;
use super::random::{Deck, Random};
use crate::bind::BindError;
use crate::character::{Influence, Weights, WeightsBuilder};
use crate::task::Task;

/// Weights below this share are no start: their logarithm would hardly move.
const LEAST: f64 = 1e-4;

/// Optimised weights and the way there.
#[derive(Debug, Clone, PartialEq)]
pub struct PerPosition {
    /// Of every vertex, at most as many as were asked for.
    pub weights: Weights,
    /// Losses along the way.
    pub curve: Vec<CurvePoint>,
}

/// Optimises weights of all vertices. Of the options it heeds steps, poses, rates, λ and
/// seed.
pub fn optimise_weights(
    domain: &FitDomain,
    from: &Weights,
    influences: usize,
    options: &FitOptions,
    task: &Task<'_>,
) -> Result<PerPosition, BindError> {
    let character = domain.skin.character();
    let begun = task.now();
    let start = Targets::new(domain, &Guidance::everywhere(from.clone(), 1.0)).rows;
    let mut rows = without_least(domain, &start);
    let mut logs: Vec<f64> = rows.weights.iter().map(|w| w.ln()).collect();
    let reach = vec![1.0; logs.len()];
    let pool: Vec<Vec<DAffine3>> = poses(
        character,
        options.pose_source,
        &options.joint_limits,
        options.pose_pool.max(1),
        options.seed,
    )
    .iter()
    .map(|pose| domain.moves(pose))
    .collect();
    let whole = Batch::whole(domain);
    let measure = Measure {
        domain,
        weights: options.losses,
        influences,
        targets: None,
        body: None,
    };
    let mut adam = Adam::new(logs.len(), options.moments);
    let mut random = Random::new(options.seed ^ 2);
    let mut deck = Deck::new(pool.len());
    let mut weight_gradient = Vec::new();
    let mut by_log = vec![0.0; logs.len()];
    let mut curve = Vec::with_capacity(options.steps);
    for step in 0..options.steps {
        task.step("optimise", step as f32 / options.steps as f32)?;
        normalise(&mut rows, &logs);
        let chosen: Vec<&[DAffine3]> = (0..options.poses_per_step.max(1))
            .map(|_| pool[deck.draw(&mut random)].as_slice())
            .collect();
        let losses = measure.losses(&whole, &rows, &chosen, Some(&mut weight_gradient), task)?;
        curve.push(CurvePoint {
            step,
            seconds: task.now().saturating_sub(begun).as_secs_f64(),
            total: losses.total(&options.losses),
            losses,
        });
        for row in 0..domain.points.len() {
            let range = rows.range(row);
            let mean: f64 = range.clone().map(|e| rows.weights[e] * weight_gradient[e]).sum();
            for e in range {
                by_log[e] = rows.weights[e] * (weight_gradient[e] - mean);
            }
        }
        adam.step(&mut logs, &by_log, &reach, options.rate_at(step, options.steps));
    }
    normalise(&mut rows, &logs);
    let mut builder = WeightsBuilder::with_capacity(domain.points.len(), influences);
    for row in 0..domain.points.len() {
        let influences: Vec<Influence> = rows
            .row(row)
            .map(|(cell, weight)| Influence {
                joint: domain.joints[cell],
                weight: weight as f32,
            })
            .collect();
        builder.push(&influences)?;
    }
    let of_points = builder.finish().limited(influences);
    let weights = domain.skin.to_vertices(&of_points, domain.joints[0])?;
    Ok(PerPosition { weights, curve })
}

/// The rows without weights that hardly count; a row that has none gets its first joint.
fn without_least(domain: &FitDomain, given: &Rows) -> Rows {
    let mut rows = Rows {
        starts: vec![0],
        ..Rows::default()
    };
    for row in 0..domain.points.len() {
        let before = rows.cells.len();
        for (cell, weight) in given.row(row).filter(|r| r.1 >= LEAST) {
            rows.cells.push(cell as u16);
            rows.weights.push(weight);
        }
        if rows.cells.len() == before {
            rows.cells
                .push(domain.cells_at(row).first().copied().unwrap_or(0));
            rows.weights.push(1.0);
        }
        rows.starts.push(rows.cells.len() as u32);
    }
    rows
}

/// Weights of each row from their logarithms, relative to its largest.
fn normalise(rows: &mut Rows, logs: &[f64]) {
    for row in 0..rows.starts.len() - 1 {
        let range = rows.range(row);
        let largest = logs[range.clone()]
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for e in range.clone() {
            rows.weights[e] = (logs[e] - largest).exp();
            sum += rows.weights[e];
        }
        rows.weights[range].iter_mut().for_each(|w| *w /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::{BindOptions, Method, ProximityOptions};
    use crate::skin::{PointIndex, Skin};

    #[test]
    fn it_lowers_the_loss_and_keeps_to_its_joints() {
        let character = crate::sample::make("hound@800").unwrap();
        let task = Task::unattended();
        let all = BindOptions {
            influences: 12,
            ..BindOptions::default()
        };
        let skin = Skin::new(character.clone()).unwrap();
        let closest = Method::Closest(ProximityOptions::default());
        let from = closest.bind(&skin, &all, &task).unwrap().weights;
        let domain = FitDomain::new(&skin, &all, &task).unwrap();
        let options = FitOptions {
            steps: 60,
            pose_pool: 8,
            poses_per_step: 4,
            ..FitOptions::default()
        };
        let found = optimise_weights(&domain, &from, 4, &options, &task).unwrap();
        assert!(found.weights.max_influences() <= 4);
        for v in 0..from.vertex_count() {
            assert!(
                found
                    .weights
                    .of_vertex(v)
                    .iter()
                    .all(|i| from.weight(v, i.joint) > 0.0)
            );
        }
        let total = |w: &Weights| {
            let unseen = poses(&character, options.pose_source, &[], 8, 99);
            let per_position = w.gathered((0..skin.len() as u32).map(|p| skin.first_vertex(PointIndex(p))));
            super::super::losses_of::losses_of(&domain, &per_position, &unseen, 4, &options.losses, &task)
                .unwrap()
                .total(&options.losses)
        };
        let (before, after) = (total(&from.limited(4)), total(&found.weights));
        assert!(after < 0.8 * before, "{before} became {after}");
    }
}
