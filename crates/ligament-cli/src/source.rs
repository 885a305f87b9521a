//! Inputs: a file of any format, with a skeleton, motion or weights from other files, or a
//! character made by code.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ligament::character::PartAttachment;
use ligament::rig::{apply_fit, find_fit};
use ligament::{Character, Skeleton, Weights};
use ligament_io::gltf::{GltfFile, build};
use ligament_io::import::{ImportWarning, Imported};
use ligament_io::open::{Opened, open, open_motion, open_skeleton};
use serde::Serialize;

use crate::console::Console;

/// What comes from other files than the input.
#[derive(clap::Args, Default)]
pub struct RigArgs {
    /// Take the skeleton from this file
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    /// Take clips from this file, by the names of its joints
    #[arg(long, value_name = "FILE")]
    motion: Option<PathBuf>,
    /// Bring a skeleton in other units, with another axis up or in another place to the mesh
    #[arg(long)]
    fit: bool,
}

impl RigArgs {
    /// The same as words of a command line.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        for (option, file) in [("--skeleton", &self.skeleton), ("--motion", &self.motion)] {
            if let Some(file) = file {
                words.extend([OsString::from(option), file.clone().into_os_string()]);
            }
        }
        if self.fit {
            words.push(OsString::from("--fit"));
        }
        words
    }
}

/// An opened input.
pub struct Source {
    pub gltf: GltfFile,
    /// The file behind it; `None` for a sample.
    pub path: Option<PathBuf>,
    /// What was found in files that are no glTF.
    pub import_warnings: Vec<ImportWarning>,
    /// For each vertex, its number in a source that is no glTF, where textures may have
    /// split it.
    source_vertices: Option<Vec<u32>>,
}

/// Everything that was found in the files, for programs.
#[derive(Serialize)]
#[serde(untagged)]
pub enum FileWarning<'a> {
    Gltf(&'a ligament_io::gltf::GltfWarning),
    Import(&'a ImportWarning),
}

impl std::fmt::Display for FileWarning<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gltf(warning) => write!(f, "{warning}"),
            Self::Import(warning) => write!(f, "{}", warning.message),
        }
    }
}

impl Source {
    /// Opens `sample:NAME` or a file, and what goes with it.
    pub fn open(input: &str, rig: &RigArgs, console: &Console) -> anyhow::Result<Self> {
        console.busy("reading", || Self::open_quietly(input, rig))
    }

    fn open_quietly(input: &str, rig: &RigArgs) -> anyhow::Result<Self> {
        let path = (!input.starts_with("sample:")).then(|| PathBuf::from(input));
        let opened = match &path {
            None => sample(input)?,
            Some(path) => open_file(path)?,
        };
        let mut warnings = Vec::new();
        let mut source_vertices = None;
        let gltf = match opened {
            Opened::Gltf(file) => Self::rig_gltf(*file, rig, &mut warnings)?,
            Opened::Imported(imported) => {
                let mut character = imported.character;
                warnings.extend(imported.warnings);
                rig_character(&mut character, rig, &mut warnings)?;
                let built = build(&character)?;
                source_vertices = Some(built.source_vertices);
                GltfFile::from_document(built.document, &character.name)?
            }
        };
        Ok(Self {
            gltf,
            path,
            import_warnings: warnings,
            source_vertices,
        })
    }

    /// A glTF document stays what it is; a skeleton and clips are added to it.
    fn rig_gltf(
        file: GltfFile,
        rig: &RigArgs,
        warnings: &mut Vec<ImportWarning>,
    ) -> anyhow::Result<GltfFile> {
        if rig.skeleton.is_none() && rig.motion.is_none() {
            return Ok(file);
        }
        if rig.skeleton.is_none() {
            bail!("--motion for a glTF file needs --skeleton too; its own clips are used as they are");
        }
        if file.character().skeleton.joints.iter().any(|j| j.in_skin) {
            bail!(
                "'{}' has a skeleton already; leave out --skeleton",
                file.character().name
            );
        }
        let mut character = file.character().clone();
        character.clips.clear();
        rig_character(&mut character, rig, warnings)?;
        Ok(file.with_skeleton(&character.skeleton, &character.clips)?)
    }

    /// The same input with another document for its character.
    pub fn with_gltf(self, gltf: GltfFile) -> Self {
        Self { gltf, ..self }
    }

    /// The same mesh on another skeleton, without weights and clips. A glTF file that has no
    /// skeleton stays what it is beside it; one that has is built anew from what was read.
    pub fn with_skeleton(mut self, skeleton: &Skeleton) -> anyhow::Result<Self> {
        let had_one = self.character().skeleton.joints.iter().any(|j| j.in_skin);
        if !had_one && self.source_vertices.is_none() {
            self.gltf = self.gltf.with_skeleton(skeleton, &[])?;
            return Ok(self);
        }
        let mut character = self.character().clone();
        character.skeleton = skeleton.clone();
        character.weights = None;
        character.clips.clear();
        for part in &mut character.mesh.parts {
            part.attachment = PartAttachment::Skin;
            part.joints = None;
        }
        let built = build(&character)?;
        self.gltf = GltfFile::from_document(built.document, &character.name)?;
        self.source_vertices = Some(match self.source_vertices {
            Some(before) => built
                .source_vertices
                .iter()
                .map(|&v| before[v as usize])
                .collect(),
            None => built.source_vertices,
        });
        Ok(self)
    }

