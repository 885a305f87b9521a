//! What a character is made of and what is wrong with it.

use ligament::bind::{JointGuess, guess_joints};
use ligament::inspect::{InspectOptions, Inspection};
use ligament::skin::Skin;
use ligament::task::Task;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};

/// What to inspect.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InspectRequest {
    /// What to open.
    pub asset: AssetRequest,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InspectReport {
    /// What the user calls it.
    pub input: String,
    /// Facts, counted.
    #[serde(flatten)]
    pub found: Inspection,
    /// Which joints a bind would take to move skin, and why; none without a skeleton or skin.
    pub deform_joints: Vec<JointGuess>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

impl InspectReport {
    /// Whether the weights in the file are faulty: NaN, not normalised, on joints that do not
    /// exist, missing, or different for vertices in one place. Open edges and the like are
    /// facts of a mesh, not faults.
    pub fn is_faulty(&self) -> bool {
        let torn = self.found.weights.as_ref().is_some_and(|w| w.torn_vertices > 0);
        let fault = |w: &FileWarning| matches!(w, FileWarning::Gltf(w) if w.is_fault());
        torn || self.file_warnings.iter().any(fault)
    }
}

/// Opens and inspects.
pub fn run(request: &InspectRequest, task: &Task<'_>) -> Result<InspectReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, task)
}

/// Inspects what is open.
pub fn run_on(asset: &Asset, task: &Task<'_>) -> Result<InspectReport, AppError> {
    let found = ligament::inspect::inspect(asset.character(), &InspectOptions::default(), task)?;
    let skin = found
        .skeleton
        .as_ref()
        .and_then(|_| Skin::new(asset.character().clone()).ok());
    Ok(InspectReport {
        input: asset.input().to_owned(),
        found,
        deform_joints: skin.as_ref().map_or_else(Vec::new, guess_joints),
        file_warnings: asset.warnings(),
    })
}
