//! What a user says about heat.

use serde::{Deserialize, Serialize};

use super::{HeatForm, HeatHandle};
use crate::bind::{DeformChoice, DeformChoiceError};
use crate::character::Skeleton;

/// How heat works. The defaults need no change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeatOptions {
    /// The default form, or a published one.
    pub preset: HeatPreset,
    /// How strongly joints radiate ([`HeatHandle::magnitude`]): names or globs, later ones over earlier ones.
    pub radius: Vec<(String, f64)>,
    /// How smooth joints' weights are ([`HeatHandle::smoothness`]), likewise.
    pub smoothness: Vec<(String, f64)>,
}

/// A form of heat by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeatPreset {
    /// The default.
    #[default]
    Ligament,
    /// As published by Baran and Popović (2007).
    #[serde(rename = "2007")]
    Published2007,
    /// As Blender 5.0 has it.
    Blender,
}

impl HeatPreset {
    /// What it stands for.
    pub fn form(self) -> HeatForm {
        match self {
            Self::Ligament => HeatForm::default(),
            Self::Published2007 => HeatForm::published(),
            Self::Blender => HeatForm::blender(),
        }
    }
}

impl HeatOptions {
    /// The handle of each joint.
    pub(super) fn handles(&self, skeleton: &Skeleton) -> Result<Vec<HeatHandle>, DeformChoiceError> {
        let magnitudes = per_joint(&self.radius, 1.0, skeleton)?;
        let smoothness = per_joint(&self.smoothness, 0.0, skeleton)?;
        let handle = |(magnitude, smoothness)| HeatHandle {
            magnitude,
            smoothness,
        };
        Ok(magnitudes.into_iter().zip(smoothness).map(handle).collect())
    }
}

/// For each joint the last value that names it, or `otherwise`.
fn per_joint(
    values: &[(String, f64)],
    otherwise: f64,
    skeleton: &Skeleton,
) -> Result<Vec<f64>, DeformChoiceError> {
    let mut per_joint = vec![otherwise; skeleton.joints.len()];
    for (pattern, value) in values {
        let chosen = DeformChoice::Patterns(vec![pattern.clone()]).resolve_stated(skeleton, None)?;
        for (_, v) in chosen.iter().zip(&mut per_joint).filter(|(chosen, _)| **chosen) {
            *v = *value;
        }
    }
    Ok(per_joint)
}
