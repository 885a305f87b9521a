//! `ligament check`: how good the weights are that a file has.

mod pictures;
pub mod table;

use std::path::PathBuf;

use anyhow::Context;
use ligament::measure::{Report, SolidDistance, Verdict, measure_in_body};
use ligament::transfer::weights_of_same_character;
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use crate::measure_args::MeasureArgs;
use crate::source::{FileWarning, RigArgs, Source};

/// Measure the weights that a file has: what is broken, where, and in which pose
///
/// Poses the character in its own clips, or within joint limits if it has none, and measures
/// what its skin does. Exit status 1 means that a measure is at or over its limit, for the
/// whole character or near a joint.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament check bound.glb
  ligament check bound.glb --reference artist.glb    how far from the artist's weights?
  ligament check bound.glb --pictures worst          look at the worst places
  ligament check bound.glb --poses range             bend every joint, whatever the clips do
  ligament check bound.glb --limit bleed=0.01 --limit stretch=0.8
  ligament check bound.glb --json | jq '.regions[0]'")]
pub struct Args {
    /// A file with weights
    input: String,
    /// Compare with the weights of this file, which holds the same character
    #[arg(long, value_name = "FILE")]
    reference: Option<String>,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Draw the worst places to PNGs in this folder
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// How many places to show
    #[arg(long, default_value_t = 6, value_name = "N")]
    worst: usize,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Output<'a> {
    input: &'a str,
    #[serde(flatten)]
    report: &'a Report,
    pictures: Vec<PathBuf>,
    file_warnings: Vec<FileWarning<'a>>,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let options = args.measure.options()?;
    let source = Source::open(&args.input, &RigArgs::default(), console)?;
    let character = source.character();
    let weights = source.weights()?;
    let reference = args
        .reference
        .as_ref()
        .map(|input| {
            let other = Source::open(input, &RigArgs::default(), console)?;
            weights_of_same_character(other.character(), other.weights()?, character)
                .map(|same| same.weights)
                .with_context(|| format!("cannot compare with {input}"))
        })
        .transpose()?;
    let report = console.with_task(|task| {
        let body = SolidDistance::of(character, task)?;
        measure_in_body(
            character,
            weights,
            reference.as_ref(),
            Some(&body),
            &options,
            task,
        )
    })?;
    args.measure.posed(character, &report)?;
    let pictures = match &args.pictures {
        Some(folder) => console.busy("drawing", || {
            pictures::draw(character, weights, &report, &options, args.worst, folder)
        })?,
        None => Vec::new(),
    };
    if console.json {
        console.print_json(&Output {
            input: &args.input,
            report: &report,
            pictures,
            file_warnings: source.warnings(),
        })?;
    } else {
        console.print(&table::table(
            &args.input,
            character,
            &report,
            args.worst,
            &source.warnings(),
        ));
        for picture in &pictures {
            console.note(format_args!("wrote {}", picture.display()));
        }
        if args.pictures.is_some() && pictures.is_empty() {
            console.note("no place is worth a picture");
        }
    }
    Ok(match report.verdict {
        Verdict::Broken => Outcome::FaultsFound,
        _ => Outcome::Sound,
    })
}
