//! One character in many disguises: what leaves its shape as it is leaves its weights as they are, and what was set right
//! is said.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "in a test a panic is a failure, and figures are for the log"
)]

mod disguise;

use std::fmt::Write;

use ligament::Character;
use ligament::bind::{BindOptions, BindResult, Method};
use ligament::task::Task;
use ligament::weights::weight_distance;
use ligament_io::open::{Opened, open};
use ligament_testkit::{SOAK, corpus, corpus_characters};

use disguise::{Disguised, all};

fn bind(character: &Character, by: &str) -> BindResult {
    let method = Method::named(by).unwrap();
    method
        .bind_character(character, &BindOptions::default(), &Task::unattended())
        .unwrap()
}

/// The mean over the character's own vertices of ½Σ|w − w′|.
fn difference(plain: &BindResult, disguised: &BindResult, vertices: &[Option<usize>]) -> f64 {
    let distances: Vec<f64> = vertices
        .iter()
        .enumerate()
        .filter_map(|(own, other)| other.map(|other| (own, other)))
        .map(|(own, other)| weight_distance(plain.weights.of_vertex(own), disguised.weights.of_vertex(other)))
        .collect();
    distances.iter().sum::<f64>() / distances.len() as f64
}

/// Where the goal is not reached yet: a character, a disguise, and what it must not get worse than. The knight has plates and
/// sheets of few faces, of which a tenth gone is much, and of which some are so open that nobody can say which side is
/// out once half of them is flipped.
const MISSED: [(&str, &str, f64); 3] = [
    ("knight", "one half flipped", 0.025),
    ("knight", "10 % of the faces gone", 0.068),
    ("knight", "30 % of the faces gone", 0.075),
];

/// Binds a character in all disguises. Returns a line for each that differs too much, or in silence.
fn faults(name: &str, character: &Character, methods: &[&str]) -> Vec<String> {
    let plain: Vec<BindResult> = methods.iter().map(|by| bind(character, by)).collect();
    let mut faults = Vec::new();
    for (disguise, make, most, said) in all() {
        let Disguised { character, vertices } = make(character);
        for (by, plain) in methods.iter().zip(&plain) {
            let disguised = bind(&character, by);
            let off = difference(plain, &disguised, &vertices);
            let is_said = *by == "heat" || said.is_in(&disguised.warnings);
            println!("{name}, {disguise}, {by}: {off:.4}");
            let mut fault = String::new();
            let known = MISSED.iter().find(|m| name.starts_with(m.0) && m.1 == disguise);
            let most = known.map_or(most, |missed| missed.2);
            if off > most {
                write!(fault, " {off:.3} is over {most}").unwrap();
            }
            if !is_said {
                write!(fault, " {said:?} is not said: {:?}", disguised.warnings).unwrap();
            }
            if !fault.is_empty() {
                faults.push(format!("{name}, {disguise}, {by}:{fault}"));
            }
        }
    }
    faults
}

fn assert_unchanged(sample: &str, methods: &[&str]) {
    let character = ligament::sample::make(sample).unwrap();
    let faults = faults(sample, &character, methods);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_person_in_disguise_has_the_same_weights_by_every_method() {
    assert_unchanged("athlete@1500", &["best", "voxel", "heat"]);
}

#[test]
fn armour_in_disguise_has_the_same_weights() {
    assert_unchanged("knight@2500", &["best"]);
}

#[test]
fn an_animal_in_disguise_has_the_same_weights() {
    assert_unchanged("hound@1500", &["best"]);
}

/// Real characters, in a soak alone (`cargo xtask soak corpus`): there are many, and those of few vertices miss the goal in
/// some disguises.
#[test]
fn real_characters_in_disguise_have_the_same_weights() {
    let soaks = std::env::var(SOAK).is_ok_and(|named| named.contains("corpus"));
    if corpus().is_none() || !soaks {
        println!("no corpus or no soak: real characters were not disguised");
        return;
    }
    let mut all = Vec::new();
    for path in corpus_characters() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(Opened::Gltf(file)) = open(&path) else {
            continue;
        };
        all.extend(faults(&name, file.character(), &["best"]));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
