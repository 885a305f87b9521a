//! Points and Gaussian splats: bound by a field, posed, all their properties kept.

use std::fmt::Write as _;
use std::path::Path;

use glam::{DMat3, DQuat, DVec3};
use ligament::Character;
use ligament::deform::{DeformMethod, Ellipsoid, deform};
use ligament_io::gltf::GltfFile;
use ligament_io::ply::PointFile;

use crate::{bind, run};

/// The properties of a splat that the tests write, with colours of degree 1 and a label that nobody knows.
const PROPERTIES: [&str; 24] = [
    "x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_rest_0", "f_rest_1", "f_rest_2", "f_rest_3", "f_rest_4",
    "f_rest_5", "f_rest_6", "f_rest_7", "f_rest_8", "opacity", "scale_0", "scale_1", "scale_2", "rot_0",
    "rot_1", "rot_2", "rot_3",
];
const THIN: f64 = 1e-6;

#[derive(Clone, Copy, PartialEq)]
enum Written {
    Text,
    Little,
    Big,
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn succeeds(args: &[&str]) {
    let result = run(args);
    assert!(
        result.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&result.stderr)
    );
}

fn fails(args: &[&str]) -> String {
    let result = run(args);
    assert_eq!(result.status.code(), Some(2), "{args:?}");
    String::from_utf8_lossy(&result.stderr).into_owned()
}

/// Corners of a face from their middle.
fn corners(positions: &[glam::Vec3], face: [u32; 3]) -> (DVec3, [DVec3; 3]) {
    let corners = face.map(|v| positions[v as usize].as_dvec3());
    let middle = corners.iter().sum::<DVec3>() / 3.0;
    (middle, corners.map(|c| c - middle))
}

/// The covariance of a face's corners.
fn covariance_of(corners: [DVec3; 3]) -> DMat3 {
    let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    (outer(corners[0]) + outer(corners[1]) + outer(corners[2])) * (1.0 / 3.0)
}

/// A splat for each face, with the covariance of its corners: an even triangle's disk, drawn out as the face is.
fn splats(character: &Character) -> Vec<[f64; PROPERTIES.len()]> {
    let of_face = |(k, &face): (usize, &[u32; 3])| {
        let (middle, [a, b, c]) = corners(&character.mesh.positions, face);
        let disk = Ellipsoid {
            rotation: DQuat::IDENTITY,
            scales: DVec3::new(0.5f64.sqrt(), 0.5f64.sqrt(), 0.0),
        };
        let shape = disk.moved(DMat3::from_cols(a, (b - c) / 3f64.sqrt(), DVec3::ZERO));
        let normal = (b - a).cross(c - a).normalize();
        let mut row = [0.0; PROPERTIES.len()];
        row[..3].copy_from_slice(&middle.to_array());
        row[3..6].copy_from_slice(&normal.to_array());
        row[6] = k as f64;
        // A red that is brightest from where the face looks to.
        row[7..10].copy_from_slice(&[-normal.y, normal.z, -normal.x]);
        row[16] = -0.25;
        for axis in 0..3 {
            row[17 + axis] = shape.scales[axis].max(THIN).ln();
        }
        let r = shape.rotation * 2.0; // trained quaternions have any length
        row[20..].copy_from_slice(&[r.w, r.x, r.y, r.z]);
        row.map(|v| f64::from(v as f32))
    };
    character.mesh.triangles.iter().enumerate().map(of_face).collect()
}

fn ply(rows: &[[f64; PROPERTIES.len()]], written: Written) -> Vec<u8> {
    let format = match written {
        Written::Text => "ascii",
        Written::Little => "binary_little_endian",
        Written::Big => "binary_big_endian",
    };
    let mut header = format!(
        "ply\nformat {format} 1.0\ncomment a test\nelement vertex {}\n",
        rows.len()
    );
    for name in PROPERTIES {
        writeln!(header, "property float {name}").unwrap();
    }
    header.push_str("property uchar label\nend_header\n");
    let mut bytes = header.into_bytes();
    for (k, row) in rows.iter().enumerate() {
        let label = (k % 251) as u8;
        if written == Written::Text {
            let words: Vec<String> = row.iter().map(|&v| (v as f32).to_string()).collect();
            bytes.extend(format!("{} {label}\n", words.join(" ")).into_bytes());
            continue;
        }
        for &value in row {
            let value = value as f32;
            bytes.extend(if written == Written::Little {
                value.to_le_bytes()
            } else {
                value.to_be_bytes()
            });
        }
        bytes.push(label);
    }
    bytes
}

fn rows_of(path: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let bytes = std::fs::read(path).unwrap();
    let file = PointFile::read(&bytes).unwrap();
    let mut rows = Vec::new();
    file.each(|_, row| rows.push(row.to_vec())).unwrap();
    (file.properties().map(str::to_owned).collect(), rows)
}

