//! Readers and writers of formats other than glTF, against hand-made files, real ones,
//! other programs and thousands of broken files.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod anatomy;
mod biharmonic;
#[cfg(all(feature = "external-tools", unix))]
mod blend;
#[cfg(feature = "external-tools")]
mod blender;
mod bvh;
#[cfg(feature = "external-tools")]
mod collada_blender;
mod corpus;
mod game_skins;
#[cfg(feature = "external-tools")]
mod maya;
mod meshes;
mod motion;
mod mutations;
#[cfg(feature = "external-tools")]
mod numpy;
mod obj;
mod readers;
mod seeds;
mod skeletons;
mod weights;
mod written;
