//! One file for each command.

pub mod animate;
pub mod batch;
pub mod bench;
mod bench_edits;
pub mod bind;
pub mod check;
pub mod compare;
pub mod convert;
pub mod edit;
pub mod field;
pub mod inspect;
pub mod lods;
pub mod pose;
pub mod render;
pub mod rig;
pub mod sample;
pub mod studio;
pub mod transfer;
pub mod weights;
