//! What is learned from artists: small tables, and how they are read and asked.
//!
//! Every feature is one byte: a number within a range that is known beforehand ([`Range`]), in 256 steps. Tables
//! are learned over those bytes, so that what is computed here is exactly what was learned.

mod forest;
mod lanes;
mod level_trees;

pub use forest::Forest;
#[cfg(feature = "research")]
pub use forest::{Child, Split, Tree};
pub use level_trees::LevelForest;
#[cfg(any(test, feature = "research"))]
pub use level_trees::{DEPTH, LEAVES, LevelTree};

/// Why bytes are no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// It begins otherwise.
    #[error("it is no such table")]
    NoTable,
    /// Another version made it.
    #[error("it is of version {found}, but this program reads version {wanted}; learn it again")]
    OtherVersion {
        /// What it says.
        found: u16,
        /// What can be read.
        wanted: u16,
    },
    /// It ends too early.
    #[error("it ends too early")]
    TooShort,
    /// There is more after its end.
    #[error("there are {bytes} bytes too many")]
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// A number is NaN or infinite.
    #[error("a number in it is not finite")]
    NotFinite,
    /// A tree names what it does not have.
    #[error("its tree {tree} names a feature, question or leaf that is not there")]
    BadTree {
        /// Which one.
        tree: usize,
    },
}

/// Bytes that are read from the front.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    /// The next `N` bytes.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(TableError::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }

    /// Fails unless all was read.
    pub fn finish(&self) -> Result<(), TableError> {
        match self.0.len() {
            0 => Ok(()),
            bytes => Err(TableError::TooLong { bytes }),
        }
    }
}

/// The range of a feature that 256 steps cover; what lies beyond counts as its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Byte 0.
    pub low: f32,
    /// Byte 255.
    pub high: f32,
}

impl Range {
    /// From `low` to `high`.
    pub const fn new(low: f32, high: f32) -> Self {
        Self { low, high }
    }

    /// The byte of a number. What is no number counts as the low end.
    pub fn byte(self, value: f32) -> u8 {
        ((value - self.low) * (255.0 / (self.high - self.low)) + 0.5) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_bytes() {
        let range = Range::new(-1.0, 3.0);
        let bytes = [-9.0, -1.0, 1.0, 3.0, 9.0, f32::NAN].map(|v| range.byte(v));
        assert_eq!(bytes, [0, 0, 128, 255, 255, 0]);
    }
}
