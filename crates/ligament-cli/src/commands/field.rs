//! `ligament field`: fields of cells, fitted once and evaluated anywhere.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Subcommand, ValueEnum};
use glam::{DAffine3, DVec3, Vec3};
use ligament::bind::cells::{
    CellField, Evaluator, FitOptions, FitReport, Guidance, PoseSource, fit_character,
};
use ligament::bind::{BindOptions, Method};
use ligament::character::{Joint, Transform};
use ligament::skin::Skin;
use ligament::{Character, JointIndex, Skeleton};
use ligament_io::atomic::{refuse_overwriting_input, write_file};
use ligament_io::cells;
use ligament_io::open::write_weights;
use serde::Serialize;

use crate::Outcome;
use crate::commands::bind::deform_choice;
use crate::console::Console;
use crate::method_spec::with_preset;
use crate::motion::read_joint_limits;
use crate::source::{RigArgs, Source};

/// Fit a field of weights to a character, and evaluate it at any points
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament field fit hero.glb -o hero.cells
  ligament bind hero_lod2.glb --method cells --field hero.cells
  ligament field eval hero.cells scan.ply -o weights.npz
  ligament field info hero.cells")]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Fit a field to a character
    Fit(Box<FitCommand>),
    /// Weights of a field at the points of a mesh, or of a text file with a point a line
    Eval(Eval),
    /// Say what is in a field
    Info(Info),
}

#[derive(clap::Args)]
struct FitCommand {
    /// A file of any format, or sample:NAME
    input: String,
    #[command(flatten)]
    rig: RigArgs,
    /// Where to write [default: INPUT's name with .cells, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most joints that a point follows
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    influences: u16,
    /// Joints that take part, as for bind
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// The published form of the fit: paper
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    #[command(flatten)]
    fit: FitArgs,
}

/// How a field is fitted.
#[derive(clap::Args, Default)]
pub struct FitArgs {
    /// Sites per joint
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=32))]
    sites: Option<u16>,
    /// Steps at most
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Seeds sites and poses
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where poses come from
    #[arg(long, value_enum, value_name = "SOURCE")]
    poses: Option<Poses>,
    /// A JSON file with limits of joints for --poses limits, as for check
    #[arg(long, value_name = "FILE")]
    joint_limits: Option<PathBuf>,
    /// How closely skin follows the bones, rather than folding softly [default: 6000]
    #[arg(long, value_name = "WEIGHT")]
    location: Option<f64>,
    /// Stay near the file's own weights, this strongly; 1 is usual
    #[arg(long, value_name = "STRENGTH")]
    guide: Option<f32>,
    /// How much the voxel bind holds the fit; 0 not at all [default: 1]
    #[arg(long, value_name = "STRENGTH")]
    hold: Option<f32>,
    /// Parts that are the body under a garment, which must not sink into it: names or globs
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    body: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Poses {
    /// At random within joint limits
    Limits,
    /// From the file's clips
    Clips,
}

impl FitArgs {
    /// The fit that the arguments ask for.
    pub fn options(&self, preset: Option<&str>) -> anyhow::Result<FitOptions> {
        let mut options = match with_preset(Method::Cells(FitOptions::default()), preset)? {
            Method::Cells(options) => options,
            _ => FitOptions::default(),
        };
        options.sites = self.sites.map_or(options.sites, usize::from);
        options.steps = self.steps.unwrap_or(options.steps);
        options.seed = self.seed.unwrap_or(options.seed);
        if let Some(poses) = self.poses {
            options.pose_source = match poses {
                Poses::Limits => PoseSource::Limits,
                Poses::Clips => PoseSource::Clips,
            };
        }
        if let Some(path) = &self.joint_limits {
            options.joint_limits = read_joint_limits(path)?;
        }
        if let Some(location) = self.location {
            if !(location.is_finite() && location >= 0.0) {
                bail!("--location is a number from 0 on; got {location}");
            }
            options.losses.location = location;
        }
        if let Some(hold) = self.hold {
            if !(hold.is_finite() && hold >= 0.0) {
                bail!("--hold is a strength from 0 on; got {hold}");
            }
            options.hold = hold;
        }
        options.body.clone_from(&self.body);
        Ok(options)
    }

    /// The file's own weights as guidance, if they are asked for.
    pub fn guidance(&self, source: &Source) -> anyhow::Result<Option<Guidance>> {
        let Some(strength) = self.guide else {
            return Ok(None);
        };
        if !(strength.is_finite() && strength >= 0.0) {
            bail!("--guide is a strength from 0 on; got {strength}");
        }
        Ok(Some(Guidance::everywhere(source.weights()?.clone(), strength)))
    }
}

#[derive(clap::Args)]
struct Eval {
    /// A field
    field: PathBuf,
    /// A mesh of any format, sample:NAME, or a .csv, .txt or .xyz file with x, y, z a line
    points: String,
    /// Where to write: .csv, .npz, .json, .xml or .txt
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args)]
struct Info {
    /// A field
    field: PathBuf,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    match &args.verb {
        Verb::Fit(args) => fit(args, console),
        Verb::Eval(args) => eval(args, console),
        Verb::Info(args) => info(args, console),
    }
}

/// Reads a field.
pub fn open_field(path: &Path) -> anyhow::Result<CellField> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    cells::read(&bytes).with_context(|| format!("in {}", path.display()))
}

#[derive(Serialize)]
struct Fitted<'a> {
    input: &'a str,
    output: String,
    bytes: usize,
    #[serde(flatten)]
    report: &'a FitReport,
}

