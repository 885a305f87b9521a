//! Which way a body stands, and how tall it is.

use glam::DVec3;

use crate::character::Skeleton;

/// Up, left and forward of a body, and its extent upward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub up: DVec3,
    pub left: DVec3,
    pub forward: DVec3,
    /// The lowest joint.
    pub ground: f64,
    /// From the lowest joint to the highest.
    pub tall: f64,
    /// Where the middle is along `left`.
    pub middle: f64,
}

impl Frame {
    /// From a joint at the lower end of the body to one at the upper, and from joints of the right to joints of the left.
    pub fn of(skeleton: &Skeleton, along: DVec3, across: DVec3, middle: DVec3) -> Option<Self> {
        let up = main_axis(along)?;
        let left = main_axis(across - up * across.dot(up))?;
        let heights = || {
            skeleton
                .joints
                .iter()
                .map(|j| j.bind_from_joint.translation.dot(up))
        };
        let ground = heights().fold(f64::INFINITY, f64::min);
        let tall = heights().fold(f64::NEG_INFINITY, f64::max) - ground;
        (tall > 0.0).then_some(Self {
            up,
            left,
            forward: left.cross(up),
            ground,
            tall,
            middle: middle.dot(left),
        })
    }

    pub fn height(&self, p: DVec3) -> f64 {
        p.dot(self.up)
    }

    /// How far to the left of the middle.
    pub fn sideways(&self, p: DVec3) -> f64 {
        p.dot(self.left) - self.middle
    }

    /// The same point at another height.
    pub fn at_height(&self, p: DVec3, height: f64) -> DVec3 {
        p + self.up * (height - self.height(p))
    }

    /// The same point at another distance to the left of the middle.
    pub fn at_sideways(&self, p: DVec3, sideways: f64) -> DVec3 {
        p + self.left * (sideways - self.sideways(p))
    }
}

/// The signed axis that a direction is nearest to.
fn main_axis(way: DVec3) -> Option<DVec3> {
    let axis = (0..3).max_by(|&a, &b| way[a].abs().total_cmp(&way[b].abs()))?;
    (way[axis].abs() > 0.0 && way.is_finite()).then(|| DVec3::AXES[axis] * way[axis].signum())
}

/// The length of a line through points.
pub(super) fn length(path: &[DVec3]) -> f64 {
    path.windows(2).map(|w| w[0].distance(w[1])).sum()
}

/// The point of a line through points at a length from its start.
pub(super) fn along(path: &[DVec3], length: f64) -> DVec3 {
    let mut left = length.max(0.0);
    for w in path.windows(2) {
        let step = w[0].distance(w[1]);
        if left <= step && step > 0.0 {
            return w[0].lerp(w[1], left / step);
        }
        left -= step;
    }
    path.last().copied().unwrap_or(DVec3::ZERO)
}
