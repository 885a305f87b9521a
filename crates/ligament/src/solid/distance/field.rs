//! Distances of a solid's leaves, to all bones or to the nearest few.

use super::{Distances, Nearest};

/// Distances by either search.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// To every bone.
    All(Distances),
    /// To the nearest few bones of each leaf.
    Nearest(Nearest),
}

impl Field {
    /// How many bones there are.
    pub fn bones(&self) -> usize {
        match self {
            Self::All(all) => all.bones(),
            Self::Nearest(nearest) => nearest.bones(),
        }
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        match self {
            Self::All(all) => all.leaves(),
            Self::Nearest(nearest) => nearest.leaves(),
        }
    }

    /// The distance of a leaf to a bone in voxels; infinite where no path leads or none is
    /// known.
    pub fn voxels(&self, leaf: usize, bone: usize) -> f64 {
        match self {
            Self::All(all) => all.voxels(leaf, bone),
            Self::Nearest(nearest) => nearest
                .of_leaf(leaf)
                .find(|&(b, _)| b == bone)
                .map_or(f64::INFINITY, |(_, distance)| distance),
        }
    }

    /// The bytes that distances take.
    pub fn memory(&self) -> usize {
        match self {
            Self::All(all) => all.memory(),
            Self::Nearest(nearest) => nearest.memory(),
        }
    }
}
