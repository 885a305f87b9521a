//! Skeletons from the other formats, and those that Ligament writes.

use glam::{DQuat, DVec3, Vec3};
use ligament::Character;
use ligament::character::{JointIndex, Skeleton};
use ligament_io::import::ImportError;
use ligament_io::{anim, mhskel, rignet, skel, skeleton_json, tgf};

use crate::seeds;

fn parents(skeleton: &Skeleton) -> Vec<(&str, Option<&str>)> {
    skeleton
        .joints
        .iter()
        .map(|j| (j.name.as_str(), j.parent.map(|p| skeleton.joint(p).name.as_str())))
        .collect()
}

/// Vertex 2 is the root although 1 comes first, because the edges point away from it.
#[test]
fn a_graph_becomes_trees() {
    let read = tgf::read(seeds::TGF.as_bytes(), "graph").unwrap();
    let skeleton = &read.imported.character.skeleton;
    assert_eq!(
        parents(skeleton),
        [
            ("joint2", None),
            ("joint1", Some("joint2")),
            ("joint3", Some("joint2")),
            ("joint4", Some("joint2")),
            ("joint5", None),
        ]
    );
    // A column for the lone handle, then one for each bone.
    assert_eq!(read.joint_of_column, [4, 0, 0, 0].map(JointIndex));
    assert!(read.imported.warnings.is_empty());
    let ring = tgf::read(b"1 0 0 0\n2 1 0 0\n3 0 1 0\n#\n1 2\n2 3\n3 1\n", "").unwrap();
    assert_eq!(ring.imported.warnings[0].code, "left_out_edges");
    let message = tgf::read(b"1 0 0 0\n#\n1 2\n", "").unwrap_err().to_string();
    assert_eq!(message, "line 3: an edge joins two of the 1 vertices");
}

#[test]
fn skel_and_anim() {
    let skeleton = skel::read(seeds::SKEL.as_bytes(), "").unwrap().character.skeleton;
    assert_eq!(
        parents(&skeleton),
        [("hips", None), ("spine", Some("hips")), ("head", Some("spine"))]
    );
    let clip = anim::read(seeds::ANIM.as_bytes(), "turn", &skeleton).unwrap();
    assert_eq!(clip.tracks.len(), 2);
    // The hips turn 90° about z: the spine, above them, goes to the left.
    let world = clip.pose_at(&skeleton, 0.5).world_from_joints(&skeleton);
    assert!(world[1].translation.distance(-DVec3::X) < 1e-6);
    assert!(
        skel::read(b"2\n0 0 0 a root\n0 0 0 b c\n", "")
            .unwrap_err()
            .to_string()
            .starts_with("line 3")
    );
    assert!(skel::read(b"9999999999\n0 0 0 a root\n", "").is_err());
    assert!(anim::read(b"1 9\n", "", &skeleton).is_err());
    let named = skel::read(b"2\n0 0 0 root root\n0 1 0 tip root\n", "").unwrap();
    assert_eq!(
        parents(&named.character.skeleton),
        [("root", None), ("tip", Some("root"))]
    );
}

#[test]
fn makehuman_joints_are_means_of_vertices() {
    let vertices = [Vec3::X, 3.0 * Vec3::X, Vec3::Y, Vec3::ZERO];
    let read = mhskel::read(seeds::MHSKEL.as_bytes(), "tiny", &vertices).unwrap();
    let skeleton = &read.character.skeleton;
    assert_eq!(parents(skeleton), [("root", None), ("arm", Some("root"))]);
    assert_eq!(skeleton.bind_position(JointIndex(0)), 0.5 * DVec3::X);
    assert_eq!(skeleton.bind_position(JointIndex(1)), 2.0 * DVec3::X);
    let message = mhskel::read(seeds::MHSKEL.as_bytes(), "", &vertices[..3])
        .unwrap_err()
        .to_string();
    assert!(message.contains("vertex 3 is none of the 3"), "{message}");
}

#[test]
fn rignet_comes_back_as_written() {
    let read = rignet::read(seeds::RIGNET.as_bytes(), "rig").unwrap();
    let character = &read.character;
    assert_eq!(
        parents(&character.skeleton),
        [("hips", None), ("spine", Some("hips")), ("head", Some("spine"))]
    );
    let weights = character.weights.as_ref().unwrap();
    assert_eq!(weights.weight(1, JointIndex(2)), 0.75);
    let again = rignet::read(rignet::write(character).as_bytes(), "rig").unwrap();
    assert_eq!(again.character.skeleton, character.skeleton);
    assert_eq!(again.character.weights.as_ref(), Some(weights));

    let gaps = rignet::read(b"joints a 0 0 0\nroot a\nskin 7 a 1\n", "").unwrap();
    assert_eq!(gaps.character.weights, None);
    assert_eq!(gaps.warnings[0].code, "left_out_weights");
    for bad in [
        "hier hips hips\n",
        "hier hips spine\n",
        "hier head none\n",
        "what\n",
        "hier head hips\n",
    ] {
        assert!(
            rignet::read(format!("{}{bad}", seeds::RIGNET).as_bytes(), "").is_err(),
            "{bad}"
        );
    }
}

#[test]
fn our_own_skeletons_come_back_as_written() {
    let mut skeleton = seeds::skeleton();
    skeleton.joints[2].name = "hips".to_owned(); // a repeated name
    skeleton.joints[2].in_skin = false;
    let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0);
    skeleton.joints[1].bind_from_joint.matrix3 = glam::DMat3::from_quat(rotation);
    let text = skeleton_json::write(&skeleton);
    let read = skeleton_json::read(text.as_bytes(), "own")
        .unwrap()
        .character
        .skeleton;
    assert_eq!(parents(&read), parents(&skeleton));
    for (a, b) in read.joints.iter().zip(&skeleton.joints) {
        assert!(a.bind_from_joint.abs_diff_eq(b.bind_from_joint, 1e-12));
        assert_eq!(a.in_skin, b.in_skin);
    }
    let character = Character {
        skeleton: read.clone(),
        ..Character::default()
    };
    assert!(rignet::write(&character).contains("joints hips#0"));

    // A file of every version stays readable.
    let first = r#"{"format": "ligament-skeleton", "version": 1, "joints": [
        {"name": "hand", "parent": "arm", "position": [1, 0, 0]},
        {"name": "arm", "parent": null, "position": [0, 0, 0], "rotation": [0, 0, 0, 1]}]}"#;
    let read = skeleton_json::read(first.as_bytes(), "")
        .unwrap()
        .character
        .skeleton;
    assert_eq!(parents(&read), [("arm", None), ("hand", Some("arm"))]);
    let newer = first.replace("\"version\": 1", "\"version\": 2");
    assert!(matches!(
        skeleton_json::read(newer.as_bytes(), ""),
        Err(ImportError::Unsupported { .. })
    ));
    let zero = first.replace("[0, 0, 0, 1]", "[0, 0, 0, 0]");
    let message = skeleton_json::read(zero.as_bytes(), "").unwrap_err().to_string();
    assert!(message.starts_with("/joints/1/rotation: "), "{message}");
}
