//! The ways to give weights, each with options of its own.

use serde::{Deserialize, Serialize};

use super::best::{BestBinding, BestOptions};
use super::biharmonic::{BiharmonicBinding, BiharmonicOptions};
use super::cells::{FitOptions, fit_character};
use super::heat::{HeatBinding, HeatOptions};
use super::prepared::{Engine, Notes, Prepared};
use super::proximity::ProximityOptions;
use super::rules::Rules;
use super::voxel::{LiveBinding, VoxelOptions};
use super::{BindError, BindOptions, BindResult};
use crate::character::Character;
use crate::skin::Skin;
use crate::task::Task;

/// A way to give weights. [`Method::default`] needs no choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// The mean of voxel and heat, which err in different places; a prior may correct it.
    Best(BestOptions),
    /// Distances through the solid that the mesh encloses.
    Voxel(VoxelOptions),
    /// Heat from the bones that spreads over the skin.
    Heat(HeatOptions),
    /// Bounded biharmonic weights in the solid.
    Biharmonic(BiharmonicOptions),
    /// A field fitted over random poses.
    Cells(FitOptions),
    /// The nearest bones in a straight line.
    Closest(ProximityOptions),
    /// The nearest joint, its parent and its children.
    Hierarchy(ProximityOptions),
}

impl Default for Method {
    fn default() -> Self {
        Self::Best(BestOptions::default())
    }
}

impl Method {
    /// Every method with its default options, the default method first.
    pub fn all() -> [Self; 7] {
        [
            Self::default(),
            Self::Voxel(VoxelOptions::default()),
            Self::Heat(HeatOptions::default()),
            Self::Biharmonic(BiharmonicOptions::default()),
            Self::Cells(FitOptions::default()),
            Self::Closest(ProximityOptions::default()),
            Self::Hierarchy(ProximityOptions::default()),
        ]
    }

    /// The method of that name, with its default options.
    pub fn named(name: &str) -> Result<Self, UnknownMethod> {
        let unknown = || UnknownMethod {
            name: name.to_owned(),
        };
        Self::all()
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(unknown)
    }

    /// What users call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Best(_) => "best",
            Self::Voxel(_) => "voxel",
            Self::Heat(_) => "heat",
            Self::Biharmonic(_) => "biharmonic",
            Self::Cells(_) => "cells",
            Self::Closest(_) => "closest",
            Self::Hierarchy(_) => "hierarchy",
        }
    }

    /// One line for a list of methods.
    pub fn summary(&self) -> &'static str {
        match self {
            Self::Best(_) => {
                "the mean of voxel and heat, which err in different places; takes as long as both"
            }
            Self::Voxel(_) => {
                "distances through the solid that the mesh encloses; for any mesh (presets 2014, 2013)"
            }
            Self::Heat(_) => {
                "heat from the bones spreads over the skin; smooth, binds broken meshes too (presets 2007, blender)"
            }
            Self::Biharmonic(_) => {
                "bounded biharmonic weights in the solid, for any mesh; the smoothest, takes seconds"
            }
            Self::Cells(_) => {
                "a field fitted over random poses so that skin deforms well; sparse by construction, takes seconds (preset paper)"
            }
            Self::Closest(_) => {
                "nearest bone segments in a straight line, 1/d⁴; always answers, bleeds across gaps"
            }
            Self::Hierarchy(_) => {
                "the nearest joint, its parent and its children share, 1/d⁴; no bleeding between limbs"
            }
        }
    }

    /// The slow half: everything that does not change with influences, prune threshold, locks, poses and falloffs. (The
    /// published forms of voxel binding keep the nearest joints alone, as many as `options` ask for: they serve fewer
    /// influences later, not more.)
    pub fn prepare(
        &self,
        skin: &Skin,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Prepared, BindError> {
        let mut notes = Notes::default();
        let bound = self.coarser(skin, options, &mut notes, task);
        let given = skin;
        let skin = bound.as_ref().unwrap_or(given);
        let engine = match self {
            Self::Best(own) => {
                let best = BestBinding::prepare(skin, options, own, &mut notes, task)?;
                Engine::Best(Box::new(best))
            }
            Self::Voxel(own) => {
                let rules = Rules::of(skin, options)?;
                let live = LiveBinding::prepare(&rules, own, &mut notes, task)?;
                Engine::Voxel(Box::new(live), own.evaluation())
            }
            Self::Heat(own) => {
                let rules = Rules::of(skin, options)?;
                Engine::Heat(Box::new(HeatBinding::prepare(&rules, own, &mut notes, task)?))
            }
            Self::Biharmonic(own) => {
                let rules = Rules::of(skin, options)?;
                let binding = BiharmonicBinding::prepare(&rules, own, &mut notes, task)?;
                Engine::Biharmonic(Box::new(binding))
            }
            Self::Cells(own) => {
                let mut watch = task.stopwatch();
                let fitted = fit_character(skin, options, own, None, task)?;
                watch.lap("fit");
                notes.stages.extend(watch.stages());
                Engine::Field(Box::new(fitted.field))
            }
            Self::Closest(own) => Engine::Closest(own.checked()?),
            Self::Hierarchy(own) => Engine::Hierarchy(own.checked()?),
        };
        Ok(Prepared {
            skin: given.clone(),
            bound: skin.clone(),
            engine,
            notes,
        })
    }

    /// A skin of fewer points for methods that solve for all points at once, where there are very many of them. Regions
    /// are drawn point by point and want all of them.
    fn coarser(
        &self,
        skin: &Skin,
        options: &BindOptions,
        notes: &mut Notes,
        task: &Task<'_>,
    ) -> Option<Skin> {
        let solves = matches!(self, Self::Best(_) | Self::Voxel(_) | Self::Heat(_));
        if !solves || !options.regions.is_empty() || skin.len() <= MANY_POINTS {
            return None;
        }
        let mut watch = task.stopwatch();
        let coarser = skin.coarser(FEWER_POINTS);
        watch.lap("fewer points");
        notes.stages.extend(watch.stages());
        coarser
    }

    /// Prepares and evaluates: the weights of every vertex. The weights that the character has now are looked at by
    /// [`DeformChoice::Used`](super::DeformChoice::Used) and by locks alone.
    pub fn bind(&self, skin: &Skin, options: &BindOptions, task: &Task<'_>) -> Result<BindResult, BindError> {
        let prepared = self.prepare(skin, options, task)?;
        let mut result = prepared.evaluate(options, task)?;
        for warning in prepared.notes.warnings {
            if !result.warnings.contains(&warning) {
                result.warnings.push(warning);
            }
        }
        result.stages.splice(0..0, prepared.notes.stages);
        Ok(result)
    }
}

/// Skins of more points are bound by fewer.
const MANY_POINTS: usize = 200_000;
/// About how many. On a body of 248,000 points heat weights differ by 0.039 on the mean for 50,000 points, by 0.026 for
/// 110,000.
const FEWER_POINTS: usize = 100_000;

impl Method {
    /// Binds a character that nobody shares: a copy of it becomes the skin.
    pub fn bind_character(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        self.bind(&Skin::new(character.clone())?, options, task)
    }
}

/// No method has the name that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method '{name}'; choose one of: {}", names())]
pub struct UnknownMethod {
    /// The name asked for.
    pub name: String,
}

fn names() -> String {
    Method::all().map(|m| m.name()).join(", ")
}
