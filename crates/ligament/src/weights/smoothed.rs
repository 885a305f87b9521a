//! Weights smoothed along the surface by a length.

use std::sync::Arc;

use glam::DVec3;

use super::{Replacing, replaced};
use crate::character::Weights;
use crate::geometry::{Diffusion, Laplacian};
use crate::task::{Cancelled, Task};

/// What is smoothed, and how far.
#[derive(Debug, Clone, Copy)]
pub struct SmoothingRegion<'a> {
    /// The length by which weights are evened out, in the surface's unit.
    pub length: f64,
    /// For each point whether it may change; all if none.
    pub points: Option<&'a [bool]>,
    /// For each joint whether it keeps its weight.
    pub locked_joints: Option<&'a [bool]>,
    /// The most influences that a point has afterwards, at least 1.
    pub influences: usize,
}

/// Smooths weights of a surface's points. Points that may not change hold what is around them and stay to the bit.
pub fn smoothed(
    weights: &Weights,
    laplacian: &Arc<Laplacian>,
    points: &[DVec3],
    region: &SmoothingRegion<'_>,
    task: &Task<'_>,
) -> Result<Weights, Cancelled> {
    if region.length <= 0.0 {
        return Ok(weights.clone());
    }
    let may_change = |p: usize| region.points.is_none_or(|r| r[p]);
    let lengths: Vec<f64> = (0..points.len())
        .map(|p| if may_change(p) { region.length } else { 0.0 })
        .collect();
    let joints = weights
        .influences()
        .iter()
        .map(|i| i.joint.at() + 1)
        .max()
        .unwrap_or(0);
    let rows = Diffusion::new(laplacian, points, &lengths).of(weights, joints, task)?;
    let smooth = Weights::in_parallel(weights.vertex_count(), 8, |range, builder| {
        for point in range {
            // What is too small to be smoothed may leave a row empty.
            if builder.push(rows.of(point)).is_err() {
                builder.push_valid(weights.of_vertex(point));
            }
        }
        Ok(())
    })?;
    Ok(replaced(
        weights,
        &smooth,
        &Replacing {
            vertices: region.points,
            kept_joints: region.locked_joints,
            influences: region.influences,
            ..Replacing::default()
        },
    ))
}
