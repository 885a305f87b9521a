//! Weights from one mesh to another.
//!
//! - [`weights_of_same_character`]: the same character from elsewhere, vertex by vertex.
//! - [`transfer_weights`]: from a body to what is worn on it or to another level of detail; its halves are [`Matches`] and
//!   [`inpaint`], which know no method of binding.
//! - [`JointMap`]: which joint of one skeleton is which of another; [`BodyFit`]: whether body and garment fit, and how
//!   the one is brought to the other.

mod error;
mod fitting;
mod from_behind;
mod inpainting;
mod joint_map;
mod looks;
mod matching;
mod robust;
mod same_character;
mod source;
#[cfg(test)]
mod tests;

pub use error::TransferError;
pub use fitting::{BodyFit, Misfit};
pub use inpainting::{Row, inpaint};
pub use joint_map::{JointMap, JointMapError, JointNames};
pub use matching::{MatchOptions, Matches, PointMatch, Sides, TransferTarget};
pub use robust::{TransferOptions, Transferred, transfer_weights};
pub use same_character::{NotTheSame, SameCharacter, VertexMatch, weights_of_same_character};
pub use source::{ClosestPoint, TransferSource};
