//! Outputs: a whole character, or its weights or skeleton alone, by the name's ending.

use std::path::Path;

use anyhow::{Context, bail};
use ligament::{Character, Weights};
use ligament_io::atomic::write_file;
use ligament_io::gltf::{Document, WeightFormat};
use ligament_io::open::write_weights;
use ligament_io::{rignet, skeleton_json, usd};

use crate::source::Source;

/// What an output's name asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A glTF document.
    Gltf,
    /// A USD layer.
    Usd,
    /// A RigNet rig: joints, hierarchy, weights.
    Rignet,
    /// The skeleton alone, in this project's JSON.
    Skeleton,
    /// The weights alone.
    Weights,
}

/// What a file of this name would hold. A `.json` holds a skeleton when a file is
/// converted and weights when it was bound; `json` says which.
pub fn wanted(path: &Path, json: Wanted) -> anyhow::Result<Wanted> {
    let ending = path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    Ok(match ending.as_str() {
        "glb" | "gltf" | "vrm" => Wanted::Gltf,
        "usda" | "usdc" | "usd" => Wanted::Usd,
        "txt" => Wanted::Rignet,
        "json" => json,
        "xml" | "csv" | "npz" => Wanted::Weights,
        _ => bail!(
            "cannot write '.{ending}' files; use .glb, .gltf, .usda or .usdc for a character, .xml, .json, .csv, .npz or .txt for \
             weights: {}",
            path.display()
        ),
    })
}

/// Writes what the name asks for.
pub fn save(
    source: &Source,
    weights: Option<&Weights>,
    format: WeightFormat,
    path: &Path,
    json: Wanted,
) -> anyhow::Result<()> {
    let gltf = &source.gltf;
    let character = gltf.character();
    let whole = || Character {
        weights: weights.cloned(),
        ..character.clone()
    };
    let bytes = match wanted(path, json)? {
        Wanted::Gltf => {
            let document: Document = match weights {
                Some(weights) => gltf.with_weights(weights, format)?,
                None => gltf.document().clone(),
            };
            document.save(path)?;
            return Ok(());
        }
        Wanted::Usd => {
            usd::save(&whole(), path)?;
            return Ok(());
        }
        Wanted::Rignet => {
            let weights = weights.map(|w| source.in_source_order(w));
            rignet::write(&Character { weights, ..whole() }).into_bytes()
        }
        Wanted::Skeleton => skeleton_json::write(&character.skeleton).into_bytes(),
        Wanted::Weights => {
            let weights = weights.context("there are no weights to write; bind it first: ligament bind")?;
            write_weights(path, &source.in_source_order(weights), &character.skeleton)
                .context("weights cannot be written as such a file")?
        }
    };
    Ok(write_file(path, &bytes)?)
}
