//! `ligament compare`: the table, the JSON, and what is refused.

use std::path::{Path, PathBuf};

use ligament::character::{Influence, JointIndex, Weights};
use ligament_io::gltf::{GltfFile, WeightFormat};
use serde_json::Value;

use crate::{bind, run};

pub(crate) fn compared(args: &[&str]) -> (Option<i32>, Value) {
    let output = run(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
    (output.status.code(), json)
}

pub(crate) fn contenders(json: &Value) -> &Vec<Value> {
    json["contenders"].as_array().unwrap()
}

/// The same character with the left leg's weight on the right leg.
pub(crate) fn spoiled(path: &Path, folder: &Path) -> PathBuf {
    let file = GltfFile::open(path).unwrap();
    let character = file.character();
    let across = |joint: JointIndex| {
        let name = &character.skeleton.joint(joint).name;
        let leg = ["leg", "foot", "toe"].iter().any(|part| name.contains(part));
        let other = name.replace("left_", "right_");
        character.skeleton.find(&other).filter(|_| leg).unwrap_or(joint)
    };
    let lists: Vec<Vec<Influence>> = character
        .weights
        .as_ref()
        .unwrap()
        .iter()
        .map(|list| {
            list.iter()
                .map(|i| Influence {
                    joint: across(i.joint),
                    weight: i.weight,
                })
                .collect()
        })
        .collect();
    let weights = Weights::new(lists.iter().map(Vec::as_slice)).unwrap();
    let output = folder.join("spoiled.glb");
    file.with_weights(&weights, WeightFormat::F32)
        .unwrap()
        .save(&output)
        .unwrap();
    output
}

#[test]
fn a_spoiled_bind_comes_last_and_is_called_broken() {
    let folder = tempfile::tempdir().unwrap();
    let athlete = bind("sample:athlete@4000", folder.path(), &["--quiet"]);
    let spoiled = spoiled(&athlete, folder.path());
    let good = format!("good={}", athlete.display());
    let with = [
        "--methods",
        "none",
        "--with",
        &good,
        "--with",
        spoiled.to_str().unwrap(),
    ];
    let mut args = vec!["compare", "sample:athlete@4000", "--json"];
    args.extend(with);
    let (code, json) = compared(&args);
    assert_eq!(code, Some(0));
    assert_eq!(json["conclusion"]["by"], "score");
    assert_eq!(json["conclusion"]["order"], serde_json::json!([0, 1]));
    let sentences = json["conclusion"]["sentences"].to_string();
    assert!(
        sentences.contains("'spoiled' is over its limit in bleed"),
        "{sentences}"
    );
    assert_eq!(contenders(&json)[1]["report"]["verdict"], "broken");

    let output = run(&[&["compare", "sample:athlete@4000"], &with[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for measure in ["stretch", "bleed", "hard edges", "time", "where to look"] {
        assert!(text.contains(measure), "{text}");
    }
    assert!(text.contains("good") && text.contains("spoiled"), "{text}");
}

#[test]
fn what_cannot_be_compared_exits_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let hand = bind("sample:hand@800", folder.path(), &["--quiet"]);
    let finer = bind("sample:hand@2000", folder.path(), &["--quiet"]);
    let tube = bind("sample:tube@400", folder.path(), &["--quiet"]);
    let [hand, finer, tube] = [&hand, &finer, &tube].map(|p| p.to_str().unwrap());
    let taken = format!("a={hand}");
    for (args, wanted) in [
        (vec!["sample:tube@400", "--reference"], "no weights yet"),
        (vec![hand, "--with", tube], "no joint of that name"),
        (vec![hand, "--with", finer], "are not there"),
        (
            vec![hand, "--with", &taken, "--with", &taken],
            "two columns are called 'a'",
        ),
        (vec![hand, "--methods", "magic"], "no method 'magic'"),
        (vec![hand, "--methods", "none"], "nothing to compare"),
        (vec![hand, "-o", "report.txt"], "name it .html"),
    ] {
        let output = run(&[vec!["compare"], args.clone()].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(wanted), "{args:?}: {said}");
    }
}
