//! Faces with any number of corners as triangles, with the corners in the same order.

use glam::{DVec3, Vec3};

/// Appends the triangles of one face. Ears are cut from faces that are not convex; corners
/// that no ear fits (degenerate or crossing faces) are joined to the first.
pub(super) fn triangulate(corners: &[u32], positions: &[Vec3], triangles: &mut Vec<[u32; 3]>) {
    if let [a, b, c] = corners {
        triangles.push([*a, *b, *c]);
        return;
    }
    let at = |i: u32| positions[i as usize].as_dvec3();
    let normal = (1..corners.len().saturating_sub(1))
        .map(|i| (at(corners[i]) - at(corners[0])).cross(at(corners[i + 1]) - at(corners[0])))
        .sum::<DVec3>();
    let turns_left = |a: u32, b: u32, c: u32| (at(b) - at(a)).cross(at(c) - at(b)).dot(normal);
    let n = corners.len();
    let is_convex = (0..n).all(|i| turns_left(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) >= 0.0);
    if is_convex || n > MOST_CORNERS {
        triangles.extend((2..n).map(|i| [corners[0], corners[i - 1], corners[i]]));
        return;
    }
    let mut left = corners.to_vec();
    while left.len() > 3 {
        let m = left.len();
        let ear = (0..m).find(|&i| {
            let (a, b, c) = (left[(i + m - 1) % m], left[i], left[(i + 1) % m]);
            let inside = |&p: &u32| {
                p != a
                    && p != b
                    && p != c
                    && [(a, b), (b, c), (c, a)]
                        .iter()
                        .all(|&(s, e)| (at(e) - at(s)).cross(at(p) - at(s)).dot(normal) >= 0.0)
            };
            turns_left(a, b, c) > 0.0 && !left.iter().any(inside)
        });
        let Some(i) = ear else { break };
        triangles.push([left[(i + m - 1) % m], left[i], left[(i + 1) % m]]);
        left.remove(i);
    }
    triangles.extend((2..left.len()).map(|i| [left[0], left[i - 1], left[i]]));
}

/// Cutting ears takes the cube of the number of corners in time; a face with more than
/// this is fanned.
const MOST_CORNERS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corners: &[[f32; 2]]) -> (f32, usize) {
        let positions: Vec<Vec3> = corners.iter().map(|c| Vec3::new(c[0], c[1], 0.0)).collect();
        let all: Vec<u32> = (0..corners.len() as u32).collect();
        let mut triangles = Vec::new();
        triangulate(&all, &positions, &mut triangles);
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            (b - a).cross(c - a).z / 2.0
        });
        assert!(areas.clone().all(|a| a >= 0.0), "no triangle is turned over");
        (areas.sum(), triangles.len())
    }

    #[test]
    fn faces_keep_their_area() {
        assert_eq!(area(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]), (2.0, 2));
        // An arrowhead: the diagonal from the first corner would leave it.
        assert_eq!(area(&[[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, 1.0]]), (2.0, 2));
        let l = [
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [0.0, 2.0],
        ];
        assert_eq!(area(&l), (3.0, 4));
    }
}
