//! What joints' names say, in the spellings of all packages.
//!
//! A name falls into [words](words): at signs, digits and capitals, and where words are run together (`footikl`), at the
//! words that are known. Each known word belongs to a [`WordKind`].

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// What a word of a joint's name is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum WordKind {
    /// Steers other joints: targets, poles, handles, drivers.
    Control,
    /// May steer others, and may as well move skin.
    Steering,
    /// Only marks where a chain ends.
    End,
    /// Only places the character.
    Root,
    /// A place for something: slots, sockets, cameras.
    Socket,
    /// Something that is carried.
    Prop,
    /// Shares a limb with the joint that it helps: twists, correctives.
    Helper,
    /// A part of a body.
    Body,
    /// A part of a face.
    Face,
    /// Hair, clothes and what dangles.
    Soft,
    /// A thing in a scene, not a joint.
    Object,
    /// Says that it is a joint, and no more.
    Joint,
    /// Says that it moves skin.
    Deform,
    /// Left, right, upper, front and the like.
    Side,
}

const WORDS: [(WordKind, &str); 14] = [
    (
        WordKind::Control,
        "ik pt ctrl control controller controls ctl cntrl pole poletarget pv target targ tgt goal drv driver driven mch org \
         wgt handle effector eff tracker constraint constrain look lookat aim iktarget ikhandle ikpole ikgoal solver \
         footroll heelroll toeroll",
    ),
    (
        WordKind::Steering,
        "fk parent pivot switch follow cont tweak mover",
    ),
    (
        WordKind::End,
        "end nub null endsite site leaf terminator tipend endpoint effend",
    ),
    (
        WordKind::Root,
        "root rootjoint armature skeleton rig group skeletongroup origin master global main world reference scene \
         trajectory motion placement transform cog hiproot",
    ),
    (
        WordKind::Socket,
        "slot handslot socket attach attachment attachpoint hardpoint tag mount holder holding locator camera cam collider \
         collision hitbox emitter light lamp particle muzzle shoot projectile",
    ),
    (
        WordKind::Prop,
        "weapon prop item sword shield gun rifle pistol bow staff axe tool ammo grip hold throw carry flag torch quiver \
         barrel magazine wheel steering steeringwheel bullet glasses goggles spear hammer dagger knife wand crossbow mug",
    ),
    (
        WordKind::Helper,
        "twist roll helper corrective adj adjust muscle jiggle volume bendy stretch half offset share xtra extra",
    ),
    (
        WordKind::Body,
        "hip hips pelvis spine back chest torso body belly abdomen stomach waist rib ribs ribcage breast boob neck head \
         skull shoulder clavicle collar collarbone scapula arm upperarm uparm forearm lowerarm lowarm elbow bicep biceps \
         wrist hand palm metacarpal carpal finger fingers thumb index middle ring pinky pinkie little leg thigh upleg \
         upperleg lowerleg lowleg knee shin calf tibia femur humerus ulna ankle foot feet heel toe toes toebase ball hoof \
         paw tail wing wings fin feather claw pincer tentacle antenna antennae feeler mandible horn snout trunk beak \
         mane shell abdomen thorax tarsus coxa butt buttock chestupper spineupper torsoupper limb segment",
    ),
    (
        WordKind::Face,
        "eye eyes eyeball eyelid lid brow brows eyebrow jaw mouth lip lips tongue teeth tooth cheek nose nostril chin face \
         facial ear ears forehead muzzleface squint smile pupil temple",
    ),
    (
        WordKind::Soft,
        "hair cloth skirt cape cloak coat dress robe scarf ponytail braid bang bangs ribbon belt hat strap bag pouch \
         backpack beard moustache hood sleeve flap tassel chain rope crest fringe tunic apron lace",
    ),
    (
        WordKind::Object,
        "mesh cube cylinder plane sphere object geo geometry circle empty box model ref dummy curve layer shape",
    ),
    (
        WordKind::Joint,
        "bone joint jnt node bip bn jt biped mixamorig b j",
    ),
    (WordKind::Deform, "def deform skin bind"),
    (
        WordKind::Side,
        "l r left right lft rgt upper lower up low lo front rear fore hind mid middlemost inner outer top bottom base \
         tip first second third side central center centre lf rt fl fr bl br c m",
    ),
];

