//! How long it takes.

use ligament::character::{Channel, Interpolation, Track};
use ligament::motion::retarget::{NamedJoints, RetargetOptions, match_joints, reduced, retarget};
use ligament::sample::make;
use ligament::task::Task;
use ligament::{Clip, JointIndex, Skeleton};

/// A minute of motion at 60 frames a second: the sample's walk, again and again.
fn minute(skeleton: &Skeleton, walk: &Clip) -> Clip {
    let times: Vec<f32> = (0..3600).map(|f| f as f32 / 60.0).collect();
    let poses: Vec<_> = times
        .iter()
        .map(|t| walk.pose_at(skeleton, t % walk.span_secs().1))
        .collect();
    let tracks = (0..skeleton.joints.len()).map(|joint| Track {
        joint: JointIndex(joint as u16),
        channel: Channel::Rotation,
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values: poses
            .iter()
            .flat_map(|p| p.locals[joint].rotation.as_quat().to_array())
            .collect(),
    });
    Clip {
        name: "minute".to_owned(),
        tracks: tracks.collect(),
    }
}

/// Not a limit: tests are built without optimisation and run beside others. It prints what it took.
#[test]
fn a_minute_of_motion_is_carried_over() {
    let (athlete, knight) = (make("athlete@1000").unwrap(), make("knight@2000").unwrap());
    let walk = athlete.clips.iter().find(|c| c.name == "walk").unwrap();
    let clip = minute(&athlete.skeleton, walk);
    let task = Task::unattended();
    let start = task.now();
    let map = match_joints(
        &athlete.skeleton,
        &clip,
        &knight.skeleton,
        &NamedJoints::default(),
    )
    .unwrap();
    let matched = task.now() - start;
    let carried = retarget(
        &athlete.skeleton,
        &clip,
        &knight.skeleton,
        &map,
        &RetargetOptions::default(),
    )
    .unwrap();
    let done = task.now() - start;
    let fewer = reduced(&carried.clip, Default::default());
    println!(
        "{} and {} joints, {} frames: matched in {matched:?}, carried over in {:?}, keys reduced in {:?}",
        athlete.skeleton.joints.len(),
        knight.skeleton.joints.len(),
        carried.times.len(),
        done - matched,
        task.now() - start - done
    );
    assert_eq!(carried.times.len(), 3600);
    let keys = |clip: &Clip| clip.tracks.iter().map(|t| t.times.len()).sum::<usize>();
    assert!(keys(&fewer) < keys(&carried.clip));
}
