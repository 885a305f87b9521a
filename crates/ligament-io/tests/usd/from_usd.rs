//! What USD wrote reads right: its own scenes, and its own forms of what we wrote.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use ligament::character::{Mesh, Texture};
use ligament_io::usd;
use ligament_testkit::{python_with_usd, run};

use crate::common::bound;
use crate::posing::posed;
use crate::reading::{assert_same, real_characters};
use crate::textures::{PNG, save_textures, textured};
use crate::with_usd::{converted, run_script, script};
use crate::writing::usd_points;

#[test]
fn samples_read_back_the_same_from_usds_own_forms() {
    let folder = tempfile::tempdir().unwrap();
    for sample in ligament::sample::names() {
        let character = bound(&format!("{}@{}", sample.name, sample.fewest.max(2000)));
        let path = folder.path().join(format!("{}.usda", sample.name));
        std::fs::write(&path, usd::write(&character).unwrap()).unwrap();
        for form in converted(&path) {
            let read = usd::read(&form).unwrap();
            assert_eq!(read.warnings, [], "{}", form.display());
            assert_same(&character, &read.character);
        }
    }
}

#[test]
fn real_characters_read_back_the_same_from_usds_own_forms() {
    for character in real_characters() {
        let folder = tempfile::tempdir().unwrap();
        let usda = folder.path().join("character.usda");
        usd::save(&character, &usda).unwrap();
        for form in converted(&usda) {
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

#[test]
fn usd_accepts_our_textures() {
    let character = textured();
    let folder = tempfile::tempdir().unwrap();
    save_textures(&character, folder.path());
    let usda = folder.path().join("a.usda");
    let usdc = folder.path().join("b.usdc");
    std::fs::write(&usda, usd::write(&character).unwrap()).unwrap();
    std::fs::write(&usdc, usd::write_binary(&character).unwrap()).unwrap();
    let usdz = folder.path().join("c.usdz");
    usd::save(&character, &usdz).unwrap();
    let mut check = Command::new(python_with_usd());
    let said = run(check.arg(script("check.py")).arg(&usda).arg(&usdc).arg(&usdz));
    assert_eq!(said.trim(), "CHECKED 3");
}

/// Coordinates that follow from the place, whatever the corner.
fn assert_planar(mesh: &Mesh) {
    let uvs = mesh.corner_uvs.as_ref().unwrap();
    for (corners, uvs) in mesh.triangles.iter().zip(uvs) {
        for (&v, uv) in corners.iter().zip(uvs) {
            let p = mesh.positions[v as usize];
            assert_eq!(*uv, Vec2::new(p.x / 4.0 + 0.125, 1.0 - (p.y / 4.0 + 0.125)));
        }
    }
}

#[test]
fn textures_that_usd_wrote_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("textures")).unwrap();
    std::fs::write(folder.path().join("textures/cloth.png"), PNG).unwrap();
    let usda = folder.path().join("scene.usda");
    run_script("make_textured.py", &[&usda]);
    let [usdc, usdz] = converted(&usda);
    for path in [&usda, &usdc, &usdz] {
        let imported = usd::read(path).unwrap();
        assert_eq!(imported.warnings, [], "{}", path.display());
        let mesh = &imported.character.mesh;
        assert_eq!(mesh.triangles.len(), 3);
        assert_planar(mesh);
        let faces_front = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
            (b - a).cross(c - a).dot(Vec3::Z) > 0.0
        };
        assert!(mesh.triangles.iter().all(faces_front));
        let textures: Vec<&Texture> = mesh
            .parts
            .iter()
            .filter_map(|p| p.material.texture.as_ref())
            .collect();
        assert_eq!(textures.len(), 2);
        assert_eq!(&*textures[0].bytes, PNG);
        assert!(Arc::ptr_eq(&textures[0].bytes, &textures[1].bytes));
        assert_eq!(mesh.parts[0].material.base_color, [0.5, 0.25, 1.0, 1.0]);
    }
    let lost = folder.path().join("lost.usda");
    run_script("make_textured.py", &[&lost, Path::new("lost")]);
    let imported = usd::read(&lost).unwrap();
    let codes: Vec<&str> = imported.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["texture_left_out"]);
    let uvs = imported.character.mesh.corner_uvs.unwrap();
    assert_eq!(uvs[3], [Vec2::new(0.375, 0.875); 3]);
}
