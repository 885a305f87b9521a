//! Skeletons that were moved out of their mesh find their way back.

use glam::{DAffine3, DQuat, DVec3};

use super::*;
use crate::Character;
use crate::character::{Pose, Transform};

/// The character with its skeleton and clips in another frame: `mesh_from_skeleton` undone.
fn displaced(character: &Character, rotation: UpAxisRotation, scale: f64, offset: DVec3) -> Character {
    let mut c = character.clone();
    // Undo rotation, scale and move of the roots by hand, independently of `apply_fit`.
    let rotation = match rotation {
        UpAxisRotation::None => DQuat::IDENTITY,
        UpAxisRotation::ZUpToYUp => DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        UpAxisRotation::YUpToZUp => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
    };
    let back = DAffine3::from_scale_rotation_translation(DVec3::splat(1.0 / scale), rotation, DVec3::ZERO)
        * DAffine3::from_translation(-offset);
    for joint in &mut c.skeleton.joints {
        let bind = back * joint.bind_from_joint;
        joint.bind_from_joint = DAffine3 {
            matrix3: bind.matrix3 * scale,
            translation: bind.translation,
        };
    }
    for i in 0..c.skeleton.joints.len() {
        let own = c.skeleton.joints[i].bind_from_joint;
        let above = c.skeleton.joints[i]
            .parent
            .map_or(DAffine3::IDENTITY, |p| c.skeleton.joint(p).bind_from_joint);
        c.skeleton.joints[i].rest = Transform::from_affine(above.inverse() * own);
    }
    c
}

#[test]
fn a_skeleton_that_fits_is_left_alone() {
    for name in [
        "athlete@3000",
        "knight@2000",
        "hound@2500",
        "hand@1500",
        "skirt@4000",
        "tube",
    ] {
        let c = crate::sample::make(name).unwrap();
        let fit = find_fit(&c.mesh.positions, &c.skeleton);
        assert!(fit.is_identity(), "{name}: {fit}");
    }
}

#[test]
fn units_axes_and_places_are_found() {
    let cases = [
        ("athlete@3000", UpAxisRotation::None, 0.01, DVec3::ZERO),
        ("athlete@3000", UpAxisRotation::ZUpToYUp, 0.01, DVec3::ZERO),
        ("athlete@3000", UpAxisRotation::ZUpToYUp, 1.0, DVec3::ZERO),
        ("athlete@3000", UpAxisRotation::YUpToZUp, 0.0254, DVec3::ZERO),
        ("hound@2500", UpAxisRotation::None, 1000.0, DVec3::ZERO),
        ("hound@2500", UpAxisRotation::ZUpToYUp, 0.01, DVec3::ZERO),
        (
            "knight@2000",
            UpAxisRotation::None,
            1.0,
            DVec3::new(5.0, 0.0, -2.0),
        ),
    ];
    for (name, rotation, scale, offset) in cases {
        let c = crate::sample::make(name).unwrap();
        let mut away = displaced(&c, rotation, scale, offset);
        let fit = find_fit(&away.mesh.positions, &away.skeleton);
        assert_eq!(fit.rotation, rotation, "{name}: {fit}");
        assert!((fit.scale / scale - 1.0).abs() < 1e-9, "{name}: {fit}");
        assert!(fit.agreement_after > fit.agreement_before);
        apply_fit(&fit, &mut away.skeleton, &mut away.clips);
        // Joints are back at their positions: exactly, or as near as boxes can tell.
        let tolerance = if offset == DVec3::ZERO { 1e-6 } else { 0.1 };
        for (a, b) in c.skeleton.joints.iter().zip(&away.skeleton.joints) {
            let distance = a
                .bind_from_joint
                .translation
                .distance(b.bind_from_joint.translation);
            assert!(
                distance < tolerance * f64::from(c.mesh.diagonal()),
                "{name}: '{}' is {distance} off",
                a.name
            );
        }
    }
}

/// Rest and bind still agree, and a posed skeleton is the posed original.
#[test]
fn clips_come_along() {
    let c = crate::sample::make("athlete@3000").unwrap();
    let fit = Fit {
        rotation: UpAxisRotation::ZUpToYUp,
        scale: 0.01,
        offset: DVec3::new(1.0, 2.0, 3.0),
        agreement_before: 0.0,
        agreement_after: 1.0,
    };
    let mut fitted = c.clone();
    apply_fit(&fit, &mut fitted.skeleton, &mut fitted.clips);
    for (before, after) in c.clips.iter().zip(&fitted.clips) {
        for seconds in [0.0, 0.31, 0.77] {
            let world = before
                .pose_at(&c.skeleton, seconds)
                .world_from_joints(&c.skeleton);
            let moved = after
                .pose_at(&fitted.skeleton, seconds)
                .world_from_joints(&fitted.skeleton);
            for (a, b) in world.iter().zip(&moved) {
                let expected = fit.to_affine().transform_point3(a.translation);
                assert!(
                    expected.distance(b.translation) < 1e-5,
                    "'{}' at {seconds} s",
                    before.name
                );
            }
        }
    }
    let rest = Pose::rest(&fitted.skeleton).world_from_joints(&fitted.skeleton);
    for (joint, world) in fitted.skeleton.joints.iter().zip(rest) {
        assert!(joint.bind_from_joint.abs_diff_eq(world, 1e-6), "{}", joint.name);
    }
}

#[test]
fn a_fit_is_told_in_words() {
    let c = crate::sample::make("athlete@3000").unwrap();
    let away = displaced(&c, UpAxisRotation::ZUpToYUp, 0.01, DVec3::ZERO);
    let words = find_fit(&away.mesh.positions, &away.skeleton).to_string();
    assert_eq!(
        words,
        "the skeleton has Z up where the mesh has Y up, is in units 0.01 times the mesh's"
    );
}
