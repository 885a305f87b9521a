//! What we wrote reads back the same, from all three forms; what USD wrote reads right.

use glam::Vec3;
use ligament::Character;
use ligament::character::{Influence, PartAttachment};
use ligament_io::gltf::GltfFile;
use ligament_io::usd;
use ligament_testkit::corpus_characters;

use crate::common::{bound, converted, run_script};
use crate::writing::{moments, posed, usd_points};

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
fn assert_same(a: &Character, b: &Character) {
    let name = &a.name;
    let order = crate::writing::file_order(a);
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
        let [binary, package] = converted(&path);
        let ours = folder.path().join(format!("{}_ours.usdc", sample.name));
        std::fs::write(&ours, usd::write_binary(&character).unwrap()).unwrap();
        for form in [path, binary, package, ours] {
            let read = usd::read(&form).unwrap();
            assert_eq!(read.warnings, [], "{}", form.display());
            assert_same(&character, &read.character);
        }
    }
}

#[test]
fn real_characters_read_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "cesium_man",
        "kaykit_knight",
        "m2m_spider",
        "robot_expressive",
        "quaternius_stag",
    ] {
        let Some(path) = corpus_characters()
            .into_iter()
            .find(|p| p.file_stem().is_some_and(|s| s == name))
        else {
            continue;
        };
        let mut character = GltfFile::open(&path).unwrap().character().clone();
        character.clips.truncate(2);
        let own = folder.path().join(name);
        std::fs::create_dir(&own).unwrap();
        let usda = own.join(format!("{name}.usda"));
        usd::save(&character, &usda).unwrap();
        let [binary, package] = converted(&usda);
        for form in [usda, binary, package] {
            assert_same(&character, &usd::read(&form).unwrap().character);
        }
    }
}

#[test]
fn what_usd_wrote_reads_right() {
    let folder = tempfile::tempdir().unwrap();
    let usda = folder.path().join("hero.usda");
    run_script("make.py", &[&usda]);
    let moments = [(0, 0.0f32), (0, 0.5), (0, 1.1), (0, 2.0)];
    let codes = moments.map(|(clip, t)| (clip, f64::from(t) * 24.0));
    let theirs = usd_points(&usda, &codes);
    let [binary, package] = converted(&usda);
    for form in [usda.clone(), binary, package] {
        let read = usd::read(&form).unwrap();
        let c = &read.character;
        let codes: Vec<&str> = read.warnings.iter().map(|w| w.code).collect();
        assert_eq!(codes, ["unbound_mesh"]);
        c.mesh.check().unwrap();
        c.skeleton.check().unwrap();
        let names: Vec<&str> = c.mesh.parts.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["Body", "Hat", "Rock"]);
        assert_eq!(c.weights.as_ref().unwrap().max_influences(), 5);
        // 42 quads and 2 hexagons; 5 quads and 2 pentagons; 4 quads and 2 quads.
        assert_eq!(c.mesh.triangles.len(), 84 + 8 + 10 + 6 + 12);
        // Outsides face out although the file's faces are left-handed.
        for part in &c.mesh.parts {
            let volume: f32 = c.mesh.triangles[part.triangles.clone()]
                .iter()
                .map(|t| t.map(|v| c.mesh.positions[v as usize]))
                .map(|[a, b, c]| a.dot(b.cross(c)))
                .sum();
            assert!(volume > 0.0, "{} is inside out", part.name);
        }
        // The joints' frames have no scale of their own.
        for joint in c.skeleton.joints.iter().filter(|j| j.in_skin) {
            assert!(
                (joint.rest.scale - glam::DVec3::ONE).length() < 1e-6,
                "{:?}",
                joint.rest
            );
        }
        let vertices = c.mesh.positions.len();
        for (&(clip, seconds), theirs) in moments.iter().zip(theirs.chunks(vertices)) {
            let ours = posed(c, clip, seconds);
            for (v, (&p, q)) in ours.iter().zip(theirs).enumerate() {
                let expected = 0.01 * Vec3::new(q.x, q.z, -q.y);
                let apart = p.distance(expected);
                assert!(
                    apart < 1e-4 * c.mesh.diagonal(),
                    "{}: vertex {v} at {seconds}: {p} {expected}",
                    form.display()
                );
            }
        }
    }
}
