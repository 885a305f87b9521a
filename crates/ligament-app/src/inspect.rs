//! What a character is made of and what is wrong with it.

use ligament::inspect::{InspectOptions, Inspection};
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
    Ok(InspectReport {
        input: asset.input().to_owned(),
        found,
        file_warnings: asset.warnings(),
    })
}
