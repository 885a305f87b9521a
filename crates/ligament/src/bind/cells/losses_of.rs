//! What any weights cost by the losses of a fit: what methods are compared by.

use glam::DAffine3;

use super::batch::Batch;
use super::domain::FitDomain;
use super::losses::{LossWeights, Losses, Measure, Rows};
use crate::character::Weights;
use crate::task::{Cancelled, Task};

/// The losses of any weights of a bind's positions over poses (`world_from_bind` per
/// joint): what methods are compared by.
pub fn losses_of(
    domain: &FitDomain,
    per_position: &Weights,
    poses: &[Vec<DAffine3>],
    influences: usize,
    weights: &LossWeights,
    task: &Task<'_>,
) -> Result<Losses, Cancelled> {
    let mut rows = Rows {
        starts: vec![0],
        ..Rows::default()
    };
    for row in per_position.iter() {
        for i in row {
            if let Ok(cell) = domain.joints.binary_search(&i.joint) {
                rows.cells.push(cell as u16);
                rows.weights.push(f64::from(i.weight));
            }
        }
        rows.starts.push(rows.cells.len() as u32);
    }
    let moves: Vec<Vec<DAffine3>> = poses.iter().map(|pose| domain.moves(pose)).collect();
    let moves: Vec<&[DAffine3]> = moves.iter().map(Vec::as_slice).collect();
    let measure = Measure {
        domain,
        weights: *weights,
        influences,
        targets: None,
        body: None,
    };
    measure.losses(&Batch::whole(domain), &rows, &moves, None, task)
}
