//! Total loss over poses that no fit saw, for each method on each input, at four influences.
//!
//! `cargo run --release -p ligament-cli --example cells_compare -- [--steps N] INPUT...`
#![allow(clippy::print_stdout, reason = "its table is its result")]

use std::time::Instant;

use anyhow::Context;
use ligament::bind::cells::{
    FitOptions, LossWeights, PoseSource, Skin, Start, bind_by_field, fit_character, losses_of, poses,
    unseen_seed,
};
use ligament::bind::{BindOptions, DeformChoice, Job, methods};
use ligament::character::Character;
use ligament::task::Task;
use ligament_io::open::{Opened, open};

fn character_of(input: &str) -> anyhow::Result<Character> {
    if let Some(name) = input.strip_prefix("sample:") {
        return Ok(ligament::sample::make(name)?);
    }
    Ok(match open(input.as_ref())? {
        Opened::Gltf(file) => file.character().clone(),
        Opened::Imported(imported) => imported.character,
    })
}

fn main() -> anyhow::Result<()> {
    let task = Task::unattended();
    let mut inputs: Vec<String> = std::env::args().skip(1).collect();
    let mut steps = None;
    if inputs.first().is_some_and(|a| a == "--steps") {
        steps = inputs.get(1).map(|n| n.parse()).transpose()?;
        inputs.drain(..2.min(inputs.len()));
    }
    println!("| input | positions | joints | method | seconds | total | smoothness | location |");
    println!("|---|---|---|---|---|---|---|---|");
    for input in &inputs {
        let character = character_of(input).with_context(|| input.clone())?;
        let options = BindOptions {
            deform: if character.weights.is_some() && !input.starts_with("sample:") {
                DeformChoice::Used
            } else {
                DeformChoice::All
            },
            ..BindOptions::default()
        };
        let job = Job::new(&character, &options)?;
        let skin = Skin::new(&character, &job, &task)?;
        let unseen = poses(&character, PoseSource::Limits, 24, unseen_seed(1));
        let lambda = LossWeights::PAPER;
        let rows = job.row_of_vertices();
        let mut first = vec![0; skin.points.len()];
        for (vertex, row) in rows.iter().enumerate().rev() {
            if let Some(row) = row {
                first[*row] = vertex;
            }
        }
        let report = |name: &str, seconds: f64, weights: &ligament::Weights| -> anyhow::Result<()> {
            let weights = weights.limited(4).gathered(first.iter().copied());
            let losses = losses_of(&skin, &weights, &unseen, 4, &lambda, &task)?;
            println!(
                "| {} | {} | {} | {name} | {seconds:.2} | {:.3} | {:.4} | {:.6} |",
                input.rsplit('/').next().unwrap_or(input),
                skin.points.len(),
                skin.joints.len(),
                losses.total(&lambda),
                losses.smoothness,
                losses.location,
            );
            Ok(())
        };
        if let Some(weights) = &character.weights {
            report("artist", 0.0, weights)?;
        }
        for method in methods().iter().filter(|m| m.name() != "cells") {
            let start = Instant::now();
            let bound = method.bind(&character, &options, &task)?;
            report(method.name(), start.elapsed().as_secs_f64(), &bound.weights)?;
        }
        let default = FitOptions {
            steps: steps.unwrap_or(FitOptions::default().steps),
            ..FitOptions::default()
        };
        let variants = [
            ("cells", default.clone()),
            (
                "cells, held",
                FitOptions {
                    hold: 0.3,
                    ..default.clone()
                },
            ),
            (
                "cells from bones",
                FitOptions {
                    start: Start::Bones,
                    ..default.clone()
                },
            ),
            (
                "cells, no detours",
                FitOptions {
                    geodesic: false,
                    ..default.clone()
                },
            ),
            (
                "cells ×10",
                FitOptions {
                    steps: 10 * default.steps,
                    tolerance: 0.0,
                    ..default.clone()
                },
            ),
            ("paper", FitOptions::paper()),
        ];
        let wanted = std::env::var("CELLS_VARIANTS").unwrap_or_else(|_| "cells".to_owned());
        for (name, fit_options) in variants {
            if !wanted.split(';').any(|w| w == name) {
                continue;
            }
            let start = Instant::now();
            let fitted = fit_character(&character, &options, &fit_options, None, &task)?;
            let seconds = start.elapsed().as_secs_f64();
            let bound = bind_by_field(&character, &fitted.field, &options, &task)?;
            report(
                &format!("{name} ({} steps)", fitted.report.steps),
                seconds,
                &bound.weights,
            )?;
        }
    }
    Ok(())
}
