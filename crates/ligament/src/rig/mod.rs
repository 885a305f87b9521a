//! Skeletons: bringing one to a mesh, finding one in it, and editing it there.

mod extract;
mod fit;
#[cfg(test)]
mod tests;

pub use extract::{BodyPlan, ExtractError, ExtractOptions, Extracted, extract};
pub use fit::{Fit, UpAxisRotation, apply_fit, find_fit};
