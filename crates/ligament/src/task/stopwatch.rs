//! Where the time of a piece of work went.

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::Task;

/// One stage of some work and how long it took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// What was done.
    pub name: &'static str,
    /// How long it took; written as milliseconds.
    #[serde(rename = "milliseconds", serialize_with = "as_milliseconds")]
    pub time: Duration,
}

fn as_milliseconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64() * 1e3)
}

/// Times stages that follow each other, by the clock of a task.
pub struct Stopwatch<'a> {
    task: &'a Task<'a>,
    since: Duration,
    stages: Vec<Stage>,
}

impl<'a> Stopwatch<'a> {
    pub(super) fn new(task: &'a Task<'a>) -> Self {
        Self {
            task,
            since: task.now(),
            stages: Vec::new(),
        }
    }

    /// The stage that ends here; the next one begins.
    pub fn lap(&mut self, name: &'static str) {
        let now = self.task.now();
        let time = now.saturating_sub(self.since);
        self.since = now;
        self.stages.push(Stage { name, time });
    }

    /// All stages, in order.
    pub fn stages(self) -> Vec<Stage> {
        self.stages
    }
}
