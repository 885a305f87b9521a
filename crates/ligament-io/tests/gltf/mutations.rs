//! Thousands of broken files: no panic, no runaway memory, and what is read is sound.

use std::sync::Mutex;

use ligament_io::gltf::{Document, GltfFile};
use ligament_testkit::{Random, corpus_characters, repeats};
use peak_alloc::PeakAlloc;

use crate::{draco, zoo};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Held while memory is measured, and by tests that need much of it.
pub static MEASURING: Mutex<()> = Mutex::new(());

/// Breaks the bytes from `start` on: compressed data rather than JSON.
fn mutate_data(good: &[u8], start: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(4) {
        // The counts are at the beginning.
        let reach = [40, usize::MAX][random.below(2)].min(bytes.len() - start);
        let at = start + random.below(reach);
        match random.below(4) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => {
                let end = (at + random.below(6)).min(bytes.len());
                bytes[at..end].fill([0, 0xFF, 0x7F, 0x80][random.below(4)]);
            }
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
    }
    bytes
}

fn mutate(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    // Most changes aim at the JSON, where the structure is.
    let json_end =
        (20 + u32::from_le_bytes([good[12], good[13], good[14], good[15]]) as usize).min(good.len());
    for _ in 0..=random.below(4) {
        let at = if random.below(4) == 0 {
            random.below(bytes.len())
        } else {
            random.below(json_end.min(bytes.len()))
        };
        match random.below(8) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(1)),
            3 => change_digits(&mut bytes, at, random),
            4 => {
                let end = (at + random.below(64)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() - copy.len() + 1);
                bytes[to..to + copy.len()].copy_from_slice(&copy);
            }
            5 => {
                let end = (at + random.below(16)).min(bytes.len());
                bytes[at..end].fill([0, 0xFF, b' ', b'9'][random.below(4)]);
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
    for (i, b) in bytes[start..start + length].iter_mut().enumerate() {
        *b = if i == 0 && length > 1 {
            b'1' + random.below(9) as u8
        } else {
            b'0' + random.below(10) as u8
        };
    }
}

/// Reads a broken file; whatever was read must keep its promises.
fn read(bytes: &[u8]) -> bool {
    let Ok(gltf) = Document::from_bytes(bytes).and_then(|d| GltfFile::from_document(d, "mutated")) else {
        return false;
    };
    let c = gltf.character();
    for part in &c.mesh.parts {
        assert!(part.vertices.end <= c.mesh.positions.len() && part.triangles.end <= c.mesh.triangles.len());
    }
    assert!(
        c.mesh
            .triangles
            .iter()
            .flatten()
            .all(|&v| (v as usize) < c.mesh.positions.len())
    );
    for shape in gltf.blend_shapes() {
        let part = &shape.part_vertices;
        assert!(part.end <= c.mesh.positions.len() && shape.offsets.len() == shape.vertices.len());
        assert!(shape.vertices.iter().all(|&v| part.contains(&(v as usize))));
        assert!(shape.offsets.iter().all(|o| o.is_finite()));
    }
    if let Some(weights) = &c.weights {
        assert_eq!(weights.vertex_count(), c.mesh.positions.len());
        assert!(
            weights
                .influences()
                .iter()
                .all(|i| i.joint.at() < c.skeleton.joints.len())
        );
        let document = gltf.with_weights(weights, ligament_io::gltf::WeightFormat::Keep);
        if let Ok(document) = document {
            let _ = document.to_glb();
        }
    }
    true
}

#[test]
fn no_mutation_panics_or_runs_away() {
    let _lock = MEASURING.lock().unwrap();
    let mut seeds: Vec<Vec<u8>> = zoo::all().iter().map(|(_, f)| f.bytes()).collect();
    seeds.extend([
        zoo::unbound().glb(),
        zoo::skinless().glb(),
        zoo::rigid_helmet().glb(),
    ]);
    let compressed = draco::seeds();
    seeds.extend(compressed.iter().step_by(3).map(|(bytes, _)| bytes.clone()));
    let made = seeds.len();
    // Real files, the small ones: a mutation of a large one tells no more.
    seeds.extend(corpus_characters().iter().filter_map(|path| {
        let bytes = std::fs::read(path).ok()?;
        (bytes.len() < 300_000 && bytes.starts_with(b"glTF")).then_some(bytes)
    }));
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut done, mut readable) = (0, 0);
    while done < repeats(12_000) {
        // Real files are larger and slower: one in eight.
        let seed = if done % 8 == 7 && seeds.len() > made {
            made + random.below(seeds.len() - made)
        } else {
            random.below(made)
        };
        let bytes = if done % 5 == 4 {
            let (good, start) = &compressed[random.below(compressed.len())];
            mutate_data(good, *start, &mut random)
        } else {
            mutate(&seeds[seed], &mut random)
        };
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        readable += usize::from(read(&bytes));
        let used = ALLOCATOR.peak_usage().saturating_sub(before);
        let allowed = 200 * bytes.len() + (64 << 20);
        assert!(
            used < allowed,
            "mutation {done} of seed {seed} took {used} bytes for {}",
            bytes.len()
        );
        done += 1;
    }
    // The mutations must reach past the first check, and must break something.
    assert!(
        readable > done / 50 && readable < done * 9 / 10,
        "{readable} of {done} were readable"
    );
}
