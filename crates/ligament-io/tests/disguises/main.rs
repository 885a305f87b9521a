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
use ligament_testkit::{corpus, corpus_characters, spread};

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

/// Vertices of the largest character that a daily run disguises.
const SMALL: usize = 6000;

/// Real characters. A run takes a small one, `cargo xtask soak corpus` all.
#[test]
fn real_characters_in_disguise_have_the_same_weights() {
    if corpus().is_none() {
        println!("no corpus: real characters were not disguised");
        return;
    }
    let characters = corpus_characters().into_iter().filter_map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        match open(&path) {
            Ok(Opened::Gltf(file)) => Some((name, file.character().clone())),
            _ => None,
        }
    });
    let (small, large): (Vec<_>, Vec<_>) =
        characters.partition(|(_, character)| character.mesh.positions.len() <= SMALL);
    let mut all = Vec::new();
    for (name, character) in spread([large, small].concat(), 1) {
        all.extend(faults(&name, &character, &["best"]));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
