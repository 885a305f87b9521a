//! Generalized winding numbers of many points, by a tree.
//!
//! Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for Soups and
//! Clouds" (2018): seen from far away a group of faces is a dipole, the sum of their area
//! vectors, with a second-order correction for how they lie around their centre
//! (equations 9 and 10 there). A group is far away when the point is further from its
//! centre than [`FAR`] times its radius; else its halves are asked, and single faces by
//! the exact solid angle (van Oosterom and Strackee 1983).

use glam::{DMat3, DVec3};

/// How many radii away a group counts as far. The paper takes 2; its error at 2 is a few
/// per cent, which would matter next to the threshold of one half.
const FAR: f64 = 2.5;
/// Groups of this many faces are not split further.
const LEAF_FACES: usize = 8;
/// Halves of more faces are built by two threads.
const APART: usize = 2048;

/// A tree over faces; see the module.
pub struct WindingTree {
    nodes: Vec<Node>,
    /// The corners of the faces, leaf by leaf.
    faces: Vec<[DVec3; 3]>,
}

#[derive(Clone, Default)]
struct Node {
    centre: DVec3,
    /// The square of the distance beyond which the expansion is used.
    far_squared: f64,
    /// The sum of the area vectors.
    area: DVec3,
    /// The sum of (face centre − centre) ⊗ area vector: column j is weighted by the j-th
    /// component of the area vectors.
    spread: DMat3,
    /// Of a leaf its first face; of another node its second child. The first follows it.
    link: u32,
    /// How many faces a leaf has; zero for another node.
    count: u32,
}

impl WindingTree {
    /// Builds the tree over faces given by their corners.
    pub fn new(corners: &[[DVec3; 3]]) -> Self {
        let mut faces: Vec<Face> = corners
            .iter()
            .zip(0..)
            .map(|(&[a, b, c], index)| Face {
                middle: (a + b + c) / 3.0,
                area: (b - a).cross(c - a) / 2.0,
                index,
            })
            .collect();
        let mut nodes = vec![Node::default(); subtree(faces.len())];
        if !faces.is_empty() {
            build(&mut faces, corners, 0, &mut nodes, 0);
        }
        Self {
            nodes,
            faces: faces.iter().map(|f| corners[f.index as usize]).collect(),
        }
    }

    /// The winding number around a point.
    pub fn around(&self, point: DVec3) -> f64 {
        let mut sum = 0.0;
        // Median splits of u32-many faces are at most 32 levels deep.
        let mut stack = [0u32; 64];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let at = stack[height] as usize;
            let node = &self.nodes[at];
            let r = node.centre - point;
            let squared = r.length_squared();
            if squared > node.far_squared {
                let inverse = 1.0 / squared;
                let cubed = inverse * inverse.sqrt();
                // ∇G and ∇∇G of Green's function, without its 1/4π.
                let dipole = node.area.dot(r) * cubed;
                let trace = node.spread.x_axis.x + node.spread.y_axis.y + node.spread.z_axis.z;
                let bent = r.dot(node.spread * r) * inverse;
                sum += dipole + (trace - 3.0 * bent) * cubed;
            } else if node.count == 0 {
                stack[height] = node.link;
                stack[height + 1] = at as u32 + 1;
                height += 2;
            } else {
                let first = node.link as usize;
                for corners in &self.faces[first..first + node.count as usize] {
                    sum += solid_angle(corners.map(|c| c - point));
                }
            }
        }
        sum / (4.0 * std::f64::consts::PI)
    }
}

/// The signed solid angle of a triangle seen from the origin; zero for one that holds it.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    if volume == 0.0 {
        return 0.0;
    }
    let rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * volume.atan2(rest)
}

/// A face while the tree is built.
struct Face {
    middle: DVec3,
    area: DVec3,
    index: u32,
}

/// How many nodes a tree over so many faces has.
fn subtree(faces: usize) -> usize {
    if faces <= LEAF_FACES {
        usize::from(faces > 0)
    } else {
        1 + subtree(faces / 2) + subtree(faces - faces / 2)
    }
}

