//! USD, written and read, against USD itself.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod blender;
mod mutations;
mod reading;
mod writing;

use std::path::{Path, PathBuf};

use ligament::Character;
use ligament::bind::BindOptions;
use ligament::task::Task;

/// A sample with weights.
pub fn bound(name: &str) -> Character {
    let mut character = ligament::sample::make(name).unwrap();
    let method = ligament::bind::method("closest").unwrap();
    let bound = method.bind(&character, &BindOptions::default(), &Task::unattended());
    character.weights = Some(bound.unwrap().weights);
    character
}

/// A script beside these tests.
pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usd").join(name)
}
