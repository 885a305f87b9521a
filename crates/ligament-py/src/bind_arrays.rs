//! Arrays in, arrays out: a mesh and a skeleton that are no file.

use std::sync::{Arc, Mutex, PoisonError};

use ligament::bind::{BindOptions, BindResult, Prepared as PreparedBinding};
use ligament::task::{Stage, Task};
use ligament::{Character, JointIndex};
use ligament_app::AppError;
use ligament_app::bind::{BindRequest, evaluate, prepare};
use ligament_app::bind_request::ALL_INFLUENCES;
use ligament_cli::Request;
use pyo3::prelude::*;

use crate::arrays::{WeightArrays, mesh, skeleton, weight_arrays};
use crate::attended::How;
use crate::failure::raised;
use crate::verbs::{bind_warnings, parsed};

/// What a bind gives back: arrays, warnings with their codes, and where the time went, as JSON.
type Given<'py> = (WeightArrays<'py>, Vec<(String, String)>, String);

/// Binds arrays at once.
#[pyfunction]
#[pyo3(signature = (vertices, faces, joints, parents, names, words, progress, threads))]
#[allow(
    clippy::too_many_arguments,
    reason = "Python calls it by position, from one place"
)]
pub fn bind_arrays<'py>(
    py: Python<'py>,
    vertices: &Bound<'py, PyAny>,
    faces: &Bound<'py, PyAny>,
    joints: &Bound<'py, PyAny>,
    parents: &Bound<'py, PyAny>,
    names: Option<Vec<String>>,
    words: Vec<String>,
    progress: Option<Py<PyAny>>,
    threads: Option<usize>,
) -> PyResult<Given<'py>> {
    let how = How::new(py, progress, threads)?;
    let given = Arrays::of(py, vertices, faces, joints, parents, names, words)?;
    let result = how.run(py, |task| {
        let start = task.now();
        let (prepared, options) = given.prepared(task)?;
        let mut result = evaluate(&prepared, &given.request, &options, task)?;
        let mut stages = prepared.stages().to_vec();
        stages.append(&mut result.stages);
        stages.push(Stage {
            name: "total",
            time: task.now().saturating_sub(start),
        });
        result.stages = stages;
        Ok(result)
    })?;
    given.arrays(py, &result)
}

/// Does the slow half and keeps it.
#[pyfunction]
#[pyo3(signature = (vertices, faces, joints, parents, names, words, progress, threads))]
#[allow(
    clippy::too_many_arguments,
    reason = "Python calls it by position, from one place"
)]
pub fn prepare_arrays(
    py: Python<'_>,
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    joints: &Bound<'_, PyAny>,
    parents: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    words: Vec<String>,
    progress: Option<Py<PyAny>>,
    threads: Option<usize>,
) -> PyResult<Prepared> {
    let how = How::new(py, progress, threads)?;
    let given = Arrays::of(py, vertices, faces, joints, parents, names, words)?;
    let (prepared, options) = how.run(py, |task| given.prepared(task))?;
    Ok(Prepared {
        given,
        options,
        prepared: Mutex::new(prepared),
    })
}

/// A character of arrays, and what is asked for.
struct Arrays {
    character: Arc<Character>,
    /// For each joint of the skeleton its number in the caller's arrays.
    number: Vec<u16>,
    request: BindRequest,
}

impl Arrays {
    fn of(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        joints: &Bound<'_, PyAny>,
        parents: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        words: Vec<String>,
    ) -> PyResult<Self> {
        let Request::Bind(request) = parsed(py, words)? else {
            return Err(raised(py, "OptionError", "these are no options of bind"));
        };
        request
            .chosen_method()
            .map_err(|e| crate::failure::of_error(py, &e))?;
        let (skeleton, order) = skeleton(joints, parents, names)?;
        let mut number = vec![0; order.len()];
        for (own, joint) in order.iter().enumerate() {
            number[joint.at()] = own as u16;
        }
        let character = Character {
            name: "arrays".to_owned(),
            mesh: mesh("arrays", vertices, faces, &[])?,
            skeleton,
            ..Character::default()
        };
        Ok(Self {
            character: Arc::new(character),
            number,
            request: *request,
        })
    }

    fn prepared(&self, task: &Task<'_>) -> Result<(PreparedBinding, BindOptions), AppError> {
        let method = self.request.chosen_method()?;
        let options = self
            .request
            .bind_options_by(&self.character, |set| Ok(set.clone()))?;
        let (prepared, _) = prepare(&self.character, &self.request, &method, &options, task)?;
        Ok((prepared, options))
    }

    fn arrays<'py>(&self, py: Python<'py>, result: &BindResult) -> PyResult<Given<'py>> {
        let width = match self.request.influences {
            ALL_INFLUENCES => result.weights.max_influences(),
            k => k,
        };
        let number = |joint: JointIndex| self.number[joint.at()];
        Ok((
            weight_arrays(py, &result.weights, width, number)?,
            bind_warnings(&result.warnings),
            serde_json::to_string(&result.stages).unwrap_or_default(),
        ))
    }
}

/// A binding that was prepared, for new weights at slider speed.
#[pyclass(frozen, module = "ligament._ligament")]
pub struct Prepared {
    given: Arrays,
    options: BindOptions,
    prepared: Mutex<PreparedBinding>,
}

#[pymethods]
impl Prepared {
    /// Weights with this falloff, or with the one that was prepared with.
    #[pyo3(signature = (falloff, progress, threads))]
    fn weights<'py>(
        &self,
        py: Python<'py>,
        falloff: Option<f64>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Given<'py>> {
        let how = How::new(py, progress, threads)?;
        let own = self.given.request.options.falloff;
        let result = how.run(py, |task| {
            let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
            if falloff.is_some() || prepared.voxels().is_some() {
                prepared.set_falloff(falloff.or(own))?;
            }
            evaluate(&prepared, &self.given.request, &self.options, task)
        })?;
        self.given.arrays(py, &result)
    }
}
