//! `ligament check`: verdicts, exit codes, JSON, pictures.

use std::path::Path;

use ligament::{JointIndex, Weights};
use ligament_io::gltf::{GltfFile, WeightFormat};
use serde_json::Value;

use crate::{bind, run};

/// A copy of a bound file in which part of the right leg follows the left one.
fn crossed(file: &Path, folder: &Path) -> std::path::PathBuf {
    let gltf = GltfFile::open(file).unwrap();
    let character = gltf.character();
    let joint = |name: &str| character.skeleton.find(name).unwrap();
    let (right, left) = (joint("right_lower_leg"), joint("left_lower_leg"));
    let weights = character.weights.as_ref().unwrap();
    let joints = weights.iter().map(|influences| {
        let strongest = influences[0].joint;
        if strongest == right { left } else { strongest }
    });
    let spoiled = Weights::rigid(joints.collect::<Vec<JointIndex>>());
    let path = folder.join("crossed.glb");
    let document = gltf.with_weights(&spoiled, WeightFormat::Keep).unwrap();
    document.save(&path).unwrap();
    path
}

fn json(args: &[&str]) -> (Option<i32>, Value) {
    let output = run(args);
    let value = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code(), value)
}

#[test]
fn a_sound_bind_exits_0_and_a_crossed_leg_exits_1_with_a_picture_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let athlete = bind("sample:athlete@4000", folder.path(), &["--quiet"]);
    let text = athlete.to_str().unwrap();
    let output = run(&["check", text]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("stretch") && said.contains("frames of its clips"),
        "{said}"
    );

    let crossed = crossed(&athlete, folder.path());
    let pictures = folder.path().join("worst");
    let (code, found) = json(&[
        "check",
        crossed.to_str().unwrap(),
        "--reference",
        text,
        "--json",
        "--worst",
        "2",
        "--pictures",
        pictures.to_str().unwrap(),
    ]);
    assert_eq!(code, Some(1));
    assert_eq!(found["verdict"], "broken");
    // Every vertex is rigid now, so other places tear too; the leg must be among the first.
    let regions = found["regions"].as_array().unwrap();
    let worst: Vec<&str> = regions
        .iter()
        .take(5)
        .filter_map(|r| r["name"].as_str())
        .collect();
    assert!(
        worst.iter().any(|name| name.starts_with("right_")),
        "the right leg follows the left: {worst:?}"
    );
    assert!(found["regions"][0]["frame"]["name"].is_string());
    assert!(found["reference"]["deformation_rms"].as_f64().unwrap() > 0.005);
    let drawn = found["pictures"].as_array().unwrap();
    assert_eq!(drawn.len(), 2);
    for picture in drawn {
        let bytes = std::fs::read(picture.as_str().unwrap()).unwrap();
        assert_eq!(&bytes[1..4], b"PNG");
    }
}

#[test]
fn limits_and_poses_are_the_users() {
    let folder = tempfile::tempdir().unwrap();
    let tube = bind("sample:tube@400", folder.path(), &["--quiet"]);
    let text = tube.to_str().unwrap();
    let (code, found) = json(&["check", text, "--json", "--limit", "stretch=0.0001"]);
    assert_eq!((code, &found["verdict"]), (Some(1), &Value::from("broken")));
    let (_, found) = json(&[
        "check",
        text,
        "--json",
        "--poses",
        "range",
        "--penetration-frames",
        "0",
    ]);
    assert_eq!(found["from_clips"], false);
    assert!(found["penetration"].is_null());
    let limits = folder.path().join("limits.json");
    std::fs::write(&limits, r#"[{"joints": "*", "moves": []}]"#).unwrap();
    let limits = limits.to_str().unwrap();
    let still = run(&["check", text, "--poses", "range", "--joint-limits", limits]);
    assert_eq!(still.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&still.stderr).contains("no pose"));
    std::fs::write(limits, "[{}]").unwrap();
    assert_eq!(
        run(&["check", text, "--joint-limits", limits]).status.code(),
        Some(2)
    );
}

#[test]
fn what_cannot_be_checked_exits_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let tube = bind("sample:tube@400", folder.path(), &["--quiet"]);
    let other = bind("sample:hand@800", folder.path(), &["--quiet"]);
    let (tube, other) = (tube.to_str().unwrap(), other.to_str().unwrap());
    for (args, wanted) in [
        (vec!["check", "sample:tube"], "bind it first"),
        (
            vec!["check", tube, "--reference", other],
            "has no joint of that name",
        ),
        (vec!["check", tube, "--limit", "beauty=1"], "no measure 'beauty'"),
        (vec!["check", tube, "--limit", "bleed=-1"], "greater than 0"),
    ] {
        let output = run(&args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(wanted), "{args:?}: {said}");
    }
}

#[test]
fn one_thread_and_two_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let knight = bind("sample:knight@3000", folder.path(), &["--quiet"]);
    let knight = knight.to_str().unwrap();
    let [one, two] = ["1", "2"].map(|n| run(&["check", knight, "--json", "--threads", n]).stdout);
    assert!(!one.is_empty() && one == two);
}
