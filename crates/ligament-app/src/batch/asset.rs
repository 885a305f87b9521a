//! What the process of one asset does after its verb: reads the output back, and measures it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ligament::character::PartAttachment;
use ligament::task::Task;
use ligament_io::registry::format_of;
use serde::{Deserialize, Serialize};

use super::manifest::{ErrorClass, Measures, Worst};
use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::check::{self, CheckRequest};

/// How far a vertex's weights may be from one in sum: half floats and bytes round.
const SUM: f32 = 0.02;

/// What the process of one asset is asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssetJob {
    /// The arguments of the command line, the verb first.
    pub command: Vec<String>,
    /// The folder that its outputs are in.
    pub outputs: PathBuf,
    /// Whether the verb prints its output instead of writing it.
    pub prints: bool,
    /// Whether outputs must hold weights.
    pub weights: bool,
    /// Whether those are measured.
    pub measure: bool,
    /// Where the result goes.
    pub result: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssetResult {
    /// Why it failed; none if it did not.
    pub class: Option<ErrorClass>,
    /// The same in words.
    pub error: Option<String>,
    /// How good it is, if that was asked for.
    pub measures: Option<Measures>,
    /// The most memory that the process held, in bytes.
    pub peak: Option<u64>,
}

impl AssetResult {
    /// A failure.
    pub fn failed(class: ErrorClass, error: impl Into<String>) -> Self {
        Self {
            class: Some(class),
            error: Some(error.into()),
            ..Self::default()
        }
    }
}

/// Reads back what a verb wrote, and measures it.
pub fn finish(job: &AssetJob, task: &Task<'_>) -> AssetResult {
    let result = match read_back(job, task) {
        Ok(measures) => AssetResult {
            measures,
            ..AssetResult::default()
        },
        Err(error) => AssetResult::failed(ErrorClass::Output, error),
    };
    AssetResult {
        peak: super::process::memory_of(std::process::id()),
        ..result
    }
}

fn read_back(job: &AssetJob, task: &Task<'_>) -> Result<Option<Measures>, String> {
    if job.prints {
        return Ok(None); // what is printed is looked at by who started this process
    }
    let files =
        super::outputs::files_in(&job.outputs).map_err(|e| format!("the output cannot be read back: {e}"))?;
    if files.is_empty() {
        return Err("it ended well and wrote nothing".to_owned());
    }
    let mut measures = None;
    for file in &files {
        let Some(asset) = opened(file, task)? else {
            continue;
        };
        if job.weights && format_of(file).is_ok_and(|f| f.holds_characters()) {
            complete(&asset)?;
            if job.measure && measures.is_none() {
                measures = measured(&asset, task);
            }
        }
    }
    Ok(measures)
}

/// The character of a file; `None` for files that belong to another or hold none.
fn opened(file: &Path, task: &Task<'_>) -> Result<Option<Asset>, String> {
    let length = file.metadata().map_err(|e| e.to_string())?.len();
    if length == 0 {
        return Err(format!("an output is empty: {}", name_of(file)));
    }
    if !format_of(file).is_ok_and(|f| f.holds_characters()) {
        return Ok(None);
    }
    let input = file
        .to_str()
        .ok_or_else(|| "an output's name is no Unicode".to_owned())?;
    Asset::open(&AssetRequest::of(input), task)
        .map(Some)
        .map_err(|e| format!("the output cannot be read back: {e}"))
}

fn name_of(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Every vertex of skin has weights that sum to one.
fn complete(asset: &Asset) -> Result<(), String> {
    let weights = asset.weights().map_err(|e| e.to_string())?;
    let mesh = &asset.character().mesh;
    let mut skinned = vec![false; mesh.positions.len()];
    for part in mesh.parts.iter().filter(|p| p.attachment == PartAttachment::Skin) {
        for vertex in mesh.triangles[part.triangles.clone()].iter().flatten() {
            skinned[*vertex as usize] = true;
        }
    }
    for vertex in (0..skinned.len()).filter(|&v| skinned[v]) {
        let sum: f32 = weights.of_vertex(vertex).iter().map(|i| i.weight).sum();
        if (sum - 1.0).abs().is_nan() || (sum - 1.0).abs() > SUM {
            return Err(format!(
                "the weights of vertex {vertex} of the output sum to {sum}"
            ));
        }
    }
    Ok(())
}

/// What `check` says; none where nothing can be posed.
fn measured(asset: &Asset, task: &Task<'_>) -> Option<Measures> {
    let report = check::run_on(asset, &CheckRequest::default(), task).ok()?;
    let worst = report.report.regions.first().map(|region| Worst {
        joint: region.name.clone(),
        measure: region.worst.name().to_owned(),
        vertex: region.vertex,
        severity: region.severity,
    });
    let values: BTreeMap<String, f64> = report
        .report
        .findings
        .iter()
        .map(|finding| (finding.measure.name().to_owned(), finding.value))
        .collect();
    Some(Measures {
        headline: report.headline,
        score: report.report.score,
        values,
        worst,
    })
}

/// The class of an error, for those who count.
pub fn class_of(error: &AppError) -> ErrorClass {
    match error {
        AppError::BadValue { .. }
        | AppError::UnknownMethod(_)
        | AppError::UnknownOption(_)
        | AppError::UnknownPreset { .. }
        | AppError::PreparedBefore { .. }
        | AppError::UnknownEnding { .. }
        | AppError::BadChoice { .. }
        | AppError::Deform(_) => ErrorClass::Usage,
        AppError::Open { .. }
        | AppError::Folder { .. }
        | AppError::Sample(_)
        | AppError::Read { .. }
        | AppError::Json { .. }
        | AppError::Gltf(_)
        | AppError::Mesh(_) => ErrorClass::Input,
        AppError::Write(_) | AppError::SaveGltf(_) | AppError::SaveUsd(_) => ErrorClass::Write,
        _ => ErrorClass::Content,
    }
}
