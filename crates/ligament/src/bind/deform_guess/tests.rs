//! The guess on rigs that are named as packages name them.

use glam::{DAffine3, DVec3};

use super::JointTable;
use crate::character::{Character, Joint, JointIndex, Skeleton, Transform};
use crate::sample;
use crate::skin::Skin;

/// A joint that moves no skin: its name, the joint it hangs on by the sample's name (none for roots), and where it is seen
/// from that joint.
type Extra = (&'static str, Option<&'static str>, [f64; 3]);

/// How a package names the joints of the athlete, and what it adds.
struct Family {
    name: &'static str,
    /// Hips, spine, chest, upper chest, neck, head; then shoulder, upper arm, lower arm, hand, upper leg, lower leg, foot,
    /// toes with `{}` for the side.
    names: [&'static str; 14],
    sides: [&'static str; 2],
    extras: &'static [Extra],
}

const SAMPLE: [&str; 14] = [
    "hips",
    "spine",
    "chest",
    "upper_chest",
    "neck",
    "head",
    "{}_shoulder",
    "{}_upper_arm",
    "{}_lower_arm",
    "{}_hand",
    "{}_upper_leg",
    "{}_lower_leg",
    "{}_foot",
    "{}_toes",
];

const FAMILIES: [Family; 10] = [
    Family {
        name: "Mixamo",
        names: [
            "mixamorig:Hips",
            "mixamorig:Spine",
            "mixamorig:Spine1",
            "mixamorig:Spine2",
            "mixamorig:Neck",
            "mixamorig:Head",
            "mixamorig:{}Shoulder",
            "mixamorig:{}Arm",
            "mixamorig:{}ForeArm",
            "mixamorig:{}Hand",
            "mixamorig:{}UpLeg",
            "mixamorig:{}Leg",
            "mixamorig:{}Foot",
            "mixamorig:{}ToeBase",
        ],
        sides: ["Left", "Right"],
        extras: &[
            ("mixamorig:HeadTop_End", Some("head"), [0.0, 0.2, 0.0]),
            ("mixamorig:LeftToe_End", Some("left_toes"), [0.0, 0.0, 0.08]),
            ("mixamorig:RightToe_End", Some("right_toes"), [0.0, 0.0, 0.08]),
        ],
    },
    Family {
        name: "Rigify",
        names: [
            "DEF-spine",
            "DEF-spine.001",
            "DEF-spine.002",
            "DEF-spine.003",
            "DEF-spine.004",
            "DEF-spine.006",
            "DEF-shoulder.{}",
            "DEF-upper_arm.{}",
            "DEF-forearm.{}",
            "DEF-hand.{}",
            "DEF-thigh.{}",
            "DEF-shin.{}",
            "DEF-foot.{}",
            "DEF-toe.{}",
        ],
        sides: ["L", "R"],
        extras: &[
            ("root", None, [0.0, 0.0, 0.0]),
            ("MCH-foot_ik.L", Some("left_foot"), [0.0, 0.0, 0.0]),
            ("foot_ik.R", Some("right_foot"), [0.0, 0.0, 0.0]),
        ],
    },
    Family {
        name: "Unreal",
        names: [
            "pelvis",
            "spine_01",
            "spine_02",
            "spine_03",
            "neck_01",
            "head",
            "clavicle_{}",
            "upperarm_{}",
            "lowerarm_{}",
            "hand_{}",
            "thigh_{}",
            "calf_{}",
            "foot_{}",
            "ball_{}",
        ],
        sides: ["l", "r"],
        extras: &[
            ("root", None, [0.0, 0.0, 0.0]),
            ("ik_foot_root", None, [0.0, 0.0, 0.0]),
            ("ik_hand_gun", Some("right_hand"), [0.0, 0.0, 0.0]),
        ],
    },
    Family {
        name: "3ds Max Biped",
        names: [
            "Bip01 Pelvis",
            "Bip01 Spine",
            "Bip01 Spine1",
            "Bip01 Spine2",
            "Bip01 Neck",
            "Bip01 Head",
            "Bip01 {} Clavicle",
            "Bip01 {} UpperArm",
            "Bip01 {} Forearm",
            "Bip01 {} Hand",
            "Bip01 {} Thigh",
            "Bip01 {} Calf",
            "Bip01 {} Foot",
            "Bip01 {} Toe0",
        ],
        sides: ["L", "R"],
        extras: &[
            ("Bip01 HeadNub", Some("head"), [0.0, 0.2, 0.0]),
            ("Bip01 L Toe0Nub", Some("left_toes"), [0.0, 0.0, 0.08]),
            ("Bip01 R Toe0Nub", Some("right_toes"), [0.0, 0.0, 0.08]),
        ],
    },
    Family {
        name: "VRoid",
        names: [
            "J_Bip_C_Hips",
            "J_Bip_C_Spine",
            "J_Bip_C_Chest",
            "J_Bip_C_UpperChest",
            "J_Bip_C_Neck",
            "J_Bip_C_Head",
            "J_Bip_{}_Shoulder",
            "J_Bip_{}_UpperArm",
            "J_Bip_{}_LowerArm",
            "J_Bip_{}_Hand",
            "J_Bip_{}_UpperLeg",
            "J_Bip_{}_LowerLeg",
            "J_Bip_{}_Foot",
            "J_Bip_{}_ToeBase",
        ],
        sides: ["L", "R"],
        extras: &[
            ("Root", None, [0.0, 0.0, 0.0]),
            ("J_Bip_C_Head_end", Some("head"), [0.0, 0.2, 0.0]),
        ],
    },
    Family {
        name: "Maya",
        names: [
            "hip_jnt",
            "spine1_jnt",
            "spine2_jnt",
            "spine3_jnt",
            "neck_jnt",
            "head_jnt",
            "{}_clavicle_jnt",
            "{}_shoulder_jnt",
            "{}_elbow_jnt",
            "{}_wrist_jnt",
            "{}_femur_jnt",
            "{}_knee_jnt",
            "{}_ankle_jnt",
            "{}_ball_jnt",
        ],
        sides: ["L", "R"],
        extras: &[
            ("L_legPole_ctrl", Some("left_lower_leg"), [0.0, 0.0, 0.5]),
            ("R_legPole_ctrl", Some("right_lower_leg"), [0.0, 0.0, 0.5]),
            ("head_end_jnt", Some("head"), [0.0, 0.2, 0.0]),
        ],
    },
    Family {
        name: "Source",
        names: [
            "ValveBiped.Bip01_Pelvis",
            "ValveBiped.Bip01_Spine",
            "ValveBiped.Bip01_Spine1",
            "ValveBiped.Bip01_Spine2",
            "ValveBiped.Bip01_Neck1",
            "ValveBiped.Bip01_Head1",
            "ValveBiped.Bip01_{}_Clavicle",
            "ValveBiped.Bip01_{}_UpperArm",
            "ValveBiped.Bip01_{}_Forearm",
            "ValveBiped.Bip01_{}_Hand",
            "ValveBiped.Bip01_{}_Thigh",
            "ValveBiped.Bip01_{}_Calf",
            "ValveBiped.Bip01_{}_Foot",
            "ValveBiped.Bip01_{}_Toe0",
        ],
        sides: ["L", "R"],
        extras: &[("ValveBiped.weapon_bone", Some("right_hand"), [-0.1, 0.0, 0.05])],
    },
    Family {
        name: "Blender by hand",
        names: [
            "Hips",
            "Abdomen",
            "Torso",
            "Chest",
            "Neck",
            "Head",
            "Shoulder.{}",
            "UpperArm.{}",
            "LowerArm.{}",
            "Palm.{}",
            "UpperLeg.{}",
            "LowerLeg.{}",
            "Foot.{}",
            "Toes.{}",
        ],
        sides: ["L", "R"],
        extras: &[
            ("Armature", None, [0.0, 0.0, 0.0]),
            ("FootTarget.L", None, [0.1, 0.08, 0.0]),
            ("FootTarget.R", None, [-0.1, 0.08, 0.0]),
            ("PoleTarget.L", None, [0.1, 0.5, 0.6]),
            ("PoleTarget.R", None, [-0.1, 0.5, 0.6]),
        ],
    },
    Family {
        name: "run together",
        names: [
            "hips",
            "spine",
            "chest",
            "upperchest",
            "neck",
            "head",
            "shoulder{}",
            "upperarm{}",
            "forearm{}",
            "hand{}",
            "thigh{}",
            "shin{}",
            "foot{}",
            "toe{}",
        ],
        sides: ["l", "r"],
        extras: &[
            ("footikl", None, [0.1, 0.08, 0.0]),
            ("footikr", None, [-0.1, 0.08, 0.0]),
            ("kneepolel", None, [0.1, 0.5, 0.6]),
            ("kneepoler", None, [-0.1, 0.5, 0.6]),
        ],
    },
    Family {
        name: "game slots",
        names: [
            "hips",
            "spine",
            "spine_2",
            "spine_3",
            "neck",
            "head",
            "shoulder.{}",
            "upperarm.{}",
            "lowerarm.{}",
            "hand.{}",
            "upperleg.{}",
            "lowerleg.{}",
            "foot.{}",
            "toes.{}",
        ],
        sides: ["l", "r"],
        extras: &[
            ("root", None, [0.0, 0.0, 0.0]),
            ("handslot.l", Some("left_hand"), [0.08, 0.0, 0.0]),
            ("handslot.r", Some("right_hand"), [-0.08, 0.0, 0.0]),
            ("kneeIK.l", None, [0.1, 0.5, 0.6]),
            ("kneeIK.r", None, [-0.1, 0.5, 0.6]),
        ],
    },
];

impl Family {
    fn named(&self, name: &str) -> String {
        for (sample, own) in SAMPLE.iter().zip(self.names) {
            if *sample == name {
                return own.to_owned();
            }
            for (side, letter) in ["left", "right"].iter().zip(self.sides) {
                if sample.contains("{}") && sample.replace("{}", side) == name {
                    return own.replace("{}", letter);
                }
            }
        }
        name.to_owned()
    }

    /// The athlete with this family's names, and for each joint whether it moves skin.
    fn dressed(&self) -> (Character, Vec<bool>) {
        let mut character = sample::make("athlete@1500").unwrap();
        character.clips.clear();
        let old = std::mem::take(&mut character.skeleton).joints;
        let joint = |name: &str, parent: Option<usize>, at: DVec3| Joint {
            name: name.to_owned(),
            parent: parent.map(|p| JointIndex(p as u16)),
            rest: Transform::IDENTITY,
            bind_from_joint: DAffine3::from_translation(at),
            in_skin: true,
        };
        let roots: Vec<&Extra> = self.extras.iter().filter(|e| e.1.is_none()).collect();
        let shift = roots.len();
        let mut joints: Vec<Joint> = Vec::new();
        for (index, extra) in roots.iter().enumerate() {
            // What hangs on nothing hangs on the first of them, which has the body too.
            joints.push(joint(extra.0, (index > 0).then_some(0), DVec3::from(extra.2)));
        }
        for own in &old {
            joints.push(Joint {
                name: self.named(&own.name),
                parent: match own.parent {
                    Some(p) => Some(JointIndex(p.0 + shift as u16)),
                    None => (shift > 0).then_some(JointIndex(0)),
                },
                ..own.clone()
            });
        }
        for extra in self.extras {
            let Some(on) = extra.1 else { continue };
            let at = old.iter().position(|j| j.name == on).unwrap();
            let position = old[at].bind_from_joint.translation + DVec3::from(extra.2);
            joints.push(joint(extra.0, Some(at + shift), position));
        }
        let moves = (0..joints.len())
            .map(|j| (shift..shift + old.len()).contains(&j))
            .collect();
        character.skeleton = Skeleton { joints };
        (character, moves)
    }
}

#[test]
fn ten_families_of_names() {
    let mut wrong = Vec::new();
    for family in &FAMILIES {
        let (character, moves) = family.dressed();
        let names: Vec<String> = character.skeleton.joints.iter().map(|j| j.name.clone()).collect();
        let skin = Skin::new(character).unwrap();
        let chosen = JointTable::shipped().choose(&skin);
        for (at, name) in names.iter().enumerate() {
            if chosen[at] != moves[at] {
                wrong.push(format!(
                    "{}: {name} is {}",
                    family.name,
                    if chosen[at] { "kept" } else { "left out" }
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_samples_keep_their_bones() {
    for (name, left_out) in [
        ("tube", vec![]),
        ("hand@800", vec![]),
        ("hound@2000", vec![]),
        ("athlete@1500", vec![]),
        ("knight@4000", vec!["root", "head_end"]),
    ] {
        let skin = Skin::new(sample::make(name).unwrap()).unwrap();
        let out: Vec<String> = JointTable::shipped()
            .guesses(&skin)
            .into_iter()
            .filter(|g| !g.moves_skin)
            .map(|g| g.name)
            .collect();
        assert_eq!(out, left_out, "{name}");
    }
}

#[test]
fn every_joint_has_a_reason() {
    let skin = Skin::new(sample::make("knight@4000").unwrap()).unwrap();
    for guess in JointTable::shipped().guesses(&skin) {
        assert!(
            !guess.reason.is_empty() && (0.5..=1.0).contains(&guess.certainty),
            "{guess:?}"
        );
    }
}

#[test]
fn a_table_comes_back_from_its_bytes_and_a_broken_one_is_refused() {
    let bytes = JointTable::shipped().write();
    assert_eq!(JointTable::read(&bytes).unwrap().write(), bytes);
    assert!(JointTable::read(&bytes[..bytes.len() - 1]).is_err());
    assert!(JointTable::read(b"LIGJOINT").is_err());
    assert!(JointTable::read(b"something else entirely").is_err());
}

#[test]
fn the_shipped_table_can_be_read() {
    assert!(JointTable::read(include_bytes!("joints.table")).is_ok());
}
