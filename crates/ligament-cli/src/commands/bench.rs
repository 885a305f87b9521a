//! `ligament bench`: methods over a folder of characters, stage by stage.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use ligament::bind::{BindOptions, Bound, DeformChoice, Method, method, methods};
use ligament::character::Character;
use ligament::measure::{MeasureOptions, measure};
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use crate::source::{RigArgs, Source};

/// Bind characters with several methods and print times, memory and agreement
///
/// Characters that have weights are also measured against them: Def is the RMS distance of
/// the posed skins over the file's clips or a range of motion, in percent of the diagonal;
/// L1 the mean of half the sum of |w - w*|.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament bench characters/
  ligament bench hero.glb sample:athlete@50000 --methods voxel,heat,closest
  ligament bench characters/ --used-joints -o table.md
  ligament bench characters/ -o table.csv")]
pub struct Args {
    /// Files, folders of files, or sample:NAME
    #[arg(required = true)]
    inputs: Vec<String>,
    #[command(flatten)]
    rig: RigArgs,
    /// Which methods, comma-separated [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,
    /// Bind to the joints that the file's weights use, instead of guessing them
    #[arg(long)]
    used_joints: bool,
    /// Binds of each kind; the fastest counts
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Write the table here as well: .md or .csv
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// One character bound by one method.
#[derive(Serialize)]
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
    stages: Vec<(String, f64)>,
    /// The most memory that the process has held so far.
    peak_mb: Option<f64>,
    /// Against the weights that the file had.
    def_percent: Option<f64>,
    l1: Option<f64>,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let chosen: Vec<&'static dyn Method> = if args.methods.is_empty() {
        methods().to_vec()
    } else {
        args.methods
            .iter()
            .map(|name| method(name))
            .collect::<Result<_, _>>()?
    };
    if let Some(path) = &args.output
        && !matches!(path.extension().and_then(|e| e.to_str()), Some("md" | "csv"))
    {
        bail!("{}: a table is written as .md or .csv", path.display());
    }
    let inputs = listed(&args.inputs)?;
    let mut rows = Vec::new();
    for input in &inputs {
        let start = Instant::now();
        let source = match Source::open(input, &args.rig, console) {
            Ok(source) => source,
            Err(error) => {
                console.warn(format!("{input}: {error:#}"));
                continue;
            }
        };
        let read = start.elapsed();
        let character = source.character();
        if !character.skeleton.joints.iter().any(|j| j.in_skin) {
            continue; // a mesh without a skeleton is nothing to bind
        }
        for method in &chosen {
            rows.push(bench_one(input, character, *method, read, args, console));
        }
    }
    if rows.is_empty() {
        bail!("no character with a skeleton among {} inputs", inputs.len());
    }
    if console.json {
        console.print_json(&rows)?;
    } else {
        console.print(&markdown(&rows));
    }
    if let Some(path) = &args.output {
        let csv_wanted = path.extension().is_some_and(|e| e == "csv");
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

/// The files of folders in order of their names, and everything else as it is.
fn listed(inputs: &[String]) -> anyhow::Result<Vec<String>> {
    const CHARACTERS: [&str; 8] = ["glb", "gltf", "vrm", "fbx", "usd", "usda", "usdc", "usdz"];
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
            let extension = file
                .extension()
                .and_then(|e| e.to_str())
                .unwrap_or("")
                .to_lowercase();
            if CHARACTERS.contains(&extension.as_str()) {
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
    method: &'static dyn Method,
    read: Duration,
    args: &Args,
    console: &Console,
) -> Row {
    let name = Path::new(input)
        .file_stem()
        .map_or_else(|| input.to_owned(), |s| s.to_string_lossy().into_owned());
    let mut row = Row {
        character: name,
        method: method.name().to_owned(),
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        joints: character.skeleton.joints.iter().filter(|j| j.in_skin).count(),
        failure: None,
        read_ms: milliseconds(read),
        bind_ms: f64::INFINITY,
        stages: Vec::new(),
        peak_mb: None,
        def_percent: None,
        l1: None,
    };
    let mut options = BindOptions::default();
    if args.used_joints && character.weights.is_some() {
        options.deform = DeformChoice::Used;
    }
    let mut best: Option<Bound> = None;
    for _ in 0..args.repeat {
        let start = Instant::now();
        match console.with_task(|task| method.bind(character, &options, task)) {
            Ok(bound) => {
                let time = milliseconds(start.elapsed());
                if time < row.bind_ms {
                    row.bind_ms = time;
                    row.stages = bound
                        .stages
                        .iter()
                        .map(|s| (s.name.to_owned(), milliseconds(s.time)))
                        .collect();
                }
                best = Some(bound);
            }
            Err(error) => {
                row.failure = Some(error.to_string());
                return row;
            }
        }
    }
    row.peak_mb = peak_memory();
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

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The most memory that this process has held, in megabytes, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| character | vertices | joints | method | Def % | L1 | bind ms | stages ms | peak MB |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    let number =
        |value: Option<f64>, digits: usize| value.map_or("–".to_owned(), |v| format!("{v:.digits$}"));
    for r in rows {
        let stages: Vec<String> = r
            .stages
            .iter()
            .map(|(name, ms)| format!("{name} {ms:.0}"))
            .collect();
        let (time, stages) = match &r.failure {
            Some(failure) => ("failed".to_owned(), failure.clone()),
            None => (format!("{:.0}", r.bind_ms), stages.join(", ")),
        };
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {time} | {stages} | {} |\n",
            r.character,
            r.vertices,
            r.joints,
            r.method,
            number(r.def_percent, 2),
            number(r.l1, 3),
            number(r.peak_mb, 0),
        ));
    }
    text.push('\n');
    for name in distinct(rows) {
        let own: Vec<&Row> = rows.iter().filter(|r| r.method == name).collect();
        let failed = own.iter().filter(|r| r.failure.is_some()).count();
        let median_of = |value: &dyn Fn(&Row) -> Option<f64>| {
            let mut values: Vec<f64> = own
                .iter()
                .filter(|r| r.failure.is_none())
                .filter_map(|r| value(r))
                .collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        text.push_str(&format!(
            "{name}: {} bound, {failed} failed; median Def {} %, L1 {}, {} ms\n",
            own.len() - failed,
            number(median_of(&|r| r.def_percent), 2),
            number(median_of(&|r| r.l1), 3),
            number(median_of(&|r| Some(r.bind_ms)), 0),
        ));
    }
    text
}

/// The methods in the order in which they ran.
fn distinct(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.method.as_str()) {
            names.push(&row.method);
        }
    }
    names
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "character,method,vertices,triangles,joints,read_ms,bind_ms,def_percent,l1,peak_mb,stages,failure\n",
    );
    let number = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
    let quoted = |s: &str| format!("\"{}\"", s.replace('"', "\"\""));
    for r in rows {
        let stages: Vec<String> = r
            .stages
            .iter()
            .map(|(name, ms)| format!("{name}={ms:.3}"))
            .collect();
        text.push_str(&format!(
            "{},{},{},{},{},{:.3},{},{},{},{},{},{}\n",
            quoted(&r.character),
            r.method,
            r.vertices,
            r.triangles,
            r.joints,
            r.read_ms,
            number(r.bind_ms.is_finite().then_some(r.bind_ms)),
            number(r.def_percent),
            number(r.l1),
            number(r.peak_mb),
            quoted(&stages.join(" ")),
            quoted(r.failure.as_deref().unwrap_or("")),
        ));
    }
    text
}
