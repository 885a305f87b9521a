//! Where the picture is taken from.

use glam::{Vec3, Vec4};

/// A camera. `forward` and `up` need not be unit vectors, only independent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: Vec3,
    /// Where it looks.
    pub forward: Vec3,
    /// What is up in the picture.
    pub up: Vec3,
    /// How depth becomes size.
    pub projection: Projection,
}

/// How depth becomes size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Farther is smaller.
    Perspective {
        /// The angle from the picture's lower to its upper edge, in radians.
        vertical_fov: f32,
        /// What is closer to the eye than this is cut away. Greater than zero.
        near: f32,
    },
    /// Everything has the same size. What lies behind the eye is drawn too.
    Orthographic {
        /// How much of the world the picture's height spans.
        height: f32,
    },
}

impl Projection {
    /// A perspective for portraits, 30° high; [`Camera::fit`] sets the near plane.
    pub const PERSPECTIVE: Self = Self::Perspective {
        vertical_fov: std::f32::consts::PI / 6.0,
        near: 0.01,
    };
    /// Without perspective; [`Camera::fit`] sets the height.
    pub const ORTHOGRAPHIC: Self = Self::Orthographic { height: 1.0 };
}

/// From which side a character is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View {
    /// Its face; its left is on the right-hand side of the picture.
    Front,
    /// Its back.
    Back,
    /// Its left side (+X).
    Left,
    /// Its right side (−X).
    Right,
    /// From the front, its left, and a little above.
    ThreeQuarter,
    /// From above, its face towards the lower edge.
    Top,
    /// Any other side.
    Angles {
        /// How far the camera walks around to the character's left, in radians.
        yaw: f32,
        /// How far it rises above the horizon, in radians, within ±π/2.
        pitch: f32,
    },
}

impl View {
    /// Yaw and pitch in radians, as in [`View::Angles`].
    pub fn angles(self) -> (f32, f32) {
        use std::f32::consts::{FRAC_PI_2, PI};
        match self {
            Self::Front => (0.0, 0.0),
            Self::Back => (PI, 0.0),
            Self::Left => (FRAC_PI_2, 0.0),
            Self::Right => (-FRAC_PI_2, 0.0),
            Self::ThreeQuarter => (0.6, 0.22),
            Self::Top => (0.0, FRAC_PI_2),
            Self::Angles { yaw, pitch } => (yaw, pitch),
        }
    }

    /// The directions in which the camera looks and in which its top points.
    pub fn forward_and_up(self) -> (Vec3, Vec3) {
        let (yaw, pitch) = self.angles();
        let ((sy, cy), (sp, cp)) = (yaw.sin_cos(), pitch.sin_cos());
        (
            -Vec3::new(sy * cp, sp, cy * cp),
            Vec3::new(-sy * sp, cp, -cy * sp),
        )
    }
}

impl Camera {
    /// The camera that sees all `points` from a side, as large as fits into a picture of
    /// the given `aspect` (width over height) with `margin` of its height left free on
    /// each side (0.05 is usual). Points that are not finite are left out; without points
    /// it looks at a unit cube around the origin.
    pub fn fit(points: &[Vec3], view: View, projection: Projection, aspect: f32, margin: f32) -> Self {
        let (forward, up) = view.forward_and_up();
        let right = forward.cross(up);
        let unit = [Vec3::splat(-0.5), Vec3::splat(0.5)];
        let some = points.iter().any(|p| p.is_finite());
        let points = if some { points } else { &unit[..] };
        let shrink = (1.0 - 2.0 * margin.clamp(0.0, 0.45)).max(0.1);
        let aspect = if aspect.is_finite() && aspect > 0.0 {
            aspect
        } else {
            1.0
        };
        let shrink_x = (1.0 - 2.0 * margin.clamp(0.0, 0.45) / aspect).max(0.1);
        // In the camera's axes, x right, y up, z away: the largest extent along each, and
        // for perspective along the four border planes.
        let tangent = match projection {
            Projection::Perspective { vertical_fov, .. } => (0.5 * vertical_fov).tan(),
            Projection::Orthographic { .. } => 0.0,
        };
        let (tx, ty) = (tangent * aspect * shrink_x, tangent * shrink);
        let mut reach = [f32::NEG_INFINITY; 4]; // right, left, top, bottom
        let (mut nearest, mut farthest) = (f32::INFINITY, f32::NEG_INFINITY);
        for p in points.iter().filter(|p| p.is_finite()) {
            let (x, y, z) = (p.dot(right), p.dot(up), p.dot(forward));
            reach[0] = reach[0].max(x - tx * z);
            reach[1] = reach[1].max(-x - tx * z);
            reach[2] = reach[2].max(y - ty * z);
            reach[3] = reach[3].max(-y - ty * z);
            nearest = nearest.min(z);
            farthest = farthest.max(z);
        }
        let centre = right * (0.5 * (reach[0] - reach[1])) + up * (0.5 * (reach[2] - reach[3]));
        let (width, height) = (reach[0] + reach[1], reach[2] + reach[3]);
        let depth = (farthest - nearest).max(1e-6);
        match projection {
            Projection::Perspective { vertical_fov, .. } => {
                // Far enough back that all four border planes hold every point.
                let back = (0.5 * width / tx).max(0.5 * height / ty);
                let z = (-back).min(nearest - 1e-3 * depth);
                Self {
                    eye: centre + forward * z,
                    forward,
                    up,
                    projection: Projection::Perspective {
                        vertical_fov,
                        near: (0.02 * (nearest - z)).max(1e-6 * depth),
                    },
                }
            }
            Projection::Orthographic { .. } => Self {
                eye: centre + forward * (nearest - depth),
                forward,
                up,
                projection: Projection::Orthographic {
                    height: (height / shrink).max(width / (aspect * shrink_x)).max(1e-12),
                },
            },
        }
    }

