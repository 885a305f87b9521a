//! `cargo xtask test`: everything that must hold before a change lands.

use std::process::Command;
use std::thread::JoinHandle;

use ligament_testkit::{
    browser_tools, node_tools, playwright_tools, python_for_wheels, python_with_blender,
    python_with_old_blender, python_with_openjd, python_with_scipy, python_with_usd,
};

use crate::steps::Steps;
use crate::{Failure, blender, dependencies, fuzz, layers, lengths, python, rooms, web};

/// The workspace with all that it can do: also what experiments need, and the tests that start
/// other programs.
const EVERYTHING: [&str; 2] = ["--workspace", "--all-features"];

pub fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    let result = all(&mut steps);
    println!("── how long it took\n{}", steps.table());
    result
}

fn all(steps: &mut Steps) -> Result<(), Failure> {
    // Downloads wait for the network, compilers for the processor: at the same time.
    let tools = install_tools();
    steps.cargo(&["fmt", "--all", "--check"])?;
    steps.take("layers", layers::check)?;
    steps.take("rooms", rooms::check)?;
    steps.take("lengths of files", lengths::check)?;
    steps.take("dependencies", dependencies::check)?;
    steps.take("the studio's page is what its sources give", web::check)?;
    let clippy = [
        &["clippy"],
        &EVERYTHING[..],
        &["--all-targets", "--", "-D", "warnings"],
    ]
    .concat();
    steps.cargo(&clippy)?;
    // What users get: without the experiments' feature, without the tests that start other programs.
    steps.cargo(&[
        "clippy",
        "--workspace",
        "--exclude=ligament-experiments",
        "--tests",
        "--",
        "-D",
        "warnings",
    ])?;
    steps.run(
        "cargo doc",
        Command::new("cargo")
            .arg("doc")
            .args(EVERYTHING)
            .arg("--no-deps")
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    steps.take("fuzz targets compile", fuzz::check)?;
    steps.cargo(&[&["test"], &EVERYTHING[..], &["--no-run"]].concat())?;
    steps.take(
        "tools: Node packages, a browser, Blender, USD, SciPy, OpenJD",
        || {
            let failed = |_| "a tool cannot be installed; see above".to_owned();
            tools.into_iter().try_for_each(|tool| tool.join().map_err(failed))
        },
    )?;
    test(steps)?;
    steps.take("Python's package, laid out", python::lay_out)?;
    // Each keeps one core busy, so they go side by side.
    steps.take("Python's package; the Blender extension", || {
        let beside = std::thread::spawn(blender::test);
        let package = python::test();
        let extension = beside
            .join()
            .map_err(|_| "the Blender tests broke off".to_owned())?;
        package.and(extension)
    })
}

/// Installs what tests start, in the background. Each complains by a panic.
fn install_tools() -> [JoinHandle<()>; 2] {
    [
        std::thread::spawn(|| {
            node_tools();
            browser_tools();
            playwright_tools();
        }),
        std::thread::spawn(|| {
            python_with_blender();
            python_with_usd();
            python_with_scipy();
            python_with_openjd();
            python_with_old_blender();
            python_for_wheels();
        }),
    ]
}

/// Every test: by cargo-nextest where it is installed, which runs tests of all programs side by
/// side but none of the documentation, and otherwise by cargo itself.
fn test(steps: &mut Steps) -> Result<(), Failure> {
    steps.run("tests", &mut test_command())?;
    if has_nextest() {
        steps.cargo(&[&["test", "--doc"], &EVERYTHING[..]].concat())?;
    }
    Ok(())
}

/// What runs the tests; a filter may be added.
pub fn test_command() -> Command {
    let mut command = Command::new("cargo");
    if has_nextest() {
        // One more than there are cores: a quarter of the time tests wait, for browsers and for programs that they kill.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        command.args(["nextest", "run"]);
        command.args(["--test-threads", &(cores + 1).to_string()]);
    } else {
        command.arg("test");
    }
    command.args(EVERYTHING);
    command
}

fn has_nextest() -> bool {
    let version = Command::new("cargo").args(["nextest", "--version"]).output();
    version.is_ok_and(|o| o.status.success())
}
