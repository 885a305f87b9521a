//! Weights without a character around them, to carry between programs.
//!
//! Each module reads weights for a skeleton and a number of vertices that are known
//! already, and finds joints by name. Every vertex must have a weight; what does not sum
//! to one is scaled.

pub mod csv;
pub mod dmat;
mod gather;
pub(crate) mod labels;
mod maya_block;
pub mod maya_json;
pub mod maya_xml;
mod npy;
pub mod npz;
pub mod rignet_text;
