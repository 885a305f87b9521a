//! What we wrote reads back the same, from text and binary.

use glam::Vec3;
use ligament::Character;
use ligament::character::{Channel, Clip, Influence, Interpolation, PartAttachment, Track};
use ligament_io::gltf::GltfFile;
use ligament_io::usd;
use ligament_testkit::corpus_characters;

use crate::common::bound;
use crate::posing::{file_order, moments, posed};

/// The joint's names from the root down.
fn lineage(c: &Character, joint: ligament::JointIndex) -> Vec<&str> {
    let mut names = Vec::new();
    let mut next = Some(joint);
    while let Some(j) = next {
        names.push(c.skeleton.joint(j).name.as_str());
        next = c.skeleton.joint(j).parent;
    }
    names
}

/// Everything that the writer promises to keep.
pub fn assert_same(a: &Character, b: &Character) {
    let name = &a.name;
    let order = file_order(a);
    let gathered: Vec<Vec3> = order.iter().map(|&v| a.mesh.positions[v]).collect();
    assert_eq!(gathered, b.mesh.positions, "{name}: positions");
    assert_eq!(
        a.mesh.triangles.len(),
        b.mesh.triangles.len(),
        "{name}: triangles"
    );
    assert_eq!(a.mesh.parts.len(), b.mesh.parts.len(), "{name}: parts");
    assert_eq!(a.mesh.normals.is_some(), b.mesh.normals.is_some());
    assert_eq!(a.mesh.colors.is_some(), b.mesh.colors.is_some());
    for (p, q) in a.mesh.parts.iter().zip(&b.mesh.parts) {
        let shown = |n: &str, other: &str| {
            if n.is_empty() {
                other.to_owned()
            } else {
                n.to_owned()
            }
        };
        assert_eq!(shown(&p.name, &q.name), q.name);
        assert_eq!(p.material.base_color, q.material.base_color, "{name}: {}", p.name);
        let corners = |c: &Character, part: &ligament::Part| -> Vec<Vec3> {
            let triangles = &c.mesh.triangles[part.triangles.clone()];
            triangles
                .iter()
                .flatten()
                .map(|&v| c.mesh.positions[v as usize])
                .collect()
        };
        assert_eq!(corners(a, p), corners(b, q), "{name}: faces of {}", p.name);
        match (p.attachment, q.attachment) {
            (PartAttachment::Skin, PartAttachment::Skin) => {}
            (PartAttachment::Rigid(j), PartAttachment::Rigid(k)) => {
                assert_eq!(a.skeleton.joint(j).name, b.skeleton.joint(k).name);
            }
            other => panic!("{name}: {} hangs as {other:?}", p.name),
        }
    }
    // Joints: those of the skin, in the same order, with the same places.
    let skin = |c: &Character| {
        c.skeleton
            .indices()
            .filter(|&j| c.skeleton.joint(j).in_skin)
            .collect::<Vec<_>>()
    };
    let (ours, theirs) = (skin(a), skin(b));
    assert_eq!(ours.len(), theirs.len(), "{name}: joints");
    let size = f64::from(a.mesh.diagonal());
    for (&j, &k) in ours.iter().zip(&theirs) {
        assert_eq!(a.skeleton.joint(j).name, b.skeleton.joint(k).name);
        let parents = [a.skeleton.skin_parent(j), b.skeleton.skin_parent(k)];
        let names = [
            parents[0].map(|p| lineage(a, p)[0]),
            parents[1].map(|p| lineage(b, p)[0]),
        ];
        assert_eq!(names[0], names[1], "{name}: parents");
        let apart = a.skeleton.bind_position(j).distance(b.skeleton.bind_position(k));
        assert!(apart < 1e-9 * size.max(1.0), "{name}: a joint moved by {apart}");
    }
    let (Some(w), Some(x)) = (&a.weights, &b.weights) else {
        panic!("{name}: weights are lost");
    };
    for (at, &v) in order.iter().enumerate() {
        if a.mesh.part_of_vertex(v).unwrap().attachment != PartAttachment::Skin {
            continue;
        }
        let named = |c: &Character, list: &[Influence]| -> Vec<(String, f32)> {
            let name = |i: &Influence| (c.skeleton.joint(i.joint).name.clone(), i.weight);
            let mut named: Vec<_> = list.iter().map(name).collect();
            named.sort_by(|a, b| a.0.cmp(&b.0)); // equal weights may change places
            named
        };
        let (p, q) = (named(a, w.of_vertex(v)), named(b, x.of_vertex(at)));
        assert_eq!(p.len(), q.len(), "{name}: vertex {v}");
        for (p, q) in p.iter().zip(&q) {
            assert!(
                p.0 == q.0 && (p.1 - q.1).abs() < 1e-6,
                "{name}: vertex {v} {p:?} {q:?}"
            );
        }
    }
    let named = |c: &Character| -> Vec<String> {
        let moving = c.clips.iter().filter(|c| !c.tracks.is_empty());
        moving.map(|c| c.name.clone()).collect()
    };
    assert_eq!(named(a), named(b), "{name}: clips");
    for (clip, seconds) in moments(a) {
        let (p, q) = (posed(a, clip, seconds), posed(b, clip, seconds));
        let worst = order
            .iter()
            .enumerate()
            .map(|(at, &v)| p[v].distance(q[at]))
            .fold(0.0, f32::max);
        assert!(
            worst < 3e-5 * a.mesh.diagonal(),
            "{name}: clip {clip} at {seconds} s is {worst} off"
        );
    }
}

