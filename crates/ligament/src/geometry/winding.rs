//! How many times a surface winds around a point.
//!
//! The generalized winding number of Jacobson, Kavan and Sorkine-Hornung, "Robust
//! Inside-Outside Segmentation using Generalized Winding Numbers" (2013), equation 5: the
//! sum of the faces' signed solid angles over 4π, each by van Oosterom and Strackee's
//! formula (equation 6). Exact up to rounding; no tree, no approximation.
//!
//! 1 inside a closed surface wound outwards, 0 outside, −1 inside one wound inwards, more
//! where surfaces overlap, and in between near openings. At a point on the surface, the
//! faces that contain it count as nothing.

use glam::DVec3;

use super::WeldedMesh;

/// Tangent of a half solid angle that is small enough to be added up with others.
const SMALL_TANGENT: f64 = 0.4;

/// So many angles of tangent 0.4 make 3.04, less than half a turn: their product still
/// tells their sum.
const PER_ARC_TANGENT: u32 = 8;

/// The winding number of the whole surface around a point.
pub fn winding_number(welded: &WeldedMesh, point: DVec3) -> f64 {
    winding_number_of(
        welded,
        (0..welded.faces.len() as u32).map(|face| (face, 1.0)),
        point,
    )
}

/// The winding number of some faces around a point, each taken `sign` times: 1 as it is,
/// −1 turned over. Faces are given as pairs of index and sign.
pub fn winding_number_of(
    welded: &WeldedMesh,
    faces: impl IntoIterator<Item = (u32, f64)>,
    point: DVec3,
) -> f64 {
    // Half solid angles, so their sum is divided by 2π. Those of faces far away are small:
    // they are added up as products of 1 + i·tan, a few to one arc tangent.
    let mut sum = 0.0;
    let (mut re, mut im, mut pending) = (1.0, 0.0, 0);
    for (face, sign) in faces {
        let [a, b, c] = welded.corners(face as usize).map(|p| p - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let volume = sign * a.dot(b.cross(c));
        let rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        if volume.abs() < SMALL_TANGENT * rest {
            let tangent = volume / rest;
            (re, im) = (re - im * tangent, im + re * tangent);
            pending += 1;
            if pending == PER_ARC_TANGENT {
                sum += f64::atan2(im, re);
                (re, im, pending) = (1.0, 0.0, 0);
            }
        } else if volume != 0.0 {
            sum += volume.atan2(rest);
        }
    }
    (sum + f64::atan2(im, re)) / std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{cube, flipped, joined, scaled, welded};
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    #[test]
    fn it_counts_shells_around_a_point() {
        let nested = joined(&[cube(Vec3::ZERO, 3.0), cube(Vec3::ONE, 1.0)]);
        let hollow = joined(&[cube(Vec3::ZERO, 3.0), flipped(cube(Vec3::ONE, 1.0))]);
        let middle = DVec3::new(1.4, 1.5, 1.6);
        let wall = DVec3::splat(0.4);
        for (mesh, at, expected) in [
            (&nested, middle, 2.0),
            (&nested, wall, 1.0),
            (&nested, DVec3::splat(-1.0), 0.0),
            (&hollow, middle, 0.0),
            (&hollow, wall, 1.0),
            (&flipped(nested.clone()), middle, -2.0),
        ] {
            assert!((winding_number(&welded(mesh), at) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn an_open_cube_is_partly_around_its_middle() {
        let mut open = cube(Vec3::ZERO, 1.0);
        open.triangles.truncate(10);
        let w = winding_number(&welded(&open), DVec3::splat(0.5));
        assert!((w - 5.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn points_on_corners_and_faces_are_finite() {
        let w = welded(&cube(Vec3::ZERO, 1.0));
        for at in [DVec3::ZERO, DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.3, 0.2, 0.0)] {
            let number = winding_number(&w, at);
            assert!((0.0..=1.0).contains(&number), "{number}");
        }
    }

    /// Every angle by an arc tangent of its own.
    fn plain(welded: &WeldedMesh, point: DVec3) -> f64 {
        let half_angle = |face: usize| {
            let [a, b, c] = welded.corners(face).map(|p| p - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            a.dot(b.cross(c)).atan2(rest)
        };
        (0..welded.faces.len()).map(half_angle).sum::<f64>() / std::f64::consts::TAU
    }

    proptest! {
        #[test]
        fn angles_added_up_are_the_angles(
            points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 20),
            faces in prop::collection::vec(prop::array::uniform3(0u32..20), 1..60),
            at in prop::array::uniform3(-2.0f64..2.0),
        ) {
            let points = points.into_iter().map(Vec3::from).collect();
            let w = welded(&crate::Mesh::single_part("soup", points, faces));
            let at = DVec3::from(at);
            prop_assert!((winding_number(&w, at) - plain(&w, at)).abs() < 1e-9);
        }

        #[test]
        fn scale_does_not_matter(p in prop::array::uniform3(-0.5f64..1.5)) {
            let p = DVec3::from(p);
            prop_assume!((0..3).all(|i| p[i].abs() > 1e-3 && (p[i] - 1.0).abs() > 1e-3));
            let inside = (0..3).all(|i| p[i] > 0.0 && p[i] < 1.0);
            for scale in [1e-3f32, 1.0, 1e3] {
                let w = welded(&scaled(cube(Vec3::ZERO, 1.0), scale));
                let number = winding_number(&w, p * f64::from(scale));
                prop_assert!((number - f64::from(u8::from(inside))).abs() < 1e-6);
            }
        }
    }
}
