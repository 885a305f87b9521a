//! How weights are measured, for the verbs that measure.

use ligament::Character;
use ligament::measure::{Limits, MeasureOptions, Report};
use ligament::motion::JointLimits;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::Asset;
use crate::motion::{Poses, check_joint_limits};

/// Poses, frames and limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureRequest {
    /// Which poses to measure in: auto, clips or range.
    pub poses: Poses,
    /// At most so many frames of all clips together, from 1 on.
    pub frames: usize,
    /// Frames in which to look for skin that cuts through skin; 0 for none.
    pub penetration_frames: usize,
    /// Limits of joints for the range of motion, instead of those by their names.
    pub joint_limits: Vec<JointLimits>,
    /// From which values on measures are broken.
    pub limits: Limits,
    /// Whether a large mesh is measured in all frames too.
    pub all_frames: bool,
}

impl Default for MeasureRequest {
    fn default() -> Self {
        let options = MeasureOptions::default();
        Self {
            poses: Poses::Auto,
            frames: options.frames,
            penetration_frames: options.penetration_frames,
            joint_limits: options.joint_limits,
            limits: options.limits,
            all_frames: options.all_frames,
        }
    }
}

impl MeasureRequest {
    /// What the library is asked to measure.
    pub(crate) fn options(&self) -> Result<MeasureOptions, AppError> {
        check_joint_limits(&self.joint_limits)?;
        if self.frames == 0 {
            return Err(AppError::bad_value("frames", "are 1 or more", 0));
        }
        Ok(MeasureOptions {
            motion: self.poses.to_measure()?,
            frames: self.frames,
            penetration_frames: self.penetration_frames,
            joint_limits: self.joint_limits.clone(),
            limits: self.limits.clone(),
            all_frames: self.all_frames,
        })
    }

    /// Fails with a way out where nothing was posed.
    pub(crate) fn refuse_without_pose(&self, character: &Character, report: &Report) -> Result<(), AppError> {
        if report.frames > 0 {
            return Ok(());
        }
        Err(AppError::NoPose {
            name: character.name.clone(),
            way_out: match self.poses {
                Poses::Clips => "no clip of it bends the skeleton: choose other poses than clips",
                _ => "no joint of it may move: change the joint limits",
            },
        })
    }
}

/// A report that numbers vertices of the document, with the source's own numbers instead.
pub(crate) fn number_source_vertices(report: &mut Report, asset: &Asset) {
    for region in &mut report.regions {
        region.vertex = asset.source_vertex(region.vertex);
    }
    if let Some(vertex) = &mut report.rigidity.worst_vertex {
        *vertex = asset.source_vertex(*vertex);
    }
}
