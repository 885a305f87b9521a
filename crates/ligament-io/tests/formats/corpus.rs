//! Real files, against numbers that another program counted.

use std::path::Path;

use glam::DVec3;
use ligament::Character;
use ligament::character::Mesh;
use ligament_io::gltf::{self, GltfFile};
use ligament_io::weights::dmat;
use ligament_io::{anim, companion, medit, mhskel, obj, off, skel, tgf};
use ligament_testkit::corpus;

fn read_mesh(path: &Path) -> Mesh {
    let bytes = std::fs::read(path).unwrap();
    let read = match path.extension().and_then(|e| e.to_str()) {
        Some("obj") => obj::read(&bytes, "", &companion::beside(path)),
        Some("off") => off::read(&bytes, ""),
        Some("mesh") => medit::read(&bytes, ""),
        other => panic!("{other:?}"),
    };
    read.unwrap_or_else(|e| panic!("{e}: {}", path.display()))
        .character
        .mesh
}

fn volume(mesh: &Mesh) -> f64 {
    let at = |v: u32| mesh.positions[v as usize].as_dvec3();
    let six: f64 = mesh
        .triangles
        .iter()
        .map(|&[a, b, c]| at(a).cross(at(b)).dot(at(c)))
        .sum();
    six / 6.0
}

#[test]
fn counts_and_volumes_agree_with_the_statistics() {
    let Some(folder) = corpus() else { return };
    let text = std::fs::read_to_string(folder.join("stats_meshes.json")).unwrap();
    let statistics: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut seen = 0;
    for entry in statistics.as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let mesh = read_mesh(&folder.join("meshes").join(file));
        mesh.check().unwrap();
        assert_eq!(
            mesh.positions.len() as u64,
            entry["vertices"].as_u64().unwrap(),
            "{file}"
        );
        assert_eq!(
            mesh.triangles.len() as u64,
            entry["triangles"].as_u64().unwrap(),
            "{file}"
        );
        // Ways to cut quads differ a little in volume; the sign and the size do not.
        let wanted = entry["signed_volume"].as_f64().unwrap();
        let found = volume(&mesh);
        assert!(
            (found / wanted - 1.0).abs() < 2e-3,
            "{file}: volume {found} for {wanted}"
        );
        seen += 1;
    }
    assert!(seen >= 20, "only {seen} meshes");
}

#[test]
fn makehumans_base_keeps_its_groups_and_fits_its_skeleton() {
    let Some(folder) = corpus() else { return };
    let mesh = read_mesh(&folder.join("meshes/makehuman_base_with_helpers.obj"));
    assert!(mesh.parts.iter().any(|p| p.name == "body"));
    assert!(mesh.parts.len() > 100);
    let bytes = std::fs::read(folder.join("meshes/makehuman_default.mhskel")).unwrap();
    let skeleton = mhskel::read(&bytes, "", &mesh.positions)
        .unwrap()
        .character
        .skeleton;
    assert_eq!(skeleton.joints.len(), 163);
    assert_eq!(skeleton.joints.iter().filter(|j| j.parent.is_none()).count(), 1);
    let at = |name: &str| skeleton.bind_position(skeleton.find(name).unwrap());
    let (left, right) = (at("wrist.L"), at("wrist.R"));
    assert!((left * DVec3::new(-1.0, 1.0, 1.0)).distance(right) < 1e-3 && left.x > 1.0);
    assert!(at("head").y > at("spine01").y && at("foot.L").y < at("upperleg01.L").y);
}

/// Parts as the readers make them are parts as the glTF writer needs them: nothing is lost
/// on the way through a file.
#[test]
fn real_meshes_survive_as_gltf() {
    let Some(folder) = corpus() else { return };
    for file in [
        "makehuman_base_with_helpers.obj",
        "nbs_doll.obj",
        "libigl_lion.off",
        "libigl_hand.mesh",
    ] {
        let mesh = read_mesh(&folder.join("meshes").join(file));
        let character = Character {
            mesh,
            ..Character::default()
        };
        let built = gltf::build(&character).unwrap();
        let again = GltfFile::from_document(built.document, "again").unwrap();
        let (before, mesh) = (&character.mesh, &again.character().mesh);
        // Vertices on a seam are there several times, the others once, none is missing.
        let sources = &built.source_vertices;
        assert_eq!(mesh.positions.len(), sources.len(), "{file}");
        let distinct: std::collections::HashSet<u32> = sources.iter().copied().collect();
        assert_eq!(distinct.len(), before.positions.len(), "{file}");
        if before.corner_uvs.is_none() {
            assert_eq!(sources.len(), before.positions.len(), "{file}");
        }
        for (position, &source) in mesh.positions.iter().zip(sources) {
            assert_eq!(*position, before.positions[source as usize], "{file}");
        }
        let as_before = |t: &[u32; 3]| t.map(|v| sources[v as usize]);
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(as_before).collect();
        assert_eq!(triangles.len(), before.triangles.len(), "{file}");
        assert!(triangles == before.triangles, "{file}");
        assert_eq!(mesh.parts.len(), before.parts.len(), "{file}");
    }
}

