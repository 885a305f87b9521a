//! Smoothness against control (the paper's Fig. 6): λ of location a tenth and ten times the paper's.

use std::fmt::Write as _;

use ligament::bind::cells::{FitOptions, LossWeights};
use ligament::measure::{Measure, MeasureOptions, measure};
use ligament::task::Task;

use super::judge::{Judge, sample, short};
use super::picture::{Look, Shot, save};

const SAMPLE: &str = "hound@4000";
const LAMBDAS: [f64; 5] = [6.0, 60.0, 600.0, 6000.0, 60_000.0];
/// Of the unseen poses the one in the picture: legs bend far in it.
const PICTURED: usize = 3;

pub fn run() -> anyhow::Result<String> {
    let character = sample(SAMPLE)?;
    let judge = Judge::new(&character)?;
    let mut text = format!(
        "`sample:{SAMPLE}`, nothing held. A larger λ of location ties the skin to its bones; a smaller one gives softer folds \
         and, in the end, loses volume. Volume and stretch are those of `ligament check`, over a range of motion.\n\n\
         | λ of location | smoothness | location | volume | stretch |\n|---|---|---|---|---|\n"
    );
    let mut found = Vec::new();
    for location in LAMBDAS {
        eprintln!("λ = {location}");
        let fitted = judge.fitted(&FitOptions {
            hold: 0.0,
            losses: LossWeights {
                location,
                ..LossWeights::PAPER
            },
            ..FitOptions::default()
        })?;
        let weights = judge.weights_of(&fitted.value)?;
        let losses = judge.losses(&weights)?;
        let measures = MeasureOptions {
            penetration_frames: 0,
            ..MeasureOptions::default()
        };
        let report = measure(&character, &weights, None, &measures, &Task::unattended())?;
        let of = |m: Measure| report.finding(m).map_or("–".to_owned(), |f| short(f.value));
        writeln!(
            text,
            "| {location} | {} | {} | {} | {} |",
            short(losses.smoothness),
            short(losses.location),
            of(Measure::Volume),
            of(Measure::Stretch)
        )?;
        found.push((location, weights));
    }
    let shots: Vec<Shot<'_>> = found
        .iter()
        .map(|(location, weights)| Shot {
            character: &character,
            weights,
            world_from_bind: &judge.unseen[PICTURED],
            caption: format!("location {location}"),
            painted: false,
        })
        .collect();
    save(&shots, &Look::default(), "cells-tradeoff.png")?;
    text.push_str("\n![One pose, location from 6 to 60000](../images/cells-tradeoff.png)\n");
    Ok(text)
}
