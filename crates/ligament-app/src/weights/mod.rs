//! The tools around weights that a file has: mirrored, smoothed, pruned, limited, copied, merged; several in one run.

mod picture;
mod step;

use std::path::PathBuf;

use ligament::Weights;
use ligament::skin::Skin;
use ligament::task::Task;
use ligament::weights::weight_distance;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::save::{JsonHolds, WeightFormat, output_of, save_with_joints};
pub use step::{
    LimitBy, LimitReport, MeasureChange, MirrorFrom, PairBy, RepairReport, StepNotes, WeightStep,
};

/// What to do to weights.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeightsRequest {
    /// What to open; it has weights.
    pub asset: AssetRequest,
    /// Where to write, as for binding; the input's name with `_weights.glb`, beside it, if none.
    pub output: Option<PathBuf>,
    /// What to do, in this order.
    pub steps: Vec<WeightStep>,
    /// How weights are stored.
    pub store: WeightFormat,
    /// Draw the weights before and after to a PNG.
    pub picture: Option<PathBuf>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeightsReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written.
    pub output: PathBuf,
    /// Vertices of the document.
    pub vertices: usize,
    /// The most joints that a vertex follows.
    pub max_influences: usize,
    /// What each step did.
    pub steps: Vec<StepReport>,
    /// The time that passed, in milliseconds, reading not included.
    pub milliseconds: f64,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepReport {
    /// Its verb.
    pub verb: &'static str,
    /// How many vertices changed.
    pub changed: usize,
    /// How much of the weight of these moved to other joints, on average, from 0 to 1.
    pub moved: f64,
    /// What there is to say beside that.
    #[serde(flatten)]
    pub notes: StepNotes,
}

/// Opens, does, writes.
pub fn run(request: &WeightsRequest, task: &Task<'_>) -> Result<WeightsReport, AppError> {
    run_on(Asset::open(&request.asset, task)?, request, task)
}

/// The same for what is open.
pub fn run_on(asset: Asset, request: &WeightsRequest, task: &Task<'_>) -> Result<WeightsReport, AppError> {
    let start = task.now();
    let output = output_of(&asset, request.output.as_ref(), "weights.glb", JsonHolds::Weights)?;
    let (weights, steps) = changed(&asset, request, task)?;
    task.check()?;
    let report = WeightsReport {
        input: asset.input().to_owned(),
        vertices: asset.character().mesh.positions.len(),
        max_influences: weights.max_influences(),
        file_warnings: asset.warnings(),
        output: output.clone(),
        steps,
        milliseconds: 0.0,
    };
    let skeleton = asset.character().skeleton.clone();
    save_with_joints(asset, &skeleton, &weights, request.store, &output)?;
    Ok(WeightsReport {
        milliseconds: task.now().saturating_sub(start).as_secs_f64() * 1e3,
        ..report
    })
}

/// How many vertices differ, and by how much on average.
/// The weights after all steps, and what each did; a picture is drawn if one is asked for.
pub fn changed(
    asset: &Asset,
    request: &WeightsRequest,
    task: &Task<'_>,
) -> Result<(Weights, Vec<StepReport>), AppError> {
    if request.steps.is_empty() {
        return Err(AppError::bad_value("steps", "are at least one", "none"));
    }
    let skin = Skin::new(asset.character().clone())?;
    let before = asset.weights()?;
    let mut weights = before.clone();
    let mut steps = Vec::new();
    for step in &request.steps {
        let (after, notes) = step.carry_out(asset, &skin, &weights, task)?;
        let (changed, moved) = difference(&weights, &after);
        steps.push(StepReport {
            verb: step.verb(),
            changed,
            moved,
            notes,
        });
        weights = after;
    }
    if let Some(picture) = &request.picture {
        asset.refuse_as_output(picture)?;
        picture::draw(asset.character(), before, &weights, picture)?;
    }
    Ok((weights, steps))
}

fn difference(before: &Weights, after: &Weights) -> (usize, f64) {
    let rows = before.iter().zip(after.iter()).filter(|(a, b)| a != b);
    let (mut changed, mut sum) = (0, 0.0);
    for (a, b) in rows {
        changed += 1;
        sum += weight_distance(a, b);
    }
    (changed, sum / changed.max(1) as f64)
}
