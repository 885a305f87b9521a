//! The studio over its own protocol, without a browser. `ligament-cli` has the tests in a real one.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod client;
mod hands;
mod looks;
mod mutated;
mod recovery;
mod rig;
mod security;
mod speed;
mod work;
