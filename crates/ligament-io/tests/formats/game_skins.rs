//! IQM, MD5 and Collada: what is written by the descriptions of the formats is read to the same character.

use ligament::Character;
use ligament::character::{Clip, JointIndex, Pose};
use ligament_io::import::Imported;
use ligament_io::{collada, companion, iqm, md5};

use crate::written;

fn sample(name: &str) -> Character {
    let c = ligament::sample::make(name).unwrap();
    let task = ligament::task::Task::unattended();
    let options = ligament::bind::BindOptions::default();
    let bound = ligament::bind::Method::named("heat")
        .unwrap()
        .bind_character(&c, &options, &task);
    Character {
        weights: Some(bound.unwrap().weights),
        ..c
    }
}

/// The same mesh, weights, joints and, posed by a clip, the same joints.
fn assert_same(before: &Character, after: &Character, clip: Option<(&Clip, &Clip)>, format: &str) {
    let size = before.mesh.diagonal();
    assert_eq!(
        before.mesh.positions.len(),
        after.mesh.positions.len(),
        "{format}"
    );
    for (a, b) in before.mesh.positions.iter().zip(&after.mesh.positions) {
        assert!(a.distance(*b) < 1e-5 * size, "{format}: {a} {b}");
    }
    assert_eq!(before.mesh.triangles, after.mesh.triangles, "{format}");
    assert_eq!(
        before.skeleton.joints.len(),
        after.skeleton.joints.len(),
        "{format}"
    );
    let there: Vec<JointIndex> = before
        .skeleton
        .joints
        .iter()
        .map(|j| after.skeleton.find(&j.name).unwrap())
        .collect();
    for (a, &b) in before.skeleton.joints.iter().zip(&there) {
        let b = after.skeleton.joint(b);
        assert_eq!(a.parent.map(|p| there[p.at()]), b.parent, "{format}: {}", a.name);
        let apart = a
            .bind_from_joint
            .translation
            .distance(b.bind_from_joint.translation);
        assert!(
            apart < 1e-5 * f64::from(size),
            "{format}: {} is {apart} off",
            a.name
        );
        let turned = a
            .bind_from_joint
            .matrix3
            .abs_diff_eq(b.bind_from_joint.matrix3, 1e-5);
        assert!(turned, "{format}: {}", a.name);
    }
    let [a, b] = [before, after].map(|c| c.weights.as_ref().unwrap());
    for v in 0..before.mesh.positions.len() {
        for influence in a.of_vertex(v) {
            let weight = b.weight(v, there[influence.joint.at()]);
            assert!((weight - influence.weight).abs() < 1e-5, "{format}: vertex {v}");
        }
    }
    let Some((ours, theirs)) = clip else { return };
    for time in [0.0, 0.05, 0.1] {
        let place = |c: &Character, clip: &Clip| {
            Pose::world_from_joints(&clip.pose_at(&c.skeleton, time), &c.skeleton)
        };
        let (a, b) = (place(before, ours), place(after, theirs));
        for (a, &b_index) in a.iter().zip(&there) {
            let apart = a.translation.distance(b[b_index.at()].translation);
            assert!(apart < 2e-3 * f64::from(size), "{format}: at {time} {apart} off");
        }
    }
}

#[test]
fn iqm_is_read_as_its_description_says() {
    for name in ["tube@200", "hound@800"] {
        let before = sample(name);
        let beside = |file: &str| (file == "cloth.png").then(|| b"a picture".to_vec());
        let read = iqm::read(&written::iqm(&before), "x", &beside).unwrap();
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let after = &read.character;
        let hop = written::hop(&before, false);
        assert_same(&before, after, Some((&hop, &after.clips[0])), "iqm");
        assert_eq!((after.clips[0].name.as_str(), after.mesh.parts.len()), ("hop", 1));
        let material = &after.mesh.parts[0].material;
        assert_eq!(
            (material.name.as_str(), material.texture.is_some()),
            ("cloth", true)
        );
    }
}

#[test]
fn md5_is_read_as_its_description_says() {
    for name in ["tube@200", "hound@800"] {
        let before = sample(name);
        let read = md5::read_mesh(written::md5mesh(&before).as_bytes(), "x", &companion::none).unwrap();
        let after = read.character;
        assert_same(&before, &after, None, "md5mesh");
        assert_eq!(after.mesh.parts[0].material.name, "cloth");
        let motion = md5::read_clip(written::md5anim(&before).as_bytes(), "hop")
            .unwrap()
            .character;
        let hop = written::hop(&before, true);
        let moved = Character {
            skeleton: motion.skeleton,
            ..before.clone()
        };
        assert_same(&before, &moved, Some((&hop, &motion.clips[0])), "md5anim");
    }
}

#[test]
fn collada_is_read_as_its_description_says() {
    for name in ["tube@200", "hound@800"] {
        let before = sample(name);
        let read = collada::read(written::collada(&before).as_bytes(), "x", &companion::none).unwrap();
        let after = &read.character;
        let hop = written::hop(&before, false);
        assert_same(&before, after, Some((&hop, &after.clips[0])), "collada");
        let material = &after.mesh.parts[0].material;
        assert_eq!(
            (material.name.as_str(), material.base_color),
            ("cloth", [0.5, 0.25, 0.125, 1.0])
        );
    }
}

fn refusal(read: Result<Imported, ligament_io::import::ImportError>) -> String {
    read.unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let none = companion::none;
    let tube = written::tube();
    assert!(refusal(iqm::read(b"nothing", "", &none)).contains("not IQM"));
    let whole = written::iqm(&tube);
    assert!(refusal(iqm::read(&whole[..whole.len() / 2], "", &none)).contains("cut off"));
    let mut other = whole;
    other[16] = 1;
    assert!(refusal(iqm::read(&other, "", &none)).contains("version 1"));
    let text = written::md5mesh(&tube);
    assert!(refusal(md5::read_mesh(b"x", "", &none)).contains("MD5Version"));
    let first = format!("\ttri 0 {} ", tube.mesh.triangles[0][0]);
    let wrong = text.replacen(&first, "\ttri 0 99999 ", 1);
    assert!(refusal(md5::read_mesh(wrong.as_bytes(), "", &none)).contains("vertex that is not there"));
    let cut = &text[..text.len() - 40];
    assert!(refusal(md5::read_mesh(cut.as_bytes(), "", &none)).contains("line "));
    let dae = written::collada(&tube);
    assert!(refusal(collada::read(&dae.as_bytes()[..dae.len() / 2], "", &none)).contains("cut off"));
    let wrong = dae.replacen("url=\"#c\"", "url=\"#nowhere\"", 1);
    assert!(refusal(collada::read(wrong.as_bytes(), "", &none)).contains("#nowhere"));
}
