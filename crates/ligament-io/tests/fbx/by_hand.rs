//! The strip, whose answers are known.

use glam::{DQuat, DVec3, Vec3};
use ligament::character::{Channel, PartAttachment, Pose};
use ligament_io::fbx;
use ligament_io::import::Imported;

use crate::matching;
use crate::strip::{Strip, VERTICES};

pub fn read(strip: &Strip) -> Imported {
    let imported = fbx::read(&strip.bytes(), "strip").unwrap();
    imported.character.skeleton.check().unwrap();
    imported
}

pub fn codes(imported: &Imported) -> Vec<&str> {
    imported.warnings.iter().map(|w| w.code).collect()
}

/// Metres with Y up, from the file's centimetres with Z up.
pub fn ours([x, y, z]: [f64; 3]) -> DVec3 {
    DVec3::new(x, z, -y) / 100.0
}

/// Where linear blending puts a vertex.
pub fn posed(imported: &Imported, pose: &Pose, vertex: usize) -> DVec3 {
    let c = &imported.character;
    matching::posed(c, &pose.world_from_bind(&c.skeleton), vertex)
}

#[track_caller]
pub fn near(a: DVec3, b: DVec3) {
    assert!(a.distance(b) < 1e-6, "{a} is not {b}");
}

#[test]
fn a_strip_in_centimetres_with_z_up() {
    let imported = read(&Strip::default());
    assert_eq!(codes(&imported), ["rigid_part"]);
    let c = &imported.character;
    c.mesh.check().unwrap();
    for (at, file) in c.mesh.positions.iter().zip(VERTICES) {
        near(at.as_dvec3(), ours(file));
    }
    // One quad and one pentagon, by material, then the helmet.
    let parts: Vec<_> = c
        .mesh
        .parts
        .iter()
        .map(|p| {
            (
                p.name.as_str(),
                p.material.name.as_str(),
                p.vertices.clone(),
                p.triangles.len(),
            )
        })
        .collect();
    assert_eq!(
        parts,
        [
            ("Strip.0", "Skin", 0..7, 2),
            ("Strip.1", "Cloth", 0..7, 3),
            ("Helmet", "", 7..10, 1)
        ]
    );
    assert_eq!(c.mesh.parts[0].material.base_color, [0.5, 0.25, 0.125, 1.0]);
    // Faces look to the front, and so did the normals, which the helmet lacks.
    for t in &c.mesh.triangles[..5] {
        let [a, b, d] = t.map(|v| c.mesh.positions[v as usize]);
        assert!((b - a).cross(d - a).z > 0.0);
    }
    assert_eq!(c.mesh.normals, None);

    let names: Vec<_> = c
        .skeleton
        .joints
        .iter()
        .map(|j| (j.name.as_str(), j.in_skin))
        .collect();
    assert_eq!(
        names,
        [
            ("Armature", false),
            ("Lower", true),
            ("Upper", true),
            ("Helmet", false),
            ("Strip", false)
        ]
    );
    let upper = c.skeleton.find("Upper").unwrap();
    near(c.skeleton.bind_position(upper), DVec3::Y);
    // No scale of 0.01 anywhere.
    assert!(
        c.skeleton
            .joints
            .iter()
            .all(|j| (j.rest.scale - DVec3::ONE).length() < 1e-12)
    );

    let helmet = c.skeleton.find("Helmet").unwrap();
    assert_eq!(c.mesh.parts[2].attachment, PartAttachment::Rigid(helmet));
    // The geometric translation is the upper bone's Z, which is up: 100 + 130 cm.
    near(c.mesh.positions[9].as_dvec3(), DVec3::new(0.0, 2.35, 0.0));

    let weights = c.weights.as_ref().unwrap();
    let lower = c.skeleton.find("Lower").unwrap();
    assert_eq!(weights.weight(0, lower), 1.0);
    assert_eq!((weights.weight(2, lower), weights.weight(2, upper)), (0.75, 0.25));
    assert_eq!(weights.weight(6, upper), 1.0);
    assert_eq!(weights.weight(8, helmet), 1.0);
}

#[test]
fn normals_are_kept_when_all_meshes_have_them() {
    // Without bones to hang on, the helmet's mesh is not connected to anything.
    let text = Strip::default().text().replace("C: \"OO\",41,43\n", "");
    let imported = fbx::read(text.as_bytes(), "strip").unwrap();
    let normals = imported.character.mesh.normals.unwrap();
    assert_eq!(normals.len(), 7);
    assert!(normals.iter().all(|n| n.distance(Vec3::Z) < 1e-6));
}

