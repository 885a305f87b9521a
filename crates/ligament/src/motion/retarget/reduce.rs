//! Fewer keys.

use glam::DQuat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::character::{Channel, Clip, Interpolation, Track};

/// How far a track may be from its keys when some of them are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyTolerance {
    /// Rotations, in degrees.
    pub degrees: f64,
    /// Places, in the units of the joint's parent; scales.
    pub length: f64,
}

impl Default for KeyTolerance {
    /// What nobody sees: a twentieth of a degree, a tenth of a millimetre in metres.
    fn default() -> Self {
        Self {
            degrees: 0.05,
            length: 1e-4,
        }
    }
}

/// The clip without the keys that the others give within a tolerance.
///
/// At the time of every dropped key the track is within the tolerance of what the key said: an angle for rotations, a
/// distance for places. A joint's place in the world is then off by at most the sum, over the joints above it, of the angle
/// times the distance to it. Tracks that are not linear, or are broken, are left as they are.
pub fn reduced(clip: &Clip, tolerance: KeyTolerance) -> Clip {
    let tracks = clip
        .tracks
        .par_iter()
        .map(|track| {
            if track.interpolation == Interpolation::Linear && track.check().is_ok() {
                reduced_track(track, tolerance)
            } else {
                track.clone()
            }
        })
        .collect();
    Clip {
        name: clip.name.clone(),
        tracks,
    }
}

/// Douglas and Peucker 1973: the key that is furthest from the line between two others is kept, until none is too far.
fn reduced_track(track: &Track, tolerance: KeyTolerance) -> Track {
    let keys = track.times.len();
    let width = track.channel.width();
    let value = |key: usize| -> [f64; 4] {
        let mut value = [0.0; 4];
        for (to, from) in value
            .iter_mut()
            .zip(&track.values[key * width..(key + 1) * width])
        {
            *to = f64::from(*from);
        }
        value
    };
    let rotates = track.channel == Channel::Rotation;
    let limit = if rotates {
        tolerance.degrees.to_radians()
    } else {
        tolerance.length
    };
    let turns: Vec<DQuat> = if rotates {
        (0..keys)
            .map(|key| DQuat::from_array(value(key)).normalize())
            .collect()
    } else {
        Vec::new()
    };
    let off = |from: usize, to: usize, key: usize| -> f64 {
        let (start, end) = (f64::from(track.times[from]), f64::from(track.times[to]));
        let span = end - start;
        let u = if span > 0.0 {
            (f64::from(track.times[key]) - start) / span
        } else {
            0.0
        };
        if rotates {
            angle(turns[from].slerp(turns[to], u), turns[key])
        } else {
            let (a, b, v) = (value(from), value(to), value(key));
            let square = |i: usize| (a[i] + u * (b[i] - a[i]) - v[i]).powi(2);
            (0..width).map(square).sum::<f64>().sqrt()
        }
    };
    let still = (1..keys).all(|k| off(0, 0, k) <= limit);
    let mut kept = vec![false; keys];
    kept[0] = true;
    if !still {
        kept[keys - 1] = true;
        let mut spans = vec![(0, keys - 1)];
        while let Some((from, to)) = spans.pop() {
            let furthest = (from + 1..to)
                .map(|key| (off(from, to, key), key))
                .fold((0.0, from), |a, b| if b.0 > a.0 { b } else { a });
            if furthest.0 > limit {
                kept[furthest.1] = true;
                spans.extend([(from, furthest.1), (furthest.1, to)]);
            }
        }
    }
    let chosen = || (0..keys).filter(|&k| kept[k]);
    Track {
        times: chosen().map(|k| track.times[k]).collect(),
        values: chosen()
            .flat_map(|k| track.values[k * width..(k + 1) * width].iter().copied())
            .collect(),
        ..track.clone()
    }
}

/// The angle between two turns, exact for small ones too.
fn angle(a: DQuat, b: DQuat) -> f64 {
    let between = a.inverse() * b;
    let sine = (between.x * between.x + between.y * between.y + between.z * between.z).sqrt();
    2.0 * sine.atan2(between.w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;

    fn track(channel: Channel, keys: usize, value: impl Fn(f64) -> Vec<f64>) -> Track {
        let times: Vec<f32> = (0..keys).map(|k| k as f32 / 30.0).collect();
        Track {
            joint: JointIndex(0),
            channel,
            interpolation: Interpolation::Linear,
            values: times
                .iter()
                .flat_map(|&t| value(f64::from(t)))
                .map(|v| v as f32)
                .collect(),
            times,
        }
    }

    #[test]
    fn every_dropped_key_is_within_the_tolerance() {
        let swings = track(Channel::Rotation, 300, |t| {
            DQuat::from_euler(glam::EulerRot::XYZ, (2.0 * t).sin(), 0.3 * t, (0.7 * t).cos())
                .to_array()
                .to_vec()
        });
        let wanders = track(Channel::Translation, 300, |t| {
            vec![t.sin(), (3.0 * t).cos(), t * t]
        });
        let before = Clip {
            name: "both".to_owned(),
            tracks: vec![swings, wanders],
        };
        for (degrees, length) in [(0.3, 0.01), (1.0, 0.02), (10.0, 0.5)] {
            let after = reduced(&before, KeyTolerance { degrees, length });
            for (old, new) in before.tracks.iter().zip(&after.tracks) {
                assert_eq!(new.check(), Ok(()));
                assert!(
                    new.times.len() < old.times.len(),
                    "{degrees}: {}",
                    new.times.len()
                );
                for (k, &t) in old.times.iter().enumerate() {
                    let found = new.sample(t);
                    let width = old.channel.width();
                    let wanted: Vec<f64> = old.values[k * width..][..width]
                        .iter()
                        .map(|&v| f64::from(v))
                        .collect();
                    if old.channel == Channel::Rotation {
                        let wanted = DQuat::from_slice(&wanted).normalize();
                        let off = angle(DQuat::from_array(found).normalize(), wanted).to_degrees();
                        assert!(off <= degrees + 1e-5, "key {k}: {off}° of {degrees}°");
                    } else {
                        let off: f64 = (0..3).map(|i| (found[i] - wanted[i]).powi(2)).sum();
                        assert!(off.sqrt() <= length + 1e-6, "key {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn straight_and_still_tracks_need_two_keys_and_one() {
        let clip = Clip {
            name: String::new(),
            tracks: vec![
                track(Channel::Translation, 100, |t| vec![t, 2.0 * t, 1.0]),
                track(Channel::Translation, 100, |_| vec![0.5, 0.0, 1.0]),
                track(Channel::Rotation, 100, |t| {
                    DQuat::from_rotation_y(0.5 * t).to_array().to_vec()
                }),
            ],
        };
        let keys: Vec<usize> = reduced(&clip, KeyTolerance::default())
            .tracks
            .iter()
            .map(|t| t.times.len())
            .collect();
        assert_eq!(keys, [2, 1, 2]);
    }
}
