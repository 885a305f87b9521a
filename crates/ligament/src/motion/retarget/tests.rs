use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::*;
use crate::character::{Joint, Pose, Transform};
use crate::motion::bind_pose;
use crate::sample::make;

/// Joints of the samples' names that both have.
fn by_name(source: &Skeleton, target: &Skeleton) -> RetargetMap {
    let pair = |name: &str| Some((source.find(name)?, target.find(name)?));
    let mut pairs = Vec::new();
    for index in source.indices() {
        let name = &source.joint(index).name;
        let Some((s, t)) = pair(name) else { continue };
        let aim = |below: &str| {
            let side = name.split('_').next()?;
            pair(&format!("{side}_{below}")).map(|(s, t)| RestRule::Aim(s, t))
        };
        let rest = match name.split_once('_').map_or("", |n| n.1) {
            "upper_arm" => aim("lower_arm"),
            "lower_arm" => aim("hand"),
            "upper_leg" => aim("lower_leg"),
            "lower_leg" => aim("foot"),
            bare if name.contains("hand") || bare.contains("index") || bare.contains("thumb") => {
                Some(RestRule::Inherit)
            }
            bare if ["middle", "ring", "little"].iter().any(|f| bare.contains(f)) => Some(RestRule::Inherit),
            _ => Some(RestRule::Keep),
        };
        pairs.push(JointPair {
            source: s,
            target: t,
            rest: rest.unwrap_or(RestRule::Keep),
        });
    }
    let limb = |names: [&str; 3], ball: Option<&str>, side: &str| {
        let joints = names.map(|n| pair(&format!("{side}_{n}")).unwrap());
        Limb {
            source: joints.map(|j| j.0),
            target: joints.map(|j| j.1),
            ball: ball.and_then(|b| pair(&format!("{side}_{b}"))),
        }
    };
    let limbs = |names: [&str; 3], ball: Option<&str>| -> Vec<Limb> {
        ["left", "right"].iter().map(|s| limb(names, ball, s)).collect()
    };
    let axes = |skeleton: &Skeleton| {
        let at = |name: &str| skeleton.bind_position(skeleton.find(name).unwrap());
        let up = at("hips") - 0.5 * (at("left_foot") + at("right_foot"));
        BodyAxes::new(at("left_upper_leg") - at("right_upper_leg"), up).unwrap()
    };
    RetargetMap {
        pairs,
        hips: pair("hips").unwrap(),
        legs: limbs(["upper_leg", "lower_leg", "foot"], Some("toes")),
        arms: limbs(["upper_arm", "lower_arm", "hand"], None),
        source_axes: axes(source),
        target_axes: axes(target),
        first_frame_is_reference: false,
    }
}

/// A skeleton in another space, its joints with axes of their own.
fn moved(skeleton: &Skeleton, by: DAffine3) -> Skeleton {
    let mut other = skeleton.clone();
    for (i, joint) in other.joints.iter_mut().enumerate() {
        let own = DQuat::from_euler(glam::EulerRot::XYZ, 0.9 * i as f64, 0.4 * i as f64, 0.2);
        joint.bind_from_joint = by * joint.bind_from_joint * DAffine3::from_quat(own);
    }
    at_rest_where_bound(other)
}

fn at_rest_where_bound(mut skeleton: Skeleton) -> Skeleton {
    for (joint, local) in bind_pose(&skeleton).locals.into_iter().enumerate() {
        skeleton.joints[joint].rest = local;
    }
    skeleton
}

/// A skeleton bound in a pose of its own.
fn rebound(skeleton: &Skeleton, pose: &Pose) -> Skeleton {
    let mut other = skeleton.clone();
    for (joint, world) in other.joints.iter_mut().zip(pose.world_from_joints(skeleton)) {
        joint.bind_from_joint = world;
    }
    at_rest_where_bound(other)
}

