//! What goes beyond the paper, taken away piece by piece, on characters whose limbs touch.

use std::fmt::Write as _;

use ligament::bind::cells::{FitOptions, Start};
use ligament::measure::{Measure, MeasureOptions, measure};
use ligament::task::Task;

use super::judge::{INFLUENCES, Judge, sample, short};
use super::picture::{Look, Shot, save};

const SAMPLES: [&str; 2] = ["apose@1500", "hand@1200"];

pub fn run() -> anyhow::Result<String> {
    let default = FitOptions::default;
    let variants: [(&str, FitOptions); 6] = [
        ("default", default()),
        (
            "without detours",
            FitOptions {
                geodesic: false,
                ..default()
            },
        ),
        (
            "not held to the voxel bind",
            FitOptions {
                hold: 0.0,
                ..default()
            },
        ),
        (
            "not held, from bones",
            FitOptions {
                hold: 0.0,
                start: Start::Bones,
                ..default()
            },
        ),
        (
            "not held, from bones, without detours",
            FitOptions {
                hold: 0.0,
                start: Start::Bones,
                geodesic: false,
                ..default()
            },
        ),
        ("`--preset paper`", FitOptions::paper()),
    ];
    let mut text = String::from(
        "Hands beside thighs, and fingers together. *Bleed* is the weight on bones that are far away through the body, as in \
         `ligament check`: detours are there to lower it. Held, a fit gives up some loss to stay near the voxel bind.\n\n\
         | sample | weights | total | smoothness | location | bleed | seconds |\n|---|---|---|---|---|---|---|\n",
    );
    let mut pictured = Vec::new();
    for name in SAMPLES {
        let character = sample(name)?;
        let judge = Judge::new(&character)?;
        let voxel = judge.bound("voxel", INFLUENCES)?;
        let mut rows = vec![("`voxel`", voxel.value, voxel.seconds)];
        for (label, options) in &variants {
            eprintln!("{name}: {label}");
            let fitted = judge.fitted(options)?;
            rows.push((label, judge.weights_of(&fitted.value)?, fitted.seconds));
        }
        for (label, weights, seconds) in &rows {
            let losses = judge.losses(weights)?;
            let options = MeasureOptions {
                penetration_frames: 0,
                ..MeasureOptions::default()
            };
            let report = measure(&character, weights, None, &options, &Task::unattended())?;
            let bleed = report.finding(Measure::Bleed).map_or(f64::NAN, |f| f.value);
            writeln!(
                text,
                "| `{name}` | {label} | {} | {} | {} | {} | {seconds:.1} |",
                short(judge.total(weights)?),
                short(losses.smoothness),
                short(losses.location),
                short(bleed)
            )?;
        }
        let file = format!("cells-beyond-{}.png", name.split('@').next().unwrap_or(name));
        let shots: Vec<Shot<'_>> = rows
            .iter()
            .filter(|r| ["default", "without detours", "`--preset paper`"].contains(&r.0))
            .map(|(label, weights, _)| Shot {
                character: &character,
                weights,
                world_from_bind: &judge.unseen[1],
                caption: label.replace('`', ""),
                painted: true,
            })
            .collect();
        save(&shots, &Look::default(), &file)?;
        pictured.push(file);
    }
    for file in pictured {
        writeln!(text, "\n![Default, without detours, paper](../images/{file})")?;
    }
    Ok(text)
}
