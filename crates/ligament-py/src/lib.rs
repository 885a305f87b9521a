//! `ligament._ligament`: what Python's package `ligament` calls.
//!
//! Arrays come in through the buffer protocol and go out as bytes that NumPy looks at in place; options come as words of the
//! command line, so that both have one set of names, defaults and messages; reports go out as JSON. `python/ligament` gives
//! all of it a Python face.

mod arrays;
mod attended;
mod batch;
mod bind_arrays;
mod character;
mod command_line;
mod failure;
mod field;
mod motion;
mod session;
mod verbs;

use pyo3::prelude::*;

#[pymodule]
mod _ligament {
    #[pymodule_export]
    use super::batch::batch_key;
    #[pymodule_export]
    use super::batch::batch_output;
    #[pymodule_export]
    use super::batch::named_files;
    #[pymodule_export]
    use super::bind_arrays::Prepared;
    #[pymodule_export]
    use super::bind_arrays::bind_arrays;
    #[pymodule_export]
    use super::bind_arrays::prepare_arrays;
    #[pymodule_export]
    use super::character::Asset;
    #[pymodule_export]
    use super::command_line::main;
    #[pymodule_export]
    use super::command_line::options;
    #[pymodule_export]
    use super::command_line::samples;
    #[pymodule_export]
    use super::field::Field;
    #[pymodule_export]
    use super::session::Session;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
