//! Faces with any number of corners as triangles, with the corners in the same order.

use glam::{DVec3, Vec3};

/// The triangles of one face, as places in `corners`. Ears are cut from faces that are not
/// convex; corners that no ear fits (degenerate or crossing faces) are joined to the first.
pub(super) fn triangulate(corners: &[u32], positions: &[Vec3]) -> Vec<[u32; 3]> {
    let n = corners.len();
    let fan = |left: &[u32]| -> Vec<[u32; 3]> {
        let middle = left.windows(2).skip(1);
        middle.map(|pair| [left[0], pair[0], pair[1]]).collect()
    };
    let mut left: Vec<u32> = (0..n as u32).collect();
    if n <= 3 {
        return fan(&left);
    }
    let vertex = |i: u32| corners[i as usize];
    let at = |i: u32| positions[vertex(i) as usize].as_dvec3();
    let normal = (1..n as u32 - 1)
        .map(|i| (at(i) - at(0)).cross(at(i + 1) - at(0)))
        .sum::<DVec3>();
    let turns_left = |a: u32, b: u32, c: u32| (at(b) - at(a)).cross(at(c) - at(b)).dot(normal);
    let next = |i: usize| (i % n) as u32;
    let is_convex = (0..n).all(|i| turns_left(next(i), next(i + 1), next(i + 2)) >= 0.0);
    if is_convex || n > MOST_CORNERS {
        return fan(&left);
    }
    let mut triangles = Vec::with_capacity(n - 2);
    while left.len() > 3 {
        let m = left.len();
        let ear = (0..m).find(|&i| {
            let (a, b, c) = (left[(i + m - 1) % m], left[i], left[(i + 1) % m]);
            let inside = |&p: &u32| {
                [a, b, c].iter().all(|&e| vertex(e) != vertex(p))
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
    triangles.extend(fan(&left));
    triangles
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
        let triangles = triangulate(&all, &positions);
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
