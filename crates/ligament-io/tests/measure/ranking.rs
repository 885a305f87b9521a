//! The artist's weights rank above corruptions of them.

use std::fmt::Write;

use ligament::bind::{BindOptions, method};
use ligament::character::{Character, Weights};
use ligament::inspect::weight_distance;
use ligament::measure::{Measure, MeasureOptions, Report, Verdict, measure};
use ligament::task::Task;
use ligament_io::gltf::GltfFile;
use ligament_testkit::corpus_characters;

use crate::corruptions::Corruption;

/// A corruption that changes less weight than this on average changed nothing to speak of.
const LEAST_CHANGE: f64 = 2e-3;
/// A measure found a corruption if it grew by this factor.
const FOUND: f64 = 1.1;

fn report(character: &Character, weights: &Weights) -> Report {
    let options = MeasureOptions {
        penetration_frames: 2,
        ..MeasureOptions::default()
    };
    measure(character, weights, None, &options, &Task::unattended()).unwrap()
}

fn value(report: &Report, measure: Measure) -> f64 {
    report.finding(measure).map_or(0.0, |f| f.value)
}

/// The mean change over vertices of skin.
fn change(character: &Character, a: &Weights, b: &Weights) -> f64 {
    let carried = character.mesh.rigid_joint_of_vertices();
    let skin: Vec<usize> = (0..carried.len()).filter(|&v| carried[v].is_none()).collect();
    let sum: f64 = skin
        .iter()
        .map(|&v| weight_distance(a.of_vertex(v), b.of_vertex(v)))
        .sum();
    sum / skin.len().max(1) as f64
}

/// What became of one kind of corruption.
#[derive(Default, Clone, Copy)]
struct Tally {
    cases: usize,
    ranked: usize,
    found: usize,
    broken: usize,
}

/// Characters with the weights to trust: artists', or where there is no corpus what a
/// method made of the samples.
fn characters() -> Vec<(String, Character, Weights)> {
    let mut all = Vec::new();
    for path in corpus_characters() {
        let character = GltfFile::open(&path).unwrap().character().clone();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if let Some(weights) = character.weights.clone() {
            all.push((name, character, weights));
        }
    }
    if all.is_empty() {
        for sample in ["athlete@6000", "hound@6000", "knight@6000", "skirt@4000"] {
            let character = ligament::sample::make(sample).unwrap();
            let binder = method("closest").unwrap();
            let bound = binder.bind(&character, &BindOptions::default(), &Task::unattended());
            all.push((sample.to_owned(), character, bound.unwrap().weights));
        }
    }
    all
}

#[test]
fn artists_rank_above_corruptions_of_them() {
    let mut tallies = [Tally::default(); Corruption::ALL.len()];
    let mut misses = String::new();
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); Measure::ALL.len()];
    let (mut artists, mut artists_broken) = (0, Vec::new());
    for (name, character, artist) in characters() {
        let sound = report(&character, &artist);
        artists += 1;
        if sound.verdict == Verdict::Broken {
            let worst = &sound.regions[0];
            artists_broken.push(format!("{name} ({} near {})", worst.worst.name(), worst.name));
        }
        for finding in &sound.findings {
            let k = Measure::ALL.iter().position(|&m| m == finding.measure).unwrap();
            values[k].push(finding.value);
        }
        for (corruption, tally) in Corruption::ALL.into_iter().zip(&mut tallies) {
            let Some(spoiled) = corruption.of(&character, &artist, 7) else {
                continue;
            };
            if change(&character, &artist, &spoiled) < LEAST_CHANGE {
                continue;
            }
            let spoiled = report(&character, &spoiled);
            let meant = corruption.meant_for();
            let (before, after) = (value(&sound, meant), value(&spoiled, meant));
            let (ranked, found) = (spoiled.score > sound.score, after > FOUND * before);
            tally.cases += 1;
            tally.ranked += usize::from(ranked);
            tally.found += usize::from(found);
            tally.broken += usize::from(spoiled.verdict == Verdict::Broken);
            if !ranked || !found {
                let _ = writeln!(
                    misses,
                    "{name}, {corruption:?}: score {:.2} to {:.2}, {} {before:.4} to {after:.4}",
                    sound.score,
                    spoiled.score,
                    meant.name(),
                );
            }
        }
    }
    eprintln!("{artists} characters; broken: {}", artists_broken.join(", "));
    for (measure, values) in Measure::ALL.iter().zip(&mut values) {
        values.sort_by(f64::total_cmp);
        if let Some(&most) = values.last() {
            let median = values[values.len() / 2];
            let high = values[values.len() * 9 / 10];
            eprintln!(
                "{}: median {median:.4}, nine in ten under {high:.4}, most {most:.4}",
                measure.name()
            );
        }
    }
    for (corruption, t) in Corruption::ALL.iter().zip(&tallies) {
        eprintln!(
            "{corruption:?}: {} cases, {} ranked, {} found by {}, {} broken",
            t.cases,
            t.ranked,
            t.found,
            corruption.meant_for().name(),
            t.broken
        );
    }
    eprint!("missed:\n{misses}");
    let share = |of: fn(&Tally) -> usize| {
        let cases: usize = tallies.iter().map(|t| t.cases).sum();
        tallies.iter().map(of).sum::<usize>() as f64 / cases as f64
    };
    assert!(share(|t| t.ranked) >= 0.9, "artists' weights rank too low");
    assert!(share(|t| t.found) >= 0.9, "measures miss what they are meant for");
    for t in &tallies {
        assert!(t.ranked * 10 >= t.cases * 9 && t.found * 10 >= t.cases * 9);
    }
}
