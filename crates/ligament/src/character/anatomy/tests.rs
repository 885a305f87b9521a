//! Bodies in the names of many packages, without names, and of other kinds.

use std::collections::BTreeMap;

use glam::DVec3;

use super::*;
use crate::character::{JointIndex, Skeleton};
use StandardBone as B;

/// A body in T-pose: each bone with the bone that it hangs on here and its place.
fn figure() -> Vec<(StandardBone, Option<StandardBone>, DVec3)> {
    let trunk = [
        (B::Hips, None, [0.0, 0.95, 0.0]),
        (B::Spine, Some(B::Hips), [0.0, 1.05, 0.0]),
        (B::Chest, Some(B::Spine), [0.0, 1.18, -0.01]),
        (B::UpperChest, Some(B::Chest), [0.0, 1.32, -0.02]),
        (B::Neck, Some(B::UpperChest), [0.0, 1.5, -0.01]),
        (B::Head, Some(B::Neck), [0.0, 1.6, 0.01]),
    ];
    let left = [
        (B::LeftUpperLeg, Some(B::Hips), [0.09, 0.9, 0.0]),
        (B::LeftLowerLeg, Some(B::LeftUpperLeg), [0.1, 0.5, 0.01]),
        (B::LeftFoot, Some(B::LeftLowerLeg), [0.1, 0.09, -0.02]),
        (B::LeftToes, Some(B::LeftFoot), [0.11, 0.02, 0.12]),
        (B::LeftShoulder, Some(B::UpperChest), [0.03, 1.43, 0.0]),
        (B::LeftUpperArm, Some(B::LeftShoulder), [0.18, 1.43, -0.02]),
        (B::LeftLowerArm, Some(B::LeftUpperArm), [0.45, 1.43, -0.03]),
        (B::LeftHand, Some(B::LeftLowerArm), [0.7, 1.43, -0.02]),
    ];
    let mut all: Vec<(B, Option<B>, DVec3)> = trunk.into_iter().map(|(b, p, at)| (b, p, at.into())).collect();
    for (bone, parent, at) in left {
        all.push((bone, parent, at.into()));
    }
    for (k, first) in [
        B::LeftThumbMetacarpal,
        B::LeftIndexProximal,
        B::LeftMiddleProximal,
        B::LeftRingProximal,
        B::LeftLittleProximal,
    ]
    .into_iter()
    .enumerate()
    {
        for i in 0..3usize {
            let bone = B::ALL[first as usize + i];
            let along = i as f64 * 0.03;
            let at = if k == 0 {
                DVec3::new(0.72 + along * 0.7, 1.42, 0.02 + along * 0.8)
            } else {
                DVec3::new(0.79 + along, 1.43, 0.05 - 0.022 * k as f64)
            };
            all.push((bone, bone.parent(), at));
        }
    }
    let mirrored: Vec<(B, Option<B>, DVec3)> = all
        .iter()
        .filter(|b| b.0.side().is_some())
        .map(|&(b, p, at)| {
            (
                b.mirrored(),
                p.map(StandardBone::mirrored),
                at * DVec3::new(-1.0, 1.0, 1.0),
            )
        })
        .collect();
    all.extend(mirrored);
    all
}

/// A skeleton of the bones that have a name, and which joint each is.
fn named(name: impl Fn(StandardBone) -> Option<String>) -> (Skeleton, BTreeMap<StandardBone, JointIndex>) {
    let figure = figure();
    let mut joints: Vec<(String, Option<usize>, DVec3)> = Vec::new();
    let mut at = BTreeMap::new();
    for (bone, parent, position) in figure {
        let Some(name) = name(bone) else { continue };
        // The nearest bone above that is there.
        let mut above = parent;
        while let Some(p) = above.filter(|p| !at.contains_key(p)) {
            above = p.parent();
        }
        at.insert(bone, JointIndex(joints.len() as u16));
        joints.push((name, above.map(|p| at[&p].at()), position));
    }
    (Skeleton::from_positions(&joints).unwrap(), at)
}

