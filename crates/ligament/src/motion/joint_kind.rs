//! What a joint is, by the bone of a body that it is, else by its name and its place in the hierarchy, and how far such joints turn.

use serde::Serialize;

use super::limits::{JointMove, MoveAxis};
use crate::character::{HumanoidMap, Side, Skeleton, StandardBone};

/// A joint is a bone of a body if the map is so sure: by name or hierarchy, or by place where nothing speaks against it.
const SURE: f64 = 0.55;

/// What a joint is, as far as its limits go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JointKind {
    /// Holds everything, or steers and does not bend: roots, controls, eyes.
    Still,
    /// Between pelvis and neck.
    Spine,
    /// Below the head.
    Neck,
    /// The head.
    Head,
    /// The lower jaw.
    Jaw,
    /// Carries a shoulder.
    Clavicle,
    /// From the shoulder to the elbow.
    UpperArm,
    /// The elbow and what follows it.
    Elbow,
    /// The wrist.
    Wrist,
    /// A finger's joint.
    Finger,
    /// A thumb's joint.
    Thumb,
    /// From the hip to the knee.
    Thigh,
    /// The knee and what follows it.
    Knee,
    /// The ankle.
    Ankle,
    /// The toes.
    Toe,
    /// A tail's joint.
    Tail,
    /// A joint of an unknown name with joints below it.
    Chain,
    /// A joint of an unknown name at an end.
    End,
}

pub(super) const fn to(axis: MoveAxis, from: f64, to: f64) -> JointMove {
    JointMove { axis, from, to }
}

impl JointKind {
    /// What a standard bone is.
    fn of_bone(bone: StandardBone) -> Self {
        use StandardBone as B;
        match bone.on(Side::Left) {
            B::Hips | B::LeftEye => Self::Still,
            B::Spine | B::Chest | B::UpperChest => Self::Spine,
            B::Neck => Self::Neck,
            B::Head => Self::Head,
            B::Jaw => Self::Jaw,
            B::LeftShoulder => Self::Clavicle,
            B::LeftUpperArm => Self::UpperArm,
            B::LeftLowerArm => Self::Elbow,
            B::LeftHand => Self::Wrist,
            B::LeftUpperLeg => Self::Thigh,
            B::LeftLowerLeg => Self::Knee,
            B::LeftFoot => Self::Ankle,
            B::LeftToes => Self::Toe,
            B::LeftThumbMetacarpal | B::LeftThumbProximal | B::LeftThumbDistal => Self::Thumb,
            // What is left is fingers.
            _ => Self::Finger,
        }
    }

    /// The table of limits, in degrees. They are what a healthy adult does without
    /// effort, rounded down; for chains the limit of the whole chain.
    pub fn moves(self) -> &'static [JointMove] {
        use MoveAxis::{Forward, Outward, Twist, Up};
        match self {
            Self::Still => &[],
            Self::Spine => {
                &const {
                    [
                        to(Forward, -25.0, 50.0),
                        to(Outward, -30.0, 30.0),
                        to(Twist, -35.0, 35.0),
                    ]
                }
            }
            Self::Neck => {
                &const {
                    [
                        to(Forward, -30.0, 30.0),
                        to(Outward, -25.0, 25.0),
                        to(Twist, -30.0, 30.0),
                    ]
                }
            }
            Self::Head => {
                &const {
                    [
                        to(Forward, -20.0, 20.0),
                        to(Outward, -15.0, 15.0),
                        to(Twist, -40.0, 40.0),
                    ]
                }
            }
            Self::Jaw => &const { [to(Up, -20.0, 0.0)] },
            Self::Clavicle => &const { [to(Up, -5.0, 20.0), to(Forward, -10.0, 15.0)] },
            Self::UpperArm => {
                &const {
                    [
                        to(Up, -60.0, 45.0),
                        to(Forward, -20.0, 70.0),
                        to(Twist, -40.0, 40.0),
                    ]
                }
            }
            Self::Elbow => &const { [to(Forward, 0.0, 120.0)] },
            Self::Wrist => &const { [to(Up, -50.0, 50.0), to(Forward, -15.0, 20.0)] },
            Self::Finger => &const { [to(Up, -70.0, 0.0)] },
            Self::Thumb => &const { [to(Forward, -10.0, 35.0)] },
            Self::Thigh => {
                &const {
                    [
                        to(Forward, -20.0, 80.0),
                        to(Outward, -10.0, 40.0),
                        to(Twist, -25.0, 25.0),
                    ]
                }
            }
            Self::Knee => &const { [to(Forward, -110.0, 0.0)] },
            Self::Ankle => &const { [to(Up, -30.0, 20.0)] },
            Self::Toe => &const { [to(Up, -5.0, 35.0)] },
            Self::Tail => &const { [to(Outward, -60.0, 60.0), to(Up, -40.0, 40.0)] },
            Self::Chain => {
                &const {
                    [
                        to(Forward, -30.0, 30.0),
                        to(Outward, -30.0, 30.0),
                        to(Twist, -20.0, 20.0),
                    ]
                }
            }
            Self::End => &const { [to(Forward, -20.0, 20.0), to(Up, -20.0, 20.0)] },
        }
    }

    /// Whether several of these in a row share one limit.
    pub(super) fn is_shared(self) -> bool {
        matches!(
            self,
            Self::Spine | Self::Neck | Self::Tail | Self::Toe | Self::Jaw
        )
    }

    /// Whether a joint of this kind below another of it only continues the same bone.
    pub(super) fn is_single(self) -> bool {
        matches!(
            self,
            Self::UpperArm | Self::Elbow | Self::Wrist | Self::Thigh | Self::Knee | Self::Ankle | Self::Head
        )
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Spine => "spine",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Jaw => "jaw",
            Self::Clavicle => "clavicle",
            Self::UpperArm => "shoulder",
            Self::Elbow => "elbow",
            Self::Wrist => "wrist",
            Self::Finger => "fingers",
            Self::Thumb => "thumb",
            Self::Thigh => "hip",
            Self::Knee => "knee",
            Self::Ankle => "ankle",
            Self::Toe => "toes",
            Self::Tail => "tail",
            Self::Chain => "other joints",
            Self::End => "end joints",
        }
    }
}

