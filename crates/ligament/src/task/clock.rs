//! The only place of this crate that asks what time it is.
//!
//! Everything else asks its [`Task`](super::Task), so that a caller without such a clock (a browser) can bring
//! one of its own.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time since this was first asked.
#[allow(clippy::disallowed_methods, reason = "the clock of tasks that bring none")]
pub(super) fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
