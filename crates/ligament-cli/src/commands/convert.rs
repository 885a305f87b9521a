//! `ligament convert`: from any format to any other.

use std::path::PathBuf;

use ligament_app::convert::{ConvertRequest, run_on};
use ligament_io::gltf::VrmMeta;

use crate::Outcome;
use crate::asset_args::{RigArgs, open_and_warn};
use crate::console::Console;

/// Convert between formats, and put mesh, skeleton, motion and weights together
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament convert hero.fbx -o hero.glb
  ligament convert hero.obj --skeleton hero.bvh --fit -o hero.glb
  ligament convert arm.obj --skeleton arm.tgf --weights arm-weights.dmat -o arm.glb
  ligament convert bound.glb -o weights.xml      Maya's deformer weights
  ligament convert hero.glb -o skeleton.json     the skeleton alone
  ligament convert hero.glb --vrm-author Ada -o hero.vrm   an avatar
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
    /// Leave out of a glTF file the bytes that nothing in it refers to
    #[arg(long)]
    compact: bool,
    /// What a .vrm calls the avatar [default: the character's name]
    #[arg(long, value_name = "NAME")]
    vrm_name: Option<String>,
    /// Who made the avatar of a .vrm; may be given more than once [default: unknown]
    #[arg(long, value_name = "NAME")]
    vrm_author: Vec<String>,
    /// The version of the avatar of a .vrm
    #[arg(long, value_name = "TEXT")]
    vrm_version: Option<String>,
    /// Whose rights the avatar of a .vrm is under
    #[arg(long, value_name = "TEXT")]
    vrm_copyright: Option<String>,
    /// What may be done with the avatar of a .vrm, by VRM's own words, as commercialUsage=corporation; may be given more than once
    #[arg(long, value_name = "TERM=VALUE", value_parser = term)]
    vrm_term: Vec<(String, String)>,
}

fn term(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    parts
        .map(|(term, value)| (term.to_owned(), value.to_owned()))
        .ok_or_else(|| "say it as TERM=VALUE, for instance allowRedistribution=true".to_owned())
}

impl Args {
    pub(crate) fn request(&self) -> ConvertRequest {
        ConvertRequest {
            asset: self.rig.asset(&self.input),
            weights: self.weights.clone(),
            output: self.output.clone(),
            compact: self.compact,
            vrm: VrmMeta {
                name: self.vrm_name.clone(),
                authors: self.vrm_author.clone(),
                version: self.vrm_version.clone(),
                copyright: self.vrm_copyright.clone(),
                terms: self.vrm_term.iter().cloned().collect(),
            },
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let asset = open_and_warn(&request.asset, console)?;
    let report = console.with_task(|task| run_on(&asset, &request, task))?;
    console.report(&report, |report| {
        format!(
            "{} vertices, {} faces, {} joints, {} clips; wrote {}",
            report.vertices,
            report.triangles,
            report.joints,
            report.clips,
            report.output.display()
        )
    })?;
    Ok(Outcome::Sound)
}
