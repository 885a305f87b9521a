//! Scripts of edits.

use std::path::Path;

use ligament_io::gltf::GltfFile;
use serde_json::Value;

use crate::run;

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Writes a script and runs it; what was said on standard error if it fails.
fn edit(folder: &Path, input: &str, script: &str, extra: &[&str]) -> Result<(GltfFile, Value), String> {
    let (file, output) = (folder.join("script.json"), folder.join("edited.glb"));
    let _ = std::fs::remove_file(&output);
    std::fs::write(&file, script).unwrap();
    let (file, out) = (text(&file), text(&output));
    let mut args = vec!["edit", input, &file, "-o", &out, "--json"];
    args.extend(extra);
    let result = run(&args);
    if !result.status.success() {
        assert_eq!(result.status.code(), Some(2));
        assert!(!output.exists(), "nothing is written after a failure");
        return Err(String::from_utf8_lossy(&result.stderr).into_owned());
    }
    let report = serde_json::from_slice(&result.stdout).unwrap();
    Ok((GltfFile::open(&output).unwrap(), report))
}

#[test]
fn a_script_edits_skeleton_and_weights() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"[
        {"command": "move_joint", "joint": "head", "by": [0, 0.02, 0.01]},
        {"command": "insert_joint", "joint": "head", "name": "throat", "at": 0.25},
        {"command": "magnitude", "joint": "head", "value": 2},
        {"command": "undo"},
        {"command": "rename_joint", "joint": "neck", "name": "nape"}
    ]"#;
    for method in ["heat", "voxel"] {
        let (edited, report) = edit(
            folder.path(),
            "sample:hound@1500",
            script,
            &["--method", method, "--check"],
        )
        .unwrap();
        let skeleton = &edited.character().skeleton;
        let (throat, head) = (skeleton.find("throat").unwrap(), skeleton.find("head").unwrap());
        assert_eq!(skeleton.skin_parent(head), Some(throat));
        assert!(skeleton.find("nape").is_some() && skeleton.find("neck").is_none());
        let weights = edited.character().weights.as_ref().unwrap();
        assert!(weights.influences().iter().any(|i| i.joint == throat));
        let steps = report["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 5);
        assert_eq!(steps[2]["changed_vertices"], steps[3]["changed_vertices"]);
        assert_eq!(steps[4]["changed_vertices"], serde_json::json!([]));
        assert!(report["difference_to_whole"].as_f64().unwrap() < 2e-3);
    }
}

#[test]
fn a_wrong_step_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let said = |script: &str| {
        edit(folder.path(), "sample:hound@1000", script, &[])
            .err()
            .unwrap()
    };
    let first = r#"{"command": "magnitude", "joint": "head", "value": 2}"#;
    let error = said(&format!(
        r#"[{first}, {{"command": "delete_joint", "joint": "tial"}}]"#
    ));
    assert!(
        error.contains("step 2") && error.contains("delete_joint") && error.contains("'tial'"),
        "{error}"
    );
    let error = said(r#"[{"command": "fly"}]"#);
    assert!(
        error.contains("step 1") && error.contains("fly") && error.contains("move_joint"),
        "{error}"
    );
    let error = said(r#"[{"command": "magnitude", "joint": "head", "value": 2, "size": 1}]"#);
    assert!(error.contains("size"), "{error}");
    assert!(said(r#"[{"command": "undo"}]"#).contains("nothing to undo"));
    assert!(said("{}").contains("no JSON list"));
}

#[test]
fn a_mesh_alone_is_told_where_skeletons_come_from() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("corner.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let error = edit(folder.path(), mesh.to_str().unwrap(), "[]", &[])
        .err()
        .unwrap();
    assert!(
        error.contains("corner.obj has no skeleton") && error.contains("--skeleton") && error.contains("rig"),
        "{error}"
    );
}

#[test]
fn drags_are_timed() {
    let result = run(&["bench", "sample:tube@200", "--edits", "--bones", "4", "--json"]);
    assert!(
        result.status.success(),
        "{}",
        String::from_utf8_lossy(&result.stderr)
    );
    let rows: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert!(
        rows[0]["shown"]
            .as_array()
            .unwrap()
            .iter()
            .all(|d| d["difference"].as_f64().unwrap() < 2e-3)
    );
}
