//! How weights are measured, for the commands that measure.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::bail;
use clap::ValueEnum;
use ligament::Character;
use ligament::measure::{Measure, MeasureOptions, Report};
use ligament::motion::MotionChoice;

use crate::motion::read_joint_limits;

/// Poses, frames and limits.
#[derive(clap::Args)]
pub struct MeasureArgs {
    /// Which poses to measure in
    #[arg(long, value_enum, default_value = "auto")]
    poses: Poses,
    /// At most so many frames of all clips together
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    frames: u16,
    /// Frames in which to look for skin that cuts through skin; 0 for none
    #[arg(long, default_value_t = 8, value_name = "N")]
    penetration_frames: u16,
    /// From which value on a measure is broken, such as bleed=0.01
    #[arg(long = "limit", value_name = "MEASURE=VALUE")]
    limits: Vec<LimitArg>,
    /// A JSON file with joint limits for --poses range, such as
    /// [{"joints": "*knee*", "moves": [{"axis": "forward", "from": -130, "to": 0}]}]
    #[arg(long, value_name = "FILE")]
    joint_limits: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Poses {
    /// The file's clips; a range of motion if none of them bends the skeleton
    Auto,
    /// The file's clips
    Clips,
    /// A range of motion within joint limits
    Range,
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
    /// What the library is asked to measure.
    pub fn options(&self) -> anyhow::Result<MeasureOptions> {
        let mut options = MeasureOptions {
            motion: match self.poses {
                Poses::Auto => MotionChoice::Auto,
                Poses::Clips => MotionChoice::Clips,
                Poses::Range => MotionChoice::RangeOfMotion,
            },
            frames: usize::from(self.frames),
            penetration_frames: usize::from(self.penetration_frames),
            ..MeasureOptions::default()
        };
        for &LimitArg(measure, value) in &self.limits {
            *options.limits.of_mut(measure) = value;
        }
        if let Some(path) = &self.joint_limits {
            options.joint_limits = read_joint_limits(path)?;
        }
        Ok(options)
    }

    /// Fails with a way out where nothing was posed.
    pub fn posed(&self, character: &Character, report: &Report) -> anyhow::Result<()> {
        if report.frames > 0 {
            return Ok(());
        }
        let way_out = match self.poses {
            Poses::Clips => "no clip of it bends the skeleton: leave out --poses clips",
            _ => "no joint of it may move: change --joint-limits",
        };
        bail!("'{}' has no pose to measure in; {way_out}", character.name);
    }
}
