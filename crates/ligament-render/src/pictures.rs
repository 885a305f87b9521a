//! The textures of a mesh, decoded once for many drawings.

use std::sync::Arc;

use ligament::Mesh;
use rayon::prelude::*;

use crate::picture::Picture;

/// The decoded textures of a mesh's parts, for [`Paint::Textured`](crate::Paint::Textured).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pictures {
    pub(crate) decoded: Vec<Picture>,
    /// For each part which of them it shows.
    pub(crate) of_part: Vec<Option<usize>>,
    /// Names of textures that could not be decoded, and why.
    pub left_out: Vec<(String, String)>,
}

impl Pictures {
    /// Whether no part shows any.
    pub fn is_empty(&self) -> bool {
        self.decoded.is_empty()
    }

    /// Decodes the textures of all parts, each once.
    pub fn of(mesh: &Mesh) -> Self {
        if mesh.corner_uvs.is_none() {
            return Self {
                of_part: vec![None; mesh.parts.len()],
                ..Self::default()
            };
        }
        let mut distinct: Vec<(&str, &Arc<[u8]>)> = Vec::new();
        let mut of_part: Vec<Option<usize>> = Vec::new();
        for part in &mesh.parts {
            of_part.push(part.material.texture.as_ref().map(|texture| {
                let same = |(_, bytes): &(&str, &Arc<[u8]>)| {
                    Arc::ptr_eq(bytes, &texture.bytes) || **bytes == texture.bytes
                };
                distinct.iter().position(same).unwrap_or_else(|| {
                    distinct.push((&texture.name, &texture.bytes));
                    distinct.len() - 1
                })
            }));
        }
        let results: Vec<Result<Picture, String>> = distinct
            .par_iter()
            .map(|(_, bytes)| Picture::decode(bytes))
            .collect();
        let mut pictures = Self::default();
        let mut place: Vec<Option<usize>> = Vec::new();
        for (result, (name, _)) in results.into_iter().zip(&distinct) {
            match result {
                Ok(picture) => {
                    place.push(Some(pictures.decoded.len()));
                    pictures.decoded.push(picture);
                }
                Err(problem) => {
                    place.push(None);
                    pictures.left_out.push(((*name).to_owned(), problem));
                }
            }
        }
        pictures.of_part = of_part.into_iter().map(|p| p.and_then(|p| place[p])).collect();
        pictures
    }
}
