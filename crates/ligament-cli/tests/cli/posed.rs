//! Blender and three.js pose characters as we do.

use std::path::Path;
use std::process::Command;

use glam::Vec3;
use ligament::Character;
use ligament::character::PartAttachment;
use ligament::deform::{DeformMethod, deform};
use ligament_io::gltf::GltfFile;
use ligament_testkit::{corpus_characters, node_tools, python_with_blender, run as run_tool, spread};
use serde::Deserialize;

use crate::bind;

/// Positions may differ by this share of the bounding box's diagonal.
const TOLERANCE: f32 = 1e-4;

fn script(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli").join(name)
}

fn posed(character: &Character, clip: usize, seconds: f32) -> Vec<Vec3> {
    let pose = character.clips[clip].pose_at(&character.skeleton, seconds);
    let weights = character.weights.as_ref().expect("it has weights");
    deform(character, weights, &pose, DeformMethod::LinearBlend)
        .unwrap()
        .positions
}

/// A few moments of a few clips, spread over all.
fn moments(character: &Character) -> Vec<(usize, f32)> {
    let clips = character.clips.len();
    let chosen = (0..clips).step_by(clips.div_ceil(4).max(1));
    let times = |clip: usize| {
        let (start, end) = character.clips[clip].span_secs();
        [0.0, 0.37, 0.81].map(|share| (clip, start + share * (end - start)))
    };
    chosen.flat_map(times).collect()
}

pub(crate) fn check_with_three(path: &Path) {
    let gltf = GltfFile::open(path).unwrap();
    let c = gltf.character();
    let moments = moments(c);
    let request = serde_json::to_string(&moments).unwrap();
    let output = run_tool(
        Command::new("node")
            .arg(script("three_pose.mjs"))
            .arg(node_tools())
            .arg(path)
            .arg(request),
    );
    let theirs: Vec<Vec<Vec<f32>>> = serde_json::from_str(&output).unwrap();
    let skin_parts: Vec<_> = c
        .mesh
        .parts
        .iter()
        .filter(|p| p.attachment == PartAttachment::Skin)
        .collect();
    let tolerance = TOLERANCE * c.mesh.diagonal();
    for (&(clip, seconds), theirs) in moments.iter().zip(&theirs) {
        let ours = posed(c, clip, seconds);
        assert_eq!(theirs.len(), skin_parts.len(), "{}", path.display());
        for (part, flat) in skin_parts.iter().zip(theirs) {
            assert_eq!(
                flat.len(),
                3 * part.vertices.len(),
                "{}: {}",
                path.display(),
                part.name
            );
            for (v, three) in part.vertices.clone().zip(flat.as_chunks::<3>().0) {
                let distance = ours[v].distance(Vec3::from_array(*three));
                assert!(
                    distance < tolerance,
                    "{}: vertex {v} of {} in '{}' at {seconds} s is {distance} off",
                    path.display(),
                    part.name,
                    c.clips[clip].name
                );
            }
        }
    }
}

#[derive(Deserialize)]
struct BlenderMesh {
    rest: Vec<[f32; 3]>,
    posed: Vec<[f32; 3]>,
}

/// Y up, as here, from Z up, as there.
fn upright([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, -y)
}

pub(crate) fn check_with_blender(path: &Path, clip_name: &str) {
    let gltf = GltfFile::open(path).unwrap();
    let c = gltf.character();
    let clip = c
        .clips
        .iter()
        .position(|clip| clip.name == clip_name)
        .expect("the clip is there");
    // On a key: between two, Blender interpolates quaternions another way than glTF asks.
    let times = &c.clips[clip].tracks[0].times;
    let seconds = times[times.len() / 3];
    let output = run_tool(
        Command::new(python_with_blender())
            .arg(script("blender_pose.py"))
            .arg(path)
            .arg(clip_name)
            .arg(seconds.to_string()),
    );
    let line = output
        .lines()
        .find_map(|l| l.strip_prefix("RESULT "))
        .expect("the script prints its result");
    let meshes: Vec<BlenderMesh> = serde_json::from_str(line).unwrap();
    let mut theirs: Vec<(Vec3, Vec3)> = meshes
        .iter()
        .flat_map(|m| {
            m.rest
                .iter()
                .zip(&m.posed)
                .map(|(r, p)| (upright(*r), upright(*p)))
        })
        .collect();
    theirs.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let ours = posed(c, clip, seconds);
    let tolerance = TOLERANCE * c.mesh.diagonal();
    let mut moved = 0f32;
    for (v, (rest, posed)) in c.mesh.positions.iter().zip(&ours).enumerate() {
        // Blender has its own order: find the vertex by where it rests.
        let from = theirs.partition_point(|t| t.0.x < rest.x - tolerance);
        let near = theirs[from..].iter().take_while(|t| t.0.x <= rest.x + tolerance);
        let distance = near
            .filter(|t| t.0.distance(*rest) < 0.1 * tolerance)
            .map(|t| t.1.distance(*posed))
            .fold(f32::INFINITY, f32::min);
        assert!(
            distance < tolerance,
            "{}: vertex {v} is {distance} off in '{clip_name}'",
            path.display()
        );
        moved = moved.max(rest.distance(*posed));
    }
    assert!(
        moved > 0.02 * c.mesh.diagonal(),
        "the clip moves hardly anything: {moved}"
    );
}

#[test]
fn blender_plays_a_bound_sample_as_we_do() {
    let folder = tempfile::tempdir().unwrap();
    for (sample, clip) in [("knight", "walk"), ("hound", "walk"), ("tube", "bend")] {
        check_with_blender(
            &bind(&format!("sample:{sample}"), folder.path(), &["--quiet"]),
            clip,
        );
    }
}

#[test]
fn three_plays_samples_as_we_do() {
    let folder = tempfile::tempdir().unwrap();
    for sample in ligament::sample::names() {
        check_with_three(&bind(
            &format!("sample:{}", sample.name),
            folder.path(),
            &["--quiet"],
        ));
    }
}

#[test]
fn three_plays_real_characters_as_we_do() {
    for path in spread(corpus_characters(), 10) {
        let gltf = GltfFile::open(&path).unwrap();
        let c = gltf.character();
        // three.js reads four influences, and NaN as it stands.
        let readable = c.weights.as_ref().is_some_and(|w| w.max_influences() <= 4)
            && !gltf.warnings().iter().any(|w| w.to_string().contains("NaN"));
        if readable && !c.clips.is_empty() {
            check_with_three(&path);
        }
    }
}
