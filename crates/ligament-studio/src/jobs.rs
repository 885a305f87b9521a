//! Work that takes time, on a thread of its own, with progress and cancel.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ligament::task::{CancelToken, Cancelled, Task};
use ligament_app::AppError;

use crate::desk::{Desk, Event};
use crate::project::ProjectError;

/// Reports of one stage come at most so often.
const BETWEEN: Duration = Duration::from_millis(40);

/// What a job does with the desk when it is done.
pub type Finish = Box<dyn FnOnce(&mut Desk) + Send>;

/// Why a job came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A verb of the application failed.
    #[error(transparent)]
    App(#[from] AppError),
    /// A project cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A standard skeleton does not fit the body.
    #[error("the {template} skeleton was not fitted: {why}; choose the skeleton as it is found, and edit it")]
    NotFitted {
        /// Which.
        template: String,
        /// Why not.
        why: String,
    },
}

impl From<Cancelled> for JobError {
    fn from(cancelled: Cancelled) -> Self {
        Self::App(cancelled.into())
    }
}

/// A job that is under way.
pub struct Job {
    /// `open`, `bind`, `check`, `export`.
    pub kind: &'static str,
    /// Stops it.
    pub cancel: CancelToken,
    /// Who asked, and by which number.
    pub asked: Option<(u64, u32)>,
}

/// What jobs tell the desk.
pub enum JobEvent {
    /// How far it is.
    Progress {
        /// What it is at.
        stage: &'static str,
        /// How much of it is done.
        share: f32,
    },
    /// It is over.
    Done(Result<Finish, JobError>),
}

/// Starts work.
pub fn start(
    number: u32,
    desk: Sender<Event>,
    cancel: CancelToken,
    work: impl FnOnce(&Task<'_>) -> Result<Finish, JobError> + Send + 'static,
) {
    let run = move || {
        let last = Mutex::new(("", Duration::ZERO));
        let timer = Task::unattended();
        let progress = desk.clone();
        let watcher = |stage: &'static str, share: f32| {
            let now = timer.now();
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.0 == stage && share < 1.0 && now.saturating_sub(last.1) < BETWEEN {
                return;
            }
            *last = (stage, now);
            // A desk that is gone needs no reports.
            let _ = progress.send(Event::Job(number, JobEvent::Progress { stage, share }));
        };
        let result = work(&Task::new(cancel, &watcher));
        let _ = desk.send(Event::Job(number, JobEvent::Done(result)));
    };
    std::thread::spawn(run);
}
