//! Long work from Python: the interpreter runs on, Ctrl-C cancels, a callable sees how far it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ligament::task::{CancelToken, Task};
use ligament_app::AppError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::failure::{of_error, raised};

/// How often Python is asked whether to go on.
const LOOK: Duration = Duration::from_millis(20);

/// Who watches, and how many threads may work.
pub struct How {
    /// Called with a stage's name and how much of it is done; what it raises cancels the work.
    pub progress: Option<Py<PyAny>>,
    /// All cores if none.
    pub threads: Option<usize>,
}

impl How {
    /// From Python's arguments.
    pub fn new(py: Python<'_>, progress: Option<Py<PyAny>>, threads: Option<usize>) -> PyResult<Self> {
        if threads == Some(0) {
            return Err(raised(py, "OptionError", "threads are 1 or more; got 0"));
        }
        Ok(Self { progress, threads })
    }

    /// Does the work on a thread of its own, the interpreter unlocked, and waits for it.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Task<'_>) -> Result<T, AppError> + Send,
    ) -> PyResult<T> {
        let cancel = CancelToken::new();
        let seen: Mutex<Option<(&'static str, f32)>> = Mutex::new(None);
        let watcher = |stage: &'static str, fraction: f32| {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some((stage, fraction));
        };
        let latest = || seen.lock().unwrap_or_else(PoisonError::into_inner).take();
        let task = Task::new(cancel.clone(), &watcher);
        let threads = self.threads;
        let (result, stopped) = py.detach(|| {
            std::thread::scope(|scope| {
                let (done, ended) = channel::<()>();
                let worker = scope.spawn(move || {
                    let _done = done; // dropped at the end, also after a panic
                    catch_unwind(AssertUnwindSafe(|| in_pool(threads, || work(&task))))
                });
                let mut stopped: Option<PyErr> = None;
                loop {
                    let over = ended.recv_timeout(LOOK) != Err(RecvTimeoutError::Timeout);
                    if stopped.is_none()
                        && let Err(error) = self.look(latest())
                    {
                        cancel.cancel();
                        stopped = Some(error);
                    }
                    if over {
                        break (worker.join(), stopped);
                    }
                }
            })
        });
        if let Some(error) = stopped {
            return Err(error);
        }
        match result {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(error))) => Err(of_error(py, &error)),
            Ok(Err(_)) | Err(_) => Err(raised(
                py,
                "LigamentError",
                "the library met a fault of its own; please report it with the file",
            )),
        }
    }

    /// Lets Python handle signals and tells it how far the work is.
    fn look(&self, latest: Option<(&'static str, f32)>) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            if let (Some(progress), Some((stage, fraction))) = (&self.progress, latest) {
                progress.call1(py, (stage, fraction))?;
            }
            Ok(())
        })
    }
}

/// On the pool that everything shares, or on one of that many threads.
fn in_pool<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, AppError> + Send,
) -> Result<T, AppError> {
    match threads.map(|n| ThreadPoolBuilder::new().num_threads(n).build()) {
        Some(Ok(pool)) => pool.install(work),
        // Where threads cannot be started, those that are there do.
        None | Some(Err(_)) => work(),
    }
}
