//! What a joint's name says about the part of a body that it is.

use super::Side;
use super::words::{WordKind, word_kind, words};

/// A part of a body, as names tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Part {
    Hips,
    /// Any joint of the back.
    Spine,
    Neck,
    Head,
    Jaw,
    Eye,
    Shoulder,
    UpperArm,
    LowerArm,
    Hand,
    /// An arm's joint, no more is said.
    Arm,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
    /// A leg's joint, no more is said.
    Leg,
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
    /// A finger, told apart by its number or its place.
    Finger,
    Tail,
    Wing,
}

/// What a name says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    pub part: Part,
    pub side: Option<Side>,
    /// The numbers in the name, in order.
    pub numbers: Vec<u32>,
    /// How sure the word is, 0 the surest: a `clavicle` carries a shoulder, a `shoulder` may be one.
    pub rank: u8,
    /// Front legs and hind legs of animals.
    pub front: Option<bool>,
}

/// What a joint is called: a part, or a thing that is none.
pub(super) enum Name {
    Part(Reading),
    /// Steers, carries, ends or dangles: no bone of a body whatever its place is.
    NoBone,
    /// Nothing is known.
    Silent,
}

/// Spellings that the words of names leave as they are.
const SPELLINGS: [(&str, &[&str]); 20] = [
    ("ellbow", &["elbow"]),
    ("leftt", &["left"]),
    ("lefft", &["left"]),
    ("righ", &["right"]),
    ("rigth", &["right"]),
    ("lradius", &["l", "forearm"]),
    ("rradius", &["r", "forearm"]),
    ("radius", &["forearm"]),
    ("lfingers", &["l", "fingers"]),
    ("rfingers", &["r", "fingers"]),
    ("lowerback", &["spine"]),
    ("upperback", &["spine"]),
    ("lowerneck", &["neck"]),
    ("upperneck", &["neck"]),
    ("upperchest", &["upper", "chest"]),
    ("tummy", &["belly"]),
    ("talocrural", &["ankle"]),
    ("digit", &["finger"]),
    ("fl", &["front", "l"]),
    ("fr", &["front", "r"]),
];

/// MMD's words, the longer ones first.
const JAPANESE: [(&str, Part, u8); 26] = [
    ("下半身", Part::Hips, 3),
    ("上半身", Part::Spine, 0),
    ("センター", Part::Hips, 1),
    ("腰", Part::Hips, 0),
    ("首元", Part::Neck, 2),
    ("親指", Part::Thumb, 0),
    ("人指", Part::Index, 0),
    ("人差指", Part::Index, 0),
    ("人差し指", Part::Index, 0),
    ("中指", Part::Middle, 0),
    ("薬指", Part::Ring, 0),
    ("小指", Part::Little, 0),
    ("手首", Part::Hand, 0),
    ("足首", Part::Foot, 0),
    ("つま先", Part::Toes, 0),
    ("爪先", Part::Toes, 0),
    ("ひじ", Part::LowerArm, 0),
    ("肘", Part::LowerArm, 0),
    ("ひざ", Part::LowerLeg, 0),
    ("膝", Part::LowerLeg, 0),
    ("首", Part::Neck, 0),
    ("頭", Part::Head, 0),
    ("目", Part::Eye, 0),
    ("肩", Part::Shoulder, 0),
    ("腕", Part::UpperArm, 0),
    ("足", Part::UpperLeg, 0),
];

/// Words of MMD's joints that steer, twist or dangle.
const JAPANESE_HELPERS: [&str; 12] = [
    "ＩＫ",
    "IK",
    "捩",
    "先",
    "キャンセル",
    "親",
    "ダミー",
    "髪",
    "スカート",
    "胸",
    "両目",
    "グルーブ",
];

/// Reads a joint's name.
pub(super) fn read(name: &str) -> Name {
    if name
        .chars()
        .any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
    {
        return japanese(name);
    }
    let mut list: Vec<String> = Vec::new();
    for word in words(name) {
        match SPELLINGS.iter().find(|s| s.0 == word) {
            Some(spelling) => list.extend(spelling.1.iter().map(|&w| w.to_owned())),
            None => list.push(word),
        }
    }
    english(&list)
}

