//! `ligament field`: fields of cells, fitted once and evaluated anywhere.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use ligament_app::field::evaluate::{self, EvaluateRequest};
use ligament_app::field::fit::{self, FieldFitReport, FitRequest};
use ligament_app::field::info::{self, InfoReport, InfoRequest};
use ligament_app::method_options::MethodOptions;
use ligament_app::motion::{Poses, read_joint_limits};

use crate::Outcome;
use crate::asset_args::{RigArgs, open_and_warn};
use crate::console::Console;
use crate::motion_args::StanceName;
use crate::request::Request;

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
    /// Where to write [default: INPUT's name with _field.cells, beside it]
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
    /// Which poses to fit in
    #[arg(long, value_enum, value_name = "SOURCE")]
    poses: Option<PosesName>,
    /// A JSON file with joint limits for --poses random, as for check
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
    /// How the character stands in the fit: as it was modelled, or with its arms stretched out to the sides
    #[arg(long, value_enum, ignore_case = true, value_name = "POSE")]
    pose: Option<StanceName>,
    /// Parts that are the body under a garment, which must not sink into it: names or globs
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    body: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum PosesName {
    /// The file's clips
    Clips,
    /// At random within joint limits
    Random,
}

impl FitArgs {
    /// Puts what was asked for into the options.
    pub fn put_into(&self, options: &mut MethodOptions) -> anyhow::Result<()> {
        options.sites = self.sites.map(usize::from);
        options.steps = self.steps;
        options.seed = self.seed;
        options.poses = self.poses.map(|poses| match poses {
            PosesName::Clips => Poses::Clips,
            PosesName::Random => Poses::Random,
        });
        if let Some(path) = &self.joint_limits {
            options.joint_limits = read_joint_limits(path)?;
        }
        options.location = self.location;
        options.guide = self.guide;
        options.hold = self.hold;
        options.pose = self.pose.map(Into::into);
        options.body.clone_from(&self.body);
        Ok(())
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

impl Args {
    pub(crate) fn request(&self) -> anyhow::Result<Request> {
        Ok(match &self.verb {
            Verb::Fit(args) => Request::FieldFit(Box::new(args.request()?)),
            Verb::Eval(args) => Request::FieldEval(args.request()),
            Verb::Info(args) => Request::FieldInfo(args.request()),
        })
    }
}

impl FitCommand {
    fn request(&self) -> anyhow::Result<FitRequest> {
        let mut options = MethodOptions {
            preset: self.preset.clone(),
            ..MethodOptions::default()
        };
        self.fit.put_into(&mut options)?;
        Ok(FitRequest {
            asset: self.rig.asset(&self.input),
            output: self.output.clone(),
            influences: usize::from(self.influences),
            deform: self.deform.clone(),
            options,
        })
    }
}

impl Eval {
    fn request(&self) -> EvaluateRequest {
        EvaluateRequest {
            field: self.field.clone(),
            points: self.points.clone(),
            output: self.output.clone(),
        }
    }
}

impl Info {
    fn request(&self) -> InfoRequest {
        InfoRequest {
            field: self.field.clone(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    match &args.verb {
        Verb::Fit(args) => fit(args, console),
        Verb::Eval(args) => eval(args, console),
        Verb::Info(args) => info(args, console),
    }
}

fn fit(args: &FitCommand, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request()?;
    let asset = open_and_warn(&request.asset, console)?;
    let report = console.with_task(|task| fit::run_on(&asset, &request, task))?;
    console.report(&report, fitted)?;
    Ok(Outcome::Sound)
}

fn fitted(fitted: &FieldFitReport) -> String {
    let report = &fitted.report;
    format!(
        "fitted {} cells in {} steps and {:.1} s{}; loss over unseen poses {:.3}, {:.3} before\nwrote {} ({} bytes)",
        fitted.cells,
        report.steps,
        report.seconds,
        if report.converged {
            ", until nothing moved"
        } else {
            ""
        },
        report.unseen.total(&report.weights),
        report.unseen_before.total(&report.weights),
        fitted.output.display(),
        fitted.bytes,
    )
}

fn eval(args: &Eval, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let report = console.with_task(|task| evaluate::run(&request, task))?;
    console.report(&report, |report| {
        format!(
            "weights of {} points, at most {} each; wrote {}",
            report.points,
            report.max_influences,
            report.output.display()
        )
    })?;
    Ok(Outcome::Sound)
}

fn info(args: &Info, console: &Console) -> anyhow::Result<Outcome> {
    let report = info::run(&args.request())?;
    if console.json {
        console.print_json(&report)?;
    } else {
        console.print(&facts(&report));
    }
    Ok(Outcome::Sound)
}

fn facts(report: &InfoReport) -> String {
    let [x, y, z] = report.centre;
    let mut text = format!(
        "{} cells with {} sites, at most {} influences; a cube of {:.4} around {x:.4}, {y:.4}, {z:.4}; {}; {}\n",
        report.cells,
        report.sites,
        report.influences,
        report.size,
        match report.detour_voxels {
            0 => "straight distances".to_owned(),
            n => format!("detours in {n} voxels"),
        },
        match report.surface_faces {
            0 => "no surface".to_owned(),
            n => format!("fitted to {n} faces"),
        }
    );
    for (joint, falloff) in report.joints.iter().zip(&report.falloffs) {
        text.push_str(&format!("  {joint:<32} falloff {falloff:.2}\n"));
    }
    text
}
