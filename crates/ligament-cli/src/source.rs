//! Inputs: a file, or a character made by code.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ligament::{Character, Weights};
use ligament_io::gltf::{GltfFile, build};

/// An opened input.
pub struct Source {
    pub gltf: GltfFile,
    /// The file behind it; `None` for a sample.
    pub path: Option<PathBuf>,
}

impl Source {
    /// Opens `sample:NAME` or a file.
    pub fn open(input: &str) -> anyhow::Result<Self> {
        if let Some(spec) = input.strip_prefix("sample:") {
            let character = ligament::sample::make(spec)?;
            let document = build(&character)?;
            let gltf = GltfFile::from_document(document, &character.name)?;
            return Ok(Self { gltf, path: None });
        }
        let path = PathBuf::from(input);
        let extension = path
            .extension()
            .map(|e| e.to_string_lossy().to_ascii_lowercase())
            .unwrap_or_default();
        if path.is_dir() {
            bail!("this is a folder, not a file: {}", path.display());
        }
        if path.exists() && !matches!(extension.as_str(), "glb" | "gltf" | "vrm") {
            bail!(
                "files of type '.{extension}' are not read yet; convert to .glb: {}",
                path.display()
            );
        }
        let gltf = GltfFile::open(&path).with_context(|| format!("in {}", path.display()))?;
        Ok(Self {
            gltf,
            path: Some(path),
        })
    }

    pub fn character(&self) -> &Character {
        self.gltf.character()
    }

    /// The weights that it came with.
    pub fn weights(&self) -> anyhow::Result<&Weights> {
        let name = &self.character().name;
        self.character()
            .weights
            .as_ref()
            .with_context(|| format!("'{name}' has no weights yet; bind it first: ligament bind"))
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
