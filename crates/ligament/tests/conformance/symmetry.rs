//! Symmetric in, symmetric out.

use glam::{DVec3, Vec3};
use ligament::character::{Character, Influence, JointIndex};
use ligament::task::Task;

use crate::characters::made;
use crate::methods::{self, Request};
use crate::validator::{apart, check_alike};

/// A vertex and its image are found within this part of the diagonal.
const NEAR: f32 = 1e-4;
/// Weights that mirror each other differ by no more than rounding.
const WITHIN: f32 = 1e-6;

/// For each vertex the one at its image across x = 0, where there is one.
fn mirrored_vertices(character: &Character) -> Vec<Option<usize>> {
    let positions = &character.mesh.positions;
    let near = NEAR * character.mesh.diagonal();
    let image = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
    positions
        .iter()
        .map(|&p| positions.iter().position(|&q| q.distance(image(p)) < near))
        .collect()
}

/// For each joint the one at its image.
fn mirrored_joints(character: &Character) -> Vec<JointIndex> {
    let skeleton = &character.skeleton;
    let at = |j: JointIndex| skeleton.bind_position(j);
    let near = f64::from(NEAR * character.mesh.diagonal());
    let image = |p: DVec3| DVec3::new(-p.x, p.y, p.z);
    skeleton
        .indices()
        .map(|j| {
            let other = |&o: &JointIndex| at(o).distance(image(at(j))) < near;
            // A joint on the plane is its own, also where another one is at its position.
            let own = Some(j).filter(other);
            own.or_else(|| skeleton.indices().find(other)).unwrap()
        })
        .collect()
}

#[test]
fn symmetric_characters_get_symmetric_weights() {
    let character = made("apose@1000");
    let (vertices, joints) = (mirrored_vertices(&character), mirrored_joints(&character));
    let found = vertices.iter().flatten().count();
    assert!(found * 10 > vertices.len() * 9, "{found} of {}", vertices.len());
    for method in methods::all().iter().filter(|m| m.is_symmetric()) {
        let bound = method
            .bind(&character, &Request::everything(), &Task::unattended())
            .unwrap();
        let pairs = vertices.iter().enumerate();
        let differences = pairs.filter_map(|(vertex, image)| {
            let row = bound.weights.of_vertex(vertex).iter();
            let swapped: Vec<Influence> = row
                .map(|i| Influence {
                    joint: joints[i.joint.at()],
                    weight: i.weight,
                })
                .collect();
            Some(apart(&swapped, bound.weights.of_vertex((*image)?)))
        });
        check_alike(method, &character.name, differences, WITHIN);
    }
}