/// The largest distance of joints from where they should be, over a clip.
fn off(
    (source, clip): (&Skeleton, &Clip),
    (target, other): (&Skeleton, &Clip),
    expected: impl Fn(DVec3) -> DVec3,
) -> f64 {
    let mut most: f64 = 0.0;
    let end = clip.span_secs().1;
    for i in 0..=20 {
        let at = end * i as f32 / 20.0;
        let a = clip.pose_at(source, at).world_from_joints(source);
        let b = other.pose_at(target, at).world_from_joints(target);
        for (a, b) in a.iter().zip(&b) {
            most = most.max(expected(a.translation).distance(b.translation));
        }
    }
    most
}

fn athlete() -> (Skeleton, Vec<Clip>) {
    let athlete = make("athlete@1000").unwrap();
    (athlete.skeleton, athlete.clips)
}

#[test]
fn a_skeleton_keeps_its_own_motion() {
    let (skeleton, clips) = athlete();
    let map = by_name(&skeleton, &skeleton);
    assert!(clips.len() >= 2);
    for clip in &clips {
        for hands in [false, true] {
            let options = RetargetOptions {
                hands,
                ..RetargetOptions::default()
            };
            let same = retarget(&skeleton, clip, &skeleton, &map, &options).unwrap();
            assert!((same.scale - 1.0).abs() < 1e-12);
            let off = off((&skeleton, clip), (&skeleton, &same.clip), |p| p);
            assert!(off < 1e-5, "{}: {off} m", clip.name);
        }
    }
}

/// Characters that were posed by constraints have feet, and sometimes hands, that hang on the root.
#[test]
fn feet_that_hang_on_the_root_go_with_the_shin() {
    let (skeleton, clips) = athlete();
    let mut loose = skeleton.clone();
    for name in ["left_foot", "right_foot", "left_hand"] {
        let joint = skeleton.find(name).unwrap();
        loose.joints[joint.at()].parent = Some(JointIndex(0));
    }
    let loose = at_rest_where_bound(loose);
    let map = by_name(&skeleton, &loose);
    for clip in &clips {
        for feet in [false, true] {
            let options = RetargetOptions {
                feet,
                ..RetargetOptions::default()
            };
            let carried = retarget(&skeleton, clip, &loose, &map, &options).unwrap();
            // At the frames: between them a foot that is moved goes straight, one that is turned by a shin goes around.
            for &at in &carried.times {
                let wanted = clip.pose_at(&skeleton, at).world_from_joints(&skeleton);
                let found = carried.clip.pose_at(&loose, at).world_from_joints(&loose);
                for (a, b) in wanted.iter().zip(&found) {
                    let off = a.translation.distance(b.translation);
                    assert!(off < 1e-5, "{} at {at} s: {off} m", clip.name);
                }
            }
        }
    }
}

#[test]
fn other_axes_units_and_places_change_nothing() {
    let (skeleton, clips) = athlete();
    // Centimetres, Z up, looking along X, elsewhere.
    let turn = DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
    let space = DAffine3::from_mat3_translation(turn * 100.0, DVec3::new(300.0, -50.0, 0.0));
    let other = moved(&skeleton, space);
    let (there, back) = (by_name(&skeleton, &other), by_name(&other, &skeleton));
    for clip in &clips {
        let options = RetargetOptions::default();
        let carried = retarget(&skeleton, clip, &other, &there, &options).unwrap();
        assert!((carried.scale - 100.0).abs() < 1e-9);
        let away = off((&skeleton, clip), (&other, &carried.clip), |p| {
            space.transform_point3(p)
        });
        assert!(away < 2e-3, "{}: {away} cm", clip.name);
        let returned = retarget(&other, &carried.clip, &skeleton, &back, &options).unwrap();
        let away = off((&skeleton, clip), (&skeleton, &returned.clip), |p| p);
        assert!(away < 4e-5, "{}: {away} m", clip.name);
    }
}

