//! Points outside the mesh, for joints that skin cannot surround.
//!
//! A point is **outside** if the winding number of the whole mesh around it is below ½ in
//! magnitude *and* the vote is against it. The winding number alone fails in wide open
//! meshes (a skirt, a bust cut at the chest), the vote alone near small holes; a point
//! that either takes in is inside. Faces of shells that are inside out are turned over
//! first, so that they do not cancel others. Cavities stay as they are: a point in a
//! hollow is outside. A point on the surface itself may fall either way.
//!
//! The vote (Dionne and de Lasa 2013): look from the point along +X, −X, +Y, −Y, +Z, −Z.
//! A direction says *inside* if the first face it meets is seen from behind; an axis does
//! if one of its two directions does; two axes decide. Faces met at the same distance
//! count together, and those that cancel are looked through.

use glam::DVec3;
use rayon::prelude::*;

use crate::geometry::{Shells, WeldedMesh, WindingTree, winding_number_of};
use crate::task::{Cancelled, Task};

/// Faces met within this fraction of the diagonal of one another are met together.
const SAME_DEPTH: f64 = 1e-7;

/// For so few points a tree is not worth building.
const FEW: usize = 4;
/// The tree's winding numbers are within a few hundredths of the exact ones.
const DOUBT: f64 = 0.05;

/// Points between two reports of progress.
const BLOCK: usize = 64;

/// For each point whether it is outside the mesh; see the module. `inside_out` are the
/// shells to turn over. `task` is asked before each point.
pub fn outside(
    welded: &WeldedMesh,
    shells: &Shells,
    inside_out: &[u32],
    points: &[DVec3],
    task: &Task,
) -> Result<Vec<bool>, Cancelled> {
    const STAGE: &str = "looking for joints outside the mesh";
    let mut signs = vec![1.0; shells.count()];
    for &shell in inside_out {
        signs[shell as usize] = -1.0;
    }
    let faces: Vec<(u32, f64)> = (0..welded.faces.len())
        .filter_map(|face| Some((face as u32, signs[shells.of_face[face]? as usize])))
        .collect();
    // Many joints are asked by the tree, and exactly where it leaves a doubt.
    let tree = (points.len() > FEW).then(|| {
        let turned = |&(face, sign): &(u32, f64)| {
            let [a, b, c] = welded.corners(face as usize);
            if sign < 0.0 { [a, c, b] } else { [a, b, c] }
        };
        WindingTree::new(&faces.iter().map(turned).collect::<Vec<_>>())
    });
    let goes_around = |p: DVec3| {
        let exact = || winding_number_of(welded, faces.iter().copied(), p).abs() >= 0.5;
        match tree.as_ref().map(|tree| tree.around(p).abs()) {
            Some(index) if (index - 0.5).abs() > DOUBT => index > 0.5,
            _ => exact(),
        }
    };
    let mut answers = Vec::with_capacity(points.len());
    for block in points.chunks(BLOCK) {
        let fraction = answers.len() as f32 / points.len() as f32;
        let of_block: Result<Vec<bool>, Cancelled> = block
            .par_iter()
            .map(|&p| {
                task.step(STAGE, fraction)?;
                Ok(!goes_around(p) && !vote(welded, &faces, p))
            })
            .collect();
        answers.extend(of_block?);
    }
    Ok(answers)
}

/// Whether the vote takes a point for inside. Faces come with the sign to take them with.
fn vote(welded: &WeldedMesh, faces: &[(u32, f64)], point: DVec3) -> bool {
    let same = SAME_DEPTH * welded.diagonal;
    let says_inside = |mut crossings: Vec<(f64, f64)>| {
        crossings.sort_by(|s, t| s.0.total_cmp(&t.0).then(s.1.total_cmp(&t.1)));
        // Forwards a face seen from behind looks forwards; backwards, backwards.
        let ahead = crossings.iter().copied().filter(|c| c.0 > 0.0);
        let behind = crossings.iter().rev().copied().filter(|c| c.0 < 0.0);
        first_sense(ahead, same) > 0.0 || first_sense(behind, same) < 0.0
    };
    let axes = crossings(welded, faces, point).map(says_inside);
    axes.into_iter().filter(|&inside| inside).count() >= 2
}

/// The sum of senses over the nearest group of crossings that does not cancel, else 0.
fn first_sense(crossings: impl Iterator<Item = (f64, f64)>, same: f64) -> f64 {
    let (mut depth, mut sum) = (0.0, 0.0);
    for (next, sense) in crossings {
        if (next - depth).abs() > same {
            if sum != 0.0 {
                return sum;
            }
            depth = next;
        }
        sum += sense;
    }
    sum
}

