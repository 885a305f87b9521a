//! An opened input: a file of any format, with a skeleton or motion from other files, or a
//! character made by code.
//!
//! Inside, every input is a glTF document. What was no glTF is built into one, where textures
//! may split vertices; an asset remembers which vertex of the source each of them is, and
//! everything that goes in (vertex sets) or out (weights, rows, reports) by the number of a
//! vertex counts the source's own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glam::{DAffine3, Vec3};
use ligament::bind::VertexSet;
use ligament::character::PartAttachment;
use ligament::rig::{apply_fit, find_fit};
use ligament::task::Task;
use ligament::{Character, Clip, JointIndex, Mesh, Skeleton, Weights};
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::{GltfFile, VrmMeta, build};
use ligament_io::import::{FileWarning, ImportWarning, Imported};
use ligament_io::open::{OpenError, Opened, open, open_motion, open_scene, open_skeleton};
use ligament_io::registry::format_of;
use ligament_render::Pictures;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::units::{LengthUnit, UpAxis, orient_and_scale, placing};

/// What to open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssetRequest {
    /// A file of any format, or `sample:NAME` for a character made by code.
    pub input: String,
    /// Of a glTF file with several scenes, take the one of this name or number.
    pub scene: Option<String>,
    /// Take the skeleton from this file.
    pub skeleton: Option<PathBuf>,
    /// Take clips from this file, by the names of its joints.
    pub motion: Option<PathBuf>,
    /// Bring a skeleton in other units, with another axis up or at another position to the mesh.
    pub fit: bool,
    /// Which way is up in a file that does not say.
    pub up: Option<UpAxis>,
    /// What a file that does not say counts lengths in.
    pub unit: Option<LengthUnit>,
    /// A factor on all lengths of a file that does not say what they are.
    pub scale: Option<f64>,
}

impl AssetRequest {
    /// An input alone.
    pub fn of(input: impl Into<String>) -> Self {
        Self {
            input: input.into(),
            ..Self::default()
        }
    }
}

impl AssetRequest {
    fn says_units(&self) -> bool {
        self.up.is_some() || self.unit.is_some() || self.scale.is_some()
    }

    /// Turns and scales what a file holds as was asked for.
    fn orient_and_scale(&self, character: &mut Character, path: Option<&Path>) -> Result<(), AppError> {
        if !self.says_units() {
            return Ok(());
        }
        // Whole characters come in formats that state their units and axes.
        let states = path.is_none_or(|p| format_of(p).is_ok_and(|f| f.holds_characters()));
        if states {
            return Err(AppError::StatesUnits {
                name: character.name.clone(),
            });
        }
        orient_and_scale(character, self.up.unwrap_or(UpAxis::Y), self.metres()?);
        Ok(())
    }

    /// What a length of the file is in metres, by what was asked for.
    fn metres(&self) -> Result<f64, AppError> {
        let scale = self.scale.unwrap_or(1.0);
        if !(scale.is_finite() && scale > 0.0) {
            return Err(AppError::bad_value("scale", "is a factor greater than 0", scale));
        }
        Ok(scale * self.unit.map_or(1.0, LengthUnit::metres))
    }

    /// From the space of a file that does not state its units and axes to the space inside, by what was asked for.
    pub(crate) fn placing(&self) -> Result<DAffine3, AppError> {
        Ok(placing(self.up.unwrap_or(UpAxis::Y), self.metres()?))
    }
}

/// An opened input.
#[derive(Clone)]
pub struct Asset {
    /// What the user calls it.
    input: String,
    gltf: GltfFile,
    /// The file behind it; `None` for a sample.
    path: Option<PathBuf>,
    /// All files that were read for it, which no output may replace.
    files: Vec<PathBuf>,
    /// What was found in files that are not the document.
    found: Vec<FileWarning>,
    /// The source's own vertices, where it is no glTF.
    source: Option<SourceVertices>,
    /// Its textures, decoded when first drawn.
    pictures: OnceLock<Pictures>,
}

/// The vertices of a source that was built into a document.
#[derive(Clone)]
struct SourceVertices {
    /// Where they are.
    positions: Vec<Vec3>,
    /// For each vertex of the document, the vertex of the source.
    of_vertex: Vec<u32>,
}

