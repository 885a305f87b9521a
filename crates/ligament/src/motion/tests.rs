use super::joint_kind::to;
use super::range_of_motion::MIXED_POSES;
use super::*;
use crate::character::{Channel, Clip, Interpolation, Joint, Track};
use glam::{DAffine3, DQuat, DVec3};

fn skeleton(joints: &[(&str, Option<u16>, [f64; 3])]) -> Skeleton {
    let position = |i: usize| DVec3::from(joints[i].2);
    Skeleton {
        joints: joints
            .iter()
            .enumerate()
            .map(|(i, &(name, parent, _))| {
                let above = parent.map_or(DVec3::ZERO, |p| position(usize::from(p)));
                // Joints with axes of their own: limits must not depend on them.
                let rotation = DQuat::from_rotation_x(0.7 * i as f64);
                Joint {
                    name: name.to_owned(),
                    parent: parent.map(JointIndex),
                    rest: Transform::from_translation(position(i) - above),
                    bind_from_joint: DAffine3::from_rotation_translation(rotation, position(i)),
                    in_skin: true,
                }
            })
            .collect(),
    }
}

fn biped() -> Skeleton {
    skeleton(&[
        ("Hips", None, [0.0, 1.0, 0.0]),
        ("Spine", Some(0), [0.0, 1.2, 0.0]),
        ("Spine1", Some(1), [0.0, 1.4, 0.0]),
        ("LeftShoulder", Some(2), [0.1, 1.5, 0.0]),
        ("LeftArm", Some(3), [0.2, 1.5, 0.0]),
        ("LeftForeArm", Some(4), [0.5, 1.5, 0.0]),
        ("LeftHand", Some(5), [0.8, 1.5, 0.0]),
        ("LeftHandIndex1", Some(6), [0.9, 1.5, 0.0]),
        ("LeftUpLeg", Some(0), [0.1, 0.95, 0.0]),
        ("LeftLeg", Some(8), [0.1, 0.5, 0.0]),
        ("LeftFoot", Some(9), [0.1, 0.1, 0.0]),
        ("RightUpLeg", Some(0), [-0.1, 0.95, 0.0]),
        ("RightLeg", Some(11), [-0.1, 0.5, 0.0]),
        ("RightFoot", Some(12), [-0.1, 0.1, 0.0]),
        ("Neck", Some(2), [0.0, 1.6, 0.0]),
    ])
}

#[test]
fn hierarchy_and_place_tell_what_nameless_joints_are() {
    let named = crate::sample::make("athlete@1000").unwrap().skeleton;
    let mut numbered = named.clone();
    for (k, joint) in numbered.joints.iter_mut().enumerate() {
        joint.name = format!("joint{k}");
    }
    let (by_name, by_place) = (joint_kinds(&named), joint_kinds(&numbered));
    for wanted in ["knee", "elbow", "shoulder", "hip", "ankle", "wrist", "head"] {
        let sides = by_name
            .iter()
            .zip(&by_place)
            .filter(|(named, _)| named.word() == wanted);
        for (named, placed) in sides {
            assert_eq!(named, placed, "{wanted}");
        }
    }
}

#[test]
fn names_tell_what_a_joint_is() {
    use JointKind::*;
    assert_eq!(
        joint_kinds(&biped()),
        [
            Still, Spine, Spine, Clavicle, UpperArm, Elbow, Wrist, Finger, Thigh, Knee, Ankle, Thigh, Knee,
            Ankle, Neck
        ]
    );
    // Only "leg" and numbers: the place in the hierarchy decides.
    let numbered = skeleton(&[
        ("torso_joint_1", None, [0.0, 1.0, 0.0]),
        ("leg_joint_L_1", Some(0), [0.1, 0.9, 0.0]),
        ("leg_joint_L_2", Some(1), [0.1, 0.5, 0.0]),
        ("leg_joint_L_3", Some(2), [0.1, 0.1, 0.0]),
        ("Bone.004", Some(3), [0.1, 0.0, 0.1]),
    ]);
    assert_eq!(joint_kinds(&numbered)[1..], [Thigh, Knee, Ankle, End]);
}

