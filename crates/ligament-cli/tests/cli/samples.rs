//! Every sample has the defects that it is meant to have and no others, as `inspect`
//! counts them, and can be written, posed and drawn.

use serde_json::Value;

use crate::{bind, run};

fn inspect(input: &str) -> Value {
    let output = run(&["inspect", input, "--json"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{input}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn clean_samples_are_clean() {
    for name in ["athlete", "apose", "hand", "hound", "tube"] {
        let found = inspect(&format!("sample:{name}"));
        let mesh = &found["mesh"];
        assert_eq!(
            (&mesh["parts"], &mesh["shells"]),
            (&1.into(), &1.into()),
            "{name}"
        );
        assert_eq!(mesh["positions"], mesh["vertices"], "{name}: no twins");
        for fault in [
            "open_edges",
            "non_manifold_edges",
            "inconsistent_edges",
            "degenerate_faces",
            "duplicate_faces",
            "self_intersecting_faces",
        ] {
            assert_eq!(mesh[fault], 0, "{name}: {fault}");
        }
        assert_eq!(mesh["inside_out_shells"], Value::Array(vec![]), "{name}");
        if name != "hand" {
            assert!(
                mesh["mirror"]["fraction"].as_f64().unwrap() > 0.9999,
                "{name} is symmetric"
            );
        }
        assert_eq!(found["skeleton"]["outside_mesh"], Value::Array(vec![]), "{name}");
        assert_eq!(found["skeleton"]["rest_is_bind"], true, "{name}");
        assert!(found["clips"].as_array().unwrap().len() >= 2, "{name}");
    }
}

#[test]
fn the_knight_has_its_defects_and_no_others() {
    let found = inspect("sample:knight");
    let mesh = &found["mesh"];
    assert_eq!(mesh["duplicate_faces"], 1);
    assert_eq!(mesh["non_manifold_edges"], 3, "the duplicated face's own edges");
    assert_eq!(mesh["degenerate_faces"], 0);
    assert_eq!(mesh["inconsistent_edges"], 0);
    let shells = mesh["inside_out_shells"].as_array().unwrap();
    assert_eq!(shells.len(), 1);
    assert_eq!(shells[0]["part"], "pouch");
    assert!(
        mesh["open_edges"].as_u64().unwrap() > 50,
        "cape and hair are open"
    );
    assert!(
        mesh["self_intersecting_faces"].as_u64().unwrap() > 500,
        "pauldrons cut the body"
    );
    assert!(
        mesh["vertices"].as_u64() > mesh["positions"].as_u64(),
        "split at seams"
    );
    let parts: Vec<&str> = found["parts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|p| p["name"].as_str())
        .collect();
    for part in ["body", "helmet", "cape", "pouch"] {
        assert!(parts.contains(&part), "{part} is missing from {parts:?}");
    }
    let has = |word: &str| parts.iter().any(|p| p.contains(word));
    assert!(has("pauldron") && has("eye") && has("hair"), "{parts:?}");
    assert_eq!(
        found["skeleton"]["outside_mesh"],
        serde_json::json!(["root"]),
        "the control joint on the floor"
    );
}

#[test]
fn the_skirt_is_open_and_has_a_rig() {
    let found = inspect("sample:skirt");
    assert!(found["mesh"]["open_edges"].as_u64().unwrap() > 50);
    assert_eq!(found["mesh"]["duplicate_faces"], 0);
    assert_eq!(found["mesh"]["non_manifold_edges"], 0);
    assert_eq!(found["mesh"]["inside_out_shells"], Value::Array(vec![]));
    assert!(found["skeleton"]["joints"].as_u64().unwrap() > 50);
}

#[test]
fn a_number_of_vertices_can_be_asked_for() {
    for wanted in [2000u64, 6000] {
        let found = inspect(&format!("sample:knight@{wanted}"));
        let vertices = found["mesh"]["vertices"].as_u64().unwrap();
        assert!(
            vertices.abs_diff(wanted) * 100 <= 15 * wanted,
            "{vertices} for {wanted}"
        );
    }
}

#[test]
fn samples_are_listed_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let listed = String::from_utf8(run(&["sample"]).stdout).unwrap();
    for sample in ligament::sample::names() {
        assert!(listed.contains(sample.name), "{listed}");
    }
    let path = folder.path().join("tube.glb");
    assert!(
        run(&["sample", "tube", "-o", path.to_str().unwrap(), "--quiet"])
            .status
            .success()
    );
    // What is written is what `sample:` means.
    assert_eq!(
        inspect(path.to_str().unwrap())["mesh"],
        inspect("sample:tube")["mesh"]
    );
}

#[test]
fn a_pose_is_a_plain_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let bound = bind("sample:tube", folder.path(), &["--quiet"]);
    let posed = folder.path().join("posed.glb");
    let args = [
        "pose",
        bound.to_str().unwrap(),
        "--clip",
        "bend",
        "--time",
        "1.0",
        "-o",
        posed.to_str().unwrap(),
    ];
    assert!(run(&args).status.success());
    let (rest, found) = (inspect("sample:tube"), inspect(posed.to_str().unwrap()));
    assert_eq!(found["mesh"]["triangles"], rest["mesh"]["triangles"]);
    assert!(found["skeleton"].is_null() && found["weights"].is_null());
    assert_ne!(found["mesh"]["high"], rest["mesh"]["high"], "it is bent");

    let unbound = run(&[
        "pose",
        "sample:tube",
        "--clip",
        "bend",
        "-o",
        posed.to_str().unwrap(),
    ]);
    assert_eq!(unbound.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unbound.stderr).contains("bind it first"));
    let wrong = run(&[
        "pose",
        bound.to_str().unwrap(),
        "--clip",
        "moonwalk",
        "-o",
        posed.to_str().unwrap(),
    ]);
    assert!(
        String::from_utf8_lossy(&wrong.stderr).contains("bend"),
        "known clips are listed"
    );
}

/// Width, height and the first bytes of a PNG.
fn png_size(path: &std::path::Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert!(
        bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "{} is no PNG",
        path.display()
    );
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(16), number(20))
}

