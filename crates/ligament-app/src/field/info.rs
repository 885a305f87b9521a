//! What is in a field.

use std::path::PathBuf;

use ligament::bind::cells::CellField;
use serde::{Deserialize, Serialize};

use super::open_field;
use crate::AppError;

/// Which field to tell of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InfoRequest {
    /// A `.cells` file.
    pub field: PathBuf,
}

/// What is in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InfoReport {
    /// The most joints that a point follows.
    pub influences: usize,
    /// How many cells it has.
    pub cells: usize,
    /// How many sites they have together.
    pub sites: usize,
    /// The middle of the cube that it was fitted in.
    pub centre: [f64; 3],
    /// The side of that cube.
    pub size: f64,
    /// Voxels in which distances carry detours; 0 where they are straight.
    pub detour_voxels: usize,
    /// Faces of the surface that it was fitted to, beside which it weighs as on it; 0 where it has none.
    pub surface_faces: usize,
    /// The joint of each cell.
    pub joints: Vec<String>,
    /// How fast each cell's weight falls.
    pub falloffs: Vec<f64>,
}

/// Opens a field and tells of it.
pub fn run(request: &InfoRequest) -> Result<InfoReport, AppError> {
    Ok(info(&open_field(&request.field)?))
}

/// What is in a field that is open.
pub fn info(field: &CellField) -> InfoReport {
    InfoReport {
        influences: field.influences,
        cells: field.cells.len(),
        sites: field.cells.iter().map(|c| c.sites.len()).sum(),
        centre: field.centre.to_array(),
        size: field.size,
        detour_voxels: field.detour().map_or(0, |d| d.voxels().len()),
        surface_faces: field.surface.as_ref().map_or(0, |s| s.faces().len()),
        joints: field.cells.iter().map(|c| c.joint.clone()).collect(),
        falloffs: field.cells.iter().map(|c| f64::from(c.falloff)).collect(),
    }
}