#[test]
fn a_mirrored_scaled_parent_changes_nothing() {
    let (skeleton, clips) = athlete();
    let mut other = skeleton.clone();
    for joint in &mut other.joints {
        joint.parent = Some(JointIndex(joint.parent.map_or(0, |p| p.0 + 1)));
    }
    let above = DAffine3::from_scale_rotation_translation(
        DVec3::new(-0.01, 0.01, 0.01),
        DQuat::from_rotation_x(-1.2),
        DVec3::new(0.0, 0.3, 0.0),
    );
    let node = Joint {
        name: "node".to_owned(),
        parent: None,
        rest: Transform::from_affine(above),
        bind_from_joint: above,
        in_skin: false,
    };
    other.joints.insert(0, node);
    let other = at_rest_where_bound(other);
    let map = by_name(&skeleton, &other);
    for clip in &clips {
        let carried = retarget(&skeleton, clip, &other, &map, &RetargetOptions::default()).unwrap();
        for at in [0.1, 0.4, 0.9] {
            let a = clip.pose_at(&skeleton, at).world_from_joints(&skeleton);
            let b = carried.clip.pose_at(&other, at).world_from_joints(&other);
            for (a, b) in a.iter().zip(&b[1..]) {
                let away = a.translation.distance(b.translation);
                assert!(away < 2e-5, "{} at {at}: {away}", clip.name);
            }
        }
    }
}

/// Bound with the arms down, the legs apart and the elbows bent, the same body does the same.
#[test]
fn another_pose_to_be_bound_in_changes_nothing() {
    let (skeleton, clips) = athlete();
    let mut pose = Pose::rest(&skeleton);
    let mut turn = |name: &str, by: DQuat| {
        let joint = skeleton.find(name).unwrap();
        let bind = DQuat::from_mat3(&skeleton.joint(joint).bind_from_joint.matrix3);
        let local = &mut pose.locals[joint.at()];
        local.rotation = (local.rotation * (bind.inverse() * by * bind)).normalize();
    };
    for (side, flip) in [("left", 1.0), ("right", -1.0)] {
        turn(&format!("{side}_upper_arm"), DQuat::from_rotation_z(-0.8 * flip));
        turn(&format!("{side}_lower_arm"), DQuat::from_rotation_z(-0.3 * flip));
    }
    let other = rebound(&skeleton, &pose);
    assert!(other.bind_position(other.find("left_hand").unwrap()).y < 1.2);
    let (there, back) = (by_name(&skeleton, &other), by_name(&other, &skeleton));
    for clip in &clips {
        let options = RetargetOptions::default();
        let carried = retarget(&skeleton, clip, &other, &there, &options).unwrap();
        let away = off((&skeleton, clip), (&other, &carried.clip), |p| p);
        // Fingers are twisted by what an arm turns about itself.
        assert!(away < 1e-3, "{}: {away} m", clip.name);
        let returned = retarget(&other, &carried.clip, &skeleton, &back, &options).unwrap();
        let away = off((&skeleton, clip), (&skeleton, &returned.clip), |p| p);
        assert!(away < 2e-3, "{}: {away} m back", clip.name);
        // Turns copied without a look at the reference poses end up elsewhere.
        let mut plain = there.clone();
        plain.pairs.iter_mut().for_each(|p| p.rest = RestRule::Keep);
        let copied = retarget(&skeleton, clip, &other, &plain, &options).unwrap();
        let away = off((&skeleton, clip), (&other, &copied.clip), |p| p);
        assert!(away > 0.2, "{}: {away} m", clip.name);
    }
}

/// The athlete with thighs and shins of other lengths, the ground where the feet are.
fn with_legs(skeleton: &Skeleton, thigh: f64, shin: f64) -> Skeleton {
    let mut other = skeleton.clone();
    for side in ["left", "right"] {
        let joint = |name: &str| skeleton.find(&format!("{side}_{name}")).unwrap();
        let at = |name: &str| skeleton.bind_position(joint(name));
        let knee = at("upper_leg") + thigh * (at("lower_leg") - at("upper_leg"));
        let ankle = knee + shin * (at("foot") - at("lower_leg"));
        let mut shift = |top: JointIndex, by: DVec3| {
            for j in skeleton.indices() {
                let under = std::iter::successors(Some(j), |&j| skeleton.joint(j).parent).any(|a| a == top);
                if under {
                    other.joints[j.at()].bind_from_joint.translation += by;
                }
            }
        };
        let by = knee - at("lower_leg");
        shift(joint("lower_leg"), by);
        shift(joint("foot"), ankle - at("foot") - by);
    }
    let sole = |s: &Skeleton| s.bind_position(s.find("left_toes").unwrap()).y;
    let lift = sole(skeleton) - sole(&other);
    for joint in &mut other.joints {
        joint.bind_from_joint.translation.y += lift;
    }
    at_rest_where_bound(other)
}

