//! No source file is so long that it must hold more than one idea.

use std::fs;
use std::process::Command;

use ligament_testkit::project_root;

use crate::Failure;

const MOST_LINES: usize = 700;
/// Written by a program, a function for each verb; nobody reads it from the top.
const GENERATED: [&str; 1] = ["python/ligament/_verbs.py"];

/// Fails if a source file that git knows is longer.
pub fn check() -> Result<(), Failure> {
    let root = project_root();
    let listed = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "*.rs",
            "*.py",
            "*.mjs",
            "web/*.ts",
            "web/*.css",
        ])
        .current_dir(&root)
        .output()
        .map_err(|e| format!("git does not start: {e}"))?;
    let mut long = Vec::new();
    for file in String::from_utf8_lossy(&listed.stdout).lines() {
        if GENERATED.contains(&file) {
            continue;
        }
        // A file that is deleted but still listed has no length.
        let lines = fs::read_to_string(root.join(file)).map_or(0, |text| text.lines().count());
        if lines > MOST_LINES {
            long.push(format!(
                "{file} has {lines} lines, more than {MOST_LINES}; part its ideas"
            ));
        }
    }
    if long.is_empty() {
        Ok(())
    } else {
        Err(long.join("\n"))
    }
}
