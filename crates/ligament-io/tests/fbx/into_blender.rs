//! Blender's importers open what is written, and pose it as we do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::Vec3;
use ligament::Character;
use ligament::character::PartAttachment;
use ligament::deform::{DeformMethod, deform};
use ligament_io::fbx;
use ligament_testkit::{python_with_blender, python_with_old_blender, run};
use serde::Deserialize;

use crate::samples::{PNG, bound};
use crate::writing::{dressed, real_characters};

#[derive(Deserialize)]
struct Opened {
    moments: Vec<BTreeMap<String, Vec<[f32; 3]>>>,
    meshes: BTreeMap<String, OpenedMesh>,
    bones: BTreeMap<String, [f32; 3]>,
}

#[derive(Deserialize)]
struct OpenedMesh {
    vertices: usize,
    uvs: Vec<[f32; 2]>,
    images: Vec<usize>,
    groups: usize,
}

/// Z is up in Blender.
fn to_blender(p: Vec3) -> Vec3 {
    Vec3::new(p.x, -p.z, p.y)
}

fn opened(python: PathBuf, file: &Path, moments: &[Option<(String, f32)>]) -> Opened {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fbx/from_fbx.py");
    let moments = serde_json::to_string(moments).unwrap();
    let said = run(Command::new(python).arg(script).arg(file).arg(moments));
    let line = said.lines().find_map(|l| l.strip_prefix("RESULT "));
    serde_json::from_str(line.unwrap()).unwrap()
}

/// Rest, and where a key of a clip's turns is: between keys Blender goes another way than glTF.
fn moments(c: &Character) -> Vec<Option<(String, f32)>> {
    let mut all = vec![None];
    for clip in c.clips.iter().take(2) {
        let longest = clip.tracks.iter().max_by_key(|t| t.times.len()).unwrap();
        for share in [0, 3, 6] {
            let key = share * (longest.times.len() - 1) / 7;
            all.push(Some((clip.name.clone(), longest.times[key])));
        }
    }
    all
}

/// Opens a character in both Blenders and compares every vertex; returns what they had.
fn check(c: &Character) -> Vec<Opened> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("character.fbx");
    std::fs::write(&file, fbx::write(c).unwrap()).unwrap();
    let moments = moments(c);
    let pythons = [python_with_blender(), python_with_old_blender()];
    pythons
        .into_iter()
        .enumerate()
        .map(|(version, python)| {
            let opened = opened(python, &file, &moments);
            compare(c, &opened, &moments, version);
            opened
        })
        .collect()
}

fn compare(c: &Character, opened: &Opened, moments: &[Option<(String, f32)>], version: usize) {
    let name = &c.name;
    let size = c.mesh.diagonal();
    for joint in c.skeleton.joints.iter().filter(|j| j.in_skin) {
        let Some(head) = opened.bones.get(&joint.name) else {
            panic!("{name} {version}: no bone {}", joint.name);
        };
        let wanted = to_blender(joint.bind_from_joint.translation.as_vec3());
        let apart = Vec3::from_array(*head).distance(wanted);
        assert!(
            apart < 1e-4 * size,
            "{name} {version}: bone {} is {apart} off",
            joint.name
        );
    }
    let weights = c.weights.as_ref().unwrap();
    for (moment, posed) in moments.iter().zip(&opened.moments) {
        let pose = match moment {
            None => ligament::Pose::rest(&c.skeleton),
            Some((clip, seconds)) => {
                let clip = c.clips.iter().find(|k| k.name == *clip).unwrap();
                clip.pose_at(&c.skeleton, *seconds)
            }
        };
        let ours = deform(c, weights, &pose, DeformMethod::LinearBlend)
            .unwrap()
            .positions;
        for (i, part) in c.mesh.parts.iter().enumerate() {
            if c.mesh.parts[..i].iter().any(|p| p.vertices == part.vertices) {
                continue;
            }
            let carrier = match part.attachment {
                PartAttachment::Rigid(j) => c.skeleton.joint(j).name.as_str(),
                PartAttachment::Skin => "",
            };
            let found = [part.name.as_str(), carrier]
                .into_iter()
                .find_map(|n| posed.get(n));
            let theirs = found.unwrap_or_else(|| panic!("{name} {version}: no mesh {}", part.name));
            assert_eq!(
                theirs.len(),
                part.vertices.len(),
                "{name} {version}: {}",
                part.name
            );
            let mut worst = (0.0, 0);
            for (v, at) in part.vertices.clone().zip(theirs) {
                let apart = Vec3::from_array(*at).distance(to_blender(ours[v]));
                if apart > worst.0 {
                    worst = (apart, v);
                }
            }
            assert!(
                worst.0 < 1e-4 * size,
                "{name} {version}: {moment:?}: vertex {} of {} is {} off, of {size}",
                worst.1,
                part.name,
                worst.0
            );
        }
    }
}

#[test]
fn blender_poses_samples_as_we_do() {
    check(&bound("knight@2000"));
    check(&bound("tube@400"));
}

#[test]
fn blender_poses_real_characters_as_we_do() {
    for character in real_characters() {
        check(&character);
    }
}

#[test]
fn blender_has_the_pictures_and_their_coordinates() {
    let mut tube = dressed();
    // Blender would play the shapes' clip whatever the bones do.
    for shape in &mut tube.mesh.blend_shapes {
        shape.motions.clear();
    }
    let mesh = &tube.mesh;
    for opened in check(&tube) {
        let theirs = &opened.meshes[&mesh.parts[0].name];
        assert_eq!(theirs.vertices, mesh.positions.len());
        assert_eq!(theirs.images, [PNG.len()]);
        assert!(theirs.groups > 1);
        let corners = mesh.corner_uvs.as_ref().unwrap().iter().flatten();
        assert_eq!(theirs.uvs.len(), 3 * mesh.triangles.len());
        for (ours, theirs) in corners.zip(&theirs.uvs) {
            let apart = (ours.x - theirs[0]).abs() + (1.0 - ours.y - theirs[1]).abs();
            assert!(apart < 1e-5, "{ours} {theirs:?}");
        }
    }
}
