//! Large sparse symmetric systems: a matrix, its Cholesky factorisation, many right-hand
//! sides.
//!
//! Weights by heat, contraction of a mesh and local edits all end here. A factorisation
//! has two steps so that the first can be shared: [`EliminationOrder`] looks only at which
//! entries exist, [`Cholesky`] at their values. [`UpdatableFactor`] follows a diagonal that
//! changes again and again here and there, and solves only where that is significant.
//!
//! Results do not depend on the number of threads: a [`Cholesky`] factorisation runs on one
//! thread, and right-hand sides are solved in blocks of a fixed size; a [`UpdatableFactor`] does
//! the same work in the same order along its tree, whoever does it.

mod cholesky;
mod multifrontal;
mod side_by_side;
mod symmetric;

#[cfg(feature = "research")]
pub use cholesky::Solutions;
pub use cholesky::{Cholesky, EliminationOrder, LinearError};
pub use multifrontal::{Block, BySupernode, Deferred, Entry, UpdatableFactor};
pub use side_by_side::BLOCK;
pub use symmetric::SymmetricMatrix;
