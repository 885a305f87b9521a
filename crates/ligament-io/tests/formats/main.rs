//! Readers and writers of formats other than glTF, against hand-made files, real ones,
//! other programs and thousands of broken files.

#![allow(missing_docs, reason = "tests")]

mod bvh;
mod corpus;
mod meshes;
mod mutations;
mod numpy;
mod obj;
mod seeds;
mod skeletons;
mod weights;
