//! USD, written and read, against USD itself and Blender (with the feature `external-tools`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

#[cfg(feature = "external-tools")]
mod blender;
mod common;
#[cfg(feature = "external-tools")]
mod from_usd;
mod hostile;
mod posing;
mod reading;
mod textures;
#[cfg(feature = "external-tools")]
mod with_usd;
#[cfg(feature = "external-tools")]
mod writing;