/// The words of a name in lower case: split at other characters than letters, and where a
/// small letter is followed by a capital.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for c in name.chars() {
        let starts_word = !c.is_alphabetic() || (before_small && c.is_uppercase());
        if starts_word && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        before_small = c.is_lowercase();
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Kinds by name: words that stand alone, then parts of the whole name; the first row that
/// matches decides. Legs and arms that only say so are told apart by their parent.
const NAMES: [(JointKind, &[&str], &[&str]); 16] = [
    (
        JointKind::Still,
        &[
            "ik",
            "eye",
            "ctrl",
            "pole",
            "root",
            "pelvis",
            "hips",
            "prop",
            "weapon",
            "slot",
            "end",
            "nub",
            "metacarpal",
            "palm",
            "tip",
        ],
        &["control", "handslot", "neutral", "eyelid", "eyebrow"],
    ),
    (JointKind::Thumb, &["thumb"], &["thumb"]),
    (
        JointKind::Finger,
        &["ring", "index", "middle", "little", "pinky", "finger", "fingers"],
        &["finger", "pinky", "pinkie"],
    ),
    (JointKind::Toe, &["toe", "toes", "ball"], &["toebase"]),
    (JointKind::Ankle, &["foot", "ankle", "hoof", "paw"], &["ankle"]),
    (
        JointKind::Knee,
        &["knee", "shin", "calf", "tibia"],
        &["lowerleg", "lowleg", "legdown"],
    ),
    (
        JointKind::Thigh,
        &["thigh", "femur", "hip"],
        &["upperleg", "upleg", "thigh"],
    ),
    (JointKind::Wrist, &["hand", "wrist"], &["wrist"]),
    (
        JointKind::Elbow,
        &["elbow", "forearm", "ulna"],
        &["forearm", "lowerarm", "elbow"],
    ),
    (JointKind::UpperArm, &["humerus"], &["upperarm", "uparm"]),
    (
        JointKind::Clavicle,
        &["clavicle", "collar", "shoulder"],
        &["clavicle", "collarbone", "shoulder"],
    ),
    (
        JointKind::Spine,
        &[
            "spine", "chest", "torso", "waist", "body", "abdomen", "belly", "back",
        ],
        &["spine", "chest", "torso", "abdomen"],
    ),
    (JointKind::Neck, &["neck"], &["neck"]),
    (JointKind::Head, &["head", "skull"], &[]),
    (JointKind::Jaw, &["jaw", "mouth", "chin"], &[]),
    (JointKind::Tail, &["tail"], &["tail"]),
];

/// What each joint is: the bone of a body that it is; else by its name, by what hangs on it and by what it hangs on.
pub fn joint_kinds(skeleton: &Skeleton) -> Vec<JointKind> {
    let children = skeleton.skin_children();
    let map = HumanoidMap::of(skeleton);
    let mut kinds: Vec<JointKind> = Vec::with_capacity(skeleton.joints.len());
    for index in skeleton.indices() {
        let joint = skeleton.joint(index);
        let parent = skeleton.skin_parent(index);
        let parent_kind = parent.map(|p| kinds[p.at()]);
        let words = words(&joint.name);
        let whole = words.concat();
        let has = |word: &str| words.iter().any(|w| w == word);
        let by_name = NAMES
            .iter()
            .find(|(_, alone, within)| {
                alone.iter().any(|w| has(w)) || within.iter().any(|w| whole.contains(w))
            })
            .map(|row| row.0);
        let bone = map.bone_of(index).filter(|_| map.confidence(index) >= SURE);
        if let Some(bone) = bone.filter(|_| joint.in_skin) {
            kinds.push(JointKind::of_bone(bone));
            continue;
        }
        let kind = if !joint.in_skin {
            JointKind::Still
        } else if let Some(kind) = by_name {
            kind
        } else if has("leg") {
            match parent_kind {
                Some(JointKind::Thigh) => JointKind::Knee,
                Some(JointKind::Knee) => JointKind::Ankle,
                Some(JointKind::Ankle | JointKind::Toe) => JointKind::Toe,
                _ => JointKind::Thigh,
            }
        } else if has("arm") {
            match parent_kind {
                Some(JointKind::UpperArm) => JointKind::Elbow,
                Some(JointKind::Elbow) => JointKind::Wrist,
                _ => JointKind::UpperArm,
            }
        } else if parent.is_none() {
            JointKind::Still
        } else if children[index.at()].is_empty() {
            JointKind::End
        } else {
            JointKind::Chain
        };
        // A shoulder that carries no upper arm is one.
        let carries_arm = || {
            children[index.at()].iter().any(|&c| {
                let name = skeleton.joint(c).name.to_lowercase();
                name.contains("arm") && !name.contains("fore") && !name.contains("lower")
            })
        };
        kinds.push(match kind {
            JointKind::Clavicle if has("shoulder") && !carries_arm() => JointKind::UpperArm,
            kind => kind,
        });
    }
    kinds
}
