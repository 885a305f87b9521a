//! The methods under test, and the one place where this suite calls them.

use ligament::Character;
use ligament::bind::heat::HeatPreset;
use ligament::bind::voxel::Form;
use ligament::bind::{
    self, BindError, BindOptions, BindResult, DeformChoice, FitOptions, HeatOptions, VoxelOptions,
};
use ligament::skin::Skin;
use ligament::solid::{Resolution, SolidSettings};
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
            prune: BindOptions::default().prune,
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

    /// As the library takes it.
    fn options(&self) -> BindOptions {
        BindOptions {
            influences: self.influences,
            deform: self.deform.clone(),
            prune: self.prune,
            ..BindOptions::default()
        }
    }
}

/// One method in one form.
#[derive(Debug, Clone)]
pub struct Method {
    label: &'static str,
    method: bind::Method,
}

/// Every method that there is, and every published form that one of them has.
pub fn all() -> Vec<Method> {
    let plain = bind::Method::all().map(|method| (method.name(), method));
    let voxel = |preset| {
        bind::Method::Voxel(VoxelOptions {
            preset,
            ..VoxelOptions::default()
        })
    };
    let heat = |preset| {
        bind::Method::Heat(HeatOptions {
            preset,
            ..HeatOptions::default()
        })
    };
    let forms = [
        ("voxel 2014", voxel(Form::Paper2014)),
        ("voxel 2013", voxel(Form::Paper2013)),
        ("heat 2007", heat(HeatPreset::Published2007)),
        ("heat blender", heat(HeatPreset::Blender)),
        ("cells paper", bind::Method::Cells(FitOptions::paper())),
    ];
    plain
        .into_iter()
        .chain(forms)
        .map(|(label, method)| Method {
            label,
            method: quick(method),
        })
        .collect()
}

/// With few voxels and few steps: promises hold for any number of them.
fn quick(mut method: bind::Method) -> bind::Method {
    let coarse = SolidSettings {
        resolution: Resolution::Voxels(32),
        ..SolidSettings::default()
    };
    match &mut method {
        bind::Method::Voxel(own) => own.solid = coarse,
        bind::Method::Biharmonic(own) => own.solid = coarse,
        bind::Method::Cells(own) => {
            *own = FitOptions {
                guided_steps: own.guided_steps.min(3),
                steps: 4,
                pose_pool: 6,
                poses_per_step: 2,
                points_per_step: 300,
                ..own.clone()
            };
        }
        _ => {}
    }
    method
}

impl Method {
    /// The name with the form, for messages.
    pub fn label(&self) -> &str {
        self.label
    }

    /// Whether it fits a field to random poses.
    pub fn is_fit(&self) -> bool {
        matches!(self.method, bind::Method::Cells(_))
    }

    /// Whether what is prepared for one number of influences serves any other. The papers' voxel
    /// forms keep the distances to as many bones as were asked for, and a fit is made for its
    /// number: with another one they give complete weights, but not those of a whole bind.
    pub fn serves_any_influences(&self) -> bool {
        match &self.method {
            bind::Method::Voxel(own) => own.preset == Form::Ligament,
            _ => !self.is_fit(),
        }
    }

    /// Whether symmetric characters get symmetric weights. A fit promises nothing of the kind:
    /// it begins at random sites.
    pub fn is_symmetric(&self) -> bool {
        !self.is_fit()
    }

    /// Whether weights change gradually from place to place. They jump where only the nearest
    /// bone and its neighbours share: at a border, rounding decides which bone that is.
    pub fn is_continuous(&self) -> bool {
        !matches!(self.method, bind::Method::Hierarchy(_))
    }

    /// Binds, and checks what comes of it.
    pub fn bind(
        &self,
        character: &Character,
        request: &Request,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        let bound = self.method.bind_character(character, &request.options(), task)?;
        check_weights(self.label, character, request, &bound);
        Ok(bound)
    }

    /// Prepares for one request, evaluates for others, and checks what comes of it.
    pub fn prepare_and_evaluate(
        &self,
        character: &Character,
        first: &Request,
        others: &[Request],
    ) -> Result<Vec<BindResult>, BindError> {
        let (skin, task) = (Skin::new(character.clone())?, Task::unattended());
        let prepared = self.method.prepare(&skin, &first.options(), &task)?;
        others
            .iter()
            .map(|request| {
                let bound = prepared.evaluate(&request.options(), &task)?;
                check_weights(self.label, character, request, &bound);
                Ok(bound)
            })
            .collect()
    }
}
