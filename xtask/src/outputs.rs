//! `cargo xtask outputs BINARY [BASELINE]`: a hash of everything that a build of the command line
//! writes over the samples and the corpus, and what differs from an earlier build's.
//!
//! Walls of the house can be moved safely when the bytes that come out stay the same. The hashes go to
//! `target/outputs/latest.txt`, never into the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ligament_testkit::{corpus, target_dir};

use crate::Failure;

/// Processes at a time, each with one thread: bytes do not depend on threads.
const SIDE_BY_SIDE: usize = 2;
const SAMPLES: [&str; 9] = [
    "knight",
    "athlete@4000",
    "apose@4000",
    "hand",
    "hound@3000",
    "skirt",
    "coat",
    "tube",
    "athlete@12000",
];
/// Bound by every character; fits of cells take seconds and are for the samples alone.
const METHODS: [&str; 6] = ["best", "voxel", "heat", "biharmonic", "closest", "hierarchy"];
/// An edit script that every sample hound can follow.
const EDITS: &str = r#"[
  {"command": "move_joint", "joint": "head", "by": [0, 0.02, 0.01]},
  {"command": "insert_joint", "joint": "neck1", "name": "throat", "at": 0.3},
  {"command": "magnitude", "joint": "chest", "value": 2.0},
  {"command": "delete_joint", "joint": "tail4"},
  {"command": "undo"}
]"#;

/// One run of the command: its arguments, and the ending of what it writes.
struct Job {
    words: Vec<String>,
    ending: &'static str,
}

impl Job {
    fn new(words: &[&str], ending: &'static str) -> Self {
        Self {
            words: words.iter().map(|&w| w.to_owned()).collect(),
            ending,
        }
    }

    /// The same on every machine: inputs by their file names.
    fn name(&self) -> String {
        let short = |word: &String| {
            let path = Path::new(word);
            if path.is_absolute() {
                path.file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned()
            } else {
                word.clone()
            }
        };
        let words: Vec<String> = self.words.iter().map(short).collect();
        format!("{} > {}", words.join(" "), self.ending)
    }
}

/// Runs every job with `binary`; with `baseline`, an earlier result, fails where hashes differ.
pub fn run(binary: &str, baseline: Option<&str>) -> Result<(), Failure> {
    let binary = fs::canonicalize(binary).map_err(|e| format!("{binary}: {e}"))?;
    let folder = target_dir().join("outputs");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let script = folder.join("edits.json");
    fs::write(&script, EDITS).map_err(|e| e.to_string())?;
    let jobs = jobs(&script);
    println!("── outputs of {} jobs", jobs.len());
    let lines = Mutex::new(vec![String::new(); jobs.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { return };
            let output = folder.join(format!("job-{index}.{}", job.ending));
            let line = format!("{}\t{}", job.name(), hash_of(&binary, job, &output));
            let _ = fs::remove_file(&output);
            if let Ok(mut lines) = lines.lock() {
                lines[index] = line;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(work);
        }
    });
    let lines = lines.into_inner().map_err(|e| e.to_string())?;
    let result = folder.join("latest.txt");
    fs::write(&result, lines.join("\n") + "\n").map_err(|e| e.to_string())?;
    println!("wrote {}", result.display());
    match baseline {
        None => Ok(()),
        Some(baseline) => compare(&lines, baseline),
    }
}

fn compare(lines: &[String], baseline: &str) -> Result<(), Failure> {
    let before = fs::read_to_string(baseline).map_err(|e| format!("{baseline}: {e}"))?;
    let before: std::collections::BTreeMap<&str, &str> =
        before.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut differences = 0;
    for (name, hash) in lines.iter().filter_map(|line| line.split_once('\t')) {
        match before.get(name) {
            Some(&was) if was == hash => {}
            Some(was) => {
                differences += 1;
                println!("differs: {name}\n  {was}\n  {hash}");
            }
            None => println!("new: {name}"),
        }
    }
    println!("{} outputs, {differences} differ", lines.len());
    if differences == 0 {
        Ok(())
    } else {
        Err("outputs differ".to_owned())
    }
}

