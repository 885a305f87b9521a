//! The README and the book keep their word: links lead somewhere, commands run, options
//! exist, scripts are carried out.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod commands;
mod fixtures;
mod links;
mod markdown;
mod options;
mod scripts;
#[path = "../../../ligament-io/tests/fbx/strip.rs"]
#[allow(dead_code, reason = "what the tests of FBX vary is left as it is here")]
mod strip;

use std::process::Command;

/// The command, built by this test run, on one thread: pages run side by side.
fn ligament() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ligament"))
}
