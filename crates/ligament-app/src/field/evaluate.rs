//! Weights of a field at the vertices of a mesh, in their number and order, or at points.

use std::path::{Path, PathBuf};

use glam::{DAffine3, DVec3, Vec3};
use ligament::bind::cells::{CellField, Evaluator};
use ligament::character::{Joint, Transform};
use ligament::task::Task;
use ligament::{JointIndex, Skeleton};
use ligament_io::atomic::{refuse_overwriting_input, write_file};
use ligament_io::open::write_weights;
use ligament_io::registry::{is_point_list, weights_written_as};
use serde::{Deserialize, Serialize};

use super::open_field;
use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::points::{is_cloud, positions};

/// What to evaluate, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluateRequest {
    /// A `.cells` file.
    pub field: PathBuf,
    /// A mesh of any format, `sample:NAME`, or a PLY of points or splats, or a `.csv`, `.txt`
    /// or `.xyz` file with x, y, z a line.
    pub points: String,
    /// Where to write: `.csv`, `.npz`, `.json`, `.xml` or `.txt`.
    pub output: PathBuf,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvaluateReport {
    /// How many points: a row for each vertex of the source, in its order.
    pub points: usize,
    /// The most joints that a point follows.
    pub max_influences: usize,
    /// The file that was written.
    pub output: PathBuf,
}

/// Evaluates a field and writes the weights.
pub fn run(request: &EvaluateRequest, task: &Task<'_>) -> Result<EvaluateReport, AppError> {
    let output = &request.output;
    let unknown = |source| AppError::UnknownEnding {
        path: output.clone(),
        source,
    };
    weights_written_as(output).map_err(unknown)?; // before the work, not after it
    refuse_overwriting_input(Path::new(&request.points), output)?;
    refuse_overwriting_input(&request.field, output)?;
    let field = open_field(&request.field)?;
    let points = points_of(&request.points, task)?;
    let joints: Vec<Option<JointIndex>> = (0..field.cells.len() as u16)
        .map(|c| Some(JointIndex(c)))
        .collect();
    let weights = Evaluator::new(&field).weights_at(&points, &joints, |_| None, task)?;
    let bytes = write_weights(output, &weights, &joints_of(&field)).map_err(unknown)?;
    task.check()?;
    write_file(output, &bytes)?;
    Ok(EvaluateReport {
        points: points.len(),
        max_influences: weights.max_influences(),
        output: output.clone(),
    })
}

/// Weights without a character still need their joints' names.
fn joints_of(field: &CellField) -> Skeleton {
    let joints = field.cells.iter().map(|cell| {
        let at = Vec3::from(cell.origin).as_dvec3() * field.size + field.centre;
        Joint {
            name: cell.joint.clone(),
            parent: None,
            rest: Transform::from_translation(at),
            bind_from_joint: DAffine3::from_translation(at),
            in_skin: true,
        }
    });
    Skeleton {
        joints: joints.collect(),
    }
}

/// The source's own vertices, or the points of a text file.
fn points_of(input: &str, task: &Task<'_>) -> Result<Vec<Vec3>, AppError> {
    let path = Path::new(input);
    if !is_point_list(path) {
        if is_cloud(input) {
            return positions(path);
        }
        let asset = Asset::open(&AssetRequest::of(input), task)?;
        return Ok(asset.source_positions().to_vec());
    }
    let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match point_of(line) {
            Some(point) => points.push(point),
            None if number == 0 => {} // a heading
            None => {
                return Err(AppError::NotAPoint {
                    path: path.to_owned(),
                    line: number + 1,
                });
            }
        }
    }
    Ok(points)
}

fn point_of(line: &str) -> Option<Vec3> {
    let numbers: Vec<f64> = line
        .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
        .filter(|w| !w.is_empty())
        .map_while(|w| w.parse().ok())
        .take(3)
        .collect();
    match numbers[..] {
        [x, y, z] => Some(DVec3::new(x, y, z))
            .filter(|p| p.is_finite())
            .map(|p| p.as_vec3()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_three_finite_numbers() {
        assert_eq!(point_of("1, 2;3 4"), Some(Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(point_of("x,y,z"), None);
        assert_eq!(point_of("1 2"), None);
        assert_eq!(point_of("1 2 inf"), None);
    }
}
