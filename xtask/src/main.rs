//! `cargo xtask test`: everything that must hold before a change lands.
//! `cargo xtask soak NAME [FILTER]`: the tests with more broken files or more characters.
//! `cargo xtask fuzz [NAME...]`: a few seconds of each fuzzer, with a nightly compiler.
//! `cargo xtask web`: builds the studio's page anew, after a change in `web/`.
//! `cargo xtask python`: tests Python's package from the test build.
//! `cargo xtask wheel`: builds Python's wheel into `target/wheels`, audits it, and tests it on every Python that can be had.
//! `cargo xtask blender`: packs the Blender extension with those wheels into `target/blender`, and tests it in real Blenders.
//! `cargo xtask blender-test`: tests the extension with the package that `cargo xtask python` laid out.
//! `cargo xtask bench`: measures the methods and writes docs/lab/bench.md.
//! `cargo xtask outputs BINARY [BASELINE]`: hashes all that a build writes, and compares.
//! `cargo xtask experiments`: measures voxel binding and writes docs/lab/voxel-experiments.md.
//!
//! The first installs what the tests need (Node packages, a browser, Blender as a Python module) under the
//! build folder, and stops at the first thing that fails.
//!
//! `cargo xtask cells-experiments [NAME...]`: measures what `docs/lab/cells-experiments.md`
//! says, and writes it.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers that tells what it does"
)]

mod bench;
mod blender;
mod dependencies;
mod fuzz;
mod layers;
mod lengths;
mod outputs;
mod python;
mod rooms;
mod soak;
mod steps;
mod test;
mod web;

use std::process::{Command, ExitCode};

/// A step that failed, in words.
type Failure = String;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let result = match task.as_str() {
        "test" => test::run(),
        "soak" => {
            let filter = std::env::args().nth(3);
            soak::run(&std::env::args().nth(2).unwrap_or_default(), filter.as_deref())
        }
        "fuzz" => fuzz::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "bench" => bench::run(),
        "web" => web::build(),
        "python" => python::lay_out().and_then(|()| python::test()),
        "wheel" => python::wheel(),
        "blender" => blender::pack(),
        "blender-test" => blender::test(),
        "outputs" => match std::env::args().nth(2) {
            Some(binary) => outputs::run(&binary, std::env::args().nth(3).as_deref()),
            None => Err("outputs wants the binary whose outputs are hashed".to_owned()),
        },
        "experiments" => experiment("voxel-experiments", &[]),
        "cells-experiments" => {
            let names: Vec<String> = std::env::args().skip(2).collect();
            experiment("cells-experiments", &names)
        }
        _ => Err("usage: cargo xtask test | soak NAME [FILTER] | fuzz [NAME...] | web | python | wheel | blender | blender-test | bench | outputs BINARY [BASELINE] | experiments | cells-experiments [NAME...]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one of the programs that write documentation from what they measure.
fn experiment(name: &str, words: &[String]) -> Result<(), Failure> {
    let mut arguments = vec![
        "run",
        "--release",
        "-p",
        "ligament-experiments",
        "--bin",
        name,
        "--",
    ];
    arguments.extend(words.iter().map(String::as_str));
    steps::run(name, Command::new("cargo").args(arguments))
}
