//! `ligament compare`: one character bound in several ways, side by side.

mod charts;
mod conclusion;
mod contender;
mod page;
mod pictures;
mod places;
mod table;

use std::path::PathBuf;

use anyhow::bail;
use ligament::bind::{BindOptions, Method};
use ligament::measure::SolidDistance;
use ligament_io::atomic::{refuse_overwriting_input, write_file};
use serde::Serialize;

use crate::Outcome;
use crate::commands::bind::deform_choice;
use crate::console::Console;
use crate::measure_args::MeasureArgs;
use crate::method_spec::MethodSpec;
use crate::source::{FileWarning, RigArgs, Source};
use conclusion::Conclusion;
use contender::{Contender, Failed};

/// Methods that take so long that they are only used when they are asked for.
const SLOW: [&str; 2] = ["cells", "biharmonic"];

/// Bind a character in several ways and report side by side
///
/// A table on the terminal, --json for programs, and with -o one HTML page that needs nothing
/// but a browser: which bind is best and why, posed pictures, weights, measures, times, and the
/// places to look at.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament compare hero.glb -o report.html
  ligament compare hero.glb --methods voxel,heat -o report.html
  ligament compare hero.glb --reference --deform used -o report.html   against the file's own weights
  ligament compare hero.glb --with blender=hero_blender.glb -o report.html
  ligament compare sample:knight --json | jq .conclusion

tools/peers/blender_weights.py makes files for --with by Blender's automatic weights.")]
pub struct Args {
    /// A file of any format with a skeleton, or sample:NAME
    input: String,
    #[command(flatten)]
    rig: RigArgs,
    /// Which methods, comma-separated, each with a preset if wanted (voxel:2014, heat:2007), or
    /// none [default: all but the slow ones, cells and biharmonic]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,
    /// Take the weights that the file has as a further column, and hold the others against them
    #[arg(long)]
    reference: bool,
    /// The same character bound by another program, as a further column; repeatable
    #[arg(long, value_name = "[NAME=]FILE")]
    with: Vec<String>,
    /// Where to write the page, such as report.html
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Joints that take part, as for bind
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// The most joints that a vertex follows
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    influences: u16,
    #[command(flatten)]
    measure: MeasureArgs,
    /// How many places to show
    #[arg(long, default_value_t = 5, value_name = "N")]
    worst: usize,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Output<'a> {
    input: &'a str,
    vertices: usize,
    joints: usize,
    frames: usize,
    from_clips: bool,
    conclusion: &'a Conclusion,
    contenders: &'a [Contender],
    failed: &'a [Failed],
    page: Option<&'a PathBuf>,
    file_warnings: Vec<FileWarning<'a>>,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let chosen = chosen_methods(&args.methods)?;
    let options = args.measure.options()?;
    let bind_options = BindOptions {
        influences: usize::from(args.influences),
        deform: deform_choice(&args.deform)?,
        ..BindOptions::default()
    };
    let source = Source::open(&args.input, &args.rig, console)?;
    if let Some(output) = &args.output {
        let ending = output.extension().and_then(|e| e.to_str());
        if !matches!(ending, Some("html" | "htm")) {
            bail!("the page is HTML; name it .html: {}", output.display());
        }
        if let Some(input) = &source.path {
            refuse_overwriting_input(input, output)?;
        }
    }
    let character = source.character();
    if !character.skeleton.joints.iter().any(|j| j.in_skin) {
        bail!(
            "'{}' has no skeleton to bind to; name one with --skeleton",
            character.name
        );
    }
    let reference = args.reference.then(|| source.weights()).transpose()?;
    let others = contender::open_others(&args.with, character, console)?;

    let body = console.with_task(|task| SolidDistance::of(character, task))?;
    let judge = contender::Judge {
        character,
        reference,
        body: &body,
        options: &options,
        console,
    };
    let mut contenders = Vec::new();
    let mut failed = Vec::new();
    for method in &chosen {
        match judge.bind(method, &bind_options)? {
            Ok(contender) => contenders.push(contender),
            Err(failure) => failed.push(failure),
        }
    }
    for other in others {
        contenders.push(judge.other(other)?);
    }
    if let Some(weights) = reference {
        contenders.push(judge.file(weights)?);
    }
    let Some(first) = contenders.first() else {
        match failed.first() {
            Some(f) => bail!("nothing could be bound; {}: {}", f.name, f.why),
            None => bail!("there is nothing to compare; name --methods, --with or --reference"),
        }
    };
    args.measure.posed(character, &first.report)?;
    conclusion::put_in_order(&mut contenders, reference.is_some());
    let conclusion = Conclusion::of(character, &contenders, &failed, reference.is_some());
    let first = &contenders[0];

    if let Some(output) = &args.output {
        let page = console.busy("drawing", || {
            let gallery = pictures::Gallery::draw(character, &contenders, &conclusion, &options, args.worst)?;
            Ok::<_, anyhow::Error>(page::page(&page::Contents {
                input: &args.input,
                character,
                contenders: &contenders,
                failed: &failed,
                conclusion: &conclusion,
                gallery: &gallery,
                options: &options,
                warnings: &source.warnings(),
            }))
        })?;
        write_file(output, page.as_bytes())?;
    }
    if console.json {
        console.print_json(&Output {
            input: &args.input,
            vertices: first.report.vertices,
            joints: character.skeleton.joints.iter().filter(|j| j.in_skin).count(),
            frames: first.report.frames,
            from_clips: first.report.from_clips,
            conclusion: &conclusion,
            contenders: &contenders,
            failed: &failed,
            page: args.output.as_ref(),
            file_warnings: source.warnings(),
        })?;
    } else {
        console.print(&table::table(
            &args.input,
            character,
            &contenders,
            &failed,
            &conclusion,
            args.worst,
        ));
        if let Some(output) = &args.output {
            console.note(format_args!("wrote {}", output.display()));
        }
    }
    Ok(if failed.is_empty() {
        Outcome::Sound
    } else {
        Outcome::FaultsFound
    })
}

fn chosen_methods(names: &[String]) -> anyhow::Result<Vec<MethodSpec>> {
    if names.is_empty() {
        let usual = Method::all().into_iter().filter(|m| !SLOW.contains(&m.name()));
        return Ok(usual.map(MethodSpec::plain).collect());
    }
    if names.len() == 1 && names[0] == "none" {
        return Ok(Vec::new());
    }
    let mut chosen: Vec<MethodSpec> = Vec::new();
    for name in names {
        let found = MethodSpec::parse(name.trim())?;
        if !chosen.iter().any(|m| m.name == found.name) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}
