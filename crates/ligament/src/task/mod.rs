//! Progress and cancelling for work that takes time.
//!
//! A long function takes a [`Task`] and calls [`Task::step`] at least every 100 ms of
//! work: that reports how far it is and returns [`Cancelled`] once the caller asked to
//! stop. A task that nobody watches costs an atomic load per step.

mod clock;
mod stopwatch;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use stopwatch::{Stage, Stopwatch};

/// The caller asked the work to stop. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A flag shared between who works and who may stop it. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop. It does so at its next step.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`CancelToken::cancel`] was called on this token or a clone of it.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One report: the stage under way and the fraction of it that is done, in `0.0..=1.0`. Reports
/// come one at a time, and while a stage is under way its fraction never falls.
pub type Watcher<'a> = dyn Fn(&'static str, f32) + Sync + 'a;

/// The time since any fixed moment.
pub type Clock<'a> = dyn Fn() -> Duration + Sync + 'a;

/// What a long function needs to know about who called it.
#[derive(Default)]
pub struct Task<'a> {
    cancel: CancelToken,
    watcher: Option<&'a Watcher<'a>>,
    clock: Option<&'a Clock<'a>>,
    /// What was reported last.
    last: Mutex<(&'static str, f32)>,
}

impl<'a> Task<'a> {
    /// A task that reports to nobody and is never cancelled.
    pub fn unattended() -> Self {
        Self::default()
    }

    /// A task that reports to `watcher` and stops when `cancel` says so.
    pub fn new(cancel: CancelToken, watcher: &'a Watcher<'a>) -> Self {
        Self {
            cancel,
            watcher: Some(watcher),
            clock: None,
            last: Mutex::default(),
        }
    }

    /// The same task with a clock of the caller's; without one it is the system's.
    pub fn with_clock(self, clock: &'a Clock<'a>) -> Self {
        Self {
            clock: Some(clock),
            ..self
        }
    }

    /// The time since some fixed moment.
    pub fn now(&self) -> Duration {
        self.clock.map_or_else(clock::since_start, |clock| clock())
    }

    /// Starts to time stages of this task.
    pub fn stopwatch(&self) -> Stopwatch<'_> {
        Stopwatch::new(self)
    }

    /// Fails if the work shall stop; reports nothing.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.cancel.is_cancelled() {
            return Err(Cancelled);
        }
        Ok(())
    }

    /// Reports that `fraction` of `stage` is done, and fails if the work shall stop.
    /// May be called from several threads at once.
    pub fn step(&self, stage: &'static str, fraction: f32) -> Result<(), Cancelled> {
        self.check()?;
        if let Some(watch) = self.watcher {
            // Threads that share a stage count in order and report out of order.
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let before = if last.0 == stage { last.1 } else { 0.0 };
            *last = (stage, fraction.clamp(0.0, 1.0).max(before));
            watch(last.0, last.1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn stages_are_timed_by_the_clock_that_the_caller_brings() {
        let ticks = AtomicU64::new(0);
        let clock = || Duration::from_millis(ticks.fetch_add(5, Ordering::Relaxed));
        let task = Task::unattended().with_clock(&clock);
        let mut watch = task.stopwatch();
        watch.lap("first");
        watch.lap("second");
        let five = Duration::from_millis(5);
        let expected = ["first", "second"].map(|name| Stage { name, time: five });
        assert_eq!(watch.stages(), expected);
    }

    #[test]
    fn the_own_clock_goes_forward() {
        let task = Task::unattended();
        let before = task.now();
        assert!(task.now() >= before);
    }
}
