//! How weights are measured, on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use ligament::measure::{Limits, Measure};
use ligament_app::check::MeasureRequest;
use ligament_app::motion::{Poses, read_joint_limits};

/// Poses, frames and limits.
#[derive(clap::Args)]
pub struct MeasureArgs {
    /// Which poses to measure in
    #[arg(long, value_enum, default_value = "auto")]
    poses: PosesName,
    /// At most so many frames of all clips together
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    frames: u16,
    /// Frames in which to look for skin that cuts through skin; 0 for none
    #[arg(long, default_value_t = 8, value_name = "N")]
    penetration_frames: u16,
    /// Measure a large mesh in all frames too; meshes of over 200,000 vertices are measured in fewer
    #[arg(long)]
    all_frames: bool,
    /// From which value on a measure is broken, such as bleed=0.01
    #[arg(long = "limit", value_name = "MEASURE=VALUE")]
    limits: Vec<LimitArg>,
    /// A JSON file with joint limits for --poses range, such as
    /// [{"joints": "*knee*", "moves": [{"axis": "forward", "from": -130, "to": 0}]}]
    #[arg(long, value_name = "FILE")]
    joint_limits: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PosesName {
    /// The file's clips; a range of motion if none of them bends the skeleton
    Auto,
    /// The file's clips
    Clips,
    /// A range of motion: every joint to both ends of its limits
    Range,
}

impl From<PosesName> for Poses {
    fn from(poses: PosesName) -> Self {
        match poses {
            PosesName::Auto => Self::Auto,
            PosesName::Clips => Self::Clips,
            PosesName::Range => Self::Range,
        }
    }
}

#[derive(Clone, Copy)]
struct LimitArg(Measure, f64);

impl FromStr for LimitArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("use MEASURE=VALUE, such as bleed=0.01")?;
        let name = name.trim().replace('-', "_");
        let measure = Measure::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| {
                let names: Vec<&str> = Measure::ALL.iter().map(|m| m.name()).collect();
                format!("there is no measure '{name}'; there are {}", names.join(", "))
            })?;
        let value: f64 = value.trim().parse().map_err(|_| "the value is a number")?;
        if !(value.is_finite() && value > 0.0) {
            return Err("the value is greater than 0".to_owned());
        }
        Ok(Self(measure, value))
    }
}

impl MeasureArgs {
    /// What is asked to be measured.
    pub fn request(&self) -> anyhow::Result<MeasureRequest> {
        let mut limits = Limits::default();
        for &LimitArg(measure, value) in &self.limits {
            *limits.of_mut(measure) = value;
        }
        let joint_limits = match &self.joint_limits {
            Some(path) => read_joint_limits(path)?,
            None => Vec::new(),
        };
        Ok(MeasureRequest {
            poses: self.poses.into(),
            frames: usize::from(self.frames),
            penetration_frames: usize::from(self.penetration_frames),
            joint_limits,
            limits,
            all_frames: self.all_frames,
        })
    }
}
