//! How good the weights are that a file has: what is broken, where, and in which pose.

mod pictures;

use std::borrow::Cow;
use std::path::PathBuf;

use ligament::measure::{Report, SolidDistance, measure_in_body};
use ligament::motion::Frame;
use ligament::task::Task;
use ligament::transfer::weights_of_same_character;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
pub use crate::measure_request::MeasureRequest;
use crate::measure_request::number_source_vertices;
use crate::motion::clip_called;
use crate::words::headline;

/// What to check, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRequest {
    /// What to open; it has weights.
    pub asset: AssetRequest,
    /// Compare with the weights of this input, which holds the same character.
    pub reference: Option<String>,
    /// Measure in this clip alone, by name or number from 0, or `builtin:NAME` for one made by code.
    pub clip: Option<String>,
    /// Poses, frames and limits.
    pub measure: MeasureRequest,
    /// Draw the worst regions to PNGs in this folder.
    pub pictures: Option<PathBuf>,
    /// How many regions to draw.
    pub worst: usize,
}

impl Default for CheckRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            reference: None,
            clip: None,
            measure: MeasureRequest::default(),
            pictures: None,
            worst: 6,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// What the user calls the input.
    pub input: String,
    /// What it comes to, in a line.
    pub headline: String,
    /// Joints that skin can follow.
    pub joints: usize,
    /// Everything that was measured. Vertices are the source's own; maps (which are not in
    /// the JSON) number the document's.
    #[serde(flatten)]
    pub report: Report,
    /// The pictures that were drawn, the worst region first.
    pub pictures: Vec<PathBuf>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Opens and measures.
pub fn run(request: &CheckRequest, task: &Task<'_>) -> Result<CheckReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, request, task)
}

/// The frames that a check measures in, numbered as its report numbers them.
pub fn frames_of(asset: &Asset, request: &CheckRequest) -> Result<Vec<Frame>, AppError> {
    let options = request.measure.options()?;
    let asset = playing(asset, request)?;
    Ok(options.frames_for(asset.character()).0)
}

/// What is measured: the asset, or the asset with the one clip that was asked for.
fn playing<'a>(asset: &'a Asset, request: &CheckRequest) -> Result<Cow<'a, Asset>, AppError> {
    Ok(match &request.clip {
        Some(name) => {
            let clip = clip_called(asset.character(), name)?.into_owned();
            Cow::Owned(asset.playing(vec![clip]))
        }
        None => Cow::Borrowed(asset),
    })
}

/// Measures what is open.
pub fn run_on(asset: &Asset, request: &CheckRequest, task: &Task<'_>) -> Result<CheckReport, AppError> {
    let options = request.measure.options()?;
    let asset = &*playing(asset, request)?;
    let character = asset.character();
    let weights = asset.weights()?;
    let reference = match &request.reference {
        None => None,
        Some(input) => {
            let other = Asset::open(&AssetRequest::of(input), task)?;
            let same = weights_of_same_character(other.character(), other.weights()?, character);
            Some(same.map_err(|source| AppError::NotTheSame {
                input: input.clone(),
                source,
            })?)
        }
    };
    let body = SolidDistance::of(character, task)?;
    let mut report = measure_in_body(
        character,
        weights,
        reference.as_ref().map(|same| &same.weights),
        Some(&body),
        &options,
        task,
    )?;
    request.measure.refuse_without_pose(character, &report)?;
    let pictures = match &request.pictures {
        Some(folder) => pictures::draw(character, weights, &report, &options, request.worst, folder, task)?,
        None => Vec::new(),
    };
    number_source_vertices(&mut report, asset);
    Ok(CheckReport {
        input: asset.input().to_owned(),
        headline: headline(&report),
        joints: asset.joint_count(),
        report,
        pictures,
        file_warnings: asset.warnings(),
    })
}
