//! How a session works.

use serde::{Deserialize, Serialize};

use crate::bind::DeformChoice;
use crate::character::JointIndex;

/// The methods that can be edited, in their default forms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditMethod {
    /// Heat over the skin, solved again only where an edit changes it.
    #[default]
    Heat,
    /// Distances through the solid, run again only from bones that moved.
    Voxel,
}

impl EditMethod {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Voxel => "voxel",
        }
    }
}

/// How far from an edit heat is solved again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// As far as the change is over the tolerance: it fades with e to the distance times √H.
    #[default]
    Tolerance,
    /// As published (Bang et al., local re-computation): regions of joints around the edited ones until
    /// their weights vanish on the border, and four rings of vertices around that.
    Rings,
}

/// How a session works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionOptions {
    /// How weights are found.
    pub method: EditMethod,
    /// The most joints that a vertex may follow, from 1 on.
    pub influences: usize,
    /// Weights under this fraction are dropped, never a vertex's largest.
    pub prune: f32,
    /// Which joints take part at first.
    pub deform: DeformChoice,
    /// Heat: changes of weights under this are not followed, over 0 and under 1. Raising it
    /// is faster and less exact.
    pub tolerance: f64,
    /// Heat: how far from an edit it is solved again.
    pub growth: Growth,
    /// For each vertex the joint whose part of the body it is (Π of Bang et al.), as skeleton
    /// extraction gives it; found from the sources of heat if none. For [`Growth::Rings`].
    pub joint_of_vertex: Option<Vec<JointIndex>>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            method: EditMethod::Heat,
            influences: 4,
            prune: 1e-3,
            deform: DeformChoice::Guess,
            tolerance: 1e-3,
            growth: Growth::Tolerance,
            joint_of_vertex: None,
        }
    }
}
