//! The studio over its own protocol, without a browser. `ligament-cli` has the tests in a real one.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod client;
mod mutated;
mod recovery;
mod security;
mod speed;
mod work;
