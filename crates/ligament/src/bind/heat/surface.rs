//! What a binding keeps when its bones may move: everything but sources and systems.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::domain::HeatDomain;
use super::form::HeatForm;
use super::groups::Groups;
use super::inside::Inside;
use super::sources::{HeatSource, Obstacle, Scene};
use crate::character::{Bone, JointIndex};
use crate::geometry::Laplacian;

/// Groups that a thread looks at together.
const GROUPS_AT_ONCE: usize = 8;

/// A skin in the default form of heat. Its bones, and who may follow which, may be
/// replaced.
#[derive(Debug)]
pub(crate) struct HeatSurface {
    pub domain: HeatDomain,
    pub laplacian: Arc<Laplacian>,
    pub areas: Vec<f64>,
    pub inside: Inside,
    pub groups: Groups,
}

/// What the sources of a group's positions have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Extent {
    /// All joints that are a source of one of them.
    joints: SmallVec<[JointIndex; 8]>,
    /// The highest cost.
    highest_cost: f64,
}

impl HeatSurface {
    /// The sources of positions where they may be others since bones of `changed` joints are, or
    /// of all positions if none are given: where a changed joint was a source, and where one of
    /// their bones could come at most as costly as what was found, without regard to what is in
    /// the way. `extents` are those of all groups.
    pub fn sources_again(
        &self,
        changed: Option<&[bool]>,
        found: &[HeatSource],
        extents: &[Extent],
        magnitudes: &[f64],
    ) -> Vec<(u32, HeatSource)> {
        let contains = |p| self.inside.contains(p);
        let allowed = |position: usize| self.domain.masks.at(position);
        let is_changed = |joint: &JointIndex| changed.is_none_or(|changed| changed[joint.at()]);
        let mut moved = self.domain.bones.clone();
        moved.retain(|b| is_changed(&b.joint));
        let of_moved = self.scene(&moved, magnitudes, &allowed, &contains);
        let scene = self.scene(&self.domain.bones, magnitudes, &allowed, &contains);
        let again = |(extent, index): (&Extent, u32)| {
            let (ball, members) = (self.groups.ball(index), self.groups.members(index));
            let near = of_moved.cost_bounds_within(ball, extent.highest_cost);
            if near.is_empty() && !extent.joints.iter().any(is_changed) {
                return Vec::new();
            }
            let may_differ = |position: &u32| {
                let found = &found[*position as usize];
                changed.is_none()
                    || found.joints.iter().any(is_changed)
                    || of_moved.is_within_reach(*position as usize, &near, found.cost)
            };
            let positions = members.iter().copied().filter(may_differ);
            scene.sources_in(ball, positions, &HeatForm::default())
        };
        let indices = 0..extents.len() as u32;
        // Groups that are concerned lie together: large shares of the list would be uneven.
        let groups = extents.par_iter().zip(indices).with_max_len(GROUPS_AT_ONCE);
        groups.flat_map_iter(again).collect()
    }

    /// What the sources of all groups have in common.
    pub fn extents(&self, found: &[HeatSource]) -> Vec<Extent> {
        (0..self.groups.len() as u32)
            .map(|index| self.extent(index, found))
            .collect()
    }

    /// Brings the groups of some positions up to date.
    pub fn refresh_extents(&self, positions: &[u32], found: &[HeatSource], extents: &mut [Extent]) {
        let mut indices: Vec<u32> = positions.iter().map(|&p| self.groups.group_of(p)).collect();
        indices.sort_unstable();
        indices.dedup();
        for index in indices {
            extents[index as usize] = self.extent(index, found);
        }
    }

    fn extent(&self, index: u32, found: &[HeatSource]) -> Extent {
        let mut extent = Extent::default();
        for &position in self.groups.members(index) {
            let found = &found[position as usize];
            extent.highest_cost = extent.highest_cost.max(found.cost);
            for joint in &found.joints {
                if !extent.joints.contains(joint) {
                    extent.joints.push(*joint);
                }
            }
        }
        extent
    }

    fn scene<'a>(
        &'a self,
        bones: &'a [Bone],
        magnitudes: &'a [f64],
        allowed: &'a (dyn Fn(usize) -> &'a [bool] + Sync),
        inside: &'a (dyn Fn(DVec3) -> bool + Sync),
    ) -> Scene<'a> {
        Scene {
            points: self.domain.skin.points(),
            normals: &self.inside.normals,
            bones,
            allowed,
            magnitudes,
            diagonal: self.domain.skin.diagonal(),
            obstacle: Obstacle::Outside {
                inside,
                step: self.inside.step(),
            },
        }
    }
}
