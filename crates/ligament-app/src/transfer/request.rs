//! What to transfer, and what was.

use std::path::PathBuf;

use ligament::bind::BindWarning;
use ligament::task::Stage;
use ligament::transfer::TransferOptions;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::AssetRequest;
use crate::bind_request::{influence_count, prune_threshold};
use crate::save::WeightFormat;

/// What to transfer, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransferRequest {
    /// The body that weights come from; it has weights.
    pub asset: AssetRequest,
    /// Files of any format, or `sample:NAME`, that weights go to.
    pub targets: Vec<String>,
    /// Where to write: a file for one target, as for binding; a folder for several. The target's name with
    /// `_transferred.glb`, beside it, if none.
    pub output: Option<PathBuf>,
    /// The vertices of the body that weights come from; all if none. See [`chosen_vertices`](crate::vertex_choice::chosen_vertices).
    pub from: Vec<String>,
    /// The vertices of the target that get new weights; all if none.
    pub only: Vec<String>,
    /// Vertices of the target that are filled from those around them, whatever is near them.
    pub fill: Vec<String>,
    /// The body's joints whose weight is transferred, as for [`deform_choice`](crate::bind_request::deform_choice); all
    /// with weight if none.
    pub joints: Vec<String>,
    /// A file that says which of the body's joints is which of the target's.
    pub map: Option<PathBuf>,
    /// Beginnings and ends of joints' names that do not count.
    pub strip: Vec<String>,
    /// What becomes of the weight of joints that the target does not have.
    pub missing: MissingJoints,
    /// Also replace the weight of joints that only the target has.
    pub replace_own: bool,
    /// How much of the new weights is taken, from 0 to 1; the rest is the target's own.
    pub mix: f32,
    /// Bring the body to a target in other units, another position or another pose.
    pub fit: bool,
    /// Matching, smoothing, influences.
    pub options: TransferOptions,
    /// How weights are stored.
    pub store: WeightFormat,
    /// Draw what was matched, filled and bound to PNGs in this folder.
    pub pictures: Option<PathBuf>,
}

impl Default for TransferRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            targets: Vec::new(),
            output: None,
            from: Vec::new(),
            only: Vec::new(),
            fill: Vec::new(),
            joints: Vec::new(),
            map: None,
            strip: Vec::new(),
            missing: MissingJoints::Add,
            replace_own: false,
            mix: 1.0,
            fit: false,
            options: TransferOptions::default(),
            store: WeightFormat::Keep,
            pictures: None,
        }
    }
}

impl TransferRequest {
    pub(crate) fn check(&self) -> Result<(), AppError> {
        influence_count(self.options.influences)?;
        prune_threshold(self.options.prune)?;
        self.options.check()?;
        if !(0.0..=1.0).contains(&self.mix) {
            return Err(AppError::bad_value("the mix", "is a share from 0 to 1", self.mix));
        }
        if self.targets.is_empty() {
            return Err(AppError::bad_value("targets", "are at least one", "none"));
        }
        Ok(())
    }
}

/// What becomes of the weight of joints that a target does not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingJoints {
    /// They are added to its skeleton.
    #[default]
    Add,
    /// It goes to the nearest joint above that the target has.
    Parent,
}

/// What was transferred.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TransferReport {
    /// What the user calls the body.
    pub input: String,
    /// Joints of the body that hold weight.
    pub joints: usize,
    /// What was found in the body's files.
    pub file_warnings: Vec<FileWarning>,
    /// Each target.
    pub targets: Vec<TransferredTarget>,
}

/// What became of one target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TransferredTarget {
    /// What the user calls it.
    pub input: String,
    /// The file that was written, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Vertices of the document.
    pub vertices: usize,
    /// Points, vertices at one position counted once, that have a counterpart on the body.
    pub matched: usize,
    /// Points that were filled from those around them.
    pub filled: usize,
    /// Of these, points whose counterpart was that of another limb.
    pub other_limb: usize,
    /// Points of pieces without any match, which were bound anew.
    pub bound: usize,
    /// How many such pieces there are.
    pub bound_pieces: usize,
    /// Joints that hold weight now.
    pub joints: usize,
    /// Joints of the body that were added to its skeleton.
    pub added_joints: Vec<String>,
    /// Joints of the body whose weight went to one above: the joint and where it went.
    pub merged_joints: Vec<(String, String)>,
    /// Joints that only the target has and that kept their weight.
    pub own_joints: Vec<String>,
    /// The factor by which the body was scaled to fit, where it was brought to the target.
    pub fitted: Option<f64>,
    /// The most joints that a vertex follows.
    pub max_influences: usize,
    /// The picture that was drawn.
    pub picture: Option<PathBuf>,
    /// Where the time went.
    pub stages: Vec<Stage>,
    /// The time that passed, in milliseconds, writing included and reading not.
    pub milliseconds: f64,
    /// What was found in its files.
    pub file_warnings: Vec<FileWarning>,
    /// What was guessed in binding pieces without a match.
    pub bind_warnings: Vec<BindWarning>,
}