    /// Fails if there is no joint that skin could follow. `name` is what the user calls the file.
    pub fn refuse_without_skeleton(&self, name: &str) -> anyhow::Result<()> {
        if self.character().skeleton.joints.iter().any(|j| j.in_skin) {
            return Ok(());
        }
        bail!(
            "{name} has no skeleton: no skin and no node that looks like a joint; name one with --skeleton FILE, or make one with 'ligament rig'"
        )
    }

    pub fn character(&self) -> &Character {
        self.gltf.character()
    }

    /// What was found in the input's files.
    pub fn warnings(&self) -> Vec<FileWarning<'_>> {
        let own = self.gltf.warnings().iter().map(FileWarning::Gltf);
        self.import_warnings
            .iter()
            .map(FileWarning::Import)
            .chain(own)
            .collect()
    }

    /// The weights that it came with.
    pub fn weights(&self) -> anyhow::Result<&Weights> {
        let name = &self.character().name;
        self.character()
            .weights
            .as_ref()
            .with_context(|| format!("'{name}' has no weights yet; bind it first: ligament bind"))
    }

    /// The character's first vertex that is a vertex of the source.
    pub fn vertex(&self, number: usize) -> Option<usize> {
        match &self.source_vertices {
            Some(sources) => sources.iter().position(|&v| v as usize == number),
            None => (number < self.character().mesh.positions.len()).then_some(number),
        }
    }

    /// How many vertices the source has.
    pub fn source_vertex_count(&self) -> usize {
        match &self.source_vertices {
            Some(sources) => sources.iter().max().map_or(0, |&v| v as usize + 1),
            None => self.character().mesh.positions.len(),
        }
    }

    /// Weights of the source's vertices, handed out to the character's.
    pub fn handed_out(&self, weights: &Weights) -> Weights {
        match &self.source_vertices {
            Some(sources) => weights.gathered(sources.iter().map(|&v| v as usize)),
            None => weights.clone(),
        }
    }

    /// Weights of the character's vertices, in the number and order of the source's.
    pub fn in_source_order(&self, weights: &Weights) -> Weights {
        let Some(sources) = &self.source_vertices else {
            return weights.clone();
        };
        let mut first = vec![0; self.source_vertex_count()];
        for (vertex, &source) in sources.iter().enumerate().rev() {
            first[source as usize] = vertex;
        }
        weights.gathered(first)
    }

    /// Where an output goes when none is named: beside the input, or here.
    pub fn default_output(&self, suffix: &str) -> PathBuf {
        let name = format!("{}_{suffix}", self.character().name.replace(['@', '/'], "-"));
        let folder = self
            .path
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(Path::new(""));
        folder.join(name)
    }
}

fn sample(input: &str) -> anyhow::Result<Opened> {
    let character = ligament::sample::make(input.trim_start_matches("sample:"))?;
    Ok(Opened::Imported(Box::new(Imported {
        character,
        warnings: Vec::new(),
    })))
}

fn open_file(path: &Path) -> anyhow::Result<Opened> {
    if path.is_dir() {
        bail!("this is a folder, not a file: {}", path.display());
    }
    open(path).with_context(|| format!("in {}", path.display()))
}

/// Takes skeleton and clips from other files, and tells whether they fit.
fn rig_character(
    character: &mut Character,
    rig: &RigArgs,
    warnings: &mut Vec<ImportWarning>,
) -> anyhow::Result<()> {
    if let Some(path) = &rig.skeleton {
        let read = open_skeleton(path, &character.mesh).with_context(|| format!("in {}", path.display()))?;
        character.skeleton = read.character.skeleton;
        character.clips = read.character.clips;
        character.weights = None; // they were for other joints
        warnings.extend(read.warnings);
    }
    if let Some(path) = &rig.motion {
        let (clips, found) =
            open_motion(path, &character.skeleton).with_context(|| format!("in {}", path.display()))?;
        character.clips = clips;
        warnings.extend(found);
    }
    let fit = find_fit(&character.mesh.positions, &character.skeleton);
    if rig.skeleton.is_some() && !fit.is_identity() {
        let what = if rig.fit {
            "it was brought to it"
        } else {
            "use --fit to bring it to the mesh"
        };
        warnings.push(ImportWarning {
            code: "skeleton_misfit",
            message: format!("{fit}; {what}"),
        });
        if rig.fit {
            apply_fit(&fit, &mut character.skeleton, &mut character.clips);
        }
    }
    Ok(())
}
