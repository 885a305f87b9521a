//! Which poses are meant. Every verb uses the same words for them.

use std::borrow::Cow;
use std::path::Path;

use ligament::bind::cells::PoseSource;
use ligament::deform::DeformMethod;
use ligament::motion::builtin::builtin_clip;
use ligament::motion::retarget::NamedJoints;
use ligament::motion::{JointLimits, MotionChoice};
use ligament::{Character, Clip, Pose};
use serde::{Deserialize, Serialize};

use crate::AppError;

/// Where poses come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Poses {
    /// The file's clips; a range of motion if none of them bends the skeleton.
    #[default]
    Auto,
    /// The file's clips.
    Clips,
    /// A range of motion: every joint to both ends of its limits.
    Range,
    /// At random within joint limits.
    Random,
}

impl Poses {
    /// The frames to measure in.
    pub(crate) fn to_measure(self) -> Result<MotionChoice, AppError> {
        match self {
            Self::Auto => Ok(MotionChoice::Auto),
            Self::Clips => Ok(MotionChoice::Clips),
            Self::Range => Ok(MotionChoice::RangeOfMotion),
            Self::Random => Err(AppError::bad_value(
                "poses",
                "to measure in are auto, clips or range",
                "random",
            )),
        }
    }

    /// The poses to fit in.
    pub(crate) fn to_fit(self) -> Result<PoseSource, AppError> {
        match self {
            Self::Clips => Ok(PoseSource::Clips),
            Self::Random => Ok(PoseSource::Limits),
            Self::Auto | Self::Range => Err(AppError::bad_value(
                "poses",
                "to fit in are clips or random",
                "others",
            )),
        }
    }
}

/// How the skin follows the bones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skinning {
    /// Linear blend: what every engine does.
    #[default]
    Linear,
    /// Dual quaternions: keep volume under twist.
    DualQuaternion,
    /// Linear blend, smoothed, detail put back.
    DeltaMush,
}

impl From<Skinning> for DeformMethod {
    fn from(skinning: Skinning) -> Self {
        match skinning {
            Skinning::Linear => Self::LinearBlend,
            Skinning::DualQuaternion => Self::DualQuaternion,
            Skinning::DeltaMush => Self::DeltaMush,
        }
    }
}

/// A moment of a clip, or the rest pose.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Moment {
    /// The clip, by name or number from 0, or `builtin:NAME` for one made by code; without one, the
    /// rest pose, or with a time the first clip.
    pub clip: Option<String>,
    /// Seconds from the clip's start; its middle if none.
    pub time: Option<f32>,
}

impl Moment {
    /// The clip that is meant, if any.
    pub fn clip<'a>(
        &self,
        character: &'a Character,
        wants_motion: bool,
    ) -> Result<Option<Cow<'a, Clip>>, AppError> {
        match &self.clip {
            Some(name) => clip_called(character, name).map(Some),
            None if self.time.is_some() || wants_motion => match character.clips.first() {
                Some(clip) => Ok(Some(Cow::Borrowed(clip))),
                None => Err(AppError::NoClips {
                    name: character.name.clone(),
                }),
            },
            None => Ok(None),
        }
    }

    /// The pose that is meant.
    pub fn pose(&self, character: &Character, clip: Option<&Clip>) -> Pose {
        let Some(clip) = clip else {
            return Pose::rest(&character.skeleton);
        };
        let (start, end) = clip.span_secs();
        let time = self.time.map_or(0.5 * (start + end), |t| start + t);
        clip.pose_at(&character.skeleton, time)
    }
}

/// The pose that `CLIP` (its middle) or `CLIP@SECONDS` (from its start) names.
pub fn pose_called(character: &Character, text: &str) -> Result<Pose, AppError> {
    let (clip, time) = match text.rsplit_once('@') {
        Some((clip, seconds)) => match seconds.parse::<f32>() {
            Ok(seconds) if seconds.is_finite() => (clip, Some(seconds)),
            _ => return Err(AppError::bad_value("a pose", "is CLIP or CLIP@SECONDS", text)),
        },
        None => (text, None),
    };
    let moment = Moment {
        clip: Some(clip.to_owned()),
        time,
    };
    let clip = moment.clip(character, true)?;
    Ok(moment.pose(character, clip.as_deref()))
}

/// The clip of that name or number, or the one made by code that `builtin:NAME` names.
pub fn clip_called<'a>(character: &'a Character, name: &str) -> Result<Cow<'a, Clip>, AppError> {
    match name.strip_prefix("builtin:") {
        Some(builtin) => {
            let clip = builtin_clip(builtin, &character.skeleton, &NamedJoints::default())?;
            Ok(Cow::Owned(clip))
        }
        None => find_clip(&character.clips, name).map(Cow::Borrowed),
    }
}

pub(crate) fn find_clip<'a>(clips: &'a [Clip], name: &str) -> Result<&'a Clip, AppError> {
    let by_number = || name.parse::<usize>().ok().and_then(|i| clips.get(i));
    clips
        .iter()
        .find(|c| c.name == name)
        .or_else(by_number)
        .ok_or_else(|| AppError::NoClip {
            clip: name.to_owned(),
            known: clips.iter().map(|c| c.name.clone()).collect(),
        })
}

/// Limits of joints from a JSON file, such as
/// `[{"joints": "*knee*", "moves": [{"axis": "forward", "from": -130, "to": 0}]}]`.
pub fn read_joint_limits(path: &Path) -> Result<Vec<JointLimits>, AppError> {
    let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
    let limits: Vec<JointLimits> = serde_json::from_str(&text).map_err(|source| AppError::Json {
        path: path.to_owned(),
        wanted: "a list of joint limits",
        source,
    })?;
    check_joint_limits(&limits)?;
    Ok(limits)
}

/// Fails where an angle is more than half a turn.
pub(crate) fn check_joint_limits(limits: &[JointLimits]) -> Result<(), AppError> {
    let sound = |angle: f64| (-180.0..=180.0).contains(&angle);
    match limits
        .iter()
        .find(|l| !l.moves.iter().all(|m| sound(m.from) && sound(m.to)))
    {
        None => Ok(()),
        Some(limit) => Err(AppError::bad_value(
            "joint limits",
            "are angles within -180 and 180 degrees",
            format!("others for '{}'", limit.joints),
        )),
    }
}
