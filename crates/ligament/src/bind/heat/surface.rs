//! What a binding keeps when its bones may move: everything but sources and systems.

use std::sync::Arc;

use rayon::prelude::*;

use super::form::HeatForm;
use super::inside::Inside;
use super::skin::HeatSkin;
use super::sources::{Found, Obstacle, Scene};
use crate::linear::EliminationOrder;
use crate::surface::Laplacian;

/// Positions that a thread looks at together.
const CHUNK: usize = 128;

/// A skin in the default form of heat. Its bones, and who may follow which, may be
/// replaced.
#[derive(Debug)]
pub(crate) struct HeatSurface {
    pub skin: HeatSkin,
    pub laplacian: Arc<Laplacian>,
    pub areas: Vec<f64>,
    pub inside: Inside,
    pub order: Arc<EliminationOrder>,
}

impl HeatSurface {
    /// The sources of some positions.
    pub fn sources_at(&self, positions: &[u32], magnitudes: &[f64]) -> Vec<Found> {
        let form = HeatForm::default();
        let contains = |p| self.inside.contains(p);
        let allowed = |position: usize| self.skin.allowed_at(position);
        let scene = Scene {
            points: &self.skin.points,
            normals: &self.inside.normals,
            bones: &self.skin.bones,
            allowed: &allowed,
            magnitudes,
            diagonal: self.skin.body.diagonal,
            obstacle: Obstacle::Outside {
                inside: &contains,
                step: self.inside.step(),
            },
        };
        positions
            .par_chunks(CHUNK)
            .flat_map_iter(|chunk| {
                let mut scratch = Vec::new();
                let found = chunk
                    .iter()
                    .map(|&p| scene.sources_of(p as usize, &form, &mut scratch));
                found.collect::<Vec<_>>()
            })
            .collect()
    }
}
