//! Real FBX files against the GLBs that Blender made of them.
//!
//! No similarity is needed between the two: same axes, same metres.

use std::path::Path;
use std::time::Instant;

use glam::DQuat;
use ligament::character::Pose;
use ligament::{Character, JointIndex};
use ligament_io::fbx;
use ligament_io::gltf::GltfFile;
use ligament_io::import::Imported;
use ligament_testkit::corpus;

use crate::matching::{Places, Spread, posed, weight_distance};

const CHARACTERS: [&str; 3] = [
    "rocketbox_male_adult_01",
    "rocketbox_dog_germanshepard_01",
    "seed_san",
];

fn both(corpus: &Path, name: &str) -> (Imported, GltfFile) {
    let imported = fbx::open(&corpus.join(format!("open/fbx/{name}.fbx"))).unwrap();
    let glb = GltfFile::open(&corpus.join(format!("open/{name}.glb"))).unwrap();
    imported.character.mesh.check().unwrap();
    imported.character.skeleton.check().unwrap();
    (imported, glb)
}

/// For each of their vertices all of ours at its place.
fn matched(ours: &Character, theirs: &Character) -> Vec<Vec<usize>> {
    let places = Places::new(&ours.mesh.positions, 1e-4 * ours.mesh.diagonal());
    theirs.mesh.positions.iter().map(|&p| places.at(p)).collect()
}

#[test]
fn every_vertex_is_in_its_place() {
    let Some(corpus) = corpus() else { return };
    for name in CHARACTERS {
        let (imported, glb) = both(&corpus, name);
        let (a, b) = (&imported.character, glb.character());
        assert_eq!(a.mesh.triangles.len(), b.mesh.triangles.len(), "{name}");
        assert_eq!(a.mesh.parts.len(), b.mesh.parts.len(), "{name}");
        let lost = matched(a, b).iter().filter(|m| m.is_empty()).count();
        assert_eq!(lost, 0, "{name}: vertices of the GLB without a twin");
        // Blender drops vertices that no face has.
        let mut in_face = vec![false; a.mesh.positions.len()];
        a.mesh
            .triangles
            .iter()
            .flatten()
            .for_each(|&v| in_face[v as usize] = true);
        let back = matched(b, a);
        let lost = back.iter().zip(in_face).filter(|(m, used)| m.is_empty() && *used);
        assert_eq!(lost.count(), 0, "{name}: vertices of the FBX without a twin");
        // Normals agree but for hard edges and sheets with two sides, which are split there.
        let (na, nb) = (a.mesh.normals.as_ref().unwrap(), b.mesh.normals.as_ref().unwrap());
        let agrees = |(v, found): (usize, &Vec<usize>)| found.iter().any(|&m| na[m].dot(nb[v]) > 0.9);
        let agreeing = matched(a, b)
            .iter()
            .enumerate()
            .filter(|&(v, f)| agrees((v, f)))
            .count();
        assert!(
            agreeing * 4 >= nb.len() * 3,
            "{name}: normals of {agreeing} of {}",
            nb.len()
        );
    }
}

#[test]
fn every_joint_is_in_its_place() {
    let Some(corpus) = corpus() else { return };
    for name in CHARACTERS {
        let (imported, glb) = both(&corpus, name);
        let (a, b) = (&imported.character, glb.character());
        let mut apart = Spread::default();
        for index in b.skeleton.indices().filter(|&j| b.skeleton.joint(j).in_skin) {
            let joint = b.skeleton.joint(index);
            // A mesh node may have a bone's name.
            let is_it = |j: &JointIndex| {
                let own = a.skeleton.joint(*j);
                own.in_skin && own.name == joint.name
            };
            let own = a.skeleton.indices().find(is_it);
            let own = own.unwrap_or_else(|| panic!("{name} has no {}", joint.name));
            apart.add(
                a.skeleton
                    .bind_position(own)
                    .distance(b.skeleton.bind_position(index)),
            );
            let parents = [
                a.skeleton.skin_parent(own).map(|p| &a.skeleton.joint(p).name),
                b.skeleton.skin_parent(index).map(|p| &b.skeleton.joint(p).name),
            ];
            if let [Some(a), Some(b)] = parents {
                assert_eq!(a, b, "{name}: the parent of {}", joint.name);
            }
        }
        let diagonal = f64::from(a.mesh.diagonal());
        assert!(
            apart.count >= 35 && apart.most < 1e-5 * diagonal,
            "{name}: {} of {}",
            apart.most,
            diagonal
        );
    }
}

