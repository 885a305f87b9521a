//! Every level of detail of a character, from the level that has weights.
//!
//! Three ways lead there: the weights transferred by position, the same voxel binding evaluated at other vertices, a field. The
//! first keeps what the level with weights has; the others bind anew, and agree with it as far as it was bound the same way.
//! All that are asked for are tried, and the level gets the weights that deform it most like the one that has weights.

use std::path::PathBuf;

use glam::{DAffine3, DVec3};
use ligament::bind::cells::Evaluator;
use ligament::bind::{BindError, BindOptions, DeformChoice, Method, Prepared, VoxelOptions};
use ligament::motion::{self, MotionChoice};
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament::transfer::{TransferOptions, TransferSource, Transferred};
use ligament::weights::weight_distance;
use ligament::{Character, JointIndex, Weights};
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::field::open_field;
use crate::save::WeightFormat;
use crate::transfer::target::transfer;
use crate::transfer::{Body, TransferRequest, TransferredTarget, Worn, open_targets};

/// Frames in which levels are compared.
const FRAMES: usize = 16;
/// Points nearer than this fraction of the diagonal are at one position.
const COINCIDENT: f64 = 1e-6;

/// The levels, and how to bind them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LodsRequest {
    /// The level that has weights.
    pub asset: AssetRequest,
    /// The other levels: files of any format.
    pub levels: Vec<String>,
    /// The folder to write to, or a file for one level; `_transferred.glb` beside each level if none.
    pub output: Option<PathBuf>,
    /// The ways to try; transfer and, if one is given, the field, if none are named.
    pub by: Vec<LodWay>,
    /// A field that was fitted to the character.
    pub field: Option<PathBuf>,
    /// Bring the character to levels in other units or positions.
    pub fit: bool,
    /// The most joints that a vertex follows.
    pub influences: usize,
    /// How weights are stored.
    pub store: WeightFormat,
}

impl Default for LodsRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            levels: Vec::new(),
            output: None,
            by: Vec::new(),
            field: None,
            fit: false,
            influences: TransferOptions::default().influences,
            store: WeightFormat::Keep,
        }
    }
}

/// A way to a level's weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LodWay {
    /// From the level with weights, by position.
    Transfer,
    /// By the voxels and distances of the level with weights.
    Voxel,
    /// By a field.
    Field,
}

impl LodWay {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transfer => "transfer",
            Self::Voxel => "voxel",
            Self::Field => "field",
        }
    }
}

/// What became of the levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LodsReport {
    /// What the user calls the level with weights.
    pub input: String,
    /// In how many frames levels were compared.
    pub frames: usize,
    /// What was found in its files.
    pub file_warnings: Vec<FileWarning>,
    /// The other levels.
    pub levels: Vec<LevelReport>,
}

/// What became of one level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelReport {
    /// The way that was taken.
    pub chosen: LodWay,
    /// All ways that were tried.
    pub ways: Vec<WayReport>,
    /// What was written.
    #[serde(flatten)]
    pub target: TransferredTarget,
}

/// How good a way is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WayReport {
    /// The way.
    pub way: LodWay,
    /// How far the posed level is off the posed surface, beyond what it is at rest: root mean square over vertices and
    /// frames, relative to the diagonal.
    pub deformation_rms: f64,
    /// The worst of it.
    pub deformation_worst: f64,
    /// ½Σ|Δw| to the weights at the closest points, on average.
    pub weight_difference: f64,
    /// Points that lie at points of the level with weights.
    pub shared_points: usize,
    /// The largest ½Σ|Δw| there.
    pub shared_worst: f64,
}

/// Opens all levels, binds them and writes them.
pub fn run(request: &LodsRequest, task: &Task<'_>) -> Result<LodsReport, AppError> {
    let as_transfer = request.as_transfer();
    as_transfer.check()?;
    let body = Asset::open(&request.asset, task)?;
    let levels =
        open_targets(&as_transfer, task).map(|level| level.map(|(asset, output)| (asset, Some(output))));
    Ok(bind_all(body, levels, request, task)?.1)
}

/// Binds levels that are open, and writes nothing.
pub fn run_on(
    body: Asset,
    levels: Vec<Asset>,
    request: &LodsRequest,
    task: &Task<'_>,
) -> Result<(Vec<Worn>, LodsReport), AppError> {
    request.as_transfer().check()?;
    bind_all(
        body,
        levels.into_iter().map(|asset| Ok((asset, None))),
        request,
        task,
    )
}

fn bind_all(
    body: Asset,
    levels: impl Iterator<Item = Result<(Asset, Option<PathBuf>), AppError>>,
    request: &LodsRequest,
    task: &Task<'_>,
) -> Result<(Vec<Worn>, LodsReport), AppError> {
    let as_transfer = request.as_transfer();
    let ways = request.ways()?;
    let body = Body::of(body, &as_transfer)?;
    let poses: Vec<Vec<DAffine3>> = {
        let character = body.asset.character();
        let frames = motion::frames(character, MotionChoice::Auto, FRAMES, &[]);
        let world = |f: &motion::Frame| f.pose.world_from_bind(&character.skeleton);
        frames.iter().map(world).collect()
    };
    let (mut all, mut reports) = (Vec::new(), Vec::new());
    for level in levels {
        let (asset, output) = level?;
        let mut tried: Vec<WayReport> = Vec::new();
        let mut chosen = LodWay::Transfer;
        let choose = |skin: &Skin, given: &Transferred| -> Result<Option<Weights>, AppError> {
            let mut best: Option<Weights> = None;
            for &way in &ways {
                let weights = match way {
                    LodWay::Transfer => given.weights.clone(),
                    LodWay::Voxel => by_voxels(&body, skin, request.influences, task)?,
                    LodWay::Field => by_field(&body, skin, request, task)?,
                };
                let report = compared(&body.surface, skin, given, &weights, way, &poses);
                let better = |t: &WayReport| report.deformation_rms < t.deformation_rms;
                if tried.iter().all(better) {
                    chosen = way;
                    best = Some(weights);
                }
                tried.push(report);
            }
            Ok(best)
        };
        let worn = transfer(&body, asset, &as_transfer, output, choose, task)?;
        reports.push(LevelReport {
            chosen,
            ways: tried,
            target: worn.report.clone(),
        });
        all.push(worn);
    }
    let report = LodsReport {
        input: body.asset.input().to_owned(),
        frames: poses.len(),
        file_warnings: body.asset.warnings(),
        levels: reports,
    };
    Ok((all, report))
}

