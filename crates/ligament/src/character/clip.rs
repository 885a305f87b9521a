//! Motion over time, with glTF's three ways of interpolation.

use glam::{DQuat, DVec3};

use super::{JointIndex, Pose, Skeleton, Transform};

/// A named motion: tracks that each drive one channel of one joint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clip {
    /// What the source calls it; empty when it has no name.
    pub name: String,
    /// The tracks. Channels that no track drives stay at rest.
    pub tracks: Vec<Track>,
}

/// What a track drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Three numbers a key.
    Translation,
    /// Four numbers a key: a quaternion x, y, z, w.
    Rotation,
    /// Three numbers a key.
    Scale,
}

impl Channel {
    /// Numbers per value.
    pub fn width(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 3,
            Self::Rotation => 4,
        }
    }
}

/// What happens between two keys (glTF 2.0, appendix C).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value stays until the next key.
    Step,
    /// Straight, or along the shorter arc for rotations.
    Linear,
    /// A cubic Hermite spline; each key holds in-tangent, value, out-tangent.
    CubicSpline,
}

/// One channel of one joint over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The joint it drives.
    pub joint: JointIndex,
    /// The channel it drives.
    pub channel: Channel,
    /// How to go from key to key.
    pub interpolation: Interpolation,
    /// Key times in seconds, increasing.
    pub times: Vec<f32>,
    /// The keys' numbers, one after the other: `width` per key, three times that for
    /// splines.
    pub values: Vec<f32>,
}

/// Why a track cannot be played.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackError {
    /// There is no key.
    #[error("it has no keys")]
    Empty,
    /// Times and values do not belong together.
    #[error("it has {values} numbers for {keys} keys")]
    WrongLength {
        /// How many keys there are.
        keys: usize,
        /// How many numbers there are.
        values: usize,
    },
    /// A time is not finite or comes before the one it follows.
    #[error("the time of key {key} is not finite or goes backwards")]
    BadTime {
        /// The key at fault.
        key: usize,
    },
    /// A value is NaN or infinite.
    #[error("a value of key {key} is not finite")]
    BadValue {
        /// The key at fault.
        key: usize,
    },
}

impl Track {
    /// Numbers per key.
    fn key_width(&self) -> usize {
        match self.interpolation {
            Interpolation::CubicSpline => 3 * self.channel.width(),
            _ => self.channel.width(),
        }
    }

    /// Checks everything that the types alone do not promise.
    pub fn check(&self) -> Result<(), TrackError> {
        check_keys(self.key_width(), &self.times, &self.values)
    }

    /// The value at a time, held before the first key and after the last. The track must
    /// have passed [`Track::check`].
    pub fn sample(&self, seconds: f32) -> [f64; 4] {
        let width = self.channel.width();
        let read = |start: usize| -> [f64; 4] {
            let mut value = [0.0; 4];
            for (to, &from) in value.iter_mut().zip(&self.values[start..start + width]) {
                *to = f64::from(from);
            }
            value
        };
        let cubic = self.interpolation == Interpolation::CubicSpline;
        let value_at = |key: usize| read(key * self.key_width() + if cubic { width } else { 0 });
        let (key, u, span) = match between(&self.times, seconds) {
            Moment::At(key) => return value_at(key),
            Moment::After { key, fraction, span } => (key, fraction, span),
        };
        match self.interpolation {
            Interpolation::Step => value_at(key),
            Interpolation::Linear => {
                let (a, b) = (value_at(key), value_at(key + 1));
                if self.channel == Channel::Rotation {
                    let from = DQuat::from_array(a).normalize();
                    let to = DQuat::from_array(b).normalize();
                    from.slerp(to, u).to_array()
                } else {
                    std::array::from_fn(|i| a[i] + u * (b[i] - a[i]))
                }
            }
            Interpolation::CubicSpline => {
                let (v0, v1) = (value_at(key), value_at(key + 1));
                let out_tangent = read(key * 3 * width + 2 * width);
                let in_tangent = read((key + 1) * 3 * width);
                std::array::from_fn(|i| hermite(u, span, [v0[i], out_tangent[i], v1[i], in_tangent[i]]))
            }
        }
    }
}

/// Checks keys of so many numbers each.
pub(super) fn check_keys(width: usize, times: &[f32], values: &[f32]) -> Result<(), TrackError> {
    let keys = times.len();
    if keys == 0 {
        return Err(TrackError::Empty);
    }
    if values.len() != keys * width {
        return Err(TrackError::WrongLength {
            keys,
            values: values.len(),
        });
    }
    let goes_wrong = |k: usize| !times[k].is_finite() || (k > 0 && times[k] < times[k - 1]);
    if let Some(key) = (0..keys).find(|&k| goes_wrong(k)) {
        return Err(TrackError::BadTime { key });
    }
    if let Some(at) = values.iter().position(|v| !v.is_finite()) {
        return Err(TrackError::BadValue { key: at / width });
    }
    Ok(())
}

/// Where a moment lies among keys.
pub(super) enum Moment {
    /// The value is that of a key: at it, before the first or after the last.
    At(usize),
    /// Between a key and the next.
    After {
        key: usize,
        /// How much of the way to the next is done.
        fraction: f64,
        /// Seconds from the key to the next.
        span: f64,
    },
}

