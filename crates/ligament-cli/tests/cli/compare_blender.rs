//! Blender's automatic weights as a column of `ligament compare`.

use std::path::Path;
use std::process::Command;

use ligament_testkit::{corpus, python_with_blender};
use serde_json::Value;

use crate::bind;
use crate::compare::{compared, contenders};

/// Blender's automatic weights by the script that users have.
fn by_blender(input: &str, output: &Path, extra: &[&str]) -> Value {
    let script = ligament_testkit::project_root().join("tools/peers/blender_weights.py");
    let mut command = Command::new(python_with_blender());
    let result = command
        .arg(script)
        .arg(input)
        .arg(output)
        .args(extra)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stdout).into_owned();
    assert!(
        matches!(result.status.code(), Some(0 | 1)),
        "{said}{}",
        String::from_utf8_lossy(&result.stderr)
    );
    let line = said.lines().find_map(|l| l.strip_prefix("RESULT "));
    serde_json::from_str(line.expect("the script prints its result")).unwrap()
}

#[test]
fn blenders_weights_are_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = vec![bind("sample:athlete@4000", folder.path(), &["--quiet"])];
    if let Some(corpus) = corpus() {
        // Vertices split at seams, several skins, another rest pose, vertices that stay alone.
        for name in ["cesium_man", "quaternius_stag", "kaykit_knight"] {
            inputs.push(corpus.join(format!("open/{name}.glb")));
        }
    }
    for input in inputs {
        let text = input.to_str().unwrap();
        let theirs = folder.path().join("blender.glb");
        let result = by_blender(text, &theirs, &["--helped"]);
        let with = format!("blender={}", theirs.display());
        let (code, json) = compared(&[
            "compare",
            text,
            "--methods",
            "heat",
            "--with",
            &with,
            "--reference",
            "--json",
            "--penetration-frames",
            "0",
        ]);
        assert_eq!(code, Some(0), "{text}");
        let named = |name: &str| {
            let found = contenders(&json).iter().find(|c| c["name"] == name);
            found.unwrap_or_else(|| panic!("no column {name}"))
        };
        let blender = named("blender");
        assert!(
            blender["summary"].as_str().unwrap().starts_with("Blender 5.0.1"),
            "{text}"
        );
        assert_eq!(blender["seconds"], result["seconds"]);
        let alone = result["unweighted"].as_u64().unwrap();
        assert_eq!(
            alone > 0,
            blender["unweighted"].as_u64().unwrap() > 0,
            "{text}: {alone}"
        );
        if alone == 0 {
            // Both are heat: near each other, and not the same.
            let off = |name: &str| {
                named(name)["report"]["reference"]["deformation_rms"]
                    .as_f64()
                    .unwrap()
            };
            let (ours, theirs) = (off("heat"), off("blender"));
            assert!(theirs < 6.0 * ours.max(0.002), "{text}: {ours} and {theirs}");
        }
    }
}
