//! Skeletons of real characters: which bones their joints are.

use std::path::Path;

use ligament::character::{BodyPlan, HumanoidMap, LimbKind, StandardBone};
use ligament_io::open::{Opened, open};
use ligament_testkit::corpus_characters;

fn map_of(path: &Path) -> HumanoidMap {
    match open(path).unwrap() {
        Opened::Gltf(file) => HumanoidMap::of(&file.character().skeleton),
        Opened::Imported(imported) => HumanoidMap::of(&imported.character.skeleton),
    }
}

/// What each file is, with how many legs where it is no humanoid. `raylib_greenman` has no elbows and no knees,
/// `hand_webxr_left` is a hand.
const OTHERS: [(&str, BodyPlan, usize); 9] = [
    ("hand_webxr_left", BodyPlan::Other, 0),
    ("m2m_dragon", BodyPlan::Quadruped, 4),
    ("m2m_spider", BodyPlan::Other, 8),
    ("pm_crabylon", BodyPlan::Other, 6),
    ("quaternius_stag", BodyPlan::Quadruped, 4),
    ("quaternius_wasp_nanweights", BodyPlan::Other, 6),
    ("raylib_greenman", BodyPlan::Other, 2),
    ("rocketbox_dog_germanshepard_01", BodyPlan::Quadruped, 4),
    ("rocketbox_horse_brown_saddle_01", BodyPlan::Quadruped, 4),
];

#[test]
fn every_body_of_the_corpus_is_told_and_humanoids_are_mapped() {
    for path in corpus_characters() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let map = map_of(&path);
        if let Some((_, plan, legs)) = OTHERS.iter().find(|o| o.0 == name) {
            assert_eq!(map.plan(), *plan, "{name}");
            let is_leg = |k| matches!(k, LimbKind::Leg | LimbKind::FrontLeg | LimbKind::HindLeg);
            let found = map.limbs().iter().filter(|l| is_leg(l.kind)).count();
            assert_eq!(found, *legs, "{name}");
            continue;
        }
        assert_eq!(map.plan(), BodyPlan::Humanoid, "{name}");
        // The robot's hands are four loose palms.
        let missing: Vec<StandardBone> = map
            .missing()
            .into_iter()
            .filter(|b| name != "robot_expressive" || !format!("{b:?}").ends_with("Hand"))
            .collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
        assert!(!map.sides_swapped(), "{name}");
    }
}
