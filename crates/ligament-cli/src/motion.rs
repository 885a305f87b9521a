//! Which pose is meant: a clip and a time, or the rest pose.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use ligament::deform::DeformMethod;
use ligament::motion::JointLimits;
use ligament::{Character, Clip, Pose};

/// Choosing a pose.
#[derive(clap::Args)]
pub struct MotionArgs {
    /// The clip, by name or number from 0; without one, the rest pose (or with --time or
    /// --frames the first clip)
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// Seconds from the clip's start [default: its middle]
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f32>,
    /// How the skin follows the bones
    #[arg(long, value_enum, default_value = "linear", value_name = "METHOD")]
    pub deform: Deformer,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deformer {
    /// Linear blend: what every engine does
    Linear,
    /// Dual quaternions: keep volume under twist
    DualQuaternion,
    /// Linear blend, smoothed, detail put back
    DeltaMush,
}

impl From<Deformer> for DeformMethod {
    fn from(deformer: Deformer) -> Self {
        match deformer {
            Deformer::Linear => Self::LinearBlend,
            Deformer::DualQuaternion => Self::DualQuaternion,
            Deformer::DeltaMush => Self::DeltaMush,
        }
    }
}

impl MotionArgs {
    /// The clip that is meant, if any.
    pub fn clip<'a>(&self, character: &'a Character, wants_motion: bool) -> anyhow::Result<Option<&'a Clip>> {
        let clips = &character.clips;
        match &self.clip {
            Some(name) => find_clip(clips, name).map(Some),
            None if self.time.is_some() || wants_motion => match clips.first() {
                Some(clip) => Ok(Some(clip)),
                None => bail!("'{}' has no clips to take a pose from", character.name),
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
pub fn pose_called(character: &Character, text: &str) -> anyhow::Result<Pose> {
    let (clip, time) = match text.rsplit_once('@') {
        Some((clip, seconds)) => match seconds.parse::<f32>() {
            Ok(seconds) if seconds.is_finite() => (clip, Some(seconds)),
            _ => bail!("a pose is CLIP or CLIP@SECONDS; got '{text}'"),
        },
        None => (text, None),
    };
    let clip = find_clip(&character.clips, clip)?;
    let (start, end) = clip.span_secs();
    let time = time.map_or(0.5 * (start + end), |t| start + t);
    Ok(clip.pose_at(&character.skeleton, time))
}

fn find_clip<'a>(clips: &'a [Clip], name: &str) -> anyhow::Result<&'a Clip> {
    let by_number = || name.parse::<usize>().ok().and_then(|i| clips.get(i));
    let known = || {
        clips
            .iter()
            .map(|c| c.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    clips
        .iter()
        .find(|c| c.name == name)
        .or_else(by_number)
        .ok_or_else(|| match clips.len() {
            0 => anyhow!("there is no clip '{name}': the file has none"),
            _ => anyhow!("there is no clip '{name}'; the file has: {}", known()),
        })
}

/// Limits of joints from a JSON file.
pub fn read_joint_limits(path: &Path) -> anyhow::Result<Vec<JointLimits>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let limits: Vec<JointLimits> =
        serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    let sound = |angle: f64| (-180.0..=180.0).contains(&angle);
    for limit in &limits {
        if !limit.moves.iter().all(|m| sound(m.from) && sound(m.to)) {
            bail!("angles of '{}' must be within -180 and 180 degrees", limit.joints);
        }
    }
    Ok(limits)
}
