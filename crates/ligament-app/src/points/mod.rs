//! Points without faces, Gaussian splats among them: bound by a field, posed, and kept in all their properties.
//!
//! They come as PLY and go as PLY. A bound file has the properties `joint_0`, `weight_0`, `joint_1` … more, and names its joints
//! in comments, so that it can be posed by any file with a skeleton that has them.

mod bind;
mod pose;
mod weigh;

use std::path::{Path, PathBuf};

use glam::{DAffine3, Vec3};
use ligament::character::Mesh;
use ligament::{Character, JointIndex, Weights};
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::import::{FileWarning, ImportWarning};
use ligament_io::open::OpenError;
use ligament_io::ply::{Changes, MovedProperties, NewNumber, PointFile, is_points};
use ligament_io::registry::ending;

pub use bind::bind;
pub use pose::pose;

use crate::AppError;
use crate::asset::{AssetRequest, in_file, take_rig};

/// Comments of a bound file begin so; then come the joint's number and its name.
const JOINT_COMMENT: &str = "ligament joint ";

/// Whether an input is a PLY of points without faces.
pub fn is_cloud(input: &str) -> bool {
    let path = Path::new(input);
    ending(path) == "ply" && std::fs::read(path).is_ok_and(|bytes| is_points(&bytes))
}

/// Where the points of a PLY are.
pub(crate) fn positions(path: &Path) -> Result<Vec<Vec3>, AppError> {
    let bytes = std::fs::read(path).map_err(|e| AppError::read(path, e))?;
    let read = PointFile::read(&bytes).and_then(|file| file.positions());
    read.map_err(|e| in_file(path)(OpenError::Import(e)))
}

/// A cloud that is open, with what was asked to go with it.
struct Cloud {
    path: PathBuf,
    /// Other files that were read, which no output may replace.
    files: Vec<PathBuf>,
    bytes: Vec<u8>,
    /// The points as a mesh without faces, where the skeleton is; and the skeleton.
    character: Character,
    /// From the file's own space to the skeleton's.
    placing: DAffine3,
    warnings: Vec<FileWarning>,
}

impl Cloud {
    fn open(request: &AssetRequest) -> Result<Self, AppError> {
        let path = PathBuf::from(&request.input);
        let bytes = std::fs::read(&path).map_err(|e| AppError::read(&path, e))?;
        let file = PointFile::read(&bytes).map_err(|e| in_file(&path)(OpenError::Import(e)))?;
        let placing = request.placing()?;
        let positions = file
            .positions()
            .map_err(|e| in_file(&path)(OpenError::Import(e)))?;
        let positions = (positions.iter())
            .map(|p| placing.transform_point3(p.as_dvec3()).as_vec3())
            .collect();
        let name = path
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut character = Character {
            mesh: Mesh::single_part(&name, positions, Vec::new()),
            name,
            ..Character::default()
        };
        let mut warnings = Vec::new();
        take_rig(&mut character, request, &mut warnings)?;
        if MovedProperties::of(&file).leaves_colours() {
            warnings.push(FileWarning::Import(ImportWarning {
                code: "colours_not_turned",
                message: "the colours by direction are of no whole degree from 1 to 3 and do not turn"
                    .to_owned(),
            }));
        }
        let files = [&request.skeleton, &request.motion];
        Ok(Self {
            files: files.into_iter().flatten().cloned().collect(),
            path,
            bytes,
            character,
            placing,
            warnings,
        })
    }

    fn file(&self) -> Result<PointFile<'_>, AppError> {
        PointFile::read(&self.bytes).map_err(|e| in_file(&self.path)(OpenError::Import(e)))
    }

    /// Fails if nothing could move the points.
    fn refuse_without_skeleton(&self) -> Result<(), AppError> {
        if self.character.skeleton.joints.is_empty() {
            return Err(AppError::PointsWithoutSkeleton);
        }
        Ok(())
    }

    /// The output that was asked for, or one beside the input.
    fn output(&self, asked: Option<&PathBuf>, suffix: &str) -> Result<PathBuf, AppError> {
        let beside = || {
            self.path
                .with_file_name(format!("{}_{suffix}.ply", self.character.name))
        };
        let output = asked.cloned().unwrap_or_else(beside);
        for file in std::iter::once(&self.path).chain(&self.files) {
            refuse_overwriting_input(file, &output)?;
        }
        Ok(output)
    }

    /// The file with weights in every row.
    fn with_weights(&self, weights: &Weights) -> Result<Vec<u8>, AppError> {
        let file = self.file()?;
        let most = weights.max_influences();
        let skeleton = &self.character.skeleton;
        let used = used_joints(weights, skeleton.joints.len());
        let left_out = file
            .properties()
            .filter(|name| is_weight(name))
            .map(str::to_owned);
        let changes = Changes {
            left_out: left_out.collect(),
            added: (0..most)
                .flat_map(|k| {
                    [
                        (format!("joint_{k}"), NewNumber::U16),
                        (format!("weight_{k}"), NewNumber::F32),
                    ]
                })
                .collect(),
            left_out_comments: Some(JOINT_COMMENT),
            comments: (skeleton.joints.iter().enumerate().zip(&used))
                .filter(|(_, used)| **used)
                .map(|((k, joint), _)| {
                    format!("{JOINT_COMMENT}{k} {}", joint.name.replace(['\n', '\r'], " "))
                })
                .collect(),
        };
        let own = file.properties().count();
        let written = file.rewritten(&changes, |point, row| {
            let influences = weights.of_vertex(point);
            for k in 0..most {
                // Slots that a point does not use repeat its first joint, as engines like it.
                let (joint, weight) = match influences.get(k) {
                    Some(i) => (i.joint, i.weight),
                    None => (influences.first().map_or(JointIndex(0), |i| i.joint), 0.0),
                };
                row[own + 2 * k] = f64::from(joint.0);
                row[own + 2 * k + 1] = f64::from(weight);
            }
        });
        written.map_err(|e| in_file(&self.path)(OpenError::Import(e)))
    }
}

/// For each joint whether a point follows it.
fn used_joints(weights: &Weights, joints: usize) -> Vec<bool> {
    let mut used = vec![false; joints];
    for influence in weights.influences() {
        used[influence.joint.at()] = true;
    }
    used
}

fn is_weight(property: &str) -> bool {
    let number = property
        .strip_prefix("joint_")
        .or_else(|| property.strip_prefix("weight_"));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