impl LodsRequest {
    fn as_transfer(&self) -> TransferRequest {
        TransferRequest {
            asset: self.asset.clone(),
            targets: self.levels.clone(),
            output: self.output.clone(),
            fit: self.fit,
            options: TransferOptions {
                influences: self.influences,
                ..TransferOptions::default()
            },
            store: self.store,
            ..TransferRequest::default()
        }
    }

    fn ways(&self) -> Result<Vec<LodWay>, AppError> {
        let mut ways = self.by.clone();
        if ways.is_empty() {
            ways.push(LodWay::Transfer);
            if self.field.is_some() {
                ways.push(LodWay::Field);
            }
        }
        if ways.contains(&LodWay::Field) && self.field.is_none() {
            return Err(AppError::bad_value("the way 'field'", "needs a field", "none"));
        }
        ways.dedup();
        Ok(ways)
    }
}

/// A level's mesh on the skeleton of the level that has weights.
fn on_body_skeleton(body: &Body, level: &Skin) -> Character {
    let mut mesh = level.character().mesh.clone();
    for part in &mut mesh.parts {
        part.joints = None;
    }
    Character {
        mesh,
        skeleton: body.asset.character().skeleton.clone(),
        ..Character::default()
    }
}

/// Weights of vertices as weights of a skin's points.
fn at_points(skin: &Skin, weights: &Weights) -> Weights {
    let first = (0..skin.len() as u32).map(|p| skin.first_vertex(PointIndex(p)));
    weights.gathered(first)
}

fn by_voxels(body: &Body, level: &Skin, influences: usize, task: &Task<'_>) -> Result<Weights, AppError> {
    let used = (0..body.used.len()).filter(|&j| body.used[j]);
    let options = BindOptions {
        influences,
        deform: DeformChoice::Joints(used.map(|j| JointIndex(j as u16)).collect()),
        ..BindOptions::default()
    };
    let own = VoxelOptions::default();
    let fitted = Skin::new(body.asset.character().clone())?;
    let prepared = Method::Voxel(own.clone()).prepare(&fitted, &options, task)?;
    let voxels = prepared
        .into_voxels()
        .ok_or_else(|| BindError::BindingDoesNotFit("no voxels were prepared".to_owned()))?;
    let other = Skin::new(on_body_skeleton(body, level))?;
    let evaluated =
        Prepared::with_voxels(voxels, &other, &options, own.evaluation(), task)?.evaluate(&options, task)?;
    Ok(at_points(level, &evaluated.weights))
}

fn by_field(body: &Body, level: &Skin, request: &LodsRequest, task: &Task<'_>) -> Result<Weights, AppError> {
    let field = match &request.field {
        Some(path) => open_field(path)?,
        None => return Err(AppError::bad_value("the way 'field'", "needs a field", "none")),
    };
    let skeleton = &body.asset.character().skeleton;
    let joints: Vec<Option<JointIndex>> = field.cells.iter().map(|c| skeleton.find(&c.joint)).collect();
    let points: Vec<glam::Vec3> = level.points().iter().map(|p| p.as_vec3()).collect();
    let weights = Evaluator::new(&field).weights_at(&points, &joints, |_| None, task)?;
    Ok(weights.limited(request.influences))
}

/// How a level's weights deform it, held against the level that has weights.
fn compared(
    source: &TransferSource,
    level: &Skin,
    given: &Transferred,
    weights: &Weights,
    way: LodWay,
    poses: &[Vec<DAffine3>],
) -> WayReport {
    let (mut sum, mut worst, mut apart) = (0.0, 0.0f64, 0.0);
    let (mut shared_points, mut shared_worst) = (0, 0.0f64);
    let mut row = Vec::new();
    let matched: Vec<usize> = (0..level.len())
        .filter(|&p| given.matches.is_matched(p))
        .collect();
    for &point in &matched {
        let (at, closest) = (level.points()[point], &given.matches.closest[point]);
        source.weights_at(closest, &mut row);
        let difference = weight_distance(&row, weights.of_vertex(point));
        apart += difference;
        if closest.distance <= COINCIDENT * level.diagonal() {
            shared_points += 1;
            shared_worst = shared_worst.max(difference);
        }
        for pose in poses {
            let posed: DVec3 = weights
                .of_vertex(point)
                .iter()
                .map(|i| f64::from(i.weight) * pose[i.joint.at()].transform_point3(at))
                .sum();
            let off = (posed.distance(source.posed_at(closest, pose)) - closest.distance).max(0.0);
            sum += off * off;
            worst = worst.max(off);
        }
    }
    let count = (matched.len() * poses.len()).max(1) as f64;
    let diagonal = level.diagonal().max(f64::MIN_POSITIVE);
    WayReport {
        way,
        deformation_rms: (sum / count).sqrt() / diagonal,
        deformation_worst: worst / diagonal,
        weight_difference: apart / matched.len().max(1) as f64,
        shared_points,
        shared_worst,
    }
}
