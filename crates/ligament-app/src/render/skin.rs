//! The skin of a character, ready to be posed many times.

use ligament::deform::{DeformMethod, Deformed, DeltaMush, DeltaMushOptions, SkinnedMesh};
use ligament::{Character, Pose};

use crate::AppError;
use crate::asset::Asset;
use crate::motion::Skinning;

pub enum Skin {
    /// No weights and no motion: as it is.
    Still,
    Plain(SkinnedMesh, DeformMethod),
    Mush(Box<DeltaMush>),
}

impl Skin {
    pub fn new(skinning: Skinning, asset: &Asset, moves: bool) -> Result<Self, AppError> {
        let character = asset.character();
        let Some(weights) = &character.weights else {
            if moves {
                asset.weights()?; // says that it must be bound first
            }
            return Ok(Self::Still);
        };
        let skin = SkinnedMesh::new(&character.mesh, weights)?;
        let method: DeformMethod = skinning.into();
        Ok(match method {
            DeformMethod::DeltaMush => Self::Mush(Box::new(DeltaMush::new(
                &character.mesh,
                skin,
                &DeltaMushOptions::default(),
            ))),
            _ => Self::Plain(skin, method),
        })
    }

    pub fn deform(&self, character: &Character, pose: &Pose) -> Result<Deformed, AppError> {
        let world_from_bind = pose.world_from_bind(&character.skeleton);
        Ok(match self {
            Self::Plain(skin, DeformMethod::DualQuaternion) => {
                skin.dual_quaternion(&character.skeleton, &world_from_bind)?
            }
            Self::Plain(skin, _) => skin.linear_blend(&world_from_bind)?,
            Self::Mush(mush) => mush.evaluate(&world_from_bind)?,
            Self::Still => Deformed {
                positions: character.mesh.positions.clone(),
                normals: character
                    .mesh
                    .normals
                    .clone()
                    .unwrap_or_else(|| character.mesh.face_normals_at_vertices()),
            },
        })
    }
}