#[test]
fn feet_stay_where_plain_copies_slide_and_sink() {
    let (skeleton, clips) = athlete();
    let squat = clips.iter().find(|c| c.name == "squat").unwrap();
    for (thigh, shin) in [(1.3, 0.75), (0.8, 1.2), (1.5, 1.5)] {
        let other = with_legs(&skeleton, thigh, shin);
        let map = by_name(&skeleton, &other);
        let faults = |other: &Skeleton, map: &RetargetMap, feet: bool| {
            let options = RetargetOptions {
                feet,
                ..RetargetOptions::default()
            };
            let carried = retarget(&skeleton, squat, other, map, &options).unwrap();
            assert!(carried.contacts.len() >= 2, "both feet stand");
            let Retargeted {
                clip,
                times,
                scale,
                contacts,
            } = carried;
            foot_faults(other, &clip, &times, map, scale, &contacts)
        };
        let (plain, kept) = (faults(&other, &map, false), faults(&other, &map, true));
        // What the source's own feet do is no fault of the target's.
        let own = faults(&skeleton, &by_name(&skeleton, &skeleton), false);
        let more = |of: fn(&FootFaults) -> f64, faults: &FootFaults| of(faults) - of(&own);
        assert!(more(|f| f.sliding, &kept) < 2e-3, "{own:?} {kept:?}");
        assert!(more(|f| f.floating, &kept) < 2e-3, "{own:?} {kept:?}");
        assert!(more(|f| f.penetration, &kept) < 1e-3, "{own:?} {kept:?}");
        if thigh != shin {
            let far = |of: fn(&FootFaults) -> f64| more(of, &plain) > 10.0 * more(of, &kept).max(1e-3);
            assert!(
                far(|f| f.sliding) && far(|f| f.floating),
                "{own:?} {plain:?} {kept:?}"
            );
        }
    }
}

