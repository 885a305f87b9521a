//! Fewer keys.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3, DVec4};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::character::{Channel, Clip, Interpolation, Track};

/// How far a track may be from its keys when some of them are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyTolerance {
    /// Rotations, in degrees.
    pub degrees: f64,
    /// Positions, in the units of the joint's parent; scales.
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
/// distance for positions. A joint's position in the world is then off by at most the sum, over the joints above it, of the angle
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
    let width = track.channel.width();
    let kept = if track.channel == Channel::Rotation {
        let turns: Vec<DVec4> = track
            .values
            .chunks_exact(4)
            .map(|v| DQuat::from_array([v[0], v[1], v[2], v[3]].map(f64::from)))
            .map(|turn| DVec4::from(turn.normalize()))
            .collect();
        // Quaternions that are `c` apart turn by angles that are 4 asin(c / 2) apart.
        let limit = 2.0 * (tolerance.degrees.to_radians() / 4.0).min(FRAC_PI_2).sin();
        let near = |turn: DVec4, to: DVec4| turn.distance_squared(to).min(turn.distance_squared(-to));
        kept_keys(&track.times, limit * limit, |from, to| {
            let arc = Arc::new(turns[from], turns[to]);
            let turns = &turns;
            move |key: usize, u: f64| near(arc.at(u), turns[key])
        })
    } else {
        let values: Vec<DVec3> = track
            .values
            .chunks_exact(3)
            .map(|v| DVec3::from_array([v[0], v[1], v[2]].map(f64::from)))
            .collect();
        kept_keys(&track.times, tolerance.length * tolerance.length, |from, to| {
            let (start, end, values) = (values[from], values[to], &values);
            move |key: usize, u: f64| start.lerp(end, u).distance_squared(values[key])
        })
    };
    let chosen = || (0..kept.len()).filter(|&k| kept[k]);
    Track {
        joint: track.joint,
        channel: track.channel,
        interpolation: track.interpolation,
        times: chosen().map(|k| track.times[k]).collect(),
        values: chosen()
            .flat_map(|k| track.values[k * width..(k + 1) * width].iter().copied())
            .collect(),
    }
}

/// Which keys stay. `between` two keys gives how far, squared, a key is from the way from one to the other at a share of it.
fn kept_keys<F: Fn(usize, f64) -> f64>(
    times: &[f32],
    limit: f64,
    between: impl Fn(usize, usize) -> F,
) -> Vec<bool> {
    let keys = times.len();
    let mut kept = vec![false; keys];
    kept[0] = true;
    let to_first = between(0, 0);
    if (1..keys).all(|key| to_first(key, 0.0) <= limit) {
        return kept;
    }
    kept[keys - 1] = true;
    let mut spans = vec![(0, keys - 1)];
    while let Some((from, to)) = spans.pop() {
        let start = f64::from(times[from]);
        let span = f64::from(times[to]) - start;
        let rate = if span > 0.0 { span.recip() } else { 0.0 };
        let off = between(from, to);
        let furthest = (from + 1..to)
            .map(|key| (off(key, (f64::from(times[key]) - start) * rate), key))
            .fold((0.0, from), |a, b| if b.0 > a.0 { b } else { a });
        if furthest.0 > limit {
            kept[furthest.1] = true;
            spans.extend([(from, furthest.1), (furthest.1, to)]);
        }
    }
    kept
}

/// The shorter arc from one rotation to another, made ready to be asked many times: sines of angles up to a right one are
/// sums of a few powers, a third of the time of `sin`.
#[derive(Clone, Copy)]
struct Arc {
    from: DVec4,
    to: DVec4,
    angle: f64,
    /// One over the sine of the angle; zero if the arc is as good as straight.
    rate: f64,
}

impl Arc {
    fn new(from: DVec4, to: DVec4) -> Self {
        let to = if from.dot(to) < 0.0 { -to } else { to };
        let angle = 2.0 * (0.5 * from.distance(to)).min(1.0).asin();
        let rate = if angle > 1e-6 { angle.sin().recip() } else { 0.0 };
        Self {
            from,
            to,
            angle,
            rate,
        }
    }

    fn at(&self, u: f64) -> DVec4 {
        if self.rate == 0.0 {
            return self.from.lerp(self.to, u);
        }
        let (from, to) = (sine((1.0 - u) * self.angle), sine(u * self.angle));
        (self.from * from + self.to * to) * self.rate
    }
}

/// The sine of an angle between zero and a right angle, within 1e-11: its power series.
fn sine(x: f64) -> f64 {
    const RATIOS: [f64; 7] = [
        1.0 / 210.0,
        1.0 / 156.0,
        1.0 / 110.0,
        1.0 / 72.0,
        1.0 / 42.0,
        1.0 / 20.0,
        1.0 / 6.0,
    ];
    let square = x * x;
    x * RATIOS.iter().fold(1.0, |sum, ratio| 1.0 - square * ratio * sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;

    /// The angle between two turns, exact for small ones too.
    fn angle(a: DQuat, b: DQuat) -> f64 {
        let between = a.inverse() * b;
        2.0 * between.xyz().length().atan2(between.w.abs())
    }

    #[test]
    fn arcs_are_those_of_slerp() {
        let from = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.0, 2.0);
        for turn in [0.0, 1e-9, 1e-4, 0.1, 1.5, 3.0, 3.2, 6.0] {
            let to = from * DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), turn);
            let arc = Arc::new(from.into(), to.into());
            for u in [0.0, 0.1, 0.5, 0.77, 1.0] {
                let off = angle(DQuat::from_vec4(arc.at(u)).normalize(), from.slerp(to, u));
                assert!(off < 1e-9, "{turn} at {u}: {off}");
            }
        }
        for k in 0..=100 {
            let x = FRAC_PI_2 * f64::from(k) / 100.0;
            assert!((sine(x) - x.sin()).abs() < 1e-11, "{x}");
        }
    }

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
