//! Small characters, and the same ones elsewhere and in other units.

use glam::{DVec3, Vec3};
use ligament::character::{Character, Joint, JointIndex, Mesh, Skeleton, Transform};
use ligament::sample;

/// A few hundred vertices each: one shell and two bones, a hand, a body of many parts.
pub fn small() -> Vec<Character> {
    ["tube@120", "hand@500", "knight@2000"].map(made).into()
}

pub fn made(spec: &str) -> Character {
    sample::make(spec).unwrap()
}

/// Joints at these positions, each the child of the one before.
pub fn chain(positions: &[[f64; 3]]) -> Skeleton {
    let joint = |(i, &at): (usize, &[f64; 3])| {
        let before = i
            .checked_sub(1)
            .map_or(DVec3::ZERO, |p| DVec3::from(positions[p]));
        Joint {
            name: format!("joint{i}"),
            parent: i.checked_sub(1).map(|p| JointIndex(p as u16)),
            rest: Transform::from_translation(DVec3::from(at) - before),
            bind_from_joint: glam::DAffine3::from_translation(at.into()),
            in_skin: true,
        }
    };
    Skeleton {
        joints: positions.iter().enumerate().map(joint).collect(),
    }
}

/// A character of one part.
pub fn of(name: &str, positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, skeleton: Skeleton) -> Character {
    Character {
        name: name.to_owned(),
        mesh: Mesh::single_part(name, positions, triangles),
        skeleton,
        ..Character::default()
    }
}

/// All lengths times a factor.
pub fn scaled(character: &Character, by: f64) -> Character {
    let mut other = character.clone();
    other.name = format!("{} × {by}", character.name);
    for p in &mut other.mesh.positions {
        *p = (p.as_dvec3() * by).as_vec3();
    }
    for joint in &mut other.skeleton.joints {
        joint.bind_from_joint.translation *= by;
        joint.rest.translation *= by;
    }
    other
}

/// Everything elsewhere.
pub fn moved(character: &Character, by: Vec3) -> Character {
    let mut other = character.clone();
    other.name = format!("{} moved by {by}", character.name);
    for p in &mut other.mesh.positions {
        *p += by;
    }
    for joint in &mut other.skeleton.joints {
        joint.bind_from_joint.translation += by.as_dvec3();
        if joint.parent.is_none() {
            joint.rest.translation += by.as_dvec3();
        }
    }
    other
}
