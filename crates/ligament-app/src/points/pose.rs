//! Points at one moment of a clip: every property as it was, but for those that move.

use std::path::Path;

use ligament::bind::BindOptions;
use ligament::character::{Influence, WeightsBuilder};
use ligament::deform::blended_transforms;
use ligament::task::Task;
use ligament::{JointIndex, Weights};
use ligament_io::atomic::{refuse_overwriting_input, write_file};
use ligament_io::open::OpenError;
use ligament_io::ply::{Changes, MovedProperties, PointFile};
use ligament_io::registry::ending;

use super::weigh::weights_by_field;
use super::{Cloud, JOINT_COMMENT};
use crate::AppError;
use crate::asset::in_file;
use crate::field::open_field;
use crate::pose::{PoseReport, PoseRequest};

/// Poses a PLY of points by the weights that it holds, or by a field.
pub fn pose(request: &PoseRequest, task: &Task<'_>) -> Result<PoseReport, AppError> {
    task.step("reading", 0.0)?;
    let cloud = Cloud::open(&request.asset)?;
    cloud.refuse_without_skeleton()?;
    let output = cloud.output(request.output.as_ref(), "posed")?;
    if ending(&output) != "ply" {
        return Err(AppError::PointsAsPly { path: output });
    }
    let file = cloud.file()?;
    let weights = match &request.field {
        Some(path) => {
            refuse_overwriting_input(path, &output)?;
            by_field(&cloud, path, task)?
        }
        None => own_weights(&cloud, &file)?,
    };
    let character = &cloud.character;
    let clip = request.moment.clip(character, true)?;
    let pose = request.moment.pose(character, clip.as_deref());
    task.step("posing", 0.0)?;
    let moves = pose.world_from_bind(&character.skeleton);
    let maps = blended_transforms(&weights, &character.skeleton, &moves, request.skinning.into())?;
    let back = cloud.placing.inverse();
    let moved = MovedProperties::of(&file);
    let bytes = file.rewritten(&Changes::default(), |point, row| {
        moved.apply(&(back * maps[point] * cloud.placing), row);
    });
    let bytes = bytes.map_err(|e| in_file(&cloud.path)(OpenError::Import(e)))?;
    task.check()?;
    write_file(&output, &bytes)?;
    Ok(PoseReport {
        input: request.asset.input.clone(),
        output,
        vertices: file.len(),
        splats: moved.are_splats().then_some(file.len()),
        file_warnings: cloud.warnings.clone(),
    })
}

fn by_field(cloud: &Cloud, path: &Path, task: &Task<'_>) -> Result<Weights, AppError> {
    let (weights, _) = weights_by_field(cloud, open_field(path)?, &BindOptions::default(), task)?;
    Ok(weights)
}

/// The weights that `bind` wrote, their joints found by name.
fn own_weights(cloud: &Cloud, file: &PointFile<'_>) -> Result<Weights, AppError> {
    let fault = |problem: String| AppError::PointWeights {
        path: cloud.path.clone(),
        problem,
    };
    let columns: Vec<(usize, usize)> = (0..)
        .map_while(|k| {
            Some((
                file.property(&format!("joint_{k}"))?,
                file.property(&format!("weight_{k}"))?,
            ))
        })
        .collect();
    if columns.is_empty() {
        return Err(AppError::PointsWithoutWeights);
    }
    let skeleton = &cloud.character.skeleton;
    let mut joints: Vec<Option<JointIndex>> = Vec::new();
    for comment in file.comments(JOINT_COMMENT) {
        let named = comment
            .split_once(' ')
            .and_then(|(k, name)| Some((k.parse::<u16>().ok()?, name)));
        let Some((k, name)) = named else {
            return Err(fault(format!("'{comment}' names no joint")));
        };
        let found = skeleton.find(name);
        let Some(joint) = found else {
            return Err(fault(format!("the skeleton has no joint '{name}'")));
        };
        let k = usize::from(k);
        joints.resize(joints.len().max(k + 1), None);
        joints[k] = Some(joint);
    }
    let mut builder = WeightsBuilder::with_capacity(file.len(), columns.len());
    let mut influences = Vec::new();
    let mut bad = None;
    let each = file.each(|point, row| {
        influences.clear();
        for &(joint, weight) in &columns {
            let weight = row[weight] as f32;
            if weight == 0.0 {
                continue;
            }
            match joints.get(row[joint] as usize).copied().flatten() {
                Some(joint) => influences.push(Influence { joint, weight }),
                None => {
                    bad.get_or_insert(format!(
                        "point {point}: no comment names its joint {}",
                        row[joint]
                    ));
                }
            }
        }
        if bad.is_none()
            && let Err(error) = builder.push(&influences)
        {
            bad = Some(error.to_string());
        }
    });
    each.map_err(|e| in_file(&cloud.path)(OpenError::Import(e)))?;
    match bad {
        Some(problem) => Err(fault(problem)),
        None => Ok(builder.finish()),
    }
}
