//! Broken files of every format that can be written, bound by the default method through the real command: it ends in good time, says what is wrong or binds, and
//! leaves a whole file or none.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use ligament_testkit::{Random, commands, target_dir};

use crate::{ligament, run};

/// Files that are sound, each in a folder of its own, with what binds it.
fn seeds(folder: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let place = |ending: &str| {
        let own = folder.join(ending);
        std::fs::create_dir(&own).unwrap();
        own.join(format!("seed.{ending}"))
    };
    let mut seeds = Vec::new();
    for ending in ["glb", "gltf", "fbx", "usda", "usdc"] {
        let path = place(ending);
        let made = run(&["convert", "sample:athlete@1000", "-o", path.to_str().unwrap()]);
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{ending}: {said}");
        seeds.push((path, Vec::new()));
    }
    let skeleton = vec!["--skeleton".to_owned(), seeds[0].0.display().to_string()];
    let mesh = ligament::sample::make("athlete@1000").unwrap().mesh;
    let (vertices, faces) = (mesh.positions.len(), mesh.triangles.len());
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    );
    for (ending, head, vertex, face, first) in [
        ("obj", String::new(), "v ", "f ", 1),
        ("off", format!("OFF\n{vertices} {faces} 0\n"), "", "3 ", 0),
        ("ply", ply, "", "3 ", 0),
    ] {
        let mut text = head;
        for p in &mesh.positions {
            text += &format!("{vertex}{} {} {}\n", p.x, p.y, p.z);
        }
        for [a, b, c] in &mesh.triangles {
            text += &format!("{face}{} {} {}\n", a + first, b + first, c + first);
        }
        let path = place(ending);
        std::fs::write(&path, text).unwrap();
        seeds.push((path, skeleton.clone()));
    }
    seeds
}

/// A few bytes replaced, a piece cut out or repeated, the end cut off, or a number of a text made wild.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(64)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => {
                bytes.drain(at..end);
            }
            3 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => {
                let wild: &[u8] = match random.below(5) {
                    0 => b"1e30",
                    1 => b"-1e9",
                    2 => b"nan",
                    3 => b"4294967295",
                    _ => &[0xFF, 0xFF, 0x7F, 0x7F],
                };
                let end = (at + wild.len()).min(bytes.len());
                bytes.splice(at..end, wild.iter().copied());
            }
            _ if random.below(8) == 0 => bytes.truncate(at.max(1)),
            _ => bytes[at] = b'0',
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

/// Runs the command, but no longer than a limit: its exit status and what it said, or `None` if it did not end.
fn within(limit: Duration, args: &[String], said: &Path) -> Option<(Option<i32>, String)> {
    // Into a file: a pipe that nobody empties would hold up a command that says much.
    let words = std::fs::File::create(said).unwrap();
    let mut child = ligament()
        .args(args)
        .stdout(Stdio::null())
        .stderr(words)
        .spawn()
        .unwrap();
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some((status.code(), std::fs::read_to_string(said).unwrap_or_default()));
        }
        if start.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Nobody reads more.
const MOST_WORDS: usize = 8192;

#[test]
fn no_broken_file_takes_the_default_bind_down() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = seeds(folder.path());
    let mut random = Random(0x00C0_FFEE_1234_5678);
    let each = commands(10_000) / seeds.len();
    let (mut bound, mut refused, mut failures) = (0, 0, Vec::new());
    for (seed, extra) in &seeds {
        let bytes = std::fs::read(seed).unwrap();
        let ending = seed.extension().unwrap().to_str().unwrap();
        let work = seed.parent().unwrap();
        let (input, output) = (work.join(format!("broken.{ending}")), work.join("bound.glb"));
        let mut args = vec!["bind".to_owned(), input.display().to_string()];
        args.extend(["-o".to_owned(), output.display().to_string()]);
        args.extend(extra.clone());
        std::fs::write(&input, &bytes).unwrap();
        let start = Instant::now();
        assert_eq!(
            run(&args.iter().map(String::as_str).collect::<Vec<_>>())
                .status
                .code(),
            Some(0)
        );
        // Faces that a mutation scatters fill the whole box, and the solid with it: its resolution bounds the work, at some ten seconds without optimisation. Other tests run beside
        // this one.
        let limit = 10 * start.elapsed() + Duration::from_secs(60);
        let files = || std::fs::read_dir(work).unwrap().count();
        let usual = files();
        for mutant in 0..each.max(1) {
            let broken = mutated(&bytes, &mut random);
            std::fs::write(&input, &broken).unwrap();
            let _ = std::fs::remove_file(&output);
            let came = within(limit, &args, &folder.path().join("said.txt"));
            let fault = match &came {
                None => Some("it did not end".to_owned()),
                Some((_, said)) if said.len() > MOST_WORDS => Some(format!("it says {} bytes", said.len())),
                Some((Some(0), _)) if output.exists() => None,
                Some((Some(1 | 2), said)) if !output.exists() && !said.contains("panicked") => None,
                Some((status, said)) => Some(format!("{status:?}, output {}: {said}", output.exists())),
            };
            let beside = files() > usual;
            let fault = fault.or_else(|| beside.then(|| "something is left beside the output".to_owned()));
            if let Some(fault) = fault {
                // Kept, so that it can be looked into and become a test.
                let kept = target_dir().join(format!("failed-mutants/{mutant}.{ending}"));
                std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
                std::fs::write(&kept, &broken).unwrap();
                failures.push(format!("{}: {fault}", kept.display()));
            } else if came.is_some_and(|c| c.0 == Some(0)) {
                bound += 1;
            } else {
                refused += 1;
            }
        }
    }
    println!("{bound} were bound, {refused} refused");
    assert!(
        failures.is_empty(),
        "{} of them:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(
        bound > 0 && refused > 0,
        "the mutations break too much or too little"
    );
}
