//! The FBX reader against a file written by hand and broken files.

#![allow(missing_docs, reason = "tests")]

mod by_hand;
mod hostile;
mod strip;
