//! The methods under test, and the one place where this suite calls them.

use ligament::Character;
use ligament::bind::cells::{FitOptions, bind_by_field, fit_character};
use ligament::bind::{BindError, BindOptions, Bound, DeformChoice, VoxelOptions, method, methods};
use ligament::solid::Resolution;
use ligament::task::Task;

use crate::validator::check_weights;

/// What is asked of a method besides its own settings.
#[derive(Debug, Clone)]
pub struct Request {
    pub influences: usize,
    pub deform: DeformChoice,
    /// Weights under this are dropped.
    pub prune: f32,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            influences: 4,
            deform: DeformChoice::All,
            prune: BindOptions::default().floor,
        }
    }
}

impl Request {
    pub fn with_influences(influences: usize) -> Self {
        Self {
            influences,
            ..Self::default()
        }
    }

    /// All weights that a method finds. Which of two nearly equal ones is kept, or whether one
    /// is just under a threshold, is decided by rounding.
    pub fn everything() -> Self {
        Self {
            influences: usize::MAX,
            prune: 0.0,
            ..Self::default()
        }
    }

    /// As the library takes it. Voxels are few: promises hold at any resolution.
    fn options(&self, preset: Option<&str>) -> BindOptions {
        BindOptions {
            influences: self.influences,
            deform: self.deform.clone(),
            floor: self.prune,
            preset: preset.map(str::to_owned),
            voxel: VoxelOptions {
                resolution: Resolution::Voxels(32),
                ..VoxelOptions::default()
            },
            ..BindOptions::default()
        }
    }
}

/// One method in one form.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    pub name: &'static str,
    preset: Option<&'static str>,
    /// Whether symmetric characters get symmetric weights. A fit promises nothing of the kind:
    /// it begins at random sites.
    pub symmetric: bool,
    /// Whether weights change gradually from place to place. They jump where only the nearest
    /// bone and its neighbours share: at a border, rounding decides which bone that is.
    pub continuous: bool,
}

/// Every method of the registry, and every published form that one of them has.
pub fn all() -> Vec<Method> {
    let plain = methods().iter().map(|m| (m.name(), None));
    let forms = [
        ("voxel", Some("2014")),
        ("voxel", Some("2013")),
        ("heat", Some("2007")),
        ("heat", Some("blender")),
        ("cells", Some("paper")),
    ];
    plain
        .chain(forms)
        .map(|(name, preset)| Method {
            name,
            preset,
            symmetric: name != "cells",
            continuous: name != "hierarchy",
        })
        .collect()
}

impl Method {
    /// The name with the form, for messages.
    pub fn label(&self) -> String {
        match self.preset {
            Some(preset) => format!("{} {preset}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// Binds, and checks what comes of it.
    pub fn bind(
        &self,
        character: &Character,
        request: &Request,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let options = request.options(self.preset);
        let bound = if self.name == "cells" {
            self.cells(character, &options, task)?
        } else {
            method(self.name).unwrap().bind(character, &options, task)?
        };
        check_weights(&self.label(), character, request, &bound);
        Ok(bound)
    }

    /// As the method does, with few steps: a fit keeps its promises after any number.
    fn cells(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let whole = FitOptions::of_preset(self.preset)?;
        let short = FitOptions {
            guided_steps: whole.guided_steps.min(3),
            steps: 4,
            pose_pool: 6,
            poses_per_step: 2,
            points_per_step: 300,
            ..whole
        };
        let fitted = fit_character(character, options, &short, None, task)?;
        bind_by_field(character, &fitted.field, options, task)
    }
}
