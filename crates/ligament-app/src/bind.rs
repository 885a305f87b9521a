//! Weights for a character.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ligament::bind::cells::{Guidance, fit_character};
use ligament::bind::{
    BindError, BindOptions, BindResult, BindWarning, DeformChoice, Locks, Method, Prepared, Region,
    VertexSet, VoxelOptions,
};
use ligament::skin::Skin;
use ligament::task::{Stage, Task};
use ligament::{Character, Weights};
use ligament_io::import::FileWarning;
use ligament_io::voxels;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::bind_request::{deform_choice, influence_count, prune_threshold};
use crate::explain::{Explained, explained};
use crate::field::open_field;
use crate::hand_edits::HandLayer;
use crate::method_options::{MethodOptions, method_for};
use crate::motion::pose_called;
use crate::points::{self, is_cloud};
use crate::save::{JsonHolds, WeightFormat, output_of, save};
use crate::shapes::attracting;

/// What to bind, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BindRequest {
    /// What to open; it has a skeleton.
    pub asset: AssetRequest,
    /// Where to write: a character, or the weights alone as `.xml`, `.json` (Maya), `.csv`,
    /// `.npz` or `.txt` (RigNet); the input's name with `_bound.glb`, beside it, if none.
    pub output: Option<PathBuf>,
    /// How weights are found; the default method if none, or voxel with options of voxel.
    pub method: Option<String>,
    /// Options of the method.
    pub options: MethodOptions,
    /// The most joints that a vertex follows, 1 to 64, or [`ALL_INFLUENCES`](crate::bind_request::ALL_INFLUENCES).
    pub influences: usize,
    /// Joints that take part; see [`deform_choice`].
    pub deform: Vec<String>,
    /// Weights under this fraction are dropped, 0 up to 1.
    pub prune: f32,
    /// Parts of the mesh with rules of their own; vertices are the source's own.
    pub regions: Vec<Region>,
    /// What keeps the weights that it has; vertices are the source's own.
    pub locks: Locks,
    /// Weights changed by hand, laid over what is found.
    pub hand_edits: Option<HandLayer>,
    /// The pose for falloffs that follow a joint: `CLIP` or `CLIP@SECONDS`; the rest pose if
    /// none.
    pub falloff_pose: Option<String>,
    /// How weights are stored.
    pub store: WeightFormat,
    /// Tell which bones, distances and paths decided the weights of these vertices of the
    /// source. For voxel and best.
    pub explain: Vec<u32>,
    /// Keep voxels and distances in this file. For voxel.
    pub save_binding: Option<PathBuf>,
    /// Take voxels and distances from this file instead of the mesh. For voxel.
    pub binding: Option<PathBuf>,
    /// Bind by this field instead of fitting one. For cells.
    pub field: Option<PathBuf>,
}

impl Default for BindRequest {
    fn default() -> Self {
        let usual = BindOptions::default();
        Self {
            asset: AssetRequest::default(),
            output: None,
            method: None,
            options: MethodOptions::default(),
            influences: usual.influences,
            deform: Vec::new(),
            prune: usual.prune,
            regions: Vec::new(),
            locks: Locks::default(),
            hand_edits: None,
            falloff_pose: None,
            store: WeightFormat::Keep,
            explain: Vec::new(),
            save_binding: None,
            binding: None,
            field: None,
        }
    }
}

/// What was bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BindReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// How weights were found.
    pub method: &'static str,
    /// Vertices of the document.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Joints that skin can follow.
    pub joints: usize,
    /// Joints that hold weight.
    pub deform_joints: usize,
    /// The most joints that a vertex follows.
    pub max_influences: usize,
    /// How many joints a vertex follows on average.
    pub mean_influences: f64,
    /// Where the time went; stages that ran beside others say so.
    pub stages: Vec<Stage>,
    /// The time that passed, in milliseconds, reading and writing included.
    pub milliseconds: f64,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
    /// What was guessed in binding.
    pub bind_warnings: Vec<BindWarning>,
    /// What decided the weights of the vertices that were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<Explained>,
}

impl BindRequest {
    /// The method with its options; fails at an option that it does not know.
    pub fn chosen_method(&self) -> Result<Method, AppError> {
        let given = [
            ("explain", !self.explain.is_empty()),
            ("binding", self.binding.is_some()),
            ("save_binding", self.save_binding.is_some()),
            ("field", self.field.is_some()),
            ("falloff_pose", self.falloff_pose.is_some()),
        ];
        let others: Vec<&'static str> = given
            .into_iter()
            .filter_map(|(name, given)| given.then_some(name))
            .collect();
        // A falloff by region asks for voxel too, which other methods pass over.
        let by_region = self.regions.iter().any(|r| r.falloff.is_some());
        let name = match &self.method {
            None if by_region => Some("voxel"),
            name => name.as_deref(),
        };
        let method = method_for(name, &self.options, &others)?;
        self.refuse_what_was_prepared()?;
        Ok(method)
    }

