//! A batch of everything that files can be, killed at random moments and run again.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use ligament_testkit::{Random, batch_size, corpus};
use serde_json::{Value, json};

use crate::batch::Folders;
use crate::ligament;

/// An asset, and what must come of it.
struct Asset {
    name: String,
    /// The class of its failure; none if it must be done.
    class: Option<&'static str>,
}

/// A file that nothing can be made of, or that may as well be sound: cut off, nonsense in its JSON, bytes changed, empty, zeros, text.
fn broken(kind: usize, sound: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bad = sound.to_vec();
    match kind % 6 {
        0 => bad.truncate(random.below(sound.len())),
        1 => bad[20..60].fill(b'{'),
        2 => {
            for _ in 0..24 {
                let place = random.below(bad.len());
                bad[place] ^= 1 << random.below(8);
            }
        }
        3 => bad.clear(),
        4 => bad.fill(0),
        _ => bad = b"no model at all".to_vec(),
    }
    bad
}

/// What `bind` alone makes of a file.
fn alone(input: &Path, folder: &Path) -> Option<Vec<u8>> {
    let output = folder.join("alone.glb");
    let _ = std::fs::remove_file(&output);
    let status = ligament()
        .arg("bind")
        .arg(input)
        .args(["--quiet", "-o"])
        .arg(&output)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.success(), output.exists(), "{}", input.display());
    std::fs::read(output).ok()
}

/// Nothing is done twice, nothing is half-written, every sound asset is done and right, and every other is in quarantine with the class
/// that it has.
#[test]
fn a_killed_batch_goes_on_with_nothing_done_twice() {
    let folders = Folders::new();
    let count = batch_size(1000);
    // Real characters take more than samples, and a soak may share its machine.
    let limits = match count {
        1000.. => ["--timeout", "60", "--memory", "1500"],
        _ => ["--timeout", "12", "--memory", "400"],
    };
    let kinds = ["tube@150", "tube@400", "hound@800", "athlete@1000", "knight@2000"];
    let mut sound: Vec<Vec<u8>> = Vec::new();
    for kind in &kinds[..kinds.len().min(count.div_ceil(3))] {
        sound.push(folders.sample(&format!("sample:{kind}"), "made.glb"));
    }
    let mut real: Vec<PathBuf> = Vec::new();
    if let Some(corpus) = corpus().filter(|_| count >= 1000) {
        let files = std::fs::read_dir(corpus.join("open")).unwrap();
        real = files.map(|f| f.unwrap().path()).collect();
        real.retain(|f| f.extension().is_some_and(|e| e == "glb") && f.metadata().unwrap().len() < 3 << 20);
        real.sort();
    }
    std::fs::remove_file(folders.inputs.join("made.glb")).unwrap();
    let mut random = Random(28);
    let mut assets = Vec::new();
    let list = folders.inputs.join("list.jsonl");
    let mut lines = std::fs::File::create(&list).unwrap();
    for k in 0..count {
        let bytes = &sound[k % sound.len()];
        let name = format!("sub/{k}.glb");
        let path = folders.inputs.join(&name);
        let mut arguments: &[&str] = &[];
        let mut class = None;
        match k % 10 {
            3 => std::fs::write(&path, broken(k / 10, bytes, &mut random)).unwrap(),
            7 if k % 100 == 7 => {
                arguments = &["--method", "cells", "--steps", "100000000"];
                class = Some("timeout");
                std::fs::write(&path, bytes).unwrap();
            }
            9 if k % 100 == 9 => {
                arguments = &["--method", "voxel", "--resolution", "1024", "--uniform"];
                class = Some("memory");
                std::fs::write(&path, &sound[0]).unwrap();
            }
            8 if k / 10 < real.len() => {
                std::fs::copy(&real[k / 10], &path).unwrap();
            }
            _ => std::fs::write(&path, bytes).unwrap(),
        }
        let row = json!({"input": path, "output": name, "arguments": arguments});
        writeln!(lines, "{row}").unwrap();
        assets.push(Asset { name, class });
    }
    drop(lines);
    let start = |stop_after: Option<Duration>| {
        let mut command = ligament();
        command
            .arg("batch")
            .arg(format!("@{}", list.display()))
            .arg("-o")
            .arg(&folders.outputs);
        command
            .args(["--quiet", "--no-measures"])
            .args(limits)
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        match stop_after {
            None => child.wait().unwrap().code(),
            Some(time) => {
                std::thread::sleep(time);
                let _ = child.kill();
                let _ = child.wait();
                None
            }
        }
    };
    for _ in 0..20 {
        start(Some(Duration::from_millis(random.below(count * 20 + 300) as u64)));
    }
    assert_eq!(start(None), Some(1));

    let rows = folders.rows();
    let mut attempts: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for row in &rows {
        attempts
            .entry(row["output"].as_str().unwrap())
            .or_default()
            .push(row);
    }
    assert_eq!(attempts.len(), count);
    assert!(attempts.values().all(|rows| rows.len() == 1), "{attempts:?}");
    let mut known: BTreeMap<Vec<u8>, Option<Vec<u8>>> = BTreeMap::new();
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    for asset in &assets {
        let name = asset.name.as_str();
        let class = attempts[name][0]["class"].as_str().unwrap_or("none");
        *classes.entry(class).or_default() += 1;
        let quarantined = folders.outputs.join("quarantine").join(name).exists();
        assert_eq!(quarantined, class != "none", "{name}");
        if let Some(expected) = asset.class {
            assert_eq!(class, expected, "{name}");
            continue;
        }
        let input = folders.inputs.join(name);
        let bytes = std::fs::read(&input).unwrap();
        let expected = known
            .entry(bytes)
            .or_insert_with(|| alone(&input, &folders.inputs));
        match expected {
            Some(expected) => {
                assert_eq!(class, "none", "{}", attempts[name][0]);
                assert!(folders.output(name) == *expected, "{name}");
            }
            None => assert!(["input", "content"].contains(&class), "{name}: {class}"),
        }
    }
    println!("{count} assets, failures by class: {classes:?}");
    assert!(!folders.outputs.join(".work").exists());
}
