//! Weights for points, by a field.

use std::time::Duration;

use ligament::bind::Locks;
use ligament::task::{Stage, Task};
use ligament_io::atomic::{refuse_overwriting_input, write_file};
use ligament_io::open::write_weights;
use ligament_io::registry::{ending, weights_written_as};

use super::weigh::weights_by_field;
use super::{Cloud, used_joints};
use crate::AppError;
use crate::bind::{BindReport, BindRequest, passed};
use crate::field::open_field;

/// Binds a PLY of points by the field that the request names, and writes it with all its properties and its weights, or the
/// weights alone.
pub fn bind(request: &BindRequest, task: &Task<'_>) -> Result<BindReport, AppError> {
    let start = task.now();
    let Some(path) = &request.field else {
        return Err(AppError::PointsWithoutField);
    };
    refuse_what_needs_faces(request)?;
    let cells = BindRequest {
        method: Some(request.method.clone().unwrap_or_else(|| "cells".to_owned())),
        ..request.clone()
    };
    let method = cells.chosen_method()?;
    task.step("reading", 0.0)?;
    let cloud = Cloud::open(&request.asset)?;
    cloud.refuse_without_skeleton()?;
    let output = cloud.output(request.output.as_ref(), "bound")?;
    refuse_overwriting_input(path, &output)?;
    let as_ply = ending(&output) == "ply";
    if !as_ply && weights_written_as(&output).is_err() {
        return Err(AppError::PointsAsPly { path: output });
    }
    let field = open_field(path)?;
    let character = &cloud.character;
    let options = request.bind_options_by(character, |set| Ok(set.clone()))?;
    let read = task.now();
    let (weights, warnings) = weights_by_field(&cloud, field, &options, task)?;
    let weighed = task.now();
    let mut watch = task.stopwatch();
    let bytes = if as_ply {
        cloud.with_weights(&weights)?
    } else {
        write_weights(&output, &weights, &character.skeleton).map_err(|source| AppError::UnknownEnding {
            path: output.clone(),
            source,
        })?
    };
    task.check()?;
    write_file(&output, &bytes)?;
    watch.lap("write");
    let stage = |name, from: Duration, to: Duration| Stage {
        name,
        time: to.saturating_sub(from),
    };
    let stages = [stage("read", start, read), stage("weigh", read, weighed)];
    let points = character.mesh.positions.len();
    let used = used_joints(&weights, character.skeleton.joints.len());
    Ok(BindReport {
        input: request.asset.input.clone(),
        output: Some(output),
        method: method.name(),
        vertices: points,
        triangles: 0,
        joints: character.skeleton.joints.iter().filter(|j| j.in_skin).count(),
        deform_joints: used.iter().filter(|&&used| used).count(),
        max_influences: weights.max_influences(),
        mean_influences: weights.influences().len() as f64 / points.max(1) as f64,
        stages: stages.into_iter().chain(watch.stages()).collect(),
        milliseconds: passed(Duration::ZERO, start, task),
        file_warnings: cloud.warnings,
        bind_warnings: warnings,
        explained: Vec::new(),
    })
}

/// Fails at options that only a surface, or weights that are there, can carry out.
fn refuse_what_needs_faces(request: &BindRequest) -> Result<(), AppError> {
    let given = [
        ("regions", !request.regions.is_empty()),
        ("locks", request.locks != Locks::default()),
        ("hand_edits", request.hand_edits.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(AppError::NotForPoints { option }),
        None => Ok(()),
    }
}
