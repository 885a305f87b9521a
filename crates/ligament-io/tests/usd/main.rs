//! USD, written and read, against USD itself and Blender.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod blender;
mod common;
mod hostile;
mod reading;
mod textures;
mod writing;
