//! Motions of arrays: clips from keyed matrices, and the frames of a check as matrices.

use glam::{DAffine3, DMat4};
use ligament::character::{Channel, Interpolation, Pose, Track, Transform};
use ligament::motion::Frame;
use ligament::{Clip, JointIndex, Skeleton};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{bytes, floats};
use crate::failure::bad_input;

/// Numbers of a matrix.
const MATRIX: usize = 16;

/// A clip from times in seconds and, for each of them, a matrix from every joint to the world (sixteen numbers, rows first).
/// Joints come in the caller's order.
pub fn clip(
    name: String,
    times: &Bound<'_, PyAny>,
    matrices: &Bound<'_, PyAny>,
    skeleton: &Skeleton,
    order: &[JointIndex],
) -> PyResult<Clip> {
    let py = times.py();
    let (times, numbers) = (floats(times, |n| n as f32)?, floats(matrices, |n| n)?);
    if numbers.len() != times.len() * order.len() * MATRIX {
        let what = format!(
            "the clip '{name}' wants a matrix for each of its times and joints: {} times {}",
            times.len(),
            order.len()
        );
        return Err(bad_input(py, what));
    }
    let mut poses = Vec::with_capacity(times.len());
    for moment in numbers.chunks_exact(MATRIX * order.len().max(1)) {
        let mut world = vec![DAffine3::IDENTITY; order.len()];
        for (matrix, joint) in moment.chunks_exact(MATRIX).zip(order) {
            world[joint.at()] = DAffine3::from_mat4(DMat4::from_cols_slice(matrix).transpose());
        }
        poses.push(locals(&world, skeleton));
    }
    let mut tracks = Vec::new();
    for joint in skeleton.indices() {
        for channel in [Channel::Translation, Channel::Rotation, Channel::Scale] {
            let values = poses.iter().flat_map(|pose| {
                let local = pose.locals[joint.at()];
                let numbers = match channel {
                    Channel::Translation => local.translation.extend(0.0).to_array(),
                    Channel::Rotation => local.rotation.to_array(),
                    Channel::Scale => local.scale.extend(0.0).to_array(),
                };
                numbers.into_iter().take(channel.width()).map(|n| n as f32)
            });
            let track = Track {
                joint,
                channel,
                interpolation: Interpolation::Linear,
                times: times.clone(),
                values: values.collect(),
            };
            let wrong = |e| bad_input(py, format!("the clip '{name}' cannot be played: {e}"));
            track.check().map_err(wrong)?;
            tracks.push(track);
        }
    }
    Ok(Clip { name, tracks })
}

/// Each joint as its parent sees it.
fn locals(world: &[DAffine3], skeleton: &Skeleton) -> Pose {
    let local = |joint: JointIndex| {
        let own = world[joint.at()];
        Transform::from_affine(match skeleton.joint(joint).parent {
            Some(parent) => world[parent.at()].inverse() * own,
            None => own,
        })
    };
    Pose {
        locals: skeleton.indices().map(local).collect(),
    }
}

/// A frame for Python: its name, the clip that it is from, the time there in seconds, and for each joint the matrix that moves
/// skin from where it was bound, rows first, as bytes of 64-bit floats.
pub type FrameArrays<'py> = (String, Option<String>, Option<f32>, Bound<'py, PyBytes>);

/// A frame as arrays.
pub fn frame_arrays<'py>(py: Python<'py>, frame: Frame, skeleton: &Skeleton) -> PyResult<FrameArrays<'py>> {
    let moves = frame.pose.world_from_bind(skeleton);
    let numbers: Vec<f64> = moves
        .into_iter()
        .flat_map(|m| DMat4::from(m).transpose().to_cols_array())
        .collect();
    let matrices = bytes(py, &numbers, f64::to_le_bytes)?;
    Ok((frame.name, frame.clip, frame.seconds, matrices))
}
