//! Templates in samples, whose joints are known.

use std::collections::BTreeMap;

use glam::DVec3;

use super::*;
use crate::character::{Character, HumanoidMap, Mesh, Side};
use crate::rig::{ExtractOptions, extract};
use crate::task::Task;
use StandardBone as B;

pub(super) fn extracted(mesh: &Mesh) -> Extracted {
    extract(mesh, &ExtractOptions::default(), &Task::unattended()).unwrap()
}

pub(super) fn options(template: Template<'_>, names: NameScheme) -> TemplateOptions<'_> {
    TemplateOptions {
        template,
        names,
        markers: BTreeMap::new(),
        face: None,
    }
}

fn place(fitted: &Templated, bone: StandardBone) -> DVec3 {
    let at = fitted.joints.iter().position(|j| j.bone == Some(bone));
    fitted.skeleton.joints[at.unwrap_or_else(|| panic!("no {bone:?}"))]
        .bind_from_joint
        .translation
}

/// Whatever extraction calls a hand, the joint near the wrist that fingers hang on is one.
#[test]
fn fingers_are_found_where_nothing_is_called_a_hand() {
    let character = crate::sample::make("athlete@12000").unwrap();
    let detail = ExtractOptions {
        detail: 0.8,
        ..ExtractOptions::default()
    };
    let found = extract(&character.mesh, &detail, &Task::unattended()).unwrap();
    let body = Humanoid::of(&found.skeleton, found.plan).unwrap();
    let named = fingers::fingers(&found.skeleton, &body, Source::Limbs, Side::Left);
    let mut nameless = found.skeleton.clone();
    for (k, joint) in nameless.joints.iter_mut().enumerate() {
        joint.name = format!("joint{k}");
    }
    let placed = fingers::fingers(&nameless, &body, Source::Landmarks, Side::Left);
    assert!(named.bones.len() >= 6, "{}", named.bones.len());
    assert_eq!(named.bones.len(), placed.bones.len());
    for (a, b) in named.bones.iter().zip(&placed.bones) {
        assert!(a.0 == b.0 && a.1.distance(b.1) < 0.02, "{a:?} {b:?}");
    }
}

/// The joints that VRM asks for that are further from the artist's than a share of the height. How many joints a spine has, and so
/// where its first is, differs from one to the other.
fn misplaced(character: &Character, fitted: &Templated, share: f64) -> Vec<(StandardBone, f64)> {
    misplaced_at(character, |bone| place(fitted, bone), share)
}

/// The same, by where each bone was put.
pub(super) fn misplaced_at(
    character: &Character,
    position: impl Fn(StandardBone) -> DVec3,
    share: f64,
) -> Vec<(StandardBone, f64)> {
    let own = HumanoidMap::of(&character.skeleton);
    let (low, high) = character.mesh.bounds();
    let tall = f64::from(high.y - low.y);
    StandardBone::ALL
        .into_iter()
        .filter(|b| b.is_required() && *b != B::Spine)
        .filter_map(|b| {
            let artist = character.skeleton.bind_position(own.joint_of(b)?);
            let off = artist.distance(position(b)) / tall;
            (off > share).then_some((b, off))
        })
        .collect()
}

fn is_sound(fitted: &Templated) {
    fitted.skeleton.check().unwrap();
    assert_eq!(
        fitted
            .skeleton
            .joints
            .iter()
            .filter(|j| j.parent.is_none())
            .count(),
        1
    );
    assert!(fitted.skeleton.duplicate_names().is_empty());
    assert_eq!(fitted.joints.len(), fitted.skeleton.joints.len());
    for joint in &fitted.skeleton.joints {
        let rotation = joint.bind_from_joint.matrix3;
        assert!((rotation.determinant() - 1.0).abs() < 1e-9, "{}", joint.name);
        assert!((rotation.transpose() * rotation).abs_diff_eq(glam::DMat3::IDENTITY, 1e-9));
    }
}

/// T-pose, A-pose and armour: main joints near those that the samples were made around, sides right, in the names asked for.
#[test]
fn a_humanoid_is_fitted_into_every_pose() {
    for (name, scheme) in [
        ("athlete@4000", NameScheme::Vrm),
        ("apose@4000", NameScheme::Mixamo),
        ("knight@4000", NameScheme::Unreal),
    ] {
        let character = crate::sample::make(name).unwrap();
        let found = extracted(&character.mesh);
        let fitted = fit_template(&found, &options(Template::Humanoid, scheme)).unwrap();
        is_sound(&fitted);
        let off = misplaced(&character, &fitted, 0.07);
        assert!(off.is_empty(), "{name}: {off:?}");
        let far = misplaced(&character, &fitted, 0.05);
        assert!(far.len() <= 2, "{name}: {far:?}");
        for bone in [
            B::LeftUpperArm,
            B::LeftHand,
            B::LeftUpperLeg,
            B::LeftFoot,
            B::LeftToes,
        ] {
            assert!(
                place(&fitted, bone).x > 0.0 && place(&fitted, bone.mirrored()).x < 0.0,
                "{name}: {bone:?}"
            );
        }
        let joint = fitted.skeleton.find(B::LeftLowerArm.name_in(scheme)).unwrap();
        let parent = fitted.skeleton.joint(joint).parent.unwrap();
        assert_eq!(
            fitted.skeleton.joint(parent).name,
            B::LeftUpperArm.name_in(scheme)
        );
        // What was fitted is what is read back.
        let map = HumanoidMap::of(&fitted.skeleton);
        for (i, joint) in fitted.joints.iter().enumerate() {
            if let Some(bone) = joint.bone {
                assert_eq!(
                    map.joint_of(bone).map(crate::JointIndex::at),
                    Some(i),
                    "{name}: {bone:?}"
                );
            }
        }
        assert!(map.missing().is_empty());
    }
}

#[test]
fn markers_pin_bones_and_are_sure() {
    let character = crate::sample::make("athlete@4000").unwrap();
    let found = extracted(&character.mesh);
    let mut wanted = options(Template::Humanoid, NameScheme::Vrm);
    let at = DVec3::new(0.68, 1.46, 0.01);
    wanted.markers.insert(B::LeftHand, at);
    let fitted = fit_template(&found, &wanted).unwrap();
    assert_eq!(place(&fitted, B::LeftHand), at);
    let joint = fitted
        .joints
        .iter()
        .find(|j| j.bone == Some(B::LeftHand))
        .unwrap();
    assert_eq!(joint.confidence, 1.0);
    wanted.markers.insert(B::Jaw, at);
    // Who shows where a jaw is has one, and the head still points up.
    let fitted = fit_template(&found, &wanted).unwrap();
    let at = fitted.joints.iter().position(|j| j.bone == Some(B::Jaw)).unwrap();
    assert_eq!(fitted.joints[at].confidence, 1.0);
    let head = fitted.skeleton.find("head").unwrap();
    let along = fitted.skeleton.joint(head).bind_from_joint.matrix3.y_axis;
    assert!(along.y > 0.9, "{along}");
}

#[test]
fn bodies_that_a_template_is_not_made_for_are_told_apart() {
    let hound = extracted(&crate::sample::make("hound@4000").unwrap().mesh);
    let athlete = extracted(&crate::sample::make("athlete@2000").unwrap().mesh);
    let wrong = fit_template(&hound, &options(Template::Humanoid, NameScheme::Vrm));
    assert!(
        matches!(
            wrong,
            Err(TemplateError::OtherBody {
                wanted: "humanoid",
                ..
            })
        ),
        "{wrong:?}"
    );
    let wrong = fit_template(&athlete, &options(Template::Quadruped, NameScheme::Vrm));
    assert!(
        matches!(
            wrong,
            Err(TemplateError::OtherBody {
                wanted: "quadruped",
                ..
            })
        ),
        "{wrong:?}"
    );
    let fitted = fit_template(&hound, &options(Template::Quadruped, NameScheme::Unreal)).unwrap();
    is_sound(&fitted);
    for name in ["pelvis", "head", "front_upper_leg_l", "hind_foot_r", "tail1"] {
        assert!(fitted.skeleton.find(name).is_some(), "{name}");
    }
    let map = HumanoidMap::of(&fitted.skeleton);
    assert_eq!(map.plan(), crate::character::BodyPlan::Quadruped);
}

/// The knight's mesh gets the athlete's skeleton: its joints and names, in the knight's places.
#[test]
fn another_characters_skeleton_is_fitted_by_its_own_bones() {
    let knight = crate::sample::make("knight@4000").unwrap();
    let athlete = crate::sample::make("apose@2000").unwrap();
    let found = extracted(&knight.mesh);
    let fitted = fit_template(
        &found,
        &options(Template::Like(&athlete.skeleton), NameScheme::Vrm),
    )
    .unwrap();
    is_sound(&fitted);
    let names = |s: &Skeleton| {
        s.joints
            .iter()
            .map(|j| (j.name.clone(), j.parent))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&fitted.skeleton), names(&athlete.skeleton));
    let plain = fit_template(&found, &options(Template::Humanoid, NameScheme::Vrm)).unwrap();
    for side in Side::BOTH {
        for bone in [B::LeftUpperArm, B::LeftLowerLeg, B::LeftHand] {
            assert_eq!(place(&fitted, bone.on(side)), place(&plain, bone.on(side)));
        }
    }
    let hound = crate::sample::make("hound@2000").unwrap();
    let wrong = fit_template(&found, &options(Template::Like(&hound.skeleton), NameScheme::Vrm));
    assert!(
        matches!(wrong, Err(TemplateError::TemplateNotRecognised { .. })),
        "{wrong:?}"
    );
}
