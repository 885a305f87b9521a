//! Whether two triangles intersect, decided exactly.
//!
//! Guigue and Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation
//! Predicates" (2003), with every comparison made strict, so that the answer is about the
//! *open* triangles (faces without their edges), and on Shewchuk's adaptive predicates,
//! whose signs are exact for the `f32` coordinates of a mesh.

use glam::DVec3;
use robust::{Coord, Coord3D};

/// A triangle by the indices and the positions of its corners. Corners of two triangles with
/// the same index must be at the same position.
#[derive(Debug, Clone, Copy)]
pub struct IndexedTriangle {
    /// The corners' indices.
    pub indices: [u32; 3],
    /// The corners' positions.
    pub points: [DVec3; 3],
}

/// Whether the interiors of two triangles have a point in common. Triangles that only
/// touch (in a shared corner or along a shared edge, or a corner or an edge of one lying
/// on the other) do not intersect; triangles in one plane do where they overlap in an
/// area. A triangle without area intersects nothing.
pub fn interiors_meet(a: &IndexedTriangle, b: &IndexedTriangle) -> bool {
    let shared = a.indices.iter().filter(|n| b.indices.contains(n)).count();
    if shared >= 2 {
        // Along a shared edge: the interiors meet only where one is folded onto the other.
        let flat = shared == 3 || {
            let apart = (0..3).find(|&i| !a.indices.contains(&b.indices[i]));
            apart.is_none_or(|i| side(a, b, i) == 0)
        };
        return flat && overlap_in_plane(a, b);
    }
    let b_sides = [0, 1, 2].map(|i| side(a, b, i));
    if b_sides == [0; 3] {
        return overlap_in_plane(a, b);
    }
    let Some(b_tip) = tip(b_sides) else { return false };
    let a_sides = [0, 1, 2].map(|i| side(b, a, i));
    if a_sides == [0; 3] {
        return overlap_in_plane(a, b);
    }
    let Some(a_tip) = tip(a_sides) else { return false };

    // Both planes' common line passes through both triangles. Turn them so that the tip,
    // alone on its side of the other's plane, comes first and on the positive side.
    let mut a_order = [0, 1, 2].map(|i| (a_tip + i) % 3);
    let mut b_order = [0, 1, 2].map(|i| (b_tip + i) % 3);
    if a_sides[a_tip] < 0 {
        b_order.swap(1, 2);
    }
    if b_sides[b_tip] < 0 {
        a_order.swap(1, 2);
    }
    // Two intervals of the line overlap if each begins before the other ends.
    let corner = |t: &IndexedTriangle, i: usize| (t.indices[i], t.points[i]);
    let [p, q, r] = a_order.map(|i| corner(a, i));
    let [s, t, u] = b_order.map(|i| corner(b, i));
    orientation([p, q, s, t]) < 0 && orientation([p, r, u, s]) < 0
}

/// The corner that lies alone on one side, if there are corners on both sides.
fn tip(sides: [i8; 3]) -> Option<usize> {
    let on = |side: i8| sides.iter().filter(|&&s| s == side).count();
    match (on(1), on(-1)) {
        (0, _) | (_, 0) => None,
        (1, _) => sides.iter().position(|&s| s == 1),
        _ => sides.iter().position(|&s| s == -1),
    }
}

/// On which side of the plane of `t` a corner of another triangle lies.
fn side(t: &IndexedTriangle, other: &IndexedTriangle, corner: usize) -> i8 {
    let [p, q, r] = [0, 1, 2].map(|i| (t.indices[i], t.points[i]));
    orientation([p, q, r, (other.indices[corner], other.points[corner])])
}

/// 1 if the last point lies on the side of the others from which they turn
/// counter-clockwise, -1 if it lies on the other side, 0 if all are in one plane.
fn orientation(of: [(u32, DVec3); 4]) -> i8 {
    let repeated = (0..4).any(|i| (0..i).any(|j| of[i].0 == of[j].0));
    if repeated {
        return 0;
    }
    let [a, b, c, d] = of.map(|(_, p)| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    });
    sign(-robust::orient3d(a, b, c, d))
}

/// Whether two triangles that are known to lie in one plane overlap in an area.
fn overlap_in_plane(a: &IndexedTriangle, b: &IndexedTriangle) -> bool {
    // Look along the first axis along which `a` has an area. Leaving out a coordinate
    // rounds nothing.
    for axis in 0..3 {
        let flat = |p: DVec3| match axis {
            0 => Coord { x: p.y, y: p.z },
            1 => Coord { x: p.z, y: p.x },
            _ => Coord { x: p.x, y: p.y },
        };
        let (a, b) = (a.points.map(flat), b.points.map(flat));
        let (a_winding, b_winding) = (winding(a), winding(b));
        if a_winding == 0 {
            continue;
        }
        // Two convex shapes are apart if and only if an edge of one separates them.
        let separates = |t: [Coord<f64>; 3], sense: i8, other: [Coord<f64>; 3]| {
            (0..3).any(|i| {
                other
                    .iter()
                    .all(|&p| sense * winding([t[i], t[(i + 1) % 3], p]) <= 0)
            })
        };
        return b_winding != 0 && !separates(a, a_winding, b) && !separates(b, b_winding, a);
    }
    false
}

