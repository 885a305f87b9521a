//! Faces of any number of corners cut into triangles.
//!
//! A face is looked at from the side of its Newell normal. Convex faces become a fan from
//! their first corner; others lose one ear after the other (Meisters 1975: a corner whose
//! triangle holds no other corner). A face on which no ear is left, one that crosses
//! itself or has no area, becomes a fan: every face of n corners gives n - 2 triangles.

use glam::{DVec2, DVec3, Vec3};

/// Searching ears takes the square of the corners, and more on bad faces; a face with
/// more corners than this becomes a fan. Modelled faces have a few dozen at most.
const MOST_CORNERS_FOR_EARS: usize = 512;

/// The triangles of a face whose corners are at these positions, as indices of corners: what
/// a reader wants that knows more of a corner than its vertex.
pub(crate) fn triangles_of_corners(positions: &[Vec3]) -> Vec<[u32; 3]> {
    let corners: Vec<u32> = (0..positions.len() as u32).collect();
    let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2));
    triangulate(positions, &corners, &mut triangles);
    triangles
}

/// Adds the face's triangles. Corners must be indices into `positions`.
pub(crate) fn triangulate(positions: &[Vec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    match *corners {
        [] | [_] | [_, _] => {}
        [a, b, c] => triangles.push([a, b, c]),
        _ if corners.len() > MOST_CORNERS_FOR_EARS => fan(corners, triangles),
        _ => {
            let flat = flattened(positions, corners);
            if is_convex(&flat) {
                fan(corners, triangles);
            } else {
                clip_ears(flat, corners, triangles);
            }
        }
    }
}

fn fan(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let Some((&first, rest)) = corners.split_first() else {
        return;
    };
    triangles.extend(rest.windows(2).map(|w| [first, w[0], w[1]]));
}

/// The corners in the plane of the face, counter-clockwise seen along its normal.
fn flattened(positions: &[Vec3], corners: &[u32]) -> Vec<DVec2> {
    let points: Vec<DVec3> = corners
        .iter()
        .map(|&v| positions.get(v as usize).copied().unwrap_or_default().as_dvec3())
        .collect();
    let mut normal = DVec3::ZERO;
    for (i, &p) in points.iter().enumerate() {
        let q = points[(i + 1) % points.len()];
        normal += (p - points[0]).cross(q - points[0]);
    }
    let axis_x = normal.any_orthogonal_vector().normalize_or(DVec3::X);
    let axis_y = normal.cross(axis_x).normalize_or(DVec3::Y);
    points
        .iter()
        .map(|&p| DVec2::new((p - points[0]).dot(axis_x), (p - points[0]).dot(axis_y)))
        .collect()
}

/// Twice the area of a triangle; negative when clockwise.
fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

fn is_convex(flat: &[DVec2]) -> bool {
    let n = flat.len();
    (0..n).all(|i| area(flat[i], flat[(i + 1) % n], flat[(i + 2) % n]) > 0.0)
}

fn clip_ears(mut flat: Vec<DVec2>, corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let mut corners = corners.to_vec();
    let mut start = 0;
    while corners.len() > 3 {
        let n = corners.len();
        let ear = (0..n).map(|k| (start + k) % n).find(|&i| is_ear(&flat, i));
        let Some(ear) = ear else { break };
        triangles.push([corners[(ear + n - 1) % n], corners[ear], corners[(ear + 1) % n]]);
        corners.remove(ear);
        flat.remove(ear);
        start = ear; // go round, so that the ears do not all meet in one corner
    }
    fan(&corners, triangles);
}

fn is_ear(flat: &[DVec2], i: usize) -> bool {
    let n = flat.len();
    let (before, after) = ((i + n - 1) % n, (i + 1) % n);
    let (a, b, c) = (flat[before], flat[i], flat[after]);
    if area(a, b, c) <= 0.0 {
        return false;
    }
    let blocks = |k: usize| {
        let p = flat[k];
        p != a && p != b && p != c && area(a, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, a, p) >= 0.0
    };
    !(0..n).any(|k| k != before && k != i && k != after && blocks(k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(points: &[[f32; 2]]) -> Vec<[u32; 3]> {
        let positions: Vec<Vec3> = points.iter().map(|p| Vec3::new(p[0], 1.0, -p[1])).collect();
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        triangulate(&positions, &corners, &mut triangles);
        triangles
    }

    fn areas(points: &[[f32; 2]], triangles: &[[u32; 3]]) -> Vec<f64> {
        let at = |v: u32| DVec2::new(f64::from(points[v as usize][0]), f64::from(points[v as usize][1]));
        triangles
            .iter()
            .map(|t| 0.5 * area(at(t[0]), at(t[1]), at(t[2])))
            .collect()
    }

    #[test]
    fn a_square_becomes_a_fan() {
        assert_eq!(
            cut(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
            [[0, 1, 2], [0, 2, 3]]
        );
    }

    #[test]
    fn a_dart_is_cut_through_its_notch() {
        let dart = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]];
        let triangles = cut(&dart);
        assert_eq!(triangles.len(), 2);
        assert!(areas(&dart, &triangles).iter().all(|&a| a > 0.0), "{triangles:?}");
        // The notch at any corner.
        for rotation in 1..4 {
            let mut turned = dart;
            turned.rotate_left(rotation);
            assert!(areas(&turned, &cut(&turned)).iter().all(|&a| a > 0.0));
        }
    }

    #[test]
    fn straight_corners_give_no_empty_triangle() {
        let square = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!(areas(&square, &cut(&square)).iter().all(|&a| a > 0.0));
    }

    #[test]
    fn a_face_without_area_still_gives_its_triangles() {
        assert_eq!(cut(&[[1.0, 1.0]; 5]).len(), 3);
        assert!(cut(&[[1.0, 1.0]; 2]).is_empty());
        assert_eq!(cut(&vec![[1.0, 1.0]; 2000]).len(), 1998);
    }

    proptest! {
        /// Stars around a centre: simple, seldom convex. The triangles tile them.
        #[test]
        fn stars_are_tiled(radii in prop::collection::vec(1u8..9, 3..24)) {
            let n = radii.len() as f32;
            let star: Vec<[f32; 2]> = radii.iter().enumerate().map(|(i, &r)| {
                let angle = std::f32::consts::TAU * i as f32 / n;
                [f32::from(r) * angle.cos(), f32::from(r) * angle.sin()]
            }).collect();
            let triangles = cut(&star);
            prop_assert_eq!(triangles.len(), star.len() - 2);
            let parts = areas(&star, &triangles);
            let whole: f64 = (0..star.len()).map(|i| {
                let (p, q) = (star[i], star[(i + 1) % star.len()]);
                0.5 * f64::from(p[0] * q[1] - p[1] * q[0])
            }).sum();
            prop_assert!(parts.iter().all(|&a| a > -1e-5 * whole), "{:?}", parts);
            prop_assert!((parts.iter().sum::<f64>() - whole).abs() < 1e-4 * whole);
        }
    }
}
