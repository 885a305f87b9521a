//! A character that is open: a file, a sample, or arrays.

use std::path::PathBuf;

use glam::DMat4;
use ligament::{Character, Weights};
use ligament_app::asset::{Asset as OpenAsset, AssetRequest};
use ligament_app::check::frames_of;
use ligament_app::convert::write;
use ligament_app::save::{JsonHolds, WeightFormat, wanted};
use ligament_cli::Request;
use ligament_io::import::FileWarning;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{WeightArrays, bytes, mesh, skeleton, vector_bytes, weight_arrays, weights};
use crate::attended::How;
use crate::failure::{bad_input, of_error};
use crate::motion::{self, FrameArrays, frame_arrays};
use crate::verbs::{Outcome, file_warnings, parsed, run};

/// A character.
#[pyclass(frozen, module = "ligament._ligament")]
pub struct Asset {
    pub inner: OpenAsset,
    /// Whether its weights are not in its document.
    pub unsaved: bool,
}

impl Asset {
    /// The same with new weights.
    pub fn holding(asset: &OpenAsset, weights: Weights) -> Self {
        Self {
            inner: asset.holding(weights),
            unsaved: true,
        }
    }

    /// Weights that are not in the document.
    pub fn new_weights(&self) -> Option<&Weights> {
        self.inner.character().weights.as_ref().filter(|_| self.unsaved)
    }
}

