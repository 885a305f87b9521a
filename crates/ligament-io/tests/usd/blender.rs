//! Blender opens what is written: upright, the right size, left on the left, with bones at
//! the joints and vertex groups that hold the weights.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use glam::Vec3;
use ligament::Character;
use ligament::character::{Influence, PartAttachment};
use ligament_io::usd;
use ligament_testkit::{python_with_blender, run};
use serde::Deserialize;

use crate::common::bound;
use crate::with_usd::script;

#[derive(Deserialize)]
struct Scene {
    meshes: Vec<BlenderMesh>,
    bones: BTreeMap<String, [f32; 3]>,
}

#[derive(Deserialize)]
struct BlenderMesh {
    name: String,
    positions: Vec<[f32; 3]>,
    groups: Vec<BTreeMap<String, f32>>,
}

/// Z is up in Blender.
fn to_blender(p: Vec3) -> Vec3 {
    Vec3::new(p.x, -p.z, p.y)
}

fn check(sample: &str) {
    let c = bound(sample);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("character.usda");
    std::fs::write(&path, usd::write(&c).unwrap()).unwrap();
    let exported = folder.path().join("exported.usdc");
    let output = run(Command::new(python_with_blender())
        .arg(script("blender.py"))
        .arg(&path)
        .arg(&exported));
    let line = output.lines().find_map(|l| l.strip_prefix("RESULT "));
    let scene: Scene = serde_json::from_str(line.expect("the script prints its result")).unwrap();
    let tolerance = 1e-4 * c.mesh.diagonal();
    assert_eq!(scene.bones.len(), c.skeleton.joints.len(), "{sample}: bones");
    for joint in &c.skeleton.joints {
        let head = Vec3::from_array(scene.bones[&joint.name]);
        let wanted = to_blender(joint.bind_from_joint.translation.as_vec3());
        assert!(
            head.distance(wanted) < tolerance,
            "{sample}: {} at {head}, not {wanted}",
            joint.name
        );
    }
    let weights = c.weights.as_ref().unwrap();
    let mut checked = 0;
    for part in c
        .mesh
        .parts
        .iter()
        .filter(|p| p.attachment == PartAttachment::Skin)
    {
        let plain = |n: &str| n.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let theirs = scene.meshes.iter().find(|m| plain(&m.name) == plain(&part.name));
        let theirs = theirs.unwrap_or_else(|| panic!("{sample}: {} is not in Blender", part.name));
        assert_eq!(
            theirs.positions.len(),
            part.vertices.len(),
            "{sample}: {}",
            part.name
        );
        for (v, (at, groups)) in part
            .vertices
            .clone()
            .zip(theirs.positions.iter().zip(&theirs.groups))
        {
            let wanted = to_blender(c.mesh.positions[v]);
            let apart = Vec3::from_array(*at).distance(wanted);
            assert!(apart < tolerance, "{sample}: vertex {v} at {at:?}, not {wanted}");
            let ours = weights.of_vertex(v);
            let close = |i: &Influence| {
                let group = groups.get(&c.skeleton.joint(i.joint).name);
                (group.copied().unwrap_or(0.0) - i.weight).abs() < 1e-4
            };
            assert!(
                ours.iter().all(close) && groups.len() == ours.len(),
                "{sample}: vertex {v} has {ours:?}, Blender {groups:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 0, "{sample}");
    check_exported(&c, &exported);
}

/// What Blender wrote reads as what was given to it: the same skin, weights and joints.
fn check_exported(c: &Character, exported: &Path) {
    let read = usd::read(exported).unwrap();
    let (back, tolerance) = (&read.character, 1e-4 * c.mesh.diagonal());
    for joint in c.skeleton.joints.iter() {
        let found = back.skeleton.find(&joint.name).expect("every joint is there");
        let at = back.skeleton.bind_position(found).as_vec3();
        let wanted = joint.bind_from_joint.translation.as_vec3();
        assert!(
            at.distance(wanted) < tolerance,
            "{} at {at}, not {wanted}",
            joint.name
        );
    }
    let weights = [c.weights.as_ref().unwrap(), back.weights.as_ref().unwrap()];
    for part in c
        .mesh
        .parts
        .iter()
        .filter(|p| p.attachment == PartAttachment::Skin)
    {
        let plain = |n: &str| n.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let found = back
            .mesh
            .parts
            .iter()
            .find(|p| plain(&p.name) == plain(&part.name));
        let found = found.unwrap_or_else(|| panic!("{} is lost", part.name));
        assert_eq!(found.vertices.len(), part.vertices.len());
        for (v, w) in part.vertices.clone().zip(found.vertices.clone()) {
            let (p, q) = (c.mesh.positions[v], back.mesh.positions[w]);
            assert!(
                p.distance(q) < tolerance,
                "vertex {v} of {} at {q}, not {p}",
                part.name
            );
            for i in weights[0].of_vertex(v) {
                let joint = back.skeleton.find(&c.skeleton.joint(i.joint).name).unwrap();
                let share = weights[1].weight(w, joint);
                assert!(
                    (share - i.weight).abs() < 1e-4,
                    "vertex {v}: {share}, not {}",
                    i.weight
                );
            }
        }
    }
}

#[test]
fn blender_holds_our_weights() {
    check("athlete@3000");
    check("knight@3000");
}
