//! Readers and writers of formats other than glTF, against hand-made files, real ones,
//! other programs and thousands of broken files.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod biharmonic;
mod blender;
mod bvh;
mod corpus;
mod meshes;
mod mutations;
mod numpy;
mod obj;
mod seeds;
mod skeletons;
mod weights;
