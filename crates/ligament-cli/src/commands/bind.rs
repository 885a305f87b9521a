//! `ligament bind`: weights for a character.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueEnum;
use ligament::Character;
use ligament::bind::cells::{bind_by_field, fit_character};
use ligament::bind::voxel::VoxelBinding;
use ligament::bind::{
    BindError, BindOptions, BindResult, BindWarning, DeformChoice, HeatOptions, Method, Prepared,
    ProximityOptions, VoxelEvaluation, VoxelOptions,
};
use ligament::skin::Skin;
use ligament::task::{Stage, Task};
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::WeightFormat;
use ligament_io::voxels;
use serde::Serialize;

use crate::Outcome;
use crate::commands::field::{FitArgs, open_field};
use crate::console::{Console, milliseconds};
use crate::explain::{Explained, explained};
use crate::method_spec::with_preset;
use crate::motion::pose_called;
use crate::output::{Wanted, save, wanted};
use crate::source::{FileWarning, RigArgs, Source};
use crate::voxel_args::VoxelArgs;

/// Bind a character: give every vertex its joints and weights
#[derive(clap::Args)]
#[command(after_help = format!("\
Methods:
{}

Examples:
  ligament bind hero.glb
  ligament bind hero.glb -o bound.glb --influences 8
  ligament bind hero.glb --deform '!*_IK' --deform '!*_end'
  ligament bind hero.glb --deform @joints.txt
  ligament bind hero.glb --deform used --store u8
  ligament bind hero_lod1.glb --method cells --field hero.cells
  ligament bind hero.obj --skeleton hero.bvh --fit -o hero.glb
  ligament bind hero.obj --skeleton hero.bvh -o weights.xml
  ligament bind hero.glb --save-binding hero.voxels
  ligament bind hero_lod1.glb --binding hero.voxels
  ligament bind hero.glb --explain 1204", list_methods()))]
pub struct Args {
    /// A file of any format, or sample:NAME
    input: String,
    #[command(flatten)]
    rig: RigArgs,
    /// Where to write: .glb, .gltf, .usda or .usdc, or the weights alone as .xml, .json (Maya), .csv, .npz
    /// or .txt (RigNet) [default: INPUT's name with _bound.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How weights are found [default: best; voxel with options of voxel binding]
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    /// The most joints that a vertex follows, 1 to 64, or all
    #[arg(long, default_value = "4", value_name = "N", value_parser = influences)]
    influences: Influences,
    /// Joints that take part: names or globs, comma-separated or repeated; '!' in front
    /// takes joints out; @FILE reads one a line; 'used' are those with weight now; 'all'
    /// [default: guessed from their names]
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// Drop weights under this share
    #[arg(long, default_value_t = 1e-3, value_name = "SHARE")]
    floor: f32,
    /// For the method cells: bind by this field instead of fitting one
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    field: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Options of the method cells")]
    fit: FitArgs,
    /// A published form of the method: voxel has 2014 and 2013, heat has 2007 and blender,
    /// cells has paper
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// closest, hierarchy: the power of the distance by which weights fall
    #[arg(long, default_value_t = 4.0, value_name = "POWER")]
    power: f64,
    /// heat: how strongly joints radiate, as SCALE or JOINTS=SCALE; repeatable
    #[arg(long, value_name = "SCALE")]
    radius: Vec<String>,
    /// heat: the share of the bi-Laplacian, 0 to 1, as SHARE or JOINTS=SHARE; repeatable
    #[arg(long, value_name = "SHARE")]
    smoothness: Vec<String>,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
    /// Tell which bones, distances and ways decided the weights of a vertex; repeatable
    #[arg(long, value_name = "VERTEX")]
    explain: Vec<u32>,
    /// Keep the voxels and distances in this file, for --binding
    #[arg(long, value_name = "FILE.voxels", help_heading = "Voxel binding")]
    save_binding: Option<PathBuf>,
    /// Take voxels and distances from this file instead of the mesh: for other levels of
    /// detail of a character, and for other falloffs and regions
    #[arg(long, value_name = "FILE.voxels", help_heading = "Voxel binding", conflicts_with_all = [
        "save_binding", "preset", "resolution", "penalty", "no_winding_numbers", "exclude_view", "paint",
        "keep_winding", "uniform", "six_neighbours",
    ])]
    binding: Option<PathBuf>,
    #[command(flatten)]
    voxel: VoxelArgs,
}

