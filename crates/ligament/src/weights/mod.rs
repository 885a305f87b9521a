//! Operations on plain weights, whoever made them.

mod difference;

pub use difference::weight_distance;