fn known() -> &'static FxHashMap<&'static str, WordKind> {
    static KNOWN: OnceLock<FxHashMap<&'static str, WordKind>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut known = FxHashMap::default();
        for (kind, words) in WORDS {
            for word in words.split_whitespace() {
                known.entry(word).or_insert(kind);
            }
        }
        known
    })
}

/// What a word is about, if it is known.
pub fn word_kind(word: &str) -> Option<WordKind> {
    known().get(word).copied()
}

/// A name in lower case, split at signs, at digits, and where a small letter meets a capital one or a run of capitals ends.
pub(crate) fn split_name(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|b| letters[b]);
        let after = letters.get(i + 1);
        let border = before.is_some_and(|b| {
            b.is_ascii_digit() != c.is_ascii_digit()
                || c.is_uppercase()
                    && (b.is_lowercase() || b.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
        });
        if (border || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The words of a name in lower case, numbers among them: split at signs, digits and capitals, and taken apart where known words are
/// run together.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in split_name(name) {
        add_word(&mut words, word);
    }
    // The roll of a foot steers it, that of an arm shares it.
    for at in 1..words.len() {
        if words[at] == "roll" && matches!(words[at - 1].as_str(), "heel" | "toe" | "foot" | "ball") {
            words[at] = "footroll".to_owned();
        }
    }
    words
}

/// Longer runs of letters are not taken apart.
const LONGEST: usize = 40;

fn add_word(words: &mut Vec<String>, word: String) {
    if word_kind(&word).is_some() || !word.is_ascii() || word.len() > LONGEST {
        words.push(word);
        return;
    }
    match taken_apart(&word) {
        Some(parts) => words.extend(parts.into_iter().map(str::to_owned)),
        None => words.push(word),
    }
}

/// A word as known words in a row, if it is that: as few as possible, of them the one with the longest first words. Single
/// letters count at the ends alone, and only as sides.
fn taken_apart(word: &str) -> Option<Vec<&str>> {
    // For each position in the name the best split up to it: how many words, and where the last of them begins.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; word.len() + 1];
    best[0] = Some((0, 0));
    for end in 1..=word.len() {
        for start in 0..end {
            let Some((count, _)) = best[start] else { continue };
            let part = &word[start..end];
            let at_an_end = start == 0 || end == word.len();
            let side = matches!(part, "l" | "r") && at_an_end;
            let is_word = part.len() > 1 && word_kind(part).is_some();
            let fewer = best[end].is_none_or(|b| count + 1 < b.0);
            if (side || is_word) && fewer {
                best[end] = Some((count + 1, start));
            }
        }
    }
    best[word.len()]?;
    let mut parts = Vec::new();
    let mut end = word.len();
    while end > 0 {
        let start = best[end]?.1;
        parts.push(&word[start..end]);
        end = start;
    }
    parts.reverse();
    // Two letters and a side are too little to be sure of.
    let sure = parts.iter().any(|p| p.len() > 2) || parts.first().is_some_and(|p| *p == "ik");
    sure.then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        let cases: [(&str, &[&str]); 10] = [
            (
                "mixamorig:RightHandIndex4",
                &["mixamorig", "right", "hand", "index", "4"],
            ),
            ("kneeIK.l", &["knee", "ik", "l"]),
            ("IKTarget_02", &["ik", "target", "02"]),
            ("Bip01 L Finger02", &["bip", "01", "l", "finger", "02"]),
            ("footikl", &["foot", "ik", "l"]),
            ("ikhandr", &["ik", "hand", "r"]),
            ("HeadTop_End", &["head", "top", "end"]),
            ("mikes_bicep", &["mikes", "bicep"]),
            ("bend", &["bend"]),
            ("LeftHeelRoll", &["left", "heel", "footroll"]),
        ];
        for (name, expected) in cases {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn every_word_has_one_kind() {
        let mut seen = FxHashMap::default();
        for (kind, list) in WORDS {
            for word in list.split_whitespace() {
                let before = seen.insert(word, kind);
                assert!(
                    before.is_none_or(|k| k == kind),
                    "{word}: {before:?} and {kind:?}"
                );
            }
        }
    }
}
