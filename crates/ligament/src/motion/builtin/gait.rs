//! Steps: a foot that stands on ground which moves backward, and swings forward again.

use glam::DVec3;

use super::body::{FootTarget, ramp};

/// How a foot steps.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// How much of the time it stands.
    pub stance: f64,
    /// How far the ground moves while it stands.
    pub length: f64,
    /// How far in front of where it is bound the middle of that is.
    pub ahead: f64,
    /// How high it is lifted.
    pub lift: f64,
    /// Toes up when it comes down, in degrees.
    pub heel_first: f64,
    /// Toes down when it is lifted.
    pub push_off: f64,
}

impl Step {
    /// Where the foot is; it comes down at phase 0.
    pub fn at(&self, phase: f64) -> FootTarget {
        let phase = phase.rem_euclid(1.0);
        let front = self.ahead + 0.5 * self.length;
        if phase < self.stance {
            let u = phase / self.stance;
            let toes_down =
                self.push_off * ramp(u, 0.55, 1.0).powf(1.2) - self.heel_first * (1.0 - ramp(u, 0.0, 0.22));
            return FootTarget {
                shift: DVec3::new(0.0, 0.0, front - self.length * u),
                toes_down,
                toes_flat: if toes_down > 0.0 { 1.0 } else { 0.0 },
            };
        }
        let u = (phase - self.stance) / (1.0 - self.stance);
        // Leaves and meets the ground at the ground's own speed: a cubic with given slopes.
        let slope = -self.length / self.stance * (1.0 - self.stance);
        let (u2, u3) = (u * u, u * u * u);
        let (start, end) = (front - self.length, front);
        let along = (2.0 * u3 - 3.0 * u2 + 1.0) * start
            + (u3 - 2.0 * u2 + u) * slope
            + (3.0 * u2 - 2.0 * u3) * end
            + (u3 - u2) * slope;
        let lifted = (std::f64::consts::PI * u).sin().powi(2);
        FootTarget {
            shift: DVec3::new(0.0, self.lift * lifted, along),
            toes_down: self.push_off * (1.0 - ramp(u, 0.0, 0.6)) - self.heel_first * ramp(u, 0.5, 1.0),
            toes_flat: 1.0 - ramp(u, 0.0, 0.3),
        }
    }
}
