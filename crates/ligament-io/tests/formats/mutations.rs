//! Thousands of broken files: no panic, no runaway memory, and what is read is sound.

use glam::Vec3;
use ligament::Character;
use ligament::character::{JointIndex, Weights};
use ligament_io::import::{ImportError, Imported};
use ligament_io::weights::dmat;
use ligament_io::{anim, bvh, medit, mhskel, obj, off, ply, rignet, skel, skeleton_json, stl, tgf};
use ligament_testkit::{Random, corpus};
use peak_alloc::PeakAlloc;

use crate::seeds;

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

fn check(character: &Character) {
    if !character.mesh.positions.is_empty() {
        character.mesh.check().unwrap();
        for (i, a) in character.mesh.parts.iter().enumerate() {
            for b in &character.mesh.parts[i + 1..] {
                let apart = a.vertices.end <= b.vertices.start || b.vertices.end <= a.vertices.start;
                assert!(a.vertices == b.vertices || apart);
            }
        }
    }
    if !character.skeleton.joints.is_empty() {
        character.skeleton.check().unwrap();
    }
    for track in character.clips.iter().flat_map(|c| &c.tracks) {
        track.check().unwrap();
        assert!(track.joint.at() < character.skeleton.joints.len());
    }
    if let Some(weights) = &character.weights {
        check_weights(weights, character.skeleton.joints.len());
    }
}

fn check_weights(weights: &Weights, joints: usize) {
    assert!(weights.influences().iter().all(|i| i.joint.at() < joints));
    for influences in weights.iter() {
        let sum: f32 = influences.iter().map(|i| i.weight).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

/// Reads; says whether it could, and checks what it got.
type Reader = Box<dyn Fn(&[u8]) -> bool>;

fn character_reader(read: impl Fn(&[u8]) -> Result<Imported, ImportError> + 'static) -> Reader {
    Box::new(move |bytes| match read(bytes) {
        Ok(imported) => {
            check(&imported.character);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    })
}

fn formats() -> Vec<(&'static str, Vec<Vec<u8>>, Reader)> {
    let bytes = |text: &str| vec![text.as_bytes().to_vec()];
    let library = |_: &str| Some(seeds::MTL.as_bytes().to_vec());
    let json = skeleton_json::write(&seeds::skeleton());
    let mut formats: Vec<(&'static str, Vec<Vec<u8>>, Reader)> = vec![
        (
            "obj",
            bytes(seeds::OBJ),
            character_reader(move |b| obj::read(b, "", &library)),
        ),
        (
            "mtl",
            bytes(seeds::MTL),
            character_reader(|b| obj::read(seeds::OBJ.as_bytes(), "", &|_| Some(b.to_vec()))),
        ),
        (
            "off",
            [bytes(seeds::OFF), bytes(seeds::COFF)].concat(),
            character_reader(|b| off::read(b, "")),
        ),
        (
            "ply",
            vec![
                seeds::PLY.into(),
                seeds::binary_ply(false),
                seeds::binary_ply(true),
            ],
            character_reader(|b| ply::read(b, "")),
        ),
        (
            "stl",
            vec![seeds::STL.into(), seeds::binary_stl()],
            character_reader(|b| stl::read(b, "")),
        ),
        (
            "mesh",
            bytes(seeds::MEDIT),
            character_reader(|b| medit::read(b, "")),
        ),
        ("bvh", bytes(seeds::BVH), character_reader(|b| bvh::read(b, ""))),
        (
            "tgf",
            bytes(seeds::TGF),
            character_reader(|b| tgf::read(b, "").map(|t| t.imported)),
        ),
        (
            "skel",
            bytes(seeds::SKEL),
            character_reader(|b| skel::read(b, "")),
        ),
        (
            "anim",
            bytes(seeds::ANIM),
            character_reader(|b| {
                let mut imported = skel::read(seeds::SKEL.as_bytes(), "")?;
                let clip = anim::read(b, "", &imported.character.skeleton)?;
                imported.character.clips.push(clip);
                Ok(imported)
            }),
        ),
        (
            "mhskel",
            bytes(seeds::MHSKEL),
            character_reader(|b| mhskel::read(b, "", &[Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE])),
        ),
        (
            "rignet",
            bytes(seeds::RIGNET),
            character_reader(|b| rignet::read(b, "")),
        ),
        (
            "skeleton_json",
            bytes(&json),
            character_reader(|b| skeleton_json::read(b, "")),
        ),
    ];
    for (name, file, read) in seeds::weight_files() {
        let reader: Reader = Box::new(move |bytes| {
            let found = read(bytes, &seeds::skeleton(), 4);
            if let Ok(weights) = &found {
                assert_eq!(weights.vertex_count(), 4);
                check_weights(weights, 3);
            }
            found.is_ok()
        });
        formats.push((name, vec![file], reader));
    }
    let mut binary = b"0 0\n2 2\n".to_vec();
    binary.extend([0.5f64, 1.0, 0.5, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    let reader: Reader = Box::new(|bytes| {
        let found = dmat::read(bytes, &seeds::skeleton(), &[JointIndex(0), JointIndex(2)], 2);
        found.inspect(|w| check_weights(w, 3)).is_ok()
    });
    formats.push(("dmat", vec![b"2 2\n0.5\n1\n0.5\n0\n".to_vec(), binary], reader));
    formats
}

fn attack(name: &str, seed: &[u8], read: &Reader, times: usize, random: &mut Random) -> usize {
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
fn no_mutation_panics_or_runs_away() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for (name, good, read) in formats() {
        let (mut done, mut readable) = (0, 0);
        for seed in &good {
            assert!(read(seed), "{name}: the seed itself is not readable");
            readable += attack(name, seed, &read, 1500, &mut random);
            done += 1500;
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
    let formats = formats();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("meshes")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default()
            .to_owned();
        let Some((name, _, read)) = formats.iter().find(|f| f.0 == ending) else {
            continue;
        };
        // The large ones tell no more.
        if bytes.len() < 600_000 {
            attack(name, &bytes, read, 40, &mut random);
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} files");
}
