//! How a picture is laid on a surface, from formats that count from its lower edge.

use glam::{DMat2, DVec2, Vec2};
use ligament::character::UvTransform;

/// A map of texture coordinates that count from the picture's lower edge (as FBX and USD have
/// them), as one of coordinates that count from its upper edge. Shear is left out.
pub(crate) fn from_lower_edge(linear: DMat2, offset: DVec2) -> UvTransform {
    // Turned upside down before and after.
    let (x, y) = (linear.x_axis, linear.y_axis);
    let (x, y) = (DVec2::new(x.x, -x.y), DVec2::new(-y.x, y.y));
    let at_zero = linear * DVec2::Y + offset;
    let mirrored = DMat2::from_cols(x, y).determinant() < 0.0;
    let scale = DVec2::new(x.length(), if mirrored { -y.length() } else { y.length() });
    let transform = UvTransform {
        offset: Vec2::new(at_zero.x as f32, (1.0 - at_zero.y) as f32),
        rotation: (-x.y).atan2(x.x) as f32,
        scale: scale.as_vec2(),
    };
    let sound = transform.offset.is_finite() && transform.scale.is_finite() && transform.rotation.is_finite();
    if sound { transform } else { UvTransform::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_place_of_the_picture_is_found_from_both_edges() {
        for (degrees, scale) in [
            (0.0, DVec2::ONE),
            (0.0, DVec2::new(2.0, 0.5)),
            (30.0, DVec2::new(2.0, 0.5)),
            (200.0, DVec2::new(1.5, -0.75)),
        ] {
            let linear = DMat2::from_angle(f64::to_radians(degrees)) * DMat2::from_diagonal(scale);
            let offset = DVec2::new(0.1, 0.3);
            let ours = from_lower_edge(linear, offset);
            for (u, v) in [(0.0, 0.0), (1.0, 0.0), (0.25, 0.75), (-1.0, 2.0)] {
                let theirs = linear * DVec2::new(u, v) + offset;
                let here = ours.apply(Vec2::new(u as f32, 1.0 - v as f32));
                let there = Vec2::new(theirs.x as f32, 1.0 - theirs.y as f32);
                assert!(here.distance(there) < 1e-5, "{degrees} {scale}: {here} {there}");
            }
        }
    }
}
