//! The T-pose: arms stretched out to the sides.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::bind_pose;
use super::retarget::{BodyAxes, Turner};
use crate::character::{HumanoidMap, JointIndex, Pose, Side, Skeleton, StandardBone};

/// How a character stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// As the mesh was modelled.
    #[default]
    Mesh,
    /// With its arms stretched out to the sides, as engines expect of a humanoid.
    T,
}

/// Arms that are turned by less from the T-pose are in it.
const ENOUGH_DEGREES: f64 = 5.0;

/// Where joints are when the arms of a bound skeleton are stretched out to the sides; everything else stays as it is bound. `None`
/// if the map has no arms or no legs.
pub fn t_pose(skeleton: &Skeleton, map: &HumanoidMap) -> Option<Pose> {
    use StandardBone as B;
    let at = |bone: StandardBone| map.joint_of(bone).map(|j| skeleton.bind_position(j));
    let hips = (at(B::LeftUpperLeg)? + at(B::RightUpperLeg)?) / 2.0;
    let feet = (at(B::LeftFoot).or(at(B::LeftLowerLeg))? + at(B::RightFoot).or(at(B::RightLowerLeg))?) / 2.0;
    let axes = BodyAxes::new(at(B::LeftUpperLeg)? - at(B::RightUpperLeg)?, hips - feet)?;
    let mut aims: Vec<(JointIndex, DVec3, DVec3)> = Vec::new();
    for side in Side::BOTH {
        let out = if side == Side::Left {
            axes.left()
        } else {
            -axes.left()
        };
        for (bone, next) in [(B::LeftUpperArm, B::LeftLowerArm), (B::LeftLowerArm, B::LeftHand)] {
            let along = (at(next.on(side))? - at(bone.on(side))?).try_normalize()?;
            aims.push((map.joint_of(bone.on(side))?, along, out));
        }
    }
    let turner = Turner::new(skeleton);
    let mut turns: Vec<DQuat> = Vec::with_capacity(skeleton.joints.len());
    for index in skeleton.indices() {
        let above = skeleton
            .joint(index)
            .parent
            .map_or(DQuat::IDENTITY, |p| turns[p.at()]);
        let aim = aims.iter().find(|a| a.0 == index);
        turns.push(match aim {
            Some(&(_, along, out)) if (above * along).angle_between(out).to_degrees() > ENOUGH_DEGREES => {
                (DQuat::from_rotation_arc(above * along, out) * above).normalize()
            }
            _ => above,
        });
    }
    let mut pose = bind_pose(skeleton);
    for index in skeleton.indices() {
        let local = &mut pose.locals[index.at()];
        local.rotation = turner.local(&turns, index);
        local.scale = skeleton.joint(index).rest.scale;
    }
    Some(pose)
}
