//! A fit with the arms stretched out.
//!
//! Arms that hang close to the body share their space with it: straight distances of the field see one through the other. SkinCells 2026 (section 4)
//! poses its characters first. Here the voxel bind brings a character there; what is fitted there is brought back vertex by
//! vertex and holds a second fit, so that the field serves the character as it was modelled.

use super::{FitOptions, Fitted, Guidance, bind_by_field, fit_character, voxel_weights};
use crate::bind::{BindError, BindOptions};
use crate::character::{Character, HumanoidMap, Weights};
use crate::deform::{DeformMethod, deform};
use crate::motion::{Stance, t_pose};
use crate::skin::Skin;
use crate::task::Task;

/// Fits in the T-pose, then as the character was modelled, held by what came out there.
pub(super) fn fit(
    skin: &Skin,
    options: &BindOptions,
    fit_options: &FitOptions,
    guidance: Option<&Guidance>,
    task: &Task<'_>,
) -> Result<Fitted, BindError> {
    let plain = FitOptions {
        stance: Stance::Mesh,
        ..fit_options.clone()
    };
    let weights = voxel_weights(skin, options, task)?.ok_or(BindError::NoTPose)?;
    let posed = stretched_out(skin.character(), &weights).ok_or(BindError::NoTPose)?;
    let posed = Skin::new(posed)?;
    let there = fit_character(&posed, options, &plain, guidance, task)?;
    let weights = bind_by_field(&posed, &there.field, options, task)?.weights;
    // The paper's setting is held by nothing, and would forget where it has been.
    let strength = if fit_options.hold > 0.0 {
        fit_options.hold
    } else {
        1.0
    };
    let held = Guidance::everywhere(weights, strength);
    fit_character(skin, options, &plain, Some(&held), task)
}

/// The same character, bound with its arms stretched out to the sides; `None` if it has no arms or no legs.
fn stretched_out(character: &Character, weights: &Weights) -> Option<Character> {
    let skeleton = &character.skeleton;
    let pose = t_pose(skeleton, &HumanoidMap::of(skeleton))?;
    // Linear blending would thin shoulders that turn far.
    let moved = deform(character, weights, &pose, DeformMethod::DualQuaternion).ok()?;
    let mut posed = character.clone();
    posed.mesh.positions = moved.positions;
    let world_from_joints = pose.world_from_joints(skeleton);
    for ((joint, local), world) in posed
        .skeleton
        .joints
        .iter_mut()
        .zip(pose.locals)
        .zip(world_from_joints)
    {
        joint.rest = local;
        joint.bind_from_joint = world;
    }
    Some(posed)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::bind::{Method, VoxelOptions};
    use crate::character::StandardBone as B;

    #[test]
    fn arms_are_stretched_out_and_come_back() {
        let task = Task::unattended();
        let character = crate::sample::make("apose@1500").unwrap();
        let skin = Skin::new(character.clone()).unwrap();
        let options = BindOptions::default();
        let weights = Method::Voxel(VoxelOptions::default())
            .bind(&skin, &options, &task)
            .unwrap()
            .weights;
        let posed = stretched_out(&character, &weights).unwrap();
        let map = HumanoidMap::of(&posed.skeleton);
        let at = |bone| posed.skeleton.bind_position(map.joint_of(bone).unwrap());
        let along = (at(B::LeftHand) - at(B::LeftUpperArm)).normalize();
        assert!(along.dot(DVec3::X) > 0.99, "{along}");
        // The skin went with the bones: the farthest vertex of the left is about as far out as the hand.
        let widest = posed
            .mesh
            .positions
            .iter()
            .map(|p| f64::from(p.x))
            .fold(0.0, f64::max);
        assert!(widest > at(B::LeftHand).x, "{widest}");
        let before = character
            .mesh
            .positions
            .iter()
            .map(|p| f64::from(p.x))
            .fold(0.0, f64::max);
        assert!(widest > 1.1 * before, "{before} {widest}");
    }

    #[test]
    fn what_has_no_arms_is_refused() {
        let character = crate::sample::make("hound@800").unwrap();
        let skin = Skin::new(character).unwrap();
        let wanted = FitOptions {
            stance: Stance::T,
            steps: 1,
            ..FitOptions::default()
        };
        let refused = fit_character(&skin, &BindOptions::default(), &wanted, None, &Task::unattended());
        assert_eq!(refused.err(), Some(BindError::NoTPose));
    }
}
