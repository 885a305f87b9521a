//! `ligament sample`: characters made by code.

use std::path::PathBuf;

use ligament_app::sample::{SampleRequest, list, run as make};

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

impl Args {
    fn request(&self, name: &str) -> SampleRequest {
        SampleRequest {
            name: name.to_owned(),
            output: self.output.clone(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let Some(name) = &args.name else {
        print_list(console)?;
        return Ok(Outcome::Sound);
    };
    let request = args.request(name);
    let report = console.with_task(|task| make(&request, task))?;
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

fn print_list(console: &Console) -> anyhow::Result<()> {
    let all = list();
    if console.json {
        return console.print_json(&all);
    }
    let rows = all
        .iter()
        .map(|s| format!("{:<10}{:>7} vertices   {}", s.name, s.vertices, s.description));
    console.print(&rows.collect::<Vec<_>>().join("\n"));
    Ok(())
}
