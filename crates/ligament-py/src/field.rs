//! A field of weights, evaluated anywhere.

use std::path::PathBuf;

use ligament::JointIndex;
use ligament::bind::cells::{CellField, Evaluator};
use ligament_app::field::info::info;
use ligament_app::field::open_field;
use ligament_io::atomic::write_file;
use ligament_io::cells;
use pyo3::prelude::*;

use crate::arrays::{WeightArrays, positions, weight_arrays};
use crate::attended::How;
use crate::failure::of_error;

/// A field of cells.
#[pyclass(frozen, module = "ligament._ligament")]
pub struct Field {
    pub field: CellField,
}

#[pymethods]
impl Field {
    /// Reads a `.cells` file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let field = open_field(&path).map_err(|e| of_error(py, &e))?;
        Ok(Self { field })
    }

    /// Writes a `.cells` file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write_file(&path, &cells::write(&self.field)).map_err(|e| of_error(py, &e.into()))
    }

    /// What is in it, as JSON.
    fn info(&self) -> String {
        serde_json::to_string(&info(&self.field)).unwrap_or_default()
    }

    /// Weights at points; joints are numbered as the field's own names.
    #[pyo3(signature = (points, progress, threads))]
    fn weights_at<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<WeightArrays<'py>> {
        let how = How::new(py, progress, threads)?;
        let points = positions(points)?;
        let joints: Vec<Option<JointIndex>> = (0..self.field.cells.len() as u16)
            .map(|c| Some(JointIndex(c)))
            .collect();
        let weights = how.run(py, |task| {
            Ok(Evaluator::new(&self.field).weights_at(&points, &joints, |_| None, task)?)
        })?;
        weight_arrays(py, &weights, self.field.influences, |joint| joint.0)
    }
}
