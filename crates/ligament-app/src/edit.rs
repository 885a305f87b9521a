//! A script of edits to a rig, its weights following.

use std::path::PathBuf;
use std::time::Duration;

use ligament::Weights;
use ligament::bind::BindError;
use ligament::edit::{Command, EditError, EditMethod, EditResult, Growth, Session, SessionOptions};
use ligament::task::Task;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::bind_request::{deform_choice, influence_count, prune_threshold};
use crate::hand_edits::HandLayer;
use crate::save::{JsonHolds, WeightFormat, output_of, save};

/// How a session works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionRequest {
    /// How weights are found.
    pub method: EditMethod,
    /// The most joints that a vertex follows, 1 to 64.
    pub influences: usize,
    /// Joints that take part, as for binding.
    pub deform: Vec<String>,
    /// Weights under this fraction are dropped, 0 up to 1.
    pub prune: f32,
    /// Heat: changes of weights under this are not followed, over 0 and under 1.
    pub tolerance: f64,
    /// Heat: how far from an edit weights are solved again.
    pub growth: Growth,
}

impl Default for SessionRequest {
    fn default() -> Self {
        let options = SessionOptions::default();
        Self {
            method: options.method,
            influences: options.influences,
            deform: Vec::new(),
            prune: options.prune,
            tolerance: options.tolerance,
            growth: options.growth,
        }
    }
}

impl SessionRequest {
    /// The options that it stands for.
    pub fn options(&self) -> Result<SessionOptions, AppError> {
        Ok(SessionOptions {
            method: self.method,
            influences: influence_count(self.influences)?,
            prune: prune_threshold(self.prune)?,
            deform: deform_choice(&self.deform)?,
            tolerance: self.tolerance,
            growth: self.growth,
            joint_of_vertex: None,
        })
    }
}

/// What to edit, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EditRequest {
    /// What to open; it has a skeleton.
    pub asset: AssetRequest,
    /// Commands, each an object as in `{"command": "move_joint", ...}`, or `undo` or `redo`.
    /// One that cannot be done ends the script, and nothing is written. Vertices are the
    /// source's own.
    pub script: Vec<Value>,
    /// Where to write, as for binding; the input's name with `_edited.glb`, beside it, if
    /// none.
    pub output: Option<PathBuf>,
    /// How the session works.
    pub session: SessionRequest,
    /// Weights changed by hand, laid over those that followed.
    pub hand_edits: Option<HandLayer>,
    /// How weights are stored.
    pub store: WeightFormat,
    /// After the script, bind again as a whole and tell the largest difference.
    pub check: bool,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// How weights were found.
    pub method: &'static str,
    /// Vertices of the document.
    pub vertices: usize,
    /// Joints that skin can follow.
    pub joints: usize,
    /// How long it took until the first edit could be done.
    pub prepared_milliseconds: f64,
    /// What each step did.
    pub steps: Vec<StepReport>,
    /// The largest difference of a weight to a whole bind, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_to_whole: Option<f64>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepReport {
    /// Its command.
    pub command: String,
    /// How long it took.
    pub milliseconds: f64,
    /// What changed; vertices are the source's own.
    #[serde(flatten)]
    pub done: EditResult,
}

/// One entry of a script.
enum Step {
    Edit(Box<Command>),
    Undo,
    Redo,
}

/// Opens and edits.
pub fn run(request: &EditRequest, task: &Task<'_>) -> Result<EditReport, AppError> {
    run_on(Asset::open(&request.asset, task)?, request, task)
}

/// Edits what is open, and writes it.
pub fn run_on(asset: Asset, request: &EditRequest, task: &Task<'_>) -> Result<EditReport, AppError> {
    let output = output_of(&asset, request.output.as_ref(), "edited.glb", JsonHolds::Weights)?;
    let Edited {
        asset,
        weights,
        report,
    } = edited(asset, request, task)?;
    task.check()?;
    save(&asset, Some(&weights), request.store, &output, JsonHolds::Weights)?;
    Ok(EditReport {
        output: Some(output),
        ..report
    })
}

/// A character after edits.
pub struct Edited {
    /// With its new skeleton and clips.
    pub asset: Asset,
    /// Weights of the document's vertices.
    pub weights: Weights,
    /// What was done.
    pub report: EditReport,
}

