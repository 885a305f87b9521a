//! Weights for settings: what was prepared is kept, so that sliders are fast and undo is at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use ligament::bind::{BindError, BindResult, BindWarning, Method, Prepared};
use ligament::skin::Skin;
use ligament::task::{Stage, Task};
use ligament::{Pose, Weights};
use ligament_app::AppError;
use ligament_app::asset::Asset;
use ligament_app::bind::prepare;

use crate::state::BindSettings;

/// Prepared bindings that are kept; voxels at 256 take some hundred megabytes.
const MOST_PREPARED: usize = 3;
/// Bytes of weights that are kept.
const MOST_BYTES: usize = 1 << 30;

/// Weights and how they came about.
#[derive(Debug)]
pub struct BoundSkin {
    /// For each vertex of the character.
    pub weights: Weights,
    /// What was guessed.
    pub warnings: Vec<BindWarning>,
    /// Where the time went.
    pub stages: Vec<Stage>,
}

/// A prepared binding that a job and the desk may both hold.
pub type Shared = Arc<Mutex<Prepared>>;

/// What was found so far for one character.
#[derive(Default)]
pub struct Binder {
    prepared: VecDeque<(BindSettings, Shared)>,
    bound: VecDeque<(BindSettings, Arc<BoundSkin>)>,
}

impl Binder {
    /// The weights of settings, if they are kept.
    pub fn kept(&mut self, settings: &BindSettings) -> Option<Arc<BoundSkin>> {
        let found = self.bound.iter().position(|(s, _)| s == settings)?;
        let entry = self.bound.remove(found)?;
        let bound = entry.1.clone();
        self.bound.push_back(entry);
        Some(bound)
    }

    /// What is prepared for settings.
    pub fn prepared(&mut self, settings: &BindSettings) -> Option<Shared> {
        let key = settings.prepared_by();
        let found = self.prepared.iter().position(|(s, _)| *s == key)?;
        let entry = self.prepared.remove(found)?;
        let shared = entry.1.clone();
        self.prepared.push_back(entry);
        Some(shared)
    }

    /// Keeps what was prepared.
    pub fn keep_prepared(&mut self, settings: &BindSettings, prepared: Shared) {
        let key = settings.prepared_by();
        self.prepared.retain(|(s, _)| *s != key);
        self.prepared.push_back((key, prepared));
        if self.prepared.len() > MOST_PREPARED {
            self.prepared.pop_front();
        }
    }

    /// Keeps weights, and drops those that were not asked for longest.
    pub fn keep(&mut self, settings: &BindSettings, bound: Arc<BoundSkin>) {
        self.bound.retain(|(s, _)| s != settings);
        self.bound.push_back((settings.clone(), bound));
        let size = |b: &Arc<BoundSkin>| 8 * b.weights.influences().len() + 4 * b.weights.vertex_count();
        while self.bound.len() > 1 && self.bound.iter().map(|(_, b)| size(b)).sum::<usize>() > MOST_BYTES {
            self.bound.pop_front();
        }
    }
}

/// The slow half.
pub fn prepared_for(asset: &Asset, settings: &BindSettings, task: &Task<'_>) -> Result<Prepared, AppError> {
    let request = settings.request()?;
    asset.refuse_without_skeleton()?;
    let method = request.chosen_method()?;
    let options = request.bind_options(asset)?;
    Ok(prepare(asset.character(), &request, &method, &options, task)?.0)
}

/// The fast half; falloffs that follow a joint are taken in `pose`.
pub fn evaluated(
    asset: &Asset,
    shared: &Shared,
    settings: &BindSettings,
    pose: Option<Pose>,
    task: &Task<'_>,
) -> Result<BoundSkin, AppError> {
    let request = settings.request()?;
    request.chosen_method()?;
    let mut options = request.bind_options(asset)?;
    options.pose = pose;
    let mut prepared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if has_falloff(&settings.method) {
        prepared.set_falloff(settings.options.falloff)?;
    }
    let BindResult {
        weights,
        mut warnings,
        stages,
    } = prepared.evaluate(&options, task)?;
    for warning in prepared.warnings() {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    let stages = prepared.stages().iter().cloned().chain(stages).collect();
    Ok(BoundSkin {
        weights,
        warnings,
        stages,
    })
}

/// Weights of another mesh in the volume that voxels were found for: another level of detail, an injured version.
pub fn bound_in_same_volume(
    asset: &Asset,
    shared: &Shared,
    settings: &BindSettings,
    task: &Task<'_>,
) -> Result<Weights, AppError> {
    let request = settings.request()?;
    asset.refuse_without_skeleton()?;
    let Method::Voxel(own) = request.chosen_method()? else {
        return Err(AppError::BadValue {
            option: "the method",
            rule: "is voxel for other meshes in the same volume".to_owned(),
            found: settings.method.clone(),
        });
    };
    let options = request.bind_options(asset)?;
    let binding = {
        let prepared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        prepared.voxels().cloned()
    };
    let binding = binding.ok_or(AppError::BadValue {
        option: "the method",
        rule: "has voxels".to_owned(),
        found: settings.method.clone(),
    })?;
    let skin = Skin::new(asset.character().clone()).map_err(BindError::from)?;
    let prepared = Prepared::with_voxels(binding, &skin, &options, own.evaluation(), task)?;
    Ok(prepared.evaluate(&options, task)?.weights)
}

/// Whether a method has the slider.
pub fn has_falloff(method: &str) -> bool {
    ["best", "voxel"].contains(&method)
}
