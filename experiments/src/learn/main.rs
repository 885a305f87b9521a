//! Learns the tables that come with the library from characters whose artists gave the answers.
//!
//! `learn prior FOLDER… --out FILE.prior [--kept FOLDER] [--only NAMES.txt] [--skip NAMES.txt] [--rounds N]
//! [--rate R] [--ridge R] [--guises WORD,…] [--authors F] [--without FEATURE,…] [--no-validation]`: what artists do with the weights
//! that the recipes give; of a fraction of the authors, or without some features, to see what they are worth.
//!
//! `learn joints FOLDER… --out FILE [--kept FOLDER] [--only NAMES.txt]`: which joints artists give weight to.
//!
//! `learn bind-prior FOLDER… --out TABLE.csv [--kept FOLDER] [--skip NAMES.txt] [--keep F] [--calm F] [--guises told|guessed]`: binds every character
//! without a prior and with that of its fold, as the last validation left them.
//!
//! `--only` names a file with the characters that are learned from, one a line; `--skip` one with those that are not looked at.
//!
//! Everything is cross-validated by author, never by character. What is read from characters is kept between runs.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program for developers that tells what it does"
)]

mod boost;
mod corpus;
mod guise;
mod joints;
mod kept;
mod level_boost;
mod prior;
mod samples;

use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::guise::Guise;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().context("say what to learn: prior or joints")?;
    let mut folders = Vec::new();
    let (mut output, mut kept) = (None, None);
    let (mut only, mut validate) = (None, true);
    let mut skip: Vec<String> = Vec::new();
    let mut how = prior::HOW;
    let mut manner = prior::MANNER;
    let mut guises = Guise::ALL.to_vec();
    let mut authors = 1.0;
    let mut without: Vec<String> = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => output = arguments.next().map(PathBuf::from),
            "--kept" => kept = arguments.next().map(PathBuf::from),
            "--only" => only = arguments.next().map(PathBuf::from),
            "--skip" => {
                let path = arguments.next().context("--skip NAMES.txt")?;
                let names = std::fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
                skip.extend(names.lines().map(|name| name.trim().to_owned()));
            }
            "--guises" => {
                let list = arguments.next().context("--guises WORD,…")?;
                guises = list
                    .split(',')
                    .map(|word| Guise::named(word).with_context(|| format!("no guise is called '{word}'")))
                    .collect::<anyhow::Result<_>>()?;
            }
            "--no-validation" => validate = false,
            "--authors" => authors = arguments.next().context("--authors F")?.parse()?,
            "--without" => {
                let list = arguments.next().context("--without FEATURE,…")?;
                without.extend(list.split(',').map(str::to_owned));
            }
            "--keep" => manner.keep = arguments.next().context("--keep F")?.parse()?,
            "--calm" => manner.calm = arguments.next().context("--calm F")?.parse()?,
            "--rounds" => how.rounds = arguments.next().context("--rounds N")?.parse()?,
            "--rate" => how.rate = arguments.next().context("--rate R")?.parse()?,
            "--ridge" => how.ridge = arguments.next().context("--ridge R")?.parse()?,
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    let output = output.context("--out says where the table goes")?;
    let kept = kept.unwrap_or_else(|| ligament_testkit::target_dir().join("learn"));
    let names = match &only {
        Some(path) => std::fs::read_to_string(path)?,
        None => String::new(),
    };
    let names: Vec<&str> = names.lines().map(str::trim).collect();
    let skipped = |name: &str| skip.iter().any(|s| s == name);
    let shipped = |name: &str| only.is_none() || names.contains(&name);
    let text = match what.as_str() {
        "samples" => format!("{} characters\n", samples::all(&folders, &kept, &guises)?.len()),
        "prior" => {
            let lesson = prior::Lesson {
                folders: &folders,
                kept: &kept,
                how,
                manner,
                guises: &guises,
                skipped: &skipped,
                shipped: &shipped,
                validate,
                authors,
                without: &without,
            };
            prior::run(&lesson, &output)?
        }
        "joints" => joints::run(&folders, &kept, &output, &shipped)?,
        "bind-prior" => {
            let table = prior::bind(&folders, &kept, Some(manner), guises[0], &skipped)?;
            std::fs::write(&output, &table)?;
            String::new()
        }
        other => bail!("there is nothing called '{other}' to learn; it is: prior"),
    };
    print!("{text}");
    Ok(())
}
