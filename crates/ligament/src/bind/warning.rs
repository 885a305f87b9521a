//! What was guessed or repaired, as data.

use serde::Serialize;

use crate::character::{Bone, JointIndex, Skeleton};
use crate::skin::Skin;
use crate::solid::Solid;
use crate::solid::distance::SourceFit;

/// Something that was guessed, or that a user may want to know.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum BindWarning {
    /// None of the joints that take part may move this part.
    #[error("{part}: none of its skin's joints takes part; all {joints} of them were used instead")]
    NoDeformJointInPart {
        /// The part.
        part: String,
        /// How many joints its skin has.
        joints: usize,
    },
    /// Joints that were taken for controls, ends or roots that move no skin.
    #[error("left out {} joints that look like controls, ends or roots: {}; choose the joints yourself to keep them", joints.len(), some(joints))]
    JointsLeftOut {
        /// Their names.
        joints: Vec<String>,
    },
    /// Bones that lie wholly outside the mesh.
    #[error("the bones of {} joints lie outside the mesh and were taken to its nearest voxel: {}", joints.len(), some(joints))]
    BonesOutside {
        /// The joints that own them.
        joints: Vec<String>,
    },
    /// Shells wound inside out.
    #[error("{shells} shells are wound inside out; their winding was flipped to find the inside")]
    ShellsInsideOut {
        /// How many.
        shells: usize,
    },
    /// Faces wound against their neighbours.
    #[error("{faces} faces are wound against their neighbours; their winding was flipped to find the inside")]
    FacesFlipped {
        /// How many.
        faces: usize,
    },
    /// Pieces of the mesh whose solid holds no bone.
    #[error(
        "{pieces} pieces ({positions} positions) touch no bone's volume; {rigid} small ones follow what they hang on as one piece, the others place by place"
    )]
    FloatingPieces {
        /// How many pieces.
        pieces: usize,
        /// How many of them follow as one piece.
        rigid: usize,
        /// How many positions they have.
        positions: usize,
    },
    /// Bodies that are modelled two-sided.
    #[error(
        "{faces} faces are the second sides of bodies whose faces are all there twice, once in each winding; they were left out"
    )]
    TwoSided {
        /// How many faces.
        faces: usize,
    },
    /// Parts of the file that lie far from the skeleton: floors, forgotten triangles, vertices astray.
    #[error(
        "{shells} pieces and {points} points in all lie far from the skeleton; they were left out of the solid and follow what is nearest to them"
    )]
    Strays {
        /// How many pieces lie there as a whole.
        shells: usize,
        /// How many points.
        points: usize,
    },
    /// Islands of the skin from which the straight way to every near bone leaves the body.
    #[error(
        "{part}: {islands} islands ({positions} positions) see no bone; they follow what is nearest to them"
    )]
    IslandsSeeNoBone {
        /// The part that the islands begin in.
        part: String,
        /// How many islands.
        islands: usize,
        /// How many positions they have.
        positions: usize,
    },
    /// Every bone is hidden from all of the skin.
    #[error(
        "no bone is seen from anywhere on the skin, so faces in the way were ignored; is the skeleton inside the mesh?"
    )]
    NoBoneSeen,
    /// A field has cells for joints that this skeleton does not have.
    #[error("the field knows joints that this skeleton does not have, which take no part: {}", joints.join(", "))]
    FieldJointsMissing {
        /// Their names.
        joints: Vec<String>,
    },
    /// The joints are not where they were when the field was made.
    #[error(
        "joints are up to {percent}% of the character's size from where the field was made; is it in the same pose and scale?"
    )]
    FieldJointsMoved {
        /// How far, relative to the field's size.
        percent: f64,
    },
}

impl BindWarning {
    /// Tells of what lies far from the skeleton.
    pub(super) fn of_strays(skin: &Skin) -> Option<Self> {
        skin.strays().map(|strays| Self::Strays {
            shells: strays.shells,
            points: strays.points,
        })
    }

    /// Tells of faces and shells whose winding was flipped to find a solid.
    pub(super) fn of_flipped(solid: &Solid) -> impl Iterator<Item = Self> {
        let (faces, shells) = (solid.flipped_faces, solid.flipped_shells.len());
        let of_faces = (faces > 0).then_some(Self::FacesFlipped { faces });
        let of_shells = (shells > 0).then_some(Self::ShellsInsideOut { shells });
        of_faces.into_iter().chain(of_shells)
    }

    /// Tells of bones that lie wholly outside a solid; `fit` is how each lies in it.
    pub(super) fn of_bones_outside(skeleton: &Skeleton, bones: &[Bone], fit: &[SourceFit]) -> Option<Self> {
        let mut joints: Vec<JointIndex> = bones
            .iter()
            .zip(fit)
            .filter(|(_, fit)| matches!(fit, SourceFit::Snapped(_)))
            .map(|(bone, _)| bone.joint)
            .collect();
        joints.dedup();
        (!joints.is_empty()).then(|| Self::BonesOutside {
            joints: joints.iter().map(|&j| skeleton.joint(j).name.clone()).collect(),
        })
    }
}

/// The first few names.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}
