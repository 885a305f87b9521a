//! Blender opens what was bound, and its vertex groups hold our weights.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use ligament_io::gltf::GltfFile;
use ligament_testkit::{corpus, python_with_blender, run as run_tool};
use serde::Deserialize;

use crate::bind;

#[derive(Deserialize)]
struct BlenderMesh {
    name: String,
    positions: Vec<[f32; 3]>,
    groups: Vec<BTreeMap<String, f32>>,
}

fn check(path: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/read_groups.py");
    let output = run_tool(Command::new(python_with_blender()).arg(script).arg(path));
    let line = output
        .lines()
        .find_map(|l| l.strip_prefix("RESULT "))
        .expect("the script prints its result");
    let meshes: Vec<BlenderMesh> = serde_json::from_str(line).unwrap();
    let gltf = GltfFile::open(path).unwrap();
    let c = gltf.character();
    let weights = c.weights.as_ref().unwrap();
    let tolerance = 1e-4 * c.mesh.diagonal();

    // Blender orders vertices as it likes: look each of ours up by its place.
    let mut theirs: Vec<([f32; 3], &BTreeMap<String, f32>, &str)> = Vec::new();
    for mesh in &meshes {
        theirs.extend(
            mesh.positions
                .iter()
                .zip(&mesh.groups)
                .map(|(p, g)| (*p, g, mesh.name.as_str())),
        );
    }
    theirs.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let mut checked = 0;
    for (v, p) in c.mesh.positions.iter().enumerate() {
        if !matches!(
            c.mesh.part_of_vertex(v).unwrap().attachment,
            ligament::character::PartAttachment::Skin
        ) {
            continue;
        }
        let blender = [p.x, -p.z, p.y]; // Z is up there
        let from = theirs.partition_point(|t| t.0[0] < blender[0] - tolerance);
        let near = |t: &&([f32; 3], &BTreeMap<String, f32>, &str)| {
            (0..3).all(|i| (t.0[i] - blender[i]).abs() < tolerance)
        };
        let found: Vec<_> = theirs[from..]
            .iter()
            .take_while(|t| t.0[0] <= blender[0] + tolerance)
            .filter(near)
            .collect();
        assert!(
            !found.is_empty(),
            "{}: vertex {v} at {p} is not in Blender",
            path.display()
        );
        let agrees = found.iter().any(|(_, groups, _)| {
            let ours = weights.of_vertex(v);
            let close = |i: &ligament::character::Influence| {
                let theirs = groups
                    .get(&c.skeleton.joint(i.joint).name)
                    .copied()
                    .unwrap_or(0.0);
                (theirs - i.weight).abs() < 1e-4
            };
            ours.iter().all(close) && groups.len() <= ours.len()
        });
        assert!(
            agrees,
            "{}: vertex {v} has {:?}, Blender {found:?}",
            path.display(),
            weights.of_vertex(v)
        );
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn blender_holds_our_weights() {
    let folder = tempfile::tempdir().unwrap();
    check(&bind("sample:knight", folder.path(), &["--quiet"]));
    check(&bind("sample:tube", folder.path(), &["--quiet", "--store", "u8"]));
    if let Some(corpus) = corpus() {
        for name in ["cesium_man.glb", "kaykit_knight.glb"] {
            let input = corpus.join("open").join(name);
            check(&bind(input.to_str().unwrap(), folder.path(), &["--quiet"]));
        }
    }
}
