//! Springs from the skin to the bones (SkinCells, section 3.5, location loss).
//!
//! Each position is tied to the closest point of the skeleton, which moves with its bone.
//! A spring that does not stand at a right angle on its bone (it ends at a joint) or
//! passes through the mesh is dropped: it would hold skin that belongs elsewhere. So would one
//! that runs through the air, which the paper keeps: a root's bone from the ground to the hips
//! is closer to the inner sides of the legs than their own bones are.

use glam::DVec3;
use rayon::prelude::*;

use crate::JointIndex;
use crate::character::{Bone, BoneShape};
use crate::inspect::{Bounds, BoxTree};
use crate::solid::WindingTree;
use crate::task::{Cancelled, Task};

/// One spring, in the unit cube.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spring {
    /// The cell whose joint moves the anchor.
    pub cell: u16,
    /// Where it is tied to the bone, at rest.
    pub anchor: DVec3,
    /// Its length at rest.
    pub length: f64,
}

/// A spring may lean by this cosine; rounding of positions stays far below.
const LEANS: f64 = 1e-3;
/// Where the surface winds around the middle of a spring by less than this, it is in the
/// air. Between legs it is 0, under the open `sample:skirt` mostly 0.8 and more; 0.1 where
/// chains of joints lie just outside its folds.
const AIR: f64 = 0.25;
/// Positions per parallel piece of work.
const CHUNK: usize = 512;

/// The springs of positions; `joints` are the cells' joints, ascending.
pub(super) fn springs_of(
    points: &[DVec3],
    faces: &[[u32; 3]],
    bones: &[Bone],
    joints: &[JointIndex],
    centre: DVec3,
    size: f64,
    task: &Task<'_>,
) -> Result<Vec<Option<Spring>>, Cancelled> {
    let segments: Vec<(u16, DVec3, DVec3)> = bones
        .iter()
        .filter_map(|bone| {
            let cell = joints.binary_search(&bone.joint).ok()? as u16;
            let (head, tail) = match &bone.shape {
                BoneShape::Segment { head, tail } => (*head, *tail),
                BoneShape::Point(at) => (*at, *at),
                BoneShape::Sphere { centre, .. } => (*centre, *centre),
                BoneShape::Box { bind_from_box, .. } => {
                    (bind_from_box.translation, bind_from_box.translation)
                }
            };
            Some((cell, (head - centre) / size, (tail - centre) / size))
        })
        .collect();
    let corner = |v: u32| points[v as usize];
    let boxes = faces.iter().map(|f| {
        let [a, b, c] = f.map(|v| corner(v).as_vec3());
        Bounds::around(a, &[b, c])
    });
    let tree = BoxTree::new(boxes);
    let corners: Vec<[DVec3; 3]> = faces.iter().map(|f| f.map(corner)).collect();
    let winding = WindingTree::new(&corners);
    // Points alone have no inside.
    let in_air = |a: DVec3, b: DVec3| !faces.is_empty() && winding.around((a + b) / 2.0).abs() < AIR;
    let chunks: Vec<Vec<Option<Spring>>> = points
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, part)| {
            task.step("springs", (chunk * CHUNK) as f32 / points.len() as f32)?;
            let one = |(i, &x): (usize, &DVec3)| {
                let vertex = (chunk * CHUNK + i) as u32;
                let spring = upright(x, &segments)?;
                let query = Bounds::around(x.as_vec3(), &[spring.anchor.as_vec3()]);
                let crosses = tree.any_overlapping(&query, |f| {
                    let face = faces[f as usize];
                    !face.contains(&vertex) && crosses(x, spring.anchor, face.map(corner))
                });
                (!crosses && !in_air(x, spring.anchor)).then_some(spring)
            };
            Ok(part.iter().enumerate().map(one).collect())
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(chunks.into_iter().flatten().collect())
}

