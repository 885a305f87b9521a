//! What names alone say of which joints move skin: controls, inverse-kinematics targets, slots for props, ends of chains
//! and roots are called much the same in every package. A joint is only left out if the
//! joints that stay still reach the skin that it would move: never the last one.

use crate::character::{Skeleton, split_name, words as words_of};

/// Words that name a joint which steers others or carries props, wherever they stand.
const CONTROLS: [&str; 40] = [
    "ik",
    "pt",
    "ctrl",
    "control",
    "controller",
    "ctl",
    "pole",
    "poletarget",
    "target",
    "tgt",
    "slot",
    "handslot",
    "socket",
    "attach",
    "attachment",
    "locator",
    "effector",
    "eff",
    "drv",
    "mch",
    "goal",
    "tracker",
    "camera",
    "world",
    "reference",
    "collider",
    "weapon",
    "prop",
    "item",
    "ammo",
    "projectile",
    "tag",
    "anchor",
    "switch",
    "mover",
    "hook",
    "platform",
    "upvector",
    "effects",
    "steer",
];
/// What Blender calls new objects: a joint of that name is a node of the scene that came along.
const OBJECTS: [&str; 8] = [
    "armature", "cube", "sphere", "cylinder", "plane", "mesh", "empty", "lattice",
];
/// So many joints that say that they move skin are no accident.
const MARKED: usize = 8;
/// Controls of a large rig are many times the joints that move skin.
const MARKED_FRACTION: f64 = 0.08;
/// Where more than this fraction of the joints are called so, their author calls bones so.
const FEW: f64 = 0.2;
/// Words at the end of a leaf's name that only mark where a chain ends.
const ENDS: [&str; 4] = ["end", "nub", "null", "endsite"];
/// Names of a skeleton's first joint that only place the character.
const ROOTS: [&str; 9] = [
    "root",
    "rootjoint",
    "armature",
    "skeleton",
    "group",
    "skeletongroup",
    "origin",
    "master",
    "main",
];
/// Finger and toe joints that Mixamo adds past the last bone are numbered four.
const FINGERS: [&str; 7] = ["thumb", "index", "middle", "ring", "pinky", "finger", "toe"];

/// For each joint of the skin whether it moves skin, as far as names and positions tell.
pub fn by_names(skeleton: &Skeleton) -> Vec<bool> {
    let children = skeleton.skin_children();
    let mut moves: Vec<bool> = skeleton.joints.iter().map(|j| j.in_skin).collect();
    let deepest = deepest_finger(skeleton);
    // In a plain chain the first joint is a bone like the others, whatever it is called.
    let branches = skeleton
        .indices()
        .any(|j| skeleton.skin_parent(j).is_some() && children[j.at()].len() > 1);
    let is_object = |words: &[String]| {
        let mut said = words.iter().filter(|w| !w.chars().all(|c| c.is_ascii_digit()));
        said.next().is_some_and(|w| OBJECTS.contains(&w.as_str())) && said.next().is_none()
    };
    let objects = skeleton
        .joints
        .iter()
        .filter(|j| is_object(&split_name(&j.name)))
        .count();
    let objects_are_few = (objects as f64) < FEW * skeleton.joints.len() as f64;
    // A rig that marks the joints which move skin in front, as Rigify does, leaves the others unmarked.
    let marked = |words: &[String]| words.first().is_some_and(|w| w == "def");
    let marks = skeleton
        .joints
        .iter()
        .filter(|j| marked(&split_name(&j.name)))
        .count();
    let marks = marks >= MARKED && marks as f64 > MARKED_FRACTION * skeleton.joints.len() as f64;
    for joint in skeleton.indices().filter(|j| skeleton.joint(*j).in_skin) {
        let words = split_name(&skeleton.joint(joint).name);
        // Names that are run together say the same.
        let apart = words_of(&skeleton.joint(joint).name);
        let leaf = children[joint.at()].is_empty();
        let root = skeleton.skin_parent(joint).is_none();
        // What hangs on a marked joint is of its kind.
        let below_kept = skeleton.skin_parent(joint).is_some_and(|above| moves[above.at()]);
        // Below a root that was left out, another that says nothing but that.
        let second_root = skeleton
            .skin_parent(joint)
            .is_some_and(|above| !moves[above.at()])
            && words
                .iter()
                .all(|w| ROOTS.contains(&w.as_str()) || w.chars().all(|c| c.is_ascii_digit()));
        let has = |list: &[&str]| words.iter().chain(&apart).any(|w| list.contains(&w.as_str()));
        let last_is = |list: &[&str]| {
            let last = words
                .iter()
                .rev()
                .find(|w| !is_side(w) && !w.chars().all(|c| c.is_ascii_digit()));
            last.is_some_and(|w| list.contains(&w.as_str()))
        };
        let past_the_finger = leaf
            && has(&FINGERS)
            && words.iter().any(|w| w == "4")
            && deepest == 4
            && words.iter().any(|w| w == "hand" || w == "mixamorig");
        let rolls = has(&["roll"]) && has(&["heel", "toe", "foot"]);
        let control = has(&CONTROLS)
            || rolls
            || marks && !marked(&words) && !below_kept
            || objects_are_few && is_object(&words)
            || leaf && (last_is(&ENDS) || past_the_finger);
        if control || (root && last_is(&ROOTS) || second_root) && branches && !leaf {
            moves[joint.at()] = false;
        }
    }
    if moves.contains(&true) {
        moves
    } else {
        skeleton.joints.iter().map(|j| j.in_skin).collect()
    }
}

