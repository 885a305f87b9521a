//! `ligament bind`: weights for a character.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

use ligament::bind::{Locks, Method};
use ligament_app::bind::{BindReport, BindRequest, run_on};
use ligament_app::hand_edits::HandLayer;
use ligament_app::method_options::MethodOptions;
use ligament_app::points::{self, is_cloud};

use crate::Outcome;
use crate::asset_args::{RigArgs, open_and_warn, warn_of_files};
use crate::bind_args::{Influences, StoredAs, influences};
use crate::commands::field::FitArgs;
use crate::console::{Console, stage_lines, wrote};
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
  ligament bind splats.ply --skeleton hero.glb --field hero.cells -o bound.ply
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
    /// Where to write: .glb, .gltf, .fbx, .usda or .usdc, or the weights alone as .xml, .json (Maya), .csv, .npz
    /// or .txt (RigNet); points and splats as .ply [default: INPUT's name with _bound.glb, beside it]
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
    /// [default: guessed, see inspect]
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// Drop weights under this fraction
    #[arg(long, default_value_t = 1e-3, value_name = "FRACTION")]
    prune: f32,
    /// For the method cells: bind by this field instead of fitting one; points and splats are bound so alone
    #[arg(long, value_name = "FILE")]
    field: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Options of the method cells")]
    fit: FitArgs,
    /// A published form of the method: voxel has 2014 and 2013, heat has 2007 and blender,
    /// cells has paper
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// best: correct weights by this prior instead of the one that comes with it, or by none
    #[arg(long, value_name = "FILE")]
    prior: Option<PathBuf>,
    /// closest, hierarchy: the power of the distance by which weights fall [default: 4]
    #[arg(long, value_name = "POWER")]
    power: Option<f64>,
    /// heat: how strongly joints radiate, as SCALE or JOINTS=SCALE; repeatable
    #[arg(long, value_name = "SCALE")]
    radius: Vec<JointValue>,
    /// heat: the fraction of the bi-Laplacian, 0 to 1, as FRACTION or JOINTS=FRACTION; repeatable
    #[arg(long, value_name = "FRACTION")]
    smoothness: Vec<JointValue>,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
    /// Tell which bones, distances and paths decided the weights of a vertex; repeatable
    #[arg(long, value_name = "VERTEX")]
    explain: Vec<u32>,
    /// Keep the voxels and distances in this file, for --binding
    #[arg(long, value_name = "FILE.voxels", help_heading = "Voxel binding")]
    save_binding: Option<PathBuf>,
    /// Take voxels and distances from this file instead of the mesh: for other levels of
    /// detail of a character, and for other falloffs and regions
    #[arg(long, value_name = "FILE.voxels", help_heading = "Voxel binding")]
    binding: Option<PathBuf>,
    #[command(flatten)]
    voxel: VoxelArgs,
    /// Lay weights changed by hand over what is found; the studio writes the file
    #[arg(long, value_name = "FILE")]
    hand_edits: Option<PathBuf>,
}

/// A number for joints, as in `arm_*=2`; alone it is for all of them.
#[derive(Clone)]
struct JointValue(String, f64);

impl FromStr for JointValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (joints, number) = text.rsplit_once('=').unwrap_or(("*", text));
        match number.parse() {
            Ok(number) => Ok(Self(joints.to_owned(), number)),
            Err(_) => Err("write NUMBER or JOINTS=NUMBER".to_owned()),
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

impl Args {
    fn options(&self) -> anyhow::Result<MethodOptions> {
        let pairs = |values: &[JointValue]| values.iter().map(|v| (v.0.clone(), v.1)).collect();
        let mut options = MethodOptions {
            preset: self.preset.clone(),
            prior: self.prior.clone(),
            power: self.power,
            radius: pairs(&self.radius),
            smoothness: pairs(&self.smoothness),
            ..MethodOptions::default()
        };
        self.voxel.put_into(&mut options);
        self.fit.put_into(&mut options)?;
        Ok(options)
    }

    pub(crate) fn request(&self) -> anyhow::Result<BindRequest> {
        Ok(BindRequest {
            asset: self.rig.asset(&self.input),
            output: self.output.clone(),
            method: self.method.clone(),
            options: self.options()?,
            influences: self.influences.0,
            deform: self.deform.clone(),
            prune: self.prune,
            regions: self.voxel.regions()?,
            locks: Locks {
                vertices: self.voxel.locked_parts(),
                joints: self.voxel.locked_joints(),
            },
            hand_edits: self.hand_edits.as_deref().map(HandLayer::read).transpose()?,
            falloff_pose: self.voxel.falloff_pose(),
            store: self.store.into(),
            explain: self.explain.clone(),
            save_binding: self.save_binding.clone(),
            binding: self.binding.clone(),
            field: self.field.clone(),
        })
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request()?;
    if is_cloud(&request.asset.input) {
        let report = console.with_task(|task| points::bind(&request, task))?;
        warn_of_files(&report.file_warnings, &request.asset, console);
        console.warn_of_binding(&report.bind_warnings);
        console.report(&report, summary)?;
        return Ok(Outcome::Sound);
    }
    request.chosen_method()?; // before a large file is read
    let start = Instant::now();
    let asset = open_and_warn(&request.asset, console)?;
    let read = start.elapsed();
    let report = console.with_task(|task| run_on(&asset, &request, read, task))?;
    console.warn_of_binding(&report.bind_warnings);
    if !console.json {
        for explained in &report.explained {
            console.print(&explained.to_string());
        }
        if let Some(binding) = &request.save_binding {
            console.note(format_args!("wrote {}", binding.display()));
        }
    }
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn summary(report: &BindReport) -> String {
    format!(
        "bound {} vertices to {} of {} joints by '{}', {:.1} influences on average, at most {}\n{}{}",
        report.vertices,
        report.deform_joints,
        report.joints,
        report.method,
        report.mean_influences,
        report.max_influences,
        stage_lines(&report.stages, report.milliseconds),
        wrote(report.output.as_ref())
    )
}
