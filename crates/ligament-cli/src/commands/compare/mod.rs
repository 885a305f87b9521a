//! `ligament compare`: one character bound in several ways, side by side.

mod table;

use std::path::{Path, PathBuf};

use ligament_app::compare::{CompareRequest, OtherFile, run_on};

use crate::Outcome;
use crate::asset_args::{RigArgs, open};
use crate::console::Console;
use crate::measure_args::MeasureArgs;

/// Bind a character in several ways and report side by side
///
/// A table on the terminal, --json for programs, and with -o one HTML page that needs nothing
/// but a browser: which bind is best and why, posed pictures, weights, measures, times, and the
/// regions to look at.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament compare hero.glb -o report.html
  ligament compare hero.glb --methods voxel,heat -o report.html
  ligament compare hero.glb --reference --deform used -o report.html   against the file's own weights
  ligament compare hero.glb --with blender=hero_blender.glb -o report.html
  ligament compare sample:knight --json | jq .conclusion

tools/peers/blender_weights.py makes files for --with by Blender's automatic weights.")]
pub struct Args {
    /// A file of any format with a skeleton, or sample:NAME
    input: String,
    #[command(flatten)]
    rig: RigArgs,
    /// Which methods, comma-separated, each with a preset if wanted (voxel:2014, heat:2007), or
    /// none [default: all but the slow ones, cells and biharmonic]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,
    /// Take the weights that the file has as a further column, and hold the others against them
    #[arg(long)]
    reference: bool,
    /// The same character bound by another program, as a further column; repeatable
    #[arg(long, value_name = "[NAME=]FILE")]
    with: Vec<String>,
    /// Where to write the page, such as report.html
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Joints that take part, as for bind
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// The most joints that a vertex follows
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    influences: u16,
    #[command(flatten)]
    measure: MeasureArgs,
    /// How many regions to show
    #[arg(long, default_value_t = 5, value_name = "N")]
    worst: usize,
}

impl Args {
    pub(crate) fn request(&self) -> anyhow::Result<CompareRequest> {
        let methods = match self.methods.as_slice() {
            [] => None,
            [none] if none == "none" => Some(Vec::new()),
            names => Some(names.to_vec()),
        };
        Ok(CompareRequest {
            asset: self.rig.asset(&self.input),
            methods,
            reference: self.reference,
            with: self.with.iter().map(|text| other_file(text)).collect(),
            output: self.output.clone(),
            deform: self.deform.clone(),
            influences: usize::from(self.influences),
            measure: self.measure.request()?,
            worst: self.worst,
        })
    }
}

/// Reads `[NAME=]FILE`; a file may have a = in its name.
fn other_file(text: &str) -> OtherFile {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !Path::new(text).exists() => (Some(name), file),
        _ => (None, text),
    };
    OtherFile {
        name: name.map(str::to_owned),
        file: file.to_owned(),
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
        if let Some(page) = &report.page {
            console.note(format_args!("wrote {}", page.display()));
        }
    }
    Ok(if report.failed.is_empty() {
        Outcome::Sound
    } else {
        Outcome::FaultsFound
    })
}
