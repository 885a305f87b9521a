//! What a batch on many machines must know of an asset before it is done, for Python.

use std::path::{Path, PathBuf};

use ligament_app::batch::{Item, Verb, key_of, output_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn verb(name: &str) -> PyResult<&'static Verb> {
    Verb::named(name).ok_or_else(|| {
        PyValueError::new_err(format!("a batch cannot do '{name}'; it can do {}", Verb::names()))
    })
}

/// Where the output of an input goes, by its path below the batch's root.
#[pyfunction]
pub fn batch_output(relative: PathBuf, verb_name: &str, to: Option<&str>) -> PyResult<PathBuf> {
    Ok(output_of(&relative, verb(verb_name)?, to))
}

/// What the output depends on, as a hash: the bytes of the input and of what it names, the verb, its arguments, and the version.
#[pyfunction]
pub fn batch_key(
    py: Python<'_>,
    input: String,
    output: PathBuf,
    verb_name: &str,
    arguments: Vec<String>,
) -> PyResult<String> {
    let verb = verb(verb_name)?;
    let item = Item {
        input,
        output,
        arguments,
        bytes: 0,
    };
    Ok(py.detach(|| key_of(&item, verb.name, &[], env!("CARGO_PKG_VERSION"))))
}

/// The files beside a model that it names: buffers, textures, materials.
#[pyfunction]
pub fn named_files(model: PathBuf) -> Vec<String> {
    ligament_io::companion::named_files(Path::new(&model))
}
