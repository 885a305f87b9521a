//! The skin that is measured: the welded surface of the parts that are no carried pieces,
//! and which joint's neighbourhood each point of it belongs to.
//!
//! Every *position* counts once, however many vertices a file splits it into. A position's
//! **region** is the joint whose bone is nearest to it, seen from inside: with d the
//! distance to the bone and θ the angle between the outward normal and the way from the
//! bone to the skin, the joint of least d / (½(1 + cos θ) + 0.05). So a thigh beside a hand
//! belongs to the leg, although a finger's bone may be nearer. Regions do not depend on the
//! weights that are measured, only on which joints have any.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::character::{Bone, Character, JointIndex, LEAF_STUB, Mesh, Weights, bones_of};
use crate::geometry::{ShellSolid, Shells, WeldedMesh, edge_faults, shell_solids};
use crate::skin::SkinSurface;

/// Positions per parallel piece of work.
pub(super) const CHUNK: usize = 1024;

/// How much a bone that lies in front of the skin is held against it: at least twenty
/// times its distance.
const FACING_FLOOR: f64 = 0.05;

/// What every measure reads.
pub(super) struct MeasuredSkin {
    /// Mesh vertices that are skin, ascending.
    pub vertices: Vec<u32>,
    /// For each mesh vertex its position's number, or `u32::MAX` where it is no skin.
    pub point_of_vertex: Vec<u32>,
    /// For each position the first mesh vertex that has it.
    pub first_vertex: Vec<u32>,
    /// The welded faces of the skin; points are positions at bind time.
    pub welded: WeldedMesh,
    /// For each of those faces its number in the mesh.
    pub mesh_faces: Vec<u32>,
    /// The connected pieces.
    pub shells: Shells,
    /// What they enclose.
    pub solids: Vec<ShellSolid>,
    /// Distinct edges with two different ends, sorted.
    pub edges: Vec<[u32; 2]>,
    /// A third of the area around each position.
    pub areas: Vec<f64>,
}

impl MeasuredSkin {
    /// The skin of a mesh that has passed [`Mesh::check`]; empty where nothing bends.
    pub fn of(mesh: &Mesh) -> Self {
        let mut point_of_vertex = vec![u32::MAX; mesh.positions.len()];
        let (mut welded, mut mesh_faces) = (WeldedMesh::default(), Vec::new());
        if let Ok(skin) = SkinSurface::of(mesh) {
            for (position, point) in point_of_vertex.iter_mut().zip(skin.points_of_vertices(mesh)) {
                *position = point.map_or(u32::MAX, |p| p.0);
            }
            (welded, mesh_faces) = (Arc::unwrap_or_clone(skin.surface), skin.mesh_faces);
        }
        let vertices: Vec<u32> = (0..mesh.positions.len() as u32)
            .filter(|&v| point_of_vertex[v as usize] != u32::MAX)
            .collect();
        let mut first_vertex = vec![0; welded.points.len()];
        for &v in vertices.iter().rev() {
            first_vertex[point_of_vertex[v as usize] as usize] = v;
        }
        // Lengths are relative to what bends, not to a sword that is carried.
        let (low, high) = welded
            .points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), &p| {
                (l.min(p), h.max(p))
            });
        welded.diagonal = if low.x <= high.x { low.distance(high) } else { 0.0 };
        let shells = Shells::of(&welded);
        let solids = shell_solids(&welded, &shells, &edge_faults(&welded));
        let mut edges: Vec<[u32; 2]> = welded
            .faces
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .filter(|[a, b]| a != b)
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        edges.par_sort_unstable();
        edges.dedup();
        let mut areas = vec![0.0; welded.points.len()];
        for face in 0..welded.faces.len() {
            let third = welded.area_vector(face).length() / 3.0;
            for p in welded.faces[face] {
                areas[p as usize] += third;
            }
        }
        Self {
            first_vertex,
            vertices,
            point_of_vertex,
            welded,
            mesh_faces,
            shells,
            solids,
            edges,
            areas,
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.first_vertex.len()
    }

    /// Outward unit normals; zero where there is no area. Pieces whose volume says that
    /// they are inside out are turned.
    fn normals(&self) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; self.len()];
        for (face, corners) in self.welded.faces.iter().enumerate() {
            let inward = self.shells.of_face[face].is_some_and(|s| {
                let solid = &self.solids[s as usize];
                solid.is_judged() && solid.volume < 0.0
            });
            let area = self.welded.area_vector(face) * if inward { -1.0 } else { 1.0 };
            for &p in corners {
                normals[p as usize] += area;
            }
        }
        normals.iter().map(|n| n.normalize_or_zero()).collect()
    }

    /// A number per position spread to the mesh's vertices; zero where there is no skin.
    pub fn to_vertices(&self, of_position: &[f32]) -> Vec<f32> {
        self.point_of_vertex
            .iter()
            .map(|&p| of_position.get(p as usize).copied().unwrap_or(0.0))
            .collect()
    }
}

