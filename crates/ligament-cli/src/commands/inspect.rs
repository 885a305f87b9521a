//! `ligament inspect`: what a character is made of and what is wrong with it.

use crate::Outcome;
use crate::console::Console;
use crate::source::Source;

/// Say what a character is made of and what is wrong with it
#[derive(clap::Args)]
pub struct Args {
    /// A .glb, .gltf or .vrm file, or sample:NAME
    input: String,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let source = Source::open(&args.input)?;
    console.print(&format!("{}", source.character().mesh.positions.len()));
    Ok(Outcome::Sound)
}
