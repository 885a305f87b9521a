//! What weights are like.

use serde::Serialize;

use super::InspectOptions;
use crate::character::{Mesh, Skeleton, Weights};
use crate::geometry::Weld;
use crate::weights::weight_distance;

/// Counts over the vertices of skin. Parts that a joint carries rigidly are left out, and
/// so are vertices in no part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeightFacts {
    /// Vertices of skin; all shares and means are over these.
    pub vertices: usize,
    /// The most influences that a vertex has.
    pub max_influences: usize,
    /// The mean number of influences.
    pub mean_influences: f64,
    /// The fraction of vertices that follow one joint alone.
    pub rigid_share: f64,
    /// How many joints hold a weight somewhere.
    pub used_joints: usize,
    /// Joints of the skin that hold no weight anywhere.
    pub unused_joints: Vec<String>,
    /// Vertices whose weights are not those of the first vertex at their position: there
    /// the skin tears.
    pub torn_vertices: usize,
    /// Weights too small to matter.
    pub tiny_weights: usize,
}

/// For each vertex whether it is skin: in a part, and not in one that is carried rigidly.
fn skin_vertices(mesh: &Mesh) -> Vec<bool> {
    let mut skin = vec![false; mesh.positions.len()];
    for part in &mesh.parts {
        skin[part.vertices.clone()].fill(true);
    }
    for (is_skin, rigid) in skin.iter_mut().zip(mesh.rigid_joint_of_vertices()) {
        *is_skin &= rigid.is_none();
    }
    skin
}

/// The vertices of skin whose weights are further than `tolerance` (by
/// [`weight_distance`]) from those of the first vertex of skin at their position,
/// ascending. There must be one entry of weights for each vertex.
pub fn torn_vertices(mesh: &Mesh, weld: &Weld, weights: &Weights, tolerance: f64) -> Vec<u32> {
    let skin = skin_vertices(mesh);
    let mut first: Vec<Option<usize>> = vec![None; weld.point_count()];
    (0..mesh.positions.len())
        .filter(|&v| {
            let position = weld.point_of_vertex[v] as usize;
            skin[v] && {
                let first = *first[position].get_or_insert(v);
                weight_distance(weights.of_vertex(first), weights.of_vertex(v)) > tolerance
            }
        })
        .map(|v| v as u32)
        .collect()
}

/// Everything about weights. There must be one entry for each vertex, and all joints must
/// be in the skeleton.
pub fn weight_facts(
    mesh: &Mesh,
    weld: &Weld,
    skeleton: &Skeleton,
    weights: &Weights,
    options: &InspectOptions,
) -> WeightFacts {
    let skin = skin_vertices(mesh);
    let (mut vertices, mut influences, mut rigid, mut most, mut tiny) = (0, 0, 0, 0, 0);
    let mut used = vec![false; skeleton.joints.len()];
    for (vertex, _) in weights.iter().zip(&skin).filter(|&(_, &skin)| skin) {
        vertices += 1;
        influences += vertex.len();
        most = most.max(vertex.len());
        rigid += usize::from(vertex.len() == 1);
        for i in vertex {
            used[i.joint.at()] = true;
            tiny += usize::from(i.weight < options.tiny_weight);
        }
    }
    let fraction = |count: usize| count as f64 / vertices.max(1) as f64;
    let unused = skeleton
        .joints
        .iter()
        .zip(&used)
        .filter(|&(joint, &used)| joint.in_skin && !used);
    WeightFacts {
        vertices,
        max_influences: most,
        mean_influences: fraction(influences),
        rigid_share: fraction(rigid),
        used_joints: used.iter().filter(|&&u| u).count(),
        unused_joints: unused.map(|(joint, _)| joint.name.clone()).collect(),
        torn_vertices: torn_vertices(mesh, weld, weights, options.torn_weights).len(),
        tiny_weights: tiny,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Influence, Joint, JointIndex, PartAttachment, Transform};
    use glam::{DAffine3, Vec3};

    fn inf(joint: u16, weight: f32) -> Influence {
        Influence {
            joint: JointIndex(joint),
            weight,
        }
    }

    #[test]
    fn the_distance_of_weights() {
        let d = |a: &[Influence], b: &[Influence]| weight_distance(a, b);
        assert_eq!(d(&[inf(0, 1.0)], &[inf(0, 1.0)]), 0.0);
        assert_eq!(d(&[inf(0, 1.0)], &[inf(1, 1.0)]), 1.0);
        assert_eq!(d(&[inf(0, 0.75), inf(1, 0.25)], &[inf(0, 0.5), inf(2, 0.5)]), 0.5);
    }

    #[test]
    fn counts_leave_rigid_parts_out() {
        // Two triangles of skin that share an edge once welded, and a rigid one on top.
        let quad = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::ONE, Vec3::Y];
        let mut positions = quad.to_vec();
        positions.extend([Vec3::ZERO, Vec3::X, Vec3::Z]);
        let mut mesh = Mesh::single_part("skin", positions, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        let mut hat = mesh.parts[0].clone();
        (hat.vertices, hat.triangles) = (6..9, 2..3);
        hat.attachment = PartAttachment::Rigid(JointIndex(3));
        (mesh.parts[0].vertices, mesh.parts[0].triangles) = (0..6, 0..2);
        mesh.parts.push(hat);

        let joint = |name: &str, in_skin| Joint {
            name: name.to_owned(),
            parent: None,
            rest: Transform::IDENTITY,
            bind_from_joint: DAffine3::IDENTITY,
            in_skin,
        };
        let skeleton = Skeleton {
            joints: vec![
                joint("a", true),
                joint("b", true),
                joint("idle", true),
                joint("node", false),
            ],
        };
        let both: &[Influence] = &[inf(0, 0.75), inf(1, 0.25)];
        let almost: &[Influence] = &[inf(0, 0.7505), inf(1, 0.2495)];
        let tiny: &[Influence] = &[inf(0, 0.995), inf(1, 0.005)];
        let one: &[Influence] = &[inf(0, 1.0)];
        let weights = Weights::new([one, both, both, almost, tiny, one, one, one, one]).unwrap();
        let facts = weight_facts(
            &mesh,
            &Weld::of(&mesh),
            &skeleton,
            &weights,
            &InspectOptions::default(),
        );
        assert_eq!(facts.vertices, 6);
        assert_eq!(facts.max_influences, 2);
        assert!((facts.mean_influences - 10.0 / 6.0).abs() < 1e-12);
        assert!((facts.rigid_share - 2.0 / 6.0).abs() < 1e-12);
        assert_eq!(facts.used_joints, 2);
        assert_eq!(facts.unused_joints, ["idle"]);
        assert_eq!(facts.torn_vertices, 1, "vertex 5 differs from 2, 3 hardly from 1");
        assert_eq!(facts.tiny_weights, 1);
    }
}
