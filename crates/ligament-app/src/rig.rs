//! A skeleton for a mesh that has none: found, named, and bound.

use std::path::PathBuf;
use std::time::Duration;

use glam::DVec3;
use ligament::Weights;
use ligament::bind::{BindError, BindOptions, BindWarning, Method};
use ligament::rig::{BodyPlan, ExtractOptions, Extracted, extract};
use ligament::skin::Skin;
use ligament::task::{Stage, Task};
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::bind::passed;
use crate::save::{JsonHolds, WeightFormat, output_of, save};

/// What to rig, and how. A skeleton that the file has is not looked at, and is not in the
/// output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RigRequest {
    /// What to open.
    pub asset: AssetRequest,
    /// Where to write: a character, or `.json` for the skeleton alone; the input's name with
    /// `_rigged.glb`, beside it, if none.
    pub output: Option<PathBuf>,
    /// Make the joint nearest to this point of bind space the root; the hips, or what
    /// balances best, if none.
    pub root: Option<DVec3>,
    /// The most joints wanted, from 1 on.
    pub joints: Option<usize>,
    /// How small a thing gets joints, from 0 (limbs alone) to 1.
    pub detail: f64,
}

impl Default for RigRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            output: None,
            root: None,
            joints: None,
            detail: ExtractOptions::default().detail,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RigReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Vertices of the document.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// What kind of body it is.
    pub body: BodyPlan,
    /// Whether left and right are alike.
    pub symmetric: bool,
    /// The joints, parents first.
    pub joints: Vec<JointReport>,
    /// How it was bound.
    pub method: &'static str,
    /// Where the time went.
    pub stages: Vec<Stage>,
    /// The time that passed, in milliseconds, reading and writing included.
    pub milliseconds: f64,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
    /// What was guessed in binding.
    pub bind_warnings: Vec<BindWarning>,
}

/// A joint that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// Its parent's name.
    pub parent: Option<String>,
    /// Where it is in bind space.
    pub position: DVec3,
    /// Whether its bone to the parent spans a gap between separate pieces of the mesh.
    pub bridge: bool,
}

/// Opens and rigs.
pub fn run(request: &RigRequest, task: &Task<'_>) -> Result<RigReport, AppError> {
    let start = task.now();
    let asset = Asset::open(&request.asset, task)?;
    let read = task.now().saturating_sub(start);
    run_on(asset, request, read, task)
}

/// Rigs what was opened in `read`, and writes it.
pub fn run_on(
    asset: Asset,
    request: &RigRequest,
    read: Duration,
    task: &Task<'_>,
) -> Result<RigReport, AppError> {
    let start = task.now();
    let output = output_of(&asset, request.output.as_ref(), "rigged.glb", JsonHolds::Skeleton)?;
    let Rigged {
        asset,
        weights,
        mut report,
    } = rigged(asset, request, task)?;
    let mut watch = task.stopwatch();
    task.check()?;
    save(
        &asset,
        Some(&weights),
        WeightFormat::Keep,
        &output,
        JsonHolds::Skeleton,
    )?;
    watch.lap("write");
    report.stages.insert(
        0,
        Stage {
            name: "read",
            time: read,
        },
    );
    report.stages.append(&mut watch.stages());
    Ok(RigReport {
        output: Some(output),
        milliseconds: passed(read, start, task),
        ..report
    })
}

/// A character on a skeleton that was found in it.
pub struct Rigged {
    /// The mesh on its new skeleton.
    pub asset: Asset,
    /// Weights of the document's vertices.
    pub weights: Weights,
    /// What was found.
    pub report: RigReport,
}

/// Rigs what is open, and writes nothing.
pub fn rigged(asset: Asset, request: &RigRequest, task: &Task<'_>) -> Result<Rigged, AppError> {
    let start = task.now();
    if !(0.0..=1.0).contains(&request.detail) {
        return Err(AppError::bad_value(
            "detail",
            "is a number from 0 to 1",
            request.detail,
        ));
    }
    let options = ExtractOptions {
        root: request.root,
        joints: request.joints,
        detail: request.detail,
    };
    let extracted = extract(&asset.character().mesh, &options, task)?;
    let asset = asset.with_skeleton(&extracted.skeleton)?;
    let character = asset.character();
    let method = Method::default();
    let skin = Skin::new(character.clone()).map_err(BindError::from)?;
    let bound = method.bind(&skin, &BindOptions::default(), task)?;
    let mut stages = extracted.stages.clone();
    stages.push(Stage {
        name: "bind",
        time: bound.stages.iter().map(|s| s.time).sum(),
    });
    // Its own ends of limbs are meant to be left out.
    let meant = |w: &BindWarning| matches!(w, BindWarning::JointsLeftOut { .. });
    let report = RigReport {
        input: asset.input().to_owned(),
        output: None,
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        body: extracted.plan,
        symmetric: extracted.symmetric,
        joints: joints(&extracted),
        method: method.name(),
        stages,
        milliseconds: passed(Duration::ZERO, start, task),
        file_warnings: asset.warnings(),
        bind_warnings: bound.warnings.into_iter().filter(|w| !meant(w)).collect(),
    };
    Ok(Rigged {
        asset,
        weights: bound.weights,
        report,
    })
}

fn joints(extracted: &Extracted) -> Vec<JointReport> {
    let skeleton = &extracted.skeleton;
    let name = |j| skeleton.joint(j).name.clone();
    skeleton
        .indices()
        .map(|j| JointReport {
            name: name(j),
            parent: skeleton.joint(j).parent.map(name),
            position: skeleton.bind_position(j),
            bridge: extracted.bridges.contains(&j),
        })
        .collect()
}