/// Names from a list of main bones, with the side's words put in for `{}`.
fn by_list(list: &[(StandardBone, &str)], sides: [&str; 2], bone: StandardBone) -> Option<String> {
    let (_, pattern) = list.iter().find(|(b, _)| *b == bone.on(Side::Left))?;
    let side = match bone.side() {
        Some(Side::Right) => sides[1],
        _ => sides[0],
    };
    Some(pattern.replace("{}", side))
}

const TRUNK: [StandardBone; 6] = [B::Hips, B::Spine, B::Chest, B::UpperChest, B::Neck, B::Head];
const LIMBS: [StandardBone; 8] = [
    B::LeftUpperLeg,
    B::LeftLowerLeg,
    B::LeftFoot,
    B::LeftToes,
    B::LeftShoulder,
    B::LeftUpperArm,
    B::LeftLowerArm,
    B::LeftHand,
];

fn list(names: [&str; 14]) -> Vec<(StandardBone, &str)> {
    TRUNK.into_iter().chain(LIMBS).zip(names).collect()
}

fn check(family: &str, skeleton: &Skeleton, expected: &BTreeMap<StandardBone, JointIndex>) {
    let map = HumanoidMap::of(skeleton);
    assert_eq!(map.plan(), BodyPlan::Humanoid, "{family}");
    for (&bone, &joint) in expected {
        assert_eq!(map.joint_of(bone), Some(joint), "{family}: {bone:?}");
        assert_eq!(map.bone_of(joint), Some(bone), "{family}");
        assert!(map.confidence(joint) > 0.5, "{family}: {bone:?}");
    }
    assert_eq!(
        map.bones().len(),
        expected.len(),
        "{family}: nothing else is mapped"
    );
    assert!(map.missing().is_empty(), "{family}: {:?}", map.missing());
    assert!(!map.sides_swapped(), "{family}");
}

#[test]
fn bodies_in_the_names_of_engines_are_mapped_to_the_last_finger() {
    for scheme in NameScheme::ALL {
        let (skeleton, expected) = named(|b| Some(b.name_in(scheme).to_owned()));
        check(scheme.word(), &skeleton, &expected);
    }
}

