//! The skin in a pose, and what a ray meets of it.

use glam::{DQuat, DVec3, Vec3};
use ligament::character::Transform;
use ligament::deform::{DeformError, DeltaMush, DeltaMushOptions, SkinnedMesh};
use ligament::{Character, Pose, Skeleton, Weights};
use rayon::prelude::*;

/// Numbers of a joint in a pose: translation, rotation, scale.
pub const TRANSFORM: usize = 10;

/// A pose from the page: ten numbers for each joint, or none for the rest pose.
pub fn pose_of(skeleton: &Skeleton, numbers: Option<&[f32]>) -> Result<Pose, String> {
    let Some(numbers) = numbers else {
        return Ok(Pose::rest(skeleton));
    };
    if numbers.len() != TRANSFORM * skeleton.joints.len() {
        return Err(format!(
            "a pose of this skeleton has {} numbers, not {}",
            TRANSFORM * skeleton.joints.len(),
            numbers.len()
        ));
    }
    let position = |n: &[f32]| {
        let d = |i: usize| f64::from(n[i]);
        let rotation = DQuat::from_xyzw(d(3), d(4), d(5), d(6));
        let local = Transform {
            translation: DVec3::new(d(0), d(1), d(2)),
            rotation: rotation.normalize(),
            scale: DVec3::new(d(7), d(8), d(9)),
        };
        local
            .is_finite()
            .then_some(local)
            .ok_or_else(|| "a pose has a number that is not finite".to_owned())
    };
    Ok(Pose {
        locals: numbers
            .chunks(TRANSFORM)
            .map(position)
            .collect::<Result<_, _>>()?,
    })
}

/// Linear blend, smoothed, detail put back: prepared once for some weights.
pub fn delta_mush(character: &Character, weights: &Weights) -> Result<DeltaMush, DeformError> {
    let skin = SkinnedMesh::new(&character.mesh, weights)?;
    Ok(DeltaMush::new(
        &character.mesh,
        skin,
        &DeltaMushOptions::default(),
    ))
}

/// Where a ray meets the skin first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The triangle.
    pub triangle: usize,
    /// The vertex of it that is nearest to the position.
    pub vertex: u32,
    /// The position.
    pub position: Vec3,
    /// How far it is.
    pub distance: f32,
}

/// What a ray meets first.
pub fn pick(triangles: &[[u32; 3]], positions: &[Vec3], origin: Vec3, direction: Vec3) -> Option<Hit> {
    const CHUNK: usize = 4096;
    let nearest = triangles
        .par_chunks(CHUNK)
        .enumerate()
        .filter_map(|(chunk, some)| {
            let hits = some.iter().enumerate().filter_map(|(at, corners)| {
                let corners = corners.map(|c| positions[c as usize]);
                Some((crossing(corners, origin, direction)?, chunk * CHUNK + at))
            });
            hits.min_by(|a, b| a.0.total_cmp(&b.0))
        })
        .collect::<Vec<_>>()
        .into_iter()
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
    let (distance, triangle) = nearest;
    let position = origin + direction * distance;
    let vertex = *triangles[triangle].iter().min_by(|a, b| {
        let far = |v: &u32| positions[*v as usize].distance_squared(position);
        far(a).total_cmp(&far(b))
    })?;
    Some(Hit {
        triangle,
        vertex,
        position,
        distance,
    })
}

/// How far along a ray all triangles are crossed, in no order.
pub fn crossings(triangles: &[[u32; 3]], positions: &[Vec3], origin: Vec3, direction: Vec3) -> Vec<f32> {
    triangles
        .par_iter()
        .with_min_len(4096)
        .filter_map(|corners| crossing(corners.map(|c| positions[c as usize]), origin, direction))
        .collect()
}

/// How far along a ray a triangle is crossed, from either side (Möller and Trumbore 1997).
fn crossing([a, b, c]: [Vec3; 3], origin: Vec3, direction: Vec3) -> Option<f32> {
    let (u, v) = (b - a, c - a);
    let p = direction.cross(v);
    let determinant = u.dot(p);
    if determinant.abs() < f32::MIN_POSITIVE {
        return None;
    }
    let inverse = 1.0 / determinant;
    let from = origin - a;
    let x = from.dot(p) * inverse;
    let q = from.cross(u);
    let y = direction.dot(q) * inverse;
    let t = v.dot(q) * inverse;
    (x >= 0.0 && y >= 0.0 && x + y <= 1.0 && t > 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_what_is_in_front() {
        let square =
            |z: f32| [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, z));
        let positions: Vec<Vec3> = square(0.0).into_iter().chain(square(1.0)).collect();
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let from = Vec3::new(0.9, 0.2, 5.0);
        let hit = pick(&triangles, &positions, from, Vec3::NEG_Z).unwrap();
        assert_eq!((hit.triangle, hit.vertex), (2, 5));
        assert!((hit.distance - 4.0).abs() < 1e-6);
        let back = pick(&triangles, &positions, Vec3::new(0.9, 0.2, -5.0), Vec3::Z).unwrap();
        assert_eq!(back.triangle, 0, "backs are met too");
        assert!(pick(&triangles, &positions, Vec3::new(2.0, 0.0, 5.0), Vec3::NEG_Z).is_none());
        assert!(pick(&triangles, &positions, from, Vec3::Z).is_none());
        assert!(pick(&triangles, &positions, from, Vec3::NAN).is_none());
    }

    #[test]
    fn a_pose_of_another_skeleton_is_refused() {
        let tube = ligament::sample::make("tube@200").unwrap();
        let rest = pose_of(&tube.skeleton, None).unwrap();
        let numbers: Vec<f32> = rest
            .locals
            .iter()
            .flat_map(|l| {
                let (t, r, s) = (l.translation.as_vec3(), l.rotation, l.scale.as_vec3());
                [
                    t.x, t.y, t.z, r.x as f32, r.y as f32, r.z as f32, r.w as f32, s.x, s.y, s.z,
                ]
            })
            .collect();
        assert!(pose_of(&tube.skeleton, Some(&numbers)).is_ok());
        assert!(pose_of(&tube.skeleton, Some(&numbers[1..])).is_err());
        let mut zero = numbers.clone();
        zero[3..7].fill(0.0);
        assert!(
            pose_of(&tube.skeleton, Some(&zero)).is_err(),
            "no rotation at all"
        );
    }
}
