//! Words to people and programs: exit codes, errors, JSON.

use serde_json::Value;

use crate::{bind, run};

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn bad_input_exits_2_and_says_what_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("text.glb"), "solid cube").unwrap();
    std::fs::write(path("empty.glb"), "").unwrap();
    std::fs::write(path("picture.png"), "\u{89}PNG").unwrap();
    let out = path("out.glb");
    let cases: Vec<(Vec<String>, &str)> = vec![
        (
            vec!["bind".into(), path("missing.glb"), "-o".into(), out.clone()],
            "missing.glb",
        ),
        (
            vec!["bind".into(), path("text.glb"), "-o".into(), out.clone()],
            "not a glTF",
        ),
        (
            vec!["bind".into(), path("empty.glb"), "-o".into(), out.clone()],
            "empty",
        ),
        (
            vec!["bind".into(), path("picture.png"), "-o".into(), out.clone()],
            "'.png'",
        ),
        (vec!["bind".into(), path(""), "-o".into(), out.clone()], "folder"),
        (
            vec!["bind".into(), "sample:unicorn".into(), "-o".into(), out.clone()],
            "unicorn",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                path("no/such/folder.glb"),
            ],
            "folder.glb",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                out.clone(),
                "--method".into(),
                "magic".into(),
            ],
            "closest",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                out.clone(),
                "--deform".into(),
                "elbow".into(),
            ],
            "'elbow'",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                out.clone(),
                "--deform".into(),
                "used".into(),
            ],
            "no weights",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                out.clone(),
                "--influences".into(),
                "0".into(),
            ],
            "influences",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                out.clone(),
                "--prune".into(),
                "2".into(),
            ],
            "prune",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "-o".into(),
                out.clone(),
                "--deform".into(),
                format!("@{}", path("none.txt")),
            ],
            "none.txt",
        ),
        (
            vec![
                "bind".into(),
                "sample:tube".into(),
                "--method".into(),
                "heat".into(),
                "--penalty".into(),
                "8".into(),
            ],
            "'heat' does not know the option 'penalty'; 'voxel' knows it",
        ),
        (
            vec!["bind".into(), "sample:tube".into(), "--sites".into(), "3".into()],
            "'cells' knows it",
        ),
        (vec!["bind".into(), path("missing.obj")], "missing.obj"),
        (vec!["frobnicate".into()], "frobnicate"),
        (vec!["inspect".into(), path("text.glb")], "not a glTF"),
    ];
    for (args, expected) in cases {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{args:?}: {}", said(&output));
        assert!(output.stdout.is_empty(), "{args:?} printed data");
        let repeats = said(&output).matches("os error").count();
        assert!(
            repeats <= 1,
            "{args:?} says its cause {repeats} times: {}",
            said(&output)
        );
        let named = said(&output).matches("missing.").count();
        assert!(
            named <= 1,
            "{args:?} names the file {named} times: {}",
            said(&output)
        );
    }
    assert!(!folder.path().join("out.glb").exists());
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = bind("sample:tube", folder.path(), &["--quiet"]);
    let before = std::fs::read(&file).unwrap();
    let text = file.to_str().unwrap();
    let output = run(&["bind", text, "-o", text]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("never overwritten"), "{}", said(&output));
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn the_output_is_named_after_the_input_when_no_name_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let file = bind("sample:tube", folder.path(), &["--quiet"]);
    assert!(run(&["bind", file.to_str().unwrap()]).status.success());
    assert!(folder.path().join("tube_bound.glb").exists());
}

#[test]
fn json_goes_to_standard_output_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tube.glb");
    let output = run(&["bind", "sample:tube", "-o", out.to_str().unwrap(), "--json"]);
    assert!(output.stderr.is_empty(), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["method"], "best");
    // Options of voxel binding choose it by themselves.
    let output = run(&[
        "bind",
        "sample:tube",
        "-o",
        out.to_str().unwrap(),
        "--json",
        "--falloff",
        "0.2",
    ]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["method"], "voxel");
    let stages: Vec<&str> = report["stages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|s| s["name"].as_str())
        .collect();
    assert_eq!(
        stages,
        [
            "read",
            "prepare",
            "voxels",
            "leaves",
            "distances",
            "reach",
            "surface",
            "weights",
            "smoothing",
            "finish",
            "write"
        ]
    );

    let output = run(&["inspect", out.to_str().unwrap(), "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["mesh"]["open_edges"], 0);
    assert_eq!(report["weights"]["torn_vertices"], 0);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_person_sees_where_the_time_went_and_quiet_is_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tube.glb");
    let output = run(&["bind", "sample:tube", "-o", out.to_str().unwrap()]);
    for word in ["read", "weigh", "write", "total", "ms", "tube.glb"] {
        assert!(said(&output).contains(word), "{word}: {}", said(&output));
    }
    assert!(output.stdout.is_empty());
    let output = run(&["bind", "sample:tube", "-o", out.to_str().unwrap(), "--quiet"]);
    assert!(output.stderr.is_empty() && output.stdout.is_empty());
}

#[test]
fn deform_takes_names_globs_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("joints.txt");
    std::fs::write(&list, "root\n\nmid\n").unwrap();
    let at_list = format!("@{}", list.display());
    let used = |deform: &str| -> u64 {
        let out = folder.path().join("d.glb");
        let output = run(&[
            "bind",
            "sample:tube",
            "-o",
            out.to_str().unwrap(),
            "--json",
            "--deform",
            deform,
        ]);
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        report["deform_joints"].as_u64().unwrap()
    };
    assert_eq!(used("root"), 1);
    assert_eq!(used("root,mid"), 2);
    assert_eq!(used(&at_list), 2);
    assert_eq!(used("*,!tip"), 2);
    assert_eq!(used("all"), 3);
}

/// Weld that follow different joints: what tears a seam.
#[test]
fn inspect_exits_1_when_weights_are_faulty() {
    let folder = tempfile::tempdir().unwrap();
    let file = bind("sample:knight@3000", folder.path(), &["--quiet"]);
    let gltf = ligament_io::gltf::GltfFile::open(&file).unwrap();
    let c = gltf.character();
    let weld = ligament::geometry::Weld::of(&c.mesh);
    let torn = (0..c.mesh.positions.len())
        .find(|&v| weld.first_vertex[weld.point_of_vertex[v] as usize] != v as u32);
    let torn = torn.expect("the knight has twins");
    let weights = c.weights.as_ref().unwrap();
    let far = c.skeleton.find("left_foot").unwrap();
    let joint = |v: usize| {
        if v == torn {
            far
        } else {
            weights.of_vertex(v)[0].joint
        }
    };
    let spoiled = ligament::Weights::rigid((0..weights.vertex_count()).map(joint));
    let path = folder.path().join("torn.glb");
    gltf.with_weights(&spoiled, ligament_io::gltf::WeightFormat::Keep)
        .unwrap()
        .save(&path)
        .unwrap();

    assert_eq!(run(&["inspect", file.to_str().unwrap()]).status.code(), Some(0));
    let output = run(&["inspect", path.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["weights"]["torn_vertices"], 1);
}

#[test]
fn inspect_tells_what_a_real_file_has_wrong() {
    let Some(corpus) = ligament_testkit::corpus() else {
        return;
    };
    let file = corpus.join("open/robot_expressive.glb");
    let output = run(&["inspect", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("do not sum to one"));
}
