//! The slow half of a bind, kept; the fast half again and again.

use super::best::BestBinding;
use super::biharmonic::BiharmonicBinding;
use super::cells::{CellField, evaluate_field};
use super::heat::HeatBinding;
use super::proximity::{self, ProximityOptions};
use super::rules::Rules;
use super::voxel::{LiveBinding, VoxelBinding, VoxelEvaluation};
use super::{BindError, BindOptions, BindResult, BindWarning};
use crate::skin::Skin;
use crate::task::{Stage, Task};

/// What a method has prepared for one skin. It owns all that it needs, so a server or an editor can keep it, and gives
/// new weights at once when influences, prune threshold, locks, regions, poses or falloff change.
#[derive(Debug)]
pub struct Prepared {
    pub(super) skin: Skin,
    /// The skin that the engine works on: the same, or one of fewer points.
    pub(super) bound: Skin,
    pub(super) engine: Engine,
    pub(super) notes: Notes,
}

/// What is reported of a piece of work beside its result.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// What was guessed.
    pub warnings: Vec<BindWarning>,
    /// Where the time went.
    pub stages: Vec<Stage>,
}

/// What each method keeps.
#[derive(Debug)]
pub(super) enum Engine {
    Best(Box<BestBinding>),
    Voxel(Box<LiveBinding>, VoxelEvaluation),
    Heat(Box<HeatBinding>),
    Biharmonic(Box<BiharmonicBinding>),
    Field(Box<CellField>),
    Closest(ProximityOptions),
    Hierarchy(ProximityOptions),
}

impl Prepared {
    /// A binding that was prepared before, ready for a skin in its volume: the same character, another level of detail,
    /// an injured version.
    pub fn with_voxels(
        binding: impl Into<std::sync::Arc<VoxelBinding>>,
        skin: &Skin,
        options: &BindOptions,
        evaluation: VoxelEvaluation,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let mut watch = task.stopwatch();
        let live = LiveBinding::new(binding, skin, options, task)?;
        watch.lap("reach");
        Ok(Self {
            skin: skin.clone(),
            bound: skin.clone(),
            engine: Engine::Voxel(Box::new(live), evaluation),
            notes: Notes {
                stages: watch.stages(),
                ..Notes::default()
            },
        })
    }

    /// A field that was fitted before, to this character, another level of detail or the body under a garment.
    pub fn with_field(field: CellField, skin: &Skin) -> Self {
        Self {
            skin: skin.clone(),
            bound: skin.clone(),
            engine: Engine::Field(Box::new(field)),
            notes: Notes::default(),
        }
    }

    /// The skin that it is for.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// What was guessed while preparing.
    pub fn warnings(&self) -> &[BindWarning] {
        &self.notes.warnings
    }

    /// Where the time of preparing went.
    pub fn stages(&self) -> &[Stage] {
        &self.notes.stages
    }

    /// The voxels and distances, if the method has any.
    pub fn voxels(&self) -> Option<&VoxelBinding> {
        match &self.engine {
            Engine::Voxel(live, _) => Some(live.binding()),
            Engine::Best(best) => Some(best.voxel.binding()),
            _ => None,
        }
    }

    /// Gives the voxels and distances away, if the method has any.
    pub fn into_voxels(self) -> Option<VoxelBinding> {
        match self.engine {
            Engine::Voxel(live, _) => Some(live.into_binding()),
            _ => None,
        }
    }

    /// The weights in the solid, if the method is biharmonic.
    pub fn biharmonic(&self) -> Option<&BiharmonicBinding> {
        match &self.engine {
            Engine::Biharmonic(binding) => Some(binding),
            _ => None,
        }
    }

    /// The field, if the method has one.
    pub fn field(&self) -> Option<&CellField> {
        match &self.engine {
            Engine::Field(field) => Some(field),
            _ => None,
        }
    }

    /// How fast weights fall with the distance through the solid, from 0 (smooth) to 1 (sharp), from now on; the default
    /// if none. Only methods that go by voxels have one.
    pub fn set_falloff(&mut self, falloff: Option<f64>) -> Result<(), BindError> {
        if let Some(value) = falloff.filter(|f| !(0.0..=1.0).contains(f)) {
            return Err(BindError::OutOfRange {
                option: "the falloff",
                range: "from 0 to 1",
                value,
            });
        }
        let method = self.method_name();
        let evaluation = match &mut self.engine {
            Engine::Voxel(_, evaluation) => evaluation,
            Engine::Best(best) => &mut best.evaluation,
            _ => {
                let setting = "falloff";
                return Err(BindError::NoSuchSetting { method, setting });
            }
        };
        evaluation.falloff = falloff;
        Ok(())
    }

    /// The weights before a prior corrects them, if the method has one.
    pub fn evaluate_recipes(
        &self,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Option<BindResult>, BindError> {
        match &self.engine {
            Engine::Best(best) => best.evaluate_with(None, &self.bound, options, task).map(Some),
            _ => Ok(None),
        }
    }

    fn method_name(&self) -> &'static str {
        match self.engine {
            Engine::Best(_) => "best",
            Engine::Voxel(..) => "voxel",
            Engine::Heat(_) => "heat",
            Engine::Biharmonic(_) => "biharmonic",
            Engine::Field(_) => "cells",
            Engine::Closest(_) => "closest",
            Engine::Hierarchy(_) => "hierarchy",
        }
    }

    /// The fast half: weights for every vertex. What [`Prepared::warnings`] and [`Prepared::stages`] tell is not
    /// repeated.
    pub fn evaluate(&self, options: &BindOptions, task: &Task<'_>) -> Result<BindResult, BindError> {
        let rules = || Rules::of(&self.bound, options);
        match &self.engine {
            Engine::Best(best) => best.evaluate(&self.bound, options, task),
            Engine::Voxel(live, evaluation) => live.evaluate(rules()?, *evaluation, task),
            Engine::Heat(binding) => binding.evaluate(rules()?, task),
            Engine::Biharmonic(binding) => binding.evaluate(rules()?, task),
            Engine::Field(field) => evaluate_field(field, rules()?, task),
            Engine::Closest(own) => proximity::closest(rules()?, own, task),
            Engine::Hierarchy(own) => proximity::hierarchy(rules()?, own, task),
        }
    }
}
