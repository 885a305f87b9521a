//! Fields of cells, fitted once and evaluated anywhere.

pub mod evaluate;
pub mod fit;
pub mod info;

use std::path::Path;

use ligament::bind::cells::CellField;
use ligament_io::cells;

use crate::AppError;

/// Reads a field.
pub fn open_field(path: &Path) -> Result<CellField, AppError> {
    let bytes = std::fs::read(path).map_err(|e| AppError::read(path, e))?;
    cells::read(&bytes).map_err(|source| AppError::Field {
        path: path.to_owned(),
        source,
    })
}
