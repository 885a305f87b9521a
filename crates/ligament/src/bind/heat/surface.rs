//! What a binding keeps when its bones may move: everything but sources and systems.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use super::form::HeatForm;
use super::groups::Groups;
use super::inside::Inside;
use super::skin::HeatSkin;
use super::sources::{Found, Obstacle, Scene};
use crate::character::Bone;
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

impl HeatSurface {
    /// The sources of the positions that are marked, positions ascending.
    pub fn sources_at(&self, marked: &[bool], magnitudes: &[f64]) -> Vec<(u32, Found)> {
        let contains = |p| self.inside.contains(p);
        let allowed = |position: usize| self.skin.allowed_at(position);
        let scene = self.scene(&self.skin.bones, magnitudes, &allowed, &contains);
        let wanted = |&p: &u32| marked[p as usize];
        let concerned: Vec<_> = self.groups.iter().filter(|g| g.0.iter().any(wanted)).collect();
        let mut found: Vec<(u32, Found)> = concerned
            .into_par_iter()
            .flat_map_iter(|(positions, ball)| {
                let positions = positions.iter().copied().filter(wanted);
                scene.sources_in(ball, positions, &HeatForm::default())
            })
            .collect();
        found.sort_unstable_by_key(|f| f.0);
        found
    }

    /// The positions for which one of `bones` could come at most as dear as `costs`, without
    /// regard to what is in the way and to who may follow it.
    pub fn within_reach(&self, bones: &[Bone], costs: &[f64]) -> Vec<u32> {
        let contains = |_| true;
        let allowed = |position: usize| self.skin.allowed_at(position);
        let scene = self.scene(bones, &[], &allowed, &contains);
        let groups: Vec<_> = self.groups.iter().collect();
        groups
            .into_par_iter()
            .with_min_len(16)
            .flat_map_iter(|(positions, ball)| {
                scene.within_reach(ball, positions, costs, &HeatForm::default())
            })
            .collect()
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
