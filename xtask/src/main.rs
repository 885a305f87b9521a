//! `cargo xtask test`: everything that must hold before a change lands; `cargo xtask bench`:
//! the tables of the documentation.
//!
//! It installs what the tests need (Node packages, a browser, Blender as a Python module) under the
//! build folder, and stops at the first thing that fails.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers that tells what it does"
)]

mod bench;
mod fuzz;
mod layers;

use std::process::{Command, ExitCode};

use ligament_testkit::project_root;

/// A step that failed, in words.
type Failure = String;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let result = match task.as_str() {
        "test" => test(),
        "bench" => bench::run(),
        _ => Err("usage: cargo xtask test | bench".to_owned()),
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
    cargo(&["bench", "--workspace", "--no-run"])?;
    fuzz::run()?;
    cargo(&["test", "--workspace"])
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
