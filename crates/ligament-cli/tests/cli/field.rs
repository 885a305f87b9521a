//! Fields of cells: fitted once, evaluated anywhere.

use std::path::Path;

use serde_json::Value;

use crate::{bind, run};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn json(args: &[&str]) -> Value {
    let result = run(args);
    assert!(
        result.status.success(),
        "{}",
        String::from_utf8_lossy(&result.stderr)
    );
    serde_json::from_slice(&result.stdout).unwrap()
}

fn fails(args: &[&str]) -> String {
    let result = run(args);
    assert_eq!(result.status.code(), Some(2), "{args:?}");
    String::from_utf8_lossy(&result.stderr).into_owned()
}

#[test]
fn one_field_binds_levels_of_detail_and_weighs_a_point_cloud() {
    let folder = tempfile::tempdir().unwrap();
    let field = path(folder.path(), "hound.cells");
    let report = json(&[
        "field",
        "fit",
        "sample:hound@800",
        "--steps",
        "40",
        "-o",
        &field,
        "--json",
    ]);
    assert_eq!(report["steps"], 40);
    assert_eq!(report["curve"].as_array().unwrap().len(), 40);
    assert!(report["unseen"]["location"].as_f64().unwrap() > 0.0);
    let facts = json(&["field", "info", &field, "--json"]);
    let joints = facts["joints"].as_array().unwrap().len();
    assert_eq!(facts["sites"].as_u64().unwrap() as usize, 6 * joints);
    assert!(facts["detour_voxels"].as_u64().unwrap() > 0);
    assert!(facts["surface_faces"].as_u64().unwrap() > 1000);

    for level in ["sample:hound@800", "sample:hound@2500"] {
        let bound = bind(level, folder.path(), &["--method", "cells", "--field", &field]);
        let checked = run(&["inspect", bound.to_str().unwrap(), "--json"]);
        let facts: Value = serde_json::from_slice(&checked.stdout).unwrap();
        assert!(
            facts["weights"]["max_influences"].as_u64().unwrap() <= 4,
            "{facts}"
        );
    }

    let cloud = path(folder.path(), "cloud.csv");
    std::fs::write(&cloud, "x,y,z\n0,0.5,0\n0.1,0.4,0.2\n1000,0,0\n").unwrap();
    let weights = path(folder.path(), "weights.csv");
    let result = run(&["field", "eval", &field, &cloud, "-o", &weights]);
    assert!(
        result.status.success(),
        "{}",
        String::from_utf8_lossy(&result.stderr)
    );
    let text = std::fs::read_to_string(&weights).unwrap();
    assert!(text.contains("hips") || text.contains("spine"), "{text}");

    let said = fails(&[
        "bind",
        "sample:hand@600",
        "--method",
        "cells",
        "--field",
        &field,
        "-o",
        &path(folder.path(), "no.glb"),
    ]);
    assert!(
        said.contains("hound.cells") || said.contains("skeleton"),
        "{said}"
    );
}

/// Fitted with the arms out, the field still lies in the character as it was modelled: its weights there are whole and differ from
/// those of the plain fit.
#[test]
fn a_fit_in_the_t_pose_serves_the_character_as_it_was_modelled() {
    let folder = tempfile::tempdir().unwrap();
    let fit = |name: &str, extra: &[&str]| {
        let field = path(folder.path(), name);
        let mut args = vec![
            "field",
            "fit",
            "sample:apose@1000",
            "--steps",
            "20",
            "-o",
            &field,
            "--json",
        ];
        args.extend(extra);
        let report = json(&args);
        assert_eq!(report["steps"], 20);
        field
    };
    let (plain, posed) = (fit("plain.cells", &[]), fit("posed.cells", &["--pose", "T"]));
    let facts = |field: &str| json(&["field", "info", field, "--json"]);
    assert_eq!(facts(&plain)["centre"], facts(&posed)["centre"]);
    assert_eq!(facts(&plain)["size"], facts(&posed)["size"]);
    assert_ne!(std::fs::read(&plain).unwrap(), std::fs::read(&posed).unwrap());
    let said = fails(&["field", "fit", "sample:hound@800", "--pose", "T"]);
    assert!(said.contains("two arms"), "{said}");
}

#[test]
fn joint_limits_guidance_and_bad_files_are_heard() {
    let folder = tempfile::tempdir().unwrap();
    let field = path(folder.path(), "tube.cells");
    let limits = path(folder.path(), "limits.json");
    let fit = |extra: &[&str]| {
        let mut args = vec!["field", "fit", "sample:tube@200", "--steps", "10", "-o", &field];
        args.extend(extra);
        let result = run(&args);
        assert!(
            result.status.success(),
            "{}",
            String::from_utf8_lossy(&result.stderr)
        );
        std::fs::read(&field).unwrap()
    };
    let free = fit(&[]);
    assert_eq!(free, fit(&[]), "the same seed, the same bytes");
    std::fs::write(&limits, r#"[{"joints": "*", "moves": []}]"#).unwrap();
    assert_ne!(free, fit(&["--joint-limits", &limits]));
    assert_ne!(free, fit(&["--seed", "2"]));

    std::fs::write(
        &limits,
        r#"[{"joints": "*", "moves": [{"axis": "up", "from": -900, "to": 0}]}]"#,
    )
    .unwrap();
    let said = fails(&["field", "fit", "sample:tube@200", "--joint-limits", &limits]);
    assert!(said.contains("180"), "{said}");
    let said = fails(&["field", "fit", "sample:tube@200", "--guide", "1"]);
    assert!(said.contains("weights"), "{said}");
    let said = fails(&["field", "fit", "sample:tube@200", "--preset", "unheard"]);
    assert!(said.contains("paper"), "{said}");
    std::fs::write(&field, &free[..free.len() / 2]).unwrap();
    let said = fails(&["field", "info", &field]);
    assert!(said.contains("damaged") && said.contains("tube.cells"), "{said}");
}
