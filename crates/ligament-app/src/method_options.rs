//! The options of all methods in one flat record, as shells have them: flags, keyword
//! arguments, fields of a form. Each method knows some of them; one that the chosen method
//! does not know is an error that names the methods that do.

use std::path::PathBuf;

use ligament::bind::voxel::Form;
use ligament::bind::{
    BestOptions, BiharmonicOptions, FitOptions, HeatOptions, HeatPreset, Method, Prior, PriorChoice,
    ProximityOptions, VoxelOptions,
};
use ligament::motion::{JointLimits, Stance};
use ligament::solid::{Paint, Resolution, SolidSettings, Views};
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::motion::{Poses, check_joint_limits};
use crate::resolution::ResolutionRequest;
use crate::shapes::ShapeRequest;
use crate::words::listed;

/// Options of all methods; what is left out is the method's own choice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MethodOptions {
    /// A published form: voxel has `2014` and `2013`, heat has `2007` and `blender`, cells has
    /// `paper`.
    pub preset: Option<String>,

    /// best: what corrects the recipes: the table that comes with the library if none, `none` for nothing, or the file of
    /// a table that was learned elsewhere.
    pub prior: Option<PathBuf>,

    /// voxel, biharmonic: voxels along the longest side, 32 to 1024, or `auto`: 128 or 256 by
    /// the mesh's gaps; 64 for biharmonic.
    pub resolution: Option<ResolutionRequest>,
    /// voxel, biharmonic: whether winding numbers decide where the six views do not agree.
    pub winding_numbers: Option<bool>,
    /// voxel, biharmonic: views that do not vote on the inside: `+x`, `-x`, `+y`, `-y`, `+z`,
    /// `-z`.
    pub exclude_views: Vec<String>,
    /// voxel, biharmonic: volumes that are inside or outside, later ones over earlier ones.
    pub paint: Vec<Paint>,
    /// voxel, biharmonic: whether the winding of shells that are inside out is flipped.
    pub flip_inside_out: Option<bool>,
    /// voxel, biharmonic: whether voxels are coarse within.
    pub sparse: Option<bool>,

    /// voxel, best: how fast weights fall, 0 (smooth) to 1 (sharp).
    pub falloff: Option<f64>,
    /// voxel: what a step into a voxel of the surface costs, 1 to 100.
    pub penalty: Option<f64>,
    /// voxel: whether paths run across edges and corners of voxels too.
    pub diagonal: Option<bool>,
    /// voxel: whether weights are smoothed along the surface.
    pub smoothing: Option<bool>,
    /// voxel: points, balls and boxes that attract skin for a joint, besides its bones.
    pub shapes: Vec<ShapeRequest>,

    /// heat: how strongly joints radiate, over 0: names or globs, later ones over earlier ones.
    pub radius: Vec<(String, f64)>,
    /// heat: the fraction of the bi-Laplacian, 0 to 1, likewise.
    pub smoothness: Vec<(String, f64)>,

    /// closest, hierarchy: the power of the distance by which weights fall, over 0.
    pub power: Option<f64>,

    /// cells: sites per joint, 1 to 32.
    pub sites: Option<usize>,
    /// cells: steps at most.
    pub steps: Option<usize>,
    /// cells: seeds sites and poses.
    pub seed: Option<u64>,
    /// cells: which poses to fit in, clips or random.
    pub poses: Option<Poses>,
    /// cells: limits of joints for random poses, instead of those by their names.
    pub joint_limits: Vec<JointLimits>,
    /// cells: how closely skin follows the bones, rather than folding softly, from 0 on.
    pub location: Option<f64>,
    /// cells: how much the voxel bind holds the fit, from 0 on.
    pub hold: Option<f32>,
    /// cells: stay near the file's own weights, this strongly, from 0 on; 1 is usual.
    pub guide: Option<f32>,
    /// cells: how the character stands in the fit: as it was modelled, or in the T-pose.
    pub pose: Option<Stance>,
    /// cells: parts that are the body under a garment: names or globs.
    pub body: Vec<String>,
}

