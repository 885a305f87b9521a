//! Blender and USD move vertices by what we wrote as we do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{Mat3, Vec3};
use ligament::Character;
use ligament_io::gltf::build;
use ligament_io::{fbx, usd};
use ligament_testkit::{node_tools, python_with_blender, python_with_old_blender, python_with_usd, run};
use serde::Deserialize;

use crate::motion::moments;
use crate::smiling::{smiling, talking};

#[derive(Deserialize)]
struct Opened {
    /// For each mesh, where each shape takes its vertices.
    meshes: Vec<BTreeMap<String, Vec<[f32; 3]>>>,
    weights: BTreeMap<String, f32>,
}

fn asked(python: PathBuf, script: &str, file: &Path) -> Opened {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/blend_shapes")
        .join(script);
    let said = run(Command::new(python).arg(script).arg(file));
    let line = said.lines().find_map(|l| l.strip_prefix("RESULT "));
    serde_json::from_str(line.unwrap()).unwrap()
}

/// Compares what a program has with what we gave it. Names may be written in another way.
fn compare(c: &Character, opened: &Opened, rotation: Mat3, who: &str) {
    let plain = |n: &str| n.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let tolerance = 1e-4 * c.mesh.diagonal();
    for shape in &c.mesh.blend_shapes {
        let mut found = opened.meshes.iter().flat_map(|m| m.iter());
        let theirs = found.find(|(name, _)| plain(name).ends_with(&plain(&shape.name)));
        let (_, theirs) = theirs.unwrap_or_else(|| panic!("{who}: no shape {}", shape.name));
        assert_eq!(theirs.len(), shape.part_vertices.len(), "{who}: {}", shape.name);
        let mut ours = c.mesh.positions[shape.part_vertices.clone()].to_vec();
        for (&v, &offset) in shape.vertices.iter().zip(&shape.offsets) {
            ours[v as usize - shape.part_vertices.start] += offset;
        }
        for (v, (&p, q)) in ours.iter().zip(theirs).enumerate() {
            let apart = (rotation * p).distance(Vec3::from_array(*q));
            assert!(
                apart < tolerance,
                "{who}: {} takes vertex {v} to {q:?}, not {}",
                shape.name,
                rotation * p
            );
        }
        if shape.weight != 0.0 {
            assert!(
                (opened.weights[&shape.name] - shape.weight).abs() < 1e-6,
                "{who}: {}",
                shape.name
            );
        }
    }
}

/// Z is up in Blender.
fn to_blender() -> Mat3 {
    Mat3::from_cols(Vec3::X, Vec3::Z, -Vec3::Y)
}

#[test]
fn blender_opens_the_shapes_of_fbx() {
    let c = smiling();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("smiling.fbx");
    std::fs::write(&file, fbx::write(&c).unwrap()).unwrap();
    for (python, who) in [(python_with_blender(), "5.0"), (python_with_old_blender(), "4.2")] {
        compare(&c, &asked(python, "blender.py", &file), to_blender(), who);
    }
}

#[test]
fn blender_opens_the_shapes_of_usd_and_gltf() {
    let c = smiling();
    let folder = tempfile::tempdir().unwrap();
    let usdc = folder.path().join("smiling.usdc");
    std::fs::write(&usdc, usd::write_binary(&c).unwrap()).unwrap();
    let glb = folder.path().join("smiling.glb");
    build(&c).unwrap().document.save(&glb).unwrap();
    let opened = asked(python_with_blender(), "blender.py", &glb);
    compare(&c, &opened, to_blender(), "glTF");
    let mut opened = asked(python_with_blender(), "blender.py", &usdc);
    // Its importer leaves weights at zero unless they are animated.
    opened.weights.insert("smile".to_owned(), 0.25);
    compare(&c, &opened, to_blender(), "USD");
}

