//! Characters made by code: listed, or written to a file.

use std::path::PathBuf;

use ligament::task::Task;
use ligament_io::gltf::build;
use serde::{Deserialize, Serialize};

use crate::AppError;

/// Which sample to write.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SampleRequest {
    /// Its name, with `@N` for about N vertices.
    pub name: String,
    /// Where to write; the name with `.glb` if none.
    pub output: Option<PathBuf>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampleReport {
    /// The file that was written.
    pub output: PathBuf,
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Joints.
    pub joints: usize,
    /// Clips.
    pub clips: usize,
}

/// A sample that there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// About how many vertices it has when none are asked for.
    pub vertices: usize,
    /// What it shows.
    pub description: &'static str,
}

/// All samples.
pub fn list() -> Vec<Listed> {
    let all = ligament::sample::names().iter();
    all.map(|s| Listed {
        name: s.name,
        vertices: s.vertices,
        description: s.description,
    })
    .collect()
}

/// Makes a sample and writes it.
pub fn run(request: &SampleRequest, task: &Task<'_>) -> Result<SampleReport, AppError> {
    task.step("making", 0.0)?;
    let name = request.name.strip_prefix("sample:").unwrap_or(&request.name);
    let character = ligament::sample::make(name)?;
    task.check()?;
    let output = request
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}.glb", name.replace('@', "-"))));
    build(&character)?.document.save(&output)?;
    Ok(SampleReport {
        output,
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        joints: character.skeleton.joints.len(),
        clips: character.clips.len(),
    })
}
