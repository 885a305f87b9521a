//! x
#![allow(missing_docs, reason = "tests")]
