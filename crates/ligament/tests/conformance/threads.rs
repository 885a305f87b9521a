//! The same bytes at any number of threads.

use ligament::task::Task;

use crate::characters::made;
use crate::methods::{self, Request};

/// Runs on a pool of so many threads.
pub fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(run)
}

#[test]
fn the_number_of_threads_does_not_show() {
    for character in ["hand@500", "knight@2000"].map(made) {
        for method in methods::all() {
            let with = |threads: usize| {
                on_threads(threads, || {
                    method
                        .bind(&character, &Request::default(), &Task::unattended())
                        .unwrap()
                })
            };
            let one = with(1);
            for threads in [2, 5] {
                let many = with(threads);
                let label = || format!("{} on {}, {threads} threads", method.label(), character.name);
                assert!(one.weights == many.weights, "{}", label());
                assert_eq!(one.warnings, many.warnings, "{}", label());
            }
        }
    }
}
