//! Skeletons: bringing one to a mesh, and editing it there.

pub mod edit;
mod fit;
#[cfg(test)]
mod tests;

pub use fit::{Fit, Turn, apply_fit, find_fit};
