//! Which way the skin looks.

use glam::DVec3;

/// The mean normal of the faces around each point, weighted by the angle that each has
/// there, so that it does not depend on how the surface is cut into triangles. +Y where
/// there is no face, or they cancel.
pub fn normals(points: &[DVec3], faces: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    for face in faces {
        let corners = face.map(|p| points[p as usize]);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let Some(normal) = normal.try_normalize() else {
            continue;
        };
        for k in 0..3 {
            let (u, v) = (
                corners[(k + 1) % 3] - corners[k],
                corners[(k + 2) % 3] - corners[k],
            );
            let angle = u.cross(v).length().atan2(u.dot(v));
            normals[face[k] as usize] += angle * normal;
        }
    }
    for normal in &mut normals {
        *normal = normal.try_normalize().unwrap_or(DVec3::Y);
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_a_face_in_two_changes_nothing() {
        let points = [
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y,
            DVec3::Z,
            DVec3::new(0.3, 0.7, 0.0),
        ];
        let whole = normals(&points, &[[0, 1, 2], [0, 2, 3], [0, 3, 1]]);
        let cut = normals(&points, &[[0, 1, 4], [0, 4, 2], [0, 2, 3], [0, 3, 1]]);
        assert!((whole[0] - cut[0]).length() < 1e-12);
        assert!((whole[0] - DVec3::splat(1.0 / 3f64.sqrt())).length() < 1e-12);
        assert_eq!(whole[4], DVec3::Y);
    }
}
