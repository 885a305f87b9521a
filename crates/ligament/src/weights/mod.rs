//! Operations on plain weights, whoever made them.

mod difference;
mod mirror;
mod replaced;

pub use difference::weight_distance;
pub use mirror::mirror_averaged;
pub use replaced::{Replacing, replaced};
