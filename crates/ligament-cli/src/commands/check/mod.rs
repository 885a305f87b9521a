//! `ligament check`: how good the weights are that a file has.

mod table;

use std::path::PathBuf;

use ligament::measure::Verdict;
use ligament_app::asset::AssetRequest;
use ligament_app::check::{CheckRequest, run_on};

use crate::Outcome;
use crate::asset_args::open;
use crate::console::Console;
use crate::measure_args::MeasureArgs;

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
  ligament check bound.glb --pictures worst          look at the worst regions
  ligament check bound.glb --poses range             bend every joint, whatever the clips do
  ligament check bound.glb --clip builtin:walk       as it walks, if it has no clips
  ligament check bound.glb --limit bleed=0.01 --limit stretch=0.8
  ligament check bound.glb --json | jq '.regions[0]'")]
pub struct Args {
    /// A file with weights
    input: String,
    /// Compare with the weights of this file, which holds the same character
    #[arg(long, value_name = "FILE")]
    reference: Option<String>,
    /// Measure in this clip alone, by name or number from 0, or builtin:NAME for one made by code
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Draw the worst regions to PNGs in this folder
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// How many regions to show
    #[arg(long, default_value_t = 6, value_name = "N")]
    worst: usize,
}

impl Args {
    pub(crate) fn request(&self) -> anyhow::Result<CheckRequest> {
        Ok(CheckRequest {
            asset: AssetRequest::of(&self.input),
            reference: self.reference.clone(),
            clip: self.clip.clone(),
            measure: self.measure.request()?,
            pictures: self.pictures.clone(),
            worst: self.worst,
        })
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request()?;
    let asset = open(&request.asset, console)?;
    let report = console.with_task(|task| run_on(&asset, &request, task))?;
    if console.json {
        console.print_json(&report)?;
    } else {
        console.print(&table::table(&report, args.worst));
        for picture in &report.pictures {
            console.note(format_args!("wrote {}", picture.display()));
        }
        if args.pictures.is_some() && report.pictures.is_empty() {
            console.note("no region is worth a picture");
        }
    }
    Ok(match report.report.verdict {
        Verdict::Broken => Outcome::FaultsFound,
        _ => Outcome::Sound,
    })
}
