//! The experiments of the SkinCells paper, and ours: each writes its section of
//! `docs/lab/cells-experiments.md` and its pictures from what it measures.
//!
//! `cargo xtask cells-experiments` runs all, `cargo xtask cells-experiments NAME` one.
//! Most need nothing but samples; what needs the corpus says so where there is none.

#![allow(
    clippy::print_stderr,
    reason = "a program for developers that tells what it does"
)]

mod ablation;
mod beyond;
mod corpus;
mod document;
mod garment;
mod judge;
mod levels;
mod picture;
mod plot;
mod skirts;
mod softmax;
mod sparse;
mod speed;
mod surface;
mod tradeoff;

use anyhow::bail;

/// Measures something and returns the text of its section.
type Experiment = fn() -> anyhow::Result<String>;

const EXPERIMENTS: [(&str, &str, Experiment); 10] = [
    ("tradeoff", "Smoothness against control", tradeoff::run),
    (
        "ablation",
        "Falloff alone, sparse falloff, all of it",
        ablation::run,
    ),
    (
        "sparse",
        "Four influences: clamped, optimised per vertex, cells",
        sparse::run,
    ),
    (
        "skirts",
        "Proximity against cells on a skirt, and one skirt's field on another",
        skirts::run,
    ),
    ("garments", "With and without the collision term", garment::run),
    ("levels", "One fit, every level of detail", levels::run),
    ("softmax", "Softmax against the rational falloff", softmax::run),
    (
        "beyond",
        "Beyond the paper: detours, the start, the hold",
        beyond::run,
    ),
    ("speed", "Time and convergence", speed::run),
    ("corpus", "Every character of the corpus", corpus::run),
];

fn main() -> anyhow::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let names = EXPERIMENTS.map(|e| e.0);
    if let Some(unknown) = wanted.iter().find(|w| !names.contains(&w.as_str())) {
        bail!(
            "no experiment is called {unknown}; there are {}",
            names.join(", ")
        );
    }
    for (name, title, run) in EXPERIMENTS {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            eprintln!("── {name}: {title}");
            let text = run()?;
            document::write_section(name, &names, title, &text)?;
        }
    }
    Ok(())
}
