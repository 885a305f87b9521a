//! A bounded run of the fuzzers, where a nightly compiler is at hand.
//!
//! The test over mutated files runs everywhere; this looks further where it can.

use std::process::Command;

use ligament_testkit::{project_root, target_dir};

use crate::{Failure, step};

const SECONDS: u32 = 30;

pub fn run() -> Result<(), Failure> {
    let nightly = Command::new("cargo")
        .args(["+nightly", "--version"])
        .output()
        .is_ok_and(|o| o.status.success());
    if !nightly {
        println!("── fuzz: no nightly compiler here; the test over mutated files stands in for it");
        return Ok(());
    }
    let home = target_dir().join("tools/cargo-fuzz");
    if !home.join("bin/cargo-fuzz").exists() {
        step(
            "install cargo-fuzz",
            Command::new("cargo")
                .args(["install", "cargo-fuzz", "--locked", "--root"])
                .arg(&home),
        )?;
    }
    let fuzz = project_root().join("fuzz");
    // New inputs go to the build folder; the kept seeds stay as they are.
    let found = target_dir().join("fuzz-corpus/read_gltf");
    std::fs::create_dir_all(&found).map_err(|e| e.to_string())?;
    step(
        "fuzz read_gltf",
        Command::new(home.join("bin/cargo-fuzz"))
            .args(["run", "--fuzz-dir"])
            .arg(&fuzz)
            .arg("--target-dir")
            .arg(target_dir().join("fuzz"))
            .arg("read_gltf")
            .arg(&found)
            .arg(fuzz.join("seeds/read_gltf"))
            .args([
                "--",
                &format!("-max_total_time={SECONDS}"),
                "-rss_limit_mb=1024",
                "-verbosity=0",
                "-print_final_stats=1",
                "-timeout=5",
            ])
            .env("RUSTUP_TOOLCHAIN", "nightly"),
    )
}
