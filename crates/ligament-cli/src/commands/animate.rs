//! `ligament animate`: motions from anywhere, carried to a character.

use std::path::PathBuf;

use clap::ValueEnum;
use ligament::motion::retarget::{RetargetOptions, RootMotion};
use ligament_app::animate::{AnimateReport, AnimateRequest, ClipReport, run_on};

use crate::Outcome;
use crate::asset_args::open_and_warn;
use crate::console::{Console, wrote};

/// Give a character motions: from BVH, from other characters, or made by code
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament animate hero.glb -o moving.glb                        every motion made by code
  ligament animate hero.glb --motion builtin:walk -o walking.glb
  ligament animate hero.glb --motion dance.bvh -o dancing.glb
  ligament animate hero.glb --motion other.glb --clip run -o running.glb
  ligament animate hero.glb --motion odd.bvh --map joints.json -o moving.glb
Made by code are idle, walk, run, jump, wave, squat, sit and range-of-motion for humans, walk and trot
for animals on four legs. A map names joints that are not recognised:
  {\"motion\": {\"hips\": \"Root\"}, \"character\": {\"hips\": \"Bone.001\"}, \"joints\": {\"Tail1\": \"tail.01\"}}")]
pub struct Args {
    /// A file of any format with a skeleton, or sample:NAME
    input: String,
    /// Where to write: .glb, .gltf, .vrm, .fbx, .usda or .usdc [default: INPUT's name with _animated.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A file with a skeleton and clips, sample:NAME, builtin:NAME or builtin:all; may be given more than once
    #[arg(long, value_name = "MOTION", default_value = "builtin:all")]
    motion: Vec<String>,
    /// The clip of the motion, by name or number from 0 [default: all of them]
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// A JSON file that names joints which are not recognised
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// What to call the motion
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Frames a second [default: those of the motion]
    #[arg(long, value_name = "N")]
    fps: Option<f64>,
    /// Begin at this second of the motion
    #[arg(long, value_name = "SECONDS")]
    from: Option<f64>,
    /// End at this second of the motion
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Make the last frame the first again; what they differ by is spread over the motion
    #[arg(long = "loop")]
    closed: bool,
    /// What happens to where the character goes
    #[arg(long, value_enum, default_value = "keep", value_name = "HOW")]
    root: RootName,
    /// Copy turns alone: feet may slide and sink
    #[arg(long)]
    no_feet: bool,
    /// Keep hands where they are seen from the shoulders, for arms of other proportions
    #[arg(long)]
    hands: bool,
    /// Keep a key for every frame; without, those are dropped that the others give within 0.05°
    #[arg(long)]
    all_keys: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RootName {
    /// It goes where the motion goes, times the ratio of the legs' lengths
    Keep,
    /// The same, from the position where it is bound
    FromHere,
    /// It walks on the spot
    InPlace,
}

impl From<RootName> for RootMotion {
    fn from(root: RootName) -> Self {
        match root {
            RootName::Keep => Self::Keep,
            RootName::FromHere => Self::FromHere,
            RootName::InPlace => Self::InPlace,
        }
    }
}

impl Args {
    pub(crate) fn request(&self) -> AnimateRequest {
        AnimateRequest {
            asset: ligament_app::asset::AssetRequest::of(&self.input),
            output: self.output.clone(),
            motions: self.motion.clone(),
            clip: self.clip.clone(),
            map: self.map.clone(),
            name: self.name.clone(),
            how: RetargetOptions {
                fps: self.fps,
                from: self.from,
                to: self.to,
                closed: self.closed,
                root: self.root.into(),
                feet: !self.no_feet,
                hands: self.hands,
            },
            all_keys: self.all_keys,
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let asset = open_and_warn(&request.asset, console)?;
    let report = console.with_task(|task| run_on(&asset, &request, task))?;
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn summary(report: &AnimateReport) -> String {
    let mut text = String::new();
    for clip in &report.clips {
        text.push_str(&line(clip));
        text.push('\n');
    }
    text.push_str(&wrote(report.output.as_ref()));
    text
}

fn line(clip: &ClipReport) -> String {
    let ClipReport {
        name,
        seconds,
        frames,
        keys,
        joints,
        ..
    } = clip;
    let slides = if clip.contacts > 0 {
        format!(
            ", feet slide by {:.1} % of a leg a second",
            100.0 * clip.feet.sliding
        )
    } else {
        String::new()
    };
    format!("{name}: {seconds:.2} s, {frames} frames, {keys} keys for {joints} joints{slides}")
}
