//! What every method of binding promises, asked of every method.
//!
//! One list of tests over one list of methods ([`methods::all`]); a method that joins the
//! registry is held to all of it. Every bind of this suite ends in [`validator::check_weights`].

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod absurd;
mod cancelling;
mod characters;
mod complete;
mod defects;
mod invariance;
mod methods;
mod symmetry;
mod threads;
mod transfer;
mod validator;
