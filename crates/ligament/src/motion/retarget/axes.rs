//! Which way a body looks.

use glam::{DMat3, DQuat, DVec3};

/// A body's own axes: X to its left, Y up, Z forward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyAxes {
    /// From the body's axes to those of the space that it is in.
    pub space_from_body: DQuat,
}

/// Bodies that are turned by less from an axis of their space look along it.
const SNAP_DEGREES: f64 = 20.0;

impl BodyAxes {
    /// From the way across (to the left) and a direction that goes more or less up. Up is the axis of space that is
    /// nearest, so that a body that leans stays leaning; `None` where the two are the same or nothing.
    pub fn new(across: DVec3, up: DVec3) -> Option<Self> {
        let up = nearest_axis(up.try_normalize()?);
        let level = (across - up * across.dot(up)).try_normalize()?;
        let axis = nearest_axis(level);
        let x = if level.dot(axis) > SNAP_DEGREES.to_radians().cos() {
            axis
        } else {
            level
        };
        let frame = DMat3::from_cols(x, up, x.cross(up));
        Some(Self {
            space_from_body: DQuat::from_mat3(&frame),
        })
    }

    /// Up in its space.
    pub fn up(&self) -> DVec3 {
        self.space_from_body * DVec3::Y
    }

    /// Left in its space.
    pub fn left(&self) -> DVec3 {
        self.space_from_body * DVec3::X
    }
}

/// The axis of space, forward or backward, that is nearest to a direction.
fn nearest_axis(direction: DVec3) -> DVec3 {
    let sizes = direction.abs();
    let axis = if sizes.y >= sizes.x && sizes.y >= sizes.z {
        1
    } else if sizes.x >= sizes.z {
        0
    } else {
        2
    };
    DVec3::AXES[axis] * direction[axis].signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_found_whatever_way_is_up() {
        let ours = BodyAxes::new(DVec3::X, DVec3::new(0.1, 1.0, 0.2)).unwrap();
        assert!(ours.space_from_body.angle_between(DQuat::IDENTITY) < 1e-9);
        // Z up, looking along -Y: left is +X.
        let studio = BodyAxes::new(DVec3::new(2.0, 0.2, 0.0), DVec3::Z).unwrap();
        assert!((studio.up() - DVec3::Z).length() < 1e-12);
        assert!((studio.space_from_body * DVec3::Z - DVec3::NEG_Y).length() < 1e-12);
        // Turned by half a right angle: not taken for an axis.
        let askew = BodyAxes::new(DVec3::new(1.0, 0.0, 1.0), DVec3::Y).unwrap();
        assert!((askew.left() - DVec3::new(1.0, 0.0, 1.0).normalize()).length() < 1e-12);
        assert!(BodyAxes::new(DVec3::Y, DVec3::Y).is_none());
    }
}
