//! How far joints may be turned.

use serde::{Deserialize, Serialize};

/// A direction that a bone is turned towards, seen from the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveAxis {
    /// Towards +Z, where the character looks.
    Forward,
    /// Towards +Y.
    Up,
    /// Away from the character's middle, to the left for what is in the middle.
    Outward,
    /// About the bone's own direction.
    Twist,
}

impl MoveAxis {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Up => "up",
            Self::Outward => "outward",
            Self::Twist => "twist",
        }
    }
}

/// How far a joint may be turned in one way, in degrees from its bind pose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointMove {
    /// The way.
    pub axis: MoveAxis,
    /// The least angle in degrees, in `-180.0..=180.0`.
    pub from: f64,
    /// The largest angle in degrees, in `-180.0..=180.0`.
    pub to: f64,
}

/// Limits of some joints that replace those of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointLimits {
    /// Names with `*` and `?`, upper and lower case alike.
    pub joints: String,
    /// How they move; none keeps them still.
    pub moves: Vec<JointMove>,
}
