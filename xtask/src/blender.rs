//! `cargo xtask blender`: packs the Blender extension with the wheels of `target/wheels`. [`test()`] runs it in real Blenders.

use std::process::Command;

use ligament_testkit::{
    project_root, python_for_wheels, python_with_blender, python_with_old_blender, target_dir,
};

use crate::Failure;
use crate::steps::run;

/// Writes `target/blender/ligament-VERSION.zip`.
pub fn pack() -> Result<(), Failure> {
    let mut build = Command::new(python_for_wheels());
    build.arg("blender/build.py");
    build.args([target_dir().join("wheels"), target_dir().join("blender")]);
    run("blender/build.py", &mut build)
}

/// Runs the extension's tests in the oldest and in a new Blender, with the package that the Python tests laid out.
pub fn test() -> Result<(), Failure> {
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
        tests.env("PYTHONPATH", target_dir().join("python"));
        tests.env("PYTHONDONTWRITEBYTECODE", "1");
        tests.current_dir(project_root());
        run("the extension's tests", &mut tests)?;
    }
    Ok(())
}
