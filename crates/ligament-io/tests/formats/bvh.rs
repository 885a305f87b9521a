//! BVH: poses against ones worked out by hand, for several channel orders.

use glam::DVec3;
use ligament::character::{Channel, Pose};
use ligament_io::bvh;
use ligament_io::import::Imported;

use crate::seeds;

fn read(text: &str) -> Imported {
    let read = bvh::read(text.as_bytes(), "walk").unwrap();
    for clip in &read.character.clips {
        clip.tracks.iter().for_each(|t| t.check().unwrap());
    }
    read
}

/// Where each joint is at a time.
fn positions(read: &Imported, seconds: f32) -> Vec<DVec3> {
    let skeleton = &read.character.skeleton;
    let pose = read.character.clips[0].pose_at(skeleton, seconds);
    pose.world_from_joints(skeleton)
        .iter()
        .map(|m| m.translation)
        .collect()
}

fn assert_at(found: &[DVec3], wanted: &[[f64; 3]]) {
    assert_eq!(found.len(), wanted.len());
    for (f, w) in found.iter().zip(wanted) {
        assert!(
            f.distance(DVec3::from_array(*w)) < 1e-5,
            "{found:?} should be {wanted:?}"
        );
    }
}

#[test]
fn the_skeleton_rests_at_its_offsets() {
    let read = read(seeds::BVH);
    let skeleton = &read.character.skeleton;
    let names: Vec<&str> = skeleton.joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Left Leg", "Left Leg_end"]);
    assert!(skeleton.joints.iter().all(|j| j.in_skin));
    let rest = Pose::rest(skeleton).world_from_joints(skeleton);
    let at: Vec<DVec3> = rest.iter().map(|m| m.translation).collect();
    assert_at(&at, &[[0.0, 10.0, 0.0], [1.0, 8.0, 0.0], [1.0, 4.0, 0.0]]);
    assert_eq!(
        skeleton.joints[2].bind_from_joint.translation,
        DVec3::new(1.0, 4.0, 0.0)
    );
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
}

/// Second frame: the hips move to (5, 11, -3) and turn 90° about z, which takes (1, -2, 0)
/// to (2, 1, 0); the leg turns 90° about x, which takes (0, -4, 0) to (0, 0, -4), along z,
/// which the hips leave alone.
#[test]
fn a_moving_root_carries_its_leg() {
    let read = read(seeds::BVH);
    assert_at(
        &positions(&read, 0.0),
        &[[0.0, 10.0, 0.0], [1.0, 8.0, 0.0], [1.0, 4.0, 0.0]],
    );
    assert_at(
        &positions(&read, 0.04),
        &[[5.0, 11.0, -3.0], [7.0, 12.0, -3.0], [7.0, 12.0, -7.0]],
    );
}

fn turned(channels: &str, numbers: &str) -> DVec3 {
    let text = format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 {channels}\nEnd Site\n{{\nOFFSET 1 2 3\n}}\n}}\n\
         MOTION\nFrames: 1\nFrame Time: 0.1\n{numbers}\n"
    );
    positions(&read(&text), 0.0)[1]
}

/// Quarter turns are exact on paper: about z (x, y, z) -> (-y, x, z); about x -> (x, -z, y);
/// about y -> (z, y, -x). The channel listed last acts first.
#[test]
fn rotations_apply_in_the_order_listed() {
    let cases = [
        // Rz Rx (1,2,3): x first: (1,-3,2), then z: (3,1,2).
        ("Zrotation Xrotation Yrotation", "90 90 0", [3.0, 1.0, 2.0]),
        // Rx Rz (1,2,3): z first: (-2,1,3), then x: (-2,-3,1).
        ("Xrotation Zrotation Yrotation", "90 90 0", [-2.0, -3.0, 1.0]),
        // Ry Rx (1,2,3): x first: (1,-3,2), then y: (2,-3,-1).
        ("Yrotation Xrotation Zrotation", "90 90 0", [2.0, -3.0, -1.0]),
        // Rx Ry Rz (1,2,3): z: (-2,1,3), y: (3,1,2), x: (3,-2,1).
        ("Xrotation Yrotation Zrotation", "90 90 90", [3.0, -2.0, 1.0]),
        // Rz Ry Rx (1,2,3): x: (1,-3,2), y: (2,-3,-1), z: (3,2,-1).
        ("Zrotation Yrotation Xrotation", "90 90 90", [3.0, 2.0, -1.0]),
    ];
    for (channels, numbers, wanted) in cases {
        let found = turned(channels, numbers);
        assert!(
            found.distance(DVec3::from_array(wanted)) < 1e-5,
            "{channels}: {found} for {wanted:?}"
        );
    }
}

fn with_positions(numbers: &str) -> Imported {
    let channels = "CHANNELS 6 Zrotation Yrotation Xrotation Xposition Yposition Zposition";
    read(&format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 9 0\n{channels}\nJOINT b\n{{\nOFFSET 0 5 0\n{channels}\n}}\n}}\n\
         MOTION\nFrames: 1\nFrame Time: 0.1\n{numbers}\n"
    ))
}

#[test]
fn positions_on_every_joint_replace_or_move_their_offsets() {
    let instead = with_positions("0 0 0 1 9 0  0 0 0 0 6 0");
    assert_at(&positions(&instead, 0.0), &[[1.0, 9.0, 0.0], [1.0, 15.0, 0.0]]);
    assert!(instead.warnings.is_empty());
    let on_top = with_positions("0 0 0 1 0 0  0 0 0 0 1 0");
    assert_at(&positions(&on_top, 0.0), &[[1.0, 9.0, 0.0], [1.0, 15.0, 0.0]]);
    assert_eq!(on_top.warnings[0].code, "positions_on_top_of_offsets");
    let tracks = &on_top.character.clips[0].tracks;
    assert_eq!(
        tracks
            .iter()
            .filter(|t| t.channel == Channel::Translation)
            .count(),
        2
    );
}

#[test]
fn counts_that_lie_are_told_and_faults_name_the_line() {
    let short = read(&seeds::BVH.replace("Frames: 2", "Frames: 999999999999"));
    assert_eq!(short.warnings[0].code, "wrong_frame_count");
    assert_eq!(short.character.clips[0].span_secs(), (0.0, 0.04));
    let without_motion = read(seeds::BVH.split("MOTION").next().unwrap());
    assert!(without_motion.character.clips.is_empty());
    let message = |text: String| bvh::read(text.as_bytes(), "").unwrap_err().to_string();
    assert!(message(seeds::BVH.replace("OFFSET 1 -2 0", "OFFSET 1 x 0")).starts_with("line 8: "));
    assert!(message(seeds::BVH.replace("5 11", "5 1e60")).contains("'Hips'"));
    assert!(message(seeds::BVH.replacen('}', "", 1)).contains("line"));
}
