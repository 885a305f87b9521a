//! Weights from a body to garments, or from a character to its other levels of detail.

mod apart;
mod picture;
mod request;
pub(crate) mod target;

use std::path::{Path, PathBuf};

use ligament::bind::DeformChoice;
use ligament::skin::Skin;
use ligament::task::Task;
use ligament::transfer::{JointNames, TransferSource, Transferred};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::bind_request::deform_choice;
use crate::save::{JsonHolds, output_of, wanted};
use crate::vertex_choice::chosen_vertices;
pub use request::{MissingJoints, TransferReport, TransferRequest, TransferredTarget};
pub use target::Worn;

/// A body that is open, and what of it is asked for.
pub(crate) struct Body {
    pub asset: Asset,
    pub surface: TransferSource,
    /// For each joint whether it holds weight.
    pub used: Vec<bool>,
    /// For each joint whether its weight is transferred.
    chosen: Vec<bool>,
    names: JointNames,
}

/// Opens a body and its targets, transfers weights, and writes the targets.
pub fn run(request: &TransferRequest, task: &Task<'_>) -> Result<TransferReport, AppError> {
    request.check()?;
    let body = Body::of(Asset::open(&request.asset, task)?, request)?;
    let mut targets = Vec::new();
    for target in open_targets(request, task) {
        let (asset, output) = target?;
        let as_given = |_: &Skin, _: &Transferred| Ok(None);
        targets.push(target::transfer(&body, asset, request, Some(output), as_given, task)?.report);
    }
    Ok(body.report(targets))
}

/// Transfers to targets that are open, and writes nothing.
pub fn run_on(
    body: Asset,
    targets: Vec<Asset>,
    request: &TransferRequest,
    task: &Task<'_>,
) -> Result<(Vec<Worn>, TransferReport), AppError> {
    request.check()?;
    let body = Body::of(body, request)?;
    let mut all = Vec::new();
    for asset in targets {
        let as_given = |_: &Skin, _: &Transferred| Ok(None);
        all.push(target::transfer(&body, asset, request, None, as_given, task)?);
    }
    let report = body.report(all.iter().map(|worn| worn.report.clone()).collect());
    Ok((all, report))
}

/// Opens each target when its turn comes, and says where it goes.
pub(crate) fn open_targets<'a>(
    request: &'a TransferRequest,
    task: &'a Task<'_>,
) -> impl Iterator<Item = Result<(Asset, PathBuf), AppError>> + 'a {
    let (outputs, failed) = match outputs(request) {
        Ok(outputs) => (outputs, None),
        Err(error) => (Vec::new(), Some(Err(error))),
    };
    let opened = request.targets.iter().zip(outputs).map(move |(input, output)| {
        let asset = Asset::open(&AssetRequest::of(input), task)?;
        let output = output_of(&asset, output.as_ref(), "transferred.glb", JsonHolds::Weights)?;
        Ok((asset, output))
    });
    failed.into_iter().chain(opened)
}

impl Body {
    pub fn of(asset: Asset, request: &TransferRequest) -> Result<Self, AppError> {
        let weights = asset.weights()?;
        let skeleton = &asset.character().skeleton;
        let used = DeformChoice::Used.resolve_stated(skeleton, Some(weights))?;
        let chosen = match deform_choice(&request.joints)? {
            DeformChoice::Guess => used.clone(),
            choice => choice.resolve_stated(skeleton, Some(weights))?,
        };
        let from = chosen_vertices(&asset, &request.from)?;
        let skin = Skin::new(asset.character().clone())?;
        let surface = TransferSource::of_body(&skin, weights, from.as_deref())?;
        Ok(Self {
            names: JointNames {
                pairs: match &request.map {
                    Some(path) => read_map(path)?,
                    None => Vec::new(),
                },
                strip: request.strip.clone(),
            },
            surface,
            used,
            chosen,
            asset,
        })
    }
}

impl Body {
    fn report(&self, targets: Vec<TransferredTarget>) -> TransferReport {
        TransferReport {
            input: self.asset.input().to_owned(),
            joints: self.used.iter().filter(|&&u| u).count(),
            file_warnings: self.asset.warnings(),
            targets,
        }
    }
}

/// Where each target goes: the output itself for one, files of their names in that folder for several.
fn outputs(request: &TransferRequest) -> Result<Vec<Option<PathBuf>>, AppError> {
    let Some(output) = &request.output else {
        return Ok(vec![None; request.targets.len()]);
    };
    if request.targets.len() == 1 && !output.is_dir() {
        wanted(output, JsonHolds::Weights)?;
        return Ok(vec![Some(output.clone())]);
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for target in &request.targets {
        let stem = match target.strip_prefix("sample:") {
            Some(sample) => sample.replace(['@', '/'], "-"),
            None => {
                let stem = Path::new(target).file_stem().unwrap_or_default();
                stem.to_string_lossy().into_owned()
            }
        };
        let file = output.join(format!("{stem}.glb"));
        if files.contains(&file) {
            return Err(AppError::SameOutput { path: file });
        }
        files.push(file);
    }
    std::fs::create_dir_all(output).map_err(|source| AppError::Folders {
        path: output.clone(),
        source,
    })?;
    Ok(files.into_iter().map(Some).collect())
}

/// A map of joints: a JSON object of the body's names and the garment's, or a line `BODY = GARMENT` each.
fn read_map(path: &Path) -> Result<Vec<(String, String)>, AppError> {
    let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
    if text.trim_start().starts_with('{') {
        let pairs: std::collections::BTreeMap<String, String> =
            serde_json::from_str(&text).map_err(|source| AppError::Json {
                path: path.to_owned(),
                wanted: "a map from names of joints to names of joints",
                source,
            })?;
        return Ok(pairs.into_iter().collect());
    }
    let mut pairs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parted = line.split_once('=').or_else(|| line.split_once(','));
        let (from, to) = parted.ok_or_else(|| AppError::NotAPair {
            path: path.to_owned(),
            line: number + 1,
        })?;
        pairs.push((from.trim().to_owned(), to.trim().to_owned()));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_an_object_or_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("map");
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        for text in [
            "{\"a\": \"b\", \"c d\": \"e\"}",
            "# joints\na = b\n\nc d = e\n",
            "a,b\nc d,e",
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(
                read_map(&file).unwrap(),
                [pair("a", "b"), pair("c d", "e")],
                "{text}"
            );
        }
        for text in ["{\"a\": 1}", "{", "a b", "\u{0}"] {
            std::fs::write(&file, text).unwrap();
            assert!(read_map(&file).is_err(), "{text}");
        }
    }
}
