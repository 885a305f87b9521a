//! How points of a posed skin are looked at, the same in all pictures.

use glam::Vec3;
use ligament::deform::Deformed;
use ligament_render::{Camera, Projection, View};

/// The linear colour of skin: textures are not shown, and a black material would hide the shape.
pub const CLAY: [f32; 3] = [0.50, 0.47, 0.44];
/// How much of the character a close-up shows, as a share of its size.
const SHOWN: f32 = 0.32;
/// The steepest look from above or below, in radians.
const STEEPEST: f32 = 0.6;

/// A camera on a point of a skin, as large as `SHOWN` of `whole`. Without perspective nothing
/// in front of the point grows and hides it.
pub fn close_up(point: Vec3, whole: &[Vec3], view: View) -> Camera {
    let (low, high) = whole
        .iter()
        .fold((point, point), |(low, high), &p| (low.min(p), high.max(p)));
    Camera::close_up(
        point,
        SHOWN * (high - low).length(),
        view,
        Projection::ORTHOGRAPHIC,
    )
}

/// The direction from which a vertex is seen best: along its normal if nothing is in the way,
/// else from the side that hides it least.
pub fn clear_view(triangles: &[[u32; 3]], posed: &Deformed, spot: usize) -> View {
    let (at, normal) = (posed.positions[spot], posed.normals[spot]);
    let yaw = normal.x.atan2(normal.z);
    let pitch = normal.y.clamp(-1.0, 1.0).asin();
    let mut best: Option<(usize, View)> = None;
    for lift in [pitch.clamp(-STEEPEST, STEEPEST), 0.15, 0.9, -0.5] {
        for rotation in [0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 3.0] {
            let view = View::Angles {
                yaw: yaw + rotation,
                pitch: lift,
            };
            let towards = -view.forward_and_up().0;
            let hidden = triangles
                .iter()
                .map(|t| t.map(|v| posed.positions[v as usize]))
                .filter(|corners| !corners.contains(&at) && is_hit(at, towards, corners))
                .count();
            if best.is_none_or(|b| hidden < b.0) {
                best = Some((hidden, view));
            }
            if hidden == 0 {
                return view;
            }
        }
    }
    best.map_or(View::ThreeQuarter, |b| b.1)
}

/// Whether a ray meets a triangle (Möller and Trumbore 1997).
fn is_hit(from: Vec3, towards: Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let (ab, ac) = (b - a, c - a);
    let across = towards.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return false;
    }
    let to_corner = from - a;
    let u = to_corner.dot(across) / determinant;
    let around = to_corner.cross(ab);
    let v = towards.dot(around) / determinant;
    let t = ac.dot(around) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_way_is_looked_around() {
        // A spot that faces +Z, with a wall in front of it.
        let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
        let posed = Deformed {
            positions: vec![
                Vec3::ZERO,
                corner(-1.0, -9.0, 1.0),
                corner(1.0, -9.0, 1.0),
                corner(0.0, 9.0, 1.0),
            ],
            normals: vec![Vec3::Z; 4],
        };
        let front = clear_view(&[], &posed, 0);
        assert_eq!(front, View::Angles { yaw: 0.0, pitch: 0.0 });
        let aside = clear_view(&[[1, 2, 3]], &posed, 0);
        assert_eq!(aside, View::Angles { yaw: 0.5, pitch: 0.0 });
        assert!(is_hit(
            Vec3::ZERO,
            Vec3::Z,
            &[posed.positions[1], posed.positions[2], posed.positions[3]]
        ));
        assert!(!is_hit(
            Vec3::ZERO,
            Vec3::NEG_Z,
            &[posed.positions[1], posed.positions[2], posed.positions[3]]
        ));
    }
}
