//! What can be done to a rig, as plain data.

use glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};

use super::error::EditError;
use crate::bind::{Falloff, VertexSet};
use crate::character::BoneShape;

/// A joint by its name or by its index in the skeleton, for names that are not unique.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JointRef {
    /// By name.
    Name(String),
    /// By index.
    Index(u16),
}

impl From<&str> for JointRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

/// A shape that attracts skin for a joint besides its bones, around the joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShapeAround {
    /// A point, as seen from the joint in bind space.
    Point {
        /// From the joint to the point.
        offset: DVec3,
    },
    /// A ball.
    Ball {
        /// From the joint to the middle.
        offset: DVec3,
        /// Its radius, not negative.
        radius: f64,
    },
    /// A box along the axes of bind space.
    Box {
        /// From the joint to the middle.
        offset: DVec3,
        /// Half its extent.
        half_extent: DVec3,
    },
}

impl ShapeAround {
    /// The shape around a joint at a position.
    pub fn around(&self, joint: DVec3) -> Result<BoneShape, EditError> {
        let made = match *self {
            Self::Point { offset } => BoneShape::Point(joint + offset),
            Self::Ball { offset, radius } => BoneShape::Sphere {
                centre: joint + offset,
                radius,
            },
            Self::Box { offset, half_extent } => BoneShape::Box {
                bind_from_box: DAffine3::from_translation(joint + offset),
                half_extent,
            },
        };
        let extent = match self {
            Self::Point { .. } => 0.0,
            Self::Ball { radius, .. } => *radius,
            Self::Box { half_extent, .. } => half_extent.min_element(),
        };
        if made.is_finite() && extent >= 0.0 && extent.is_finite() {
            return Ok(made);
        }
        Err(EditError::OutOfRange {
            what: "the numbers of a shape",
            range: "finite, and its extent not negative",
            value: format!("{self:?}"),
        })
    }
}

/// One edit.
///
/// With serde_json's `arbitrary_precision`, which `ligament-io` turns on, read it by `serde_json::from_value`: from text, numbers
/// inside a tagged value cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Command {
    /// Moves a joint; those below it stay where they are, or come along.
    MoveJoint {
        /// The joint.
        joint: JointRef,
        /// Where it goes, in bind space. Either this or `by`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<DVec3>,
        /// How far it goes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<DVec3>,
        /// Whether the joints below come along.
        #[serde(default)]
        with_children: bool,
    },
    /// Puts a new joint between a joint and its parent.
    InsertJoint {
        /// The joint that becomes the new one's child.
        joint: JointRef,
        /// The new joint's name; made from the joint's if none.
        #[serde(default)]
        name: Option<String>,
        /// Where between the parent (0) and the joint (1).
        #[serde(default = "half")]
        at: f64,
    },
    /// Hangs a new joint on a joint: the first of a limb that is missing, or one more at its end.
    AddJoint {
        /// The joint that it hangs on.
        joint: JointRef,
        /// The new joint's name; made from the joint's if none.
        #[serde(default)]
        name: Option<String>,
        /// Where it is, in bind space. Either this or `by`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<DVec3>,
        /// How far it is from the joint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<DVec3>,
    },
    /// Takes a joint away; its children and its skin go to its parent.
    DeleteJoint {
        /// The joint, not the root.
        joint: JointRef,
    },
    /// Puts three or more joints of one chain into one plane, with one axis to bend them.
    AlignJoints {
        /// The joints, in any order.
        joints: Vec<JointRef>,
    },
    /// Makes a joint the root of its tree.
    SetRoot {
        /// The joint.
        joint: JointRef,
    },
    /// Gives a joint another name.
    RenameJoint {
        /// The joint.
        joint: JointRef,
        /// The name.
        name: String,
    },
    /// Turns a joint's axes: Y to its child, Z to the outside of the bend or `up`. Without a
    /// joint, all joints of the skin.
    Orient {
        /// The joint.
        #[serde(default)]
        joint: Option<JointRef>,
        /// Where Z points, as far as Y allows.
        #[serde(default)]
        up: Option<DVec3>,
    },
    /// Moves the handle that stands for a joint in the distance to its bones.
    Range {
        /// The joint.
        joint: JointRef,
        /// Where the handle goes, in bind space. Without this and `by`, back to the joint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<DVec3>,
        /// How far the handle goes from where it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<DVec3>,
    },
    /// How strongly a joint attracts skin; 1 is usual.
    Magnitude {
        /// The joint.
        joint: JointRef,
        /// Over 0.
        value: f64,
    },
    /// How smooth a joint's weights are, 0 to 1; 0 is usual. For heat.
    Smoothness {
        /// The joint.
        joint: JointRef,
        /// b of Bang et al. 2015, equation 3.
        value: f64,
    },
    /// Whether a joint holds weight.
    TakesPart {
        /// The joint.
        joint: JointRef,
        /// Whether it does.
        value: bool,
    },
    /// How fast weights fall, 0 to 1; without a value, as usual. For voxel.
    Falloff {
        /// α of Dionne and de Lasa 2014, section 3.5.
        #[serde(default)]
        value: Option<f64>,
    },
    /// Gives a part of the mesh rules of its own.
    AddRegion {
        /// Which vertices.
        of: VertexSet,
        /// How fast weights fall there. For voxel.
        #[serde(default)]
        falloff: Option<Falloff>,
        /// The names of the joints that they follow, and no others.
        #[serde(default)]
        drivers: Option<Vec<String>>,
    },
    /// Takes the rules of a part of the mesh away, as they were given.
    RemoveRegion {
        /// Which vertices.
        of: VertexSet,
    },
    /// Lets a shape around a joint attract skin too. For voxel.
    AddShape {
        /// The joint.
        joint: JointRef,
        /// The shape.
        shape: ShapeAround,
    },
    /// Takes all shapes around a joint away.
    RemoveShapes {
        /// The joint.
        joint: JointRef,
    },
}

fn half() -> f64 {
    0.5
}