/// Edits what is open, and writes nothing.
pub fn edited(asset: Asset, request: &EditRequest, task: &Task<'_>) -> Result<Edited, AppError> {
    let options = request.session.options()?;
    let steps = steps_of(&request.script, &asset)?;
    asset.refuse_without_skeleton()?;
    let start = task.now();
    let mut session = Session::new(asset.character().as_ref().clone(), &options, task)?;
    let prepared = milliseconds_since(start, task);
    let mut reports = Vec::new();
    for (number, (name, step)) in steps.iter().enumerate() {
        let start = task.now();
        let mut done = do_step(&mut session, number, name, step, task)?;
        let milliseconds = milliseconds_since(start, task);
        done.changed_vertices = asset.source_vertices(&done.changed_vertices);
        reports.push(StepReport {
            command: name.clone(),
            milliseconds,
            done,
        });
    }
    let difference_to_whole = match request.check {
        true => Some(session.difference_to_whole(task)?),
        false => None,
    };
    let (asset, weights) = match &request.hand_edits {
        None => finished(asset, &session)?,
        Some(layer) => {
            let mut character = session.character();
            if let Some(weights) = &character.weights {
                character.weights = Some(layer.applied(weights, &asset, &character, options.influences)?);
            }
            asset.with_edited_rig(&character, &session.origins())?
        }
    };
    let report = EditReport {
        input: asset.input().to_owned(),
        output: None,
        method: options.method.name(),
        vertices: asset.character().mesh.positions.len(),
        joints: asset.joint_count(),
        prepared_milliseconds: prepared,
        steps: reports,
        difference_to_whole,
        file_warnings: asset.warnings(),
    };
    Ok(Edited {
        asset,
        weights,
        report,
    })
}

/// What a session made of a character, in its document.
pub fn finished(asset: Asset, session: &Session) -> Result<(Asset, Weights), AppError> {
    asset.with_edited_rig(&session.character(), &session.origins())
}

fn milliseconds_since(start: Duration, task: &Task<'_>) -> f64 {
    task.now().saturating_sub(start).as_secs_f64() * 1e3
}

/// One entry of a script, its vertices the source's own.
pub fn step(
    session: &mut Session,
    asset: &Asset,
    value: &Value,
    task: &Task<'_>,
) -> Result<EditResult, AppError> {
    let steps = steps_of(std::slice::from_ref(value), asset)?;
    let mut done = EditResult::default();
    for (name, step) in &steps {
        done = do_step(session, 0, name, step, task)?;
        done.changed_vertices = asset.source_vertices(&done.changed_vertices);
    }
    Ok(done)
}

fn do_step(
    session: &mut Session,
    number: usize,
    name: &str,
    step: &Step,
    task: &Task<'_>,
) -> Result<EditResult, AppError> {
    match step {
        Step::Edit(command) => match session.apply(command, task) {
            Ok(done) => Ok(done),
            Err(EditError::Bind(BindError::Cancelled(cancelled))) => Err(cancelled.into()),
            Err(error) => Err(bad_step(number, name, error)),
        },
        Step::Undo => session
            .undo()
            .ok_or_else(|| bad_step(number, name, "there is nothing to undo")),
        Step::Redo => session
            .redo()
            .ok_or_else(|| bad_step(number, name, "there is nothing to do again")),
    }
}

fn bad_step(number: usize, command: &str, problem: impl std::fmt::Display) -> AppError {
    AppError::Step {
        number: number + 1,
        command: command.to_owned(),
        problem: problem.to_string(),
    }
}

fn steps_of(script: &[Value], asset: &Asset) -> Result<Vec<(String, Step)>, AppError> {
    let mut steps = Vec::new();
    for (number, value) in script.iter().enumerate() {
        let name = value.get("command").and_then(Value::as_str).unwrap_or("?");
        let step = match name {
            "undo" => Step::Undo,
            "redo" => Step::Redo,
            _ => {
                let command = command_of(value, asset).map_err(|p| bad_step(number, name, p))?;
                Step::Edit(Box::new(command))
            }
        };
        steps.push((name.to_owned(), step));
    }
    Ok(steps)
}

/// A command of a script; its vertices are then the document's.
pub fn command_of(value: &Value, asset: &Asset) -> Result<Command, String> {
    let command = serde_json::from_value(value.clone()).map_err(|e| e.to_string())?;
    of_document(command, asset).map_err(|e| e.to_string())
}

/// A command that numbers the source's vertices, as one that numbers the document's.
fn of_document(mut command: Command, asset: &Asset) -> Result<Command, AppError> {
    if let Command::AddRegion { of, .. } | Command::RemoveRegion { of } = &mut command {
        *of = asset.vertex_set(of)?;
    }
    Ok(command)
}

/// Reads a script: a JSON list of commands.
pub fn script_from(text: &str) -> Result<Vec<Value>, serde_json::Error> {
    serde_json::from_str(text)
}