#[pymethods]
impl Asset {
    /// Opens a file or a sample.
    #[staticmethod]
    #[pyo3(signature = (input, scene, skeleton, motion, fit, up, unit, scale, progress, threads))]
    #[allow(
        clippy::too_many_arguments,
        reason = "Python calls it by position, from one place"
    )]
    fn open(
        py: Python<'_>,
        input: String,
        scene: Option<String>,
        skeleton: Option<PathBuf>,
        motion: Option<PathBuf>,
        fit: bool,
        up: Option<&str>,
        unit: Option<&str>,
        scale: Option<f64>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let request = AssetRequest {
            input,
            scene,
            skeleton,
            motion,
            fit,
            up: up.map(str::parse).transpose().map_err(|e| bad_input(py, e))?,
            unit: unit.map(str::parse).transpose().map_err(|e| bad_input(py, e))?,
            scale,
        };
        let how = How::new(py, progress, threads)?;
        let inner = how.run(py, |task| OpenAsset::open(&request, task))?;
        Ok(Self {
            inner,
            unsaved: false,
        })
    }

    /// A character of arrays. `rig` is joints, parents and names; `bound` is indices and weights; `clips` are names, times and
    /// matrices.
    #[staticmethod]
    #[pyo3(signature = (name, vertices, faces, parts, rig, bound, clips))]
    #[allow(
        clippy::type_complexity,
        clippy::too_many_arguments,
        reason = "Python calls it by position, from one place"
    )]
    fn from_arrays(
        py: Python<'_>,
        name: String,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        parts: Vec<(String, usize, usize)>,
        rig: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>, Option<Vec<String>>)>,
        bound: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        clips: Vec<(String, Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    ) -> PyResult<Self> {
        let mut character = Character {
            mesh: mesh(&name, vertices, faces, &parts)?,
            name: name.clone(),
            ..Character::default()
        };
        character.mesh.check().map_err(|e| bad_input(py, e))?;
        let mut order = Vec::new();
        if let Some((joints, parents, names)) = rig {
            (character.skeleton, order) = skeleton(&joints, &parents, names)?;
        }
        if let Some((indices, values)) = bound {
            let count = character.mesh.positions.len();
            character.weights = Some(weights(&indices, &values, count, &order)?);
        }
        for (clip, times, matrices) in clips {
            let clip = motion::clip(clip, &times, &matrices, &character.skeleton, &order)?;
            character.clips.push(clip);
        }
        if character.mesh.positions.is_empty() {
            return Err(bad_input(py, "a character has at least one vertex"));
        }
        let inner = OpenAsset::from_character(character, &name).map_err(|e| of_error(py, &e))?;
        Ok(Self {
            inner,
            unsaved: false,
        })
    }

    /// Its name.
    fn name(&self) -> String {
        self.inner.character().name.clone()
    }

    /// What was found in its files: codes and messages.
    fn warnings(&self) -> Vec<(String, String)> {
        let found: Vec<FileWarning> = self.inner.warnings();
        file_warnings(&found)
    }

    /// Where the source's vertices are, as bytes of 32-bit floats.
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        vector_bytes(py, self.inner.source_positions())
    }

    /// Its faces, vertices numbered as the source has them, as bytes of 32-bit integers.
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let corners: Vec<u32> = self
            .inner
            .character()
            .mesh
            .triangles
            .iter()
            .flatten()
            .map(|&v| self.inner.source_vertex(v))
            .collect();
        bytes(py, &corners, u32::to_le_bytes)
    }

    /// Parts: name, first vertex, vertices, of the document.
    fn parts(&self) -> Vec<(String, usize, usize)> {
        let parts = self.inner.character().mesh.parts.iter();
        parts
            .map(|p| (p.name.clone(), p.vertices.start, p.vertices.len()))
            .collect()
    }

    /// Joints: name, parent's index or -1, whether skin can follow it.
    fn joints(&self) -> Vec<(String, i64, bool)> {
        let joints = self.inner.character().skeleton.joints.iter();
        joints
            .map(|j| (j.name.clone(), j.parent.map_or(-1, |p| p.at() as i64), j.in_skin))
            .collect()
    }

    /// Matrices from joints to bind space, rows first, as bytes of 64-bit floats.
    fn joint_matrices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let joints = self.inner.character().skeleton.joints.iter();
        let numbers: Vec<f64> = joints
            .flat_map(|j| DMat4::from(j.bind_from_joint).transpose().to_cols_array())
            .collect();
        bytes(py, &numbers, f64::to_le_bytes)
    }

    /// Clips: name and length in seconds.
    fn clips(&self) -> Vec<(String, f32)> {
        let clips = self.inner.character().clips.iter();
        clips
            .map(|c| {
                let (start, end) = c.span_secs();
                (c.name.clone(), end - start)
            })
            .collect()
    }

    /// The frames that the words of a check measure in, numbered as its report numbers them.
    fn check_frames<'py>(&self, py: Python<'py>, words: Vec<String>) -> PyResult<Vec<FrameArrays<'py>>> {
        let Request::Check(request) = parsed(py, words)? else {
            return Err(bad_input(py, "frames are those of a check"));
        };
        let frames = frames_of(&self.inner, &request).map_err(|e| of_error(py, &e))?;
        let skeleton = &self.inner.character().skeleton;
        frames
            .into_iter()
            .map(|frame| frame_arrays(py, frame, skeleton))
            .collect()
    }

    /// Its weights, a row for each vertex of the source, if it has any.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Option<WeightArrays<'py>>> {
        let Some(weights) = &self.inner.character().weights else {
            return Ok(None);
        };
        let weights = self.inner.in_source_order(weights);
        weight_arrays(py, &weights, weights.max_influences(), |joint| joint.0).map(Some)
    }

    /// Writes it, as `convert` does; with weights that were found since it was opened.
    /// `options` are further words of `convert`.
    #[pyo3(signature = (output, store, options, progress, threads))]
    fn save(
        &self,
        py: Python<'_>,
        output: PathBuf,
        store: &str,
        options: Vec<String>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<String> {
        let how = How::new(py, progress, threads)?;
        let mut words = vec!["convert".to_owned(), "input".to_owned()];
        words.push(format!("--output={}", output.display()));
        words.extend(options);
        let request = parsed(py, words)?;
        let format: WeightFormat = serde_json::from_value(store.into())
            .map_err(|_| crate::failure::raised(py, "OptionError", "store is keep, f32, u8 or u16"))?;
        let changed = self.unsaved || format != WeightFormat::Keep;
        let own = self.inner.character().weights.as_ref();
        if changed
            && let Some(own) = own
            && let Request::Convert(request) = &request
            && request.weights.is_none()
        {
            how.run(py, |_| {
                wanted(&output, JsonHolds::Skeleton)?;
                self.inner.refuse_as_output(&output)?;
                let asset = self.inner.for_output(&output, &request.vrm)?;
                write(&asset, Some(own), format, request)
            })?;
            return Ok("{}".to_owned());
        }
        let done = how.run(py, |task| run(self, Vec::new(), request, task))?;
        Ok(done.report)
    }

    /// Does what the words of a command line ask for with this character, and others: a report as JSON, warnings with codes,
    /// characters that came out of it, a field, a picture (width, height, bytes), positions and normals.
    #[pyo3(signature = (words, others, progress, threads))]
    fn run(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        others: Vec<PyRef<'_, Self>>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Outcome> {
        let how = How::new(py, progress, threads)?;
        let request = parsed(py, words)?;
        let others: Vec<&OpenAsset> = others.iter().map(|other| &other.inner).collect();
        let done = how.run(py, |task| run(self, others, request, task))?;
        Ok(done.into())
    }
}