#[test]
fn pictures_of_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let bound = bind("sample:knight@3000", folder.path(), &["--quiet"]);
    let bound = bound.to_str().unwrap();
    let picture = folder.path().join("p.png");
    let mut seen = Vec::new();
    for extra in [
        &[][..],
        &["--wire"],
        &["--bones"],
        &["--joints"],
        &["--joint", "left_upper_arm"],
        &["--flat"],
        &["--back-faces"],
        &["--view", "back"],
        &["--view", "30,-20"],
        &["--orthographic"],
        &["--clip", "walk", "--time", "0.3"],
        &["--clip", "walk", "--time", "0.3", "--skinning", "dual-quaternion"],
        &["--clip", "walk", "--time", "0.3", "--skinning", "delta-mush"],
        &["--at", "left_hand", "--zoom", "2"],
    ] {
        let mut args = vec![
            "render",
            bound,
            "-o",
            picture.to_str().unwrap(),
            "--size",
            "320x240",
        ];
        args.extend(extra);
        let bytes = ["1", "2"].map(|threads| {
            let output = run(&[&args[..], &["--threads", threads]].concat());
            assert!(
                output.status.success(),
                "{extra:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            std::fs::read(&picture).unwrap()
        });
        assert_eq!(png_size(&picture), (320, 240), "{extra:?}");
        assert!(bytes[0] == bytes[1], "{extra:?} depends on the number of threads");
        assert!(!seen.contains(&bytes[0]), "{extra:?} changes nothing");
        seen.push(bytes[0].clone());
    }
    // A contact sheet, and two files side by side.
    let args = [
        "render",
        bound,
        "--clip",
        "walk",
        "--frames",
        "4",
        "--size",
        "100x120",
        "-o",
        picture.to_str().unwrap(),
    ];
    assert!(run(&args).status.success());
    let (width, height) = png_size(&picture);
    assert!(width >= 400 && height >= 120, "{width} × {height}");
    let args = [
        "render",
        bound,
        "sample:tube",
        "--size",
        "100x120",
        "-o",
        picture.to_str().unwrap(),
    ];
    assert!(run(&args).status.success());
    assert!(png_size(&picture).0 >= 200);
    let wrong = run(&[
        "render",
        bound,
        "--joint",
        "third_arm",
        "-o",
        picture.to_str().unwrap(),
    ]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("third_arm"));
}