impl Asset {
    /// Opens `sample:NAME` or a file, and what goes with it.
    pub fn open(request: &AssetRequest, task: &Task<'_>) -> Result<Self, AppError> {
        task.step("reading", 0.0)?;
        let input = request.input.as_str();
        let path = (!input.starts_with("sample:")).then(|| PathBuf::from(input));
        let opened = match &path {
            None if request.scene.is_some() => return Err(in_file(Path::new(input))(OpenError::NoScenes)),
            None => sample(input)?,
            Some(path) => open_file(path, request.scene.as_deref())?,
        };
        let mut found = Vec::new();
        let mut source = None;
        let gltf = match opened {
            Opened::Gltf(file) if request.says_units() => {
                return Err(AppError::StatesUnits {
                    name: file.character().name.clone(),
                });
            }
            Opened::Gltf(file) => rigged_gltf(*file, request, &mut found)?,
            Opened::Imported(imported) => {
                let mut character = imported.character;
                request.orient_and_scale(&mut character, path.as_deref())?;
                found.extend(imported.warnings.into_iter().map(FileWarning::Import));
                take_rig(&mut character, request, &mut found)?;
                let built = build(&character)?;
                let gltf = GltfFile::from_document(built.document, &character.name)?;
                source = Some(SourceVertices {
                    positions: character.mesh.positions,
                    of_vertex: built.source_vertices,
                });
                gltf
            }
        };
        task.step("reading", 1.0)?;
        let files = [&path, &request.skeleton, &request.motion];
        Ok(Self {
            input: input.to_owned(),
            gltf,
            files: files.into_iter().flatten().cloned().collect(),
            path,
            found,
            source,
            pictures: OnceLock::new(),
        })
    }

    /// A character that a program made, as if it had been read from `input`.
    pub fn from_character(character: Character, input: &str) -> Result<Self, AppError> {
        let built = build(&character)?;
        Ok(Self {
            input: input.to_owned(),
            gltf: GltfFile::from_document(built.document, &character.name)?,
            path: None,
            files: Vec::new(),
            found: Vec::new(),
            source: Some(SourceVertices {
                positions: character.mesh.positions,
                of_vertex: built.source_vertices,
            }),
            pictures: OnceLock::new(),
        })
    }

    /// What the user calls it.
    pub fn input(&self) -> &str {
        &self.input
    }

    /// The document and the character in it.
    pub fn gltf(&self) -> &GltfFile {
        &self.gltf
    }

    /// The character, its vertices numbered as in the document.
    pub fn character(&self) -> &Arc<Character> {
        self.gltf.character()
    }

    /// The same input with another document for its character.
    pub fn with_gltf(self, gltf: GltfFile) -> Self {
        Self {
            gltf,
            pictures: OnceLock::new(),
            ..self
        }
    }

    /// The same input with further clips of its skeleton.
    pub fn with_clips(&self, clips: &[Clip]) -> Result<Self, AppError> {
        Ok(self.copied_with(self.gltf.with_clips(clips)?))
    }

