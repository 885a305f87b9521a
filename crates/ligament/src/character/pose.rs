//! Where every joint is at one moment.

use glam::{DAffine3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::Skeleton;

/// Scale, then rotate, then translate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Where the joint is, seen from its parent.
    pub translation: DVec3,
    /// How it is turned; a unit quaternion.
    pub rotation: DQuat,
    /// Its scale along its own axes.
    pub scale: DVec3,
}

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self {
        translation: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::ONE,
    };

    /// A move without turn or scale.
    pub fn from_translation(translation: DVec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The nearest scale, rotation and translation to an affine map; exact unless it
    /// shears.
    pub fn from_affine(affine: DAffine3) -> Self {
        let (scale, rotation, translation) = affine.to_scale_rotation_translation();
        Self {
            translation,
            rotation,
            scale,
        }
    }

    /// The same as a matrix.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// One local transform per joint, in the skeleton's order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// `parent_from_joint` for each joint.
    pub locals: Vec<Transform>,
}

impl Pose {
    /// The pose in which nothing is animated.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            locals: skeleton.joints.iter().map(|j| j.rest).collect(),
        }
    }

    /// `world_from_joint` for each joint.
    pub fn world_from_joints(&self, skeleton: &Skeleton) -> Vec<DAffine3> {
        let mut world: Vec<DAffine3> = Vec::with_capacity(self.locals.len());
        for (joint, local) in skeleton.joints.iter().zip(&self.locals) {
            let local = local.to_affine();
            world.push(match joint.parent {
                Some(p) => world[p.at()] * local,
                None => local,
            });
        }
        world
    }

    /// `world_from_bind` for each joint: what moves a vertex that only this joint holds.
    pub fn world_from_bind(&self, skeleton: &Skeleton) -> Vec<DAffine3> {
        self.world_from_joints(skeleton)
            .into_iter()
            .zip(&skeleton.joints)
            .map(|(world_from_joint, joint)| world_from_joint * joint.bind_from_joint.inverse())
            .collect()
    }
}