/// The most joints that a vertex follows.
#[derive(Clone, Copy)]
pub struct Influences(pub usize);

impl Args {
    /// Whether anything was asked for that only the method voxel knows.
    fn is_for_voxel(&self) -> bool {
        self.preset.is_some()
            || !self.explain.is_empty()
            || self.save_binding.is_some()
            || self.binding.is_some()
            || self.voxel.is_for_voxel()
    }
}

pub fn influences(text: &str) -> Result<Influences, String> {
    match text.parse() {
        _ if text == "all" => Ok(Influences(usize::from(u16::MAX))),
        Ok(n @ 1..=64) => Ok(Influences(n)),
        _ => Err("a number from 1 to 64, or all".to_owned()),
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum StoredAs {
    /// As the file has them, else floats
    Keep,
    /// 32-bit floats
    F32,
    /// 16-bit fractions with an exact sum
    U16,
    /// 8-bit fractions with an exact sum
    U8,
}

impl From<StoredAs> for WeightFormat {
    fn from(stored: StoredAs) -> Self {
        match stored {
            StoredAs::Keep => Self::Keep,
            StoredAs::F32 => Self::F32,
            StoredAs::U16 => Self::U16,
            StoredAs::U8 => Self::U8,
        }
    }
}

fn list_methods() -> String {
    Method::all()
        .iter()
        .map(|m| format!("  {:<12}{}", m.name(), m.summary()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    input: &'a str,
    output: String,
    method: &'a str,
    vertices: usize,
    triangles: usize,
    joints: usize,
    deform_joints: usize,
    max_influences: usize,
    mean_influences: f64,
    stages: Vec<StageReport>,
    file_warnings: Vec<FileWarning<'a>>,
    bind_warnings: &'a [BindWarning],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explained: Vec<Explained>,
}

#[derive(Serialize)]
struct StageReport {
    name: &'static str,
    milliseconds: f64,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    if !(0.0..1.0).contains(&args.floor) {
        bail!(
            "--floor is a share from 0 up to, but not including, 1; got {}",
            args.floor
        );
    }
    if !(args.power > 0.0 && args.power.is_finite()) {
        bail!("--power is a power over 0; got {}", args.power);
    }
    let mut options = BindOptions {
        influences: args.influences.0,
        deform: deform_choice(&args.deform)?,
        prune: args.floor,
        ..BindOptions::default()
    };
    args.voxel.apply(&mut options)?;
    let method = match &args.method {
        Some(name) => Method::named(name)?,
        None if args.is_for_voxel() || options.regions.iter().any(|r| r.falloff.is_some()) => {
            Method::Voxel(VoxelOptions::default())
        }
        None => Method::default(),
    };
    let method = args.voxel.method(with_preset(method, args.preset.as_deref())?)?;
    let method = match method {
        Method::Heat(own) => Method::Heat(HeatOptions {
            radius: joint_values("--radius", &args.radius, |scale| scale > 0.0)?,
            smoothness: joint_values("--smoothness", &args.smoothness, |share| {
                (0.0..=1.0).contains(&share)
            })?,
            ..own
        }),
        Method::Closest(_) => Method::Closest(ProximityOptions { power: args.power }),
        Method::Hierarchy(_) => Method::Hierarchy(ProximityOptions { power: args.power }),
        other => other,
    };
    for (asked, option) in [
        (args.save_binding.is_some(), "--save-binding"),
        (args.binding.is_some(), "--binding"),
        (!args.explain.is_empty(), "--explain"),
    ] {
        if asked && method.name() != "voxel" {
            bail!("{option} works with --method voxel, not with '{}'", method.name());
        }
    }

    let start = Instant::now();
    let source = Source::open(&args.input, &args.rig, console)?;
    let read = start.elapsed();
    for warning in source.warnings() {
        console.warn(warning);
    }
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| source.default_output("bound.glb"));
    wanted(&output, Wanted::Weights)?; // before the work, not after it
    for output in [Some(&output), args.save_binding.as_ref()].into_iter().flatten() {
        if let Some(input) = &source.path {
            refuse_overwriting_input(input, output)?;
        }
    }
    source.refuse_without_skeleton(&args.input)?;
    let character = source.character();

    if let Some(pose) = &args.voxel.falloff_pose {
        options.pose = Some(pose_called(character, pose).context("--falloff-pose")?);
    }
    let vertices: Vec<usize> = args
        .explain
        .iter()
        .map(|&vertex| {
            source.vertex(vertex as usize).with_context(|| {
                format!(
                    "there is no vertex {vertex} to explain; the last one is {}",
                    source.source_vertex_count().saturating_sub(1)
                )
            })
        })
        .collect::<anyhow::Result<_>>()?;
    if args.field.is_some() && method.name() != "cells" {
        bail!("--field is for --method cells");
    }
    let (bound, binding) = if method.name() == "cells" {
        (bind_by_cells(args, &source, &options, console)?, None)
    } else {
        console.with_task(|task| bound(args, &method, character, &options, task))?
    };
    let explained: Vec<Explained> = match &binding {
        Some(binding) => (args.explain.iter().zip(&vertices))
            .map(|(&number, &vertex)| explained(number, vertex, character, binding, &bound.weights))
            .collect(),
        None => Vec::new(),
    };
    for warning in &bound.warnings {
        console.warn(warning);
    }

    let start = Instant::now();
    save(
        &source,
        Some(&bound.weights),
        args.store.into(),
        &output,
        Wanted::Weights,
    )
    .with_context(|| format!("writing {}", output.display()))?;
    if let (Some(path), Some(binding)) = (&args.save_binding, binding) {
        voxels::save(binding, path)?;
        console.note(format_args!("wrote {}", path.display()));
    }
    let written = start.elapsed();

    let mut stages = vec![("read", read)];
    stages.extend(bound.stages.iter().map(|s| (s.name, s.time)));
    stages.push(("write", written));
    let used = DeformChoice::Used.resolve(&character.skeleton, Some(&bound.weights))?;
    let vertices = character.mesh.positions.len();
    let report = Report {
        input: &args.input,
        output: output.display().to_string(),
        method: method.name(),
        vertices,
        triangles: character.mesh.triangles.len(),
        joints: character.skeleton.joints.iter().filter(|j| j.in_skin).count(),
        deform_joints: used.iter().filter(|&&u| u).count(),
        max_influences: bound.weights.max_influences(),
        mean_influences: bound.weights.influences().len() as f64 / vertices.max(1) as f64,
        stages: stages
            .iter()
            .map(|&(name, time)| StageReport {
                name,
                milliseconds: time.as_secs_f64() * 1e3,
            })
            .collect(),
        file_warnings: source.warnings(),
        bind_warnings: &bound.warnings,
        explained,
    };
    if console.json {
        console.print_json(&report)?;
    } else {
        for explained in &report.explained {
            console.print(&explained.to_string());
        }
        console.note(summary(&report, &stages));
    }
    Ok(Outcome::Sound)
}

/// Binds; keeps the binding where something else needs it too.
fn bound(
    args: &Args,
    method: &Method,
    character: &Character,
    options: &BindOptions,
    task: &Task<'_>,
) -> anyhow::Result<(BindResult, Option<VoxelBinding>)> {
    let skin = Skin::new(character.clone())?;
    let evaluation = match method {
        Method::Voxel(own) => own.evaluation(),
        _ => VoxelEvaluation::default(),
    };
    if let Some(path) = &args.binding {
        let start = Instant::now();
        let binding = voxels::open(path).with_context(|| format!("in {}", path.display()))?;
        let time = start.elapsed();
        let within = || format!("in {}", path.display());
        let prepared =
            Prepared::with_voxels(binding, &skin, options, evaluation, task).with_context(within)?;
        let mut bound = prepared.evaluate(options, task).with_context(within)?;
        bound.stages.splice(0..0, prepared.stages().iter().cloned());
        bound.stages.insert(0, Stage { name: "load", time });
        return Ok((bound, prepared.into_voxels()));
    }
    if args.save_binding.is_some() || !args.explain.is_empty() {
        let prepared = method.prepare(&skin, options, task)?;
        let mut bound = prepared.evaluate(options, task)?;
        bound.warnings.extend_from_slice(prepared.warnings());
        bound.stages.splice(0..0, prepared.stages().iter().cloned());
        return Ok((bound, prepared.into_voxels()));
    }
    Ok((method.bind(&skin, options, task)?, None))
}

/// Binds by the field of a file, or by one that is fitted now.
fn bind_by_cells(
    args: &Args,
    source: &Source,
    options: &BindOptions,
    console: &Console,
) -> anyhow::Result<BindResult> {
    let skin = Skin::new(source.character().clone())?;
    if let Some(path) = &args.field {
        let field = open_field(path)?;
        return Ok(console.with_task(|task| bind_by_field(&skin, &field, options, task))?);
    }
    let fit_options = args.fit.options(args.preset.as_deref())?;
    let guidance = args.fit.guidance(source)?;
    let start = Instant::now();
    let bound = console.with_task(|task| {
        let fitted = fit_character(&skin, options, &fit_options, guidance.as_ref(), task)?;
        let fit = Stage {
            name: "fit",
            time: start.elapsed(),
        };
        let mut bound = bind_by_field(&skin, &fitted.field, options, task)?;
        bound.stages.insert(0, fit);
        Ok::<_, BindError>(bound)
    })?;
    Ok(bound)
}

fn summary(report: &Report<'_>, stages: &[(&str, Duration)]) -> String {
    let total: Duration = stages.iter().map(|s| s.1).sum();
    let mut text = format!(
        "bound {} vertices to {} of {} joints by '{}', {:.1} influences on average, at most {}\n",
        report.vertices,
        report.deform_joints,
        report.joints,
        report.method,
        report.mean_influences,
        report.max_influences
    );
    for &(name, time) in stages {
        text.push_str(&format!("  {name:<10}{:>12}\n", milliseconds(time)));
    }
    text.push_str(&format!("  {:<10}{:>12}\n", "total", milliseconds(total)));
    text.push_str(&format!("wrote {}", report.output));
    text
}

/// Reads values like `arm_*=2`; a number alone is for all joints.
fn joint_values(
    option: &str,
    values: &[String],
    good: impl Fn(f64) -> bool,
) -> anyhow::Result<Vec<(String, f64)>> {
    let read = |value: &String| {
        let (joints, number) = value.rsplit_once('=').unwrap_or(("*", value));
        match number.parse::<f64>() {
            Ok(number) if number.is_finite() && good(number) => Ok((joints.to_owned(), number)),
            _ => bail!("{option} wants NUMBER or JOINTS=NUMBER in its range; got '{value}'"),
        }
    };
    values.iter().map(read).collect()
}

/// Reads the values of `--deform`.
pub fn deform_choice(values: &[String]) -> anyhow::Result<DeformChoice> {
    let mut patterns = Vec::new();
    for value in values {
        if let Some(path) = value.strip_prefix('@') {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("reading the joints in {path}"))?;
            // One name a line: names may hold commas and spaces, comments would be names.
            patterns.extend(
                text.lines()
                    .map(str::trim)
                    .filter(|l| !l.is_empty())
                    .map(str::to_owned),
            );
        } else {
            patterns.extend(
                value
                    .split(',')
                    .map(str::trim)
                    .filter(|p| !p.is_empty())
                    .map(str::to_owned),
            );
        }
    }
    Ok(match patterns.as_slice() {
        [] if values.is_empty() => DeformChoice::Guess,
        [] => bail!("--deform names no joints"),
        [one] if one == "all" => DeformChoice::All,
        [one] if one == "used" => DeformChoice::Used,
        _ => DeformChoice::Patterns(patterns),
    })
}
