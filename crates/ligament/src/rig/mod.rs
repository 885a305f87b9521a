//! Skeletons: bringing one to a mesh.

mod fit;
#[cfg(test)]
mod tests;

pub use fit::{Fit, Turn, apply_fit, find_fit};