    /// The same input as it is to be written to a file of this name: as VRM if it ends so.
    pub fn for_output(&self, output: &Path, meta: &VrmMeta) -> Result<Self, AppError> {
        let is_vrm = output
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("vrm"));
        Ok(if is_vrm {
            self.copied_with(self.gltf.with_vrm(meta)?)
        } else {
            self.clone()
        })
    }

    /// The same input with these clips instead of its own, in memory alone.
    pub fn playing(&self, clips: Vec<Clip>) -> Self {
        self.copied_with(self.gltf.playing(clips))
    }

    /// The same input with other weights of its character's vertices.
    pub fn holding(&self, weights: Weights) -> Self {
        self.copied_with(self.gltf.holding(weights))
    }

    fn copied_with(&self, gltf: GltfFile) -> Self {
        Self {
            input: self.input.clone(),
            gltf,
            path: self.path.clone(),
            files: self.files.clone(),
            found: self.found.clone(),
            source: self.source.clone(),
            pictures: self.pictures.clone(),
        }
    }

    /// The same input with its rig edited, and the weights as it numbers joints and vertices. `origins` tells of each joint
    /// which one of the file it was.
    pub fn with_edited_rig(
        &self,
        edited: &Character,
        origins: &[Option<JointIndex>],
    ) -> Result<(Self, Weights), AppError> {
        let (gltf, weights) = self.gltf.with_edited_rig(edited, origins)?;
        Ok((self.copied_with(gltf), weights))
    }

    /// The textures of its parts, decoded once.
    pub fn pictures(&self) -> &Pictures {
        self.pictures.get_or_init(|| Pictures::of(&self.character().mesh))
    }

    /// The same mesh on another skeleton, without weights and clips. A glTF file that has no
    /// skeleton stays what it is beside it; one that has is built anew from what was read.
    pub fn with_skeleton(mut self, skeleton: &Skeleton) -> Result<Self, AppError> {
        let had_one = self.has_skeleton();
        self.pictures = OnceLock::new();
        if !had_one && self.source.is_none() {
            self.gltf = self.gltf.with_skeleton(skeleton, &[])?;
            return Ok(self);
        }
        let mut character = self.character().as_ref().clone();
        character.mesh.blend_shapes = self.gltf.blend_shapes();
        character.skeleton = skeleton.clone();
        character.weights = None;
        character.clips.clear();
        for part in &mut character.mesh.parts {
            part.attachment = PartAttachment::Skin;
            part.joints = None;
        }
        let built = build(&character)?;
        self.gltf = GltfFile::from_document(built.document, &character.name)?;
        self.source = Some(match self.source {
            Some(before) => SourceVertices {
                of_vertex: built
                    .source_vertices
                    .iter()
                    .map(|&v| before.of_vertex[v as usize])
                    .collect(),
                ..before
            },
            None => SourceVertices {
                positions: character.mesh.positions,
                of_vertex: built.source_vertices,
            },
        });
        Ok(self)
    }

    /// Whether there is a joint that skin could follow.
    pub fn has_skeleton(&self) -> bool {
        self.character().skeleton.joints.iter().any(|j| j.in_skin)
    }

    /// Fails if there is no joint that skin could follow.
    pub fn refuse_without_skeleton(&self) -> Result<(), AppError> {
        if self.has_skeleton() {
            return Ok(());
        }
        Err(AppError::NoSkeleton {
            input: self.input.clone(),
        })
    }

    /// Fails if an output would replace a file that was read.
    pub fn refuse_as_output(&self, output: &Path) -> Result<(), AppError> {
        for file in &self.files {
            refuse_overwriting_input(file, output)?;
        }
        Ok(())
    }

    /// How many joints skin can follow.
    pub fn joint_count(&self) -> usize {
        self.character()
            .skeleton
            .joints
            .iter()
            .filter(|j| j.in_skin)
            .count()
    }

    /// Everything that was found in the input's files.
    pub fn warnings(&self) -> Vec<FileWarning> {
        let own = self.gltf.warnings().iter().cloned().map(FileWarning::Gltf);
        self.found.iter().cloned().chain(own).collect()
    }

    /// Textures that were drawn and could not be shown.
    pub fn undrawn(&self) -> Vec<FileWarning> {
        let left_out = self
            .pictures
            .get()
            .map(|p| p.left_out.as_slice())
            .unwrap_or_default();
        left_out
            .iter()
            .map(|(name, problem)| {
                FileWarning::Import(ImportWarning {
                    code: "texture_not_shown",
                    message: format!("the texture '{name}' cannot be shown: {problem}"),
                })
            })
            .collect()
    }

    /// The weights that it came with.
    pub fn weights(&self) -> Result<&Weights, AppError> {
        self.character()
            .weights
            .as_ref()
            .ok_or_else(|| AppError::NoWeights {
                name: self.character().name.clone(),
            })
    }

    /// Where the source's vertices are, in its number and order.
    pub fn source_positions(&self) -> &[Vec3] {
        match &self.source {
            Some(source) => &source.positions,
            None => &self.character().mesh.positions,
        }
    }

    /// The vertex of the source that a vertex of the character is.
    pub fn source_vertex(&self, vertex: u32) -> u32 {
        match &self.source {
            Some(source) => source.of_vertex.get(vertex as usize).copied().unwrap_or(vertex),
            None => vertex,
        }
    }

    /// The character's first vertex that is a vertex of the source.
    pub fn vertex(&self, source_vertex: u32) -> Result<usize, AppError> {
        let found = match &self.source {
            Some(source) => source.of_vertex.iter().position(|&v| v == source_vertex),
            None => Some(source_vertex as usize).filter(|&v| v < self.character().mesh.positions.len()),
        };
        found.ok_or_else(|| self.no_vertex(source_vertex))
    }

    pub(crate) fn no_vertex(&self, vertex: u32) -> AppError {
        AppError::NoVertex {
            vertex,
            last: self.source_positions().len().saturating_sub(1),
        }
    }

    /// A set that numbers the source's vertices, as one that numbers the character's.
    pub fn vertex_set(&self, set: &VertexSet) -> Result<VertexSet, AppError> {
        let VertexSet::Vertices(wanted) = set else {
            return Ok(set.clone());
        };
        let mut is_wanted = vec![false; self.source_positions().len()];
        for &vertex in wanted {
            match is_wanted.get_mut(vertex as usize) {
                Some(wanted) => *wanted = true,
                None => return Err(self.no_vertex(vertex)),
            }
        }
        let all = 0..self.character().mesh.positions.len() as u32;
        Ok(VertexSet::Vertices(
            all.filter(|&v| is_wanted[self.source_vertex(v) as usize])
                .collect(),
        ))
    }

    /// Vertices of the character as vertices of the source, ascending, each once.
    pub fn source_vertices(&self, vertices: &[u32]) -> Vec<u32> {
        let mut all: Vec<u32> = vertices.iter().map(|&v| self.source_vertex(v)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Weights of the source's vertices, handed out to the character's.
    pub fn handed_out(&self, weights: &Weights) -> Weights {
        match &self.source {
            Some(source) => weights.gathered(source.of_vertex.iter().map(|&v| v as usize)),
            None => weights.clone(),
        }
    }

    /// Weights of the character's vertices, in the number and order of the source's.
    pub fn in_source_order(&self, weights: &Weights) -> Weights {
        let Some(source) = &self.source else {
            return weights.clone();
        };
        let mut first = vec![0; source.positions.len()];
        for (vertex, &of_source) in source.of_vertex.iter().enumerate().rev() {
            first[of_source as usize] = vertex;
        }
        weights.gathered(first)
    }

    /// The character with the source's own vertices: those that a texture's seam split are
    /// one again, and its corners keep their coordinates.
    pub fn with_source_vertices(&self, character: Character) -> Character {
        let Some(source) = &self.source else {
            return character;
        };
        let vertices = character.mesh.positions.len();
        let joins = source.of_vertex.len() == vertices && source.positions.len() < vertices;
        if !joins {
            return character;
        }
        let mut first = vec![0usize; source.positions.len()];
        for (vertex, &of_source) in source.of_vertex.iter().enumerate().rev() {
            first[of_source as usize] = vertex;
        }
        let mut mesh = character.mesh;
        for part in &mut mesh.parts {
            let ends = [part.vertices.start, part.vertices.end.max(1) - 1];
            let [start, last] = ends.map(|v| source.of_vertex.get(v).map_or(0, |&v| v as usize));
            part.vertices = if part.vertices.is_empty() {
                start..start
            } else {
                start..last + 1
            };
        }
        // Copies of one vertex with normals of their own are at a hard edge.
        let corner_normals = mesh.normals.as_ref().and_then(|normals| {
            let of_first = |v: usize| normals[first[source.of_vertex[v] as usize]];
            let is_hard = (0..vertices).any(|v| normals[v] != of_first(v));
            let corners = || mesh.triangles.iter().map(|t| t.map(|v| normals[v as usize]));
            is_hard.then(|| corners().collect())
        });
        for corner in mesh.triangles.iter_mut().flatten() {
            *corner = source.of_vertex[*corner as usize];
        }
        let positions = first.iter().map(|&v| mesh.positions[v]).collect();
        Character {
            weights: character.weights.map(|w| w.gathered(first.iter().copied())),
            mesh: Mesh {
                positions,
                corner_normals,
                normals: mesh.normals.map(|n| first.iter().map(|&v| n[v]).collect()),
                colors: mesh.colors.map(|c| first.iter().map(|&v| c[v]).collect()),
                blend_shapes: mesh
                    .blend_shapes
                    .iter()
                    .map(|s| s.joined(&source.of_vertex))
                    .collect(),
                ..mesh
            },
            ..character
        }
    }

    /// Where an output goes when none is named: beside the input, or here.
    pub fn default_output(&self, suffix: &str) -> PathBuf {
        let name = format!("{}_{suffix}", self.file_stem());
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).join(name)
    }

    /// The character's name as part of a file's name.
    pub fn file_stem(&self) -> String {
        self.character().name.replace(['@', '/'], "-")
    }
}