    /// Fails if options were given that a binding or a field has settled already.
    fn refuse_what_was_prepared(&self) -> Result<(), AppError> {
        let mut given = self.options.given();
        let file = match (&self.binding, &self.field) {
            (Some(_), _) => {
                given.retain(|o| !["falloff", "smoothing"].contains(o));
                if self.save_binding.is_some() {
                    given.push("save_binding");
                }
                "binding"
            }
            (None, Some(_)) => "field",
            (None, None) => return Ok(()),
        };
        match given.first() {
            None => Ok(()),
            Some(option) => Err(AppError::PreparedBefore { file, option }),
        }
    }

    /// What every method is asked for; vertices are the document's.
    pub fn bind_options(&self, asset: &Asset) -> Result<BindOptions, AppError> {
        self.bind_options_by(asset.character(), |set| asset.vertex_set(set))
    }

    /// The same for a character without a document; `of_character` numbers its vertices.
    pub fn bind_options_by(
        &self,
        character: &Character,
        of_character: impl Fn(&VertexSet) -> Result<VertexSet, AppError>,
    ) -> Result<BindOptions, AppError> {
        let mut regions = self.regions.clone();
        for region in &mut regions {
            region.of = of_character(&region.of)?;
        }
        let mut locks = self.locks.clone();
        for set in &mut locks.vertices {
            *set = of_character(set)?;
        }
        let pose = match &self.falloff_pose {
            Some(pose) => Some(pose_called(character, pose)?),
            None => None,
        };
        Ok(BindOptions {
            influences: influence_count(self.influences)?,
            deform: deform_choice(&self.deform)?,
            prune: prune_threshold(self.prune)?,
            regions,
            pose,
            locks,
        })
    }
}

/// Opens and binds.
pub fn run(request: &BindRequest, task: &Task<'_>) -> Result<BindReport, AppError> {
    if is_cloud(&request.asset.input) {
        return points::bind(request, task);
    }
    let start = task.now();
    let asset = Asset::open(&request.asset, task)?;
    let read = task.now().saturating_sub(start);
    run_on(&asset, request, read, task)
}

/// Binds what was opened in `read`, and writes it.
pub fn run_on(
    asset: &Asset,
    request: &BindRequest,
    read: Duration,
    task: &Task<'_>,
) -> Result<BindReport, AppError> {
    let start = task.now();
    request.chosen_method()?;
    let output = output_of(asset, request.output.as_ref(), "bound.glb", JsonHolds::Weights)?;
    let BoundAsset { weights, mut report } = bound(asset, request, task)?;
    let mut watch = task.stopwatch();
    task.check()?;
    save(asset, Some(&weights), request.store, &output, JsonHolds::Weights)?;
    watch.lap("write");
    let read_stage = Stage {
        name: "read",
        time: read,
    };
    report.stages.insert(0, read_stage);
    report.stages.append(&mut watch.stages());
    Ok(BindReport {
        output: Some(output),
        milliseconds: passed(read, start, task),
        ..report
    })
}

/// New weights of a character.
pub struct BoundAsset {
    /// Weights of the document's vertices.
    pub weights: Weights,
    /// How they came about.
    pub report: BindReport,
}

