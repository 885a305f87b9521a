//! Errors as exceptions of `ligament.errors`, which Python defines.

use ligament::bind::BindError;
use ligament_app::AppError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// An exception of the package's tree.
pub fn raised(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py
        .import("ligament.errors")
        .and_then(|errors| errors.getattr(class))
        .and_then(|class| class.call1((message,)));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(_) => PyRuntimeError::new_err(message.to_owned()),
    }
}

/// What was given is no character.
pub fn bad_input(py: Python<'_>, message: impl std::fmt::Display) -> PyErr {
    raised(py, "InputError", &message.to_string())
}

/// The exception that an error is.
pub fn of_error(py: Python<'_>, error: &AppError) -> PyErr {
    raised(py, class_of(error), &error.to_string())
}

fn class_of(error: &AppError) -> &'static str {
    match error {
        AppError::Cancelled(_) | AppError::Bind(BindError::Cancelled(_)) => "Cancelled",
        AppError::BadValue { .. }
        | AppError::UnknownMethod(_)
        | AppError::UnknownOption(_)
        | AppError::UnknownPreset { .. }
        | AppError::PreparedBefore { .. }
        | AppError::Deform(_)
        | AppError::BadChoice { .. }
        | AppError::NoVertexChosen { .. }
        | AppError::NoVertex { .. }
        | AppError::Step { .. }
        | AppError::WeightStep { .. }
        | AppError::Sample(_)
        | AppError::SameName { .. }
        | AppError::NothingToCompare
        | AppError::NoClip { .. } => "OptionError",
        AppError::Open { .. }
        | AppError::Folder { .. }
        | AppError::Read { .. }
        | AppError::Json { .. }
        | AppError::NotAPoint { .. }
        | AppError::NotAPair { .. }
        | AppError::Field { .. }
        | AppError::Binding { .. }
        | AppError::Prior { .. }
        | AppError::UnknownEnding { .. }
        | AppError::Folders { .. }
        | AppError::Write(_)
        | AppError::SaveGltf(_)
        | AppError::SaveUsd(_)
        | AppError::SameOutput { .. } => "FileError",
        _ => "InputError",
    }
}
