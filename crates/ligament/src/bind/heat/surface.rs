//! What a binding keeps when its bones may move: everything but sources and systems.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::form::HeatForm;
use super::groups::Groups;
use super::inside::Inside;
use super::skin::HeatSkin;
use super::sources::{Found, Obstacle, Scene};
use crate::character::{Bone, JointIndex};
use crate::surface::Laplacian;

/// A skin in the default form of heat. Its bones, and who may follow which, may be
/// replaced.
#[derive(Debug)]
pub(crate) struct HeatSurface {
    pub skin: HeatSkin,
    pub laplacian: Arc<Laplacian>,
    pub areas: Vec<f64>,
    pub inside: Inside,
    pub groups: Groups,
}

/// Positions of a group whose sources are sought.
#[derive(Debug)]
pub(crate) struct Searched {
    /// Which group.
    number: u32,
    positions: Vec<u32>,
}

/// What the sources of a group's positions have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Extent {
    /// All joints that are a source of one of them.
    joints: SmallVec<[JointIndex; 8]>,
    /// The highest cost.
    dearest: f64,
}

impl HeatSurface {
    /// The sources of some positions, given group by group.
    pub fn sources_at(&self, positions: &[Searched], magnitudes: &[f64]) -> Vec<(u32, Found)> {
        let contains = |p| self.inside.contains(p);
        let allowed = |position: usize| self.skin.allowed_at(position);
        let scene = self.scene(&self.skin.bones, magnitudes, &allowed, &contains);
        let form = HeatForm::default();
        positions
            .par_iter()
            .flat_map_iter(|group| {
                scene.sources_in(
                    self.groups.ball(group.number),
                    group.positions.iter().copied(),
                    &form,
                )
            })
            .collect()
    }

    /// All positions.
    pub fn everywhere(&self) -> Vec<Searched> {
        let groups = 0..self.groups.len() as u32;
        groups
            .map(|number| Searched {
                number,
                positions: self.groups.members(number).to_vec(),
            })
            .collect()
    }

    /// The positions that have a changed joint for a source and those for which one of `bones`
    /// could come at most as dear as what was found, without regard to what is in the way and
    /// to who may follow it. `extents` are those of all groups.
    pub fn within_reach(
        &self,
        bones: &[Bone],
        changed: &[bool],
        found: &[Found],
        extents: &[Extent],
    ) -> Vec<Searched> {
        let contains = |_| true;
        let allowed = |position: usize| self.skin.allowed_at(position);
        let scene = self.scene(bones, &[], &allowed, &contains);
        let of_changed = |joints: &[JointIndex]| joints.iter().any(|j| changed[j.at()]);
        extents
            .par_iter()
            .zip(0..extents.len() as u32)
            .with_min_len(16)
            .filter_map(|(extent, number)| {
                let near = scene.prospects_within(self.groups.ball(number), extent.dearest);
                if near.is_empty() && !of_changed(&extent.joints) {
                    return None;
                }
                let searched = |position: &&u32| {
                    let (at, found) = (**position as usize, &found[**position as usize]);
                    of_changed(&found.joints) || scene.is_within_reach(at, &near, found.cost)
                };
                let positions: Vec<u32> = (self.groups.members(number).iter())
                    .filter(searched)
                    .copied()
                    .collect();
                (!positions.is_empty()).then_some(Searched { number, positions })
            })
            .collect()
    }

    /// What the sources of all groups have in common.
    pub fn extents(&self, found: &[Found]) -> Vec<Extent> {
        (0..self.groups.len() as u32)
            .map(|number| self.extent(number, found))
            .collect()
    }

    /// Brings the groups of some positions up to date.
    pub fn refresh_extents(&self, positions: &[u32], found: &[Found], extents: &mut [Extent]) {
        let mut numbers: Vec<u32> = positions.iter().map(|&p| self.groups.group_of(p)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            extents[number as usize] = self.extent(number, found);
        }
    }

    fn extent(&self, number: u32, found: &[Found]) -> Extent {
        let mut extent = Extent::default();
        for &position in self.groups.members(number) {
            let found = &found[position as usize];
            extent.dearest = extent.dearest.max(found.cost);
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
            points: &self.skin.points,
            normals: &self.inside.normals,
            bones,
            allowed,
            magnitudes,
            diagonal: self.skin.body.diagonal,
            obstacle: Obstacle::Outside {
                inside,
                step: self.inside.step(),
            },
        }
    }
}
