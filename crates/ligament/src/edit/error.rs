//! Why an edit cannot be done.

use crate::bind::{BindError, RegionError};
use crate::character::SkeletonError;

/// Why an edit cannot be done. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No joint has that name.
    #[error("there is no joint '{name}'; the joints are: {known}")]
    NoSuchJoint {
        /// The name asked for.
        name: String,
        /// Some names that there are.
        known: String,
    },
    /// No joint has that number.
    #[error("there is no joint {index}; they are numbered 0 to {last}")]
    NoSuchIndex {
        /// The number asked for.
        index: u16,
        /// The last one.
        last: usize,
    },
    /// Several joints have that name.
    #[error("{count} joints are called '{name}'; say which one by its number, for example {first}")]
    Ambiguous {
        /// The name asked for.
        name: String,
        /// How many have it.
        count: usize,
        /// The first of them.
        first: u16,
    },
    /// The node is no joint of the skin.
    #[error("'{name}' is a plain node that holds no skin; name a joint")]
    NotInSkin {
        /// Its name.
        name: String,
    },
    /// The root cannot be deleted.
    #[error("'{name}' is the root and cannot be deleted; make another joint the root first (set_root)")]
    DeletesRoot {
        /// Its name.
        name: String,
    },
    /// There is nothing above the root.
    #[error("'{name}' is the root: there is no bone above it to put a joint into; name a joint below it")]
    InsertsAboveRoot {
        /// Its name.
        name: String,
    },
    /// Too few joints for a plane.
    #[error("aligning takes three joints or more; {count} are named")]
    TooFewToAlign {
        /// How many different ones were named.
        count: usize,
    },
    /// Joints that are to be aligned are not on one chain.
    #[error("'{first}' and '{second}' are on different chains; align joints that lie below one another")]
    NotOneChain {
        /// One joint.
        first: String,
        /// Another one that is neither above nor below it.
        second: String,
    },
    /// The ends of a chain are at the same position.
    #[error("the first and the last joint are at the same position, so there is no plane to align to")]
    NoPlane,
    /// A number is not finite or out of its range.
    #[error("{what} must be {range}; got {value}")]
    OutOfRange {
        /// What the number is for.
        what: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it was.
        value: String,
    },
    /// A name is empty.
    #[error("a joint needs a name")]
    NoName,
    /// A name is taken.
    #[error("another joint is called '{name}' already; choose another name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The method has no such setting.
    #[error("'{method}' has no {setting}; it is a setting of '{other}'")]
    NotOfMethod {
        /// The session's method.
        method: &'static str,
        /// The setting.
        setting: &'static str,
        /// The method that has it.
        other: &'static str,
    },
    /// No region was given for those vertices.
    #[error("there is no region for those vertices; name them as add_region did")]
    NoSuchRegion,
    /// There are no shapes around the joint.
    #[error("there are no shapes around '{name}'")]
    NoShapes {
        /// The joint.
        name: String,
    },
    /// Too many joints were inserted.
    #[error("no more joints can be inserted in this session; save and open the result again")]
    TooManyJoints,
    /// A map of vertices to joints is none of this mesh and skeleton.
    #[error("the map from vertices to joints does not fit: {0}")]
    BadMap(&'static str),
    /// A region cannot be used.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The edited skeleton is none.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Weights could not be found.
    #[error(transparent)]
    Bind(#[from] BindError),
}

impl From<crate::task::Cancelled> for EditError {
    fn from(cancelled: crate::task::Cancelled) -> Self {
        Self::Bind(cancelled.into())
    }
}
