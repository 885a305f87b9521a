//! Every character of the corpus (Fig. 13): who can bind it, the paper's loss over unseen poses, and how far the
//! skin is from the artist's.
//!
//! It takes long: what it finds is kept under the build folder, and with `CELLS_KEEP=1` in the environment a run goes
//! on where another was cut off. `CELLS_KEEP=only` measures nothing more and tells which characters were not reached.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ligament::Weights;
use ligament::bind::Method;
use ligament::bind::cells::FitOptions;
use ligament_io::gltf::{GltfFile, WeightFormat};
use ligament_testkit::{corpus_characters, python_with_scipy, score_program, target_dir};
use serde::{Deserialize, Serialize};

use super::judge::{INFLUENCES, Judge, Timed, median, short};

/// What is compared with, as far as the library has it.
const OTHERS: [&str; 3] = ["voxel", "heat", "biharmonic"];

/// What came of one method on one character.
#[derive(Serialize, Deserialize)]
struct Outcome {
    total: f64,
    seconds: f64,
    deformation: Option<f64>,
}

/// Where this experiment keeps its things.
fn folder() -> anyhow::Result<PathBuf> {
    let folder = target_dir().join("cells-experiments");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Whether nothing is measured that was not kept.
fn only_kept() -> bool {
    std::env::var_os("CELLS_KEEP").is_some_and(|v| v == "only")
}

/// Where the outcome of a method is kept.
fn kept_at(path: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(folder()?.join(format!("{stem}-{name}.outcome.json")))
}

/// What came of a method, measured or kept from a run that was cut off.
fn outcome(file: &GltfFile, path: &Path, judge: &Judge<'_>, name: &str) -> anyhow::Result<Outcome> {
    let kept = kept_at(path, name)?;
    if std::env::var_os("CELLS_KEEP").is_some()
        && let Ok(text) = std::fs::read_to_string(&kept)
    {
        return Ok(serde_json::from_str(&text)?);
    }
    if only_kept() {
        bail!("it was not reached");
    }
    let bound = if name == "cells" {
        let fitted = judge.fitted(&FitOptions::default())?;
        Timed {
            value: judge.weights_of(&fitted.value)?,
            seconds: fitted.seconds,
        }
    } else {
        judge.bound(name, INFLUENCES)?
    };
    let outcome = Outcome {
        total: judge.total(&bound.value)?,
        seconds: bound.seconds,
        deformation: deformation(file, path, &bound.value, name)?,
    };
    std::fs::write(&kept, serde_json::to_string(&outcome)?)?;
    Ok(outcome)
}

/// Def by the bench beside the corpus: RMS distance of the posed skins in percent of the diagonal.
fn deformation(file: &GltfFile, path: &Path, weights: &Weights, name: &str) -> anyhow::Result<Option<f64>> {
    let Some(program) = score_program() else {
        return Ok(None);
    };
    let folder = folder()?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let bound: PathBuf = folder.join(format!("{stem}-{name}.glb"));
    let result = folder.join(format!("{stem}-{name}.json"));
    file.with_weights(weights, WeightFormat::Keep)?.save(&bound)?;
    let scored = std::process::Command::new(python_with_scipy())
        .arg(program)
        .args([&bound, path])
        .arg("--json")
        .arg(&result)
        .output()?;
    std::fs::remove_file(&bound)?;
    if !scored.status.success() {
        eprintln!("{stem}: no score: {}", String::from_utf8_lossy(&scored.stderr));
        return Ok(None);
    }
    let text = std::fs::read_to_string(&result).with_context(|| format!("reading {}", result.display()))?;
    let scores: serde_json::Value = serde_json::from_str(&text)?;
    Ok(scores["rms"].as_f64().map(|rms| 100.0 * rms))
}

pub fn run() -> anyhow::Result<String> {
    let characters = corpus_characters();
    if characters.is_empty() {
        bail!("there is no corpus here; LIGAMENT_CORPUS says where one is");
    }
    let others: Vec<&str> = OTHERS
        .into_iter()
        .filter(|name| Method::named(name).is_ok())
        .collect();
    let mut names = others.clone();
    names.push("cells");
    let mut table = String::new();
    let mut found: Vec<Vec<Option<Outcome>>> = Vec::new();
    let mut unreached = Vec::new();
    for path in &characters {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // Cells come last.
        if only_kept() && !kept_at(path, "cells")?.exists() {
            unreached.push(format!("`{stem}`"));
            continue;
        }
        let file = GltfFile::open(path)?;
        let character = file.character();
        let judge = Judge::new(character)?;
        let mut row = Vec::new();
        for &name in &names {
            row.push(match outcome(&file, path, &judge, name) {
                Ok(outcome) => Some(outcome),
                Err(error) => {
                    eprintln!("{stem}: {name} failed: {error:#}");
                    None
                }
            });
        }
        write!(
            table,
            "| {stem} | {} | {} |",
            judge.domain.points.len(),
            judge.domain.joints.len()
        )?;
        for outcome in &row {
            match outcome {
                Some(o) => write!(
                    table,
                    " {} | {} |",
                    short(o.total),
                    o.deformation.map_or("–".to_owned(), |d| format!("{d:.3}"))
                )?,
                None => write!(table, " ✗ | ✗ |")?,
            }
        }
        let seconds = row.last().and_then(|o| o.as_ref()).map_or(0.0, |o| o.seconds);
        writeln!(table, " {seconds:.1} |")?;
        eprint!(
            "{}",
            table.lines().last().map(|l| format!("{l}\n")).unwrap_or_default()
        );
        found.push(row);
    }
    let cells = names.len() - 1;
    let mut text = format!(
        "{} characters at four influences, told which joints the artist used. Def is that of `bench/score.py` beside the corpus: \
         the RMS distance of the posed skin from the artist's, in percent of the diagonal. A character counts as bound when \
         every vertex has weights that sum to one.{}\n\n\
         | method | bound | cells' total, share of its total, median | cells lower on | cells' Def, share of its Def, median |\n|---|---|---|---|---|\n",
        found.len(),
        match unreached.as_slice() {
            [] => String::new(),
            some => format!(" Not reached: {}.", some.join(", ")),
        }
    );
    for (m, name) in names.iter().enumerate() {
        let bound = found.iter().filter(|row| row[m].is_some()).count();
        let pairs = || {
            found
                .iter()
                .filter_map(move |row| Some((row[m].as_ref()?, row[cells].as_ref()?)))
        };
        let totals: Vec<f64> = pairs().map(|(other, ours)| ours.total / other.total).collect();
        let lower = totals.iter().filter(|&&t| t < 1.0).count();
        let deformations: Vec<f64> = pairs()
            .filter_map(|(other, ours)| Some(ours.deformation? / other.deformation.filter(|d| *d > 0.0)?))
            .collect();
        let shown = |v: Option<f64>| v.map_or("–".to_owned(), |v| format!("{v:.3}"));
        if m == cells {
            writeln!(text, "| {name} | {bound} of {} | – | – | – |", found.len())?;
        } else {
            writeln!(
                text,
                "| {name} | {bound} of {} | {} | {lower} of {} | {} |",
                found.len(),
                shown(median(&totals)),
                totals.len(),
                shown(median(&deformations))
            )?;
        }
    }
    text.push_str("\n| character | positions | joints |");
    for name in &names {
        write!(text, " {name}, total | Def |")?;
    }
    text.push_str(" cells, s |\n|---|---|---|");
    text.push_str(&"---|---|".repeat(names.len()));
    text.push_str("---|\n");
    text.push_str(&table);
    Ok(text)
}
