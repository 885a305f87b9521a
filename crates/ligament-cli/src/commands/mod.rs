//! One file for each command.

pub mod bench;
pub mod bind;
pub mod check;
pub mod convert;
pub mod field;
pub mod inspect;
pub mod pose;
pub mod render;
pub mod rig;
pub mod sample;
