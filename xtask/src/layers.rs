//! Dependencies point one way: shells → application → formats and pictures → the library.

use std::fs;

use ligament_testkit::project_root;

use crate::Failure;

/// What each crate may depend on among the project's own, and what the library must not
/// know at all.
const ALLOWED: [(&str, &[&str]); 7] = [
    ("ligament", &[]),
    ("ligament-io", &["ligament"]),
    ("ligament-render", &["ligament"]),
    ("ligament-app", &["ligament", "ligament-io", "ligament-render"]),
    (
        "ligament-studio",
        &["ligament", "ligament-app", "ligament-io", "ligament-render"],
    ),
    (
        "ligament-cli",
        &["ligament", "ligament-app", "ligament-io", "ligament-studio"],
    ),
    (
        "ligament-py",
        &["ligament", "ligament-app", "ligament-cli", "ligament-io"],
    ),
];
const FOREIGN_TO_LIBRARY: [&str; 7] = [
    "serde_json",
    "png",
    "clap",
    "indicatif",
    "anyhow",
    "meshopt",
    "tokio",
];

pub fn check() -> Result<(), Failure> {
    for (name, allowed) in ALLOWED {
        let manifest = project_root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
        let section = text.split("[dependencies]").nth(1).unwrap_or("");
        let section = section.split("\n[").next().unwrap_or("");
        for line in section.lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or("").trim();
            let own = dependency == "ligament" || dependency.starts_with("ligament-");
            let foreign = name == "ligament" && FOREIGN_TO_LIBRARY.contains(&dependency);
            if foreign || own && !allowed.contains(&dependency) {
                return Err(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    Ok(())
}
