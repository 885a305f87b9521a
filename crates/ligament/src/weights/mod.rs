//! Operations on plain weights, whoever made them.

mod difference;
mod mirror;

pub use difference::weight_distance;
pub use mirror::mirror_averaged;
