//! Whether left and right are alike.

use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

use super::{NearPoints, WeldedMesh};

/// How symmetric a mesh is about a plane of constant x.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MirrorFacts {
    /// The plane's x.
    pub plane_x: f64,
    /// The fraction of positions that have a partner on the other side, in `0.0..=1.0`.
    pub fraction: f64,
}

/// The fraction of positions whose mirror image about the plane `x = plane_x` is within
/// `tolerance` of the diagonal of a position (which may be itself, on the plane). Two
/// planes are tried, the middle of the bounding box and x = 0, because a sword in one hand
/// moves the box; the better one is returned, the middle of the box if they are equal.
pub fn mirror_symmetry(welded: &WeldedMesh, tolerance: f64) -> MirrorFacts {
    let reach = tolerance * welded.diagonal;
    let near = NearPoints::new(&welded.points, reach);
    let fraction_about = |plane_x: f64| {
        let partnered = welded
            .points
            .par_iter()
            .filter(|p| {
                let image = DVec3::new(2.0 * plane_x - p.x, p.y, p.z);
                near.is_near(image)
            })
            .count();
        partnered as f64 / welded.points.len().max(1) as f64
    };
    let (low, high) = welded
        .points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            (low.min(p.x), high.max(p.x))
        });
    let middle = if low <= high { (low + high) / 2.0 } else { 0.0 };
    let about_middle = MirrorFacts {
        plane_x: middle,
        fraction: fraction_about(middle),
    };
    // The same plane twice is not worth the work.
    if middle.abs() <= reach / 2.0 {
        return about_middle;
    }
    let about_zero = MirrorFacts {
        plane_x: 0.0,
        fraction: fraction_about(0.0),
    };
    if about_zero.fraction > about_middle.fraction {
        about_zero
    } else {
        about_middle
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{cube, joined, scaled, welded};
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_cube_is_symmetric_about_its_middle_and_a_limb_on_one_side_is_not() {
        for scale in [1e-3, 1.0, 1e3] {
            let m = scaled(cube(Vec3::new(0.5, 0.0, 0.0), 1.0), scale);
            let facts = mirror_symmetry(&welded(&m), 1e-3);
            assert!((facts.plane_x - f64::from(scale)).abs() < 1e-6 * f64::from(scale));
            assert_eq!(facts.fraction, 1.0);
        }
        // A sword on one side: the body stays symmetric about 0.
        let m = joined(&[cube(Vec3::splat(-0.5), 1.0), cube(Vec3::new(1.0, 0.1, 0.1), 0.25)]);
        let facts = mirror_symmetry(&welded(&m), 1e-3);
        assert_eq!((facts.plane_x, facts.fraction), (0.0, 0.5));
    }
}
