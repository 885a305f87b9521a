//! What is read is what the file holds, however it stores it.

use glam::{DAffine3, Vec3};
use ligament::character::{Character, PartAttachment, Pose};
use ligament::geometry::Weld;
use ligament_io::gltf::{Document, GltfFile, GltfWarning};

use crate::zoo;

fn open(bytes: &[u8]) -> GltfFile {
    GltfFile::from_document(Document::from_bytes(bytes).unwrap(), "zoo").unwrap()
}

/// Where a character's vertices are at the end of its first clip, by the plain formula.
fn posed(character: &Character) -> Vec<Vec3> {
    let pose = match character.clips.first() {
        Some(clip) => clip.pose_at(&character.skeleton, clip.span_secs().1),
        None => Pose::rest(&character.skeleton),
    };
    let world_from_bind: Vec<DAffine3> = pose.world_from_bind(&character.skeleton);
    let weights = character.weights.as_ref().unwrap();
    let blend = |(v, p): (usize, &Vec3)| {
        let moved = weights
            .of_vertex(v)
            .iter()
            .map(|i| world_from_bind[i.joint.at()].transform_point3(p.as_dvec3()) * f64::from(i.weight));
        moved.sum::<glam::DVec3>().as_vec3()
    };
    character.mesh.positions.iter().enumerate().map(blend).collect()
}

#[test]
fn every_variation_reads_as_the_same_character() {
    for (name, file) in zoo::all() {
        let gltf = open(&file.bytes());
        let c = gltf.character();
        assert_eq!(c.mesh.check(), Ok(()), "{name}");
        assert_eq!(c.skeleton.check(), Ok(()), "{name}");
        assert_eq!(c.mesh.triangles.len(), 6, "{name}");
        let names: Vec<&str> = c
            .skeleton
            .joints
            .iter()
            .filter(|j| j.in_skin)
            .map(|j| j.name.as_str())
            .collect();
        assert_eq!(names, ["hips", "knee", "foot"], "{name}");
        let known: Vec<Vec3> = zoo::positions().into_iter().map(Vec3::from_array).collect();
        for (v, p) in c.mesh.positions.iter().enumerate() {
            let expected = known[v % 8];
            assert!(
                p.distance(expected) < 1e-5,
                "{name}: vertex {v} is at {p}, not {expected}"
            );
            let weights = c.weights.as_ref().unwrap();
            for (slot, weight) in zoo::weights()[v % 8] {
                let joint = c
                    .skeleton
                    .find(["hips", "knee", "foot"][usize::from(slot)])
                    .unwrap();
                if weight > 0.0 {
                    assert!(
                        (weights.weight(v, joint) - weight).abs() < 2.5e-3,
                        "{name}: vertex {v}"
                    );
                }
            }
        }
        assert_eq!(Weld::of(&c.mesh).point_count(), 8, "{name}");
        assert_eq!(c.clips.len(), 1, "{name}");
        // The knee turns by 90° about Z: what hangs wholly on the foot goes to -X.
        let top = posed(c)[7];
        let expected = if name == "scaled_armature" {
            Vec3::new(-1.6, 1.1, 0.0)
        } else {
            Vec3::new(-0.8, 1.2, 0.0)
        };
        assert!(top.distance(expected) < 1e-4, "{name}: the top goes to {top}");
    }
}

/// The `gltf` crate reads the same numbers.
#[test]
fn agrees_with_another_reader() {
    let understood = ["quantised_positions", "meshopt", "joints_u32"]; // by us, not by it
    for (name, file) in zoo::all()
        .into_iter()
        .filter(|(name, _)| !understood.contains(name))
    {
        let bytes = file.bytes();
        let ours = open(&bytes);
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&bytes).unwrap();
        let mut positions = Vec::new();
        let mut triangles = 0;
        for node in document.nodes().filter(|n| n.skin().is_some()) {
            for primitive in node.mesh().unwrap().primitives() {
                let reader = primitive.reader(|_| blob.as_deref());
                positions.push(reader.read_positions().unwrap().count());
                if primitive.mode() == gltf::mesh::Mode::Triangles {
                    triangles += reader.read_indices().unwrap().into_u32().count() / 3;
                } else {
                    triangles += reader.read_indices().unwrap().into_u32().count() - 2;
                }
                let theirs: Vec<[f32; 4]> = reader.read_weights(0).unwrap().into_f32().collect();
                let joints: Vec<[u16; 4]> = reader.read_joints(0).unwrap().into_u16().collect();
                let weights = ours.character().weights.as_ref().unwrap();
                if name == "two_sets" {
                    continue; // it reads one set at a time
                }
                for v in 0..8 {
                    for (slot, weight) in joints[v].iter().zip(theirs[v]).filter(|(_, w)| *w > 0.0) {
                        let node = document
                            .skins()
                            .next()
                            .unwrap()
                            .joints()
                            .nth(usize::from(*slot))
                            .unwrap();
                        let joint = ours.character().skeleton.find(node.name().unwrap()).unwrap();
                        assert!(
                            (weights.weight(v, joint) - weight).abs() < 1e-6,
                            "{name}: vertex {v}"
                        );
                    }
                }
            }
        }
        assert_eq!(ours.character().mesh.triangles.len(), triangles, "{name}");
        assert_eq!(ours.character().mesh.positions.len() % positions[0], 0, "{name}");
    }
}

