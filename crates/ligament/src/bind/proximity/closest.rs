//! Closest distance: weights fall with a power of the straight distance to each joint's bones, by default the fourth.
//!
//! The baseline that Dionne and de Lasa (2014) compare with. It bleeds across every gap: an arm beside the body, two
//! fingers, two legs.

use super::{ProximityOptions, bind_by_distance, nearest_first};
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindResult};
use crate::task::Task;

/// Weights by the distances to all joints.
pub(in crate::bind) fn closest(
    rules: Rules<'_>,
    options: &ProximityOptions,
    task: &Task<'_>,
) -> Result<BindResult, BindError> {
    bind_by_distance(rules, options.power, task, nearest_first)
}
