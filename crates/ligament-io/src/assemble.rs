//! The last step of most readers: loose pieces put together into a checked [`Imported`].

use glam::Vec3;
use ligament::Character;
use ligament::character::{Clip, JointIndex, LooseJoint, Mesh, Skeleton};

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

/// A skeleton from joints in a file's order, and for each of them its index in it.
pub(crate) fn skeleton_of(loose: Vec<LooseJoint>) -> Result<(Skeleton, Vec<JointIndex>), ImportError> {
    Skeleton::from_loose_joints(loose).map_err(|e| ImportError::malformed("the skeleton", e.to_string()))
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

    #[test]
    fn colours_become_linear() {
        assert_eq!(linear_from_srgb(0.0), 0.0);
        assert!((linear_from_srgb(1.0) - 1.0).abs() < 1e-6);
        assert!((linear_from_srgb(0.5) - 0.21404).abs() < 1e-4);
    }
}
