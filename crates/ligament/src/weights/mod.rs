//! Operations on plain weights, whoever made them.
//!
//! - [`weight_distance`]: how far two rows are apart.
//! - [`replaced`]: new weights in the place of old ones, by vertex, joint and fraction.
//! - [`mirrored`], [`mirror_averaged`]: the same left and right.
//! - [`smoothed`]: evened out along the surface by a length.
//! - [`limited_by_motion`]: fewer influences with the least change of what the skin does.
//! - [`redirected`]: joints that give their weight to others.
//! - [`hands`]: edits by hand, one sparse layer over any bind.

mod difference;
pub mod hands;
mod limited;
mod mirror;
mod mirrored;
mod redirected;
mod replaced;
mod smoothed;

pub use difference::weight_distance;
pub use limited::{LimitCost, limit_cost, limited_by_motion};
pub use mirror::mirror_averaged;
pub use mirrored::{Side, mirrored};
pub use redirected::{joint_remap, redirected};
pub use replaced::{Replacing, replaced};
pub use smoothed::{SmoothingRegion, smoothed};
