//! `cargo xtask test`: everything that must hold before a change lands.
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
mod fuzz;
mod layers;
mod outputs;

use std::process::{Command, ExitCode};

use ligament_testkit::project_root;

/// A step that failed, in words.
type Failure = String;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let result = match task.as_str() {
        "test" => test(),
        "bench" => bench::run(),
        "outputs" => match std::env::args().nth(2) {
            Some(binary) => outputs::run(&binary, std::env::args().nth(3).as_deref()),
            None => Err("outputs wants the binary whose outputs are hashed".to_owned()),
        },
        "experiments" => experiment("voxel-experiments", &[]),
        "cells-experiments" => {
            let names: Vec<String> = std::env::args().skip(2).collect();
            experiment("cells-experiments", &names)
        }
        _ => Err("usage: cargo xtask test | bench | outputs BINARY [BASELINE] | experiments | cells-experiments [NAME...]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), Failure> {
    cargo(&["fmt", "--all", "--check"])?;
    layers::check()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    step(
        "cargo doc",
        Command::new("cargo")
            .args(["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    println!("── tools: Node packages, a browser and Blender");
    ligament_testkit::node_tools();
    ligament_testkit::browser_tools();
    ligament_testkit::python_with_blender();
    fuzz::run()?;
    cargo(&["test", "--workspace"])
}

/// Runs one of the programs that write documentation from what they measure.
fn experiment(name: &str, words: &[String]) -> Result<(), Failure> {
    let mut arguments = vec!["run", "--release", "-p", "ligament-experiments", "--bin", name, "--"];
    arguments.extend(words.iter().map(String::as_str));
    cargo(&arguments)
}

fn cargo(arguments: &[&str]) -> Result<(), Failure> {
    step(
        &format!("cargo {}", arguments.join(" ")),
        Command::new("cargo").args(arguments),
    )
}

/// Runs one step and shows what it says.
fn step(name: &str, command: &mut Command) -> Result<(), Failure> {
    println!("── {name}");
    let status = command
        .current_dir(project_root())
        .status()
        .map_err(|e| format!("{name} does not start: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name} failed"))
    }
}