fn english(list: &[String]) -> Name {
    let has = |any: &str| list.iter().any(|w| any.split(' ').any(|a| a == w));
    let is = |kind: WordKind| list.iter().any(|w| word_kind(w) == Some(kind));
    let no_bone = [
        WordKind::Control,
        WordKind::End,
        WordKind::Socket,
        WordKind::Prop,
        WordKind::Helper,
        WordKind::Soft,
        WordKind::Object,
    ];
    if no_bone.into_iter().any(is)
        || has("head") && has("top")
        || has("tip sec breast boob butt buttock lid brow target")
    {
        return Name::NoBone;
    }
    let side = match (has("l left lft lf"), has("r right rgt rt")) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    };
    let upper = has("upper up");
    let lower = has("lower low lo down");
    let front = has("front") || has("fore") && !has("arm");
    let hind = has("hind rear back");
    let (part, rank) = if has("thumb") {
        (Part::Thumb, 0)
    } else if has("toe toes toebase ball") {
        (Part::Toes, 0)
    } else if has("index") {
        (Part::Index, 0)
    } else if has("middle") && !has("arm leg spine") {
        (Part::Middle, 0)
    } else if has("ring") {
        (Part::Ring, 0)
    } else if has("little pinky pinkie") {
        (Part::Little, 0)
    } else if has("metacarpal carpal") {
        return Name::NoBone;
    } else if has("finger fingers") {
        (Part::Finger, 0)
    } else if has("tail") {
        (Part::Tail, 0)
    } else if has("wing wings feather") {
        (Part::Wing, u8::from(has("feather")))
    } else if has("foot ankle feet") {
        (Part::Foot, 0)
    } else if has("hoof paw heel") {
        (Part::Foot, 1)
    } else if has("knee shin calf tibia lowerleg lowleg") || has("leg") && lower {
        (Part::LowerLeg, 0)
    } else if has("thigh upleg upperleg femur") || has("leg") && upper {
        (Part::UpperLeg, 0)
    } else if has("leg") {
        (Part::Leg, 0)
    } else if has("elbow forearm lowerarm lowarm ulna") || has("arm") && (lower || has("fore")) {
        (Part::LowerArm, 0)
    } else if has("hand wrist") {
        (Part::Hand, 0)
    } else if has("palm") {
        (Part::Hand, 2)
    } else if has("upperarm uparm humerus bicep biceps") || has("arm") && upper {
        (Part::UpperArm, 0)
    } else if has("arm") {
        (Part::Arm, 0)
    } else if has("clavicle collar collarbone") {
        (Part::Shoulder, 0)
    } else if has("shoulder") {
        (Part::Shoulder, 1)
    } else if has("scapula") {
        (Part::Shoulder, 2)
    } else if has("hip hips pelvis") && side.is_some() {
        (Part::UpperLeg, 2)
    } else if has("hips pelvis") {
        (Part::Hips, 0)
    } else if has("hip") {
        (Part::Hips, 1)
    } else if has("jaw") {
        (Part::Jaw, 0)
    } else if has("eye eyeball") && side.is_some() {
        (Part::Eye, 0)
    } else if is(WordKind::Face) {
        return Name::NoBone;
    } else if has("neck") {
        (Part::Neck, 0)
    } else if has("head") {
        (Part::Head, 0)
    } else if has("skull crown") {
        (Part::Head, 1)
    } else if has("spine chest torso ribcage thorax") {
        (Part::Spine, 0)
    } else if has("back belly abdomen stomach waist body") {
        (Part::Spine, 1)
    } else {
        return Name::Silent;
    };
    let steering = is(WordKind::Steering);
    Name::Part(Reading {
        part,
        side,
        numbers: list.iter().filter_map(|w| w.parse().ok()).collect(),
        rank: rank + 3 * u8::from(steering),
        front: match (front, hind) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        },
    })
}

fn japanese(name: &str) -> Name {
    let rest = name.replace("つま先", "爪先");
    let helper = JAPANESE_HELPERS
        .iter()
        .any(|h| rest.replace("爪先", "").replace("親指", "").contains(h));
    if helper {
        return Name::NoBone;
    }
    let side = match (rest.contains('左'), rest.contains('右')) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    };
    let mut numbers = Vec::new();
    for c in rest.chars() {
        // Digits of full width too.
        let digit = match c {
            '０'..='９' => Some(c as u32 - '０' as u32),
            _ => c.to_digit(10),
        };
        numbers.extend(digit);
    }
    match JAPANESE.iter().find(|(word, ..)| rest.contains(word)) {
        Some(&(_, part, rank)) => Name::Part(Reading {
            part,
            side,
            numbers,
            rank,
            front: None,
        }),
        None => Name::Silent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str) -> Option<(Part, Option<Side>)> {
        match read(name) {
            Name::Part(r) => Some((r.part, r.side)),
            _ => None,
        }
    }

    #[test]
    fn names_of_many_packages_are_read() {
        use Side::{Left, Right};
        let cases = [
            ("mixamorig:LeftUpLeg", Part::UpperLeg, Some(Left)),
            ("mixamorig:LeftLeg", Part::Leg, Some(Left)),
            ("Bip01 L Thigh", Part::UpperLeg, Some(Left)),
            ("Bip01 R Finger02", Part::Finger, Some(Right)),
            ("DEF-upper_arm.L", Part::UpperArm, Some(Left)),
            ("DEF-f_pinky.03.R", Part::Little, Some(Right)),
            ("J_Bip_L_UpperLeg", Part::UpperLeg, Some(Left)),
            ("lhipjoint", Part::UpperLeg, Some(Left)),
            ("rradius", Part::LowerArm, Some(Right)),
            ("L_Arm_jnt", Part::Arm, Some(Left)),
            ("RighUpLeg_jnt", Part::UpperLeg, Some(Right)),
            ("LefttForeArm_jnt", Part::LowerArm, Some(Left)),
            ("左足", Part::UpperLeg, Some(Left)),
            ("右足首", Part::Foot, Some(Right)),
            ("左つま先", Part::Toes, Some(Left)),
            ("左親指１", Part::Thumb, Some(Left)),
            ("上半身2", Part::Spine, None),
            ("ball_r", Part::Toes, Some(Right)),
            ("pelvis", Part::Hips, None),
            ("Base HumanLCollarbone", Part::Shoulder, Some(Left)),
        ];
        for (name, expected, side) in cases {
            assert_eq!(part(name), Some((expected, side)), "{name}");
        }
    }

    #[test]
    fn what_steers_or_ends_is_no_bone() {
        for name in [
            "IK-foot.l",
            "LeftToe_End",
            "handslot.r",
            "upperarm_twist_01_l",
            "J_Sec_L_Bust1",
            "左足ＩＫ",
            "HeadTop_End",
            "左腕捩",
            "CTRL_Head",
        ] {
            assert!(matches!(read(name), Name::NoBone), "{name}");
        }
        assert!(matches!(read("Bone.012"), Name::Silent));
    }
}