    /// A close look at a point: the picture's height spans `height` of the world there.
    pub fn close_up(point: Vec3, height: f32, view: View, projection: Projection) -> Self {
        let (forward, up) = view.forward_and_up();
        match projection {
            Projection::Perspective { vertical_fov, .. } => {
                let distance = 0.5 * height / (0.5 * vertical_fov).tan();
                Self {
                    eye: point - forward * distance,
                    forward,
                    up,
                    projection: Projection::Perspective {
                        vertical_fov,
                        near: 0.02 * distance,
                    },
                }
            }
            Projection::Orthographic { .. } => Self {
                eye: point - forward * height,
                forward,
                up,
                projection: Projection::Orthographic { height },
            },
        }
    }

    /// Where a point of the world falls in a picture of this size, in pixels from the top
    /// left corner, or `None` where it is behind the camera or the camera is broken.
    pub fn project(&self, point: Vec3, width: u32, height: u32) -> Option<[f32; 2]> {
        let lens = Lens::new(self, width as f32 / height as f32)?;
        let clip = lens.clip_from_world(point);
        (clip.w >= lens.near.unwrap_or(f32::MIN_POSITIVE)).then(|| {
            [
                (0.5 + 0.5 * clip.x / clip.w) * width as f32,
                (0.5 - 0.5 * clip.y / clip.w) * height as f32,
            ]
        })
    }
}

/// A camera made ready for a picture's aspect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lens {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Half the extent of the picture: at distance one, or everywhere without perspective.
    pub half_width: f32,
    pub half_height: f32,
    /// The near plane's distance; `None` without perspective.
    pub near: Option<f32>,
}

impl Lens {
    /// `None` when a number is not finite or a direction vanishes.
    pub fn new(camera: &Camera, aspect: f32) -> Option<Self> {
        let forward = camera.forward.try_normalize()?;
        let right = forward.cross(camera.up).try_normalize()?;
        let (half_height, near) = match camera.projection {
            Projection::Perspective { vertical_fov, near } => {
                let sound = vertical_fov > 0.0 && vertical_fov < 3.1 && near > 0.0 && near.is_finite();
                sound.then_some(((0.5 * vertical_fov).tan(), Some(near)))?
            }
            Projection::Orthographic { height } => (0.5 * height, None),
        };
        let half_width = half_height * aspect;
        let sound = camera.eye.is_finite()
            && half_height.is_finite()
            && half_width.is_finite()
            && half_height > 0.0
            && half_width > 0.0;
        sound.then_some(Self {
            eye: camera.eye,
            right,
            up: right.cross(forward),
            forward,
            half_width,
            half_height,
            near,
        })
    }

