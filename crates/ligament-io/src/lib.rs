//! Reads and writes characters for Ligament.
//!
//! One module per format, and [`atomic`] for files that are never half-written.

pub mod atomic;
pub mod gltf;
pub mod import;
pub mod usd;
