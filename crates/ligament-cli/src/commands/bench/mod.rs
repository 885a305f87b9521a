//! `ligament bench`: methods over a folder of characters, stage by stage.

mod apart;
mod memory;
mod tables;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use ligament::bind::{BindOptions, BindResult, DeformChoice, Method};
use ligament::character::Character;
use ligament::edit::Growth;
use ligament::measure::{MeasureOptions, measure};
use ligament_app::method_spec::MethodSpec;
use ligament_io::registry::{ending, format_of};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::asset_args::{RigArgs, open};
use crate::commands::bench_edits;
use crate::console::Console;
use apart::bench_apart;
use memory::{Memory, MemoryWatch};
use tables::{csv, markdown};

/// Bind characters with several methods and print times, memory and agreement
///
/// Characters that have weights are also measured against them: Def is the RMS distance of
/// the posed skins over the file's clips or a range of motion, in percent of the diagonal;
/// L1 the mean of half the sum of |w - w*|. Each bind runs in a process of its own; memory is
/// what that process holds, the character included, looked at every millisecond. What cannot
/// be read or bound is counted, and makes the exit status 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament bench characters/
  ligament bench hero.glb sample:athlete@50000 --methods voxel,heat,closest
  ligament bench characters/ --used-joints -o table.md
  ligament bench hero.glb --methods voxel,voxel:2014@256,voxel:2014@512 --repeat 5
  ligament bench characters/ -o table.csv
  ligament bench hero.glb --edits --bones 80 -o edits.md")]