fn fit(args: &FitCommand, console: &Console) -> anyhow::Result<Outcome> {
    let options = BindOptions {
        influences: usize::from(args.influences),
        deform: deform_choice(&args.deform)?,
        ..BindOptions::default()
    };
    let fit_options = args.fit.options(args.preset.as_deref())?;
    let source = Source::open(&args.input, &args.rig, console)?;
    for warning in source.warnings() {
        console.warn(warning);
    }
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| source.default_output("field.cells"));
    if let Some(input) = &source.path {
        refuse_overwriting_input(input, &output)?;
    }
    let guidance = args.fit.guidance(&source)?;
    let skin = Skin::new(source.character().clone())?;
    let fitted =
        console.with_task(|task| fit_character(&skin, &options, &fit_options, guidance.as_ref(), task))?;
    let bytes = cells::write(&fitted.field);
    write_file(&output, &bytes)?;
    let report = &fitted.report;
    let total = |l: &ligament::bind::cells::Losses| l.total(&report.weights);
    if console.json {
        console.print_json(&Fitted {
            input: &args.input,
            output: output.display().to_string(),
            bytes: bytes.len(),
            report,
        })?;
    } else {
        console.note(format_args!(
            "fitted {} cells in {} steps and {:.1} s{}; loss over unseen poses {:.3}, {:.3} before\nwrote {} ({} bytes)",
            fitted.field.cells.len(),
            report.steps,
            report.seconds,
            if report.converged { ", until nothing moved" } else { "" },
            total(&report.unseen),
            total(&report.unseen_before),
            output.display(),
            bytes.len(),
        ));
    }
    Ok(Outcome::Sound)
}

fn eval(args: &Eval, console: &Console) -> anyhow::Result<Outcome> {
    let field = open_field(&args.field)?;
    let points = points_of(&args.points, console)?;
    let joints: Vec<Option<JointIndex>> = (0..field.cells.len() as u16)
        .map(|c| Some(JointIndex(c)))
        .collect();
    let weights =
        console.with_task(|task| Evaluator::new(&field).weights_at(&points, &joints, |_| None, task))?;
    // Weights without a character still need their joints' names.
    let skeleton = Skeleton {
        joints: field
            .cells
            .iter()
            .map(|cell| {
                let at = Vec3::from(cell.origin).as_dvec3() * field.size + field.centre;
                Joint {
                    name: cell.joint.clone(),
                    parent: None,
                    rest: Transform::from_translation(at),
                    bind_from_joint: DAffine3::from_translation(at),
                    in_skin: true,
                }
            })
            .collect(),
    };
    let bytes = write_weights(&args.output, &weights, &skeleton)
        .context("weights are written as .csv, .npz, .json, .xml or .txt")?;
    refuse_overwriting_input(Path::new(&args.points), &args.output)?;
    write_file(&args.output, &bytes)?;
    console.note(format_args!(
        "weights of {} points, at most {} each; wrote {}",
        points.len(),
        weights.max_influences(),
        args.output.display()
    ));
    Ok(Outcome::Sound)
}

/// The points of a mesh or of a text file.
fn points_of(input: &str, console: &Console) -> anyhow::Result<Vec<Vec3>> {
    let ending = Path::new(input).extension().map(|e| e.to_ascii_lowercase());
    let is_text = ending.is_some_and(|e| e == "csv" || e == "xyz" || e == "txt");
    if !is_text {
        let source = Source::open(input, &RigArgs::default(), console)?;
        let character: &Character = source.character();
        return Ok(character.mesh.positions.clone());
    }
    let text = std::fs::read_to_string(input).with_context(|| format!("reading {input}"))?;
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let numbers: Vec<f64> = line
            .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
            .filter(|w| !w.is_empty())
            .map_while(|w| w.parse().ok())
            .take(3)
            .collect();
        match numbers[..] {
            [x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => {
                points.push(DVec3::new(x, y, z).as_vec3());
            }
            _ if number == 0 => {} // a heading
            _ => bail!(
                "line {} of {input} is no point: three numbers are needed",
                number + 1
            ),
        }
    }
    Ok(points)
}

#[derive(Serialize)]
struct FieldFacts {
    influences: usize,
    cells: usize,
    sites: usize,
    centre: [f64; 3],
    size: f64,
    detour_voxels: usize,
    joints: Vec<String>,
}

fn info(args: &Info, console: &Console) -> anyhow::Result<Outcome> {
    let field = open_field(&args.field)?;
    let facts = FieldFacts {
        influences: field.influences,
        cells: field.cells.len(),
        sites: field.cells.iter().map(|c| c.sites.len()).sum(),
        centre: field.centre.to_array(),
        size: field.size,
        detour_voxels: field.detour().map_or(0, |d| d.voxels().len()),
        joints: field.cells.iter().map(|c| c.joint.clone()).collect(),
    };
    if console.json {
        console.print_json(&facts)?;
        return Ok(Outcome::Sound);
    }
    let mut text = format!(
        "{} cells with {} sites, at most {} influences; a cube of {:.4} around {:.4}, {:.4}, {:.4}; {}\n",
        facts.cells,
        facts.sites,
        facts.influences,
        facts.size,
        facts.centre[0],
        facts.centre[1],
        facts.centre[2],
        match facts.detour_voxels {
            0 => "straight distances".to_owned(),
            n => format!("detours in {n} voxels"),
        }
    );
    for cell in &field.cells {
        text.push_str(&format!("  {:<32} falloff {:.2}\n", cell.joint, cell.falloff));
    }
    console.print(&text);
    Ok(Outcome::Sound)
}