/// Fills `nodes`, which begin at number `first`, with the tree over `faces`, which begin at
/// number `offset`.
fn build(faces: &mut [Face], corners: &[[DVec3; 3]], offset: usize, nodes: &mut [Node], first: usize) {
    // The centre of area, so that the second order is small.
    let (mut total, mut centre, mut area, mut middles) = (0.0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for face in faces.iter() {
        let size = face.area.length();
        total += size;
        centre += face.middle * size;
        area += face.area;
        middles += face.middle;
        low = low.min(face.middle);
        high = high.max(face.middle);
    }
    let centre = if total > 0.0 {
        centre / total
    } else {
        middles / faces.len() as f64
    };
    let mut spread = DMat3::ZERO;
    let mut radius_squared = 0.0f64;
    for face in faces.iter() {
        let (from, n) = (face.middle - centre, face.area);
        spread += DMat3::from_cols(from * n.x, from * n.y, from * n.z);
        for corner in &corners[face.index as usize] {
            radius_squared = radius_squared.max(corner.distance_squared(centre));
        }
    }
    let leaf = faces.len() <= LEAF_FACES;
    let half = faces.len() / 2;
    let left_nodes = if leaf { 0 } else { subtree(half) };
    let Some((node, below)) = nodes.split_first_mut() else {
        return;
    };
    *node = Node {
        centre,
        far_squared: FAR * FAR * radius_squared,
        area,
        spread,
        link: if leaf { offset } else { first + 1 + left_nodes } as u32,
        count: if leaf { faces.len() as u32 } else { 0 },
    };
    if leaf {
        return;
    }
    let axis = (high - low).max_position();
    faces.select_nth_unstable_by(half, |a, b| {
        let by_position = a.middle[axis].total_cmp(&b.middle[axis]);
        by_position.then(a.index.cmp(&b.index))
    });
    let (left, right) = faces.split_at_mut(half);
    let (left_below, right_below) = below.split_at_mut(left_nodes);
    let build_left = |left: &mut [Face], nodes: &mut [Node]| build(left, corners, offset, nodes, first + 1);
    let build_right = |right: &mut [Face], nodes: &mut [Node]| {
        build(right, corners, offset + half, nodes, first + 1 + left_nodes);
    };
    if right.len() > APART {
        rayon::join(
            || build_left(left, left_below),
            || build_right(right, right_below),
        );
    } else {
        build_left(left, left_below);
        build_right(right, right_below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{WeldedMesh, winding_number};

    /// Against the exact sum, on a broken character and around it.
    #[test]
    fn it_agrees_with_the_exact_winding_number() {
        let character = crate::sample::make("knight@4000").unwrap();
        let welded = WeldedMesh::of(&character.mesh);
        let faces: Vec<_> = (0..welded.faces.len()).map(|f| welded.corners(f)).collect();
        let tree = WindingTree::new(&faces);
        let mut worst = 0.0f64;
        let mut sum = 0.0;
        for i in 0..400u32 {
            let fraction = |k: u32| f64::from(i.wrapping_mul(k) % 1009) / 1009.0;
            let (low, high) = welded
                .points
                .iter()
                .fold((welded.points[0], welded.points[0]), |(l, h), &p| {
                    (l.min(p), h.max(p))
                });
            let point = low + (high - low) * DVec3::new(fraction(331), fraction(577), fraction(787));
            let error = (tree.around(point) - winding_number(&welded, point)).abs();
            worst = worst.max(error);
            sum += error;
        }
        assert!(
            worst < 0.02 && sum / 400.0 < 0.004,
            "worst {worst}, mean {}",
            sum / 400.0
        );
    }

    #[test]
    fn nothing_winds_around_nothing() {
        assert_eq!(WindingTree::new(&[]).around(DVec3::ONE), 0.0);
    }
}
