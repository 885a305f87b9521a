//! Weights that travel: from a body to garments and levels of detail, and the tools around them.

use std::path::Path;

use serde_json::Value;

use crate::{bind, run};

fn json(args: &[&str]) -> Value {
    let mut args = args.to_vec();
    args.push("--json");
    let result = run(&args);
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{args:?}: {said}");
    serde_json::from_slice(&result.stdout).unwrap()
}

fn fails(args: &[&str]) -> String {
    let result = run(args);
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert_eq!(result.status.code(), Some(2), "{args:?}: {said}");
    said
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_body_dresses_files_with_and_without_joints_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let body = bind("sample:skirt@1500", folder.path(), &["--method", "closest"]);
    let body = body.to_str().unwrap();
    let worn = path(folder.path(), "worn.glb");
    let report = json(&["transfer", body, "sample:skirt@2500", "-o", &worn]);
    let target = &report["targets"][0];
    let points = number(&target["matched"]) + number(&target["filled"]) + number(&target["bound"]);
    assert!(number(&target["matched"]) > 0.9 * points, "{target}");
    assert_eq!(target["added_joints"], Value::Array(Vec::new()));
    let again = path(folder.path(), "again.glb");
    json(&[
        "transfer",
        body,
        "sample:skirt@2500",
        "-o",
        &again,
        "--threads",
        "1",
    ]);
    assert!(std::fs::read(&worn).unwrap() == std::fs::read(&again).unwrap());

    // A bare mesh gets the body's joints; several targets go into a folder.
    let bare = bare_mesh(folder.path(), "bare.obj", "skirt@1600", 1.0);
    let (both, pictures) = (path(folder.path(), "both"), path(folder.path(), "look"));
    let report = json(&[
        "transfer",
        body,
        &bare,
        "sample:skirt@1500",
        "-o",
        &both,
        "--pictures",
        &pictures,
    ]);
    let targets = report["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 2);
    for (target, name) in targets.iter().zip(["bare", "skirt-1500"]) {
        let output = folder.path().join("both").join(format!("{name}.glb"));
        assert_eq!(target["output"].as_str().unwrap(), output.display().to_string());
        let facts = json_of_faults(&["inspect", output.to_str().unwrap()]);
        assert_eq!(facts["weights"]["unweighted_vertices"].as_u64().unwrap_or(0), 0);
        assert!(
            std::fs::metadata(target["picture"].as_str().unwrap())
                .unwrap()
                .len()
                > 1000
        );
    }

    let weights = path(folder.path(), "bare.npz");
    json(&["transfer", body, &bare, "-o", &weights]);
    assert!(std::fs::metadata(&weights).unwrap().len() > 1000);
}

/// A report of a command that may say by its exit status that it found faults.
fn json_of_faults(args: &[&str]) -> Value {
    let mut args = args.to_vec();
    args.push("--json");
    serde_json::from_slice(&run(&args).stdout).unwrap()
}

/// A sample's mesh alone, in another unit.
fn bare_mesh(folder: &Path, name: &str, sample: &str, scale: f32) -> String {
    let mesh = ligament::sample::make(sample).unwrap().mesh;
    let mut text = String::new();
    for p in &mesh.positions {
        text.push_str(&format!("v {} {} {}\n", scale * p.x, scale * p.y, scale * p.z));
    }
    for t in &mesh.triangles {
        text.push_str(&format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
    }
    let file = path(folder, name);
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn another_unit_is_refused_with_a_way_out_and_fitted_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let body = bind("sample:tube@200", folder.path(), &["--method", "closest"]);
    let body = body.to_str().unwrap();
    let large = bare_mesh(folder.path(), "large.obj", "tube@300", 100.0);
    let output = path(folder.path(), "worn.glb");
    let said = fails(&["transfer", body, &large, "-o", &output]);
    assert!(said.contains("100.0000") && said.contains("--fit"), "{said}");
    assert!(!Path::new(&output).exists());
    let report = json(&["transfer", body, &large, "-o", &output, "--fit"]);
    let target = &report["targets"][0];
    assert_eq!(number(&target["fitted"]), 100.0);
    assert_eq!(
        number(&target["filled"]) + number(&target["bound"]),
        0.0,
        "{target}"
    );
    // Its joints are as far apart as its mesh is large.
    let checked = json_of_faults(&["check", &output, "--frames", "4", "--penetration-frames", "0"]);
    assert_ne!(checked["verdict"], "broken", "{checked}");
}

#[test]
fn what_a_transfer_cannot_do_is_said_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let body = bind("sample:tube@200", folder.path(), &["--method", "closest"]);
    let body = body.to_str().unwrap();
    let output = path(folder.path(), "out.glb");
    let bare = bare_mesh(folder.path(), "bare.obj", "tube@100", 1.0);
    for (args, says) in [
        (&["transfer", body, "sample:hound@800"][..], "--map"),
        (&["transfer", "sample:tube@100", &bare], "no weights"),
        (&["transfer", body, &bare, "--mix", "0.5"], "--mix"),
        (&["transfer", body, &bare, "--mix", "2"], "mix"),
        (&["transfer", body, &bare, "--distance", "0"], "distance"),
        (&["transfer", body, &bare, "--only", "part:cape"], "cape"),
        (&["transfer", body, &bare, "--joints", "tail"], "tail"),
        (&["transfer", body, &bare, "--map", "/nowhere"], "/nowhere"),
    ] {
        let mut args = args.to_vec();
        args.extend(["-o", &output]);
        let said = fails(&args);
        assert!(said.contains(says), "{args:?}: {said}");
        assert!(!Path::new(&output).exists(), "{args:?}");
    }
    let said = fails(&["transfer", body, &bare, "-o", body]);
    assert!(said.contains("input"), "{said}");
}

#[test]
fn the_tools_around_weights_say_what_they_did() {
    let folder = tempfile::tempdir().unwrap();
    let bound = bind(
        "sample:apose@1500",
        folder.path(),
        &["--method", "closest", "--influences", "8"],
    );
    let bound = bound.to_str().unwrap();
    let output = path(folder.path(), "out.glb");
    let picture = path(folder.path(), "look.png");
    let report = json(&[
        "weights",
        "mirror,smooth,prune,limit",
        bound,
        "-o",
        &output,
        "--influences",
        "2",
        "--picture",
        &picture,
    ]);
    let verbs: Vec<&str> = report["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["verb"].as_str().unwrap())
        .collect();
    assert_eq!(verbs, ["mirror", "smooth", "prune", "limit"]);
    assert_eq!(report["max_influences"], 2);
    let limit = &report["steps"][3]["limit"];
    assert!(number(&limit["rms"]) < number(&limit["largest_rms"]), "{limit}");
    assert!(std::fs::metadata(&picture).unwrap().len() > 1000);

    let report = json(&["weights", "remove", bound, "-o", &output, "--joints", "head"]);
    let moved = &report["steps"][0]["moved_to"][0];
    assert_eq!(
        (moved[0].as_str(), moved[1].as_str()),
        (Some("head"), Some("neck"))
    );
    let report = json(&[
        "weights", "merge", bound, "-o", &output, "--joints", "head", "--to", "neck",
    ]);
    assert!(number(&report["steps"][0]["changed"]) > 10.0);
    let report = json(&[
        "weights",
        "rigid",
        bound,
        "-o",
        &output,
        "--only",
        "sphere:0,1.7,0,0.2",
    ]);
    assert_eq!(report["steps"][0]["moved_to"][0][1], "head");

    for (args, says) in [
        (&["weights", "merge", bound][..], "--to"),
        (
            &["weights", "merge", bound, "--joints", "head", "--to", "tail"],
            "tail",
        ),
        (
            &["weights", "remove", bound, "--joints", "*"],
            "no joint would be left",
        ),
        (&["weights", "remove", bound], "joints"),
        (&["weights", "rigid", bound], "must be chosen"),
        (&["weights", "copy", bound], "must be chosen"),
        (&["weights", "smooth", bound, "--length", "nan"], "length"),
        (&["weights", "prune", bound, "--threshold", "1"], "threshold"),
        (&["weights", "smooth", "sample:tube@100"], "no weights"),
        (&["weights", "stir", bound], "stir"),
    ] {
        let said = fails(args);
        assert!(said.contains(says), "{args:?}: {said}");
    }
}

#[test]
fn levels_of_detail_take_the_way_that_deforms_them_alike() {
    let folder = tempfile::tempdir().unwrap();
    let bound = bind("sample:hound@1500", folder.path(), &["--method", "heat"]);
    let bound = bound.to_str().unwrap();
    let levels = path(folder.path(), "levels");
    let args = [
        "lods",
        bound,
        "sample:hound@800",
        "sample:hound@1500",
        "-o",
        &levels,
    ];
    let report = json(&[&args[..], &["--by", "transfer", "--by", "voxel"]].concat());
    let levels = report["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 2);
    for level in levels {
        assert_eq!(level["chosen"], "transfer", "{level}");
        let rms: Vec<f64> = level["ways"]
            .as_array()
            .unwrap()
            .iter()
            .map(|w| number(&w["deformation_rms"]))
            .collect();
        assert!(rms[0] < rms[1], "{level}");
    }
    // The same mesh again: points that both share have the same weights.
    let same = &levels[1]["ways"][0];
    assert!(number(&same["shared_points"]) > 1000.0, "{same}");
    assert!(number(&same["shared_worst"]) < 1e-3, "{same}");
    assert!(fails(&["lods", bound, "sample:hound@800", "--by", "field"]).contains("field"));
}