/// The chosen method does not know an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{method}' does not know the option '{option}'; {} it", who_knows(known_by))]
pub struct UnknownOption {
    /// The option.
    pub option: &'static str,
    /// The method that was chosen.
    pub method: &'static str,
    /// The methods that know it.
    pub known_by: Vec<&'static str>,
}

fn who_knows(known_by: &[&'static str]) -> String {
    match known_by {
        [] => "no method knows".to_owned(),
        [one] => format!("'{one}' knows"),
        several => format!(
            "{} know",
            listed(&several.iter().map(|m| format!("'{m}'")).collect::<Vec<_>>())
        ),
    }
}

/// The names of the options that a method knows: of [`MethodOptions`], and those of a request
/// to bind that only some methods know.
fn known(method: &Method) -> &'static [&'static str] {
    match method {
        Method::Best(_) => &["prior", "falloff", "falloff_pose", "explain"],
        Method::Voxel(_) => &[
            "preset",
            "resolution",
            "winding_numbers",
            "exclude_views",
            "paint",
            "flip_inside_out",
            "sparse",
            "falloff",
            "penalty",
            "diagonal",
            "smoothing",
            "shapes",
            "falloff_pose",
            "explain",
            "binding",
            "save_binding",
        ],
        Method::Heat(_) => &["preset", "radius", "smoothness"],
        Method::Biharmonic(_) => &[
            "resolution",
            "winding_numbers",
            "exclude_views",
            "paint",
            "flip_inside_out",
            "sparse",
        ],
        Method::Cells(_) => &[
            "preset",
            "sites",
            "steps",
            "seed",
            "poses",
            "joint_limits",
            "location",
            "hold",
            "guide",
            "pose",
            "body",
            "field",
        ],
        Method::Closest(_) | Method::Hierarchy(_) => &["power"],
        _ => &[],
    }
}