/// A tube with weights by a field that was fitted to it, and that field.
fn tube(folder: &Path) -> (String, String, Character) {
    let field = path(folder, "tube.cells");
    succeeds(&["field", "fit", "sample:tube@200", "--steps", "10", "-o", &field]);
    let rig = bind(
        "sample:tube@1200",
        folder,
        &["--method", "cells", "--field", &field],
    );
    let character = GltfFile::open(&rig).unwrap().character().as_ref().clone();
    (rig.display().to_string(), field, character)
}

#[test]
fn splats_move_as_the_skin_that_they_were_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let (rig, field, character) = tube(folder.path());
    let made = splats(&character);
    let clip = &character.clips[0];
    let seconds = clip.span_secs().0 + 0.35 * (clip.span_secs().1 - clip.span_secs().0);
    let time = format!("{}", seconds - clip.span_secs().0);
    let weights = character.weights.as_ref().unwrap();
    let pose = clip.pose_at(&character.skeleton, seconds);
    let moves = pose.world_from_bind(&character.skeleton);
    let posed = deform(&character, weights, &pose, DeformMethod::LinearBlend).unwrap();
    assert!(
        posed
            .positions
            .iter()
            .zip(&character.mesh.positions)
            .any(|(p, q)| p.distance(*q) > 0.1)
    );

    let mut results = Vec::new();
    for (name, written) in [
        ("text", Written::Text),
        ("little", Written::Little),
        ("big", Written::Big),
    ] {
        let input = path(folder.path(), &format!("{name}.ply"));
        std::fs::write(&input, ply(&made, written)).unwrap();
        let bound = path(folder.path(), &format!("{name}_bound.ply"));
        succeeds(&[
            "bind",
            &input,
            "--skeleton",
            &rig,
            "--field",
            &field,
            "-o",
            &bound,
        ]);
        let output = path(folder.path(), &format!("{name}_step.ply"));
        succeeds(&["pose", &bound, "--skeleton", &rig, "--time", &time, "-o", &output]);
        let straight = path(folder.path(), &format!("{name}_straight.ply"));
        succeeds(&[
            "pose",
            &input,
            "--skeleton",
            &rig,
            "--field",
            &field,
            "--time",
            &time,
            "-o",
            &straight,
        ]);
        let (properties, rows) = rows_of(&output);
        assert_eq!(properties[..PROPERTIES.len()], PROPERTIES);
        assert_eq!(
            properties[PROPERTIES.len()..PROPERTIES.len() + 3],
            ["label", "joint_0", "weight_0"]
        );
        // Weights in single precision are the same as those that never were in a file.
        let (_, again) = rows_of(&straight);
        for (row, again) in rows.iter().zip(&again) {
            assert!(
                (0..3).all(|k| (row[k] - again[k]).abs() < 1e-6),
                "{row:?} {again:?}"
            );
        }
        results.push(rows);
    }
    for other in &results[1..] {
        for (a, b) in results[0].iter().zip(other) {
            assert!(
                a.iter()
                    .zip(b)
                    .all(|(a, b)| (a - b).abs() <= 1e-6 * a.abs().max(1.0)),
                "{a:?} {b:?}"
            );
        }
    }

    let mut errors = Vec::new();
    let mut exact = 0;
    for ((row, before), &face) in results[1].iter().zip(&made).zip(&character.mesh.triangles) {
        let (middle, corners) = corners(&posed.positions, face);
        let wanted = covariance_of(corners);
        let size = wanted.to_cols_array().iter().map(|c| c * c).sum::<f64>().sqrt();
        let length = DQuat::from_xyzw(row[21], row[22], row[23], row[20]).length();
        assert!((length - 2.0).abs() < 1e-5, "quaternions keep their length");
        let shape = Ellipsoid {
            rotation: DQuat::from_xyzw(row[21], row[22], row[23], row[20]).normalize(),
            scales: DVec3::new(row[17].exp(), row[18].exp(), row[19].exp()),
        };
        let found = shape.covariance();
        let difference = (found - wanted)
            .to_cols_array()
            .iter()
            .map(|c| c * c)
            .sum::<f64>()
            .sqrt();
        let place = DVec3::new(row[0], row[1], row[2]);
        let away = place.distance(middle) / size.sqrt();
        // Exactly the blend of its own joints, wherever it is.
        let mut blend = DMat3::ZERO;
        let mut offset = DVec3::ZERO;
        for influence in row[PROPERTIES.len() + 1..].chunks_exact(2) {
            let moved = &moves[influence[0] as usize];
            blend += moved.matrix3 * influence[1];
            offset += moved.translation * influence[1];
        }
        let shape_before = Ellipsoid {
            rotation: DQuat::from_xyzw(before[21], before[22], before[23], before[20]).normalize(),
            scales: DVec3::new(before[17].exp(), before[18].exp(), before[19].exp()),
        };
        let blended = blend * shape_before.covariance() * blend.transpose();
        let to_blend = (found - blended)
            .to_cols_array()
            .iter()
            .map(|c| c * c)
            .sum::<f64>()
            .sqrt();
        let start = DVec3::new(before[0], before[1], before[2]);
        assert!(place.distance(blend * start + offset) < 1e-5, "{place}");
        assert!(to_blend < 1e-4 * size, "{to_blend} of {size}");
        let [first, ..] = face.map(|v| weights.of_vertex(v as usize));
        // The field may give the middle of a face some of a joint that its corners do not have.
        let follows_one = row[PROPERTIES.len() + 2] == 1.0;
        let rigid =
            follows_one && first.len() == 1 && face.iter().all(|&v| weights.of_vertex(v as usize) == first);
        if rigid {
            exact += 1;
            assert!(
                difference / size < 2e-5 && away < 1e-4,
                "{difference} of {size}, {away}"
            );
            // Colours turn as the normal does.
            let (normal, red) = ([row[3], row[4], row[5]], [-row[9], -row[7], row[8]]);
            assert!(
                (0..3).all(|k| (normal[k] - red[k]).abs() < 1e-5),
                "{normal:?} {red:?}"
            );
        }
        errors.push((difference / size).max(away));
        assert_eq!((row[6], row[16]), (before[6], before[16]));
    }
    errors.sort_by(f64::total_cmp);
    let (median, most) = (errors[errors.len() / 2], errors[errors.len() * 95 / 100]);
    println!(
        "{} splats, {exact} rigid, errors: median {median:.4}, 95 % {most:.4}",
        errors.len()
    );
    assert!(exact * 10 > errors.len(), "{exact} of {}", errors.len());
    // Where the tube bends, weights change within a face, and that stretches the face beyond the blend.
    assert!(median < 0.05 && most < 0.7, "{median} {most}");
}

