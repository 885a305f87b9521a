//! Decoding with a purse: a file may refer to the same bytes as often as it likes, but
//! what it unfolds to stays in proportion to what it holds.

use std::cell::Cell;

use serde_json::Value;

use super::accessor::Elements;
use super::container::Document;
use super::error::GltfError;

/// Decoded data may be this many times the size of the buffers. Real characters with
/// shared accessors and dozens of clips stay under 4.
const LARGEST_GROWTH: usize = 64;
/// So much may always be decoded, however small the file.
const FREE_BYTES: usize = 1 << 24;

/// A document being read.
pub(super) struct Reader<'a> {
    pub document: &'a Document,
    left: Cell<usize>,
}

impl<'a> Reader<'a> {
    pub fn new(document: &'a Document) -> Self {
        let held: usize = document.buffers.iter().map(|b| b.bytes.len()).sum();
        Self {
            document,
            left: Cell::new(held.saturating_mul(LARGEST_GROWTH).saturating_add(FREE_BYTES)),
        }
    }

    pub fn json(&self) -> &'a Value {
        &self.document.json
    }

    /// Whether less than half of what may be decoded is left.
    pub fn is_low(&self) -> bool {
        let held: usize = self.document.buffers.iter().map(|b| b.bytes.len()).sum();
        self.left.get() < held.saturating_mul(LARGEST_GROWTH / 2)
    }

    /// The elements of an accessor.
    pub fn elements(&self, accessor: usize) -> Result<Elements, GltfError> {
        let stated = self.document.accessor(accessor)?;
        let size = stated
            .count
            .saturating_mul(stated.width * stated.component.size());
        let Some(left) = self.left.get().checked_sub(size) else {
            return Err(GltfError::malformed(
                format!("/accessors/{accessor}"),
                "the file refers to the same data again and again, to far more than it holds",
            ));
        };
        self.left.set(left);
        self.document.elements(accessor)
    }
}
