//! The FBX reader against a file written by hand, real characters that exist as GLB too,
//! Blender's exporter, and thousands of broken files; the writer against that reader and
//! Blender's importers.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod bind_pose;
#[cfg(feature = "external-tools")]
mod blender;
mod bone_scale;
mod by_hand;
mod hostile;
#[cfg(feature = "external-tools")]
mod into_blender;
mod matching;
mod mutations;
mod real;
mod samples;
mod strip;
mod textures;
mod writing;
