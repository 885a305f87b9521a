//! `ligament edit`: a script of edits to a rig, its weights following.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueEnum;
use ligament::edit::{Command, EditMethod, EditResult, Growth, Session, SessionOptions};
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::WeightFormat;
use serde::Serialize;
use serde_json::Value;

use crate::Outcome;
use crate::commands::bind::{Influences, StoredAs, deform_choice, influences};
use crate::console::{Console, milliseconds};
use crate::output::{Wanted, save, wanted};
use crate::source::{FileWarning, RigArgs, Source};

/// Edit a rig by a script of commands; weights follow each of them
///
/// The script is a JSON list of commands, each an object: move_joint, insert_joint,
/// delete_joint, align_joints, set_root, rename_joint, orient, range, magnitude, smoothness,
/// takes_part, falloff, add_region, remove_region, add_shape, remove_shapes, undo and redo.
/// A command that cannot be done ends the script, and nothing is written.
#[derive(clap::Args)]
#[command(after_help = "\
A script:
  [
    {\"command\": \"move_joint\", \"joint\": \"left_knee\", \"by\": [0, 0.02, 0.01]},
    {\"command\": \"insert_joint\", \"joint\": \"left_hand\", \"name\": \"left_twist\", \"at\": 0.5},
    {\"command\": \"magnitude\", \"joint\": \"head\", \"value\": 1.5}
  ]

Examples:
  ligament edit hero.glb script.json -o edited.glb
  ligament edit hero.glb script.json --method voxel
  ligament edit hero.glb script.json --check --json
  echo '[{\"command\": \"orient\"}]' | ligament edit sample:hound - -o hound.glb")]
pub struct Args {
    /// A file of any format, or sample:NAME
    input: String,
    /// The script, or - to read it from standard input
    script: PathBuf,
    #[command(flatten)]
    rig: RigArgs,
    /// Where to write, as for bind [default: INPUT's name with _edited.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    session: SessionArgs,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
    /// After the script, bind again as a whole and tell the largest difference
    #[arg(long)]
    check: bool,
}

/// How a session works.
#[derive(clap::Args)]
pub struct SessionArgs {
    /// How weights are found
    #[arg(long, value_enum, default_value = "heat", value_name = "NAME")]
    method: MethodName,
    /// The most joints that a vertex follows, 1 to 64, or all
    #[arg(long, default_value = "4", value_name = "N", value_parser = influences)]
    influences: Influences,
    /// Joints that take part, as for bind
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// Drop weights under this share
    #[arg(long, default_value_t = 1e-3, value_name = "SHARE")]
    floor: f32,
    /// heat: changes of weights under this are not followed
    #[arg(long, default_value_t = SessionOptions::default().tolerance, value_name = "SHARE")]
    tolerance: f64,
    /// heat: how far from an edit weights are solved again
    #[arg(long, value_enum, default_value = "felt", value_name = "NAME")]
    growth: GrowthName,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    /// Solved again only where an edit is felt
    Heat,
    /// Distances run again only from bones that moved
    Voxel,
}

#[derive(Clone, Copy, ValueEnum)]
enum GrowthName {
    /// As far as the change is felt
    Felt,
    /// As published: four rings around what the edited joints hold
    Rings,
}

impl SessionArgs {
    /// The options that they stand for.
    pub fn options(&self) -> anyhow::Result<SessionOptions> {
        if !(0.0..1.0).contains(&self.floor) {
            bail!(
                "--floor is a share from 0 up to, but not including, 1; got {}",
                self.floor
            );
        }
        Ok(SessionOptions {
            method: match self.method {
                MethodName::Heat => EditMethod::Heat,
                MethodName::Voxel => EditMethod::Voxel,
            },
            influences: self.influences.0,
            prune: self.floor,
            deform: deform_choice(&self.deform)?,
            tolerance: self.tolerance,
            growth: match self.growth {
                GrowthName::Felt => Growth::Felt,
                GrowthName::Rings => Growth::Rings,
            },
            joint_of_vertex: None,
        })
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    input: &'a str,
    output: String,
    method: &'static str,
    vertices: usize,
    joints: usize,
    steps: Vec<StepReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference_to_whole: Option<f64>,
    file_warnings: Vec<FileWarning<'a>>,
}

#[derive(Serialize)]
struct StepReport {
    command: String,
    milliseconds: f64,
    #[serde(flatten)]
    done: EditResult,
}

/// One line of a script.
enum Step {
    Edit(Box<Command>),
    Undo,
    Redo,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let options = args.session.options()?;
    let steps = read_script(&args.script)?;
    let source = Source::open(&args.input, &args.rig, console)?;
    for warning in source.warnings() {
        console.warn(warning);
    }
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| source.default_output("edited.glb"));
    wanted(&output, Wanted::Weights)?; // before the work, not after it
    if let Some(input) = &source.path {
        refuse_overwriting_input(input, &output)?;
    }
    source.refuse_without_skeleton(&args.input)?;
    let start = Instant::now();
    let mut session = console.with_task(|task| Session::new(source.character().clone(), &options, task))?;
    let prepared = start.elapsed();
    let mut reports = Vec::new();
    for (number, (name, step)) in steps.iter().enumerate() {
        let start = Instant::now();
        let done = console
            .with_task(|task| match step {
                Step::Edit(command) => Ok(session.apply(command, task)?),
                Step::Undo => session.undo().context("there is nothing to undo"),
                Step::Redo => session.redo().context("there is nothing to do again"),
            })
            .with_context(|| format!("step {} of the script ({name})", number + 1))?;
        reports.push(StepReport {
            command: name.clone(),
            milliseconds: start.elapsed().as_secs_f64() * 1e3,
            done,
        });
    }
    let difference_to_whole = match args.check {
        true => Some(console.with_task(|task| session.difference_to_whole(task))?),
        false => None,
    };
    let edited = session.character();
    let (gltf, weights) = source
        .gltf
        .with_edited_rig(&edited, &session.origins())
        .context("writing the edited skeleton")?;
    let source = source.with_gltf(gltf);
    let format: WeightFormat = args.store.into();
    save(&source, Some(&weights), format, &output, Wanted::Weights)
        .with_context(|| format!("writing {}", output.display()))?;

    let report = Report {
        input: &args.input,
        output: output.display().to_string(),
        method: options.method.name(),
        vertices: edited.mesh.positions.len(),
        joints: edited.skeleton.joints.iter().filter(|j| j.in_skin).count(),
        steps: reports,
        difference_to_whole,
        file_warnings: source.warnings(),
    };
    if console.json {
        console.print_json(&report)?;
    } else {
        console.note(summary(&report, prepared));
    }
    Ok(Outcome::Sound)
}

fn read_script(path: &Path) -> anyhow::Result<Vec<(String, Step)>> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .context("reading the script from standard input")?;
        text
    } else {
        std::fs::read_to_string(path).with_context(|| format!("reading the script {}", path.display()))?
    };
    let list: Vec<Value> = serde_json::from_str(&text)
        .with_context(|| format!("the script {} is no JSON list of commands", path.display()))?;
    list.into_iter()
        .enumerate()
        .map(|(number, value)| {
            let name = value
                .get("command")
                .and_then(Value::as_str)
                .unwrap_or("?")
                .to_owned();
            let step = match name.as_str() {
                "undo" => Step::Undo,
                "redo" => Step::Redo,
                _ => {
                    Step::Edit(Box::new(serde_json::from_value(value).with_context(|| {
                        format!("step {} of the script ({name})", number + 1)
                    })?))
                }
            };
            Ok((name, step))
        })
        .collect()
}

fn summary(report: &Report<'_>, prepared: Duration) -> String {
    let mut text = format!(
        "{} vertices on {} joints by '{}', ready in {}\n",
        report.vertices,
        report.joints,
        report.method,
        milliseconds(prepared)
    );
    for step in &report.steps {
        text.push_str(&format!(
            "  {:<16}{:>8} vertices changed{:>12}\n",
            step.command,
            step.done.changed_vertices.len(),
            milliseconds(Duration::from_secs_f64(step.milliseconds / 1e3))
        ));
    }
    if let Some(difference) = report.difference_to_whole {
        text.push_str(&format!(
            "largest difference of a weight to a whole bind: {difference:.1e}\n"
        ));
    }
    text.push_str(&format!("wrote {}", report.output));
    text
}
