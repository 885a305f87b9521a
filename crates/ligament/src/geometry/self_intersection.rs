//! Faces that cut through other faces.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::WeldedMesh;
use super::box_tree::{Bounds, BoxTree};
use super::triangle_pair::{IndexedTriangle, interiors_meet};
use crate::task::{Cancelled, Task};

/// The tree is looked through in parts of about so many faces.
const FACES_IN_PART: usize = 128;
/// Parts between two looks at the cancel flag: a few milliseconds on real characters.
const PARTS_IN_BLOCK: usize = 32;

/// The faces that intersect another face, ascending.
///
/// Two faces intersect if their interiors have a point in common, decided exactly on the
/// welded positions. So sharing a corner or an edge does not count, nor does touching (a
/// corner that lies on another face, edges that cross at a point, faces laid against each
/// other along an edge); faces in one plane that overlap in an area do, with them doubled
/// faces and faces folded onto their neighbour. Faces without area intersect nothing.
///
/// Pairs are found by going down a tree of boxes against itself; parts of it run in parallel.
/// `task` is asked before each block of parts.
pub fn self_intersecting_faces(welded: &WeldedMesh, task: &Task) -> Result<Vec<u32>, Cancelled> {
    const STAGE: &str = "looking for intersecting faces";
    task.step(STAGE, 0.0)?;
    let count = welded.faces.len();
    let bounds: Vec<Bounds> = (0..count)
        .into_par_iter()
        .map(|face| {
            let [a, b, c] = welded.corners(face).map(|p| p.as_vec3());
            Bounds::around(a, &[b, c])
        })
        .collect();
    let tree = BoxTree::new(bounds.iter().copied());
    let triangle = |face: usize| IndexedTriangle {
        indices: welded.faces[face],
        points: welded.corners(face),
    };

    // A pair that would tell nothing new is skipped: the set of marked faces is the same
    // in whatever order threads mark them.
    let marked: Vec<AtomicBool> = (0..count).map(|_| AtomicBool::new(false)).collect();
    let is_marked = |face: usize| marked[face].load(Ordering::Relaxed);
    let meet = |a: u32, b: u32| {
        let (a, b) = (a.min(b) as usize, a.max(b) as usize);
        if !(is_marked(a) && is_marked(b)) && interiors_meet(&triangle(a), &triangle(b)) {
            marked[a].store(true, Ordering::Relaxed);
            marked[b].store(true, Ordering::Relaxed);
        }
    };
    let parts = tree.overlapping_parts(count / FACES_IN_PART);
    for (block, some) in parts.chunks(PARTS_IN_BLOCK).enumerate() {
        let done = block * PARTS_IN_BLOCK;
        task.step(STAGE, done as f32 / parts.len() as f32)?;
        some.into_par_iter()
            .for_each(|&part| tree.overlapping_under(part, meet));
    }
    Ok((0..count as u32)
        .filter(|&face| is_marked(face as usize))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{cube, joined, scaled, welded};
    use super::super::triangle_pair::tests::naive_interiors_meet;
    use super::*;
    use crate::Mesh;
    use crate::task::CancelToken;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    fn faces(mesh: &Mesh) -> Vec<u32> {
        self_intersecting_faces(&welded(mesh), &Task::unattended()).unwrap()
    }

    #[test]
    fn cubes() {
        assert!(faces(&cube(Vec3::ZERO, 1.0)).is_empty());
        let nested = joined(&[cube(Vec3::ZERO, 3.0), cube(Vec3::ONE, 1.0)]);
        assert!(faces(&nested).is_empty());
        // The corner of the second cube is inside the first: three sides of each are cut,
        // and of those only the faces that the other's edges cross.
        let crossing = joined(&[cube(Vec3::ZERO, 2.0), cube(Vec3::new(1.0, 0.9, 0.8), 2.0)]);
        let cut = faces(&crossing);
        assert!(!cut.is_empty());
        for scale in [1e-3, 1e3] {
            assert_eq!(faces(&scaled(crossing.clone(), scale)), cut);
        }
        // One side of each lies on the other and overlaps it.
        let stacked = joined(&[cube(Vec3::ZERO, 2.0), cube(Vec3::new(0.5, 2.0, 0.5), 1.0)]);
        assert_eq!(faces(&stacked), [10, 11, 20, 21]);
        // Weld: the sides coincide.
        let glued = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::Y, 1.0)]);
        assert_eq!(faces(&glued), [10, 11, 20, 21]);
    }

    #[test]
    fn a_spike_through_a_shared_corner_is_found() {
        // A fan in the floor, and a face that hangs on its middle and dips through.
        let m = Mesh::single_part(
            "fan",
            vec![
                Vec3::ZERO,
                Vec3::X * 4.0,
                Vec3::Y * 4.0,
                Vec3::new(1.0, 1.0, 1.0),
                Vec3::new(1.0, 1.5, -1.0),
            ],
            vec![[0, 1, 2], [0, 3, 4]],
        );
        assert_eq!(faces(&m), [0, 1]);
    }

    #[test]
    fn cancelling_stops_it() {
        let token = CancelToken::new();
        token.cancel();
        let watch = |_: &'static str, _: f32| {};
        let task = Task::new(token, &watch);
        let result = self_intersecting_faces(&welded(&cube(Vec3::ZERO, 1.0)), &task);
        assert_eq!(result, Err(Cancelled));
    }

    /// All pairs, by separating axes in whole numbers.
    fn naive(points: &[[i64; 3]], triangles: &[[u32; 3]]) -> Vec<u32> {
        let corners = |t: &[u32; 3]| t.map(|v| points[v as usize]);
        (0..triangles.len())
            .filter(|&i| {
                (0..triangles.len())
                    .any(|j| i != j && naive_interiors_meet(&corners(&triangles[i]), &corners(&triangles[j])))
            })
            .map(|i| i as u32)
            .collect()
    }

    fn soup(size: i64, faces: usize) -> impl Strategy<Value = (Vec<[i64; 3]>, Vec<[u32; 3]>)> {
        let vertices = 24u32;
        (
            prop::collection::vec(prop::array::uniform3(0..size), vertices as usize),
            prop::collection::vec(prop::array::uniform3(0..vertices), 1..faces),
        )
    }

    proptest! {
        #[test]
        fn agrees_with_all_pairs_on_small_grids((points, triangles) in soup(5, 40)) {
            let expected = naive(&points, &triangles);
            let positions = points.iter().map(|p| Vec3::from(p.map(|x| x as f32))).collect();
            let mesh = Mesh::single_part("soup", positions, triangles);
            prop_assert_eq!(&faces(&mesh), &expected);
            // Scaling by powers of two rounds nothing.
            prop_assert_eq!(&faces(&scaled(mesh, 1.0 / 1024.0)), &expected);
        }

        #[test]
        fn agrees_with_all_pairs_on_random_triangles((points, triangles) in soup(1 << 20, 40)) {
            let expected = naive(&points, &triangles);
            let positions = points.iter().map(|p| Vec3::from(p.map(|x| x as f32))).collect();
            let mesh = Mesh::single_part("soup", positions, triangles);
            prop_assert_eq!(faces(&mesh), expected);
        }
    }

    #[test]
    fn one_thread_and_many_agree() {
        let rotated = |i: u32| {
            let mut m = cube(Vec3::splat(-0.5), 1.0);
            for p in &mut m.positions {
                *p = Quat::from_rotation_y(i as f32) * *p + Vec3::X * (0.31 * i as f32);
            }
            m
        };
        let m = joined(&(0..300).map(rotated).collect::<Vec<_>>());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let many = faces(&m);
        assert!(many.len() > 1000);
        assert_eq!(pool.install(|| faces(&m)), many);
    }
}
