//! The columns of a comparison: weights from a method, from another program, or the file's.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use ligament::bind::{BindError, BindOptions, BindWarning};
use ligament::measure::{MeasureOptions, Report, SolidDistance, measure_in_body};
use ligament::transfer::{VertexMatch, weights_of_same_character};
use ligament::{Character, Weights};
use serde::Serialize;

use crate::console::Console;
use crate::method_spec::MethodSpec;
use crate::source::{RigArgs, Source};

/// One way to bind the character, measured.
#[derive(Serialize)]
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
    #[serde(skip)]
    pub weights: Weights,
    pub report: Report,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Bound here.
    Method,
    /// Read from a file that another program wrote.
    OtherProgram,
    /// The file's own weights.
    File,
}

#[derive(Serialize)]
pub struct StageTime {
    pub name: String,
    pub seconds: f64,
}

/// A method that gave no weights.
#[derive(Serialize)]
pub struct Failed {
    pub name: String,
    pub why: String,
}

/// Weights of the same character from another file.
pub struct Other {
    name: String,
    summary: String,
    seconds: Option<f64>,
    notes: Vec<String>,
    unweighted: usize,
    weights: Weights,
}

/// Opens the files of `--with`, so that a wrong one is told before work begins.
pub fn open_others(with: &[String], character: &Character, console: &Console) -> anyhow::Result<Vec<Other>> {
    let mut others: Vec<Other> = Vec::new();
    for argument in with {
        let (name, file) = match argument.split_once('=') {
            Some((name, file)) if !name.is_empty() && !Path::new(argument).exists() => {
                (Some(name.to_owned()), file)
            }
            _ => (None, argument.as_str()),
        };
        let source = Source::open(file, &RigArgs::default(), console)?;
        let stem = Path::new(file)
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned());
        let name = name.or(stem).unwrap_or_else(|| file.to_owned());
        if others.iter().any(|o| o.name == name) {
            bail!("two columns are called '{name}'; name one as in --with NAME={file}");
        }
        let same = weights_of_same_character(source.character(), source.weights()?, character)
            .with_context(|| format!("cannot compare with {file}"))?;
        let mut notes = Vec::new();
        if same.matched == VertexMatch::Place {
            notes.push("its vertices are in another order and were found by their places".to_owned());
        }
        if same.unweighted > 0 {
            notes.push(format!(
                "{} of {} vertices have no weight; they follow the topmost joint here",
                same.unweighted,
                character.mesh.positions.len()
            ));
        }
        // What tools/peers wrote into the file about itself.
        let about = &source.gltf.document().json()["asset"]["extras"]["ligament_peer"];
        let said = about["program"].as_str().map(str::to_owned);
        others.push(Other {
            summary: said.unwrap_or_else(|| format!("read from {}", file_name(file))),
            seconds: about["seconds"].as_f64(),
            unweighted: same.unweighted,
            weights: same.weights,
            name,
            notes,
        });
    }
    Ok(others)
}

fn file_name(file: &str) -> String {
    Path::new(file)
        .file_name()
        .map_or_else(|| file.to_owned(), |n| n.to_string_lossy().into_owned())
}

/// Measures all contenders alike.
pub struct Judge<'a> {
    pub character: &'a Character,
    pub reference: Option<&'a Weights>,
    pub body: &'a SolidDistance,
    pub options: &'a MeasureOptions,
    pub console: &'a Console,
}

impl Judge<'_> {
    /// Binds by a method and measures. A method that fails is a result too; only the user's
    /// cancelling ends everything.
    pub fn bind(
        &self,
        method: &MethodSpec,
        options: &BindOptions,
    ) -> anyhow::Result<Result<Contender, Failed>> {
        let start = Instant::now();
        let bound = match self
            .console
            .with_task(|task| method.method.bind_character(self.character, options, task))
        {
            Ok(bound) => bound,
            Err(BindError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(error) => {
                return Ok(Err(Failed {
                    name: method.name.clone(),
                    why: error.to_string(),
                }));
            }
        };
        let seconds = start.elapsed().as_secs_f64();
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
    pub fn other(&self, other: Other) -> anyhow::Result<Contender> {
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
    pub fn file(&self, weights: &Weights) -> anyhow::Result<Contender> {
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

    fn measure(&self, weights: &Weights) -> anyhow::Result<Report> {
        Ok(self.console.with_task(|task| {
            measure_in_body(
                self.character,
                weights,
                self.reference,
                Some(self.body),
                self.options,
                task,
            )
        })?)
    }
}
