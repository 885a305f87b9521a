//! The point of a triangle that is closest to a point.

use glam::DVec3;

/// A point of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnTriangle {
    /// Where it is.
    pub point: DVec3,
    /// How much of each corner it is: none negative, sum one.
    pub barycentric: [f64; 3],
}

/// The point of a triangle closest to `p`, by the region of the plane that `p` projects to (Ericson 2005, 5.1.5). A
/// triangle without area is its longest edge, or a point.
pub fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> OnTriangle {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let inside = va > 0.0 && vb > 0.0 && vc > 0.0;
    let barycentric = if inside {
        let sum = va + vb + vc;
        [va / sum, vb / sum, vc / sum]
    } else {
        // Outside, or no area: the closest edge. Of equally close ones the first.
        let edges = [(a, b, 0, 1), (a, c, 0, 2), (b, c, 1, 2)];
        let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
        for (from, to, i, j) in edges {
            let along = to - from;
            let square = along.length_squared();
            let t = if square > 0.0 {
                ((p - from).dot(along) / square).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let distance = (from + t * along).distance_squared(p);
            if distance < best.0 {
                let mut barycentric = [0.0; 3];
                barycentric[i] = 1.0 - t;
                barycentric[j] = t;
                best = (distance, barycentric);
            }
        }
        best.1
    };
    OnTriangle {
        point: barycentric[0] * a + barycentric[1] * b + barycentric[2] * c,
        barycentric,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The closest of many points of the triangle.
    fn naive(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
        const STEPS: u32 = 60;
        let mut least = f64::INFINITY;
        for i in 0..=STEPS {
            for j in 0..=STEPS - i {
                let (u, v) = (f64::from(i) / f64::from(STEPS), f64::from(j) / f64::from(STEPS));
                least = least.min((u * a + v * b + (1.0 - u - v) * c).distance(p));
            }
        }
        least
    }

    proptest! {
        #[test]
        fn no_point_of_the_triangle_is_closer(
            numbers in prop::array::uniform12(-4i8..5), halves in any::<bool>(),
        ) {
            let point = |k: usize| DVec3::new(
                f64::from(numbers[3 * k]), f64::from(numbers[3 * k + 1]), f64::from(numbers[3 * k + 2]),
            ) * if halves { 0.5 } else { 1.0 };
            let (p, triangle) = (point(0), [point(1), point(2), point(3)]);
            let found = closest_on_triangle(p, triangle);
            let size = triangle.iter().map(|c| c.distance(triangle[0])).fold(0.0, f64::max);
            prop_assert!((found.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(found.barycentric.iter().all(|s| (0.0..=1.0).contains(s)));
            let least = naive(p, triangle);
            prop_assert!(found.point.distance(p) <= least + 1e-9);
            prop_assert!(found.point.distance(p) >= least - 0.05 * size - 1e-9);
        }
    }
}
