//! `ligament check`: how good the weights are that a file has.

mod pictures;
mod table;

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::ValueEnum;
use ligament::character::JointIndex;
use ligament::measure::{Measure, MeasureOptions, MotionChoice, Report, Verdict, measure};
use ligament::{Character, Weights};
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use crate::motion::read_joint_limits;
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
    /// Compare with the weights of this file, which has the same vertices
    #[arg(long, value_name = "FILE")]
    reference: Option<String>,
    /// Which poses to measure in
    #[arg(long, value_enum, default_value = "auto")]
    poses: Poses,
    /// At most so many frames of all clips together
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    frames: u16,
    /// Frames in which to look for skin that cuts through skin; 0 for none
    #[arg(long, default_value_t = 8, value_name = "N")]
    penetration_frames: u16,
    /// From which value on a measure is broken, such as bleed=0.01
    #[arg(long = "limit", value_name = "MEASURE=VALUE")]
    limits: Vec<LimitArg>,
    /// A JSON file with joint limits for --poses range, such as
    /// [{"joints": "*knee*", "moves": [{"axis": "forward", "from": -130, "to": 0}]}]
    #[arg(long, value_name = "FILE")]
    joint_limits: Option<PathBuf>,
    /// Draw the worst places to PNGs in this folder
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// How many places to show
    #[arg(long, default_value_t = 6, value_name = "N")]
    worst: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Poses {
    /// The file's clips; a range of motion if none of them bends the skeleton
    Auto,
    /// The file's clips
    Clips,
    /// A range of motion within joint limits
    Range,
}

#[derive(Clone, Copy)]
struct LimitArg(Measure, f64);

impl FromStr for LimitArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("use MEASURE=VALUE, such as bleed=0.01")?;
        let name = name.trim().replace('-', "_");
        let measure = Measure::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| {
                let names: Vec<&str> = Measure::ALL.iter().map(|m| m.name()).collect();
                format!("there is no measure '{name}'; there are {}", names.join(", "))
            })?;
        let value: f64 = value.trim().parse().map_err(|_| "the value is a number")?;
        if !(value.is_finite() && value > 0.0) {
            return Err("the value is greater than 0".to_owned());
        }
        Ok(Self(measure, value))
    }
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
    let options = options(args)?;
    let source = Source::open(&args.input, &RigArgs::default(), console)?;
    let character = source.character();
    let weights = source.weights()?;
    let reference = args
        .reference
        .as_ref()
        .map(|input| {
            let other = Source::open(input, &RigArgs::default(), console)?;
            carried_over(other.character(), other.weights()?, character)
                .with_context(|| format!("cannot compare with {input}"))
        })
        .transpose()?;
    let report = console.with_task(|task| measure(character, weights, reference.as_ref(), &options, task))?;
    if report.frames == 0 {
        let way_out = match args.poses {
            Poses::Clips => "no clip of it bends the skeleton: leave out --poses clips",
            _ => "no joint of it may move: change --joint-limits",
        };
        bail!("'{}' has no pose to measure in; {way_out}", character.name);
    }
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

fn options(args: &Args) -> anyhow::Result<MeasureOptions> {
    let mut options = MeasureOptions {
        motion: match args.poses {
            Poses::Auto => MotionChoice::Auto,
            Poses::Clips => MotionChoice::Clips,
            Poses::Range => MotionChoice::RangeOfMotion,
        },
        frames: usize::from(args.frames),
        penetration_frames: usize::from(args.penetration_frames),
        ..MeasureOptions::default()
    };
    for &LimitArg(measure, value) in &args.limits {
        *options.limits.of_mut(measure) = value;
    }
    if let Some(path) = &args.joint_limits {
        options.joint_limits = read_joint_limits(path)?;
    }
    Ok(options)
}

/// Weights of the same vertices on another skeleton, by the names of its joints.
fn carried_over(from: &Character, weights: &Weights, to: &Character) -> anyhow::Result<Weights> {
    let (theirs, ours) = (from.mesh.positions.len(), to.mesh.positions.len());
    if theirs != ours {
        bail!("it has {theirs} vertices where '{}' has {ours}", to.name);
    }
    let mut across: Vec<Option<JointIndex>> = vec![None; from.skeleton.joints.len()];
    let mut taken = vec![false; to.skeleton.joints.len()];
    for joint in from.skeleton.indices() {
        let name = &from.skeleton.joint(joint).name;
        // Names may repeat: the first goes to the first, the second to the second.
        let found = to
            .skeleton
            .indices()
            .find(|j| !taken[j.at()] && to.skeleton.joint(*j).name == *name);
        if let Some(found) = found {
            taken[found.at()] = true;
            across[joint.at()] = Some(found);
        }
    }
    let lost = weights
        .influences()
        .iter()
        .find(|i| across[i.joint.at()].is_none());
    if let Some(lost) = lost {
        bail!(
            "its joint '{}' has weight, but '{}' has no joint of that name",
            from.skeleton.joint(lost.joint).name,
            to.name
        );
    }
    Ok(weights.renumbered(|j| across[j.at()].unwrap_or(j)))
}
