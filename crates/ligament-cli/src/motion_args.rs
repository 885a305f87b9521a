//! Which pose is meant, and how skin follows it, on the command line.

use clap::ValueEnum;
use ligament::motion::Stance;
use ligament_app::motion::{Moment, Skinning};

/// Choosing a pose.
#[derive(clap::Args)]
pub struct MotionArgs {
    /// The clip, by name or number from 0, or builtin:NAME for one made by code; without one, the
    /// rest pose (or with --time or --frames the first clip)
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Seconds from the clip's start [default: its middle]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f32>,
    /// How the skin follows the bones
    #[arg(long, value_enum, default_value = "linear", value_name = "METHOD")]
    skinning: SkinningName,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SkinningName {
    /// Linear blend: what every engine does
    Linear,
    /// Dual quaternions: keep volume under twist
    DualQuaternion,
    /// Linear blend, smoothed, detail put back
    DeltaMush,
}

/// How a character stands.
#[derive(Clone, Copy, ValueEnum)]
pub enum StanceName {
    /// As the mesh was modelled
    Mesh,
    /// With its arms stretched out to the sides
    T,
}

impl From<StanceName> for Stance {
    fn from(name: StanceName) -> Self {
        match name {
            StanceName::Mesh => Self::Mesh,
            StanceName::T => Self::T,
        }
    }
}

impl MotionArgs {
    /// The pose.
    pub fn moment(&self) -> Moment {
        Moment {
            clip: self.clip.clone(),
            time: self.time,
        }
    }

    /// How skin follows it.
    pub fn skinning(&self) -> Skinning {
        match self.skinning {
            SkinningName::Linear => Skinning::Linear,
            SkinningName::DualQuaternion => Skinning::DualQuaternion,
            SkinningName::DeltaMush => Skinning::DeltaMush,
        }
    }
}
