//! The last step of most readers: loose pieces put together into a checked [`Imported`].

use glam::{DAffine3, DVec3, Vec3};
use ligament::Character;
use ligament::character::{Clip, Joint, JointIndex, Mesh, Skeleton, Transform};

use crate::import::{ImportError, ImportWarning, Imported};

/// A mesh alone, if it keeps its promises.
pub(crate) fn mesh_alone(
    name: &str,
    mesh: Mesh,
    warnings: Vec<ImportWarning>,
) -> Result<Imported, ImportError> {
    mesh.check()
        .map_err(|e| ImportError::malformed("the mesh", e.to_string()))?;
    let character = Character {
        name: name.to_owned(),
        mesh,
        ..Character::default()
    };
    Ok(Imported { character, warnings })
}

/// A skeleton and its motions.
pub(crate) fn skeleton_alone(
    name: &str,
    skeleton: Skeleton,
    clips: Vec<Clip>,
    warnings: Vec<ImportWarning>,
) -> Imported {
    let character = Character {
        name: name.to_owned(),
        skeleton,
        clips,
        ..Character::default()
    };
    Imported { character, warnings }
}

/// A joint as a file lists it, in any order.
#[derive(Debug, Clone)]
pub(crate) struct LooseJoint {
    pub name: String,
    /// Its parent's place in the list.
    pub parent: Option<usize>,
    pub bind_from_joint: DAffine3,
    pub in_skin: bool,
}

impl LooseJoint {
    /// A joint that is not turned.
    pub fn at(name: String, parent: Option<usize>, position: DVec3) -> Self {
        Self {
            name,
            parent,
            bind_from_joint: DAffine3::from_translation(position),
            in_skin: true,
        }
    }
}

/// Brings joints in order, parents first (the list's own order where that is one), and
/// rests them in their bind pose. Also says where each joint of the list went.
pub(crate) fn skeleton_of(loose: Vec<LooseJoint>) -> Result<(Skeleton, Vec<JointIndex>), ImportError> {
    let count = loose.len();
    let place = "the skeleton";
    if count > usize::from(u16::MAX) {
        let problem = format!("it has {count} joints; at most {} are supported", u16::MAX);
        return Err(ImportError::malformed(place, problem));
    }
    let in_order = (0..count).all(|i| loose[i].parent.is_none_or(|p| p < i));
    let order: Vec<usize> = if in_order {
        (0..count).collect()
    } else {
        depth_first(&loose)
    };
    if let Some(lost) = (order.len() < count).then(|| first_missing(&order, count)) {
        let name = loose.get(lost).map_or("", |j| &j.name);
        let problem = format!("joint '{name}' is its own ancestor, or its parent is missing");
        return Err(ImportError::malformed(place, problem));
    }
    let mut new_of_old = vec![JointIndex(0); count];
    for (new, &old) in order.iter().enumerate() {
        new_of_old[old] = JointIndex(new as u16);
    }
    let joints = order
        .iter()
        .map(|&old| {
            let joint = &loose[old];
            let local = match joint.parent {
                Some(p) => loose[p].bind_from_joint.inverse() * joint.bind_from_joint,
                None => joint.bind_from_joint,
            };
            Joint {
                name: joint.name.clone(),
                parent: joint.parent.map(|p| new_of_old[p]),
                rest: Transform::from_affine(local),
                bind_from_joint: joint.bind_from_joint,
                in_skin: joint.in_skin,
            }
        })
        .collect();
    let skeleton = Skeleton { joints };
    skeleton
        .check()
        .map_err(|e| ImportError::malformed(place, e.to_string()))?;
    Ok((skeleton, new_of_old))
}

fn depth_first(loose: &[LooseJoint]) -> Vec<usize> {
    let mut children = vec![Vec::new(); loose.len()];
    let mut waiting = Vec::new();
    for (i, joint) in loose.iter().enumerate().rev() {
        match joint.parent {
            Some(p) if p < loose.len() => children[p].push(i),
            Some(_) => {}
            None => waiting.push(i),
        }
    }
    let mut order = Vec::with_capacity(loose.len());
    while let Some(joint) = waiting.pop() {
        order.push(joint);
        waiting.extend(&children[joint]); // last child first, so that the first is next
    }
    order
}

fn first_missing(order: &[usize], count: usize) -> usize {
    let mut seen = vec![false; count];
    for &i in order {
        seen[i] = true;
    }
    seen.iter().position(|&s| !s).unwrap_or(0)
}

/// A warning.
pub(crate) fn warning(code: &'static str, message: impl Into<String>) -> ImportWarning {
    ImportWarning {
        code,
        message: message.into(),
    }
}

/// From the way screens and most files mean colours to the linear one.
pub(crate) fn linear_from_srgb(c: f32) -> f32 {
    let c = c.clamp(0.0, 1.0);
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

/// Unit normals, or none when one of them has no direction.
pub(crate) fn unit_normals(normals: Vec<Vec3>) -> Option<Vec<Vec3>> {
    normals.into_iter().map(Vec3::try_normalize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loose(name: &str, parent: Option<usize>, x: f64) -> LooseJoint {
        LooseJoint::at(name.to_owned(), parent, DVec3::X * x)
    }

    #[test]
    fn children_before_parents_are_brought_in_order() {
        let (skeleton, new_of_old) = skeleton_of(vec![
            loose("tip", Some(1), 3.0),
            loose("mid", Some(2), 2.0),
            loose("root", None, 0.5),
            loose("other", Some(2), 9.0),
        ])
        .unwrap();
        let names: Vec<&str> = skeleton.joints.iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["root", "mid", "tip", "other"]);
        assert_eq!(new_of_old, [2, 1, 0, 3].map(JointIndex));
        assert_eq!(skeleton.joints[2].rest.translation, DVec3::X);
    }

    #[test]
    fn circles_are_refused() {
        let circle = vec![
            loose("root", None, 0.0),
            loose("a", Some(2), 0.0),
            loose("b", Some(1), 0.0),
        ];
        let message = skeleton_of(circle).unwrap_err().to_string();
        assert!(message.contains("'a'"), "{message}");
        assert!(skeleton_of(Vec::new()).is_err());
    }

    #[test]
    fn colours_become_linear() {
        assert_eq!(linear_from_srgb(0.0), 0.0);
        assert!((linear_from_srgb(1.0) - 1.0).abs() < 1e-6);
        assert!((linear_from_srgb(0.5) - 0.21404).abs() < 1e-4);
    }
}
