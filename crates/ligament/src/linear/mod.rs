//! Large sparse symmetric systems: a matrix, its Cholesky factorisation, many right-hand
//! sides.
//!
//! Weights by heat, contraction of a mesh and local edits all end here. A factorisation
//! has two steps so that the first can be shared: [`EliminationOrder`] looks only at which
//! entries exist, [`Cholesky`] at their values.
//!
//! Results do not depend on the number of threads: one factorisation runs on one thread,
//! and right-hand sides are solved in blocks of a fixed size.

mod cholesky;
mod symmetric;

pub use cholesky::{BLOCK, Cholesky, EliminationOrder, LinearError};
pub use symmetric::SymmetricMatrix;