/// Fails at the first option that the method does not know.
pub(crate) fn check_known(method: &Method, given: &[&'static str]) -> Result<(), UnknownOption> {
    match given.iter().find(|o| !known(method).contains(o)) {
        None => Ok(()),
        Some(&option) => Err(UnknownOption {
            option,
            method: method.name(),
            known_by: Method::all()
                .iter()
                .filter(|m| known(m).contains(&option))
                .map(Method::name)
                .collect(),
        }),
    }
}

/// The method of that name with these options. Without a name it is the default method, or
/// voxel if options of voxel are given.
pub fn method(name: Option<&str>, options: &MethodOptions) -> Result<Method, AppError> {
    method_for(name, options, &[])
}

/// The same where a request gives further options.
pub(crate) fn method_for(
    name: Option<&str>,
    options: &MethodOptions,
    others: &[&'static str],
) -> Result<Method, AppError> {
    let mut given = options.given();
    given.extend(others);
    let chosen = match name {
        Some(name) => Method::named(name)?,
        None => {
            let voxel = Method::Voxel(VoxelOptions::default());
            if given.is_empty() || check_known(&voxel, &given).is_err() {
                Method::default()
            } else {
                voxel
            }
        }
    };
    check_known(&chosen, &given)?;
    options.put_into(chosen)
}

impl MethodOptions {
    /// The names of the options that are given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        // Taken apart, so that an option that is added later is not forgotten here.
        let Self {
            preset,
            prior,
            resolution,
            winding_numbers,
            exclude_views,
            paint,
            flip_inside_out,
            sparse,
            falloff,
            penalty,
            diagonal,
            smoothing,
            shapes,
            radius,
            smoothness,
            power,
            sites,
            steps,
            seed,
            poses,
            joint_limits,
            location,
            hold,
            guide,
            pose,
            body,
        } = self;
        let all = [
            ("preset", preset.is_some()),
            ("prior", prior.is_some()),
            ("resolution", resolution.is_some()),
            ("winding_numbers", winding_numbers.is_some()),
            ("exclude_views", !exclude_views.is_empty()),
            ("paint", !paint.is_empty()),
            ("flip_inside_out", flip_inside_out.is_some()),
            ("sparse", sparse.is_some()),
            ("falloff", falloff.is_some()),
            ("penalty", penalty.is_some()),
            ("diagonal", diagonal.is_some()),
            ("smoothing", smoothing.is_some()),
            ("shapes", !shapes.is_empty()),
            ("radius", !radius.is_empty()),
            ("smoothness", !smoothness.is_empty()),
            ("power", power.is_some()),
            ("sites", sites.is_some()),
            ("steps", steps.is_some()),
            ("seed", seed.is_some()),
            ("poses", poses.is_some()),
            ("joint_limits", !joint_limits.is_empty()),
            ("location", location.is_some()),
            ("hold", hold.is_some()),
            ("guide", guide.is_some()),
            ("pose", pose.is_some()),
            ("body", !body.is_empty()),
        ];
        all.into_iter()
            .filter_map(|(name, given)| given.then_some(name))
            .collect()
    }

    /// A method with the options that it knows.
    fn put_into(&self, method: Method) -> Result<Method, AppError> {
        Ok(match method {
            Method::Best(_) => Method::Best(BestOptions {
                falloff: self.checked_falloff()?,
                prior: self.prior()?,
            }),
            Method::Voxel(_) => Method::Voxel(self.voxel()?),
            Method::Heat(_) => Method::Heat(self.heat()?),
            Method::Biharmonic(_) => Method::Biharmonic(BiharmonicOptions {
                solid: self.solid()?,
                sparse: self.sparse.unwrap_or(BiharmonicOptions::default().sparse),
                ..BiharmonicOptions::default()
            }),
            Method::Cells(_) => Method::Cells(self.cells()?),
            Method::Closest(_) => Method::Closest(self.proximity()?),
            Method::Hierarchy(_) => Method::Hierarchy(self.proximity()?),
            other => other,
        })
    }

    fn prior(&self) -> Result<PriorChoice, AppError> {
        match &self.prior {
            None => Ok(PriorChoice::Shipped),
            Some(path) if path.as_os_str() == "none" => Ok(PriorChoice::None),
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|e| AppError::read(path, e))?;
                let prior = Prior::read(&bytes).map_err(|source| AppError::Prior {
                    path: path.clone(),
                    source,
                })?;
                Ok(PriorChoice::Learned(Box::new(prior)))
            }
        }
    }

    /// A preset by its name; the default without one.
    fn preset<T: Default + Clone>(
        &self,
        method: &'static str,
        known: &[(&'static str, T)],
    ) -> Result<T, AppError> {
        let Some(name) = &self.preset else {
            return Ok(T::default());
        };
        let found = known.iter().find(|(known, _)| known == name);
        found.map(|(_, form)| form.clone()).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|k| k.0).collect();
            AppError::UnknownPreset {
                method,
                preset: name.clone(),
                known: names.join(", "),
            }
        })
    }

    fn solid(&self) -> Result<SolidSettings, AppError> {
        let usual = SolidSettings::default();
        Ok(SolidSettings {
            resolution: match self.resolution {
                Some(resolution) => Resolution::try_from(resolution)?,
                None => usual.resolution,
            },
            winding_numbers: self.winding_numbers,
            views: self.views()?,
            paint: self.paint.clone(),
            flip_inside_out: self.flip_inside_out.unwrap_or(usual.flip_inside_out),
        })
    }

    fn views(&self) -> Result<Views, AppError> {
        const NAMES: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];
        let mut views = [true; 6];
        for view in &self.exclude_views {
            match NAMES.iter().position(|name| name == view) {
                Some(at) => views[at] = false,
                None => {
                    let rule = format!("are {}", NAMES.join(", "));
                    return Err(AppError::bad_value("views to exclude", rule, format!("'{view}'")));
                }
            }
        }
        Ok(views)
    }

    fn checked_falloff(&self) -> Result<Option<f64>, AppError> {
        in_range(
            "falloff",
            "is a number from 0 (smooth) to 1 (sharp)",
            self.falloff,
            |f| (0.0..=1.0).contains(&f),
        )?;
        Ok(self.falloff)
    }

    fn voxel(&self) -> Result<VoxelOptions, AppError> {
        in_range("penalty", "is a factor from 1 to 100", self.penalty, |p| {
            (1.0..=100.0).contains(&p)
        })?;
        Ok(VoxelOptions {
            preset: self.preset("voxel", &[("2014", Form::Paper2014), ("2013", Form::Paper2013)])?,
            solid: self.solid()?,
            falloff: self.checked_falloff()?,
            penalty: self.penalty,
            sparse: self.sparse,
            diagonal: self.diagonal,
            smoothing: self.smoothing,
            ..VoxelOptions::default()
        })
    }

    fn heat(&self) -> Result<HeatOptions, AppError> {
        for (_, scale) in &self.radius {
            in_range("radius", "is a scale over 0", Some(*scale), |s| s > 0.0)?;
        }
        for (_, fraction) in &self.smoothness {
            in_range("smoothness", "is a fraction from 0 to 1", Some(*fraction), |s| {
                (0.0..=1.0).contains(&s)
            })?;
        }
        let presets = [
            ("2007", HeatPreset::Published2007),
            ("blender", HeatPreset::Blender),
        ];
        Ok(HeatOptions {
            preset: self.preset("heat", &presets)?,
            radius: self.radius.clone(),
            smoothness: self.smoothness.clone(),
        })
    }

    fn proximity(&self) -> Result<ProximityOptions, AppError> {
        in_range("power", "is a power over 0", self.power, |p| p > 0.0)?;
        let usual = ProximityOptions::default();
        Ok(ProximityOptions {
            power: self.power.unwrap_or(usual.power),
        })
    }

    /// The fit that they ask for; fails at an option that the method cells does not know.
    pub(crate) fn fit(&self) -> Result<FitOptions, AppError> {
        check_known(&Method::Cells(FitOptions::default()), &self.given())?;
        self.cells()
    }

    fn cells(&self) -> Result<FitOptions, AppError> {
        let from_zero = |x: f64| x >= 0.0;
        in_range("location", "is a number from 0 on", self.location, from_zero)?;
        in_range(
            "hold",
            "is a strength from 0 on",
            self.hold.map(f64::from),
            from_zero,
        )?;
        in_range(
            "guide",
            "is a strength from 0 on",
            self.guide.map(f64::from),
            from_zero,
        )?;
        if let Some(sites) = self.sites.filter(|s| !(1..=32).contains(s)) {
            return Err(AppError::bad_value("sites", "are 1 to 32", sites));
        }
        check_joint_limits(&self.joint_limits)?;
        let mut fit: FitOptions = self.preset("cells", &[("paper", FitOptions::paper())])?;
        fit.sites = self.sites.unwrap_or(fit.sites);
        fit.steps = self.steps.unwrap_or(fit.steps);
        fit.seed = self.seed.unwrap_or(fit.seed);
        if let Some(poses) = self.poses {
            fit.pose_source = poses.to_fit()?;
        }
        fit.joint_limits.clone_from(&self.joint_limits);
        fit.losses.location = self.location.unwrap_or(fit.losses.location);
        fit.hold = self.hold.unwrap_or(fit.hold);
        fit.stance = self.pose.unwrap_or(fit.stance);
        fit.body.clone_from(&self.body);
        Ok(fit)
    }
}

