//! What the project is built from: licences and sources, as `deny.toml` has them.
//!
//! `cargo deny` knows more, and runs where it is installed. It has to be built from source, so the two rules that would hurt
//! most are held here from `cargo metadata` in every run.

use std::process::Command;

use ligament_testkit::project_root;
use serde_json::Value;

use crate::Failure;
use crate::steps::run;

pub fn check() -> Result<(), Failure> {
    let version = Command::new("cargo").args(["deny", "--version"]).output();
    if version.is_ok_and(|o| o.status.success()) {
        let mut deny = Command::new("cargo");
        return run(
            "cargo deny",
            deny.args(["deny", "check", "bans", "licenses", "sources"]),
        );
    }
    println!("cargo-deny is not installed: licences and sources alone are checked");
    let rules = std::fs::read_to_string(project_root().join("deny.toml")).map_err(|e| e.to_string())?;
    let licences = list(&rules, "allow")?;
    let registries = list(&rules, "allow-registry")?;
    let faults: Vec<String> = packages()?
        .iter()
        .filter_map(|package| fault(package, &licences, &registries))
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

/// Every package of the graph, whatever the system.
fn packages() -> Result<Vec<Value>, Failure> {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .current_dir(project_root())
        .output()
        .map_err(|e| format!("cargo metadata does not start: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    Ok(metadata["packages"].as_array().cloned().unwrap_or_default())
}

/// The texts of a list in `deny.toml`.
fn list<'a>(rules: &'a str, key: &str) -> Result<Vec<&'a str>, Failure> {
    let after = rules.split_once(&format!("\n{key} = ["));
    let inside = after.and_then(|(_, rest)| rest.split_once(']'));
    let (inside, _) = inside.ok_or_else(|| format!("deny.toml has no list '{key}'"))?;
    Ok(inside.split('"').skip(1).step_by(2).collect())
}

/// What is wrong with a package.
fn fault(package: &Value, licences: &[&str], registries: &[&str]) -> Option<String> {
    let name = format!("{} {}", package["name"], package["version"]).replace('"', "");
    let licence = package["license"].as_str().unwrap_or("");
    if !is_allowed(licence, licences) {
        return Some(format!(
            "{name} has the licence '{licence}', which deny.toml does not allow"
        ));
    }
    // The project's own come from no registry.
    let source = package["source"].as_str()?;
    let from = source.strip_prefix("registry+");
    if from.is_some_and(|from| registries.contains(&from)) {
        None
    } else {
        Some(format!(
            "{name} comes from {source}, which deny.toml does not allow"
        ))
    }
}

/// Whether an SPDX expression can be met with these licences. `A/B` is an old way to say `A OR B`.
fn is_allowed(expression: &str, licences: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    // Within parentheses first: each is replaced by a word that is or is not allowed.
    if let Some(open) = expression.rfind('(')
        && let Some(length) = expression[open..].find(')')
    {
        let inner = is_allowed(&expression[open + 1..open + length], licences);
        let word = if inner { licences[0] } else { "NONE" };
        let (before, after) = (&expression[..open], &expression[open + length + 1..]);
        return is_allowed(&format!("{before}{word}{after}"), licences);
    }
    expression
        .split(" OR ")
        .any(|all| all.split(" AND ").all(|one| licences.contains(&one.trim())))
}

#[cfg(test)]
mod tests {
    use super::{fault, is_allowed, list};

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "MIT AND (GPL-3.0 OR (Apache-2.0 AND MIT))",
        ] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR GPL-3.0) AND LGPL-2.1",
            "MITX",
        ] {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn lists_are_found_and_strangers_named() {
        let rules = "[a]\nallow = [\n \"MIT\",\n]\n[b]\nallow-registry = [\"https://one\"]\n";
        assert_eq!(list(rules, "allow").unwrap(), ["MIT"]);
        assert_eq!(list(rules, "allow-registry").unwrap(), ["https://one"]);
        assert!(list(rules, "deny").is_err());
        let package = |source: Option<&str>, license: &str| {
            let json =
                serde_json::json!({"name": "x", "version": "1.0.0", "license": license, "source": source});
            fault(&json, &["MIT"], &["https://one"])
        };
        assert_eq!(package(None, "MIT"), None);
        assert_eq!(package(Some("registry+https://one"), "MIT"), None);
        assert!(
            package(Some("git+https://one"), "MIT")
                .unwrap()
                .contains("x 1.0.0 comes from git+")
        );
        assert!(package(None, "GPL-3.0").unwrap().contains("licence 'GPL-3.0'"));
    }
}