#[test]
fn samples_read_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for sample in ligament::sample::names() {
        let character = bound(&format!("{}@{}", sample.name, sample.fewest.max(2000)));
        let path = folder.path().join(format!("{}.usda", sample.name));
        std::fs::write(&path, usd::write(&character).unwrap()).unwrap();
        let binary = path.with_extension("usdc");
        std::fs::write(&binary, usd::write_binary(&character).unwrap()).unwrap();
        for form in [path, binary] {
            let read = usd::read(&form).unwrap();
            assert_eq!(read.warnings, [], "{}", form.display());
            assert_same(&character, &read.character);
        }
    }
}

/// A few real characters, each with two of its clips.
pub fn real_characters() -> Vec<Character> {
    let names = [
        "cesium_man",
        "kaykit_knight",
        "m2m_spider",
        "robot_expressive",
        "quaternius_stag",
    ];
    corpus_characters()
        .into_iter()
        .filter(|p| p.file_stem().is_some_and(|s| names.iter().any(|n| s == *n)))
        .map(|path| {
            let mut character = GltfFile::open(&path).unwrap().character().as_ref().clone();
            character.clips.truncate(2);
            character
        })
        .collect()
}

#[test]
fn real_characters_read_back_the_same() {
    for character in real_characters() {
        // A folder for each: textures of different characters may have one name.
        let folder = tempfile::tempdir().unwrap();
        let usda = folder.path().join("character.usda");
        usd::save(&character, &usda).unwrap();
        assert_same(&character, &usd::read(&usda).unwrap().character);
    }
}

/// A T-pose that is the rest pose is still a clip that someone asks for by its name.
#[test]
fn a_clip_that_rests_is_a_clip() {
    let mut c = ligament::sample::make("tube@200").unwrap();
    let joint = c.clips[0].tracks[0].joint;
    let rest = c.skeleton.joint(joint).rest.rotation.to_array().map(|x| x as f32);
    c.clips.push(Clip {
        name: "T-Pose".to_owned(),
        tracks: vec![Track {
            joint,
            channel: Channel::Rotation,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 1.0],
            values: [rest, rest].concat(),
        }],
    });
    let read = usd::read_bytes(usd::write(&c).unwrap().as_bytes(), "tube").unwrap();
    let names = |c: &Character| -> Vec<String> { c.clips.iter().map(|c| c.name.clone()).collect() };
    assert_eq!(names(&read.character), names(&c));
    let last = read.character.clips.last().unwrap();
    assert_eq!(last.span_secs(), (0.0, 1.0));
}