fn in_range(
    option: &'static str,
    rule: &str,
    value: Option<f64>,
    good: impl Fn(f64) -> bool,
) -> Result<(), AppError> {
    match value.filter(|v| !(v.is_finite() && good(*v))) {
        None => Ok(()),
        Some(value) => Err(AppError::bad_value(option, rule, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(json: serde_json::Value) -> MethodOptions {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn an_option_that_a_method_does_not_know_names_those_that_do() {
        let penalty = options(serde_json::json!({"penalty": 8.0}));
        let said = method(Some("heat"), &penalty).unwrap_err().to_string();
        assert_eq!(
            said,
            "'heat' does not know the option 'penalty'; 'voxel' knows it"
        );
        let power = options(serde_json::json!({"power": 2.0}));
        let said = method(None, &power).unwrap_err().to_string();
        assert_eq!(
            said,
            "'best' does not know the option 'power'; 'closest' and 'hierarchy' know it"
        );
        let sites = options(serde_json::json!({"sites": 3, "radius": [["*", 2.0]]}));
        assert!(
            method(Some("cells"), &sites)
                .unwrap_err()
                .to_string()
                .contains("'radius'")
        );
    }

    #[test]
    fn options_of_voxel_choose_it_and_none_choose_the_default() {
        let chosen = |json| method(None, &options(json)).unwrap();
        assert_eq!(chosen(serde_json::json!({})), Method::default());
        let Method::Voxel(voxel) = chosen(serde_json::json!({"penalty": 8, "resolution": 64})) else {
            panic!("voxel is chosen")
        };
        assert_eq!(voxel.penalty, Some(8.0));
        assert_eq!(voxel.solid.resolution, Resolution::Voxels(64));
    }

    #[test]
    fn no_method_ignores_an_option_that_it_knows() {
        let given = options(serde_json::json!({
            "preset": "paper", "sites": 3, "steps": 5, "seed": 9, "poses": "clips", "location": 1.0,
            "hold": 0.5, "guide": 1.0, "pose": "t", "body": ["b"],
        }));
        let Method::Cells(fit) = method(Some("cells"), &given).unwrap() else {
            panic!("cells is chosen")
        };
        assert_eq!((fit.sites, fit.steps, fit.seed), (3, 5, 9));
        assert_eq!((fit.losses.location, fit.hold), (1.0, 0.5));
        assert_eq!(fit.stance, Stance::T);
        // All options of a method together are taken, and each is taken by one at least.
        for method in Method::all() {
            check_known(&method, known(&method)).unwrap();
        }
        let every = options(serde_json::json!({
            "preset": "x", "resolution": 64, "winding_numbers": true, "exclude_views": ["+x"],
            "paint": [{"shape": {"sphere": {"centre": [0, 0, 0], "radius": 1}}, "inside": true}],
            "flip_inside_out": true, "sparse": true, "falloff": 0.5, "penalty": 4, "diagonal": true, "smoothing": true,
            "radius": [["*", 1]], "smoothness": [["*", 1]], "power": 2, "sites": 1, "steps": 1, "seed": 1,
            "poses": "clips", "joint_limits": [{"joints": "*", "moves": []}], "location": 1, "hold": 1, "guide": 1,
            "pose": "t", "body": ["b"],
        }));
        assert_eq!(every.given().len(), 24);
        for name in every.given() {
            assert!(Method::all().iter().any(|m| known(m).contains(&name)), "{name}");
        }
    }

    #[test]
    fn best_takes_a_falloff_when_it_is_named() {
        let falloff = options(serde_json::json!({"falloff": 0.7}));
        let Method::Best(best) = method(Some("best"), &falloff).unwrap() else {
            panic!("best is chosen")
        };
        assert_eq!(best.falloff, Some(0.7));
        assert_eq!(method(None, &falloff).unwrap().name(), "voxel");
    }

    #[test]
    fn values_out_of_range_are_told() {
        for (name, json) in [
            ("best", serde_json::json!({"falloff": 2})),
            ("voxel", serde_json::json!({"falloff": 2})),
            ("voxel", serde_json::json!({"penalty": 0.5})),
            ("voxel", serde_json::json!({"exclude_views": ["up"]})),
            ("voxel", serde_json::json!({"preset": "1999"})),
            ("heat", serde_json::json!({"radius": [["*", 0]]})),
            ("closest", serde_json::json!({"power": -1})),
            ("cells", serde_json::json!({"poses": "range"})),
            ("cells", serde_json::json!({"sites": 99})),
        ] {
            assert!(
                method(Some(name), &options(json.clone())).is_err(),
                "{name} {json}"
            );
        }
        assert!(serde_json::from_str::<MethodOptions>("{\"penalti\": 8}").is_err());
    }
}