#[test]
fn a_knee_bends_backward_by_its_limit_and_the_other_stays() {
    let skeleton = biped();
    let frames = range_of_motion(&skeleton, &[]);
    // The end that bends is the lower one: the left leg has it in the second pose.
    let frame = frames
        .iter()
        .find(|f| f.name == "knee forward: left -110°, right 0°")
        .unwrap();
    let world = frame.pose.world_from_joints(&skeleton);
    let shin = world[10].translation - world[9].translation;
    let angle = 110f64.to_radians();
    let expected = 0.4 * DVec3::new(0.0, -angle.cos(), -angle.sin());
    assert!(shin.distance(expected) < 1e-9, "{shin}");
    let other = world[13].translation - world[12].translation;
    assert!(other.distance(DVec3::Y * -0.4) < 1e-9);
}

#[test]
fn a_chain_shares_its_limit() {
    let skeleton = biped();
    let frames = range_of_motion(&skeleton, &[]);
    let frame = frames
        .iter()
        .find(|f| f.name.starts_with("spine forward"))
        .unwrap();
    let world = frame.pose.world_from_bind(&skeleton);
    // Two joints of 25 degrees each turn the chest by 50.
    let up = world[2].matrix3 * DVec3::Y;
    assert!((up.angle_between(DVec3::Y).to_degrees() - 50.0).abs() < 1e-6);
    assert!(up.z > 0.0);
}

#[test]
fn limits_can_be_overridden() {
    let skeleton = biped();
    let still = [JointLimits {
        joints: "*".to_owned(),
        moves: Vec::new(),
    }];
    assert!(range_of_motion(&skeleton, &still).is_empty());
    let one = JointLimits {
        joints: "left*leg".to_owned(),
        moves: vec![to(MoveAxis::Twist, 0.0, 30.0)],
    };
    let frames = range_of_motion(&skeleton, &[one, still[0].clone()]);
    assert_eq!(frames.len(), 2 + MIXED_POSES);
    assert_eq!(frames[0].name, "left*leg twist: 30°");
}

#[test]
fn the_bind_pose_moves_nothing() {
    let skeleton = biped();
    for matrix in bind_pose(&skeleton).world_from_bind(&skeleton) {
        assert!(matrix.abs_diff_eq(DAffine3::IDENTITY, 1e-9));
    }
}

#[test]
fn frames_are_spread_over_the_clips_that_bend() {
    let skeleton = biped();
    let quarter = [0.0, 0.0, 0.0, 1.0, 0.5f32.sqrt(), 0.0, 0.0, 0.5f32.sqrt()];
    let track = |channel, values: &[f32]| Track {
        joint: JointIndex(1),
        channel,
        interpolation: Interpolation::Linear,
        times: vec![1.0, 3.0],
        values: values.to_vec(),
    };
    let clip = |name: &str, track| Clip {
        name: name.to_owned(),
        tracks: vec![track],
    };
    let character = Character {
        clips: vec![
            clip("bow", track(Channel::Rotation, &quarter)),
            clip(
                "still",
                track(Channel::Rotation, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
            ),
            clip(
                "hop",
                track(Channel::Translation, &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
            ),
            clip("nod", track(Channel::Rotation, &quarter)),
        ],
        skeleton,
        ..Character::default()
    };
    let frames = clip_frames(&character, 5);
    let times: Vec<_> = frames.iter().map(|f| (f.clip.as_deref(), f.seconds)).collect();
    assert_eq!(frames[0].name, "bow 0.33 s");
    assert_eq!(times[0], (Some("bow"), Some(1.0 + 1.0 / 3.0)));
    assert_eq!(times[1], (Some("bow"), Some(2.0)));
    assert_eq!(times[3..], [(Some("nod"), Some(1.5)), (Some("nod"), Some(2.5))]);
    // More clips than frames: the first and the last are among those chosen.
    let mut many = character.clone();
    many.clips = vec![character.clips[0].clone(); 10];
    assert_eq!(clip_frames(&many, 4).len(), 4);
    assert!(clip_frames(&Character::default(), 4).is_empty());
}
