//! Delta mush (Mancewicz, Derksen, Rijpkema, Wilson 2014, "Delta Mush: Smoothing
//! Deformations While Preserving Detail").
//!
//! Prepare: smooth the rest mesh; at every vertex store the delta from smoothed to
//! original, expressed in a tangent frame of the smoothed surface. Evaluate: linear blend,
//! the same smoothing, then add the deltas in the frames of the smoothed, deformed surface.
//!
//! The surface is welded by [`Weld`], so split vertices stay together. Frames are made
//! of the area-weighted normal and a tangent that is a fixed combination of the edges at
//! the vertex, so they turn with the surface; where a frame does not exist (no area around
//! the vertex) the delta turns with the blended joint matrix. Normals turn with the
//! frames. Parts carried rigidly by a joint are left as linear blend puts them.
//!
//! Exact for rigid motion of the whole up to rounding. Smoothing is counted in steps along
//! edges, so a finer mesh needs more iterations for the same effect.

use glam::{DAffine3, Mat3A, Vec3, Vec3A};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::linear_blend::{blend, palette};
use super::skinned_mesh::{CHUNK, InfluenceTable, Influences, SkinnedMesh, with_influences};
use super::{DeformError, Deformed};
use crate::character::{Mesh, PartAttachment};
use crate::geometry::Weld;
use crate::geometry::{Rings, Smoothing, rings_of_edges, rings_of_faces};

/// What delta mush computes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeltaMushOptions {
    /// Smoothing steps, 0 or more. More steps even out larger creases, take longer, and
    /// round off the sharpest bends. 0 is linear blend.
    pub iterations: u32,
    /// How far a vertex moves to the mean of its neighbours in a step, in `0.0..=1.0`.
    /// Above about 0.6 smoothing may start to oscillate on regular grids.
    pub step: f32,
    /// How neighbours count.
    pub smoothing: Smoothing,
}

impl Default for DeltaMushOptions {
    fn default() -> Self {
        Self {
            iterations: 10,
            step: 0.5,
            smoothing: Smoothing::Uniform,
        }
    }
}

/// A mesh prepared for delta mush.
#[derive(Debug, Clone)]
pub struct DeltaMush {
    skin: SkinnedMesh,
    /// For each vertex its welded position, or `u32::MAX` where a joint carries it.
    point_of_vertex: Vec<u32>,
    first_vertex: Vec<u32>,
    /// Neighbours along edges, with their shares in the mean (sum 1 unless empty) and in
    /// the tangent.
    edges: Rings,
    mean_shares: Vec<f32>,
    tangent_shares: Vec<f32>,
    /// For each position, the two other corners of each face around it.
    faces: Rings,
    /// Rest delta per position: in its frame, or in bind space where `framed` is false.
    deltas: Vec<Vec3A>,
    framed: Vec<bool>,
    /// Rest normal per vertex, in the frame of its position or in bind space.
    normals: Vec<Vec3A>,
    iterations: u32,
    step: f32,
}

const CARRIED: u32 = u32::MAX;

impl DeltaMush {
    /// Smooths the rest mesh and stores what that takes away. `skin` must have been made
    /// from the same mesh.
    pub fn new(mesh: &Mesh, skin: SkinnedMesh, options: &DeltaMushOptions) -> Self {
        let weld = Weld::of(mesh);
        let mut point_of_vertex = weld.point_of_vertex;
        for (position, joint) in point_of_vertex.iter_mut().zip(mesh.rigid_joint_of_vertices()) {
            if joint.is_some() {
                *position = CARRIED;
            }
        }
        // The first vertex that is skin speaks for a position; one that has none is idle.
        let mut first_vertex = weld.first_vertex;
        let mut spoken_for = vec![false; first_vertex.len()];
        for (vertex, &position) in point_of_vertex.iter().enumerate() {
            if position != CARRIED && !spoken_for[position as usize] {
                spoken_for[position as usize] = true;
                first_vertex[position as usize] = vertex as u32;
            }
        }
        let rest: Vec<Vec3A> = first_vertex
            .iter()
            .map(|&v| mesh.positions[v as usize].into())
            .collect();
        let triangles: Vec<[u32; 3]> = mesh
            .parts
            .iter()
            .filter(|part| part.attachment == PartAttachment::Skin)
            .flat_map(|part| &mesh.triangles[part.triangles.clone()])
            .map(|t| t.map(|v| point_of_vertex[v as usize]))
            .filter(|&[a, b, c]| a != b && b != c && c != a && ![a, b, c].contains(&CARRIED))
            .collect();
        let faces = rings_of_faces(&triangles, rest.len());
        let (edges, mean_shares) = rings_of_edges(&faces, &rest, options.smoothing);
        let tangent_shares = vec![0.0; mean_shares.len()];
        let mut mush = Self {
            skin,
            point_of_vertex,
            first_vertex,
            edges,
            mean_shares,
            tangent_shares,
            faces,
            deltas: Vec::new(),
            framed: vec![true; rest.len()],
            normals: Vec::new(),
            iterations: options.iterations,
            step: options.step,
        };
        let smooth = mush.smoothed(rest.clone());
        mush.choose_tangents(&smooth);
        let frames: Vec<Option<Mat3A>> = (0..rest.len()).map(|p| mush.frame(&smooth, p)).collect();
        mush.framed = frames.iter().map(Option::is_some).collect();
        mush.deltas = (0..rest.len())
            .map(|p| frames[p].unwrap_or_default().transpose() * (rest[p] - smooth[p]))
            .collect();
        mush.normals = mush
            .point_of_vertex
            .iter()
            .zip(&mush.skin.normals)
            .map(|(&p, &n)| {
                let frame = if p == CARRIED { None } else { frames[p as usize] };
                frame.unwrap_or_default().transpose() * Vec3A::from(n)
            })
            .collect();
        mush
    }