/// Which joint each position is near to.
pub(super) struct Regions {
    /// The bones of the joints that have weight somewhere.
    pub bones: Vec<Bone>,
    /// For each joint its bones in `bones`, as a range.
    pub bones_of_joint: Vec<std::ops::Range<usize>>,
    /// For each position the bone that it is nearest to, seen from inside.
    pub bone: Vec<u32>,
    /// For each position that bone's joint.
    pub joint: Vec<JointIndex>,
    /// For each position the straight distance to that bone.
    pub distance: Vec<f64>,
}

impl Regions {
    /// Finds the regions of all positions. `weights` only say which joints take part.
    pub fn of(character: &Character, weights: &Weights, skin: &MeasuredSkin) -> Self {
        let skeleton = &character.skeleton;
        let mut used = vec![false; skeleton.joints.len()];
        for &v in &skin.vertices {
            for influence in weights.of_vertex(v as usize) {
                used[influence.joint.at()] = true;
            }
        }
        let mut bones = bones_of(skeleton, &used, LEAF_STUB);
        // Weights may sit on a node that is no joint of a skin; it has a position, so a point.
        for joint in skeleton.indices().filter(|j| used[j.at()]) {
            if !skeleton.joint(joint).in_skin {
                let shape = crate::character::BoneShape::Point(skeleton.bind_position(joint));
                bones.push(Bone {
                    joint,
                    shape,
                    stub: true,
                });
            }
        }
        bones.sort_by_key(|b| b.joint);
        let bones_of_joint = skeleton
            .indices()
            .map(|j| bones.partition_point(|b| b.joint < j)..bones.partition_point(|b| b.joint <= j))
            .collect();
        let normals = skin.normals();
        let nearest: Vec<(u32, f64)> = (0..skin.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|p| {
                let at = skin.welded.points[p];
                let mut best = (0, 0.0, f64::INFINITY);
                for (index, bone) in bones.iter().enumerate() {
                    let offset = at - bone.shape.closest_point(at);
                    let distance = offset.length();
                    let facing = if distance > 0.0 {
                        normals[p].dot(offset) / distance
                    } else {
                        1.0
                    };
                    let cost = distance / (0.5 * (1.0 + facing) + FACING_FLOOR);
                    if cost < best.2 {
                        best = (index as u32, distance, cost);
                    }
                }
                (best.0, best.1)
            })
            .collect();
        Self {
            joint: nearest
                .iter()
                .map(|&(bone, _)| bones.get(bone as usize).map_or(JointIndex(0), |b| b.joint))
                .collect(),
            bone: nearest.iter().map(|n| n.0).collect(),
            distance: nearest.iter().map(|n| n.1).collect(),
            bones,
            bones_of_joint,
        }
    }

    /// The straight distance from a point to a joint's bones.
    pub fn straight(&self, joint: JointIndex, at: DVec3) -> f64 {
        self.bones[self.bones_of_joint[joint.at()].clone()]
            .iter()
            .map(|b| b.shape.distance(at))
            .fold(f64::INFINITY, f64::min)
    }
}
