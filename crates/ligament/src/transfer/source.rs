//! The surface that weights come from.

use glam::{DAffine3, DVec3};

use super::looks::{Look, Looks};
use super::{BodyFit, TransferError};
use crate::character::{Influence, Weights};
use crate::geometry::{Bounds, BoxTree, WeldedMesh, closest_on_triangle};
use crate::skin::Skin;

/// A surface with weights at its points, ready to be asked for the point closest to a point.
#[derive(Debug, Clone)]
pub struct TransferSource {
    points: Vec<DVec3>,
    /// Faces that take part.
    faces: Vec<[u32; 3]>,
    looks: Looks,
    weights: Weights,
    tree: BoxTree,
    diagonal: f64,
}

/// Where on the source something was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// The face, by its number among those of the source that take part.
    pub face: u32,
    /// How much of each of its corners the point is.
    pub barycentric: [f64; 3],
    /// How far it is away.
    pub distance: f64,
}

impl TransferSource {
    /// All points and faces of a welded surface; `weights` has an entry for each point.
    pub fn new(surface: WeldedMesh, weights: Weights) -> Result<Self, TransferError> {
        if weights.vertex_count() != surface.points.len() {
            return Err(TransferError::WrongLength {
                wanted: surface.points.len(),
                found: weights.vertex_count(),
            });
        }
        let faces: Vec<[u32; 3]> = (0..surface.faces.len())
            .filter(|&f| !surface.is_collapsed(f))
            .map(|f| surface.faces[f])
            .collect();
        if faces.is_empty() {
            return Err(TransferError::NoSurface);
        }
        let corner = |p: u32| surface.points[p as usize].as_vec3();
        let around = |f: &[u32; 3]| Bounds::around(corner(f[0]), &[corner(f[1]), corner(f[2])]);
        Ok(Self {
            tree: BoxTree::new(faces.iter().map(around)),
            looks: Looks::of(&surface.points, &faces),
            points: surface.points,
            faces,
            weights,
            diagonal: surface.diagonal,
        })
    }

    /// The body of a character, carried parts too, with weights of its vertices. Where `chosen` says so for each vertex,
    /// only faces between chosen ones take part.
    pub fn of_body(skin: &Skin, weights: &Weights, chosen: Option<&[bool]>) -> Result<Self, TransferError> {
        let body = skin.body();
        let of_vertex = skin.body_point_of_vertices();
        if weights.vertex_count() != of_vertex.len() {
            return Err(TransferError::WrongLength {
                wanted: of_vertex.len(),
                found: weights.vertex_count(),
            });
        }
        // Copies along a seam may differ: the first that takes part speaks for all.
        let mut speaker = vec![usize::MAX; body.points.len()];
        let mut any = vec![usize::MAX; body.points.len()];
        for (vertex, &point) in of_vertex.iter().enumerate().rev() {
            any[point as usize] = vertex;
            if chosen.is_none_or(|c| c[vertex]) {
                speaker[point as usize] = vertex;
            }
        }
        let takes_part = |f: &[u32; 3]| f.iter().all(|&p| speaker[p as usize] != usize::MAX);
        let surface = WeldedMesh {
            points: body.points.clone(),
            faces: body.faces.iter().copied().filter(takes_part).collect(),
            diagonal: body.diagonal,
        };
        let rows = speaker
            .iter()
            .zip(&any)
            .map(|(&s, &a)| if s == usize::MAX { a } else { s });
        Self::new(surface, weights.gathered(rows))
    }

    /// The same surface in another pose or frame.
    pub fn fitted(&self, fit: &BodyFit) -> Result<Self, TransferError> {
        let surface = WeldedMesh {
            points: fit.moved(&self.points, &self.weights),
            faces: self.faces.clone(),
            diagonal: fit.scale * self.diagonal,
        };
        Self::new(surface, self.weights.clone())
    }

    /// The length of the diagonal of the box around it.
    pub fn diagonal(&self) -> f64 {
        self.diagonal
    }

    /// The weights at its points.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The point closest to a point; of equally close faces the first.
    pub fn closest(&self, to: DVec3) -> ClosestPoint {
        let on = |face: u32| closest_on_triangle(to, self.corners(face));
        let found = self.tree.closest(to, |face| on(face).point.distance(to));
        let (face, distance) = found.unwrap_or((0, f64::INFINITY));
        ClosestPoint {
            face,
            barycentric: on(face).barycentric,
            distance,
        }
    }

    fn corners(&self, face: u32) -> [DVec3; 3] {
        self.faces[face as usize].map(|p| self.points[p as usize])
    }

    /// Which way it looks there, between the corners.
    pub(super) fn look_at(&self, at: &ClosestPoint) -> Look {
        self.looks.between(self.faces[at.face as usize], at.barycentric)
    }

    /// Where the point goes in a pose, given `world_from_bind` of each joint: between its corners, each by its weights.
    pub fn posed_at(&self, at: &ClosestPoint, world_from_bind: &[DAffine3]) -> DVec3 {
        let posed = |p: u32| -> DVec3 {
            let row = self.weights.of_vertex(p as usize).iter();
            row.map(|i| {
                f64::from(i.weight) * world_from_bind[i.joint.at()].transform_point3(self.points[p as usize])
            })
            .sum()
        };
        let corners = self.faces[at.face as usize].iter();
        corners
            .zip(at.barycentric)
            .map(|(&p, fraction)| fraction * posed(p))
            .sum()
    }

    /// The weights there, between those of the corners, joints ascending.
    pub fn weights_at(&self, at: &ClosestPoint, row: &mut Vec<Influence>) {
        row.clear();
        for (&p, fraction) in self.faces[at.face as usize].iter().zip(at.barycentric) {
            if fraction <= 0.0 {
                continue;
            }
            for influence in self.weights.of_vertex(p as usize) {
                let weight = (fraction * f64::from(influence.weight)) as f32;
                match row.iter_mut().find(|i| i.joint == influence.joint) {
                    Some(known) => known.weight += weight,
                    None => row.push(Influence {
                        joint: influence.joint,
                        weight,
                    }),
                }
            }
        }
        row.sort_unstable_by_key(|i| i.joint);
    }
}
