//! Materials with pictures, as the shaders that show them.

use std::collections::HashSet;
use std::sync::Arc;

use ligament::Character;
use ligament::character::{Alpha, Material, NormalMap, Texture, Wrap};

use super::layer::{Attribute, Prim, Value};
use super::names::Names;
use super::read_material::picture_ending;
use super::write::{attribute, displayed, text};

/// Our own word for how strong bumps are, which USD has none for.
pub(super) const STRENGTH: &str = "ligament:strength";

/// See [`super::textures`].
pub(super) fn textures(character: &Character) -> Vec<(String, Arc<[u8]>)> {
    let mut files: Vec<(String, Arc<[u8]>)> = Vec::new();
    if character.mesh.corner_uvs.is_none() {
        return files;
    }
    let mut names = Names::default();
    let mut taken = HashSet::new();
    for texture in character.mesh.parts.iter().flat_map(|p| {
        let bumps = p.material.normal_map_laid_alike().map(|map| &map.texture);
        p.material.texture.as_ref().into_iter().chain(bumps)
    }) {
        let Some(ending) = picture_ending(&texture.bytes) else {
            continue;
        };
        if files.iter().any(|(_, bytes)| *bytes == texture.bytes) {
            continue;
        }
        // Some file systems take `A` and `a` for the same.
        let stem = without_ending(&texture.name);
        let mut name = names.unique(stem, "texture");
        while !taken.insert(name.to_ascii_lowercase()) {
            name = names.unique(stem, "texture");
        }
        files.push((format!("textures/{name}.{ending}"), texture.bytes.clone()));
    }
    files
}

/// A picture's name without what its file's name ends in, which comes after it again.
fn without_ending(name: &str) -> &str {
    let is_picture =
        |ending: &str| ["png", "jpg", "jpeg", "webp"].contains(&ending.to_ascii_lowercase().as_str());
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_picture(ending) => stem,
        _ => name,
    }
}

/// The file of a picture among those of [`textures`].
pub(super) fn file_of<'f>(texture: &Texture, files: &'f [(String, Arc<[u8]>)]) -> Option<&'f str> {
    let found = files.iter().find(|(_, bytes)| *bytes == texture.bytes)?;
    Some(&found.0)
}

/// The pictures that a material shows.
pub(super) struct Shown<'a> {
    /// The file that colours it.
    pub color: Option<&'a str>,
    /// Its bumps and their file.
    pub bumps: Option<(&'a NormalMap, &'a str)>,
}

impl<'a> Shown<'a> {
    pub fn of(look: &'a Material, files: &'a [(String, Arc<[u8]>)]) -> Self {
        let color = look.texture.as_ref().and_then(|t| file_of(t, files));
        let bumps = look.normal_map_laid_alike();
        Self {
            color,
            bumps: bumps.and_then(|map| Some((map, file_of(&map.texture, files)?))),
        }
    }

    /// The shaders that read them, below the material at `path`: colours come from
    /// `Texture.outputs:rgb`, directions from `Normals.outputs:rgb`.
    pub fn shaders(&self, look: &Material, path: &str) -> Vec<Prim> {
        let mut shaders = Vec::new();
        if let (Some(file), Some(texture)) = (self.color, &look.texture) {
            shaders.push(color_shader(look, texture, file, path));
        }
        shaders.extend(self.bumps.map(|(map, file)| normal_shader(map, file, path)));
        if !shaders.is_empty() {
            shaders.push(coordinates());
        }
        shaders
    }
}

fn shader(name: &str, id: &str, attributes: Vec<Attribute>) -> Prim {
    let mut prim = displayed("Shader", name, name.to_owned());
    prim.attributes.push(Attribute {
        is_uniform: true,
        ..attribute("token", "info:id", text(id))
    });
    prim.attributes.extend(attributes);
    prim
}

fn output(type_name: &str, name: &str) -> Attribute {
    Attribute {
        default: None,
        ..attribute(type_name, name, Value::Blocked)
    }
}

/// What every shader of a picture says.
fn laid_on(texture: &Texture, file: &str, path: &str) -> Vec<Attribute> {
    let wrap = |side: usize| {
        text(match texture.wrap[side] {
            Wrap::Clamp => "clamp",
            Wrap::Mirror => "mirror",
            Wrap::Repeat => "repeat",
        })
    };
    vec![
        attribute("asset", "inputs:file", text(file)),
        connected(
            "float2",
            "inputs:st",
            format!("{path}/Coordinates.outputs:result"),
        ),
        attribute("token", "inputs:wrapS", wrap(0)),
        attribute("token", "inputs:wrapT", wrap(1)),
        output("float3", "outputs:rgb"),
    ]
}

fn color_shader(look: &Material, texture: &Texture, file: &str, path: &str) -> Prim {
    let [r, g, b, alpha] = look.base_color.map(f64::from);
    let see_through = look.alpha != Alpha::Opaque;
    let mut attributes = laid_on(texture, file, path);
    attributes.push(attribute(
        "float4",
        "inputs:scale",
        Value::Numbers(vec![r, g, b, if see_through { alpha } else { 1.0 }]),
    ));
    attributes.push(attribute("token", "inputs:sourceColorSpace", text("sRGB")));
    attributes.extend(see_through.then(|| output("float", "outputs:a")));
    shader("Texture", "UsdUVTexture", attributes)
}

/// Directions from numbers between 0 and 1. USD wants these scales and no others, so what is stronger or weaker says
/// so beside them.
fn normal_shader(map: &NormalMap, file: &str, path: &str) -> Prim {
    let mut attributes = laid_on(&map.texture, file, path);
    attributes.extend([
        attribute("float4", "inputs:scale", Value::Numbers(vec![2.0, 2.0, 2.0, 1.0])),
        attribute(
            "float4",
            "inputs:bias",
            Value::Numbers(vec![-1.0, -1.0, -1.0, 0.0]),
        ),
        attribute("token", "inputs:sourceColorSpace", text("raw")),
    ]);
    if map.strength != 1.0 {
        attributes.push(Attribute {
            is_custom: true,
            ..attribute("float", STRENGTH, Value::Numbers(vec![f64::from(map.strength)]))
        });
    }
    shader("Normals", "UsdUVTexture", attributes)
}

fn coordinates() -> Prim {
    shader(
        "Coordinates",
        "UsdPrimvarReader_float2",
        vec![
            attribute("string", "inputs:varname", text("st")),
            output("float2", "outputs:result"),
        ],
    )
}

/// An attribute whose value comes from another.
pub(super) fn connected(type_name: &str, name: &str, from: String) -> Attribute {
    Attribute {
        default: None,
        connections: vec![from],
        ..attribute(type_name, name, Value::Blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_of_pictures_are_no_part_of_their_names() {
        for (name, stem) in [
            ("skin.png", "skin"),
            ("skin.v2.JPG", "skin.v2"),
            ("skin.v2", "skin.v2"),
            (".png", ".png"),
            ("skin", "skin"),
        ] {
            assert_eq!(without_ending(name), stem);
        }
    }
}
