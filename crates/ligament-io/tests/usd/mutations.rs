//! Thousands of broken files: no panic, no runaway memory, and what is read is sound. A
//! program of its own, so that no other test's memory is counted.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod common;
#[cfg(feature = "external-tools")]
mod with_usd;

use common::bound;
use glam::Vec3;
use ligament::character::{BlendShape, Interpolation, ShapeMotion};
use ligament_io::usd;
use ligament_testkit::{Random, repeats};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn mutate(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(4) {
        // Binary files have their tables at the end: half of the changes aim there.
        let tail = bytes.len().min(3000);
        let at = if random.below(2) == 0 {
            random.below(bytes.len())
        } else {
            bytes.len() - 1 - random.below(tail)
        };
        match random.below(8) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 if random.below(4) == 0 => bytes.truncate(at.max(1)),
            3 => {
                let end = (at + random.below(64)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() - copy.len() + 1);
                bytes[to..to + copy.len()].copy_from_slice(&copy);
            }
            4 => {
                let end = (at + random.below(16)).min(bytes.len());
                bytes[at..end].fill([0, 0xFF, b' ', b'9', b'(', b'['][random.below(6)]);
            }
            5 => {
                let sign = b"(){}[]<>=,.;\"@-"[random.below(15)];
                bytes[at] = sign;
            }
            6 => {
                let end = (at + random.below(200)).min(bytes.len());
                bytes.drain(at..end);
                if bytes.is_empty() {
                    bytes.push(b'#');
                }
            }
            _ => {
                let digit = bytes[at..].iter().position(u8::is_ascii_digit);
                if let Some(digit) = digit {
                    bytes[at + digit] = b'0' + random.below(10) as u8;
                }
            }
        }
    }
    bytes
}

/// Reads a broken file; whatever was read must keep its promises.
fn read(bytes: &[u8]) -> bool {
    let Ok(read) = usd::read_bytes(bytes, "mutated") else {
        return false;
    };
    let c = read.character;
    let vertices = c.mesh.positions.len();
    for part in &c.mesh.parts {
        assert!(part.vertices.end <= vertices && part.triangles.end <= c.mesh.triangles.len());
    }
    assert!(
        c.mesh
            .triangles
            .iter()
            .flatten()
            .all(|&v| (v as usize) < vertices)
    );
    let joints = c.skeleton.joints.len();
    if let Some(weights) = &c.weights {
        assert_eq!(weights.vertex_count(), vertices);
        assert!(weights.influences().iter().all(|i| i.joint.at() < joints));
    }
    for (i, joint) in c.skeleton.joints.iter().enumerate() {
        assert!(joint.parent.is_none_or(|p| p.at() < i));
    }
    for track in c.clips.iter().flat_map(|c| &c.tracks) {
        assert!(track.joint.at() < joints);
        track.check().unwrap();
    }
    let _ = usd::write(&c);
    true
}

/// Good files: what we write, text and binary.
fn our_seeds() -> Vec<Vec<u8>> {
    let mut character = bound("tube@100");
    character.clips.truncate(2);
    character.mesh.blend_shapes = vec![BlendShape {
        name: "swell".to_owned(),
        part_vertices: character.mesh.parts[0].vertices.clone(),
        weight: 0.5,
        vertices: vec![1, 3, 7],
        offsets: vec![Vec3::X, Vec3::Y, Vec3::Z],
        normal_offsets: Some(vec![Vec3::X; 3]),
        motions: vec![ShapeMotion {
            clip: "swelling".to_owned(),
            interpolation: Interpolation::Linear,
            times: vec![0.0, 0.5, 1.0],
            values: vec![0.0, 1.0, 0.25],
        }],
    }];
    vec![
        usd::write(&character).unwrap().into(),
        usd::write_binary(&character).unwrap(),
    ]
}

#[cfg(not(feature = "external-tools"))]
fn seeds() -> Vec<Vec<u8>> {
    our_seeds()
}

/// What we write, USD's own forms of it, and a scene of USD's.
#[cfg(feature = "external-tools")]
fn seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let mut seeds = our_seeds();
    let ours = folder.path().join("tube.usda");
    std::fs::write(&ours, &seeds[0]).unwrap();
    let foreign = folder.path().join("hero.usda");
    with_usd::run_script("make.py", &[&foreign]);
    let files = [with_usd::converted(&ours), with_usd::converted(&foreign)].concat();
    for path in files.iter().chain([&foreign]) {
        seeds.push(std::fs::read(path).unwrap());
    }
    seeds
}

#[test]
fn no_mutation_panics_or_runs_away() {
    let seeds = seeds();
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let each = repeats(4000);
    let mut readable = vec![0; seeds.len()];
    for done in 0..each * seeds.len() {
        let seed = done % seeds.len();
        let bytes = mutate(&seeds[seed], &mut random);
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        readable[seed] += usize::from(read(&bytes));
        let used = ALLOCATOR.peak_usage().saturating_sub(before);
        let allowed = 128 * bytes.len() + (300 << 20);
        assert!(
            used < allowed,
            "mutation {done} of seed {seed} took {used} bytes for {}",
            bytes.len()
        );
    }
    eprintln!("readable after mutation, of {each} each: {readable:?}");
    // The mutations must reach past the first check, and must break something.
    for &count in &readable {
        assert!(count > each / 50 && count < each * 98 / 100, "{readable:?}");
    }
}