/// Finds the keys around a moment; there must be one.
pub(super) fn between(times: &[f32], seconds: f32) -> Moment {
    let last = times.len() - 1;
    let after = times.partition_point(|&t| t <= seconds);
    if after == 0 {
        return Moment::At(0);
    }
    let key = after - 1;
    if key >= last {
        return Moment::At(last);
    }
    let span = f64::from(times[key + 1]) - f64::from(times[key]);
    let fraction = if span > 0.0 {
        (f64::from(seconds) - f64::from(times[key])) / span
    } else {
        0.0
    };
    Moment::After { key, fraction, span }
}

/// A cubic between a value, its out-tangent, the next value and its in-tangent.
pub(super) fn hermite(u: f64, span: f64, [v0, out_tangent, v1, in_tangent]: [f64; 4]) -> f64 {
    let (u2, u3) = (u * u, u * u * u);
    (2.0 * u3 - 3.0 * u2 + 1.0) * v0
        + span * (u3 - 2.0 * u2 + u) * out_tangent
        + (3.0 * u2 - 2.0 * u3) * v1
        + span * (u3 - u2) * in_tangent
}

impl Clip {
    /// First and last key time over all tracks, in seconds.
    pub fn span_secs(&self) -> (f32, f32) {
        let start = self
            .tracks
            .iter()
            .filter_map(|t| t.times.first())
            .copied()
            .reduce(f32::min);
        let end = self
            .tracks
            .iter()
            .filter_map(|t| t.times.last())
            .copied()
            .reduce(f32::max);
        (start.unwrap_or(0.0), end.unwrap_or(0.0))
    }

    /// The pose at a time: the rest pose with the tracks' values laid over it. All tracks
    /// must have passed [`Track::check`] and name joints of this skeleton.
    pub fn pose_at(&self, skeleton: &Skeleton, seconds: f32) -> Pose {
        let mut pose = Pose::rest(skeleton);
        for track in &self.tracks {
            let v = track.sample(seconds);
            let local: &mut Transform = &mut pose.locals[track.joint.at()];
            match track.channel {
                Channel::Translation => local.translation = DVec3::new(v[0], v[1], v[2]),
                Channel::Scale => local.scale = DVec3::new(v[0], v[1], v[2]),
                Channel::Rotation => {
                    let q = DQuat::from_array(v);
                    let sound = q.length_squared() > 1e-12;
                    local.rotation = if sound { q.normalize() } else { DQuat::IDENTITY };
                }
            }
        }
        pose
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, values: &[f32]) -> Track {
        Track {
            joint: JointIndex(0),
            channel: Channel::Translation,
            interpolation,
            times: vec![1.0, 3.0],
            values: values.to_vec(),
        }
    }

    #[test]
    fn values_hold_outside_the_keys() {
        let t = track(Interpolation::Linear, &[0.0, 0.0, 0.0, 2.0, 4.0, 6.0]);
        assert_eq!(t.check(), Ok(()));
        assert_eq!(t.sample(-5.0)[..3], [0.0, 0.0, 0.0]);
        assert_eq!(t.sample(2.0)[..3], [1.0, 2.0, 3.0]);
        assert_eq!(t.sample(9.0)[..3], [2.0, 4.0, 6.0]);
    }

    #[test]
    fn steps_wait_for_the_next_key() {
        let t = track(Interpolation::Step, &[0.0, 0.0, 0.0, 2.0, 4.0, 6.0]);
        assert_eq!(t.sample(2.999)[0], 0.0);
        assert_eq!(t.sample(3.0)[0], 2.0);
    }

    /// A cubic x(t) = t³ has tangent 3t²; the Hermite spline through it is exact.
    #[test]
    fn splines_reproduce_a_cubic() {
        let cube = |t: f32| t * t * t;
        let slope = |t: f32| 3.0 * t * t;
        let mut values = Vec::new();
        for t in [1.0, 3.0] {
            for v in [slope(t), cube(t), slope(t)] {
                values.extend([v, 0.0, 0.0]);
            }
        }
        let t = track(Interpolation::CubicSpline, &values);
        assert_eq!(t.check(), Ok(()));
        for i in 0..=20 {
            let at = 1.0 + 0.1 * i as f32;
            assert!((t.sample(at)[0] - f64::from(cube(at))).abs() < 1e-5, "at {at}");
        }
    }

    #[test]
    fn rotations_take_the_shorter_arc() {
        let a = DQuat::from_rotation_z(0.2);
        let b = -DQuat::from_rotation_z(1.0); // the same turn, the far cover
        let t = Track {
            channel: Channel::Rotation,
            values: a
                .to_array()
                .iter()
                .chain(&b.to_array())
                .map(|&x| x as f32)
                .collect(),
            ..track(Interpolation::Linear, &[])
        };
        let half = DQuat::from_array(t.sample(2.0));
        assert!(half.angle_between(DQuat::from_rotation_z(0.6)) < 1e-6);
    }

    #[test]
    fn each_fault_is_named() {
        let good = [0.0; 6];
        assert!(matches!(
            track(Interpolation::Linear, &good[..5]).check(),
            Err(TrackError::WrongLength { .. })
        ));
        let mut t = track(Interpolation::Linear, &good);
        t.times = vec![3.0, 1.0];
        assert_eq!(t.check(), Err(TrackError::BadTime { key: 1 }));
        let mut t = track(Interpolation::Linear, &good);
        t.values[4] = f32::NAN;
        assert_eq!(t.check(), Err(TrackError::BadValue { key: 1 }));
        t.times.clear();
        assert_eq!(t.check(), Err(TrackError::Empty));
    }
}
