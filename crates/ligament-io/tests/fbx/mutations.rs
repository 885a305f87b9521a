//! Thousands of broken files: no panic, no runaway memory or time, and what is read is
//! sound.

use std::time::{Duration, Instant};

use ligament_io::fbx;
use ligament_testkit::{Random, corpus, repeats};
use peak_alloc::PeakAlloc;

use crate::strip::Strip;

#[global_allocator]
pub static ALLOCATOR: PeakAlloc = PeakAlloc;

fn mutate(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(9) {
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
                bytes[at..end].fill([0, 0xFF, b' ', b'9'][random.below(4)]);
            }
            5 => {
                // Large numbers where lengths and counts are.
                let numbers = [u64::MAX, 1 << 31, 0x7FF0_0000_0000_0000, f64::NAN.to_bits(), 1];
                let number = numbers[random.below(5)].to_le_bytes();
                let end = (at + 8).min(bytes.len());
                bytes[at..end].copy_from_slice(&number[..end - at]);
            }
            _ => change_digits(&mut bytes, at, random),
        }
    }
    bytes
}

/// Replaces the next number in the text by another of the same length.
fn change_digits(bytes: &mut [u8], from: usize, random: &mut Random) {
    let Some(start) = bytes[from..]
        .iter()
        .position(u8::is_ascii_digit)
        .map(|i| from + i)
    else {
        return;
    };
    let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    for b in &mut bytes[start..start + length] {
        *b = b'0' + random.below(10) as u8;
    }
}

/// Reads a broken file; whatever was read must keep its promises.
fn read(bytes: &[u8]) -> bool {
    let Ok(imported) = fbx::read(bytes, "mutated") else {
        return false;
    };
    let c = &imported.character;
    let (vertices, triangles) = (c.mesh.positions.len(), c.mesh.triangles.len());
    let mut next = 0;
    for part in &c.mesh.parts {
        assert_eq!(part.triangles.start, next);
        next = part.triangles.end;
        assert!(part.vertices.end <= vertices && next <= triangles);
        assert!(
            c.mesh.triangles[part.triangles.clone()]
                .iter()
                .flatten()
                .all(|&v| part.vertices.contains(&(v as usize)))
        );
    }
    assert_eq!(next, triangles);
    assert!(c.mesh.normals.as_ref().is_none_or(|n| n.len() == vertices));
    assert!(c.mesh.colors.as_ref().is_none_or(|n| n.len() == vertices));
    for (j, joint) in c.skeleton.joints.iter().enumerate() {
        assert!(joint.parent.is_none_or(|p| p.at() < j));
    }
    if let Some(weights) = &c.weights {
        assert_eq!(weights.vertex_count(), vertices);
        assert!(
            weights
                .influences()
                .iter()
                .all(|i| i.joint.at() < c.skeleton.joints.len())
        );
    }
    for track in c.clips.iter().flat_map(|c| &c.tracks) {
        track.check().unwrap();
        assert!(track.joint.at() < c.skeleton.joints.len());
    }
    true
}

#[test]
fn no_mutation_panics_or_runs_away() {
    let mut seeds: Vec<Vec<u8>> = vec![
        Strip::default().bytes(),
        Strip {
            rest_degrees: 30.0,
            scale: ([2.0, 2.0, 1.0], false),
            ..Strip::default()
        }
        .bytes(),
        Strip {
            bones: false,
            ..Strip::default()
        }
        .bytes(),
        Strip {
            meshes: false,
            ..Strip::default()
        }
        .bytes(),
    ];
    // What we write ourselves, packed arrays and all.
    seeds.push(fbx::write(&crate::writing::dressed()).unwrap());
    let made = seeds.len();
    if let Some(corpus) = corpus() {
        // Binary files; the largest tells no more than the others.
        seeds.extend(
            [
                "rocketbox_dog_germanshepard_01",
                "rocketbox_male_adult_01",
                "rocketbox_m_walk_neutral",
            ]
            .map(|name| std::fs::read(corpus.join(format!("open/fbx/{name}.fbx"))).unwrap()),
        );
    }
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut done, mut readable, mut slowest) = (0, 0, Duration::ZERO);
    while done < repeats(12_000) {
        // Real files are larger and slower: one in four.
        let seed = if done % 4 == 3 && seeds.len() > made {
            made + random.below(seeds.len() - made)
        } else {
            random.below(made)
        };
        let bytes = mutate(&seeds[seed], &mut random);
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let start = Instant::now();
        readable += usize::from(read(&bytes));
        slowest = slowest.max(start.elapsed());
        // Other tests in this program allocate at the same time: a generous rest.
        let used = ALLOCATOR.peak_usage().saturating_sub(before);
        let allowed = 200 * bytes.len() + (256 << 20);
        assert!(
            used < allowed,
            "mutation {done} of seed {seed} took {used} bytes for {}",
            bytes.len()
        );
        done += 1;
    }
    assert!(slowest < Duration::from_secs(5), "one took {slowest:?}");
    // The mutations must reach past the first check, and must break something.
    assert!(
        readable > done / 50 && readable < done * 99 / 100,
        "{readable} of {done} were readable"
    );
}
