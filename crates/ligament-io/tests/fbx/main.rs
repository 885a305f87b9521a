//! The FBX reader against a file written by hand, real characters that exist as GLB too,
//! Blender's exporter, and thousands of broken files.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod bind_pose;
#[cfg(feature = "external-tools")]
mod blender;
mod bone_scale;
mod by_hand;
mod hostile;
mod matching;
mod mutations;
mod real;
mod strip;
mod textures;
