//! Every piece of JSON in the pages does what the page says.

use crate::fixtures::{self, Fixtures};
use crate::ligament;
use crate::markdown::manual;

/// Pages with JSON, and what it is. Regions, limits, maps and lists are fixtures, which commands of those
/// pages read.
const KINDS: [(&str, &str); 7] = [
    ("docs/commands/edit.md", "scripts"),
    ("docs/commands/animate.md", "a map of joints"),
    ("docs/methods/voxel.md", "regions"),
    ("docs/measures.md", "limits"),
    ("docs/commands/bind.md", "edits by hand"),
    ("docs/formats.md", "a skeleton"),
    ("docs/commands/batch.md", "a list of assets"),
];

#[test]
fn json_is_only_where_it_is_tested() {
    for page in manual() {
        let blocks = page
            .blocks
            .iter()
            .filter(|b| b.language.as_deref() == Some("json"));
        for block in blocks {
            assert!(
                KINDS.iter().any(|(name, _)| *name == page.name),
                "{}: what is this JSON? Name it in KINDS and test it",
                page.at(block.line)
            );
        }
    }
}

/// Every example script of the page on editing runs.
#[test]
fn scripts_of_edits_run() {
    let pages = manual();
    let page = pages.iter().find(|p| p.name == "docs/commands/edit.md").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut scripts = 0;
    for block in page
        .blocks
        .iter()
        .filter(|b| b.language.as_deref() == Some("json"))
    {
        let method = if block.text.contains("falloff") || block.text.contains("shape") {
            "voxel"
        } else {
            "heat"
        };
        std::fs::write(folder.path().join("script.json"), &block.text).unwrap();
        let hound = format!("sample:hound@{}", fixtures::VERTICES);
        let output = ligament()
            .args([
                "edit",
                &hound,
                "script.json",
                "-o",
                "edited.glb",
                "--method",
                method,
            ])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}:\n{}\n{said}",
            page.at(block.line),
            block.text
        );
        scripts += 1;
    }
    assert!(scripts >= 10, "only {scripts} scripts in {}", page.name);
}

#[test]
fn the_skeleton_of_the_page_on_formats_is_read() {
    let fixtures = Fixtures::blocks_alone(&manual());
    let output = ligament()
        .args([
            "convert",
            "sample:tube@200",
            "--skeleton",
            "two_joints.json",
            "-o",
            "again.json",
        ])
        .current_dir(fixtures.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let again = std::fs::read_to_string(fixtures.path().join("again.json")).unwrap();
    assert!(
        again.contains("\"hips\"") && again.contains("\"spine\""),
        "{again}"
    );
}