fn jobs(script: &Path) -> Vec<Job> {
    let mut jobs = Vec::new();
    for sample in SAMPLES {
        let input = format!("sample:{sample}");
        for method in METHODS {
            jobs.push(Job::new(&["bind", &input, "--method", method], "glb"));
        }
        jobs.push(Job::new(&["rig", &input], "glb"));
        jobs.push(Job::new(&["convert", &input], "usda"));
        jobs.push(Job::new(&["convert", &input], "json"));
    }
    for (preset, method) in [
        ("2013", "voxel"),
        ("2014", "voxel"),
        ("2007", "heat"),
        ("blender", "heat"),
    ] {
        for sample in ["sample:knight", "sample:hound@3000"] {
            let words = ["bind", sample, "--method", method, "--preset", preset];
            jobs.push(Job::new(&words, "npz"));
        }
    }
    for words in [
        ["--influences", "all"],
        ["--influences", "2"],
        ["--resolution", "64"],
        ["--falloff", "0.9"],
        ["--deform", "all"],
        ["--store", "u8"],
    ] {
        let words = [&["bind", "sample:knight", "--method", "voxel"][..], &words].concat();
        jobs.push(Job::new(&words, "glb"));
    }
    for sample in ["sample:tube", "sample:hound@2000", "sample:skirt"] {
        jobs.push(Job::new(&["field", "fit", sample, "--steps", "300"], "cells"));
    }
    jobs.push(Job::new(
        &["bind", "sample:hound@2000", "--method", "cells", "--steps", "300"],
        "glb",
    ));
    let script = script.to_string_lossy().into_owned();
    for method in ["heat", "voxel"] {
        jobs.push(Job::new(
            &["edit", "sample:hound@3000", &script, "--method", method],
            "glb",
        ));
    }
    let Some(corpus) = corpus() else { return jobs };
    for (folder, methods) in [("open", &METHODS[..]), ("train", &METHODS[..3])] {
        for file in files(&corpus.join(folder), &["glb", "vrm"]) {
            for method in methods {
                jobs.push(Job::new(&["bind", &file, "--method", method], "glb"));
            }
            if folder == "open" {
                jobs.push(Job::new(&["convert", &file], "usda"));
            }
        }
    }
    for file in files(&corpus.join("open/fbx"), &["fbx"]) {
        jobs.push(Job::new(&["convert", &file], "glb"));
        jobs.push(Job::new(&["bind", &file], "npz"));
    }
    for file in files(&corpus.join("meshes"), &["obj", "off", "mesh"]) {
        jobs.push(Job::new(&["rig", &file], "glb"));
        jobs.push(Job::new(&["convert", &file], "glb"));
    }
    jobs
}

fn files(folder: &Path, endings: &[&str]) -> Vec<String> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| fs::canonicalize(entry.ok()?.path()).ok())
        .filter(|path| {
            endings
                .iter()
                .any(|e| path.extension().is_some_and(|found| found == *e))
        })
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

/// The hash of what the job writes, or how it ended without.
fn hash_of(binary: &Path, job: &Job, output: &Path) -> String {
    let status = Command::new(binary)
        .args(&job.words)
        .arg("--output")
        .arg(output)
        .args(["--quiet", "--threads", "1"])
        .output();
    match (status, fs::read(output)) {
        (_, Ok(bytes)) => format!("{:016x}", fnv1a(&bytes)),
        (Ok(ended), Err(_)) => format!("no output, exit {:?}", ended.status.code()),
        (Err(error), _) => format!("does not start: {error}"),
    }
}

/// FNV-1a, 64 bits: differences are looked for, not forgeries.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x85944171f73967e8);
    }
}
