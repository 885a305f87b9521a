//! One file for each command.

pub mod bind;
pub mod inspect;
