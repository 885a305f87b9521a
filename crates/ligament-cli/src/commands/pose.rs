//! `ligament pose`: a character's skin at one moment, as a plain mesh.

use std::path::PathBuf;

use anyhow::Context;
use ligament::Character;
use ligament::character::PartAttachment;
use ligament::deform::deform;
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::build;

use crate::Outcome;
use crate::console::Console;
use crate::motion::MotionArgs;
use crate::source::{RigArgs, Source};

/// Write the skin at one moment of a clip as a plain mesh
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament pose bound.glb --clip walk --time 0.4 -o step.glb
  ligament pose bound.glb --clip walk --deform dual-quaternion")]
pub struct Args {
    /// A file with weights: .glb, .gltf, .vrm or .fbx
    input: String,
    /// Where to write [default: INPUT's name with _posed, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    motion: MotionArgs,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let source = Source::open(&args.input, &RigArgs::default(), console)?;
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| source.default_output("posed.glb"));
    if let Some(input) = &source.path {
        refuse_overwriting_input(input, &output)?;
    }
    let character = source.character();
    character.mesh.check()?;
    let weights = source.weights()?;
    let clip = args.motion.clip(character, true)?;
    let pose = args.motion.pose(character, clip);
    let deformed = deform(character, weights, &pose, args.motion.deform.into())?;

    let mut mesh = character.mesh.clone();
    mesh.positions = deformed.positions;
    mesh.normals = Some(deformed.normals);
    for part in &mut mesh.parts {
        part.attachment = PartAttachment::Skin; // nothing carries it any more
        part.joints = None;
    }
    let posed = Character {
        name: character.name.clone(),
        mesh,
        ..Character::default()
    };
    build(&posed)?
        .document
        .save(&output)
        .with_context(|| format!("writing {}", output.display()))?;
    console.note(format_args!("wrote {}", output.display()));
    Ok(Outcome::Sound)
}
