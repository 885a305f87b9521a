//! `cargo xtask fuzz [NAME...]`: a bounded run of the fuzzers, with a nightly compiler, or with the installed one asked to
//! take what only nightly ones take.
//!
//! Not part of `cargo xtask test`, which only sees that they compile: building everything with
//! the fuzzer's instruments takes minutes. The tests over mutated files run everywhere.

use std::path::PathBuf;
use std::process::Command;

use ligament_testkit::{project_root, target_dir};

use crate::Failure;
use crate::steps::{self, Steps};

/// How long each target runs.
const SECONDS: u32 = 10;

fn fuzz_dir() -> PathBuf {
    project_root().join("fuzz")
}

/// The targets by name, as the fuzzers' manifest lists them.
fn targets() -> Result<Vec<String>, Failure> {
    let manifest = fuzz_dir().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
    let bins = text.split("\n[[bin]]").skip(1);
    Ok(bins
        .filter_map(|bin| Some(bin.split('"').nth(1)?.to_owned()))
        .collect())
}

/// Sees that every target compiles, on any compiler.
pub fn check() -> Result<(), Failure> {
    steps::run(
        "cargo check of the fuzz targets",
        Command::new("cargo")
            .args(["check", "--locked", "--bins", "--manifest-path"])
            .arg(fuzz_dir().join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target_dir())
            // Nothing is linked, so libFuzzer need not be built; its folder must only have a name.
            .env("CUSTOM_LIBFUZZER_PATH", target_dir().join("unused/libunused.a")),
    )
}

/// Runs the named targets, or all.
pub fn run(names: &[String]) -> Result<(), Failure> {
    let known = targets()?;
    if let Some(unknown) = names.iter().find(|n| !known.contains(n)) {
        return Err(format!(
            "no fuzz target is called {unknown}; there are {}",
            known.join(", ")
        ));
    }
    let nightly = Command::new("cargo")
        .args(["+nightly", "--version"])
        .output()
        .is_ok_and(|o| o.status.success());
    let compiler = if nightly {
        ("RUSTUP_TOOLCHAIN", "nightly")
    } else {
        ("RUSTC_BOOTSTRAP", "1")
    };
    let mut steps = Steps::default();
    let home = target_dir().join("tools/cargo-fuzz");
    if !home.join("bin/cargo-fuzz").exists() {
        steps.run(
            "install cargo-fuzz",
            Command::new("cargo")
                .args(["install", "cargo-fuzz", "--locked", "--root"])
                .arg(&home),
        )?;
    }
    let made = target_dir().join("fuzz-seeds");
    steps.run(
        "write seeds",
        Command::new("cargo")
            .args([
                "run",
                "--quiet",
                "--locked",
                "--bin",
                "write_seeds",
                "--manifest-path",
            ])
            .arg(fuzz_dir().join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target_dir())
            .arg("--")
            .arg(&made),
    )?;
    for name in known.iter().filter(|n| names.is_empty() || names.contains(n)) {
        // New inputs go to the build folder; the seeds stay as they are.
        let found = target_dir().join("fuzz-corpus").join(name);
        std::fs::create_dir_all(&found).map_err(|e| format!("{}: {e}", found.display()))?;
        let kept = Some(fuzz_dir().join("seeds").join(name)).filter(|folder| folder.is_dir());
        steps.run(
            &format!("fuzz {name}"),
            Command::new(home.join("bin/cargo-fuzz"))
                .args(["run", "--fuzz-dir"])
                .arg(fuzz_dir())
                .arg("--target-dir")
                .arg(target_dir().join("fuzz"))
                .arg(name)
                .arg(&found)
                .arg(made.join(name))
                .args(kept)
                .args([
                    "--",
                    &format!("-max_total_time={SECONDS}"),
                    "-rss_limit_mb=1024",
                    "-verbosity=0",
                    "-print_final_stats=1",
                    "-timeout=5",
                ])
                .env(compiler.0, compiler.1),
        )?;
    }
    Ok(())
}