#[test]
fn libigls_weights_sum_to_one_and_follow_their_bones() {
    let Some(folder) = corpus() else { return };
    for name in ["arm", "elephant"] {
        let file =
            |ending: &str| std::fs::read(folder.join(format!("meshes/libigl_{name}{ending}"))).unwrap();
        let mesh = read_mesh(&folder.join(format!("meshes/libigl_{name}.obj")));
        let graph = tgf::read(&file(".tgf"), name).unwrap();
        let skeleton = &graph.imported.character.skeleton;
        let bytes = file("-weights.dmat");
        let matrix = dmat::read_matrix(&bytes).unwrap();
        assert_eq!(matrix.columns, graph.joint_of_column.len(), "{name}");
        for row in 0..matrix.rows {
            let sum: f64 = (0..matrix.columns)
                .map(|c| matrix.values[c * matrix.rows + row])
                .sum();
            assert!((sum - 1.0).abs() < 1e-6, "{name}: row {row} sums to {sum}");
        }
        let vertices = mesh.positions.len();
        let weights = dmat::read(&bytes, skeleton, &graph.joint_of_column, vertices).unwrap();
        for (v, influences) in weights.iter().enumerate() {
            let sum: f32 = influences.iter().map(|i| i.weight).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{name}: vertex {v} sums to {sum}");
        }
        // The mapping is right if a vertex is mostly near the bones of its first joint.
        let bones = ligament::character::bones_of(skeleton, &vec![true; skeleton.joints.len()], 0.25);
        let near = (0..vertices).filter(|&v| {
            let p = mesh.positions[v].as_dvec3();
            let distance = |b: &ligament::character::Bone| b.shape.distance(p);
            let first = weights.of_vertex(v)[0].joint;
            let own = bones
                .iter()
                .filter(|b| b.joint == first)
                .map(distance)
                .fold(f64::MAX, f64::min);
            let best = bones.iter().map(distance).fold(f64::MAX, f64::min);
            own <= 1.3 * best
        });
        let share = near.count() as f64 / vertices as f64;
        assert!(
            share > 0.8,
            "{name}: {share} of the vertices follow a bone nearby"
        );
    }
    let hand = tgf::read(
        &std::fs::read(folder.join("meshes/libigl_hand.tgf")).unwrap(),
        "hand",
    )
    .unwrap();
    let skeleton = &hand.imported.character.skeleton;
    assert_eq!(skeleton.joints[0].name, "joint1"); // the forearm
    assert_eq!(hand.joint_of_column.len(), 20);
}

#[test]
fn every_matrix_is_read() {
    let Some(folder) = corpus() else { return };
    let sizes = [
        ("armadillo-weights", 43243, 5),
        ("elephant-anim", 288, 457),
        ("hand-pose", 80, 1),
    ];
    for (name, rows, columns) in sizes {
        let bytes = std::fs::read(folder.join(format!("meshes/libigl_{name}.dmat"))).unwrap();
        let matrix = dmat::read_matrix(&bytes).unwrap();
        assert_eq!((matrix.rows, matrix.columns), (rows, columns), "{name}");
    }
}

#[test]
fn real_motions_keep_every_bone_as_long_as_it_is() {
    let Some(folder) = corpus() else { return };
    for (name, clips) in [("armadillo", 4), ("male", 3)] {
        let bytes = std::fs::read(folder.join(format!("meshes/fps_{name}.skel"))).unwrap();
        let skeleton = skel::read(&bytes, name).unwrap().character.skeleton;
        for clip in 0..clips {
            let bytes = std::fs::read(folder.join(format!("meshes/fps_{name}{clip}.anim"))).unwrap();
            let clip = anim::read(&bytes, "clip", &skeleton).unwrap();
            clip.tracks.iter().for_each(|t| t.check().unwrap());
            let (_, end) = clip.span_secs();
            assert!(end > 0.0);
            let mut moved = 0f64;
            for step in 0..=20 {
                let pose = clip.pose_at(&skeleton, end * step as f32 / 20.0);
                let world = pose.world_from_joints(&skeleton);
                for j in skeleton.indices() {
                    let Some(parent) = skeleton.joint(j).parent else {
                        continue;
                    };
                    let length = world[j.at()].translation.distance(world[parent.at()].translation);
                    let bind = skeleton.bind_position(j).distance(skeleton.bind_position(parent));
                    assert!((length - bind).abs() < 1e-5 * bind.max(1.0));
                    moved = moved.max(world[j.at()].translation.distance(skeleton.bind_position(j)));
                }
            }
            assert!(moved > 0.5, "{name}: the clip moves nothing");
            // The first key is the bind pose.
            let start = clip.pose_at(&skeleton, 0.0).world_from_joints(&skeleton);
            let still = skeleton
                .indices()
                .all(|j| start[j.at()].translation.distance(skeleton.bind_position(j)) < 1e-5);
            assert!(still, "{name}");
        }
    }
}
