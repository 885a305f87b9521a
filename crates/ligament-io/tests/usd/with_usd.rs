//! USD itself, by scripts beside these tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use ligament_testkit::{python_with_usd, run};

/// A script beside these tests.
pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usd").join(name)
}

/// Runs a script beside these tests with USD's Python.
pub fn run_script(name: &str, arguments: &[&Path]) -> String {
    run(Command::new(python_with_usd()).arg(script(name)).args(arguments))
}

/// The file in USD's own binary form and as its own package.
pub fn converted(path: &Path) -> [PathBuf; 2] {
    let stem = path.with_extension("");
    run_script("convert.py", &[path, &stem]);
    [stem.with_extension("usdc"), stem.with_extension("usdz")]
}