#[test]
fn the_clip_turns_the_upper_bone_past_its_pre_rotation() {
    let imported = read(&Strip::default());
    let c = &imported.character;
    let [clip] = &c.clips[..] else {
        panic!("{:?}", c.clips)
    };
    assert_eq!(clip.name, "Bend");
    // Only what moves has a track; it starts at zero and has the file's frames.
    let [track] = &clip.tracks[..] else {
        panic!("{:?}", clip.tracks)
    };
    assert_eq!((track.channel, clip.span_secs()), (Channel::Rotation, (0.0, 1.0)));
    assert_eq!(track.times.len(), 31);
    for (seconds, degrees) in [(0.0, 0.0), (1.0 / 3.0, 30.0), (0.5, 45.0), (1.0, 90.0f64)] {
        let pose = clip.pose_at(&c.skeleton, seconds);
        // The file's Y is behind us: turning about it takes up to the left, our +X.
        let rotation = DQuat::from_rotation_z(-degrees.to_radians());
        for v in [4, 5, 6] {
            near(
                posed(&imported, &pose, v),
                DVec3::Y + rotation * (ours(VERTICES[v]) - DVec3::Y),
            );
        }
        near(
            posed(&imported, &pose, 8),
            DVec3::Y + rotation * (c.mesh.positions[8].as_dvec3() - DVec3::Y),
        );
    }
}

#[test]
fn units_and_handedness_follow_the_file() {
    // The same numbers in inches.
    let imported = read(&Strip {
        unit: 2.54,
        ..Strip::default()
    });
    near(
        imported.character.mesh.positions[6].as_dvec3(),
        DVec3::new(0.0, 2.2 * 2.54, 0.0),
    );
    // Y up, facing +Z, as Maya writes it: nothing turns.
    let imported = read(&Strip {
        axes: [1, 2, 1, 1],
        unit: 100.0,
        ..Strip::default()
    });
    near(
        imported.character.mesh.positions[5].as_dvec3(),
        DVec3::new(10.0, 0.0, 200.0),
    );
    // A left-handed file (its X points the other way): mirrored once, faces still look out.
    let imported = read(&Strip {
        axes: [2, 1, -1, -1],
        ..Strip::default()
    });
    let c = &imported.character;
    near(c.mesh.positions[0].as_dvec3(), DVec3::new(0.1, 0.0, 0.0));
    let [a, b, d] = c.mesh.triangles[0].map(|v| c.mesh.positions[v as usize]);
    assert!((b - a).cross(d - a).z > 0.0);
    let pose = c.clips[0].pose_at(&c.skeleton, 1.0);
    near(posed(&imported, &pose, 6), DVec3::new(-1.2, 1.0, 0.0));
}

#[test]
fn a_clip_without_a_mesh() {
    let imported = read(&Strip {
        meshes: false,
        ..Strip::default()
    });
    let c = &imported.character;
    assert!(c.mesh.positions.is_empty() && c.mesh.parts.is_empty() && c.weights.is_none());
    assert_eq!(c.skeleton.joints.len(), 3);
    assert_eq!(c.clips.len(), 1);
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
}

#[test]
fn plain_nodes_are_taken_for_joints_where_there_are_no_bones() {
    let imported = read(&Strip {
        bones: false,
        meshes: false,
        ..Strip::default()
    });
    assert_eq!(codes(&imported), ["guessed_skeleton"]);
    assert!(imported.character.skeleton.joints.iter().all(|j| j.in_skin));
    // A mesh beside a skeleton that nothing is bound to is skin that waits for weights.
    let text = Strip::default().text().replace("C: \"OO\",50,40\n", "");
    let imported = fbx::read(text.as_bytes(), "strip").unwrap();
    let c = &imported.character;
    assert!(c.weights.is_none());
    assert_eq!(c.mesh.parts[0].attachment, PartAttachment::Skin);
    assert!(matches!(c.mesh.parts[2].attachment, PartAttachment::Rigid(_)));
}

#[test]
fn weights_are_repaired_and_said_so() {
    let weights = [
        vec![(0, 0.5), (1, -1.0), (2, 2.0), (3, 1.0)],
        vec![(2, 2.0), (4, 1.0), (5, 1.0), (6, 1000.0)],
    ];
    let imported = read(&Strip {
        weights,
        ..Strip::default()
    });
    assert_eq!(
        codes(&imported),
        ["unweighted_vertices", "weights_not_normalised", "rigid_part"]
    );
    let c = &imported.character;
    let lower = c.skeleton.find("Lower").unwrap();
    let weights = c.weights.as_ref().unwrap();
    assert_eq!([0, 1, 2].map(|v| weights.weight(v, lower)), [1.0, 1.0, 0.5]);
}

/// A bone that no cluster names, whose bind pose is another than its rest pose.
#[test]
fn a_file_that_does_not_say_which_way_is_up() {
    let text = Strip::default()
        .text()
        .replace("UpAxis", "Nothing")
        .replace("FrontAxis", "Nothing");
    let imported = fbx::read(text.as_bytes(), "strip").unwrap();
    assert_eq!(codes(&imported), ["unknown_axes", "rigid_part"]);
    near(
        imported.character.mesh.positions[5].as_dvec3(),
        DVec3::new(0.1, 0.0, 2.0),
    );
}
