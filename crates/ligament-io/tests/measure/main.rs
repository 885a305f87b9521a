//! Measures on real characters: they rank artists' weights above corrupted ones, and they
//! agree with an independent program.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod corruptions;
mod healing;
#[cfg(feature = "external-tools")]
mod independent;
mod ranking;