/// Where the lines through `point` along the three axes cross faces: for each crossing the
/// signed depth from the point and the sense, 1 if the face looks along the axis, −1 if
/// against it. Edges belong to both faces.
fn crossings(welded: &WeldedMesh, faces: &[(u32, f64)], point: DVec3) -> [Vec<(f64, f64)>; 3] {
    let mut found: [Vec<(f64, f64)>; 3] = Default::default();
    for &(face, sign) in faces {
        let [a, b, c] = welded.corners(face as usize).map(|p| p - point);
        let low = a.min(b).min(c).cmple(DVec3::ZERO);
        let high = a.max(b).max(c).cmpge(DVec3::ZERO);
        // A line can cross the face if the face reaches over it along both other axes.
        let reaches = low & high;
        if reaches.bitmask().count_ones() < 2 {
            continue;
        }
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if !(reaches.test(u) && reaches.test(v)) {
                continue;
            }
            let cross = |p: DVec3, q: DVec3| p[u] * q[v] - p[v] * q[u];
            let (wa, wb, wc) = (cross(b, c), cross(c, a), cross(a, b));
            let total = wa + wb + wc;
            let within = (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) || (wa <= 0.0 && wb <= 0.0 && wc <= 0.0);
            if within && total != 0.0 {
                let depth = (wa * a[axis] + wb * b[axis] + wc * c[axis]) / total;
                found[axis].push((depth, sign * total.signum()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::geometry::shapes::{cube, flipped, joined, scaled, welded};
    use crate::geometry::{edge_faults, inside_out_shells, shell_solids};
    use glam::Vec3;

    fn ask(mesh: &Mesh, points: &[DVec3]) -> Vec<bool> {
        let w = welded(mesh);
        let shells = Shells::of(&w);
        let solids = shell_solids(&w, &shells, &edge_faults(&w));
        let task = Task::unattended();
        let flipped = inside_out_shells(&w, &shells, &solids, &task).unwrap();
        outside(&w, &shells, &flipped, points, &task).unwrap()
    }

    #[test]
    fn many_points_get_the_answers_that_each_of_them_gets_alone() {
        let body = crate::sample::make("knight@4000").unwrap();
        let (low, high) = body.mesh.bounds();
        let at = |k: u32| {
            let share = |n: u32| f64::from((k * n) % 97) / 96.0;
            let [x, y, z] = [share(31), share(57), share(89)];
            low.as_dvec3() + (high - low).as_dvec3() * DVec3::new(x, y, z)
        };
        let points: Vec<DVec3> = (0..60).map(at).collect();
        let together = ask(&body.mesh, &points);
        let alone: Vec<bool> = points.iter().map(|&p| ask(&body.mesh, &[p])[0]).collect();
        assert_eq!(together, alone);
        assert!(together.contains(&true) && together.contains(&false));
    }

    #[test]
    fn a_flipped_shell_that_overlaps_does_not_spoil_it() {
        let m = joined(&[
            cube(Vec3::ZERO, 2.0),
            flipped(cube(Vec3::new(1.0, 0.1, 0.1), 1.8)),
        ]);
        for scale in [1e-3f32, 1.0, 1e3] {
            let points = [0.5, 1.5, 2.5, 3.5].map(|x| DVec3::new(x, 1.0, 1.1) * f64::from(scale));
            assert_eq!(
                ask(&scaled(m.clone(), scale), &points),
                [false, false, false, true]
            );
        }
    }

    #[test]
    fn a_hollow_is_outside() {
        let m = joined(&[cube(Vec3::ZERO, 3.0), flipped(cube(Vec3::ONE, 1.0))]);
        assert_eq!(ask(&m, &[DVec3::splat(1.4), DVec3::splat(0.4)]), [true, false]);
    }

    #[test]
    fn a_tube_open_at_both_ends_holds_what_is_in_it() {
        let mut tube = cube(Vec3::ZERO, 1.0);
        tube.triangles.truncate(8);
        tube.parts[0].triangles.end = 8;
        // Below ½ by winding number near the end, where the vote decides.
        let near_end = DVec3::new(0.4, 0.95, 0.45);
        assert!(crate::geometry::winding_number(&welded(&tube), near_end) < 0.6);
        assert_eq!(
            ask(&tube, &[near_end, DVec3::new(0.4, 1.05, 0.45)]),
            [false, true]
        );
    }

    #[test]
    fn lines_through_edges_and_corners_vote_once() {
        // The middle of a cube looks straight at the diagonals of all six sides.
        let m = cube(Vec3::ZERO, 1.0);
        let w = welded(&m);
        let faces: Vec<_> = (0..12).map(|f| (f, 1.0)).collect();
        assert!(vote(&w, &faces, DVec3::splat(0.5)));
        assert!(!vote(&w, &faces, DVec3::new(0.5, 2.0, 0.5)));
        // Two sheets with opposite faces at one position are looked through.
        let mut m = joined(&[m, cube(Vec3::new(-1.0, 0.5, -1.0), 3.0)]);
        m.triangles.truncate(22); // no lid
        let floor: Vec<_> = m.triangles[20..22].iter().map(|&[a, b, c]| [a, c, b]).collect();
        m.triangles.extend(floor);
        let faces: Vec<_> = (0..12).chain(20..24).map(|f| (f, 1.0)).collect();
        assert!(vote(&welded(&m), &faces, DVec3::new(0.4, 0.3, 0.45)));
    }
}