fn sample(input: &str) -> Result<Opened, AppError> {
    let character = ligament::sample::make(input.trim_start_matches("sample:"))?;
    Ok(Opened::Imported(Box::new(Imported {
        character,
        warnings: Vec::new(),
    })))
}

fn open_file(path: &Path, scene: Option<&str>) -> Result<Opened, AppError> {
    if path.is_dir() {
        return Err(AppError::Folder {
            path: path.to_owned(),
        });
    }
    let opened = match scene {
        Some(scene) => open_scene(path, scene),
        None => open(path),
    };
    opened.map_err(in_file(path))
}

/// Adds the file to what went wrong in it.
pub(crate) fn in_file(path: &Path) -> impl Fn(OpenError) -> AppError {
    |source| AppError::Open {
        path: path.to_owned(),
        source,
    }
}

/// A glTF document stays what it is; a skeleton and clips are added to it.
fn rigged_gltf(
    file: GltfFile,
    request: &AssetRequest,
    found: &mut Vec<FileWarning>,
) -> Result<GltfFile, AppError> {
    match (&request.skeleton, &request.motion) {
        (None, None) => return Ok(file),
        (None, Some(_)) => return Err(AppError::MotionAlone),
        (Some(_), _) => {}
    }
    if file.character().skeleton.joints.iter().any(|j| j.in_skin) {
        return Err(AppError::HasSkeleton {
            name: file.character().name.clone(),
        });
    }
    let mut character = file.character().as_ref().clone();
    character.clips.clear();
    take_rig(&mut character, request, found)?;
    Ok(file.with_skeleton(&character.skeleton, &character.clips)?)
}

