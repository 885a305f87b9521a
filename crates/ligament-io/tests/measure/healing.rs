//! Spoiled weights of artists are put right.

use ligament::measure::MeasureOptions;
use ligament::repair::repair;
use ligament::skin::Skin;
use ligament::task::Task;
use ligament_io::gltf::GltfFile;
use ligament_testkit::{corpus_characters, spread};

use crate::corruptions::Corruption;

/// Healed is what measures at most a tenth worse than the artist's weights.
const HEALED: f64 = 1.1;
/// Less is no fault: scores are sums of measures in units that count one.
const NO_FAULT: f64 = 0.05;

#[test]
fn corruptions_are_healed_or_left_and_none_gets_worse() {
    let options = MeasureOptions {
        penetration_frames: 0,
        ..MeasureOptions::default()
    };
    let task = Task::unattended();
    let (mut cases, mut healed) = (0, 0);
    for path in spread(corpus_characters(), 6) {
        let character = GltfFile::open(&path).unwrap().character().as_ref().clone();
        let Some(artist) = character.weights.clone() else {
            continue;
        };
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let skin = Skin::new(character.clone()).unwrap();
        let score = |weights| {
            let body = ligament::measure::SolidDistance::of(&character, &task).unwrap();
            let report =
                ligament::measure::measure_in_body(&character, weights, None, Some(&body), &options, &task);
            report.unwrap().score
        };
        let wanted = score(&artist);
        for corruption in Corruption::ALL {
            let Some(spoiled) = corruption.of(&character, &artist, 7) else {
                continue;
            };
            let repaired = repair(&skin, &spoiled, &options, &task).unwrap();
            let (before, after) = (repaired.before.score, repaired.after.score);
            assert!(after <= before, "{name} {corruption:?}: {before} → {after}");
            // What does not measure worse than the artist's weights is not there to be healed.
            if before <= HEALED * wanted + NO_FAULT {
                continue;
            }
            cases += 1;
            let is_healed = after <= HEALED * wanted + NO_FAULT;
            healed += usize::from(is_healed);
            eprintln!(
                "{name} {corruption:?}: artist {wanted:.3}, spoiled {before:.3}, repaired {after:.3}{}",
                if is_healed { "" } else { "  NOT HEALED" }
            );
        }
    }
    eprintln!("{healed} of {cases} healed");
    assert!(healed * 10 >= 9 * cases, "{healed} of {cases}");
}