/// Binds what is open, and writes nothing but the binding that may be asked for.
pub fn bound(asset: &Asset, request: &BindRequest, task: &Task<'_>) -> Result<BoundAsset, AppError> {
    let start = task.now();
    let method = request.chosen_method()?;
    if let Some(binding) = &request.save_binding {
        asset.refuse_as_output(binding)?;
    }
    asset.refuse_without_skeleton()?;
    let options = request.bind_options(asset)?;
    let vertices: Vec<usize> = request
        .explain
        .iter()
        .map(|&vertex| asset.vertex(vertex))
        .collect::<Result<_, _>>()?;

    let character = asset.character();
    let (prepared, mut stages) = prepare(character, request, &method, &options, task)?;
    let BindResult {
        weights,
        warnings,
        stages: evaluated,
    } = evaluate(&prepared, request, &options, task)?;
    stages.extend(prepared.stages().iter().cloned().chain(evaluated));
    let explained = match prepared.voxels() {
        Some(binding) if !vertices.is_empty() => {
            let before = prepared.evaluate_recipes(&options, task)?.map(|r| r.weights);
            (request.explain.iter().zip(&vertices))
                .map(|(&number, &vertex)| {
                    explained(number, vertex, character, binding, &weights, before.as_ref())
                })
                .collect()
        }
        _ => Vec::new(),
    };
    let weights = match &request.hand_edits {
        Some(layer) => layer.applied(&weights, asset, character, options.influences)?,
        None => weights,
    };
    if let (Some(path), Some(binding)) = (&request.save_binding, prepared.into_voxels()) {
        let mut watch = task.stopwatch();
        task.check()?;
        voxels::save(binding, path)?;
        watch.lap("keep");
        stages.append(&mut watch.stages());
    }
    let used = DeformChoice::Used.resolve_stated(&character.skeleton, Some(&weights))?;
    let count = character.mesh.positions.len();
    let report = BindReport {
        input: asset.input().to_owned(),
        output: None,
        method: method.name(),
        vertices: count,
        triangles: character.mesh.triangles.len(),
        joints: asset.joint_count(),
        deform_joints: used.iter().filter(|&&u| u).count(),
        max_influences: weights.max_influences(),
        mean_influences: weights.influences().len() as f64 / count.max(1) as f64,
        stages,
        milliseconds: passed(Duration::ZERO, start, task),
        file_warnings: asset.warnings(),
        bind_warnings: warnings,
        explained,
    };
    Ok(BoundAsset { weights, report })
}

/// Milliseconds since `start`, with what reading took before.
pub(crate) fn passed(read: Duration, start: Duration, task: &Task<'_>) -> f64 {
    (read + task.now().saturating_sub(start)).as_secs_f64() * 1e3
}

/// The slow half, or what a file keeps of it; and what it took beside its own stages.
pub fn prepare(
    character: &Arc<Character>,
    request: &BindRequest,
    method: &Method,
    options: &BindOptions,
    task: &Task<'_>,
) -> Result<(Prepared, Vec<Stage>), AppError> {
    let skin = Skin::new(character.clone()).map_err(BindError::from)?;
    let mut watch = task.stopwatch();
    let shaped = match method {
        Method::Voxel(own) if !request.options.shapes.is_empty() => Some(Method::Voxel(VoxelOptions {
            influences: attracting(&request.options.shapes, &character.skeleton)?,
            ..own.clone()
        })),
        _ => None,
    };
    let method = shaped.as_ref().unwrap_or(method);
    let prepared = match (method, &request.binding, &request.field, request.options.guide) {
        (Method::Voxel(own), Some(path), ..) => {
            let binding = voxels::open(path).map_err(|source| AppError::Binding {
                path: path.clone(),
                source,
            })?;
            watch.lap("load");
            Prepared::with_voxels(binding, &skin, options, own.evaluation(), task)
                .map_err(|error| in_binding(path, error))?
        }
        (_, _, Some(path), _) => Prepared::with_field(open_field(path)?, &skin),
        (Method::Cells(own), _, _, Some(strength)) => {
            let weights = character.weights.as_ref().ok_or_else(|| AppError::NoWeights {
                name: character.name.clone(),
            })?;
            let guidance = Guidance::everywhere(weights.clone(), strength);
            let fitted = fit_character(&skin, options, own, Some(&guidance), task)?;
            watch.lap("fit");
            Prepared::with_field(fitted.field, &skin)
        }
        _ => method.prepare(&skin, options, task)?,
    };
    Ok((prepared, watch.stages()))
}

/// The fast half, with all that was guessed in both.
pub fn evaluate(
    prepared: &Prepared,
    request: &BindRequest,
    options: &BindOptions,
    task: &Task<'_>,
) -> Result<BindResult, AppError> {
    let mut result = prepared
        .evaluate(options, task)
        .map_err(|error| match &request.binding {
            Some(path) => in_binding(path, error),
            None => error.into(),
        })?;
    for warning in prepared.warnings() {
        if !result.warnings.contains(warning) {
            result.warnings.push(warning.clone());
        }
    }
    Ok(result)
}

/// Names the file where the fault may lie in it.
fn in_binding(path: &Path, error: BindError) -> AppError {
    match error {
        BindError::Cancelled(cancelled) => cancelled.into(),
        source => AppError::BindingUsed {
            path: path.to_owned(),
            source,
        },
    }
}