#[test]
fn clouds_say_what_they_need_and_fields_weigh_them() {
    let folder = tempfile::tempdir().unwrap();
    let (rig, field, character) = tube(folder.path());
    let cloud = path(folder.path(), "cloud.ply");
    let mut text = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
        character.mesh.positions.len()
    );
    for p in &character.mesh.positions {
        // In centimetres, with z up.
        writeln!(text, "{} {} {}", 100.0 * p.x, -100.0 * p.z, 100.0 * p.y).unwrap();
    }
    std::fs::write(&cloud, text).unwrap();
    let bound = path(folder.path(), "bound.ply");
    let placed = ["--up", "z", "--unit", "cm", "--skeleton", &rig];
    let mut words = vec!["bind", &cloud, "--field", &field, "-o", &bound];
    words.extend(placed);
    succeeds(&words);
    // Bound again, a file has its weights once.
    let twice = path(folder.path(), "twice.ply");
    let mut words = vec!["bind", &bound, "--field", &field, "-o", &twice];
    words.extend(placed);
    succeeds(&words);
    assert_eq!(std::fs::read(&bound).unwrap(), std::fs::read(&twice).unwrap());
    let posed = path(folder.path(), "posed.ply");
    let mut words = vec!["pose", &bound, "--time", "0.4", "-o", &posed];
    words.extend(placed);
    succeeds(&words);
    let clip = &character.clips[0];
    let pose = clip.pose_at(&character.skeleton, clip.span_secs().0 + 0.4);
    let weights = character.weights.as_ref().unwrap();
    let wanted = deform(&character, weights, &pose, DeformMethod::LinearBlend).unwrap();
    for (row, wanted) in rows_of(&posed).1.iter().zip(&wanted.positions) {
        let found = glam::Vec3::new(row[0] as f32, row[2] as f32, -row[1] as f32) * 0.01;
        assert!(found.distance(*wanted) < 1e-4, "{found} {wanted}");
    }

    let weights = path(folder.path(), "weights.csv");
    succeeds(&["field", "eval", &field, &posed, "-o", &weights]);
    let lines = std::fs::read_to_string(&weights).unwrap().lines().count();
    assert!(lines > character.mesh.positions.len());

    let said = fails(&["bind", &cloud, "--skeleton", &rig]);
    assert!(said.contains("field"), "{said}");
    let said = fails(&["bind", &cloud, "--field", &field]);
    assert!(said.contains("skeleton"), "{said}");
    let glb = path(folder.path(), "cloud.glb");
    let said = fails(&["bind", &cloud, "--field", &field, "--skeleton", &rig, "-o", &glb]);
    assert!(said.contains(".ply"), "{said}");
    let said = fails(&[
        "bind",
        &cloud,
        "--field",
        &field,
        "--skeleton",
        &rig,
        "-o",
        &cloud,
    ]);
    assert!(said.contains("input") || said.contains("replace"), "{said}");
    let said = fails(&["pose", &cloud, "--skeleton", &rig]);
    assert!(said.contains("no weights"), "{said}");
    let said = fails(&["pose", &bound, "--skeleton", &rig, "--skinning", "delta-mush"]);
    assert!(said.contains("faces"), "{said}");
    let said = fails(&["pose", &rig, "--field", &field]);
    assert!(said.contains("points"), "{said}");
    let text = std::fs::read_to_string(&bound).unwrap();
    let name = &character.skeleton.joints[0].name;
    std::fs::write(&bound, text.replace(&format!(" {name}\n"), " nobody\n")).unwrap();
    let said = fails(&["pose", &bound, "--skeleton", &rig]);
    assert!(said.contains("nobody"), "{said}");
}
