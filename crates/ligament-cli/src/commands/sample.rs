//! `ligament sample`: characters made by code.

use std::path::PathBuf;

use ligament_io::gltf::build;
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;

/// Write a character made by code, or list them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament sample                        list them
  ligament sample knight -o knight.glb   write one
  ligament sample knight@2000            the same with about 2000 vertices")]
pub struct Args {
    /// Its name, with @N for about N vertices; without a name, all are listed
    name: Option<String>,
    /// Where to write [default: NAME.glb]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    vertices: usize,
    description: &'static str,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let Some(name) = &args.name else {
        list(console)?;
        return Ok(Outcome::Sound);
    };
    let name = name.strip_prefix("sample:").unwrap_or(name);
    let character = console.busy("making", || ligament::sample::make(name))?;
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}.glb", name.replace('@', "-"))));
    build(&character)?.document.save(&output)?;
    console.note(format_args!(
        "{} vertices, {} faces, {} joints, {} clips; wrote {}",
        character.mesh.positions.len(),
        character.mesh.triangles.len(),
        character.skeleton.joints.len(),
        character.clips.len(),
        output.display()
    ));
    Ok(Outcome::Sound)
}

fn list(console: &Console) -> anyhow::Result<()> {
    let all: Vec<Listed> = ligament::sample::names()
        .iter()
        .map(|s| Listed {
            name: s.name,
            vertices: s.vertices,
            description: s.description,
        })
        .collect();
    if console.json {
        return console.print_json(&all);
    }
    let rows = all
        .iter()
        .map(|s| format!("{:<10}{:>7} vertices   {}", s.name, s.vertices, s.description));
    console.print(&rows.collect::<Vec<_>>().join("\n"));
    Ok(())
}
