//! Weights of the positions themselves, optimised by the losses that a field is fitted by
//! (SkinCells, section 4.1): what cells are compared with.
//!
//! A position keeps the joints that it came with and shifts weight between them; the
//! sparsity loss empties all but the heaviest l, and what it does not empty is cut off at
//! the end. Nothing carries over to another mesh, and a position that came without a joint
//! never finds it: it ends in the valley where it begins.

use std::time::Instant;

use glam::DAffine3;

use super::adam::Adam;
use super::batch::Batch;
use super::fit::{CurvePoint, FitOptions};
use super::guidance::{Guidance, Targets};
use super::losses::{Measure, Rows};
use super::poses::poses;
use super::random::{Deck, Random};
use super::skin::Skin;
use crate::bind::{BindError, Job};
use crate::character::{Character, Influence, Weights, WeightsBuilder};
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
    character: &Character,
    job: &Job<'_>,
    skin: &Skin,
    from: &Weights,
    influences: usize,
    options: &FitOptions,
    task: &Task<'_>,
) -> Result<PerPosition, BindError> {
    let begun = Instant::now();
    let start = Targets::new(job, skin, &Guidance::everywhere(from.clone(), 1.0)).rows;
    let mut rows = without_least(skin, &start);
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
    .map(|pose| skin.moves(pose))
    .collect();
    let whole = Batch::whole(skin);
    let measure = Measure {
        skin,
        weights: options.losses,
        influences,
        targets: None,
        body: None,
    };
    let mut adam = Adam::new(logs.len(), options.moments);
    let mut random = Random::new(options.seed ^ 2);
    let mut deck = Deck::new(pool.len());
    let mut by_weight = Vec::new();
    let mut by_log = vec![0.0; logs.len()];
    let mut curve = Vec::with_capacity(options.steps);
    for step in 0..options.steps {
        task.step("optimise", step as f32 / options.steps as f32)?;
        normalise(&mut rows, &logs);
        let chosen: Vec<&[DAffine3]> = (0..options.poses_per_step.max(1))
            .map(|_| pool[deck.draw(&mut random)].as_slice())
            .collect();
        let losses = measure.losses(&whole, &rows, &chosen, Some(&mut by_weight), task)?;
        curve.push(CurvePoint {
            step,
            seconds: begun.elapsed().as_secs_f64(),
            total: losses.total(&options.losses),
            losses,
        });
        for row in 0..skin.points.len() {
            let range = rows.range(row);
            let mean: f64 = range.clone().map(|e| rows.weights[e] * by_weight[e]).sum();
            for e in range {
                by_log[e] = rows.weights[e] * (by_weight[e] - mean);
            }
        }
        adam.step(&mut logs, &by_log, &reach, options.rate_at(step, options.steps));
    }
    normalise(&mut rows, &logs);
    let mut builder = WeightsBuilder::with_capacity(skin.points.len(), influences);
    for row in 0..skin.points.len() {
        let influences: Vec<Influence> = rows
            .row(row)
            .map(|(cell, weight)| Influence {
                joint: skin.joints[cell],
                weight: weight as f32,
            })
            .collect();
        builder.push(&influences).map_err(|_| BindError::NothingToBind)?;
    }
    let weights = job.scatter(&builder.finish().limited(influences))?;
    Ok(PerPosition { weights, curve })
}

/// The rows without weights that hardly count; a row that has none gets its first joint.
fn without_least(skin: &Skin, given: &Rows) -> Rows {
    let mut rows = Rows {
        starts: vec![0],
        ..Rows::default()
    };
    for row in 0..skin.points.len() {
        let before = rows.cells.len();
        for (cell, weight) in given.row(row).filter(|r| r.1 >= LEAST) {
            rows.cells.push(cell as u16);
            rows.weights.push(weight);
        }
        if rows.cells.len() == before {
            rows.cells.push(skin.cells_at(row).first().copied().unwrap_or(0));
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
    use crate::bind::{BindOptions, method};

    #[test]
    fn it_lowers_the_loss_and_keeps_to_its_joints() {
        let character = crate::sample::make("hound@800").unwrap();
        let task = Task::unattended();
        let all = BindOptions {
            influences: 12,
            ..BindOptions::default()
        };
        let from = method("closest")
            .unwrap()
            .bind(&character, &all, &task)
            .unwrap()
            .weights;
        let job = Job::new(&character, &all).unwrap();
        let skin = Skin::new(&character, &job, &task).unwrap();
        let options = FitOptions {
            steps: 60,
            pose_pool: 8,
            poses_per_step: 4,
            ..FitOptions::default()
        };
        let found = optimise_weights(&character, &job, &skin, &from, 4, &options, &task).unwrap();
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
            let per_position = w.gathered((0..skin.points.len()).map(|p| job.first_vertex(p)));
            super::super::losses_of(&skin, &per_position, &unseen, 4, &options.losses, &task)
                .unwrap()
                .total(&options.losses)
        };
        let (before, after) = (total(&from.limited(4)), total(&found.weights));
        assert!(after < 0.8 * before, "{before} became {after}");
    }
}
