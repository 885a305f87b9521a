//! `cargo xtask python`: tests Python's package as the test build gives it. `cargo xtask wheel`: builds the wheel that is
//! published, and tests that one on every Python that can be had.
//!
//! A release build of everything takes minutes on two cores, so the daily tests take the module from the build that the other
//! tests made; both are laid out the same way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ligament_testkit::{project_root, python_for_wheels, pythons, target_dir};

use crate::Failure;
use crate::steps::run;

/// The file of the compiled module in the package, loaded by every Python from 3.11 on.
const MODULE: &str = "_ligament.abi3.so";
/// What a wheel promises to run on.
const PLATFORM: &str = "manylinux_2_28";

/// Tests the package that [`lay_out`] laid out.
pub fn test() -> Result<(), Failure> {
    let site = target_dir().join("python");
    let python = python_for_wheels();
    let with_package = |words: &[&str]| {
        let mut command = Command::new(&python);
        command
            .args(words)
            .env("PYTHONPATH", &site)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("LIGAMENT_BINARY", target_dir().join("debug/ligament"));
        command
    };
    run(
        "pytest",
        &mut with_package(&["-m", "pytest", "-p", "no:cacheprovider"]),
    )?;
    run(
        "mypy",
        &mut with_package(&["-m", "mypy", "--cache-dir", mypy_cache()?.as_str()]),
    )?;
    run(
        "stubs",
        &mut with_package(&[
            "-m",
            "mypy.stubtest",
            "ligament._ligament",
            "--ignore-missing-stub",
        ]),
    )
}

fn mypy_cache() -> Result<String, Failure> {
    let folder = target_dir().join("mypy");
    Ok(folder
        .to_str()
        .ok_or("the build folder has a strange name")?
        .to_owned())
}

/// Lays the package out under the build folder as a wheel would install it: Python's sources, and the module of the test build.
pub fn lay_out() -> Result<(), Failure> {
    let site = target_dir().join("python");
    let built = target_dir().join("debug/lib_ligament.so");
    // With the tests, which are built already: without them dependencies have fewer features, and all would be compiled anew.
    let build = [
        "build",
        "--workspace",
        "--all-features",
        "--lib",
        "--bin",
        "ligament",
        "--tests",
    ];
    run("cargo build", Command::new("cargo").args(build))?;
    let package = site.join("ligament");
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(&package).map_err(|e| e.to_string())?;
    for file in sources()? {
        let name = file.file_name().unwrap_or_default();
        copy(&file, &package.join(name))?;
    }
    copy(&built, &package.join(MODULE))
}

fn sources() -> Result<Vec<PathBuf>, Failure> {
    let folder = project_root().join("python/ligament");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    Ok(files)
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))?;
    Ok(())
}

/// Builds the wheel into `target/wheels`, audits it, and runs the tests with it on every Python that can be had.
pub fn wheel() -> Result<(), Failure> {
    let (python, folder) = (python_for_wheels(), target_dir().join("wheels"));
    let _ = fs::remove_dir_all(&folder);
    let mut build = Command::new(&python);
    build.args([
        "-m",
        "maturin",
        "build",
        "--release",
        "--zig",
        "--compatibility",
        PLATFORM,
        "--out",
    ]);
    build.arg(&folder).env(
        "VIRTUAL_ENV",
        python.parent().and_then(Path::parent).unwrap_or(&folder),
    );
    // Zig is a package of that environment, which need not be on the search path.
    build.env("CARGO_ZIGBUILD_PYTHON_PATH", &python);
    run("maturin", &mut build)?;
    let wheel = newest_wheel(&folder)?;
    let mut audit = Command::new(&python);
    audit
        .args(["-m", "abi3audit", "--strict", "--verbose"])
        .arg(&wheel);
    run("abi3audit", &mut audit)?;
    let all = pythons();
    if all.is_empty() {
        return Err("no Python from 3.11 on was found to run the wheel".to_owned());
    }
    for python in all {
        on_python(&python, &wheel)?;
    }
    println!("{}", wheel.display());
    Ok(())
}

/// The wheel that was built.
pub fn newest_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let wheels = entries.flatten().map(|e| e.path());
    let mut wheels: Vec<PathBuf> = wheels
        .filter(|p| p.extension().is_some_and(|e| e == "whl"))
        .collect();
    wheels.sort();
    wheels
        .pop()
        .ok_or_else(|| format!("no wheel in {}; run cargo xtask wheel", folder.display()))
}

/// Installs the wheel into a fresh environment of that Python and runs the tests there.
fn on_python(python: &Path, wheel: &Path) -> Result<(), Failure> {
    println!("── the wheel on {}", python.display());
    let folder = target_dir().join("wheel-test");
    let _ = fs::remove_dir_all(&folder);
    run("venv", Command::new(python).args(["-m", "venv"]).arg(&folder))?;
    let inside = folder.join("bin/python");
    let mut install = Command::new(&inside);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "pytest",
        "tqdm",
        "trimesh",
    ]);
    run("pip install", install.arg(wheel))?;
    let mut tests = Command::new(&inside);
    // Clusters are tested once; Ray has wheels for fewer Pythons than this one.
    tests.args([
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--ignore",
        "python/tests/test_batch.py",
    ]);
    run("pytest", &mut tests)
}
