//! `ligament rig`: a skeleton for a mesh that has none.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use glam::DVec3;
use ligament::bind::{BindOptions, BindWarning, Method};
use ligament::rig::{BodyPlan, ExtractOptions, extract};
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::WeightFormat;
use serde::Serialize;

use crate::Outcome;
use crate::console::{Console, milliseconds};
use crate::output::{Wanted, save, wanted};
use crate::source::{FileWarning, RigArgs, Source};

/// Rig a mesh: find its skeleton, name the joints, and bind it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament rig hero.obj -o hero.glb
  ligament rig hero.obj --detail 0.8         fingers, ears and tails too
  ligament rig hero.obj --joints 20          no more than 20 joints
  ligament rig crab.obj --root 0,0.4,0       the joint nearest to this place is the root
A skeleton that the file has is not looked at, and is not in the output.")]
pub struct Args {
    /// A file of any format, or sample:NAME
    input: String,
    /// Where to write: .glb, .gltf, .usda or .usdc, or .json for the skeleton alone
    /// [default: INPUT's name with _rigged.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Make the joint nearest to this place the root [default: the hips, or what balances best]
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    root: Option<DVec3>,
    /// The most joints wanted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    joints: Option<u16>,
    /// How small a thing gets joints, from 0 (limbs alone) to 1
    #[arg(long, default_value_t = ExtractOptions::default().detail, value_name = "SHARE")]
    detail: f64,
}

fn place(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|n| n.trim().parse::<f64>().ok().filter(|n| n.is_finite()))
        .collect::<Option<_>>()
        .unwrap_or_default();
    match numbers[..] {
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err("write three numbers, for example 0,1.2,0".to_owned()),
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    input: &'a str,
    output: String,
    vertices: usize,
    triangles: usize,
    body: BodyPlan,
    symmetric: bool,
    joints: Vec<JointReport<'a>>,
    method: &'a str,
    stages: Vec<StageReport>,
    file_warnings: Vec<FileWarning<'a>>,
    bind_warnings: Vec<&'a BindWarning>,
}

#[derive(Serialize)]
struct JointReport<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    position: DVec3,
    /// Whether its bone to the parent spans a gap between separate pieces of the mesh.
    bridge: bool,
}

#[derive(Serialize)]
struct StageReport {
    name: &'static str,
    milliseconds: f64,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    if !(0.0..=1.0).contains(&args.detail) {
        bail!("--detail is a number from 0 to 1; got {}", args.detail);
    }
    let options = ExtractOptions {
        root: args.root,
        joints: args.joints.map(usize::from),
        detail: args.detail,
    };
    let start = Instant::now();
    let source = Source::open(&args.input, &RigArgs::default(), console)?;
    let read = start.elapsed();
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| source.default_output("rigged.glb"));
    wanted(&output, Wanted::Skeleton)?; // before the work, not after it
    if let Some(input) = &source.path {
        refuse_overwriting_input(input, &output)?;
    }
    let extracted = console.with_task(|task| extract(&source.character().mesh, &options, task))?;
    let source = source.with_skeleton(&extracted.skeleton)?;
    for warning in source.warnings() {
        console.warn(warning);
    }
    let character = source.character();
    let method = Method::default();
    let bound = console.with_task(|task| method.bind_character(character, &BindOptions::default(), task))?;
    // Its own ends of limbs are meant to be left out.
    let named = |w: &&BindWarning| !matches!(w, BindWarning::JointsLeftOut { .. });
    let bind_warnings: Vec<&BindWarning> = bound.warnings.iter().filter(named).collect();
    for warning in &bind_warnings {
        console.warn(warning);
    }
    let start = Instant::now();
    save(
        &source,
        Some(&bound.weights),
        WeightFormat::Keep,
        &output,
        Wanted::Skeleton,
    )
    .with_context(|| format!("writing {}", output.display()))?;
    let written = start.elapsed();

    let mut stages = vec![("read", read)];
    stages.extend(extracted.stages.iter().map(|s| (s.name, s.time)));
    stages.push(("bind", bound.stages.iter().map(|s| s.time).sum()));
    stages.push(("write", written));
    let skeleton = &extracted.skeleton;
    let report = Report {
        input: &args.input,
        output: output.display().to_string(),
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        body: extracted.plan,
        symmetric: extracted.symmetric,
        joints: skeleton
            .indices()
            .map(|j| JointReport {
                name: &skeleton.joint(j).name,
                parent: skeleton.joint(j).parent.map(|p| skeleton.joint(p).name.as_str()),
                position: skeleton.bind_position(j),
                bridge: extracted.bridges.contains(&j),
            })
            .collect(),
        method: method.name(),
        stages: stages
            .iter()
            .map(|&(name, time)| StageReport {
                name,
                milliseconds: time.as_secs_f64() * 1e3,
            })
            .collect(),
        file_warnings: source.warnings(),
        bind_warnings,
    };
    if console.json {
        console.print_json(&report)?;
    } else {
        console.note(summary(&report, &stages));
    }
    Ok(Outcome::Sound)
}

fn summary(report: &Report<'_>, stages: &[(&str, Duration)]) -> String {
    let body = match (report.body, report.symmetric) {
        (BodyPlan::Biped, true) => "a symmetric biped",
        (BodyPlan::Biped, false) => "a biped",
        (BodyPlan::Quadruped, true) => "a symmetric quadruped",
        (BodyPlan::Quadruped, false) => "a quadruped",
        (BodyPlan::Other, true) => "a symmetric body",
        (BodyPlan::Other, false) => "a body",
    };
    let mut text = format!(
        "{body} with {} joints, {} vertices bound by '{}'\n",
        report.joints.len(),
        report.vertices,
        report.method
    );
    let bridges = report.joints.iter().filter(|j| j.bridge).count();
    if bridges > 0 {
        text.push_str(&format!(
            "{bridges} bones span gaps between separate pieces of the mesh\n"
        ));
    }
    for &(name, time) in stages {
        text.push_str(&format!("  {name:<10}{:>12}\n", milliseconds(time)));
    }
    let total: Duration = stages.iter().map(|s| s.1).sum();
    text.push_str(&format!("  {:<10}{:>12}\n", "total", milliseconds(total)));
    text.push_str(&format!("wrote {}", report.output));
    text
}
