//! What Ligament's tests share: where real characters are, and real tools that open what
//! Ligament writes.
//!
//! Tools are installed once under the build folder, at fixed versions. A tool that cannot
//! be installed fails the test that needs it, loudly; nothing is skipped in silence.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "used by tests alone, where a panic is a failure that names its cause"
)]

mod random;
mod soak;
mod tools;

use std::path::{Path, PathBuf};

pub use random::Random;
pub use soak::{SOAK, SOAKS, batch_size, commands, repeats, spread};
pub use tools::{
    browser_tools, chromium, node_tools, playwright_tools, python_for_wheels, python_with_blender,
    python_with_old_blender, python_with_openjd, python_with_scipy, python_with_usd, pythons, run, vrm_tools,
};

/// The project's root folder.
pub fn project_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .and_then(Path::parent)
        .expect("crates/NAME has two folders above it")
        .to_owned()
}

/// Where the build puts its things.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project_root().join("target"), PathBuf::from)
}

/// The folder of real characters, or `None` with a plain word on standard error. It is
/// `../shared/corpus` beside the project, or what `LIGAMENT_CORPUS` names.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("LIGAMENT_CORPUS")
        .map_or_else(|| project_root().join("../shared/corpus"), PathBuf::from);
    if folder.join("open").is_dir() {
        return Some(folder);
    }
    eprintln!("no corpus of real characters here: this test looked only at characters made by code");
    None
}

/// The corpus's skinned characters, sorted; none when there is no corpus.
pub fn corpus_characters() -> Vec<PathBuf> {
    let Some(folder) = corpus() else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("open"))
        .expect("the corpus can be listed")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "glb" || e == "vrm"))
        .collect();
    files.sort();
    files
}

/// The program that scores binders against artists' weights, `bench/score.py` beside the
/// corpus, or `None` with a plain word on standard error.
pub fn score_program() -> Option<PathBuf> {
    let program = corpus()?.parent()?.join("bench/score.py");
    if program.is_file() {
        return Some(program);
    }
    eprintln!("no bench/score.py beside the corpus: nothing was compared with it");
    None
}