    /// The skin moved by one `world_from_bind` matrix per joint.
    pub fn evaluate(&self, world_from_bind: &[DAffine3]) -> Result<Deformed, DeformError> {
        let mut out = Deformed::default();
        self.evaluate_into(world_from_bind, &mut out)?;
        Ok(out)
    }

    /// The same into buffers that are used again from pose to pose.
    pub fn evaluate_into(&self, world_from_bind: &[DAffine3], out: &mut Deformed) -> Result<(), DeformError> {
        self.skin.linear_blend_into(world_from_bind, out)?;
        let smooth = self.smoothed(
            self.first_vertex
                .iter()
                .map(|&v| out.positions[v as usize].into())
                .collect(),
        );
        let palette = palette(world_from_bind);
        let mut frames = vec![Mat3A::IDENTITY; smooth.len()];
        frames.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, frame) in out.iter_mut().enumerate() {
                let p = chunk * CHUNK + i;
                let found = if self.framed[p] {
                    self.frame(&smooth, p)
                } else {
                    None
                };
                *frame = found.unwrap_or_else(|| {
                    let vertex = self.first_vertex[p] as usize;
                    let [x, y, z, _] = with_influences!(&self.skin.influences, table =>
                        blend(&palette, table.of_vertex(vertex)));
                    Mat3A::from_cols(x, y, z)
                });
            }
        });
        out.positions
            .par_chunks_mut(CHUNK)
            .zip(out.normals.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, (positions, normals))| {
                for (i, (position, normal)) in positions.iter_mut().zip(normals).enumerate() {
                    let vertex = chunk * CHUNK + i;
                    let p = self.point_of_vertex[vertex];
                    if p == CARRIED {
                        continue;
                    }
                    let frame = &frames[p as usize];
                    *position = (smooth[p as usize] + *frame * self.deltas[p as usize]).into();
                    let rotated = Vec3::from(*frame * self.normals[vertex]);
                    *normal = rotated.try_normalize().unwrap_or(*normal);
                }
            });
        Ok(())
    }

    fn smoothed(&self, mut points: Vec<Vec3A>) -> Vec<Vec3A> {
        let mut next = points.clone();
        for _ in 0..self.iterations {
            next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
                for (i, to) in out.iter_mut().enumerate() {
                    let p = chunk * CHUNK + i;
                    let range = self.edges.range(p);
                    let here = points[p];
                    if range.is_empty() {
                        *to = here;
                        continue;
                    }
                    let mut mean = Vec3A::ZERO;
                    for (&n, &fraction) in self.edges.neighbours[range.clone()]
                        .iter()
                        .zip(&self.mean_shares[range])
                    {
                        mean += points[n as usize] * fraction;
                    }
                    *to = here + (mean - here) * self.step;
                }
            });
            std::mem::swap(&mut points, &mut next);
        }
        points
    }

    /// Fixes which combination of edges is the tangent: each edge by how far it reaches
    /// along some direction in the rest surface.
    fn choose_tangents(&mut self, smooth: &[Vec3A]) {
        for p in 0..smooth.len() {
            let Some(normal) = self.normal(smooth, p) else {
                continue;
            };
            let tangent = normal.any_orthonormal_vector();
            for e in self.edges.range(p) {
                let edge = smooth[self.edges.neighbours[e] as usize] - smooth[p];
                let length_squared = edge.length_squared();
                if length_squared > 0.0 {
                    self.tangent_shares[e] = edge.dot(tangent) / length_squared;
                }
            }
        }
    }

    fn normal(&self, points: &[Vec3A], p: usize) -> Option<Vec3A> {
        let here = points[p];
        let corners = &self.faces.neighbours[self.faces.range(p)];
        let mut normal = Vec3A::ZERO;
        for pair in corners.chunks_exact(2) {
            normal += (points[pair[0] as usize] - here).cross(points[pair[1] as usize] - here);
        }
        normal.try_normalize()
    }

    /// Tangent, bitangent and normal as columns.
    fn frame(&self, points: &[Vec3A], p: usize) -> Option<Mat3A> {
        let normal = self.normal(points, p)?;
        let here = points[p];
        let range = self.edges.range(p);
        let mut tangent = Vec3A::ZERO;
        for (&n, &fraction) in self.edges.neighbours[range.clone()]
            .iter()
            .zip(&self.tangent_shares[range])
        {
            tangent += (points[n as usize] - here) * fraction;
        }
        let tangent = tangent.reject_from_normalized(normal).try_normalize()?;
        Some(Mat3A::from_cols(tangent, normal.cross(tangent), normal))
    }
}
