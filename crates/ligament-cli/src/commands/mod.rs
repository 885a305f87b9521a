//! One file for each command.

pub mod bind;
pub mod convert;
pub mod inspect;
pub mod pose;
pub mod render;
pub mod rig;
pub mod sample;