#[test]
fn bodies_in_other_names_are_mapped() {
    let families: [(&str, [&str; 2], [&str; 14]); 10] = [
        (
            "3ds Max Biped",
            ["L", "R"],
            [
                "Bip01 Pelvis",
                "Bip01 Spine",
                "Bip01 Spine1",
                "Bip01 Spine2",
                "Bip01 Neck",
                "Bip01 Head",
                "Bip01 {} Thigh",
                "Bip01 {} Calf",
                "Bip01 {} Foot",
                "Bip01 {} Toe0",
                "Bip01 {} Clavicle",
                "Bip01 {} UpperArm",
                "Bip01 {} Forearm",
                "Bip01 {} Hand",
            ],
        ),
        (
            "VRoid",
            ["L", "R"],
            [
                "J_Bip_C_Hips",
                "J_Bip_C_Spine",
                "J_Bip_C_Chest",
                "J_Bip_C_UpperChest",
                "J_Bip_C_Neck",
                "J_Bip_C_Head",
                "J_Bip_{}_UpperLeg",
                "J_Bip_{}_LowerLeg",
                "J_Bip_{}_Foot",
                "J_Bip_{}_ToeBase",
                "J_Bip_{}_Shoulder",
                "J_Bip_{}_UpperArm",
                "J_Bip_{}_LowerArm",
                "J_Bip_{}_Hand",
            ],
        ),
        (
            "CMU's ASF",
            ["l", "r"],
            [
                "root",
                "lowerback",
                "upperback",
                "thorax",
                "lowerneck",
                "head",
                "{}femur",
                "{}tibia",
                "{}foot",
                "{}toes",
                "{}clavicle",
                "{}humerus",
                "{}radius",
                "{}wrist",
            ],
        ),
        (
            "BVH",
            ["Left", "Right"],
            [
                "Hips",
                "LowerBack",
                "Spine",
                "Spine1",
                "Neck",
                "Head",
                "{}UpLeg",
                "{}Leg",
                "{}Foot",
                "{}ToeBase",
                "{}Shoulder",
                "{}Arm",
                "{}ForeArm",
                "{}Hand",
            ],
        ),
        (
            "MakeHuman",
            ["L", "R"],
            [
                "root",
                "spine05",
                "spine03",
                "spine01",
                "neck01",
                "head",
                "upperleg01.{}",
                "lowerleg01.{}",
                "foot.{}",
                "toe1-1.{}",
                "clavicle.{}",
                "upperarm01.{}",
                "lowerarm01.{}",
                "wrist.{}",
            ],
        ),
        (
            "Quaternius",
            ["L", "R"],
            [
                "Hips",
                "Abdomen",
                "Torso",
                "Chest",
                "Neck",
                "Head",
                "UpperLeg.{}",
                "LowerLeg.{}",
                "Foot.{}",
                "Toes.{}",
                "Shoulder.{}",
                "UpperArm.{}",
                "LowerArm.{}",
                "Hand.{}",
            ],
        ),
        (
            "KayKit",
            ["l", "r"],
            [
                "hips",
                "spine",
                "chest",
                "chest.upper",
                "neck",
                "head",
                "upperleg.{}",
                "lowerleg.{}",
                "foot.{}",
                "toes.{}",
                "shoulder.{}",
                "upperarm.{}",
                "lowerarm.{}",
                "wrist.{}",
            ],
        ),
        (
            "Maya",
            ["L", "R"],
            [
                "C_Hip_jnt",
                "C_Spine1_jnt",
                "C_Spine2_jnt",
                "C_Chest_jnt",
                "C_Neck_jnt",
                "C_Head_jnt",
                "{}_Leg_jnt",
                "{}_Knee_jnt",
                "{}_Ankle_jnt",
                "{}_Ball_jnt",
                "{}_Clav_jnt",
                "{}_Arm_jnt",
                "{}_Elbow_jnt",
                "{}_Wrist_jnt",
            ],
        ),
        (
            "SMPL",
            ["L", "R"],
            [
                "Pelvis",
                "Spine1",
                "Spine2",
                "Spine3",
                "Neck",
                "Head",
                "{}_Hip",
                "{}_Knee",
                "{}_Ankle",
                "{}_Foot",
                "{}_Collar",
                "{}_Shoulder",
                "{}_Elbow",
                "{}_Wrist",
            ],
        ),
        (
            "MMD",
            ["左", "右"],
            [
                "腰",
                "上半身",
                "上半身2",
                "上半身3",
                "首",
                "頭",
                "{}足",
                "{}ひざ",
                "{}足首",
                "{}つま先",
                "{}肩",
                "{}腕",
                "{}ひじ",
                "{}手首",
            ],
        ),
    ];
    for (family, sides, names) in families {
        let names = list(names);
        let (skeleton, mut expected) = named(|b| by_list(&names, sides, b));
        if family == "Maya" {
            // `Clav` is no word; without a name it is told by nothing.
            for side in Side::BOTH {
                expected.remove(&B::LeftShoulder.on(side));
            }
        }
        check(family, &skeleton, &expected);
    }
}

/// Joints that steer, end and help do not take a bone's place.
#[test]
fn helpers_are_not_mistaken_for_bones() {
    let (plain, expected) = named(|b| Some(b.name_in(NameScheme::Unreal).to_owned()));
    let mut joints: Vec<(String, Option<usize>, DVec3)> = plain
        .joints
        .iter()
        .map(|j| {
            (
                j.name.clone(),
                j.parent.map(JointIndex::at),
                j.bind_from_joint.translation,
            )
        })
        .collect();
    for (bone, name) in [
        (B::LeftUpperArm, "upperarm_twist_01_l"),
        (B::LeftFoot, "ik_foot_l"),
        (B::RightHand, "weapon_r_hand"),
        (B::Head, "head_end"),
        (B::LeftHand, "hand_slot_l"),
        (B::LeftLowerLeg, "calf_twist_01_l"),
    ] {
        let at = expected[&bone];
        let position = plain.bind_position(at) + DVec3::new(0.0, 0.02, 0.0);
        joints.push((name.to_owned(), Some(at.at()), position));
    }
    check(
        "with helpers",
        &Skeleton::from_positions(&joints).unwrap(),
        &expected,
    );
}

