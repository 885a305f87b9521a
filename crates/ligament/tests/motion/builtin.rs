//! Motions made by code.

use ligament::character::Transform;
use ligament::motion::builtin::{Builtin, BuiltinBody, body_of, builtin_clip, builtins};
use ligament::motion::retarget::{
    FootFaults, NamedJoints, RetargetOptions, foot_faults, match_joints, retarget,
};
use ligament::sample::make;
use ligament::{Pose, Skeleton};

fn faults_on(builtin: &Builtin, target: &Skeleton) -> (FootFaults, usize) {
    let (source, clip) = builtin.make();
    let map = match_joints(&source, &clip, target, &NamedJoints::default()).unwrap();
    let options = RetargetOptions {
        closed: true,
        ..RetargetOptions::default()
    };
    let carried = retarget(&source, &clip, target, &map, &options).unwrap();
    let faults = foot_faults(
        target,
        &carried.clip,
        &carried.times,
        &map,
        carried.scale,
        &carried.contacts,
    );
    (faults, carried.contacts.len())
}

#[test]
fn every_motion_is_sound_ends_as_it_begins_and_keeps_its_feet() {
    for builtin in builtins() {
        let (skeleton, clip) = builtin.make();
        assert_eq!(skeleton.check(), Ok(()));
        for track in &clip.tracks {
            assert_eq!(track.check(), Ok(()), "{}", builtin.name);
        }
        let (start, end) = clip.span_secs();
        let (first, last) = (clip.pose_at(&skeleton, start), clip.pose_at(&skeleton, end));
        for (joint, (a, b)) in skeleton.joints.iter().zip(first.locals.iter().zip(&last.locals)) {
            let turned = a.rotation.angle_between(b.rotation).to_degrees();
            assert!(turned < 0.2, "{} {}: {turned}°", builtin.name, joint.name);
            assert!(a.translation.distance(b.translation) < 1e-4, "{}", builtin.name);
        }
        let still = Pose::rest(&skeleton);
        let moves = (0..10).any(|i| {
            let pose = clip.pose_at(&skeleton, end * i as f32 / 10.0);
            let far = |(a, b): (&Transform, &Transform)| a.rotation.angle_between(b.rotation) > 0.3;
            pose.locals.iter().zip(&still.locals).any(far)
        });
        assert!(moves, "{} moves", builtin.name);
        let (faults, contacts) = faults_on(builtin, &skeleton);
        assert!(contacts >= 2, "{}", builtin.name);
        assert!(faults.sliding < 0.05, "{}: {faults:?}", builtin.name);
        assert!(faults.floating < 0.015, "{}: {faults:?}", builtin.name);
    }
}

#[test]
fn samples_do_every_motion_of_their_kind() {
    for (sample, body) in [
        ("athlete@1000", BuiltinBody::Human),
        ("knight@2000", BuiltinBody::Human),
        ("hound@1000", BuiltinBody::FourLegs),
    ] {
        let skeleton = make(sample).unwrap().skeleton;
        assert_eq!(body_of(&skeleton), body, "{sample}");
        for builtin in builtins().iter().filter(|b| b.body == body) {
            let clip = builtin_clip(builtin.name, &skeleton, &NamedJoints::default()).unwrap();
            assert_eq!(clip.name, builtin.name);
            for track in &clip.tracks {
                assert_eq!(track.check(), Ok(()));
            }
            let (faults, _) = faults_on(builtin, &skeleton);
            assert!(faults.sliding < 0.05, "{sample} {}: {faults:?}", builtin.name);
            assert!(faults.floating < 0.02, "{sample} {}: {faults:?}", builtin.name);
        }
    }
}

#[test]
fn an_unknown_motion_or_body_is_named() {
    let hound = make("hound@1000").unwrap().skeleton;
    let none = NamedJoints::default();
    let error = builtin_clip("jump", &hound, &none).unwrap_err().to_string();
    assert!(error.contains("four legs") && error.contains("trot"), "{error}");
    let tube = make("tube@200").unwrap().skeleton;
    let error = builtin_clip("walk", &tube, &none).unwrap_err().to_string();
    assert!(
        error.contains("leftUpperLeg") && error.contains("\"character\""),
        "{error}"
    );
}
