//! What a body is made of: words of names, the bones that engines know, and which joint of a skeleton is which.
//!
//! [`HumanoidMap`] is the one place that says what a joint is; retargeting, templates, joint limits, transfer, the guess of deforming joints and reports ask it.

mod assign;
mod chains;
mod map;
mod place;
mod plan;
mod reading;
mod standard;
#[cfg(test)]
mod tests;
mod words;

pub use map::{BodyPlan, HumanoidMap, LimbKind, LimbOfBody, MappedBone};
pub use standard::{NameScheme, Side, StandardBone};
pub(crate) use words::split_name;
pub use words::{WordKind, word_kind, words};
