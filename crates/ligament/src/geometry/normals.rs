//! Which way the skin looks.

use glam::DVec3;

/// Normals that cancel to this fraction of their angles say nothing but how numbers were rounded.
const CANCELS: f64 = 1e-6;

/// The mean normal of the faces around each point, weighted by the angle that each has
/// there, so that it does not depend on how the surface is cut into triangles. Zero where
/// there is no face, or where they cancel: a sheet with a face on either side looks nowhere.
pub fn normals(points: &[DVec3], faces: &[[u32; 3]]) -> Vec<DVec3> {
    normals_of(points, faces, |_| true)
}

/// The same for the points that are asked for; zero for the others.
pub fn normals_of(points: &[DVec3], faces: &[[u32; 3]], asked: impl Fn(usize) -> bool) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    let mut angles = vec![0.0; points.len()];
    for_each_corner(points, faces, asked, |point, angle, normal| {
        normals[point] += angle * normal;
        angles[point] += angle;
    });
    for (normal, angle) in normals.iter_mut().zip(angles) {
        let length = normal.length();
        *normal = match length > CANCELS * angle {
            true => *normal / length,
            false => DVec3::ZERO,
        };
    }
    normals
}

/// The same whatever side each face looks to, so that nothing cancels: along a normal or against it.
pub fn normal_axes(points: &[DVec3], faces: &[[u32; 3]]) -> Vec<DVec3> {
    let mut axes = vec![DVec3::ZERO; points.len()];
    for_each_corner(
        points,
        faces,
        |_| true,
        |point, angle, normal| {
            let along = if axes[point].dot(normal) < 0.0 {
                -normal
            } else {
                normal
            };
            axes[point] += angle * along;
        },
    );
    axes.iter().map(|axis| axis.normalize_or_zero()).collect()
}

/// Calls with the point, the angle and the face's normal of every corner that is asked for; faces without area have none.
fn for_each_corner(
    points: &[DVec3],
    faces: &[[u32; 3]],
    asked: impl Fn(usize) -> bool,
    mut each: impl FnMut(usize, f64, DVec3),
) {
    for face in faces {
        if !face.iter().any(|&p| asked(p as usize)) {
            continue;
        }
        let corners = face.map(|p| points[p as usize]);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let Some(normal) = normal.try_normalize() else {
            continue;
        };
        for k in (0..3).filter(|&k| asked(face[k] as usize)) {
            let (u, v) = (
                corners[(k + 1) % 3] - corners[k],
                corners[(k + 2) % 3] - corners[k],
            );
            each(face[k] as usize, u.cross(v).length().atan2(u.dot(v)), normal);
        }
    }
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
        assert_eq!(whole[4], DVec3::ZERO);
    }

    #[test]
    fn points_that_are_asked_for_get_what_they_get_among_all() {
        let character = crate::sample::make("hand@600").unwrap();
        let points: Vec<DVec3> = character.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let all = normals(&points, &character.mesh.triangles);
        let some = normals_of(&points, &character.mesh.triangles, |point| point % 7 == 0);
        for (point, normal) in some.into_iter().enumerate() {
            let expected = if point % 7 == 0 { all[point] } else { DVec3::ZERO };
            assert_eq!(normal, expected);
        }
    }

    #[test]
    fn faces_on_either_side_of_a_sheet_cancel_in_any_unit() {
        for unit in [1.0, 0.3, 1.001, 100.0] {
            let points = [
                DVec3::new(0.101, 1.663, -0.01),
                DVec3::new(0.089, 1.711, -0.046),
                DVec3::new(-0.056, 1.728, 0.098),
            ]
            .map(|p| unit * p);
            let sheet = normals(&points, &[[0, 1, 2], [1, 0, 2]]);
            assert_eq!(sheet, [DVec3::ZERO; 3], "{unit}");
            let plane = (points[1] - points[0]).cross(points[2] - points[0]).normalize();
            for axis in normal_axes(&points, &[[0, 1, 2], [1, 0, 2]]) {
                assert!((axis.dot(plane).abs() - 1.0).abs() < 1e-12, "{axis}");
            }
        }
    }
}