/// The spring to the closest bone if it stands on it at a right angle.
fn upright(x: DVec3, segments: &[(u16, DVec3, DVec3)]) -> Option<Spring> {
    let mut best: Option<(f64, u16, DVec3, DVec3)> = None;
    for &(cell, head, tail) in segments {
        let along = tail - head;
        let length_squared = along.length_squared();
        let share = if length_squared > 0.0 {
            ((x - head).dot(along) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let anchor = head + along * share;
        let distance = anchor.distance_squared(x);
        if best.is_none_or(|b| distance < b.0) {
            best = Some((distance, cell, anchor, along));
        }
    }
    let (distance, cell, anchor, along) = best?;
    let length = distance.sqrt();
    let stands =
        along.length_squared() > 0.0 && (x - anchor).dot(along).abs() <= LEANS * length * along.length();
    (stands && length > 0.0).then_some(Spring { cell, anchor, length })
}

/// Whether the segment from `a` to `b` passes through a triangle (Möller and Trumbore
/// 1997).
fn crosses(a: DVec3, b: DVec3, [p, q, r]: [DVec3; 3]) -> bool {
    let (way, e1, e2) = (b - a, q - p, r - p);
    let h = way.cross(e2);
    let determinant = e1.dot(h);
    if determinant == 0.0 {
        return false;
    }
    let s = a - p;
    let u = s.dot(h) / determinant;
    let k = s.cross(e1);
    let v = way.dot(k) / determinant;
    let t = e2.dot(k) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 1e-9 && t < 1.0 - 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn springs(points: &[DVec3], faces: &[[u32; 3]]) -> Vec<Option<Spring>> {
        let bones = [Bone {
            stub: false,
            joint: JointIndex(3),
            shape: BoneShape::Segment {
                head: DVec3::ZERO,
                tail: DVec3::X,
            },
        }];
        let joints = [JointIndex(1), JointIndex(3)];
        springs_of(
            points,
            faces,
            &bones,
            &joints,
            DVec3::ZERO,
            1.0,
            &Task::unattended(),
        )
        .unwrap()
    }

    #[test]
    fn a_spring_stands_upright_and_moves_with_its_bone() {
        let found = springs(
            &[
                DVec3::new(0.3, 0.5, 0.0),
                DVec3::new(1.5, 0.5, 0.0),
                DVec3::new(0.2, 0.0, 0.0),
            ],
            &[],
        );
        let expected = Spring {
            cell: 1,
            anchor: DVec3::new(0.3, 0.0, 0.0),
            length: 0.5,
        };
        assert_eq!(found, [Some(expected), None, None]);
    }

    /// A cube's corners and faces, wound outward.
    fn cube(middle: DVec3, half: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corner = |i: u32| {
            let side = |bit: u32| if i >> bit & 1 == 1 { half } else { -half };
            middle + DVec3::new(side(0), side(1), side(2))
        };
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let faces = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        ((0..8).map(corner).collect(), faces.collect())
    }

    #[test]
    fn a_spring_through_the_mesh_is_dropped() {
        // A sheet inside a body.
        let (mut points, mut faces) = cube(DVec3::new(0.5, 0.0, 0.0), 2.0);
        points.extend([
            DVec3::new(0.3, 0.5, 0.0),
            DVec3::new(0.0, 0.2, -1.0),
            DVec3::new(0.0, 0.2, 1.0),
            DVec3::new(1.0, 0.2, 0.0),
        ]);
        faces.push([9, 10, 11]);
        let found = springs(&points, &faces);
        assert_eq!(found[8], None);
        // The corners of the face itself are not cut off by it.
        assert!(found[9..].iter().all(Option::is_some), "{found:?}");
    }

    #[test]
    fn a_spring_through_the_air_is_dropped() {
        let beside = cube(DVec3::new(0.5, 1.0, 0.0), 0.5);
        assert!(springs(&beside.0, &beside.1).iter().all(Option::is_none));
        let around = cube(DVec3::new(0.5, 0.2, 0.0), 0.5);
        assert!(springs(&around.0, &around.1).iter().all(Option::is_some));
    }
}
