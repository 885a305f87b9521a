//! `cargo xtask blender`: packs the Blender extension with the wheels of `target/wheels`, and tests that zip in real Blenders.
//! [`test()`] tests the extension with the package of the test build instead.

use std::path::Path;
use std::process::Command;

use ligament_testkit::{
    project_root, python_for_wheels, python_with_blender, python_with_old_blender, target_dir,
};

use crate::Failure;
use crate::steps::run;

/// Writes `target/blender/ligament-VERSION.zip` and tests it.
pub fn pack() -> Result<(), Failure> {
    let folder = target_dir().join("blender");
    let _ = std::fs::remove_dir_all(&folder);
    let mut build = Command::new(python_for_wheels());
    build.arg("blender/build.py");
    build.args([target_dir().join("wheels"), folder.clone()]);
    run("blender/build.py", &mut build)?;
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let zip = paths
        .find(|path| path.extension().is_some_and(|end| end == "zip"))
        .ok_or("blender/build.py wrote no zip")?;
    in_blenders("LIGAMENT_EXTENSION", &zip)
}

/// Tests the extension with the package that the Python tests laid out.
pub fn test() -> Result<(), Failure> {
    in_blenders("LIGAMENT_PACKAGE", &target_dir().join("python/ligament"))
}

/// Runs the extension's tests in the oldest and in a new Blender, whose own installer gets the zip. `variable` says what
/// `path` is.
fn in_blenders(variable: &str, path: &Path) -> Result<(), Failure> {
    for python in [python_with_old_blender(), python_with_blender()] {
        let mut tests = Command::new(python);
        tests.args([
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            "blender/tests/pytest.ini",
            "blender/tests",
        ]);
        tests.env(variable, path);
        tests.env_remove("PYTHONPATH");
        tests.env("PYTHONDONTWRITEBYTECODE", "1");
        tests.current_dir(project_root());
        run("the extension's tests", &mut tests)?;
    }
    Ok(())
}
