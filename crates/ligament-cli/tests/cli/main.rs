//! The command as users and other programs meet it. What needs other programs (Blender,
//! Node, a browser) runs with the feature `external-tools`, and always in `cargo xtask test`.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod animate;
mod batch;
mod batch_killed;
mod bench;
#[cfg(feature = "external-tools")]
mod blender;
#[cfg(feature = "external-tools")]
mod blender_heat;
mod check;
mod compare;
#[cfg(feature = "external-tools")]
mod compare_blender;
#[cfg(feature = "external-tools")]
mod compare_page;
mod doors;
mod edit;
#[cfg(feature = "external-tools")]
mod farm;
mod field;
mod formats;
mod kill;
mod moving;
mod mutants;
mod points;
#[cfg(feature = "external-tools")]
mod posed;
mod rig;
#[cfg(feature = "external-tools")]
mod rig_elsewhere;
mod rig_templates;
mod same_bytes;
mod samples;
mod source_vertices;
#[cfg(feature = "external-tools")]
mod studio;
mod transfer;
mod usage;
#[cfg(feature = "external-tools")]
mod validator;
mod voxels;
mod vrm;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command, built by this test run.
fn ligament() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ligament"))
}

/// Runs the command and returns what came of it.
fn run(args: &[&str]) -> Output {
    ligament().args(args).output().expect("the command starts")
}

/// Binds an input and returns the output's path; panics with what was said if it fails.
fn bind(input: &str, folder: &Path, extra: &[&str]) -> PathBuf {
    let stem = input.rsplit(['/', ':']).next().unwrap_or("out").replace('@', "-");
    let output = folder.join(if stem.contains('.') {
        stem
    } else {
        format!("{stem}.glb")
    });
    let text = output.to_str().expect("a path in UTF-8");
    let mut args = vec!["bind", input, "-o", text];
    args.extend(extra);
    let result = run(&args);
    assert!(
        result.status.success(),
        "{input}: {}",
        String::from_utf8_lossy(&result.stderr)
    );
    output
}

/// Every sample, and real characters if there is a corpus: a few, all of them in a soak.
fn inputs() -> Vec<String> {
    let samples = ligament::sample::names()
        .iter()
        .map(|s| format!("sample:{}", s.name));
    let files = ligament_testkit::spread(ligament_testkit::corpus_characters(), 6)
        .into_iter()
        .map(|p| p.display().to_string());
    samples.chain(files).collect()
}
