//! How much there is of a blend shape over time.

use super::clip::{Moment, between, check_keys, hermite};
use super::{Interpolation, TrackError};

/// What one clip does to one blend shape: how much there is of it, 0 for none and 1 for all.
///
/// It belongs to the shape and not to the clip's tracks, because it moves no joint: it
/// outlives the skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeMotion {
    /// The name of the clip. One of the character's [clips](super::Character::clips) that is called so
    /// moves the joints at the same time; if none is, the clip moves shapes alone.
    pub clip: String,
    /// How to go from key to key.
    pub interpolation: Interpolation,
    /// Key times in seconds, increasing.
    pub times: Vec<f32>,
    /// A number for each key; for splines three, in-tangent, value, out-tangent.
    pub values: Vec<f32>,
}

impl ShapeMotion {
    /// Checks everything that the types alone do not promise.
    pub fn check(&self) -> Result<(), TrackError> {
        check_keys(self.key_width(), &self.times, &self.values)
    }

    fn key_width(&self) -> usize {
        match self.interpolation {
            Interpolation::CubicSpline => 3,
            _ => 1,
        }
    }

    /// The number of a key.
    fn at_key(&self, key: usize) -> f64 {
        let width = self.key_width();
        f64::from(self.values[key * width + width / 2])
    }

    /// How much there is at a time, held before the first key and after the last. It must
    /// have passed [`ShapeMotion::check`].
    pub fn sample(&self, seconds: f32) -> f64 {
        let (key, u, span) = match between(&self.times, seconds) {
            Moment::At(key) => return self.at_key(key),
            Moment::After { key, fraction, span } => (key, fraction, span),
        };
        let (a, b) = (self.at_key(key), self.at_key(key + 1));
        match self.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear => a + u * (b - a),
            Interpolation::CubicSpline => {
                let (leaving, coming) = (self.values[3 * key + 2], self.values[3 * key + 3]);
                hermite(u, span, [a, f64::from(leaving), b, f64::from(coming)])
            }
        }
    }

    /// Whether it does anything where there is always so much of the shape.
    pub fn moves(&self, weight: f32) -> bool {
        match self.interpolation {
            Interpolation::CubicSpline => self
                .values
                .chunks_exact(3)
                .any(|k| k[1] != weight || k[0] != 0.0 || k[2] != 0.0),
            _ => self.values.iter().any(|&v| v != weight),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(interpolation: Interpolation, values: &[f32]) -> ShapeMotion {
        ShapeMotion {
            clip: "talk".to_owned(),
            interpolation,
            times: vec![1.0, 3.0],
            values: values.to_vec(),
        }
    }

    #[test]
    fn straight_steps_and_splines() {
        let straight = motion(Interpolation::Linear, &[0.0, 1.0]);
        assert_eq!(
            [0.0, 1.5, 3.0, 9.0].map(|t| straight.sample(t)),
            [0.0, 0.25, 1.0, 1.0]
        );
        let steps = motion(Interpolation::Step, &[0.25, 1.0]);
        assert_eq!([2.9, 3.0].map(|t| steps.sample(t)), [0.25, 1.0]);
        // x(t) = t³ with its own tangents: a Hermite spline through it is exact.
        let cubic = motion(Interpolation::CubicSpline, &[3.0, 1.0, 3.0, 27.0, 27.0, 27.0]);
        for i in 0..=20 {
            let t = 1.0 + 0.1 * i as f32;
            assert!((cubic.sample(t) - f64::from(t * t * t)).abs() < 1e-4, "{t}");
        }
        assert!([&straight, &steps, &cubic].iter().all(|m| m.check().is_ok()));
    }

    #[test]
    fn what_stays_at_rest_does_not_move() {
        assert!(!motion(Interpolation::Linear, &[0.5, 0.5]).moves(0.5));
        assert!(motion(Interpolation::Linear, &[0.5, 0.5]).moves(0.0));
        assert!(!motion(Interpolation::CubicSpline, &[0.0, 0.5, 0.0, 0.0, 0.5, 0.0]).moves(0.5));
        assert!(motion(Interpolation::CubicSpline, &[0.0, 0.5, 1.0, 0.0, 0.5, 0.0]).moves(0.5));
    }

    #[test]
    fn each_fault_is_named() {
        let mut m = motion(Interpolation::CubicSpline, &[0.0; 5]);
        assert!(matches!(m.check(), Err(TrackError::WrongLength { .. })));
        m.values = vec![0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0];
        assert_eq!(m.check(), Err(TrackError::BadValue { key: 1 }));
        m.times.reverse();
        assert_eq!(m.check(), Err(TrackError::BadTime { key: 1 }));
        m.times.clear();
        assert_eq!(m.check(), Err(TrackError::Empty));
    }
}
