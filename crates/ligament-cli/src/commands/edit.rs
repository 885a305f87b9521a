//! `ligament edit`: a script of edits to a rig, its weights following.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use ligament::edit::{EditMethod, Growth, SessionOptions};
use ligament_app::edit::{EditReport, EditRequest, SessionRequest, run_on, script_from};
use ligament_app::hand_edits::HandLayer;
use serde_json::Value;

use crate::Outcome;
use crate::asset_args::{RigArgs, open_and_warn};
use crate::bind_args::{Influences, StoredAs, influences};
use crate::console::{Console, milliseconds, wrote};

/// Edit a rig by a script of commands; weights follow each of them
///
/// The script is a JSON list of commands, each an object: move_joint, insert_joint, add_joint,
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
    /// Lay weights changed by hand over those that followed; the studio writes the file
    #[arg(long, value_name = "FILE")]
    hand_edits: Option<PathBuf>,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
    /// After the script, bind again as a whole and tell the largest difference
    #[arg(long)]
    check: bool,
}

/// How a session works.
#[derive(clap::Args)]
struct SessionArgs {
    /// How weights are found
    #[arg(long, value_enum, default_value = "heat", value_name = "NAME")]
    method: MethodName,
    /// The most joints that a vertex follows, 1 to 64, or all
    #[arg(long, default_value = "4", value_name = "N", value_parser = influences)]
    influences: Influences,
    /// Joints that take part, as for bind
    #[arg(long, value_name = "JOINTS")]
    deform: Vec<String>,
    /// Drop weights under this fraction
    #[arg(long, default_value_t = 1e-3, value_name = "FRACTION")]
    prune: f32,
    /// heat: changes of weights under this are not followed
    #[arg(long, default_value_t = SessionOptions::default().tolerance, value_name = "FRACTION")]
    tolerance: f64,
    /// heat: how far from an edit weights are solved again
    #[arg(long, value_enum, default_value = "tolerance", value_name = "NAME")]
    growth: GrowthName,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    /// Solved again only where an edit changes it
    Heat,
    /// Distances run again only from bones that moved
    Voxel,
}

#[derive(Clone, Copy, ValueEnum)]
enum GrowthName {
    /// As far as the change is over the tolerance
    Tolerance,
    /// As published: four rings around what the edited joints hold
    Rings,
}

impl SessionArgs {
    fn request(&self) -> SessionRequest {
        SessionRequest {
            method: match self.method {
                MethodName::Heat => EditMethod::Heat,
                MethodName::Voxel => EditMethod::Voxel,
            },
            influences: self.influences.0,
            deform: self.deform.clone(),
            prune: self.prune,
            tolerance: self.tolerance,
            growth: match self.growth {
                GrowthName::Tolerance => Growth::Tolerance,
                GrowthName::Rings => Growth::Rings,
            },
        }
    }
}

impl Args {
    pub(crate) fn request(&self) -> anyhow::Result<EditRequest> {
        Ok(EditRequest {
            asset: self.rig.asset(&self.input),
            script: read_script(&self.script)?,
            output: self.output.clone(),
            session: self.session.request(),
            hand_edits: self.hand_edits.as_deref().map(HandLayer::read).transpose()?,
            store: self.store.into(),
            check: self.check,
        })
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request()?;
    let asset = open_and_warn(&request.asset, console)?;
    let report = console.with_task(|task| run_on(asset, &request, task))?;
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

/// Reads a script from a file, or from standard input.
fn read_script(path: &Path) -> anyhow::Result<Vec<Value>> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .context("reading the script from standard input")?;
        text
    } else {
        std::fs::read_to_string(path).with_context(|| format!("reading the script {}", path.display()))?
    };
    script_from(&text).with_context(|| format!("the script {} is no JSON list of commands", path.display()))
}

fn summary(report: &EditReport) -> String {
    let mut text = format!(
        "{} vertices on {} joints by '{}', ready in {}\n",
        report.vertices,
        report.joints,
        report.method,
        milliseconds(report.prepared_milliseconds)
    );
    for step in &report.steps {
        text.push_str(&format!(
            "  {:<16}{:>8} vertices changed{:>12}\n",
            step.command,
            step.done.changed_vertices.len(),
            milliseconds(step.milliseconds)
        ));
    }
    if let Some(difference) = report.difference_to_whole {
        text.push_str(&format!(
            "largest difference of a weight to a whole bind: {difference:.1e}\n"
        ));
    }
    text.push_str(&wrote(report.output.as_ref()));
    text
}
