//! Reads and writes characters for Ligament.
//!
//! One module per format. Whole characters: [`gltf`], [`fbx`], [`usd`], [`collada`], [`iqm`], [`md5`] and, through Blender, [`blend`]. Meshes: [`obj`],
//! [`off`], [`ply`], [`stl`], [`medit`]. Skeletons and motion: [`bvh`], [`tgf`], [`skel`],
//! [`anim`], [`mhskel`], [`rignet`], [`skeleton_json`]. Weights alone: [`weights`]; weights
//! at every point of space: [`cells`]; prepared bindings: [`voxels`].
//! [`open`] is one door for all of them, [`registry`] says what a name's ending means, and [`atomic`] is for files that are never
//! half-written.

pub mod anim;
mod assemble;
pub mod atomic;
pub mod blend;
pub mod bvh;
pub mod cells;
pub mod collada;
pub mod companion;
mod corner_normals;
mod export;
pub mod fbx;
pub mod gltf;
pub mod import;
pub mod iqm;
mod laying;
pub mod md5;
pub mod medit;
pub mod mhskel;
pub mod obj;
pub mod off;
pub mod open;
pub mod ply;
mod polygon;
pub mod registry;
pub mod rignet;
mod shape_motion;
pub mod skel;
pub mod skeleton_json;
pub mod stl;
mod stored_zip;
mod text;
pub mod tgf;
pub mod usd;
pub mod voxels;
pub mod weights;

/// The Rust of the README and of the book, compiled and run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/guide/library.md")]
    mod library {}
    #[doc = include_str!("../../../docs/internals/tasks.md")]
    mod tasks {}
}
