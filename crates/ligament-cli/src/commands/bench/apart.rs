//! Each bind in a process of its own: memory that one bind gave back to the allocator does not
//! count for the next, and one that takes its process down is a failure like any other.

use std::process::Command;

use anyhow::Context;

use super::{Args, Row};
use crate::console::Console;

/// Runs this program again for one character and one method. No row: there was nothing to bind.
pub fn bench_apart(input: &str, method: &str, args: &Args, console: &Console) -> anyhow::Result<Vec<Row>> {
    let program = console.program()?;
    let mut command = Command::new(&program.path);
    command
        .args(&program.first)
        .args(["bench", input, "--methods", method, "--json", "--repeat"])
        .arg(args.repeat.to_string())
        .arg("--threads")
        .arg(rayon::current_num_threads().to_string())
        .args(args.rig.arguments());
    if args.used_joints {
        command.arg("--used-joints");
    }
    let output = command.output().context("cannot run this program again")?;
    match serde_json::from_slice(&output.stdout) {
        Ok(rows) => Ok(rows),
        // Bad input ends with 2 and a word; nothing to bind is told by an empty list.
        Err(_) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or("it said nothing");
            let why = format!("{last} ({})", output.status);
            Ok(vec![Row::failed(input, method, why)])
        }
    }
}
