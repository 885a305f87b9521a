//! Which way a body stands and looks.

use glam::DVec3;

use super::anatomy::CENTRAL;
use super::symmetry::Mirror;
use super::voxels::Voxels;

/// Which way is up, sideways and forward.
#[derive(Debug, Clone, Copy)]
pub(in crate::rig) struct Axes {
    pub up: usize,
    pub mirror: Mirror,
    pub forward: usize,
    /// 1 if the body's left is towards the larger coordinate, −1 if towards the smaller.
    pub left: f64,
}

impl Axes {
    /// Y up, then Z up, each with the axis across which the body is most symmetric.
    pub fn candidates(voxels: &Voxels) -> [Self; 2] {
        [1, 2].map(|up| {
            // X first: it is sideways by convention and wins ties.
            let other = 3 - up;
            let (x, y) = (Mirror::across(0, voxels), Mirror::across(other, voxels));
            let mirror = if y.fraction > x.fraction + 0.02 { y } else { x };
            let forward = 3 - up - mirror.axis;
            let mut axes = Self {
                up,
                mirror,
                forward,
                left: 1.0,
            };
            // Y up faces +Z, Z up faces −Y: what glTF and Blender agree on.
            axes.face(if up == 1 { 1.0 } else { -1.0 });
            axes
        })
    }

    /// Turns the body to face along the forward axis, or against it.
    pub(super) fn face(&mut self, sign: f64) {
        let left = DVec3::AXES[self.up].cross(sign * DVec3::AXES[self.forward]);
        self.left = left[self.mirror.axis].signum();
    }

    /// How far a point is from the plane of symmetry, to the left.
    pub fn sideways(&self, p: DVec3) -> f64 {
        self.left * (p[self.mirror.axis] - self.mirror.at)
    }

    /// The prefix for a joint's name.
    pub fn side(&self, p: DVec3, diagonal: f64) -> &'static str {
        let sideways = self.sideways(p);
        if sideways > CENTRAL * diagonal {
            "left_"
        } else if sideways < -CENTRAL * diagonal {
            "right_"
        } else {
            ""
        }
    }
}
