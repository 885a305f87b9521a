//! Closest in hierarchy: the nearest joint and its neighbours in the hierarchy share.
//!
//! Maya's "closest in hierarchy". Weights fall with a power of the straight distance, but only the joint whose bones are
//! nearest, its parent and its children take part: an arm beside the body shares nothing with the body, since shoulder
//! and hip are no neighbours. Joints that do not take part are stepped over. Where the nearest bone is the wrong one, all
//! of it is wrong.

use super::{ProximityOptions, bind_by_distance, nearest_first};
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindResult};
use crate::character::{JointIndex, Skeleton};
use crate::task::Task;

/// Weights by the distances to the nearest joint and its neighbours.
pub(in crate::bind) fn hierarchy(
    rules: Rules<'_>,
    options: &ProximityOptions,
    task: &Task<'_>,
) -> Result<BindResult, BindError> {
    let skeleton = rules.skeleton();
    bind_by_distance(rules, options.power, task, |p, bones, allowed| {
        let mut joints = nearest_first(p, bones, allowed);
        if let Some(&(_, nearest)) = joints.first() {
            let above = |j| taking_part_above(skeleton, allowed, j);
            let parent = above(nearest);
            joints.retain(|&(_, j)| j == nearest || Some(j) == parent || above(j) == Some(nearest));
        }
        joints
    })
}

/// The nearest joint above that a point may follow.
fn taking_part_above(skeleton: &Skeleton, allowed: &[bool], joint: JointIndex) -> Option<JointIndex> {
    let mut above = skeleton.joint(joint).parent;
    while let Some(at) = above.filter(|j| !allowed[j.at()]) {
        above = skeleton.joint(at).parent;
    }
    above
}
