//! Where a skin is at bind time, if its file contradicts itself.
//!
//! By the standard a skin's `<bind_shape_matrix>` says it, and the node that shows the skin does not matter. Blender writes its joints as
//! they are in the world and the skin as its armature sees it: with an armature that is turned or scaled, the skin would lie beside its bones.

use glam::{DAffine3, DVec3};

/// A skin is moved only where it comes so much nearer to its joints.
const MUCH_NEARER: f64 = 0.5;
/// As many of its vertices are looked at.
const LOOKED_AT: usize = 1000;

/// Whether the vertices of a skin lie much nearer to its joints as `placed` puts them than as `stated` does.
pub(super) fn fits_better(placed: DAffine3, stated: DAffine3, vertices: &[DVec3], joints: &[DVec3]) -> bool {
    if placed.abs_diff_eq(stated, 1e-5) || vertices.is_empty() || joints.len() < 2 {
        return false;
    }
    let step = vertices.len().div_ceil(LOOKED_AT);
    let off = |map: DAffine3| {
        let there: Vec<DVec3> = vertices
            .iter()
            .step_by(step)
            .map(|v| map.transform_point3(*v))
            .collect();
        mean_to_nearest(&there, joints) + mean_to_nearest(joints, &there)
    };
    off(placed) < MUCH_NEARER * off(stated)
}

/// How far points are from the nearest of others, on average.
fn mean_to_nearest(points: &[DVec3], others: &[DVec3]) -> f64 {
    let nearest = |p: &DVec3| {
        let squares = others.iter().map(|o| o.distance_squared(*p));
        squares.fold(f64::INFINITY, f64::min).sqrt()
    };
    points.iter().map(nearest).sum::<f64>() / points.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skin_beside_its_bones_is_noticed() {
        let joints: Vec<DVec3> = (0..5).map(|k| DVec3::new(0.0, f64::from(k), 0.0)).collect();
        let skin: Vec<DVec3> = (0..50)
            .map(|k| DVec3::new(f64::from(k).sin(), 0.1 * f64::from(k), f64::from(k).cos()) * 0.2)
            .map(|p| DVec3::new(p.x, 4.0 * p.y, p.z))
            .collect();
        let right = DAffine3::IDENTITY;
        let turned = DAffine3::from_rotation_z(1.5);
        let small = DAffine3::from_scale(DVec3::splat(0.01));
        for wrong in [turned, small] {
            assert!(fits_better(right, wrong, &skin, &joints));
            assert!(!fits_better(wrong, right, &skin, &joints));
        }
        // What hardly differs stays as the file states it.
        let near = DAffine3::from_translation(DVec3::new(0.1, 0.0, 0.0));
        assert!(!fits_better(right, near, &skin, &joints) && !fits_better(right, right, &skin, &joints));
        assert!(!fits_better(right, turned, &[], &joints) && !fits_better(right, turned, &skin, &[]));
    }
}
