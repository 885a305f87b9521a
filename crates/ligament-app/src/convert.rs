//! From any format to any other, and mesh, skeleton, motion and weights put together.

use std::path::PathBuf;

use ligament::Weights;
use ligament::task::Task;
use ligament_io::gltf::VrmMeta;
use ligament_io::import::FileWarning;
use ligament_io::open::open_weights;
use ligament_io::registry::Written;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest, in_file};
use crate::save::{JsonHolds, WeightFormat, save, wanted};

/// What to convert, and into what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConvertRequest {
    /// What to open.
    pub asset: AssetRequest,
    /// Take the weights from this file: `.xml`, `.json`, `.csv`, `.npz`, `.txt` or `.dmat`.
    pub weights: Option<PathBuf>,
    /// Where to write; the ending says what.
    pub output: PathBuf,
    /// Leave out of a glTF file what nothing in it refers to.
    pub compact: bool,
    /// What is said about the work in a `.vrm`.
    pub vrm: VrmMeta,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConvertReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written.
    pub output: PathBuf,
    /// Vertices of the document.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Joints that skin can follow.
    pub joints: usize,
    /// Clips.
    pub clips: usize,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Opens and converts.
pub fn run(request: &ConvertRequest, task: &Task<'_>) -> Result<ConvertReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, request, task)
}

/// Converts what is open.
pub fn run_on(asset: &Asset, request: &ConvertRequest, task: &Task<'_>) -> Result<ConvertReport, AppError> {
    let output = &request.output;
    asset.refuse_as_output(output)?;
    wanted(output, JsonHolds::Skeleton)?;
    let asset = &asset.for_output(output, &request.vrm)?;
    let character = asset.character();
    let given = match &request.weights {
        None => None,
        Some(path) => {
            let rows = asset.source_positions().len();
            let alone = open_weights(path, &character.skeleton, rows).map_err(in_file(path))?;
            Some(asset.handed_out(&alone))
        }
    };
    task.step("writing", 0.0)?;
    write(asset, given.as_ref(), WeightFormat::Keep, request)?;
    Ok(ConvertReport {
        input: asset.input().to_owned(),
        output: output.clone(),
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        joints: asset.joint_count(),
        clips: character.clips.len(),
        file_warnings: asset.warnings(),
    })
}

/// Writes what is open as the request's output, with these weights instead of its own if there are any.
pub fn write(
    asset: &Asset,
    given: Option<&Weights>,
    format: WeightFormat,
    request: &ConvertRequest,
) -> Result<(), AppError> {
    let output = &request.output;
    let written = wanted(output, JsonHolds::Skeleton)?;
    if !request.compact {
        // Weights that the document has already stay as they are; only others are put in.
        let own = asset
            .character()
            .weights
            .as_ref()
            .filter(|_| written != Written::Gltf);
        return save(asset, given.or(own), format, output, JsonHolds::Skeleton);
    }
    if written != Written::Gltf {
        return Err(AppError::bad_value(
            "compact",
            "needs an output that ends in .glb, .gltf or .vrm",
            output.display(),
        ));
    }
    let document = match given {
        Some(weights) => asset.gltf().with_weights(weights, format)?,
        None => asset.gltf().document().clone(),
    };
    Ok(document.compacted().save(output)?)
}
