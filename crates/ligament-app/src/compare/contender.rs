//! The columns of a comparison: weights from a method, from another program, or the file's.

use std::path::Path;

use ligament::bind::{BindError, BindOptions, BindWarning};
use ligament::measure::{MeasureOptions, Report, SolidDistance, measure_in_body};
use ligament::skin::Skin;
use ligament::task::Task;
use ligament::transfer::{VertexMatch, weights_of_same_character};
use ligament::{Character, Weights};
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::method_spec::MethodSpec;

/// One way to bind the character, measured.
#[derive(Debug, Clone, Serialize)]
pub struct Contender {
    /// What its column is called.
    pub name: String,
    /// Where it is from.
    pub origin: Origin,
    /// What it is, in a few words.
    pub summary: String,
    /// How long binding took, where that is known.
    pub seconds: Option<f64>,
    /// Its stages.
    pub stages: Vec<StageTime>,
    /// What was guessed or is worth knowing.
    pub notes: Vec<String>,
    /// Vertices that it left without weight.
    pub unweighted: usize,
    /// Its weights, for the document's vertices.
    #[serde(skip)]
    pub weights: Weights,
    /// What was measured.
    pub report: Report,
}

/// Where weights are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Bound here.
    Method,
    /// Read from a file that another program wrote.
    OtherProgram,
    /// The file's own weights.
    File,
}

/// A stage of a bind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageTime {
    /// What was done.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
}

/// A method that gave no weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// The method.
    pub name: String,
    /// Why.
    pub why: String,
}

/// Weights of the same character from another file, read.
pub(super) struct Other {
    name: String,
    summary: String,
    seconds: Option<f64>,
    notes: Vec<String>,
    unweighted: usize,
    weights: Weights,
}

/// A file in which another program bound the same character.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OtherFile {
    /// What its column is called; the file's name if none.
    pub name: Option<String>,
    /// A file of any format.
    pub file: String,
}

/// Opens the other files, so that a wrong one is told before work begins.
pub(super) fn open_others(
    with: &[OtherFile],
    character: &Character,
    task: &Task<'_>,
) -> Result<Vec<Other>, AppError> {
    let mut others: Vec<Other> = Vec::new();
    for OtherFile { name, file } in with {
        let stem = Path::new(file)
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned());
        let name = name.clone().or(stem).unwrap_or_else(|| file.clone());
        if others.iter().any(|o| o.name == name) {
            return Err(AppError::SameName { name });
        }
        let asset = Asset::open(&AssetRequest::of(file), task)?;
        others.push(Other::of(name, file, &asset, character)?);
    }
    Ok(others)
}

impl Other {
    fn of(name: String, file: &str, asset: &Asset, character: &Character) -> Result<Self, AppError> {
        let same = weights_of_same_character(asset.character(), asset.weights()?, character);
        let same = same.map_err(|source| AppError::NotTheSame {
            input: file.to_owned(),
            source,
        })?;
        let mut notes = Vec::new();
        if same.matched == VertexMatch::Place {
            notes.push("its vertices are in another order and were found by their positions".to_owned());
        }
        if same.unweighted > 0 {
            notes.push(format!(
                "{} of {} vertices have no weight; they follow the topmost joint here",
                same.unweighted,
                character.mesh.positions.len()
            ));
        }
        // What tools/peers wrote into the file about itself.
        let about = &asset.gltf().document().json()["asset"]["extras"]["ligament_peer"];
        let said = about["program"].as_str().map(str::to_owned);
        Ok(Self {
            summary: said.unwrap_or_else(|| format!("read from {}", file_name(file))),
            seconds: about["seconds"].as_f64(),
            unweighted: same.unweighted,
            weights: same.weights,
            name,
            notes,
        })
    }
}

fn file_name(file: &str) -> String {
    Path::new(file)
        .file_name()
        .map_or_else(|| file.to_owned(), |n| n.to_string_lossy().into_owned())
}

/// Measures all contenders alike.
pub(super) struct Judge<'a> {
    pub skin: &'a Skin,
    pub reference: Option<&'a Weights>,
    pub body: &'a SolidDistance,
    pub options: &'a MeasureOptions,
    pub task: &'a Task<'a>,
}

impl Judge<'_> {
    /// Every column, in the order in which they were asked for, and the methods that failed.
    pub fn all(
        &self,
        methods: &[MethodSpec],
        options: &BindOptions,
        others: Vec<Other>,
    ) -> Result<(Vec<Contender>, Vec<Failed>), AppError> {
        let (mut contenders, mut failed) = (Vec::new(), Vec::new());
        for method in methods {
            match self.bind(method, options)? {
                Ok(contender) => contenders.push(contender),
                Err(failure) => failed.push(failure),
            }
        }
        for other in others {
            contenders.push(self.other(other)?);
        }
        if let Some(weights) = self.reference {
            contenders.push(self.file(weights)?);
        }
        Ok((contenders, failed))
    }

    /// Binds by a method and measures. A method that fails is a result too; only the user's
    /// cancelling ends everything.
    fn bind(
        &self,
        method: &MethodSpec,
        options: &BindOptions,
    ) -> Result<Result<Contender, Failed>, AppError> {
        let start = self.task.now();
        let bound = match method.method.bind(self.skin, options, self.task) {
            Ok(bound) => bound,
            Err(BindError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(error) => {
                return Ok(Err(Failed {
                    name: method.name.clone(),
                    why: error.to_string(),
                }));
            }
        };
        let seconds = self.task.now().saturating_sub(start).as_secs_f64();
        let report = self.measure(&bound.weights)?;
        Ok(Ok(Contender {
            name: method.name.clone(),
            origin: Origin::Method,
            summary: method.method.summary().to_owned(),
            seconds: Some(seconds),
            stages: bound
                .stages
                .iter()
                .map(|s| StageTime {
                    name: s.name.to_owned(),
                    seconds: s.time.as_secs_f64(),
                })
                .collect(),
            notes: bound.warnings.iter().map(BindWarning::to_string).collect(),
            unweighted: 0,
            weights: bound.weights,
            report,
        }))
    }

    /// Measures another program's weights.
    fn other(&self, other: Other) -> Result<Contender, AppError> {
        Ok(Contender {
            report: self.measure(&other.weights)?,
            name: other.name,
            origin: Origin::OtherProgram,
            summary: other.summary,
            seconds: other.seconds,
            stages: Vec::new(),
            notes: other.notes,
            unweighted: other.unweighted,
            weights: other.weights,
        })
    }

    /// Measures the file's own weights.
    fn file(&self, weights: &Weights) -> Result<Contender, AppError> {
        Ok(Contender {
            name: "file".to_owned(),
            origin: Origin::File,
            summary: "the weights that the file came with".to_owned(),
            seconds: None,
            stages: Vec::new(),
            notes: Vec::new(),
            unweighted: 0,
            report: self.measure(weights)?,
            weights: weights.clone(),
        })
    }

    fn measure(&self, weights: &Weights) -> Result<Report, AppError> {
        Ok(measure_in_body(
            self.skin.character(),
            weights,
            self.reference,
            Some(self.body),
            self.options,
            self.task,
        )?)
    }
}
