//! A character's skin at one moment, as a plain mesh.

use std::path::PathBuf;

use ligament::Character;
use ligament::character::PartAttachment;
use ligament::deform::{Deformed, deform};
use ligament::task::Task;
use ligament_io::gltf::build;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::motion::{Moment, Skinning};
use crate::points::{self, is_cloud};

/// What to pose, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PoseRequest {
    /// What to open; it has weights. Points without faces (`.ply`) have a skeleton from another file.
    pub asset: AssetRequest,
    /// Where to write; the input's name with `_posed.glb` (`.ply` for points), beside it, if none.
    pub output: Option<PathBuf>,
    /// For points: take their weights from this field instead of their own.
    pub field: Option<PathBuf>,
    /// The pose; the middle of the first clip by default.
    pub moment: Moment,
    /// How the skin follows the bones.
    pub skinning: Skinning,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PoseReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written.
    pub output: PathBuf,
    /// Vertices.
    pub vertices: usize,
    /// How many of them are splats, whose shapes moved too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splats: Option<usize>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Opens and poses.
pub fn run(request: &PoseRequest, task: &Task<'_>) -> Result<PoseReport, AppError> {
    if is_cloud(&request.asset.input) {
        return points::pose(request, task);
    }
    run_on(&Asset::open(&request.asset, task)?, request, task)
}

/// The skin at that moment; vertices are the document's.
pub fn posed(asset: &Asset, request: &PoseRequest, task: &Task<'_>) -> Result<Deformed, AppError> {
    let character = asset.character();
    character.mesh.check()?;
    let weights = asset.weights()?;
    let clip = request.moment.clip(character, true)?;
    let pose = request.moment.pose(character, clip.as_deref());
    task.step("posing", 0.0)?;
    Ok(deform(character, weights, &pose, request.skinning.into())?)
}

/// Poses what is open.
pub fn run_on(asset: &Asset, request: &PoseRequest, task: &Task<'_>) -> Result<PoseReport, AppError> {
    let output = request
        .output
        .clone()
        .unwrap_or_else(|| asset.default_output("posed.glb"));
    asset.refuse_as_output(&output)?;
    if request.field.is_some() {
        return Err(AppError::FieldForPoints);
    }
    let character = asset.character();
    let deformed = posed(asset, request, task)?;
    let mut mesh = character.mesh.clone();
    mesh.positions = deformed.positions;
    mesh.normals = Some(deformed.normals);
    mesh.corner_normals = None;
    for part in &mut mesh.parts {
        part.attachment = PartAttachment::Skin; // nothing carries it any more
        part.joints = None;
    }
    let posed = Character {
        name: character.name.clone(),
        mesh,
        ..Character::default()
    };
    task.check()?;
    build(&posed)?.document.save(&output)?;
    Ok(PoseReport {
        input: asset.input().to_owned(),
        output,
        vertices: posed.mesh.positions.len(),
        splats: None,
        file_warnings: asset.warnings(),
    })
}
