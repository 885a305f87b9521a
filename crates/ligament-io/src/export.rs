//! What the writers of whole characters share: what they promise to refuse, and frames without scale.

use std::ops::Range;

use glam::DVec3;
use ligament::Character;
use ligament::character::{Mesh, MeshError, PartAttachment, TrackError};

/// Why a character cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The mesh breaks its promises.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A part, a weight or a parent names a joint that is not there.
    #[error("{what} names joint {joint}, but there are only {joints}")]
    NoSuchJoint {
        /// What names it.
        what: String,
        /// The joint's index.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// A joint's parent does not come before it, or its transforms are not finite.
    #[error("joint {joint} ('{name}') comes before its parent or has a transform that is not finite")]
    BadJoint {
        /// The joint's index.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// There are not as many weights as vertices.
    #[error("there are weights for {found} vertices, but {vertices} vertices")]
    WrongLength {
        /// Vertices with weights.
        found: usize,
        /// Vertices.
        vertices: usize,
    },
    /// A clip cannot be played.
    #[error("clip '{clip}', track {track}: {source}")]
    Track {
        /// The clip's name.
        clip: String,
        /// The track's index.
        track: usize,
        /// What is wrong with it.
        source: TrackError,
    },
}

/// Everything that a writer relies on.
pub(crate) fn check(character: &Character) -> Result<(), WriteError> {
    character.mesh.check()?;
    check_rig(character)
}

/// Everything but the mesh itself, which motion and skeletons do without.
pub(crate) fn check_rig(character: &Character) -> Result<(), WriteError> {
    let joints = character.skeleton.joints.len();
    for (i, joint) in character.skeleton.joints.iter().enumerate() {
        let in_order = joint.parent.is_none_or(|p| p.at() < i);
        if !in_order || !joint.rest.is_finite() || !joint.bind_from_joint.is_finite() {
            return Err(WriteError::BadJoint {
                joint: i,
                name: joint.name.clone(),
            });
        }
    }
    let known = |what: &dyn Fn() -> String, joint: usize| {
        if joint < joints {
            return Ok(());
        }
        Err(WriteError::NoSuchJoint {
            what: what(),
            joint,
            joints,
        })
    };
    for part in &character.mesh.parts {
        if let PartAttachment::Rigid(joint) = part.attachment {
            known(&|| format!("part '{}'", part.name), joint.at())?;
        }
    }
    if let Some(weights) = &character.weights {
        if weights.vertex_count() != character.mesh.positions.len() {
            return Err(WriteError::WrongLength {
                found: weights.vertex_count(),
                vertices: character.mesh.positions.len(),
            });
        }
        for influence in weights.influences() {
            known(&|| "a weight".to_owned(), influence.joint.at())?;
        }
    }
    for clip in &character.clips {
        for (track, t) in clip.tracks.iter().enumerate() {
            known(&|| format!("clip '{}'", clip.name), t.joint.at())?;
            t.check().map_err(|source| WriteError::Track {
                clip: clip.name.clone(),
                track,
                source,
            })?;
        }
    }
    Ok(())
}

/// The scale, where it is positive and the same along all axes up to rounding.
pub(crate) fn even_scale(scale: DVec3) -> Option<f64> {
    let even = scale.min_element() > 0.0 && scale.max_element() - scale.min_element() < 1e-5 * scale.x;
    // Rounding errors around one are no scale.
    let is_one = (scale - DVec3::ONE).abs().max_element() < 1e-6;
    (even && !is_one).then_some(scale.x)
}

/// Vertices that are written as one mesh, and the parts that share them, in order.
pub(crate) fn runs(mesh: &Mesh) -> Vec<(Range<usize>, Vec<usize>)> {
    let mut runs: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for (i, part) in mesh.parts.iter().enumerate() {
        match runs.iter_mut().find(|(range, _)| *range == part.vertices) {
            Some((_, parts)) => parts.push(i),
            None => runs.push((part.vertices.clone(), vec![i])),
        }
    }
    runs
}
