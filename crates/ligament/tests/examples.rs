//! Every example runs.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

#[path = "../examples/bind_arrays.rs"]
mod bind_arrays;
#[path = "../examples/edit_session.rs"]
mod edit_session;
#[path = "../examples/field_for_levels_of_detail.rs"]
mod field_for_levels_of_detail;
#[path = "../examples/live_falloff.rs"]
mod live_falloff;
#[path = "../examples/measure.rs"]
mod measure;

#[test]
fn bind_arrays_runs() {
    bind_arrays::main().unwrap();
}

#[test]
fn edit_session_runs() {
    edit_session::main().unwrap();
}

#[test]
fn field_for_levels_of_detail_runs() {
    field_for_levels_of_detail::main().unwrap();
}

#[test]
fn live_falloff_runs() {
    live_falloff::main().unwrap();
}

#[test]
fn measure_runs() {
    measure::main().unwrap();
}
