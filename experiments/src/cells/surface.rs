//! The closest place on another surface, and what weights are there.

use glam::Vec3;
use ligament::character::Influence;
use ligament::{Mesh, Weights};

/// A face and the shares of its corners.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub face: usize,
    pub shares: [f32; 3],
    pub distance: f32,
}

/// The place of a triangle that is closest to a point, as shares of its corners (Ericson
/// 2005, section 5.1.5).
fn closest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    [1.0 - v - w, v, w]
}

/// The closest place among some faces of a mesh.
pub fn closest(mesh: &Mesh, faces: std::ops::Range<usize>, p: Vec3) -> Option<Place> {
    let mut best: Option<Place> = None;
    for face in faces {
        let corners = mesh.triangles[face].map(|v| mesh.positions[v as usize]);
        let shares = closest_on_triangle(p, corners);
        let at = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
        let distance = at.distance(p);
        if best.is_none_or(|b| distance < b.distance) {
            best = Some(Place {
                face,
                shares,
                distance,
            });
        }
    }
    best
}

/// The weights at a place, by the shares of its corners.
pub fn weights_at(mesh: &Mesh, weights: &Weights, place: &Place) -> Vec<Influence> {
    let mut sum: Vec<Influence> = Vec::new();
    for (&v, share) in mesh.triangles[place.face].iter().zip(place.shares) {
        for i in weights.of_vertex(v as usize) {
            match sum.iter_mut().find(|s| s.joint == i.joint) {
                Some(found) => found.weight += share * i.weight,
                None => sum.push(Influence {
                    joint: i.joint,
                    weight: share * i.weight,
                }),
            }
        }
    }
    sum
}
