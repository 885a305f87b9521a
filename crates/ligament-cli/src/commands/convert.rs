//! `ligament convert`: from any format to any other.

use std::path::PathBuf;

use anyhow::Context;
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::WeightFormat;
use ligament_io::open::open_weights;

use crate::Outcome;
use crate::console::Console;
use crate::output::{Wanted, save, wanted};
use crate::source::{RigArgs, Source};

/// Convert between formats, and put mesh, skeleton, motion and weights together
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament convert hero.fbx -o hero.glb
  ligament convert hero.obj --skeleton hero.bvh --fit -o hero.glb
  ligament convert arm.obj --skeleton arm.tgf --weights arm-weights.dmat -o arm.glb
  ligament convert bound.glb -o weights.xml      Maya's deformer weights
  ligament convert hero.glb -o skeleton.json     the skeleton alone
See docs/formats.md for what is read and written, and what is lost.")]
pub struct Args {
    /// A file of any format, or sample:NAME
    input: String,
    /// Where to write; the ending says what
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    rig: RigArgs,
    /// Take the weights from this file: .xml, .json, .csv, .npz, .txt or .dmat
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let source = Source::open(&args.input, &args.rig, console)?;
    if let Some(input) = &source.path {
        refuse_overwriting_input(input, &args.output)?;
    }
    for warning in source.warnings() {
        console.warn(warning);
    }
    let character = source.character();
    let given = match &args.weights {
        None => None,
        Some(path) => {
            let alone = open_weights(path, &character.skeleton, source.source_vertex_count())
                .with_context(|| format!("in {}", path.display()))?;
            Some(source.handed_out(&alone))
        }
    };
    // Weights that the document has already stay as they are; only others are put in.
    let into_gltf = wanted(&args.output, Wanted::Skeleton)? == Wanted::Gltf;
    let own = character.weights.as_ref().filter(|_| !into_gltf);
    let weights = given.as_ref().or(own);
    save(
        &source,
        weights,
        WeightFormat::Keep,
        &args.output,
        Wanted::Skeleton,
    )?;
    console.note(format_args!(
        "{} vertices, {} faces, {} joints, {} clips; wrote {}",
        character.mesh.positions.len(),
        character.mesh.triangles.len(),
        character.skeleton.joints.iter().filter(|j| j.in_skin).count(),
        character.clips.len(),
        args.output.display()
    ));
    Ok(Outcome::Sound)
}
