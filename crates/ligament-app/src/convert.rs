//! From any format to any other, and mesh, skeleton, motion and weights put together.

use std::path::PathBuf;

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
    let written = wanted(output, JsonHolds::Skeleton)?;
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
    // Weights that the document has already stay as they are; only others are put in.
    let own = character.weights.as_ref().filter(|_| written != Written::Gltf);
    task.step("writing", 0.0)?;
    if request.compact {
        if written != Written::Gltf {
            return Err(AppError::bad_value(
                "compact",
                "needs an output that ends in .glb, .gltf or .vrm",
                output.display(),
            ));
        }
        let document = match &given {
            Some(weights) => asset.gltf().with_weights(weights, WeightFormat::Keep)?,
            None => asset.gltf().document().clone(),
        };
        document.compacted().save(output)?;
    } else {
        save(
            asset,
            given.as_ref().or(own),
            WeightFormat::Keep,
            output,
            JsonHolds::Skeleton,
        )?;
    }
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