    /// x and y in ±w inside the picture; z / w is linear in the picture, larger is nearer.
    #[inline]
    pub fn clip_from_world(&self, p: Vec3) -> Vec4 {
        let p = p - self.eye;
        let distance = p.dot(self.forward);
        let (x, y) = (
            p.dot(self.right) / self.half_width,
            p.dot(self.up) / self.half_height,
        );
        match self.near {
            Some(near) => Vec4::new(x, y, near, distance),
            None => Vec4::new(x, y, -distance, 1.0),
        }
    }

    /// The ray through a point of the picture, in ±1: where it starts and its direction.
    #[inline]
    pub fn ray(&self, x: f32, y: f32) -> (Vec3, Vec3) {
        let across = self.right * (x * self.half_width) + self.up * (y * self.half_height);
        match self.near {
            Some(_) => (self.eye, self.forward + across),
            None => (self.eye + across, self.forward),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: Option<[f32; 2]>, expected: [f32; 2]) {
        let found = found.unwrap();
        assert!(
            (found[0] - expected[0]).abs() < 1e-2 && (found[1] - expected[1]).abs() < 1e-2,
            "{found:?} against {expected:?}"
        );
    }

    #[test]
    fn perspective_puts_known_points_where_they_belong() {
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 10.0),
            forward: -Vec3::Z,
            up: Vec3::Y,
            projection: Projection::Perspective {
                vertical_fov: std::f32::consts::FRAC_PI_2,
                near: 0.1,
            },
        };
        // At distance 10 the picture spans ±10 vertically and ±20 across.
        assert_near(camera.project(Vec3::ZERO, 400, 200), [200.0, 100.0]);
        assert_near(camera.project(Vec3::new(10.0, 5.0, 0.0), 400, 200), [300.0, 50.0]);
        assert_near(camera.project(Vec3::new(10.0, 5.0, 5.0), 400, 200), [400.0, 0.0]);
        assert_eq!(camera.project(Vec3::new(0.0, 0.0, 11.0), 400, 200), None);
    }

    #[test]
    fn the_characters_left_is_on_the_right_of_a_front_view() {
        let box_corners = [Vec3::splat(-1.0), Vec3::splat(1.0)];
        let x_of = |view, p| {
            let camera = Camera::fit(&box_corners, view, Projection::PERSPECTIVE, 1.0, 0.05);
            camera.project(p, 100, 100).unwrap()
        };
        assert!(x_of(View::Front, Vec3::X)[0] > 60.0);
        assert!(x_of(View::Back, Vec3::X)[0] < 40.0);
        assert!(x_of(View::Left, Vec3::Z)[0] < 40.0);
        assert!(x_of(View::Right, Vec3::Z)[0] > 60.0);
        assert!(x_of(View::Top, Vec3::Z)[1] > 60.0);
        assert!(x_of(View::ThreeQuarter, Vec3::Y)[1] < 40.0);
    }

    #[test]
    fn a_fit_touches_the_margin_and_holds_everything() {
        let points: Vec<Vec3> = (0..200)
            .map(|i| {
                let t = i as f32;
                Vec3::new((t * 0.7).sin() * 3.0, (t * 1.3).cos(), (t * 0.3).sin() * 2.0) + Vec3::X * 40.0
            })
            .collect();
        for view in [
            View::Front,
            View::Top,
            View::ThreeQuarter,
            View::Angles {
                yaw: 2.0,
                pitch: -0.7,
            },
        ] {
            for projection in [Projection::PERSPECTIVE, Projection::ORTHOGRAPHIC] {
                for (width, height) in [(300u32, 100u32), (100, 300)] {
                    let camera = Camera::fit(&points, view, projection, width as f32 / height as f32, 0.1);
                    let m = 0.1 * height as f32;
                    let free = points
                        .iter()
                        .map(|&p| {
                            let [x, y] = camera.project(p, width, height).unwrap();
                            x.min(width as f32 - x).min(y).min(height as f32 - y)
                        })
                        .fold(f32::INFINITY, f32::min);
                    assert!((free - m).abs() < 0.1, "{free} free, {m} asked for");
                }
            }
        }
    }

    #[test]
    fn close_ups_centre_their_point() {
        for projection in [Projection::PERSPECTIVE, Projection::ORTHOGRAPHIC] {
            let p = Vec3::new(3.0, 2.0, 1.0);
            let camera = Camera::close_up(p, 0.5, View::Front, projection);
            assert_near(camera.project(p, 200, 100), [100.0, 50.0]);
            assert_near(camera.project(p + Vec3::Y * 0.25, 200, 100), [100.0, 0.0]);
        }
    }
}
