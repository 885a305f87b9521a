//! A sparse Cholesky factor that follows changes of the diagonal, and solves only where that
//! is significant (the multifrontal method of Duff and Reid 1983 on a tree of separators).
//!
//! For systems A = C + D on surfaces where D is a diagonal and the rows of C sum to zero.
//! There A·1 = D, so that a right-hand side of at most ε·D changes no unknown by more than ε
//! (C has no positive entries beside its diagonal); and where there is no right-hand side,
//! unknowns are not larger than around. So what a solve may leave out without error worth
//! naming is known beforehand. (With a bi-Laplacian in C, which has positive entries, it is no
//! bound but a good guess.)

mod dissection;
mod factor;
mod solve;

pub use factor::UpdatableFactor;
pub use solve::{Block, BySupernode, Deferred, Entry};

#[cfg(test)]
mod tests;
