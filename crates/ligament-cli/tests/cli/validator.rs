//! The Khronos validator finds nothing in an output that the input did not have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use ligament_testkit::{node_tools, run as run_tool};
use serde::Deserialize;

use crate::{bind, inputs};

#[derive(Deserialize)]
pub struct Found {
    pub errors: usize,
    pub warnings: usize,
    counts: BTreeMap<String, usize>,
}

pub fn validate(files: &[PathBuf]) -> Vec<Found> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/validate.mjs");
    let output = run_tool(Command::new("node").arg(script).arg(node_tools()).args(files));
    let found: Vec<Found> = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(found.len(), files.len());
    found
}

#[test]
fn outputs_have_no_error_or_warning_that_the_input_lacked() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["keep", "u8", "u16"] {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for input in inputs() {
            // How weights are found is no matter here, so it is the fastest way.
            let options = ["--method", "closest", "--store", format, "--quiet"];
            after.push(bind(&input, folder.path(), &options));
            before.push((!input.starts_with("sample:")).then(|| PathBuf::from(&input)));
        }
        let real: Vec<PathBuf> = before.iter().flatten().cloned().collect();
        let mut known = validate(&real).into_iter();
        for ((found, path), had_input) in validate(&after).into_iter().zip(&after).zip(&before) {
            let allowed = if had_input.is_some() {
                known.next().unwrap().counts
            } else {
                BTreeMap::new()
            };
            for (code, count) in &found.counts {
                let before = allowed.get(code).copied().unwrap_or(0);
                assert!(
                    *count <= before,
                    "{} as {format}: {code} ×{count}, was ×{before}",
                    path.display()
                );
            }
            if had_input.is_none() {
                assert_eq!((found.errors, found.warnings), (0, 0), "{}", path.display());
            }
        }
    }
}

#[test]
fn samples_as_they_are_written_are_clean() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for sample in ligament::sample::names() {
        let path = folder.path().join(format!("{}.glb", sample.name));
        let output = crate::run(&["sample", sample.name, "-o", path.to_str().unwrap(), "--quiet"]);
        assert!(output.status.success());
        files.push(path);
    }
    for (found, path) in validate(&files).into_iter().zip(&files) {
        assert_eq!(
            (found.errors, found.warnings),
            (0, 0),
            "{}: {:?}",
            path.display(),
            found.counts
        );
    }
}
