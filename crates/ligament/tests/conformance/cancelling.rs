//! Work can be watched and stopped.

use std::sync::Mutex;

use ligament::bind::{BindError, BindResult};
use ligament::character::Character;
use ligament::task::{CancelToken, Cancelled, Task};

use crate::characters::made;
use crate::methods::{self, Method, Request};
use crate::threads::on_threads;

/// Reports that a bind may be stopped at; of more, some are left out.
const STOPS: usize = 10;

/// What a watched bind came to.
struct Watched {
    result: Result<BindResult, BindError>,
    /// All that was reported, in order.
    reports: Vec<(&'static str, f32)>,
}

/// Binds and asks it to stop at the report of this number; before the start for 0.
fn stopped_at(method: &Method, character: &Character, threads: usize, stop: usize) -> Watched {
    let token = CancelToken::new();
    let reports = Mutex::new(Vec::new());
    let watcher = |stage: &'static str, fraction: f32| {
        let mut reports = reports.lock().unwrap();
        reports.push((stage, fraction));
        if reports.len() == stop {
            token.cancel();
        }
    };
    if stop == 0 {
        token.cancel();
    }
    let task = Task::new(token.clone(), &watcher);
    let result = on_threads(threads, || method.bind(character, &Request::default(), &task));
    Watched {
        result,
        reports: reports.into_inner().unwrap(),
    }
}

#[test]
fn cancelling_works_before_the_start_and_at_every_report() {
    let character = made("tube@120");
    for threads in [1, 2] {
        for method in methods::all() {
            let label = method.label();
            let whole = stopped_at(&method, &character, threads, usize::MAX);
            let weights = whole.result.unwrap().weights;
            let reports = whole.reports.len();
            assert!(reports > 0, "{label} reports nothing");
            for stop in (0..=reports).step_by(reports.div_ceil(STOPS)) {
                let stopped = stopped_at(&method, &character, threads, stop);
                let after = stopped.reports.len().saturating_sub(stop);
                // Another thread may be past its check already.
                assert!(
                    after < threads,
                    "{label}: {after} reports after it was stopped at {stop}"
                );
                match stopped.result {
                    Err(error) => assert_eq!(error, BindError::Cancelled(Cancelled), "{label}"),
                    // After the last report there may be nothing left to stop.
                    Ok(bound) => {
                        assert!(
                            stop + threads > reports,
                            "{label}: stopped at {stop} of {reports} and went on"
                        );
                        assert!(bound.weights == weights, "{label}: half-finished weights");
                    }
                }
            }
        }
    }
}

/// While a stage is under way its progress never falls, however many threads report it.
#[test]
fn progress_never_falls() {
    let character = made("knight@2000");
    for method in methods::all() {
        let label = method.label();
        let watched = stopped_at(&method, &character, 5, usize::MAX);
        watched.result.unwrap();
        for (stage, fraction) in &watched.reports {
            assert!((0.0..=1.0).contains(fraction), "{label}: {stage} at {fraction}");
        }
        for pair in watched.reports.windows(2) {
            let [(before, from), (stage, to)] = pair else {
                continue;
            };
            assert!(
                before != stage || from <= to,
                "{label}: {stage} fell from {from} to {to}"
            );
        }
    }
}
