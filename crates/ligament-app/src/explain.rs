//! What decided the weights of a vertex.

use std::fmt;

use glam::{DVec3, Vec3};
use ligament::bind::voxel::{ExplainedBone, Explanation, VoxelBinding};
use ligament::character::Influence;
use ligament::{Character, Weights};
use serde::Serialize;

/// How many bones are told of.
const BONES: usize = 6;

/// A vertex, its weights and what they came from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// Its number in the source.
    pub vertex: u32,
    /// The part that it is in.
    pub part: Option<String>,
    /// Where it is in bind space.
    pub position: Vec3,
    /// Its weights.
    pub weights: Vec<JointWeight>,
    /// What they were before a prior corrected them; empty where none did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before_prior: Vec<JointWeight>,
    /// The joint that carries its part as one piece, so that no distance counted.
    pub carried_by: Option<String>,
    /// Distances to its nearest bones, and the paths that they came by.
    #[serde(flatten)]
    pub explanation: Explanation,
}

/// A joint and its weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointWeight {
    /// The joint's name.
    pub joint: String,
    /// Its weight.
    pub weight: f32,
}

/// Explains a vertex of the character that has some number in the source.
pub fn explained(
    number: u32,
    vertex: usize,
    character: &Character,
    binding: &VoxelBinding,
    weights: &Weights,
    before_prior: Option<&Weights>,
) -> Explained {
    let (mesh, skeleton) = (&character.mesh, &character.skeleton);
    let name = |joint| skeleton.joint(joint).name.clone();
    let listed = |weights: &Weights| {
        let of_joint = |i: &Influence| JointWeight {
            joint: name(i.joint),
            weight: i.weight,
        };
        weights.of_vertex(vertex).iter().map(of_joint).collect()
    };
    let part = mesh.parts.iter().find(|p| p.vertices.contains(&vertex));
    let carried = mesh.rigid_joint_of_vertices()[vertex];
    Explained {
        vertex: number,
        part: part.map(|p| p.name.clone()),
        position: mesh.positions[vertex],
        weights: listed(weights),
        before_prior: before_prior.map_or_else(Vec::new, listed),
        carried_by: carried.map(name),
        explanation: binding.explain(mesh.positions[vertex].as_dvec3(), skeleton, BONES),
    }
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vertex {}", self.vertex)?;
        if let Some(part) = &self.part {
            write!(f, " of {part}")?;
        }
        write!(f, " at {}", Coordinates(self.position.as_dvec3()))?;
        if let Some(joint) = &self.carried_by {
            writeln!(f, ": its part is carried by {joint} as one piece")?;
        } else if self.explanation.in_solid {
            writeln!(f, ", voxels of {:.4}", self.explanation.voxel)?;
        } else {
            writeln!(
                f,
                ", voxels of {:.4}: outside the solid, so its nearest voxel counts",
                self.explanation.voxel
            )?;
        }
        let names = self.weights.iter().chain(&self.before_prior).map(|w| &w.joint);
        let names = names.chain(self.explanation.bones.iter().map(|b| &b.joint));
        let width = names.map(|n| n.chars().count()).max().unwrap_or(0).max(14);
        writeln!(f, "  weights")?;
        for JointWeight { joint, weight } in &self.weights {
            writeln!(f, "    {joint:<width$} {weight:>8.4}")?;
        }
        if !self.before_prior.is_empty() {
            writeln!(f, "  before the prior")?;
            for JointWeight { joint, weight } in &self.before_prior {
                writeln!(f, "    {joint:<width$} {weight:>8.4}")?;
            }
        }
        writeln!(
            f,
            "  {:<width$} {:>8} {:>8} {:>8}  way",
            "nearest bones of",
            "straight",
            "solid",
            "counts",
            width = width + 2
        )?;
        for bone in &self.explanation.bones {
            writeln!(
                f,
                "    {:<width$} {:>8.4} {:>8.4} {:>8.4}  {}",
                bone.joint,
                bone.straight,
                bone.through_solid,
                bone.counts,
                Way(bone)
            )?;
        }
        Ok(())
    }
}

/// A point in short.
struct Coordinates(DVec3);

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.3}, {:.3}, {:.3})", self.0.x, self.0.y, self.0.z)
    }
}

/// The way to a bone in short.
struct Way<'a>(&'a ExplainedBone);

impl fmt::Display for Way<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.0.path;
        let (Some(first), Some(last)) = (path.first(), path.last()) else {
            return write!(f, "none");
        };
        let length: f64 = path.windows(2).map(|p| p[0].distance(p[1])).sum();
        write!(
            f,
            "{} voxels, {length:.4} long, {} to {}",
            path.len(),
            Coordinates(*first),
            Coordinates(*last)
        )
    }
}
