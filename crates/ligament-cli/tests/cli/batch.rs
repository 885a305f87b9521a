//! Many assets: nothing lost, nothing twice, nothing half-written.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::ligament;

/// Folders of a batch.
pub struct Folders {
    _root: tempfile::TempDir,
    pub inputs: PathBuf,
    pub outputs: PathBuf,
}

impl Folders {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let (inputs, outputs) = (root.path().join("in"), root.path().join("out"));
        std::fs::create_dir_all(inputs.join("sub")).unwrap();
        Self {
            _root: root,
            inputs,
            outputs,
        }
    }

    /// Writes a sample as an input.
    pub fn sample(&self, sample: &str, name: &str) -> Vec<u8> {
        let path = self.inputs.join(name);
        let made = ligament()
            .args(["convert", sample, "--quiet", "-o"])
            .arg(&path)
            .status()
            .unwrap();
        assert!(made.success());
        std::fs::read(path).unwrap()
    }

    fn batch(&self, options: &[&str]) -> Output {
        let mut command = ligament();
        command
            .arg("batch")
            .arg(&self.inputs)
            .arg("-o")
            .arg(&self.outputs)
            .args(options);
        command.output().unwrap()
    }

    pub fn rows(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        for entry in std::fs::read_dir(&self.outputs).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "jsonl") {
                let text = std::fs::read_to_string(path).unwrap();
                rows.extend(text.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok()));
            }
        }
        rows
    }

    pub fn output(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.outputs.join(name)).unwrap()
    }
}

fn said(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        let error = String::from_utf8_lossy(&output.stderr);
        panic!("{e}: {error}")
    })
}

fn bound(input: &Path, arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("o.glb");
    let status = ligament()
        .args(["bind", "--quiet"])
        .arg(input)
        .arg("-o")
        .arg(&output)
        .args(arguments)
        .status()
        .unwrap();
    assert!(status.success());
    std::fs::read(output).unwrap()
}