/// The same skeleton with names that say nothing.
fn nameless(skeleton: &Skeleton) -> Skeleton {
    let mut other = skeleton.clone();
    for (i, joint) in other.joints.iter_mut().enumerate() {
        joint.name = format!("Bone.{i:03}");
    }
    other
}

#[test]
fn a_body_without_names_is_told_by_its_joints_places() {
    let (skeleton, expected) = named(|b| Some(b.name_in(NameScheme::Vrm).to_owned()));
    check("nameless", &nameless(&skeleton), &expected);
    // Facing the other way, left is where it sees it.
    let mut turned = nameless(&skeleton);
    for joint in &mut turned.joints {
        joint.bind_from_joint.translation *= DVec3::new(-1.0, 1.0, -1.0);
    }
    check("nameless and turned", &turned, &expected);
    // Lying as files with Z up do.
    let mut z_up = nameless(&skeleton);
    for joint in &mut z_up.joints {
        let p = joint.bind_from_joint.translation;
        joint.bind_from_joint.translation = DVec3::new(p.x, -p.z, p.y);
    }
    check("nameless with Z up", &z_up, &expected);
}

#[test]
fn samples_without_names_are_mapped_as_with_them() {
    for sample in ["athlete@1000", "knight@2000"] {
        let character = crate::sample::make(sample).unwrap();
        let with = HumanoidMap::of(&character.skeleton);
        let without = HumanoidMap::of(&nameless(&character.skeleton));
        assert_eq!(with.plan(), BodyPlan::Humanoid, "{sample}");
        assert_eq!(without.plan(), BodyPlan::Humanoid, "{sample}");
        assert!(with.missing().is_empty(), "{sample}: {:?}", with.missing());
        for bone in B::ALL.into_iter().filter(|b| b.is_required()) {
            let name = |j: Option<JointIndex>| j.map(|j| character.skeleton.joint(j).name.clone());
            assert_eq!(
                name(without.joint_of(bone)),
                name(with.joint_of(bone)),
                "{sample}: {bone:?}"
            );
        }
    }
}

#[test]
fn a_hound_is_a_quadruped_with_its_legs_and_tail_named() {
    let character = crate::sample::make("hound@1000").unwrap();
    for skeleton in [character.skeleton.clone(), nameless(&character.skeleton)] {
        let map = HumanoidMap::of(&skeleton);
        assert_eq!(map.plan(), BodyPlan::Quadruped, "{}", skeleton.joints[0].name);
        let legs = |kind| -> Vec<Option<Side>> {
            let of_kind = map.limbs().iter().filter(|l| l.kind == kind);
            of_kind.map(|l| l.side).collect()
        };
        for kind in [LimbKind::FrontLeg, LimbKind::HindLeg] {
            assert_eq!(legs(kind), [Some(Side::Left), Some(Side::Right)]);
        }
        let first = |kind| {
            let limb = map.limbs().iter().find(|l| l.kind == kind).unwrap();
            character.skeleton.joint(limb.joints[1]).name.clone()
        };
        assert!(
            first(LimbKind::FrontLeg).contains("front"),
            "{}",
            first(LimbKind::FrontLeg)
        );
        assert!(
            first(LimbKind::HindLeg).contains("hind"),
            "{}",
            first(LimbKind::HindLeg)
        );
    }
}