#[test]
fn every_weight_is_the_same() {
    let Some(corpus) = corpus() else { return };
    for name in CHARACTERS {
        let (imported, glb) = both(&corpus, name);
        let (a, b) = (&imported.character, glb.character());
        let mut apart = Spread::default();
        for (v, found) in matched(a, b).into_iter().enumerate() {
            // Sheets that lie on each other: the best of them.
            let all = found.iter().map(|&m| weight_distance((a, m), (b, v)));
            apart.add(all.fold(1.0, f64::min));
        }
        assert!(
            apart.mean() < 1e-5 && apart.most < 1e-3,
            "{name}: mean {:e}, most {:e}",
            apart.mean(),
            apart.most
        );
    }
}

#[test]
fn rocketbox_stands_upright_with_its_left_at_plus_x() {
    let Some(corpus) = corpus() else { return };
    let (imported, _) = both(&corpus, "rocketbox_male_adult_01");
    let c = &imported.character;
    let height = c.mesh.positions.iter().fold(0f32, |h, p| h.max(p.y));
    assert!((1.8..1.85).contains(&height), "{height}");
    let at = |name| c.skeleton.bind_position(c.skeleton.find(name).unwrap());
    assert!(at("Bip01 L Hand").x > 0.5 && at("Bip01 R Hand").x < -0.5);
    assert!(at("Bip01 Head").y > 1.5);
    assert!(at("Bip01 L Toe0").z > at("Bip01 L Foot").z, "it faces +Z");
}

/// The walk is a file of its own: its rotations are laid over the character by names. The
/// GLB's clip has no translations, so it walks in place.
#[test]
fn the_walk_moves_the_character_as_in_the_glb() {
    let Some(corpus) = corpus() else { return };
    let (imported, glb) = both(&corpus, "rocketbox_male_adult_01");
    let (a, b) = (&imported.character, glb.character());
    let walk = fbx::open(&corpus.join("open/fbx/rocketbox_m_walk_neutral.fbx"))
        .unwrap()
        .character;
    assert!(walk.mesh.positions.is_empty() && walk.weights.is_none());
    let [clip] = &walk.clips[..] else {
        panic!("one clip")
    };
    let theirs = b.clips.iter().find(|c| c.name == "m_walk_neutral").unwrap();
    let (from, to) = theirs.span_secs();
    assert!((clip.span_secs().1 - (to - from)).abs() < 1e-5);

    let pairs = matched(a, b);
    let (mut turned, mut apart) = (Spread::default(), Spread::default());
    for frame in 0..=32 {
        let seconds = frame as f32 / 30.0;
        let walking = clip.pose_at(&walk.skeleton, seconds);
        let mut pose = Pose::rest(&a.skeleton);
        for (joint, local) in a.skeleton.joints.iter().zip(&mut pose.locals) {
            if let Some(same) = walk.skeleton.find(&joint.name) {
                local.rotation = walking.locals[same.at()].rotation;
            }
        }
        let (ours, other) = (
            pose.world_from_bind(&a.skeleton),
            theirs
                .pose_at(&b.skeleton, from + seconds)
                .world_from_bind(&b.skeleton),
        );
        for joint in b.skeleton.indices().filter(|&j| b.skeleton.joint(j).in_skin) {
            let same = a.skeleton.find(&b.skeleton.joint(joint).name).unwrap();
            let turn = |m: &glam::DAffine3| DQuat::from_mat3(&m.matrix3).normalize();
            turned.add(
                turn(&ours[same.at()])
                    .angle_between(turn(&other[joint.at()]))
                    .to_degrees(),
            );
        }
        for (v, found) in pairs.iter().enumerate().step_by(7) {
            let at = posed(b, &other, v);
            apart.add(
                found
                    .iter()
                    .map(|&m| posed(a, &ours, m).distance(at))
                    .fold(1.0, f64::min),
            );
        }
    }
    assert!(
        turned.mean() < 1e-3 && turned.most < 1e-2,
        "degrees: mean {}, most {}",
        turned.mean(),
        turned.most
    );
    assert!(
        apart.mean() < 1e-5 && apart.most < 1e-4,
        "metres: mean {}, most {}",
        apart.mean(),
        apart.most
    );
}

/// Checked without optimisation, beside other tests, it may take ten times as long.
#[test]
fn five_megabytes_take_less_than_a_third_of_a_second() {
    let Some(corpus) = corpus() else { return };
    let bytes = std::fs::read(corpus.join("open/fbx/seed_san.fbx")).unwrap();
    let once = || {
        let start = Instant::now();
        fbx::read(&bytes, "seed_san").unwrap();
        start.elapsed().as_secs_f64()
    };
    let best = (0..5).map(|_| once()).fold(f64::INFINITY, f64::min);
    let per_five_megabytes = best * 5e6 / bytes.len() as f64;
    let limit = if cfg!(debug_assertions) { 3.0 } else { 0.3 };
    assert!(per_five_megabytes < limit, "{per_five_megabytes} s");
}
