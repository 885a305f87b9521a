//! The `.anim` of Fast Projective Skinning: a motion for a `.skel`.
//!
//! Layout: the numbers of keys and of joints; then for each key a time, a unit axis
//! `x y z` for each joint, and an angle in radians for each joint. Each is a turn of the
//! joint's own frame, which in the bind pose is not turned; joints are those of the
//! skeleton file from its first on, and joints past the number given stay at rest. So
//! bones keep their lengths in every key.
//!
//! Read: a rotation track for each joint. Lost: the times. In the files that exist they
//! do not increase (0, 1, 1), and the program that plays them spaces keys evenly, about
//! half a second apart; so does this reader.

use glam::{DQuat, DVec3};
use ligament::character::{Channel, Clip, Interpolation, JointIndex, Skeleton, Track};

use crate::import::ImportError;
use crate::text::Words;

/// Seconds from key to key.
const KEY_SECS: f32 = 0.5;

/// Reads a motion for this skeleton, which must keep the order of its `.skel`.
pub fn read(bytes: &[u8], name: &str, skeleton: &Skeleton) -> Result<Clip, ImportError> {
    let mut words = Words::new(bytes, None);
    let keys = words.count("the number of keys")?;
    let joints = words.count("the number of joints")?;
    let known = skeleton.joints.len();
    if joints > known {
        let problem = format!("the motion is for {joints} joints and the skeleton has {known}");
        return Err(words.error(problem));
    }
    let mut rotations: Vec<Vec<f32>> = vec![Vec::new(); joints];
    for _ in 0..keys {
        words.f64("a key's time")?;
        let mut axes = Vec::with_capacity(joints);
        for _ in 0..joints {
            axes.push(DVec3::new(
                words.f64("an axis")?,
                words.f64("an axis")?,
                words.f64("an axis")?,
            ));
        }
        for (axis, rotations) in axes.into_iter().zip(&mut rotations) {
            let angle = words.f64("an angle")?;
            let rotation = axis
                .try_normalize()
                .map_or(DQuat::IDENTITY, |axis| DQuat::from_axis_angle(axis, angle));
            rotations.extend(rotation.as_quat().to_array());
        }
    }
    let tracks = rotations.into_iter().enumerate().map(|(joint, values)| Track {
        joint: JointIndex(joint as u16),
        channel: Channel::Rotation,
        interpolation: Interpolation::Linear,
        times: (0..values.len() / 4).map(|key| key as f32 * KEY_SECS).collect(),
        values,
    });
    Ok(Clip {
        name: name.to_owned(),
        tracks: tracks.filter(|t| !t.times.is_empty()).collect(),
    })
}