#[test]
fn primitives_over_one_vertex_buffer_share_vertices() {
    let shared = zoo::all()
        .into_iter()
        .find(|(n, _)| *n == "shared_vertices")
        .unwrap()
        .1;
    let gltf = open(&shared.bytes());
    assert_eq!(gltf.character().mesh.positions.len(), 8);
    assert_eq!(gltf.character().mesh.parts.len(), 2);
}

#[test]
fn faults_that_can_be_lived_with_are_repaired_and_told() {
    let mut f = zoo::plain();
    let numbers = [
        [f32::NAN, 0.5, 0.0, 0.0],
        [0.0; 4],
        [0.5, 0.75, 0.0, 0.0],
        [-1.0, 1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.5, 0.5, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
    ];
    let slots = [
        [0, 1, 0, 0],
        [0; 4],
        [0, 1, 0, 0],
        [0, 1, 0, 0],
        [77, 0, 0, 0],
        [1, 1, 0, 0],
        [0; 4],
        [0; 4u8 as usize],
    ];
    let weight = f.floats(&numbers.concat(), "VEC4", 4);
    let joints = f.accessor(&slots.concat(), zoo::U8, "VEC4", 8);
    f.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = weight.into();
    f.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = joints.into();
    let gltf = open(&f.glb());
    let part = || "strip".to_owned();
    assert_eq!(
        gltf.warnings(),
        [
            GltfWarning::BadWeights {
                part: part(),
                vertices: 2
            },
            GltfWarning::JointOutOfRange {
                part: part(),
                vertices: 1
            },
            GltfWarning::RepeatedJoint {
                part: part(),
                vertices: 1
            },
            GltfWarning::Unweighted {
                part: part(),
                vertices: 2
            },
            GltfWarning::SumsNotOne {
                part: part(),
                vertices: 2,
                least: 0.5,
                most: 1.25
            },
        ]
    );
    let w = gltf.character().weights.as_ref().unwrap();
    assert_eq!(w.vertex_count(), 8);
    assert!((w.of_vertex(2)[0].weight - 0.6).abs() < 1e-6);
}

#[test]
fn a_mesh_without_a_skin_beside_a_skeleton_is_skin() {
    for file in [zoo::unbound(), zoo::skinless()] {
        let gltf = open(&file.glb());
        let c = gltf.character();
        assert!(c.weights.is_none());
        assert_eq!(c.mesh.parts[0].attachment, PartAttachment::Skin);
        assert_eq!(c.skeleton.joints.iter().filter(|j| j.in_skin).count(), 3);
    }
    let guessed = open(&zoo::skinless().glb());
    assert!(matches!(
        guessed.warnings()[0],
        GltfWarning::GuessedSkeleton { joints: 3, .. }
    ));
    // The mesh is where its node puts it.
    assert!(guessed.character().mesh.positions[1].distance(Vec3::new(0.1, 0.1, 0.0)) < 1e-6);
}

#[test]
fn a_mesh_that_a_joint_carries_is_rigid() {
    let gltf = open(&zoo::rigid_helmet().glb());
    let c = gltf.character();
    let helmet = &c.mesh.parts[1];
    let PartAttachment::Rigid(carrier) = helmet.attachment else {
        panic!("the helmet is rigid")
    };
    assert_eq!(c.skeleton.joint(carrier).name, "helmet");
    assert_eq!(c.skeleton.skin_parent(carrier), c.skeleton.find("foot"));
    // In bind space: on the foot at two metres, half a metre up.
    assert!(c.mesh.positions[helmet.vertices.start].distance(Vec3::new(-0.1, 2.5, 0.0)) < 1e-6);
    assert!(
        gltf.warnings()
            .iter()
            .any(|w| matches!(w, GltfWarning::RigidPart { node, .. } if node == "foot"))
    );
}

#[test]
fn a_file_without_a_skeleton_reads_too() {
    let mut f = zoo::unbound();
    f.json.as_object_mut().unwrap().remove("skins");
    f.json.as_object_mut().unwrap().remove("animations");
    f.json["nodes"] = serde_json::json!([{ "name": "strip", "mesh": 0 }]);
    f.json["scenes"][0]["nodes"] = serde_json::json!([0]);
    let gltf = open(&f.glb());
    assert_eq!(gltf.character().mesh.triangles.len(), 6);
    assert!(!gltf.character().skeleton.joints.iter().any(|j| j.in_skin));
}
