//! Another program measures the same figures: `bench/score.py`, written in Python apart
//! from this project, with its own reader, its own clips and its own skinning.

use std::collections::BTreeSet;
use std::process::Command;

use ligament::bind::{BindOptions, DeformChoice, Method};
use ligament::character::{Character, PartAttachment};
use ligament::measure::{MeasureOptions, measure};
use ligament::motion::MotionChoice;
use ligament::task::Task;
use ligament_io::gltf::{GltfFile, WeightFormat};
use ligament_testkit::{corpus_characters, python_with_scipy, run, score_program, spread};

/// Vertices that several parts name count once here and once for each part there.
fn shares_vertices(character: &Character) -> bool {
    let mut seen = BTreeSet::new();
    let parts = character.mesh.parts.iter();
    parts
        .filter(|p| p.attachment == PartAttachment::Skin)
        .any(|p| !seen.insert(p.vertices.start))
}

#[test]
fn weight_and_deformation_errors_agree_with_an_independent_program() {
    let Some(program) = score_program() else { return };
    let folder = tempfile::tempdir().unwrap();
    let task = Task::unattended();
    let (mut weights_compared, mut motions_compared) = (0, 0);
    let characters = spread(corpus_characters(), 10);
    let least = characters.len() / 2;
    for path in characters {
        let file = GltfFile::open(&path).unwrap();
        let character = file.character();
        let Some(artist) = character.weights.as_ref().filter(|_| !shares_vertices(character)) else {
            continue;
        };
        let options = BindOptions {
            deform: DeformChoice::Used,
            ..BindOptions::default()
        };
        let bound = Method::named("closest")
            .unwrap()
            .bind_character(character, &options, &task)
            .unwrap();
        let candidate = folder.path().join(path.file_name().unwrap());
        let document = file.with_weights(&bound.weights, WeightFormat::F32).unwrap();
        document.save(&candidate).unwrap();
        let result = folder.path().join("score.json");
        run(Command::new(python_with_scipy())
            .arg(&program)
            .args([&candidate, &path])
            .arg("--json")
            .arg(&result)
            .args(["--poses", "1"]));
        let score: serde_json::Value = serde_json::from_slice(&std::fs::read(&result).unwrap()).unwrap();

        let options = MeasureOptions {
            motion: MotionChoice::Clips,
            frames: 40,
            penetration_frames: 0,
            ..MeasureOptions::default()
        };
        let report = measure(character, &bound.weights, Some(artist), &options, &task).unwrap();
        let ours = report.reference.unwrap();
        let agree = |what: &str, ours: f64, key: &str, tolerance: f64| {
            let theirs = score[key].as_f64().unwrap();
            assert!(
                (ours - theirs).abs() <= tolerance * theirs.max(1e-4),
                "{what} of {}: {ours} here, {theirs} there",
                path.display()
            );
        };
        agree("mean weight error", ours.weight_error_mean, "l1_mean", 1e-3);
        agree("95th percentile", ours.weight_error_p95, "l1_p95", 1e-3);
        weights_compared += 1;
        assert_eq!(
            score["frames"].as_u64().unwrap() as usize,
            report.frames,
            "{}",
            path.display()
        );
        if let (Some(rms), Some(worst)) = (ours.deformation_rms, ours.deformation_worst) {
            agree("deformation error", rms, "def_rms", 1e-3);
            agree("worst deformation error", worst, "def_max", 1e-3);
            motions_compared += 1;
        }
    }
    eprintln!("{weights_compared} characters' weights and {motions_compared} characters' motions agree");
    assert!(weights_compared >= least && motions_compared >= least - 1);
}
