//! The textures of a mesh, decoded once for many drawings.

use std::sync::Arc;

use ligament::character::Texture;
use ligament::{Mesh, Part};
use rayon::prelude::*;

use crate::picture::{Holds, Picture};

/// The decoded textures of a mesh's parts, for [`Paint::Textured`](crate::Paint::Textured).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pictures {
    pub(crate) decoded: Vec<Picture>,
    /// For each part which of them colours it and which has its bumps.
    pub(crate) of_part: Vec<[Option<usize>; 2]>,
    /// Names of textures that could not be decoded, and why.
    pub left_out: Vec<(String, String)>,
}

impl Pictures {
    /// Whether no part shows any.
    pub fn is_empty(&self) -> bool {
        self.decoded.is_empty()
    }

    /// Decodes the textures of all parts, each once.
    pub fn of<'m>(mesh: &'m Mesh) -> Self {
        if mesh.corner_uvs.is_none() {
            return Self {
                of_part: vec![[None; 2]; mesh.parts.len()],
                ..Self::default()
            };
        }
        let mut distinct: Vec<(&Texture, Holds)> = Vec::new();
        let mut number = |texture: &'m Texture, holds: Holds| {
            let same = |(other, held): &(&Texture, Holds)| {
                *held == holds && (Arc::ptr_eq(&other.bytes, &texture.bytes) || other.bytes == texture.bytes)
            };
            distinct.iter().position(same).unwrap_or_else(|| {
                distinct.push((texture, holds));
                distinct.len() - 1
            })
        };
        let mut of_part: Vec<[Option<usize>; 2]> = Vec::new();
        for Part { material, .. } in &mesh.parts {
            let color = material.texture.as_ref();
            let bumps = material.normal_map.as_ref();
            of_part.push([
                color.map(|texture| number(texture, Holds::Colors)),
                bumps.map(|map| number(&map.texture, Holds::Directions)),
            ]);
        }
        let results: Vec<Result<Picture, String>> = distinct
            .par_iter()
            .map(|(texture, holds)| Picture::decode(&texture.bytes, *holds))
            .collect();
        let mut pictures = Self::default();
        let mut index: Vec<Option<usize>> = Vec::new();
        for (result, (texture, _)) in results.into_iter().zip(&distinct) {
            match result {
                Ok(picture) => {
                    index.push(Some(pictures.decoded.len()));
                    pictures.decoded.push(picture);
                }
                Err(problem) => {
                    index.push(None);
                    pictures.left_out.push((texture.name.clone(), problem));
                }
            }
        }
        pictures.of_part = of_part
            .into_iter()
            .map(|numbers| numbers.map(|p| p.and_then(|p| index[p])))
            .collect();
        pictures
    }
}
