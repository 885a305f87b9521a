//! Thousands of broken files: no panic, no runaway memory, and what is read is sound.

use ligament_testkit::{Random, corpus, repeats, spread};
use peak_alloc::PeakAlloc;

use crate::readers::{Read, readers};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn mutate(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(9) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(1)),
            3 => {
                // Another number of any length, also ones that nothing can hold.
                let number: &[&[u8]] = &[
                    b"-1",
                    b"4294967295",
                    b"18446744073709551615",
                    b"1e39",
                    b"0",
                    b"nan",
                    b"999999",
                ];
                let number = number[random.below(number.len())];
                let start = bytes[at..]
                    .iter()
                    .position(u8::is_ascii_digit)
                    .map_or(at, |i| at + i);
                let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                bytes.splice(start..start + length, number.iter().copied());
            }
            4 => {
                let end = (at + random.below(64)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            5 => {
                let end = (at + random.below(16)).min(bytes.len());
                bytes[at..end].fill([0, 0xFF, b' ', b'\n'][random.below(4)]);
            }
            6 => {
                let end = (at + random.below(24)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                if let Some(digit) = bytes[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                    *digit = b'0' + random.below(10) as u8;
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    bytes
}

fn attack(name: &str, seed: &[u8], read: &Read, times: usize, random: &mut Random) -> usize {
    let mut readable = 0;
    for i in 0..times {
        let bytes = mutate(seed, random);
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        readable += usize::from(read(&bytes));
        let used = ALLOCATOR.peak_usage().saturating_sub(before);
        // Other tests allocate at the same time, so the fixed part is generous; a count of
        // billions that is believed still shows.
        let allowed = 200 * bytes.len() + (256 << 20);
        assert!(
            used < allowed,
            "{name}: mutation {i} took {used} bytes for {}",
            bytes.len()
        );
    }
    readable
}

#[test]
fn every_reader_has_a_fuzz_target() {
    let manifest = ligament_testkit::project_root().join("fuzz/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).unwrap();
    for reader in readers() {
        let target = format!("[[bin]]\nname = \"{}\"\n", reader.name);
        assert!(
            manifest.contains(&target),
            "fuzz/Cargo.toml has no target '{}'",
            reader.name
        );
    }
}

#[test]
fn no_mutation_panics_or_runs_away() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let each = repeats(1500);
    for reader in readers() {
        let name = reader.name;
        let (mut done, mut readable) = (0, 0);
        for seed in &reader.seeds {
            assert!((reader.read)(seed), "{name}: the seed itself is not readable");
            readable += attack(name, seed, &reader.read, each, &mut random);
            done += each;
        }
        // The mutations must reach past the first check, and must break something.
        assert!(readable > done / 50, "{name}: {readable} of {done} were readable");
        assert!(readable < done || name == "mtl", "{name}: nothing broke");
    }
}

#[test]
fn no_mutation_of_a_real_file_panics_or_runs_away() {
    let Some(folder) = corpus() else { return };
    let mut random = Random(0xFEDC_BA98_7654_3211);
    let readers = readers();
    let reader_of = |path: &std::path::Path| {
        let ending = path.extension().unwrap_or_default();
        readers.iter().find(|reader| ending == reader.name)
    };
    let mut files: Vec<_> = std::fs::read_dir(folder.join("meshes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // The large ones tell no more.
        .filter(|path| reader_of(path).is_some() && path.metadata().unwrap().len() < 600_000)
        .collect();
    files.sort();
    assert!(files.len() > 20, "only {} files", files.len());
    for path in spread(files, 12) {
        let (bytes, reader) = (std::fs::read(&path).unwrap(), reader_of(&path).unwrap());
        attack(reader.name, &bytes, &reader.read, repeats(40), &mut random);
    }
}
