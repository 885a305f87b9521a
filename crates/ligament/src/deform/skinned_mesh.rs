//! A mesh and its weights, packed for speed.

use glam::Vec3;
use rayon::prelude::*;

use super::{DeformError, Deformed};
use crate::character::{Influence, Mesh, Weights};

/// Vertices per parallel piece of work. Fixed, so that results do not depend on the
/// number of threads; at some 10 ns a vertex a piece outweighs rayon's bookkeeping.
pub(super) const CHUNK: usize = 2048;

/// Rest positions, normals and influences of a mesh in the form that deformers read:
/// influences in rows of four or eight where they fit. Prepared once, evaluated for any
/// number of poses.
#[derive(Debug, Clone)]
pub struct SkinnedMesh {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) influences: Influences,
    largest_joint: usize,
}

/// A row of `K` influences. What a vertex does not use repeats its first joint with
/// weight zero, so that a row never touches the matrix of a joint it does not name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<const K: usize> {
    joints: [u16; K],
    weights: [f32; K],
}

#[derive(Debug, Clone)]
pub(super) enum Influences {
    Four(Vec<Row<4>>),
    Eight(Vec<Row<8>>),
    Any(Lists),
}

/// Lists of any length, for weights that no row can hold.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    starts: Vec<u32>,
    influences: Vec<Influence>,
}

/// Influences of one vertex as joint and weight, the largest first.
pub(super) trait InfluenceTable: Sync {
    fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)>;
}

impl<const K: usize> InfluenceTable for Vec<Row<K>> {
    #[inline(always)]
    fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> {
        let row = &self[vertex];
        (0..K).map(move |i| (usize::from(row.joints[i]), row.weights[i]))
    }
}

impl InfluenceTable for Lists {
    #[inline(always)]
    fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> {
        self.influences[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
            .iter()
            .map(|i| (i.joint.at(), i.weight))
    }
}

/// Runs `$body` with `$table` bound to the concrete influence table, so that each width
/// gets its own compiled loop.
macro_rules! with_influences {
    ($influences:expr, $table:ident => $body:expr) => {
        match $influences {
            Influences::Four($table) => $body,
            Influences::Eight($table) => $body,
            Influences::Any($table) => $body,
        }
    };
}
pub(super) use with_influences;

fn rows<'a, const K: usize>(vertices: impl Iterator<Item = &'a [Influence]>) -> Vec<Row<K>> {
    vertices
        .map(|influences| {
            let mut row = Row {
                joints: [influences[0].joint.0; K],
                weights: [0.0; K],
            };
            for (i, influence) in influences.iter().enumerate() {
                row.joints[i] = influence.joint.0;
                row.weights[i] = influence.weight;
            }
            row
        })
        .collect()
}

fn lists<'a>(vertices: impl Iterator<Item = &'a [Influence]>) -> Lists {
    let mut lists = Lists {
        starts: vec![0],
        influences: Vec::new(),
    };
    for influences in vertices {
        lists.influences.extend_from_slice(influences);
        lists.starts.push(lists.influences.len() as u32);
    }
    lists
}

impl SkinnedMesh {
    /// Packs a mesh that has passed [`Mesh::check`] and its weights. Vertices of rigid
    /// parts get their joint alone. A mesh without normals gets those of its faces.
    pub fn new(mesh: &Mesh, weights: &Weights) -> Result<Self, DeformError> {
        let vertices = mesh.positions.len();
        if weights.vertex_count() != vertices {
            return Err(DeformError::WrongVertexCount {
                weights: weights.vertex_count(),
                vertices,
            });
        }
        let carried: Vec<Option<[Influence; 1]>> = mesh
            .rigid_joint_of_vertices()
            .into_iter()
            .map(|joint| joint.map(|joint| [Influence { joint, weight: 1.0 }]))
            .collect();
        let of_vertices = || {
            let skin = weights.iter().zip(&carried);
            skin.map(|(skin, carried)| carried.as_ref().map_or(skin, |c| &c[..]))
        };
        let influences = match of_vertices().map(<[Influence]>::len).max().unwrap_or(0) {
            0..=4 => Influences::Four(rows(of_vertices())),
            5..=8 => Influences::Eight(rows(of_vertices())),
            _ => Influences::Any(lists(of_vertices())),
        };
        let largest_joint = of_vertices().flatten().map(|i| i.joint.at()).max();
        Ok(Self {
            positions: mesh.positions.clone(),
            normals: mesh
                .normals
                .clone()
                .unwrap_or_else(|| mesh.face_normals_at_vertices()),
            influences,
            largest_joint: largest_joint.unwrap_or(0),
        })
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Checks that there is a matrix for every joint that the weights name.
    pub(super) fn check_joints(&self, joints: usize) -> Result<(), DeformError> {
        if !self.positions.is_empty() && joints <= self.largest_joint {
            return Err(DeformError::TooFewJoints {
                joint: self.largest_joint,
                joints,
            });
        }
        Ok(())
    }

    /// Computes positions chunk by chunk: `vertex(v)` gives the position of vertex `v`.
    pub(super) fn fill_positions(&self, out: &mut Vec<Vec3>, vertex: impl Fn(usize) -> Vec3 + Sync) {
        out.resize(self.vertex_count(), Vec3::ZERO);
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, to) in out.iter_mut().enumerate() {
                *to = vertex(chunk * CHUNK + i);
            }
        });
    }

    /// Computes positions and normals chunk by chunk.
    pub(super) fn fill(&self, out: &mut Deformed, vertex: impl Fn(usize) -> (Vec3, Vec3) + Sync) {
        out.positions.resize(self.vertex_count(), Vec3::ZERO);
        out.normals.resize(self.vertex_count(), Vec3::ZERO);
        out.positions
            .par_chunks_mut(CHUNK)
            .zip(out.normals.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, (positions, normals))| {
                for (i, (position, normal)) in positions.iter_mut().zip(normals).enumerate() {
                    (*position, *normal) = vertex(chunk * CHUNK + i);
                }
            });
    }
}