/// 1 for a counter-clockwise triangle in the plane, -1 for a clockwise one, else 0.
fn winding([a, b, c]: [Coord<f64>; 3]) -> i8 {
    sign(robust::orient2d(a, b, c))
}

fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    type Corner = [i64; 3];

    /// The same question by separating axes in whole indices. The open triangles are apart
    /// if and only if a facet of their Minkowski difference separates them properly: the
    /// facets' normals are the faces' normals, cross products of edges and, for triangles
    /// in one plane, edge normals within it.
    pub fn naive_interiors_meet(a: &[Corner; 3], b: &[Corner; 3]) -> bool {
        let sub = |p: Corner, q: Corner| [0, 1, 2].map(|i| i128::from(p[i] - q[i]));
        let edges = |t: &[Corner; 3]| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
        let (ea, eb) = (edges(a), edges(b));
        let (na, nb) = (cross(ea[0], ea[1]), cross(eb[0], eb[1]));
        if na == [0; 3] || nb == [0; 3] {
            return false;
        }
        let mut axes = vec![na, nb];
        for p in ea {
            axes.push(cross(na, p));
            axes.extend(eb.map(|q| cross(p, q)));
        }
        axes.extend(eb.map(|q| cross(nb, q)));
        !axes.iter().any(|&axis| {
            let along = |t: &[Corner; 3]| t.map(|p| dot(axis, p.map(i128::from)));
            let (mut pa, mut pb) = (along(a), along(b));
            pa.sort_unstable();
            pb.sort_unstable();
            let proper = pa[0] < pb[2] || pb[0] < pa[2];
            proper && (pa[2] <= pb[0] || pb[2] <= pa[0])
        })
    }

    fn cross(p: [i128; 3], q: [i128; 3]) -> [i128; 3] {
        [0, 1, 2].map(|i| p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3])
    }

    fn dot(p: [i128; 3], q: [i128; 3]) -> i128 {
        (0..3).map(|i| p[i] * q[i]).sum()
    }

    fn indexed(a: &[Corner; 3], b: &[Corner; 3]) -> [IndexedTriangle; 2] {
        let all: Vec<Corner> = a.iter().chain(b).copied().collect();
        let number = |p: &Corner| all.iter().position(|q| q == p).unwrap() as u32;
        [a, b].map(|t| IndexedTriangle {
            indices: [0, 1, 2].map(|i| number(&t[i])),
            points: t.map(|p| DVec3::from(p.map(|x| x as f64))),
        })
    }

    fn check(a: [Corner; 3], b: [Corner; 3]) -> Result<(), TestCaseError> {
        let [ta, tb] = indexed(&a, &b);
        let expected = naive_interiors_meet(&a, &b);
        prop_assert_eq!(interiors_meet(&ta, &tb), expected, "{:?} {:?}", a, b);
        prop_assert_eq!(interiors_meet(&tb, &ta), expected, "swapped {:?} {:?}", a, b);
        Ok(())
    }

    fn triangle(size: i64) -> impl Strategy<Value = [Corner; 3]> {
        prop::array::uniform3(prop::array::uniform3(0..size))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn agrees_with_separating_axes_on_a_tiny_grid(a in triangle(3), b in triangle(3)) {
            check(a, b)?;
        }

        #[test]
        fn agrees_with_separating_axes_on_a_small_grid(a in triangle(6), b in triangle(6)) {
            check(a, b)?;
        }

        #[test]
        fn agrees_with_separating_axes_in_one_plane(a in triangle(5), b in triangle(5)) {
            let tilt = |t: [Corner; 3]| t.map(|[x, y, _]| [x, y, 2 * x - 3 * y]);
            check(tilt(a), tilt(b))?;
        }

        #[test]
        fn agrees_with_separating_axes_on_large_numbers(a in triangle(1 << 22), b in triangle(1 << 22)) {
            check(a, b)?;
        }
    }

    #[test]
    fn known_pairs() {
        let floor = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
        let meets = |other: [Corner; 3]| {
            let [a, b] = indexed(&floor, &other);
            interiors_meet(&a, &b)
        };
        assert!(meets([[1, 1, -1], [1, 1, 1], [9, 9, 1]]), "pierced");
        assert!(!meets([[1, 1, 0], [1, 1, 3], [2, 1, 3]]), "stands on it");
        assert!(
            !meets([[0, 0, 0], [4, 0, 0], [0, 0, 4]]),
            "shares an edge, at an angle"
        );
        assert!(
            !meets([[0, 0, 0], [4, 0, 0], [0, -4, 0]]),
            "shares an edge, laid out flat"
        );
        assert!(
            meets([[4, 0, 0], [0, 0, 0], [1, 2, 0]]),
            "shares an edge, folded over"
        );
        assert!(
            meets([[0, 0, 0], [1, 1, -1], [1, 1, 1]]),
            "shares a corner, opposite edge pierces"
        );
        assert!(
            !meets([[0, 0, 0], [1, 1, 1], [1, 2, 1]]),
            "shares a corner, rises from it"
        );
        assert!(meets([[4, 0, 0], [0, 0, 0], [0, 4, 0]]), "the same, turned over");
        assert!(
            meets([[1, 1, 0], [2, 1, 0], [1, 2, 0]]),
            "inside it, in its plane"
        );
        assert!(!meets([[1, 1, -1], [1, 1, 1], [1, 1, 2]]), "no area");
    }
}
