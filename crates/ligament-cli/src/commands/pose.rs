//! `ligament pose`: a character's skin at one moment, as a plain mesh.

use std::path::PathBuf;

use ligament_app::points::{self, is_cloud};
use ligament_app::pose::{PoseRequest, run_on};

use crate::Outcome;
use crate::asset_args::{RigArgs, open, warn_of_files};
use crate::console::Console;
use crate::motion_args::MotionArgs;

/// Write the skin at one moment of a clip as a plain mesh
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament pose bound.glb --clip walk --time 0.4 -o step.glb
  ligament pose bound.glb --clip walk --skinning dual-quaternion
  ligament pose splats.ply --skeleton hero.glb --field hero.cells --clip walk -o step.ply")]
pub struct Args {
    /// A file with weights: .glb, .gltf, .vrm or .fbx; or points or Gaussian splats, bound or with --field: .ply
    input: String,
    #[command(flatten)]
    rig: RigArgs,
    /// For points and splats: take their weights from this field
    #[arg(long, value_name = "FILE")]
    field: Option<PathBuf>,
    /// Where to write [default: INPUT's name with _posed, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    motion: MotionArgs,
}

impl Args {
    pub(crate) fn request(&self) -> PoseRequest {
        PoseRequest {
            asset: self.rig.asset(&self.input),
            output: self.output.clone(),
            field: self.field.clone(),
            moment: self.motion.moment(),
            skinning: self.motion.skinning(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let report = if is_cloud(&request.asset.input) {
        let report = console.with_task(|task| points::pose(&request, task))?;
        warn_of_files(&report.file_warnings, &request.asset, console);
        report
    } else {
        let asset = open(&request.asset, console)?;
        console.with_task(|task| run_on(&asset, &request, task))?
    };
    console.report(&report, |report| format!("wrote {}", report.output.display()))?;
    Ok(Outcome::Sound)
}
