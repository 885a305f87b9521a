//! What a mesh is like, as a whole and part by part.

use serde::Serialize;

use super::{InspectOptions, degenerate_faces, duplicate_faces};
use crate::character::{JointIndex, Mesh, PartAttachment, Skeleton};
use crate::geometry::{
    MirrorFacts, Shells, Weld, WeldedMesh, edge_faults, inside_out_shells, mirror_symmetry,
    self_intersecting_faces, shell_solids,
};
use crate::task::{Cancelled, Task};

/// Counts and faults of a whole mesh. Everything but `vertices` is about the welded mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshFacts {
    /// Vertices as the source has them.
    pub vertices: usize,
    /// Distinct positions.
    pub positions: usize,
    /// Faces.
    pub triangles: usize,
    /// Parts.
    pub parts: usize,
    /// Connected pieces; see [`Shells`].
    pub shells: usize,
    /// The low corner of the bounding box.
    pub low: [f32; 3],
    /// The high corner of the bounding box.
    pub high: [f32; 3],
    /// The length of the bounding box's diagonal.
    pub diagonal: f32,
    /// Edges of one face; see [`crate::geometry::EdgeFaults::open`].
    pub open_edges: usize,
    /// Edges of more than two faces; see [`crate::geometry::EdgeFaults::non_manifold`].
    pub non_manifold_edges: usize,
    /// Edges whose two faces are wound differently; see
    /// [`crate::geometry::EdgeFaults::inconsistent`].
    pub inconsistent_edges: usize,
    /// Faces without area; see [`degenerate_faces`].
    pub degenerate_faces: usize,
    /// Extra copies of faces; see [`duplicate_faces`].
    pub duplicate_faces: usize,
    /// Faces that intersect another; see [`self_intersecting_faces`].
    pub self_intersecting_faces: usize,
    /// Shells wound inside out; see [`inside_out_shells`].
    pub inside_out_shells: Vec<ShellFacts>,
    /// How alike left and right are.
    pub mirror: MirrorFacts,
}

/// Which shell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShellFacts {
    /// Its number in [`Shells`].
    pub shell: u32,
    /// The name of the part that its first face belongs to.
    pub part: String,
    /// How many faces it has.
    pub faces: usize,
}

/// Counts of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartFacts {
    /// What the source calls it.
    pub name: String,
    /// What the source calls its material; empty when it has no name.
    pub material: String,
    /// Vertices in its range; parts may share one.
    pub vertices: usize,
    /// Faces.
    pub triangles: usize,
    /// Shells that it has faces of; a shell may reach over several parts.
    pub shells: usize,
    /// The joint that carries it as one piece; `None` where it is skin.
    pub carried_by: Option<String>,
}

/// A mesh that has been looked at, with what other measures need.
#[derive(Debug, Clone)]
pub struct InspectedMesh {
    /// What was found.
    pub facts: MeshFacts,
    /// The mesh welded.
    pub welded: WeldedMesh,
    /// Its shells.
    pub shells: Shells,
    /// The shells that are inside out.
    pub inside_out: Vec<u32>,
}

/// Everything about a mesh that has passed [`Mesh::check`].
pub fn mesh_facts(
    mesh: &Mesh,
    weld: &Weld,
    options: &InspectOptions,
    task: &Task,
) -> Result<InspectedMesh, Cancelled> {
    const STAGE: &str = "counting edges and shells";
    task.step(STAGE, 0.0)?;
    let welded = WeldedMesh::by(mesh, weld);
    let edges = edge_faults(&welded);
    task.step(STAGE, 0.5)?;
    let shells = Shells::of(&welded);
    let solids = shell_solids(&welded, &shells, &edges);
    let inside_out = inside_out_shells(&welded, &shells, &solids, task)?;
    let intersecting = self_intersecting_faces(&welded, task)?;
    let (low, high) = mesh.bounds();
    let facts = MeshFacts {
        vertices: mesh.positions.len(),
        positions: welded.points.len(),
        triangles: mesh.triangles.len(),
        parts: mesh.parts.len(),
        shells: shells.count(),
        low: low.to_array(),
        high: high.to_array(),
        diagonal: mesh.diagonal(),
        open_edges: edges.open.len(),
        non_manifold_edges: edges.non_manifold.len(),
        inconsistent_edges: edges.inconsistent.len(),
        degenerate_faces: degenerate_faces(&welded).len(),
        duplicate_faces: duplicate_faces(&welded).len(),
        self_intersecting_faces: intersecting.len(),
        inside_out_shells: inside_out
            .iter()
            .map(|&shell| {
                let faces = &shells.faces[shell as usize];
                let first = faces[0] as usize;
                let part = mesh.parts.iter().find(|p| p.triangles.contains(&first));
                ShellFacts {
                    shell,
                    part: part.map_or(String::new(), |p| p.name.clone()),
                    faces: faces.len(),
                }
            })
            .collect(),
        mirror: mirror_symmetry(&welded, options.mirror_tolerance),
    };
    Ok(InspectedMesh {
        facts,
        welded,
        shells,
        inside_out,
    })
}

/// Counts of every part, in order.
pub fn part_facts(mesh: &Mesh, skeleton: &Skeleton, shells: &Shells) -> Vec<PartFacts> {
    let facts = |part: &crate::Part| {
        let mut met: Vec<u32> = shells.of_face[part.triangles.clone()]
            .iter()
            .flatten()
            .copied()
            .collect();
        met.sort_unstable();
        met.dedup();
        PartFacts {
            name: part.name.clone(),
            material: part.material.name.clone(),
            vertices: part.vertices.len(),
            triangles: part.triangles.len(),
            shells: met.len(),
            carried_by: match part.attachment {
                PartAttachment::Skin => None,
                PartAttachment::Rigid(joint) => carrier_name(skeleton, joint),
            },
        }
    };
    mesh.parts.iter().map(facts).collect()
}

/// The joint that carries a rigid part, as a person would name it: the nearest joint of a
/// skin, else the node itself.
fn carrier_name(skeleton: &Skeleton, joint: JointIndex) -> Option<String> {
    let node = skeleton.joints.get(joint.at())?;
    let carrier = if node.in_skin {
        None
    } else {
        skeleton.skin_parent(joint)
    };
    Some(carrier.map_or(node, |j| skeleton.joint(j)).name.clone())
}
