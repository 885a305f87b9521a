//! What a character is made of and what is wrong with it.

use ligament::bind::{JointGuess, guess_joints};
use ligament::character::{BodyPlan, HumanoidMap, JointIndex, LimbKind, Side, Skeleton, StandardBone};
use ligament::inspect::{InspectOptions, Inspection};
use ligament::skin::Skin;
use ligament::task::Task;
use ligament_io::import::FileWarning;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};

/// What to inspect.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InspectRequest {
    /// What to open.
    pub asset: AssetRequest,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InspectReport {
    /// What the user calls it.
    pub input: String,
    /// Facts, counted.
    #[serde(flatten)]
    pub found: Inspection,
    /// Which joints a bind would take to move skin, and why; none without a skeleton or skin.
    pub deform_joints: Vec<JointGuess>,
    /// Which bones of a body the joints are; none without a skeleton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anatomy: Option<AnatomyReport>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Which bones that engines know a skeleton has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnatomyReport {
    /// What kind of body it is.
    pub plan: BodyPlan,
    /// The bones that were found, trunk first.
    pub bones: Vec<BoneReport>,
    /// Bones that VRM asks for and no joint is.
    pub missing: Vec<StandardBone>,
    /// Legs, arms, wings and tails.
    pub limbs: Vec<LimbReport>,
    /// Whether the feet point backwards for what names call left and right.
    pub sides_swapped: bool,
}

/// A joint that is a standard bone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoneReport {
    /// The bone, as VRM calls it.
    pub bone: StandardBone,
    /// The joint's name.
    pub joint: String,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

/// A limb.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimbReport {
    /// What it is.
    pub kind: LimbKind,
    /// Which side it is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The names of its joints, from the trunk outward.
    pub joints: Vec<String>,
}

impl AnatomyReport {
    /// Reads a skeleton.
    pub fn of(skeleton: &Skeleton) -> Self {
        let map = HumanoidMap::of(skeleton);
        let name = |j: JointIndex| skeleton.joint(j).name.clone();
        Self {
            plan: map.plan(),
            bones: map
                .bones()
                .iter()
                .map(|m| BoneReport {
                    bone: m.bone,
                    joint: name(m.joint),
                    confidence: m.confidence,
                })
                .collect(),
            missing: map.missing(),
            limbs: map
                .limbs()
                .iter()
                .map(|l| LimbReport {
                    kind: l.kind,
                    side: l.side,
                    joints: l.joints.iter().copied().map(name).collect(),
                })
                .collect(),
            sides_swapped: map.sides_swapped(),
        }
    }
}

impl InspectReport {
    /// Whether the weights in the file are faulty: NaN, not normalised, on joints that do not
    /// exist, missing, or different for vertices at one position. Open edges and the like are
    /// facts of a mesh, not faults.
    pub fn is_faulty(&self) -> bool {
        let torn = self.found.weights.as_ref().is_some_and(|w| w.torn_vertices > 0);
        let fault = |w: &FileWarning| matches!(w, FileWarning::Gltf(w) if w.is_fault());
        torn || self.file_warnings.iter().any(fault)
    }
}

/// Opens and inspects.
pub fn run(request: &InspectRequest, task: &Task<'_>) -> Result<InspectReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, task)
}

/// Inspects what is open.
pub fn run_on(asset: &Asset, task: &Task<'_>) -> Result<InspectReport, AppError> {
    let found = ligament::inspect::inspect(asset.character(), &InspectOptions::default(), task)?;
    let skin = found
        .skeleton
        .as_ref()
        .and_then(|_| Skin::new(asset.character().clone()).ok());
    Ok(InspectReport {
        input: asset.input().to_owned(),
        anatomy: found
            .skeleton
            .as_ref()
            .map(|_| AnatomyReport::of(&asset.character().skeleton)),
        found,
        deform_joints: skin.as_ref().map_or_else(Vec::new, guess_joints),
        file_warnings: asset.warnings(),
    })
}
