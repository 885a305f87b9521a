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

/// A tree over faces; see the module.
pub struct WindingTree {
    nodes: Vec<Node>,
    /// The corners of the faces, leaf by leaf.
    faces: Vec<[DVec3; 3]>,
}

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
    pub fn new(mut faces: Vec<[DVec3; 3]>) -> Self {
        let mut nodes = Vec::with_capacity(2 * faces.len() / LEAF_FACES + 1);
        if !faces.is_empty() {
            build(&mut faces, 0, &mut nodes);
        }
        Self { nodes, faces }
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

fn build(faces: &mut [[DVec3; 3]], offset: usize, nodes: &mut Vec<Node>) {
    let middle = |f: &[DVec3; 3]| (f[0] + f[1] + f[2]) / 3.0;
    let area = |f: &[DVec3; 3]| (f[1] - f[0]).cross(f[2] - f[0]) / 2.0;
    // The centre of area, so that the second order is small.
    let total: f64 = faces.iter().map(|f| area(f).length()).sum();
    let centre = if total > 0.0 {
        faces.iter().map(|f| middle(f) * area(f).length()).sum::<DVec3>() / total
    } else {
        faces.iter().map(middle).sum::<DVec3>() / faces.len() as f64
    };
    let radius_squared = faces
        .iter()
        .flatten()
        .map(|p| p.distance_squared(centre))
        .fold(0.0, f64::max);
    let mut spread = DMat3::ZERO;
    for face in faces.iter() {
        let (from, n) = (middle(face) - centre, area(face));
        spread += DMat3::from_cols(from * n.x, from * n.y, from * n.z);
    }
    let at = nodes.len();
    let leaf = faces.len() <= LEAF_FACES;
    nodes.push(Node {
        centre,
        far_squared: FAR * FAR * radius_squared,
        area: faces.iter().map(area).sum(),
        spread,
        link: offset as u32,
        count: if leaf { faces.len() as u32 } else { 0 },
    });
    if leaf {
        return;
    }
    let (low, high) = faces
        .iter()
        .map(middle)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), m| {
            (l.min(m), h.max(m))
        });
    let axis = (high - low).max_position();
    let half = faces.len() / 2;
    let order = |a: &[DVec3; 3], b: &[DVec3; 3]| {
        let key = |f: &[DVec3; 3]| f[0][axis] + f[1][axis] + f[2][axis];
        key(a).total_cmp(&key(b))
    };
    // Stable, so that faces at the same place keep their order and sums their rounding.
    faces.sort_by(order);
    let (left, right) = faces.split_at_mut(half);
    build(left, offset, nodes);
    nodes[at].link = nodes.len() as u32;
    build(right, offset + half, nodes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::{Welded, winding_number};

    /// Against the exact sum, on a broken character and around it.
    #[test]
    fn it_agrees_with_the_exact_winding_number() {
        let character = crate::sample::make("knight@4000").unwrap();
        let welded = Welded::of(&character.mesh);
        let faces = (0..welded.faces.len()).map(|f| welded.corners(f)).collect();
        let tree = WindingTree::new(faces);
        let mut worst = 0.0f64;
        let mut sum = 0.0;
        for i in 0..400u32 {
            let share = |k: u32| f64::from(i.wrapping_mul(k) % 1009) / 1009.0;
            let (low, high) = welded
                .points
                .iter()
                .fold((welded.points[0], welded.points[0]), |(l, h), &p| {
                    (l.min(p), h.max(p))
                });
            let point = low + (high - low) * DVec3::new(share(331), share(577), share(787));
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
        assert_eq!(WindingTree::new(Vec::new()).around(DVec3::ONE), 0.0);
    }
}