pub struct Args {
    /// Files, folders of files, or sample:NAME
    #[arg(required = true)]
    inputs: Vec<String>,
    #[command(flatten)]
    rig: RigArgs,
    /// Which methods, comma-separated, each as METHOD[:PRESET][@RESOLUTION] [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,
    /// Bind to the joints that the file's weights use, instead of guessing them
    #[arg(long)]
    used_joints: bool,
    /// Binds of each kind, fewer where they take over ten seconds; the fastest counts
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Instead, drag every joint and time how long heat weights take to follow
    #[arg(long)]
    edits: bool,
    /// --edits: joints to show, comma-separated [default: five, from the least to the most work]
    #[arg(long, value_delimiter = ',', value_name = "JOINTS", requires = "edits")]
    joints: Vec<String>,
    /// --edits: insert joints into the longest bones until there are so many
    #[arg(long, value_name = "N", requires = "edits")]
    bones: Option<usize>,
    /// --edits: solve in the published region of four rings instead of as far as an edit changes weights
    #[arg(long, requires = "edits")]
    rings: bool,
    /// Write the table here as well: .md or .csv
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Binds that took longer than this together are not repeated.
const LONG: Duration = Duration::from_secs(10);

/// One character bound by one method.
#[derive(Serialize, Deserialize)]
struct Row {
    character: String,
    method: String,
    vertices: usize,
    triangles: usize,
    joints: usize,
    /// What went wrong, if something did.
    failure: Option<String>,
    /// Read, bind in all, and each stage of it.
    read_ms: f64,
    bind_ms: f64,
    stages: Vec<StageRow>,
    /// The most memory that the process held meanwhile.
    peak_mb: Option<f64>,
    /// Against the weights that the file had.
    def_percent: Option<f64>,
    l1: Option<f64>,
}

/// One stage of a bind.
#[derive(Serialize, Deserialize)]
struct StageRow {
    name: String,
    ms: f64,
    /// The most memory that the process held meanwhile.
    peak_mb: Option<f64>,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let chosen: Vec<MethodSpec> = if args.methods.is_empty() {
        Method::all().map(MethodSpec::from).into()
    } else {
        args.methods
            .iter()
            .map(|name| MethodSpec::parse(name))
            .collect::<Result<_, _>>()?
    };
    if let Some(path) = &args.output
        && !matches!(ending(path).as_str(), "md" | "csv")
    {
        bail!("{}: a table is written as .md or .csv", path.display());
    }
    let inputs = listed(&args.inputs)?;
    if args.edits {
        return run_edits(args, &inputs, console);
    }
    let rows = match (inputs.as_slice(), chosen.as_slice()) {
        ([input], [method]) => bench_here(input, method, args, console)?,
        _ => bench_all(&inputs, &chosen, args, console)?,
    };
    if rows.is_empty() && !console.json {
        bail!("no character with a skeleton among {} inputs", inputs.len());
    }
    if console.json {
        console.print_json(&rows)?;
    } else {
        console.print(&markdown(&rows));
    }
    if let Some(path) = &args.output {
        let csv_wanted = ending(path) == "csv";
        let text = if csv_wanted { csv(&rows) } else { markdown(&rows) };
        ligament_io::atomic::write_file(path, text.as_bytes())
            .with_context(|| format!("writing {}", path.display()))?;
    }
    let failed = rows.iter().any(|r| r.failure.is_some());
    Ok(if failed {
        Outcome::FaultsFound
    } else {
        Outcome::Sound
    })
}

/// Every bind in a process of its own.
fn bench_all(
    inputs: &[String],
    chosen: &[MethodSpec],
    args: &Args,
    console: &Console,
) -> anyhow::Result<Vec<Row>> {
    let all = inputs.len() * chosen.len();
    let mut rows = Vec::new();
    console.with_task(|task| {
        for input in inputs {
            for method in chosen {
                task.step("bench", rows.len() as f32 / all as f32)?;
                rows.extend(bench_apart(input, &method.name, args, console)?);
            }
        }
        anyhow::Ok(())
    })?;
    Ok(rows)
}

/// One bind in this process; no row where there is nothing to bind.
fn bench_here(input: &str, method: &MethodSpec, args: &Args, console: &Console) -> anyhow::Result<Vec<Row>> {
    let start = Instant::now();
    let source = match open(&args.rig.asset(input), console) {
        Ok(source) => source,
        Err(error) => {
            // What cannot be read cannot be bound.
            let why = format!("cannot be read: {error:#}");
            return Ok(vec![Row::failed(input, &method.name, why)]);
        }
    };
    let read = start.elapsed();
    let character = source.character();
    if !character.skeleton.joints.iter().any(|j| j.in_skin) {
        return Ok(Vec::new()); // a mesh without a skeleton is nothing to bind
    }
    Ok(vec![bench_one(input, character, method, read, args, console)])
}

/// Drags the joints of every character.
fn run_edits(args: &Args, inputs: &[String], console: &Console) -> anyhow::Result<Outcome> {
    let drags = bench_edits::Drags {
        joints: &args.joints,
        bones: args.bones,
        growth: if args.rings {
            Growth::Rings
        } else {
            Growth::Tolerance
        },
        repeat: args.repeat,
    };
    let mut rows = Vec::new();
    for input in inputs {
        let source = open(&args.rig.asset(input), console)?;
        let character = source.character();
        rows.push(bench_edits::drag_all(
            &character.name,
            character,
            &drags,
            console,
        )?);
    }
    let table = bench_edits::markdown(&rows);
    if console.json {
        console.print_json(&rows)?;
    } else {
        console.print(&table);
    }
    if let Some(path) = &args.output {
        ligament_io::atomic::write_file(path, table.as_bytes())
            .with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(Outcome::Sound)
}

/// The files of folders in order of their names, and everything else as it is.
fn listed(inputs: &[String]) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if !path.is_dir() {
            files.push(input.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("reading the folder {input}"))?;
        let mut inside = Vec::new();
        for entry in entries {
            let file = entry?.path();
            if format_of(&file).is_ok_and(|f| f.holds_characters()) {
                inside.push(file.display().to_string());
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

fn bench_one(
    input: &str,
    character: &Character,
    method: &MethodSpec,
    read: Duration,
    args: &Args,
    console: &Console,
) -> Row {
    let mut row = Row {
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        joints: character.skeleton.joints.iter().filter(|j| j.in_skin).count(),
        failure: None,
        read_ms: milliseconds(read),
        bind_ms: f64::INFINITY,
        ..Row::failed(input, &method.name, String::new())
    };
    let mut options = BindOptions::default();
    if args.used_joints && character.weights.is_some() {
        options.deform = DeformChoice::Used;
    }
    let mut best: Option<BindResult> = None;
    let begin = Instant::now();
    for number in 0..args.repeat {
        if number > 0 && begin.elapsed() > LONG {
            break;
        }
        let watch = MemoryWatch::start();
        let start = Instant::now();
        match console.with_task(|task| method.method.bind_character(character, &options, task)) {
            Ok(bound) => {
                let time = milliseconds(start.elapsed());
                let memory = watch.and_then(MemoryWatch::finish);
                if time < row.bind_ms {
                    row.bind_ms = time;
                    row.stages = stages(&bound, memory.as_ref());
                    row.peak_mb = memory.map(|m| m.most());
                }
                best = Some(bound);
            }
            Err(error) => {
                row.failure = Some(error.to_string());
                return row; // the watch ends with it
            }
        }
    }
    if let (Some(bound), Some(reference)) = (best, &character.weights) {
        let options = MeasureOptions {
            penetration_frames: 0,
            ..MeasureOptions::default()
        };
        let measured =
            console.with_task(|task| measure(character, &bound.weights, Some(reference), &options, task));
        match measured {
            Ok(report) => {
                row.l1 = report.reference.as_ref().map(|r| r.weight_error_mean);
                row.def_percent = report
                    .reference
                    .and_then(|r| r.deformation_rms)
                    .map(|d| 100.0 * d);
            }
            Err(error) => row.failure = Some(format!("measuring: {error}")),
        }
    }
    row
}

impl Row {
    fn failed(input: &str, method: &str, why: String) -> Self {
        let stem = Path::new(input).file_stem();
        Self {
            character: stem.map_or_else(|| input.to_owned(), |s| s.to_string_lossy().into_owned()),
            method: method.to_owned(),
            vertices: 0,
            triangles: 0,
            joints: 0,
            failure: Some(why),
            read_ms: 0.0,
            bind_ms: 0.0,
            stages: Vec::new(),
            peak_mb: None,
            def_percent: None,
            l1: None,
        }
    }
}

/// The stages of a bind with the memory of their times: they follow each other without gaps.
fn stages(bound: &BindResult, memory: Option<&Memory>) -> Vec<StageRow> {
    let mut from = Duration::ZERO;
    let mut rows = Vec::new();
    for stage in &bound.stages {
        let to = from + stage.time;
        rows.push(StageRow {
            name: stage.name.to_owned(),
            ms: milliseconds(stage.time),
            peak_mb: memory.map(|m| m.peak(from, to)),
        });
        from = to;
    }
    rows
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