#[test]
fn parts_are_cut_out_resampled_and_closed() {
    let (skeleton, clips) = athlete();
    let map = by_name(&skeleton, &skeleton);
    let squat = clips.iter().find(|c| c.name == "squat").unwrap();
    let part = RetargetOptions {
        fps: Some(60.0),
        from: Some(0.4),
        to: Some(1.4),
        ..RetargetOptions::default()
    };
    let cut = retarget(&skeleton, squat, &skeleton, &map, &part).unwrap();
    assert_eq!(cut.times.len(), 61);
    assert_eq!(cut.clip.span_secs(), (0.0, 1.0));
    let hips = skeleton.find("hips").unwrap().at();
    let position =
        |clip: &Clip, at: f32| clip.pose_at(&skeleton, at).world_from_joints(&skeleton)[hips].translation;
    assert!(position(&cut.clip, 0.35).distance(position(squat, 0.75)) < 1e-5);
    let closed = RetargetOptions {
        closed: true,
        root: RootMotion::InPlace,
        ..part
    };
    let round = retarget(&skeleton, squat, &skeleton, &map, &closed).unwrap();
    let (first, last) = (
        round.clip.pose_at(&skeleton, 0.0),
        round.clip.pose_at(&skeleton, 1.0),
    );
    for (a, b) in first.locals.iter().zip(&last.locals) {
        assert!(a.rotation.angle_between(b.rotation) < 1e-3);
        assert!(a.translation.distance(b.translation) < 1e-5);
    }
    assert!(
        position(&cut.clip, 0.0).distance(position(&cut.clip, 1.0)) > 0.05,
        "the part alone is not closed"
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (skeleton, clips) = athlete();
    let map = by_name(&skeleton, &skeleton);
    let carried = |map: &RetargetMap, options: RetargetOptions| {
        retarget(&skeleton, &clips[0], &skeleton, map, &options).map(|_| ())
    };
    let usual = RetargetOptions::default;
    let none = RetargetMap {
        pairs: Vec::new(),
        ..map.clone()
    };
    assert_eq!(carried(&none, usual()), Err(RetargetError::NoPairs));
    let mut twice = map.clone();
    twice.pairs.push(twice.pairs[3]);
    assert!(matches!(
        carried(&twice, usual()),
        Err(RetargetError::DrivenTwice { .. })
    ));
    let mut elsewhere = map.clone();
    elsewhere.hips.1 = JointIndex(9999);
    assert!(matches!(
        carried(&elsewhere, usual()),
        Err(RetargetError::NoSuchJoint { joint: 9999, .. })
    ));
    let with = |fps, from, to| RetargetOptions {
        fps,
        from,
        to,
        ..usual()
    };
    for bad in [
        with(Some(0.0), None, None),
        with(Some(f64::NAN), None, None),
        with(None, Some(-1.0), None),
    ] {
        assert!(matches!(carried(&map, bad), Err(RetargetError::BadOption { .. })));
    }
    assert_eq!(
        carried(&map, with(None, Some(5.0), Some(1.0))),
        Err(RetargetError::NoFrames)
    );
    let still = Clip::default();
    assert!(matches!(
        retarget(&skeleton, &still, &skeleton, &map, &usual()),
        Err(RetargetError::NoFrames)
    ));
}

/// Recordings whose skeleton is bound in no pose of a body (legs folded up, all bones along one axis) are read by their first frame.
#[test]
fn a_motion_that_is_bound_in_no_pose_of_a_body_is_read_by_its_first_frame() {
    let (skeleton, clips) = athlete();
    let walk = clips.iter().find(|c| c.name == "walk").unwrap();
    let mut pose = bind_pose(&skeleton);
    for (thigh, shin) in [
        ("left_upper_leg", "left_lower_leg"),
        ("right_upper_leg", "right_lower_leg"),
    ] {
        let along = pose.locals[skeleton.find(shin).unwrap().at()].translation;
        let over = DQuat::from_axis_angle(along.normalize().any_orthonormal_vector(), std::f64::consts::PI);
        pose.locals[skeleton.find(thigh).unwrap().at()].rotation *= over;
    }
    let folded = rebound(&skeleton, &pose);
    // Every joint has a track: nothing of the pose that it is bound in is seen in the motion.
    let times: Vec<f32> = (0..=30).map(|i| walk.span_secs().1 * i as f32 / 30.0).collect();
    let poses: Vec<Pose> = times.iter().map(|&t| walk.pose_at(&skeleton, t)).collect();
    let mut recording = Clip {
        name: "recording".to_owned(),
        tracks: Vec::new(),
    };
    for joint in skeleton.indices() {
        let turns = poses
            .iter()
            .map(|p| p.locals[joint.at()].rotation.as_quat().to_array());
        recording
            .tracks
            .push(track(joint, Channel::Rotation, &times, turns.flatten().collect()));
        let positions = poses
            .iter()
            .map(|p| p.locals[joint.at()].translation.as_vec3().to_array());
        recording.tracks.push(track(
            joint,
            Channel::Translation,
            &times,
            positions.flatten().collect(),
        ));
    }
    let map = match_joints(&folded, &recording, &skeleton, &NamedJoints::default()).unwrap();
    assert!(map.first_frame_is_reference);
    let carried = retarget(&folded, &recording, &skeleton, &map, &RetargetOptions::default()).unwrap();
    for &at in &carried.times {
        let wanted = walk.pose_at(&skeleton, at).world_from_joints(&skeleton);
        let found = carried.clip.pose_at(&skeleton, at).world_from_joints(&skeleton);
        for name in ["left_foot", "right_foot", "left_hand", "right_hand", "head"] {
            let joint = skeleton.find(name).unwrap().at();
            let off = wanted[joint].translation.distance(found[joint].translation);
            // What the trunk leans and turns by in the first frame is not seen.
            assert!(off < 0.15, "{name} at {at} s: {off} m");
        }
    }
}