#[test]
fn usd_moves_points_as_we_do_and_has_nothing_to_complain_of() {
    let c = smiling();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("smiling.usda");
    std::fs::write(&file, usd::write(&c).unwrap()).unwrap();
    compare(
        &c,
        &asked(python_with_usd(), "usd.py", &file),
        Mat3::IDENTITY,
        "USD",
    );
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usd/check.py");
    let said = run(Command::new(python_with_usd()).arg(check).arg(&file));
    assert_eq!(said.trim(), "CHECKED 1");
}

#[test]
fn the_validator_has_nothing_to_complain_of() {
    const VALIDATE: &str = "
        const validator = require('gltf-validator');
        const bytes = new Uint8Array(require('fs').readFileSync(process.argv[1]));
        validator.validateBytes(bytes).then((report) => console.log(JSON.stringify(report.issues)));";
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("talking.glb");
    build(&talking()).unwrap().document.save(&glb).unwrap();
    let mut node = Command::new("node");
    let said = run(node
        .args(["--eval", VALIDATE])
        .arg(&glb)
        .current_dir(node_tools()));
    let issues: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (issues["numErrors"].as_u64(), issues["numWarnings"].as_u64()),
        (Some(0), Some(0)),
        "{said}"
    );
}

/// For each action, for each shape that it moves, how much there is of it at each moment.
type Actions = BTreeMap<String, BTreeMap<String, Vec<f64>>>;

/// Compares how shapes move in another program with how they move here. Names may be written in another way.
fn compare_motion(c: &Character, python: PathBuf, script: &str, file: &Path, who: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/blend_shapes")
        .join(script);
    let asked: Vec<f32> = (0..=60).map(|k| k as f32 / 60.0).collect();
    let mut command = Command::new(python);
    command
        .arg(script)
        .arg(file)
        .args(asked.iter().map(f32::to_string));
    let said = run(&mut command);
    let line = said.lines().find_map(|l| l.strip_prefix("RESULT "));
    let actions: Actions = serde_json::from_str(line.unwrap()).unwrap();
    let plain = |n: &str| n.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut compared = 0;
    for shape in &c.mesh.blend_shapes {
        for motion in &shape.motions {
            let theirs = actions
                .iter()
                .filter(|(name, _)| plain(name).contains(&plain(&motion.clip)))
                .find_map(|(_, shapes)| {
                    let mut shapes = shapes.iter();
                    let own = |name: &str| plain(name).ends_with(&plain(&shape.name));
                    shapes.find(|(name, _)| own(name)).map(|(_, values)| values)
                });
            let theirs = theirs.unwrap_or_else(|| panic!("{who}: {} in {}: {said}", shape.name, motion.clip));
            for t in moments(motion) {
                let at = asked.iter().position(|a| *a == t).unwrap();
                let wanted = motion.sample(t);
                assert!(
                    (theirs[at] - wanted).abs() < 5e-3,
                    "{who}: {} in {} at {t}: {}, not {wanted}",
                    shape.name,
                    motion.clip,
                    theirs[at]
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{who}: {compared}");
}

#[test]
fn blender_sees_shapes_of_fbx_move() {
    let c = talking();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("talking.fbx");
    std::fs::write(&file, fbx::write(&c).unwrap()).unwrap();
    for (python, who) in [(python_with_blender(), "5.0"), (python_with_old_blender(), "4.2")] {
        compare_motion(&c, python, "motion_blender.py", &file, who);
    }
}

#[test]
fn blender_sees_shapes_of_gltf_move() {
    let c = talking();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("talking.glb");
    build(&c).unwrap().document.save(&file).unwrap();
    compare_motion(&c, python_with_blender(), "motion_blender.py", &file, "glTF");
}

#[test]
fn usd_sees_shapes_move() {
    let c = talking();
    let folder = tempfile::tempdir().unwrap();
    for ending in ["usda", "usdc", "usdz"] {
        let file = folder.path().join(format!("talking.{ending}"));
        usd::save(&c, &file).unwrap();
        compare_motion(&c, python_with_usd(), "motion_usd.py", &file, ending);
    }
}