/// The largest single digit in the names of finger joints.
fn deepest_finger(skeleton: &Skeleton) -> u32 {
    let digit = |words: &[String]| {
        words
            .iter()
            .filter_map(|w| w.parse::<u32>().ok())
            .filter(|&d| d < 10)
            .max()
    };
    skeleton
        .joints
        .iter()
        .map(|j| split_name(&j.name))
        .filter(|w| w.iter().any(|w| FINGERS.contains(&w.as_str())))
        .filter_map(|w| digit(&w))
        .max()
        .unwrap_or(0)
}

fn is_side(word: &str) -> bool {
    matches!(word, "l" | "r" | "left" | "right" | "jnt" | "joint" | "bone")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Joint, JointIndex, Transform};

    fn skeleton(joints: &[(&str, Option<u16>)]) -> Skeleton {
        let joint = |&(name, parent): &(&str, Option<u16>)| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            rest: Transform::IDENTITY,
            bind_from_joint: glam::DAffine3::IDENTITY,
            in_skin: true,
        };
        Skeleton {
            joints: joints.iter().map(joint).collect(),
        }
    }

    #[test]
    fn names_fall_into_words() {
        assert_eq!(
            split_name("mixamorig:RightHandIndex4"),
            ["mixamorig", "right", "hand", "index", "4"]
        );
        assert_eq!(split_name("kneeIK.l"), ["knee", "ik", "l"]);
        assert_eq!(split_name("IKTarget_02"), ["ik", "target", "02"]);
        assert_eq!(split_name("Bip01 L Finger02"), ["bip", "01", "l", "finger", "02"]);
    }

    #[test]
    fn controls_ends_and_roots_stay_out_and_limbs_stay_in() {
        let s = skeleton(&[
            ("root", None),
            ("hips", Some(0)),
            ("spine", Some(1)),
            ("HeadTop_End", Some(2)),
            ("kneeIK.l", Some(0)),
            ("PoleTarget.L", Some(0)),
            ("handslot.r", Some(2)),
            ("thigh.l", Some(1)),
            ("mikes_bicep", Some(2)),
            ("tail_tip", Some(1)),
        ]);
        let expected = [false, true, true, false, false, false, false, true, true, true];
        assert_eq!(by_names(&s), expected);
    }

    #[test]
    fn the_root_of_a_chain_is_a_bone() {
        let chain = skeleton(&[("root", None), ("middle", Some(0)), ("tip", Some(1))]);
        assert_eq!(by_names(&chain), [true; 3]);
    }

    #[test]
    fn the_fourth_finger_joint_is_an_end_only_where_fingers_have_four() {
        let four = skeleton(&[("LeftHandIndex3", None), ("LeftHandIndex4", Some(0))]);
        assert_eq!(by_names(&four), [true, false]);
        let lone = skeleton(&[("root", None)]);
        assert_eq!(by_names(&lone), [true]);
    }
}
