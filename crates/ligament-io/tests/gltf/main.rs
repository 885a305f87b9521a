//! The glTF layer against hand-made files of every awkward kind, real characters, another
//! reader, and ten thousand broken files.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod arbitrary;
mod compacting;
mod draco;
#[cfg(feature = "external-tools")]
mod draco_google;
mod editing;
mod hostile;
mod lossless;
mod mutations;
mod reading;
mod scenes;
mod seeds;
mod textures;
mod writing;
mod zoo;
