//! Closest in hierarchy: the nearest joint and its neighbours in the hierarchy share.
//!
//! The other baseline of every package (Maya's "closest in hierarchy"). As in
//! [`super::Closest`] weights fall with a power of the straight distance, but only the
//! joint whose bones are nearest, its parent and its children take part: an arm beside the
//! body shares nothing with the body, since shoulder and hip are no neighbours. Joints that
//! do not take part are stepped over. Where the nearest bone is the wrong one, all of it
//! is wrong.

use super::closest::{bind_by_distance, nearest_first};
use super::{BindError, BindOptions, Bound, Method};
use crate::character::{Character, JointIndex, Skeleton};
use crate::task::Task;

/// The method `hierarchy`.
pub struct Hierarchy;

impl Method for Hierarchy {
    fn name(&self) -> &'static str {
        "hierarchy"
    }

    fn summary(&self) -> &'static str {
        "the nearest joint, its parent and its children share, 1/d⁴; no bleeding between limbs"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let skeleton = &character.skeleton;
        bind_by_distance(self.name(), character, options, task, |p, bones, allowed| {
            let mut joints = nearest_first(p, bones, allowed);
            if let Some(&(_, nearest)) = joints.first() {
                let above = |j| taking_part_above(skeleton, allowed, j);
                let parent = above(nearest);
                joints.retain(|&(_, j)| j == nearest || Some(j) == parent || above(j) == Some(nearest));
            }
            joints
        })
    }
}

/// The nearest joint above that a position may follow.
fn taking_part_above(skeleton: &Skeleton, allowed: &[bool], joint: JointIndex) -> Option<JointIndex> {
    let mut above = skeleton.joint(joint).parent;
    while let Some(at) = above.filter(|j| !allowed[j.at()]) {
        above = skeleton.joint(at).parent;
    }
    above
}