#[test]
fn outputs_are_those_of_bind_and_failures_have_their_class() {
    let folders = Folders::new();
    let tube = folders.sample("sample:tube@200", "tube.glb");
    folders.sample("sample:hound@800", "sub/hound.glb");
    std::fs::write(folders.inputs.join("cut.glb"), &tube[..tube.len() / 2]).unwrap();
    std::fs::write(folders.inputs.join("text.fbx"), "no model").unwrap();
    std::fs::write(
        folders.inputs.join("bare.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    )
    .unwrap();
    let first = folders.batch(&["--json", "--", "--method", "heat"]);
    assert_eq!(first.status.code(), Some(1));
    assert_eq!(said(&first)["done"], 2);
    assert_eq!(said(&first)["failed"], 3);
    for name in ["tube.glb", "sub/hound.glb"] {
        let expected = bound(&folders.inputs.join(name), &["--method", "heat"]);
        assert!(folders.output(name) == expected, "{name}");
    }
    let rows = folders.rows();
    let class = |name: &str| {
        let row = rows
            .iter()
            .find(|r| r["input"].as_str().unwrap().ends_with(name))
            .unwrap();
        row["class"].as_str().unwrap_or("").to_owned()
    };
    assert_eq!(
        [class("cut.glb"), class("text.fbx"), class("bare.obj")],
        ["input", "input", "content"]
    );
    let hound = rows.iter().find(|r| r["output"] == "sub/hound.glb").unwrap();
    assert!(hound["measures"]["values"]["stretch"].is_number() && hound["stages"].is_array());
    let log = folders.outputs.join("quarantine/cut.glb/log.txt");
    assert!(std::fs::read_to_string(log).unwrap().contains("cut off"));
    // The command that is kept does the same.
    let words = shlex::split(hound["command"].as_str().unwrap()).unwrap();
    std::fs::remove_file(folders.outputs.join("sub/hound.glb")).unwrap();
    assert!(
        ligament()
            .args(&words[1..])
            .arg("--quiet")
            .status()
            .unwrap()
            .success()
    );
    assert!(
        folders.output("sub/hound.glb")
            == bound(&folders.inputs.join("sub/hound.glb"), &["--method", "heat"])
    );

    // Nothing is left to do; what changed is made again, and what was mended leaves the quarantine.
    let again = said(&folders.batch(&["--json", "--", "--method", "heat"]));
    assert_eq!(
        (&again["done"], &again["skipped"], &again["failed"]),
        (&0.into(), &2.into(), &3.into())
    );
    std::fs::write(folders.inputs.join("cut.glb"), &tube).unwrap();
    let mended = said(&folders.batch(&["--json", "--", "--method", "heat"]));
    assert_eq!(
        (&mended["done"], &mended["skipped"], &mended["failed"]),
        (&1.into(), &2.into(), &2.into())
    );
    assert!(!folders.outputs.join("quarantine/cut.glb").exists());
    let other = said(&folders.batch(&["--json", "--no-measures", "--", "--method", "closest"]));
    assert_eq!(other["done"], 3);
}

/// A kill after an asset's line was written leaves its folder of work; the next batch takes it away, whatever came of the asset.
#[test]
fn what_a_kill_leaves_is_taken_away() {
    let folders = Folders::new();
    folders.sample("sample:tube@200", "tube.glb");
    std::fs::write(folders.inputs.join("text.fbx"), "no model").unwrap();
    assert_eq!(folders.batch(&["--quiet"]).status.code(), Some(1));
    let rows = folders.rows();
    assert_eq!(rows.len(), 2);
    for row in &rows {
        let left = format!("{}-1", row["key"].as_str().unwrap());
        let outputs = folders.outputs.join(".work").join(left).join("outputs");
        std::fs::create_dir_all(outputs).unwrap();
    }
    // And a quarantine that was not lifted in time is lifted.
    let lifted = folders.outputs.join("quarantine/tube.glb");
    std::fs::create_dir_all(&lifted).unwrap();
    assert_eq!(folders.batch(&["--quiet"]).status.code(), Some(1));
    assert!(!folders.outputs.join(".work").exists() && !lifted.exists());
    assert_eq!(folders.rows().len(), 2, "nothing was done twice");
}

#[test]
fn limits_end_an_asset_and_not_the_batch() {
    let folders = Folders::new();
    folders.sample("sample:tube@200", "tube.glb");
    let classes = |options: &[&str]| {
        let output = folders.batch(options);
        assert_eq!(output.status.code(), Some(1), "{options:?}");
        folders.rows().last().unwrap()["class"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(classes(&["--timeout", "0.001"]), "timeout");
    assert_eq!(classes(&["--memory", "1", "--retry"]), "memory");
    assert_eq!(classes(&["--retry", "--", "--method", "no-such-method"]), "usage");
    assert_eq!(folders.batch(&["--retry"]).status.code(), Some(0));
    assert_eq!(folders.batch(&["--do", "studio"]).status.code(), Some(2));
    assert_eq!(folders.batch(&["--shard", "3/2"]).status.code(), Some(2));
}

#[test]
fn shards_come_to_the_same_as_one_run() {
    let (whole, parts) = (Folders::new(), Folders::new());
    for folders in [&whole, &parts] {
        for k in 0..5 {
            folders.sample(&format!("sample:tube@{}", 100 + 20 * k), &format!("{k}.glb"));
        }
        std::fs::write(folders.inputs.join("x.glb"), "no model").unwrap();
    }
    whole.batch(&["--no-measures"]);
    for shard in ["3/3", "1/3", "2/3"] {
        parts.batch(&["--no-measures", "--shard", shard]);
    }
    let table = |folders: &Folders| {
        let report = ligament()
            .args(["batch", "report", "--json"])
            .arg(&folders.outputs)
            .output()
            .unwrap();
        let mut report = said(&report);
        for time in ["seconds", "median_milliseconds", "largest_mb"] {
            report[time] = Value::Null;
        }
        report
    };
    assert_eq!(table(&whole), table(&parts));
    for k in 0..5 {
        let name = format!("{k}.glb");
        assert!(whole.output(&name) == parts.output(&name));
    }
}

#[test]
fn other_verbs_make_their_files() {
    let folders = Folders::new();
    folders.sample("sample:tube@200", "tube.glb");
    let tube = folders.inputs.join("tube.glb");
    std::fs::write(&tube, bound(&tube, &["--method", "heat"])).unwrap();
    let check = folders.batch(&["--do", "check"]);
    assert_eq!(
        check.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&check.stderr)
    );
    let found: Value = serde_json::from_slice(&folders.output("tube.glb.json")).unwrap();
    assert!(found["findings"].is_array());
    assert_eq!(
        folders.batch(&["--do", "convert", "--to", "usda"]).status.code(),
        Some(0)
    );
    assert!(folders.output("tube.usda").starts_with(b"#usda"));
    let body = folders.inputs.join("tube.glb");
    let transfer = [
        "--do",
        "transfer",
        "--to",
        "npz",
        "--",
        body.to_str().unwrap(),
        "{}",
    ];
    assert_eq!(folders.batch(&transfer).status.code(), Some(0));
    assert!(folders.output("tube.npz").starts_with(b"PK"));
    let lods = ["--do", "lods", "--to", "gltf", "--", body.to_str().unwrap(), "{}"];
    assert_eq!(folders.batch(&lods).status.code(), Some(0));
    assert!(folders.output("tube.gltf").starts_with(b"{"));
}

#[test]
fn the_page_shows_pictures_and_failures() {
    let folders = Folders::new();
    folders.sample("sample:tube@200", "tube.glb");
    std::fs::write(folders.inputs.join("<b>.glb"), "no model").unwrap();
    folders.batch(&[]);
    let page = folders.outputs.join("report.html");
    let report = ligament()
        .args(["batch", "report"])
        .arg(&folders.outputs)
        .arg("--html")
        .arg(&page)
        .output()
        .unwrap();
    assert_eq!(report.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&report.stdout).contains("input"));
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("&lt;b&gt;.glb") && !html.contains("<b>.glb"));
    let key = folders.rows().iter().find(|r| r["status"] == "done").unwrap()["key"].clone();
    let picture = format!("report_pictures/{}.png", key.as_str().unwrap());
    assert!(html.contains(&picture));
    assert!(
        std::fs::read(folders.outputs.join(picture))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}