/// A body, six legs around it and no arms: nothing that engines know.
#[test]
fn six_legs_are_no_humanoid() {
    let mut joints = vec![
        ("body".to_owned(), None, DVec3::new(0.0, 0.3, 0.0)),
        ("head".to_owned(), Some(0), DVec3::new(0.0, 0.3, 0.3)),
    ];
    for (i, z) in [0.2, 0.0, -0.2].into_iter().enumerate() {
        for (side, x) in [("l", 1.0), ("r", -1.0)] {
            let first = joints.len();
            joints.push((format!("leg{i}_1_{side}"), Some(0), DVec3::new(0.1 * x, 0.3, z)));
            joints.push((
                format!("leg{i}_2_{side}"),
                Some(first),
                DVec3::new(0.3 * x, 0.4, 1.5 * z),
            ));
            joints.push((
                format!("leg{i}_3_{side}"),
                Some(first + 1),
                DVec3::new(0.45 * x, 0.0, 2.0 * z),
            ));
        }
    }
    let skeleton = Skeleton::from_positions(&joints).unwrap();
    for skeleton in [nameless(&skeleton), skeleton] {
        let map = HumanoidMap::of(&skeleton);
        assert_eq!(map.plan(), BodyPlan::Other);
        assert_eq!(map.limbs().iter().filter(|l| l.kind == LimbKind::Leg).count(), 6);
    }
}

#[test]
fn a_bird_has_wings() {
    let mut joints = vec![
        ("Body".to_owned(), None, DVec3::new(0.0, 0.5, 0.0)),
        ("Neck".to_owned(), Some(0), DVec3::new(0.0, 0.7, 0.2)),
        ("Head".to_owned(), Some(1), DVec3::new(0.0, 0.8, 0.3)),
        ("Tail".to_owned(), Some(0), DVec3::new(0.0, 0.45, -0.3)),
    ];
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        for (what, at) in [
            ("Wing", [[0.1, 0.55, 0.0], [0.5, 0.6, 0.0], [0.9, 0.6, -0.1]]),
            ("Leg", [[0.08, 0.4, 0.0], [0.08, 0.2, 0.05], [0.08, 0.02, 0.0]]),
        ] {
            for (i, p) in at.into_iter().enumerate() {
                let parent = if i == 0 { 0 } else { joints.len() - 1 };
                let p = DVec3::from(p) * DVec3::new(x, 1.0, 1.0);
                joints.push((format!("{what}{}.{side}", i + 1), Some(parent), p));
            }
        }
    }
    let map = HumanoidMap::of(&Skeleton::from_positions(&joints).unwrap());
    assert_eq!(map.plan(), BodyPlan::Bird);
    let count = |kind| map.limbs().iter().filter(|l| l.kind == kind).count();
    assert_eq!(
        (count(LimbKind::Wing), count(LimbKind::Leg), count(LimbKind::Tail)),
        (2, 2, 1)
    );
}

/// Names that call the right side left are kept, and said to be odd.
#[test]
fn swapped_sides_are_noticed() {
    let (mut skeleton, _) = named(|b| Some(b.name_in(NameScheme::Mixamo).to_owned()));
    for joint in &mut skeleton.joints {
        joint.bind_from_joint.translation.x *= -1.0;
    }
    let map = HumanoidMap::of(&skeleton);
    assert!(map.sides_swapped());
    let hand = map.joint_of(B::LeftHand).unwrap();
    assert_eq!(skeleton.joint(hand).name, "mixamorig:LeftHand");
    assert!(map.confidence(hand) < 0.7);
}

#[test]
fn nothing_and_anything_is_mapped_without_a_panic() {
    let empty = HumanoidMap::of(&Skeleton::default());
    assert_eq!((empty.plan(), empty.bones().len()), (BodyPlan::Other, 0));
    // All joints in one place, in a long chain and in a star.
    let chain: Vec<(String, Option<usize>, DVec3)> = (0..60usize)
        .map(|i| (format!("LeftArm{i}"), i.checked_sub(1), DVec3::ZERO))
        .collect();
    let star: Vec<(String, Option<usize>, DVec3)> = (0..60usize)
        .map(|i| (format!("Leg{i}.R"), (i > 0).then_some(0), DVec3::splat(i as f64)))
        .collect();
    for joints in [chain, star] {
        HumanoidMap::of(&Skeleton::from_positions(&joints).unwrap());
    }
    let mut broken = named(|b| Some(b.name_in(NameScheme::Vrm).to_owned())).0;
    for joint in broken.joints.iter_mut().step_by(3) {
        joint.bind_from_joint.translation = DVec3::NAN;
    }
    HumanoidMap::of(&broken);
}