/// The code of the warning that a skeleton does not fit its mesh.
pub const SKELETON_MISFIT: &str = "skeleton_misfit";

/// Takes skeleton and clips from other files, and tells whether they fit.
pub(crate) fn take_rig(
    character: &mut Character,
    request: &AssetRequest,
    found: &mut Vec<FileWarning>,
) -> Result<(), AppError> {
    if let Some(path) = &request.skeleton {
        let read = open_skeleton(path, &character.mesh).map_err(in_file(path))?;
        character.skeleton = read.skeleton;
        character.clips = read.clips;
        character.weights = None; // they were for other joints
        found.extend(read.warnings);
    }
    if let Some(path) = &request.motion {
        let (clips, warnings) = open_motion(path, &character.skeleton).map_err(in_file(path))?;
        character.clips = clips;
        found.extend(warnings);
    }
    if request.skeleton.is_none() {
        return Ok(());
    }
    let fit = find_fit(&character.mesh.positions, &character.skeleton);
    if fit.is_identity() {
        return Ok(());
    }
    let what = if request.fit {
        "it was brought to it"
    } else {
        "ask for it to be fitted to bring it to the mesh"
    };
    found.push(FileWarning::Import(ImportWarning {
        code: SKELETON_MISFIT,
        message: format!("{fit}; {what}"),
    }));
    if request.fit {
        apply_fit(&fit, &mut character.skeleton, &mut character.clips);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_asked_of_gltf_files_alone() {
        let asked = AssetRequest {
            scene: Some("1".to_owned()),
            ..AssetRequest::of("sample:tube@200")
        };
        let Err(error) = Asset::open(&asked, &Task::unattended()) else {
            panic!("a sample has no scenes");
        };
        assert!(error.to_string().contains("scene"), "{error}");
        assert!(Asset::open(&AssetRequest::of("sample:tube@200"), &Task::unattended()).is_ok());
    }
}
