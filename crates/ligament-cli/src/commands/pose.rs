//! `ligament pose`: a character's skin at one moment, as a plain mesh.

use std::path::PathBuf;

use ligament_app::asset::AssetRequest;
use ligament_app::pose::{PoseRequest, run_on};

use crate::Outcome;
use crate::asset_args::open;
use crate::console::Console;
use crate::motion_args::MotionArgs;

/// Write the skin at one moment of a clip as a plain mesh
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament pose bound.glb --clip walk --time 0.4 -o step.glb
  ligament pose bound.glb --clip walk --skinning dual-quaternion")]
pub struct Args {
    /// A file with weights: .glb, .gltf, .vrm or .fbx
    input: String,
    /// Where to write [default: INPUT's name with _posed, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    motion: MotionArgs,
}

impl Args {
    pub(crate) fn request(&self) -> PoseRequest {
        PoseRequest {
            asset: AssetRequest::of(&self.input),
            output: self.output.clone(),
            moment: self.motion.moment(),
            skinning: self.motion.skinning(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let asset = open(&request.asset, console)?;
    let report = console.with_task(|task| run_on(&asset, &request, task))?;
    console.report(&report, |report| format!("wrote {}", report.output.display()))?;
    Ok(Outcome::Sound)
}
