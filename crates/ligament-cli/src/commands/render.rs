//! `ligament render`: pictures of characters.

use std::path::PathBuf;

use ligament_app::asset::Asset;
use ligament_app::render::{PictureSize, RenderReport, RenderRequest, Slice, ViewRequest, run_on};
use ligament_app::resolution::ResolutionRequest;

use crate::Outcome;
use crate::asset_args::{RigArgs, open};
use crate::console::Console;
use crate::motion_args::MotionArgs;

/// Draw a character to a PNG, APNG or GIF: shaded, its bones, its weights, its motion
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament render hero.glb
  ligament render hero.glb --joints --bones               who moves what
  ligament render hero.glb --joint LeftArm --view back    one joint's weights
  ligament render bound.glb --clip walk --frames 8        a contact sheet
  ligament render artist.glb bound.glb --clip walk        side by side
  ligament render bound.glb --clip walk -o walk.gif       as it moves; .apng keeps all colours
  ligament render hero.glb --turntable -o hero.apng       from all sides
  ligament render bound.glb --clip walk --at LeftArm --zoom 4   see the armpit
  ligament render hero.glb --voxels --slice z=0.5 --view front  the inside, as binding sees it")]
pub struct Args {
    /// Files of any format, or sample:NAME; several stand side by side
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Where to write: .png, or .apng or .gif for what moves [default: INPUT's name with .png, here]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    rig: RigArgs,
    #[command(flatten)]
    motion: MotionArgs,
    /// Pictures over the clip, from its start to its end, as a contact sheet (64 at most);
    /// or how many pictures a .apng or .gif has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1500))]
    frames: Option<u16>,
    /// Pictures a second of a .apng or .gif [default: 25, or as many as --frames needs to play at its own speed]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    fps: Option<u32>,
    /// Walk around the character once, in a .apng or .gif; with --clip it moves meanwhile
    #[arg(long, conflicts_with = "voxels")]
    turntable: bool,
    /// front, back, left, right, three-quarter, top, or YAW,PITCH in degrees
    #[arg(long, default_value = "three-quarter", allow_hyphen_values = true)]
    view: ViewRequest,
    /// Look at this joint instead of the whole character
    #[arg(long, value_name = "JOINT")]
    at: Option<String>,
    /// How much nearer; with --at, 1 shows a quarter of the character
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    zoom: f32,
    /// Without perspective
    #[arg(long)]
    orthographic: bool,
    /// Colour by this joint's weights
    #[arg(long, value_name = "JOINT", conflicts_with = "joints")]
    joint: Option<String>,
    /// Colour by all joints' weights, a colour for each
    #[arg(long)]
    joints: bool,
    /// Draw the edges
    #[arg(long)]
    wire: bool,
    /// Draw the bones over a pale mesh
    #[arg(long)]
    bones: bool,
    /// Show every facet
    #[arg(long)]
    flat: bool,
    /// Tint faces seen from behind, so that shells turned inside out can be seen
    #[arg(long)]
    back_faces: bool,
    /// Draw the voxels that binding works with: boundary grey, interior blue, violet where winding
    /// numbers decided, bones orange
    #[arg(long, conflicts_with_all = ["clip", "time", "frames", "joint", "joints", "back_faces"])]
    voxels: bool,
    /// Voxels along the longest side, 32 to 1024, or auto
    #[arg(long, default_value = "auto", value_name = "N", requires = "voxels")]
    resolution: ResolutionRequest,
    /// Cut the voxels open at a fraction of their box, as in x=0.5; the side towards the viewer goes
    #[arg(long, value_name = "AXIS=FRACTION", requires = "voxels")]
    slice: Option<Slice>,
    /// Pixels of each picture [default: 1280x720 for one, 480x640 for several]
    #[arg(long, value_name = "WxH")]
    size: Option<PictureSize>,
}

impl Args {
    pub(crate) fn request(&self) -> RenderRequest {
        RenderRequest {
            assets: self.inputs.iter().map(|i| self.rig.asset(i)).collect(),
            output: self.output.clone(),
            moment: self.motion.moment(),
            skinning: self.motion.skinning(),
            frames: self.frames.map(usize::from),
            fps: self.fps,
            turntable: self.turntable,
            view: self.view,
            at: self.at.clone(),
            zoom: self.zoom,
            orthographic: self.orthographic,
            joint: self.joint.clone(),
            joints: self.joints,
            wire: self.wire,
            bones: self.bones,
            flat: self.flat,
            back_faces: self.back_faces,
            voxels: self.voxels,
            resolution: self.resolution,
            slice: self.slice,
            size: self.size,
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let assets: Vec<Asset> = request
        .assets
        .iter()
        .map(|asset| open(asset, console))
        .collect::<Result<_, _>>()?;
    let report = console.with_task(|task| run_on(&assets, &request, task))?;
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn summary(report: &RenderReport) -> String {
    let mut lines = report.legends.clone();
    let several = match report.pictures {
        1 => String::new(),
        n => format!("{n} pictures of "),
    };
    lines.push(format!(
        "{several}{} × {} pixels in {:.1} ms; wrote {}",
        report.width,
        report.height,
        report.milliseconds,
        report.output.display()
    ));
    lines.join("\n")
}
