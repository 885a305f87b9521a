//! Springs from the skin to the bones (SkinCells, section 3.5, location loss).
//!
//! Each position is tied to the closest point of the skeleton, which moves with its bone.
//! A spring that does not stand at a right angle on its bone (it ends at a joint) or
//! passes through the mesh is dropped: it would hold skin that belongs elsewhere. So would one
//! that runs through the air, which the paper keeps: a root's bone from the ground to the hips
//! is closer to the inner sides of the legs than their own bones are.
//!
//! As published all springs count alike. Halfway between two limbs, in the middle of a skirt or
//! in an armpit, which bone is closest is chance, and springs that change over from one to the
//! other tear the skin apart there. [`weigh_by_limb`] lets a spring count the less the closer a
//! bone of another limb is.

use glam::DVec3;
use rayon::prelude::*;

use crate::JointIndex;
use crate::character::{Bone, BoneShape};
use crate::geometry::WindingTree;
use crate::geometry::{Bounds, BoxTree};
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
    /// How much it counts, from 0 to 1.
    pub fraction: f64,
}

/// A bone in the unit cube; a point or a volume is where its middle is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    cell: u16,
    head: DVec3,
    tail: DVec3,
}

impl Segment {
    /// Its point that is closest to `x`.
    fn closest(&self, x: DVec3) -> DVec3 {
        let along = self.tail - self.head;
        let square = along.length_squared();
        if square > 0.0 {
            self.head + along * ((x - self.head).dot(along) / square).clamp(0.0, 1.0)
        } else {
            self.head
        }
    }
}

/// A spring may lean by this cosine; rounding of positions stays far below.
const LEANS: f64 = 1e-3;
/// Where the surface winds around the middle of a spring by less than this, it is in the
/// air. Between legs it is 0, under the open `sample:skirt` mostly 0.8 and more; 0.1 where
/// chains of joints lie just outside its folds.
const AIR: f64 = 0.25;
/// Positions per parallel piece of work.
const CHUNK: usize = 512;

/// The bones of the cells; `joints` are the cells' joints, ascending.
pub(super) fn segments(bones: &[Bone], joints: &[JointIndex], centre: DVec3, size: f64) -> Vec<Segment> {
    bones
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
            Some(Segment {
                cell,
                head: (head - centre) / size,
                tail: (tail - centre) / size,
            })
        })
        .collect()
}

/// The springs of positions.
pub(super) fn springs_of(
    points: &[DVec3],
    faces: &[[u32; 3]],
    segments: &[Segment],
    task: &Task<'_>,
) -> Result<Vec<Option<Spring>>, Cancelled> {
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
                let spring = upright(x, segments)?;
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
fn upright(x: DVec3, segments: &[Segment]) -> Option<Spring> {
    let mut best: Option<(f64, &Segment, DVec3)> = None;
    for segment in segments {
        let anchor = segment.closest(x);
        let distance = anchor.distance_squared(x);
        if best.is_none_or(|b| distance < b.0) {
            best = Some((distance, segment, anchor));
        }
    }
    let (distance, segment, anchor) = best?;
    let along = segment.tail - segment.head;
    let length = distance.sqrt();
    let stands =
        along.length_squared() > 0.0 && (x - anchor).dot(along).abs() <= LEANS * length * along.length();
    (stands && length > 0.0).then_some(Spring {
        cell: segment.cell,
        anchor,
        length,
        fraction: 1.0,
    })
}

/// Lets each spring count by 1 − d/d′, d its length and d′ the distance to the closest bone of
/// another limb: of a cell that is neither its own nor, by `parents`, above or below it.
pub(super) fn weigh_by_limb(
    springs: &mut [Option<Spring>],
    points: &[DVec3],
    segments: &[Segment],
    parents: &[Option<u16>],
) {
    let same_limb =
        |a: u16, b: u16| a == b || parents[usize::from(a)] == Some(b) || parents[usize::from(b)] == Some(a);
    springs
        .par_iter_mut()
        .zip(points)
        .with_min_len(CHUNK)
        .for_each(|(spring, &x)| {
            if let Some(spring) = spring {
                let others = segments.iter().filter(|s| !same_limb(s.cell, spring.cell));
                let nearest = others
                    .map(|s| s.closest(x).distance_squared(x))
                    .fold(f64::INFINITY, f64::min);
                spring.fraction = 1.0 - spring.length / nearest.sqrt();
            }
        });
}

/// Whether the segment from `a` to `b` passes through a triangle (Möller and Trumbore
/// 1997).
fn crosses(a: DVec3, b: DVec3, [p, q, r]: [DVec3; 3]) -> bool {
    let (offset, e1, e2) = (b - a, q - p, r - p);
    let h = offset.cross(e2);
    let determinant = e1.dot(h);
    if determinant == 0.0 {
        return false;
    }
    let s = a - p;
    let u = s.dot(h) / determinant;
    let k = s.cross(e1);
    let v = offset.dot(k) / determinant;
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
        let segments = segments(&bones, &joints, DVec3::ZERO, 1.0);
        springs_of(points, faces, &segments, &Task::unattended()).unwrap()
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
            fraction: 1.0,
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

    /// Two legs side by side under one hip: in the middle neither counts, the hip is no other
    /// limb.
    #[test]
    fn between_two_limbs_a_spring_counts_for_nothing() {
        let bone = |cell, x: f64, low: f64, high: f64| Segment {
            cell,
            head: DVec3::new(x, high, 0.0),
            tail: DVec3::new(x, low, 0.0),
        };
        let segments = [
            bone(0, 0.1, 0.0, 0.5),
            bone(1, -1.0, -2.0, 0.0),
            bone(2, 1.0, -2.0, 0.0),
        ];
        let parents = [None, Some(0), Some(0)];
        let points = [0.0, 0.5, 0.9, 3.0].map(|x| DVec3::new(x, -1.0, 0.3));
        let mut springs: Vec<Option<Spring>> = points.iter().map(|&x| upright(x, &segments)).collect();
        weigh_by_limb(&mut springs, &points, &segments, &parents);
        for (spring, x) in springs.iter().zip(&points) {
            let spring = spring.unwrap();
            let (own, other) = ((x.x - 1.0).hypot(0.3), (x.x + 1.0).hypot(0.3));
            let expected = 1.0 - own.min(other) / own.max(other);
            assert!(
                (spring.fraction - expected).abs() < 1e-12,
                "{spring:?} for {expected} at {x}"
            );
        }
        assert_eq!(springs[0].unwrap().fraction, 0.0);
    }
}
