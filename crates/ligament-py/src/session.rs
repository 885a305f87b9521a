//! A rig under edit, its weights following.

use std::sync::{Mutex, PoisonError};

use ligament::edit::Session as EditSession;
use ligament_app::asset::Asset as OpenAsset;
use ligament_app::edit::{finished, step};
use ligament_cli::Request;
use pyo3::prelude::*;
use serde_json::Value;

use crate::arrays::{WeightArrays, weight_arrays};
use crate::attended::How;
use crate::character::Asset;
use crate::failure::{of_error, raised};
use crate::verbs::parsed;

/// A session.
#[pyclass(frozen, module = "ligament._ligament")]
pub struct Session {
    asset: OpenAsset,
    session: Mutex<EditSession>,
}

impl Session {
    fn with<T>(&self, what: impl FnOnce(&mut EditSession) -> T) -> T {
        what(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Session {
    /// Binds and waits for edits.
    #[new]
    #[pyo3(signature = (asset, words, progress, threads))]
    fn new(
        py: Python<'_>,
        asset: &Asset,
        words: Vec<String>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let how = How::new(py, progress, threads)?;
        let Request::Edit(request) = parsed(py, words)? else {
            return Err(raised(py, "OptionError", "these are no options of edit"));
        };
        let asset = asset.inner.clone();
        let session = how.run(py, |task| {
            let options = request.session.options()?;
            asset.refuse_without_skeleton()?;
            Ok(EditSession::new(
                asset.character().as_ref().clone(),
                &options,
                task,
            )?)
        })?;
        Ok(Self {
            asset,
            session: Mutex::new(session),
        })
    }

    /// Carries out one command, as JSON, and says what it changed, as JSON.
    #[pyo3(signature = (command, progress, threads))]
    fn apply(
        &self,
        py: Python<'_>,
        command: &str,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<String> {
        let how = How::new(py, progress, threads)?;
        let value: Value = serde_json::from_str(command)
            .map_err(|e| raised(py, "OptionError", &format!("this is no command: {e}")))?;
        let done = how.run(py, |task| {
            self.with(|session| step(session, &self.asset, &value, task))
        })?;
        Ok(serde_json::to_string(&done).unwrap_or_default())
    }

    /// How many steps can be undone, and how many done again.
    fn history(&self) -> (usize, usize) {
        self.with(|session| (session.undo_count(), session.redo_count()))
    }

    /// The names of its joints now.
    fn joint_names(&self) -> Vec<String> {
        self.with(|session| session.skeleton().joints.iter().map(|j| j.name.clone()).collect())
    }

    /// Its weights now, a row for each vertex of the source.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<WeightArrays<'py>> {
        let weights = self.with(|session| session.weights());
        let weights = self.asset.in_source_order(&weights);
        weight_arrays(py, &weights, weights.max_influences(), |joint| joint.0)
    }

    /// The character as it is now.
    fn character(&self, py: Python<'_>) -> PyResult<Asset> {
        let (asset, weights) = self
            .with(|session| finished(self.asset.clone(), session))
            .map_err(|e| of_error(py, &e))?;
        Ok(Asset::holding(&asset, weights))
    }
}
