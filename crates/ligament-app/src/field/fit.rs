//! A field of cells fitted to a character.

use std::path::PathBuf;

use ligament::bind::cells::{FitReport, Fitted, Guidance, fit_character};
use ligament::bind::{BindError, BindOptions};
use ligament::skin::Skin;
use ligament::task::Task;
use ligament_io::atomic::write_file;
use ligament_io::cells;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::bind_request::{deform_choice, influence_count};
use crate::method_options::MethodOptions;

/// What to fit, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FitRequest {
    /// What to open; it has a skeleton.
    pub asset: AssetRequest,
    /// Where to write; the input's name with `_field.cells`, beside it, if none.
    pub output: Option<PathBuf>,
    /// The most joints that a point follows, 1 to 64.
    pub influences: usize,
    /// Joints that take part, as for binding.
    pub deform: Vec<String>,
    /// Options of the method cells.
    pub options: MethodOptions,
}

impl Default for FitRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            output: None,
            influences: BindOptions::default().influences,
            deform: Vec::new(),
            options: MethodOptions::default(),
        }
    }
}

/// What was fitted.
#[derive(Debug, Clone, Serialize)]
pub struct FieldFitReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written.
    pub output: PathBuf,
    /// Its size.
    pub bytes: usize,
    /// How many cells the field has.
    pub cells: usize,
    /// How the fit went.
    #[serde(flatten)]
    pub report: FitReport,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Opens and fits.
pub fn run(request: &FitRequest, task: &Task<'_>) -> Result<FieldFitReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, request, task)
}

/// Fits to what is open, and writes the field.
pub fn run_on(asset: &Asset, request: &FitRequest, task: &Task<'_>) -> Result<FieldFitReport, AppError> {
    let output = request
        .output
        .clone()
        .unwrap_or_else(|| asset.default_output("field.cells"));
    asset.refuse_as_output(&output)?;
    let fitted = fitted(asset, request, task)?;
    let bytes = cells::write(&fitted.field);
    task.check()?;
    write_file(&output, &bytes)?;
    Ok(FieldFitReport {
        input: asset.input().to_owned(),
        output,
        bytes: bytes.len(),
        cells: fitted.field.cells.len(),
        report: fitted.report,
        file_warnings: asset.warnings(),
    })
}

/// Fits to what is open, and writes nothing.
pub fn fitted(asset: &Asset, request: &FitRequest, task: &Task<'_>) -> Result<Fitted, AppError> {
    let options = BindOptions {
        influences: influence_count(request.influences)?,
        deform: deform_choice(&request.deform)?,
        ..BindOptions::default()
    };
    let own = request.options.fit()?;
    asset.refuse_without_skeleton()?;
    let guidance = match request.options.guide {
        Some(strength) => Some(Guidance::everywhere(asset.weights()?.clone(), strength)),
        None => None,
    };
    let skin = Skin::new(asset.character().clone()).map_err(BindError::from)?;
    Ok(fit_character(&skin, &options, &own, guidance.as_ref(), task)?)
}
