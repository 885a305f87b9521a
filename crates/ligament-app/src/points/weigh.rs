//! Weights of a cloud by a field.

use ligament::bind::cells::{CellField, Evaluator};
use ligament::bind::{BindError, BindOptions, BindWarning};
use ligament::task::Task;
use ligament::{JointIndex, Weights};

use super::Cloud;
use crate::AppError;

/// What the field says at every point, for the joints that the skeleton has and the options choose.
pub(super) fn weights_by_field(
    cloud: &Cloud,
    field: CellField,
    options: &BindOptions,
    task: &Task<'_>,
) -> Result<(Weights, Vec<BindWarning>), AppError> {
    let skeleton = &cloud.character.skeleton;
    // The field says which joints move points; there is no mesh to guess from.
    let chosen = options.deform.resolve_stated(skeleton, None)?;
    let (joints, warnings) = field.joints_in(skeleton).map_err(BindError::from)?;
    let taking_part = |joint: Option<JointIndex>| joint.filter(|j| chosen[j.at()]);
    let joints: Vec<Option<JointIndex>> = joints.into_iter().map(taking_part).collect();
    let mut fewer = field;
    fewer.influences = fewer.influences.min(options.influences);
    let positions = &cloud.character.mesh.positions;
    let weights = Evaluator::new(&fewer).weights_at(positions, &joints, |_| None, task)?;
    let weights = if options.prune > 0.0 {
        weights.pruned(options.prune)
    } else {
        weights
    };
    Ok((weights, warnings))
}
