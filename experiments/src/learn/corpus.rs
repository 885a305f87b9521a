//! The characters that are learned from, and who made them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use ligament::Character;
use ligament::character::Weights;
use ligament::measure::against_reference;
use ligament::motion::{Frame, MotionChoice, frames};
use ligament_io::gltf::GltfFile;

/// Frames of clips in which deformation is measured, as `ligament bench` does.
const FRAMES: usize = 40;

/// A character with the weights that its artist made.
pub struct Learned {
    /// The file's name without its ending.
    pub name: String,
    /// Who made it: the first word of the name. Characters of one author are never on both sides of a split.
    pub author: String,
    /// Without weights, as a user has it.
    pub character: Character,
    /// What the artist made.
    pub truth: Weights,
    /// The poses to measure in.
    pub frames: Vec<Frame>,
}

/// The files of folders, sorted.
pub fn files(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "glb" || e == "vrm") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Who made it, by the name of its file.
pub fn author(name: &str) -> String {
    name.split('_').next().unwrap_or_default().to_owned()
}

impl Learned {
    /// Opens a character; fails where it has no weights.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let file = GltfFile::open(path)?;
        let mut character = Character::clone(file.character());
        let truth = character.weights.take().context("it has no weights")?;
        let frames = frames(&character, MotionChoice::Auto, FRAMES, &[]);
        Ok(Self {
            author: author(&name),
            name,
            character,
            truth,
            frames,
        })
    }

    /// Def: the root mean square distance of the posed skins, relative to the diagonal.
    pub fn def(&self, weights: &Weights) -> anyhow::Result<f64> {
        let found = against_reference(&self.character, weights, &self.truth, &self.frames)?;
        found.deformation_rms.context("there is no pose to measure in")
    }
}

/// Authors in `count` groups of about as many characters each.
pub fn folds(authors: &[String], count: usize) -> Vec<usize> {
    let mut sizes: Vec<(usize, &String)> = Vec::new();
    for author in authors {
        match sizes.iter_mut().find(|s| s.1 == author) {
            Some(size) => size.0 += 1,
            None => sizes.push((1, author)),
        }
    }
    sizes.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let mut filled = vec![0; count];
    let mut fold_of: Vec<(&String, usize)> = Vec::new();
    for (size, author) in sizes {
        let least = (0..count).min_by_key(|&f| (filled[f], f)).unwrap_or(0);
        filled[least] += size;
        fold_of.push((author, least));
    }
    authors
        .iter()
        .map(|a| fold_of.iter().find(|f| f.0 == a).map_or(0, |f| f.1))
        .collect()
}

/// The geometric mean.
pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len().max(1) as f64).exp()
}

/// The median.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
