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
/// And bytes that were decompressed already may be decoded this many times.
const LARGEST_REUSE: usize = 4;
/// So much may always be decoded, however small the file.
const FREE_BYTES: usize = 1 << 24;

/// A document being read.
pub(super) struct Reader<'a> {
    pub document: &'a Document,
    /// How many bytes the file's own buffers hold.
    held: usize,
    left: Cell<usize>,
}

impl<'a> Reader<'a> {
    /// `unfolded` of the document's bytes were decompressed from the others.
    pub fn new(document: &'a Document, unfolded: usize) -> Self {
        let total: usize = document.buffers.iter().map(|b| b.bytes.len()).sum();
        let held = total.saturating_sub(unfolded);
        let left = held
            .saturating_mul(LARGEST_GROWTH)
            .saturating_add(unfolded.saturating_mul(LARGEST_REUSE))
            .saturating_add(FREE_BYTES);
        Self {
            document,
            held,
            left: Cell::new(left),
        }
    }

    pub fn json(&self) -> &'a Value {
        &self.document.json
    }

    /// Whether less than half of what may be decoded is left.
    pub fn is_low(&self) -> bool {
        self.left.get() < self.held.saturating_mul(LARGEST_GROWTH / 2)
    }

    /// The elements of an accessor.
    pub fn elements(&self, accessor: usize) -> Result<Elements, GltfError> {
        let stated = self.document.accessor(accessor)?;
        let size = stated
            .count
            .saturating_mul(stated.width * stated.component.size());
        self.spend(size, || format!("/accessors/{accessor}"))?;
        self.document.elements(accessor)
    }

    /// The bytes of a buffer view.
    pub fn view(&self, index: usize) -> Result<Vec<u8>, GltfError> {
        let (bytes, _) = self.document.view_bytes(index)?;
        self.spend(bytes.len(), || format!("/bufferViews/{index}"))?;
        Ok(bytes.into_owned())
    }

    /// Takes so many bytes from what may be decoded.
    pub fn spend(&self, bytes: usize, location: impl Fn() -> String) -> Result<(), GltfError> {
        let Some(left) = self.left.get().checked_sub(bytes) else {
            return Err(GltfError::malformed(
                location(),
                "the file refers to the same data again and again, to far more than it holds",
            ));
        };
        self.left.set(left);
        Ok(())
    }
}
