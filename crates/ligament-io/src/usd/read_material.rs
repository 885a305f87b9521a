//! Materials: their colours, and the pictures that their textures name.

use std::collections::HashMap;

use glam::{DMat2, DVec2};
use ligament::character::{Alpha, Material, NormalMap, Texture, UvTransform, Wrap};

use super::layer::{Attribute, Prim, Value};
use super::stage::Stage;
use super::write_textures::STRENGTH;
use crate::laying::from_lower_edge;

/// No chain of connections that anyone made is longer.
const MOST_STEPS: usize = 16;

/// Loads pictures, each once.
pub(super) struct Pictures<'l> {
    load: &'l dyn Fn(&str) -> Option<Vec<u8>>,
    known: HashMap<String, Option<Texture>>,
    /// Bytes that may still be loaded.
    left: usize,
}

impl<'l> Pictures<'l> {
    /// At most so many bytes, all pictures together.
    pub fn new(load: &'l dyn Fn(&str) -> Option<Vec<u8>>, most: usize) -> Self {
        Self {
            load,
            known: HashMap::new(),
            left: most,
        }
    }

    fn get(&mut self, stage: &mut Stage<'_>, file: &str) -> Option<Texture> {
        let file = file.replace('\\', "/");
        let mut key = file.as_str();
        while let Some(rest) = key.strip_prefix("./") {
            key = rest;
        }
        if let Some(known) = self.known.get(key) {
            return known.clone();
        }
        let bytes = (self.load)(key).filter(|b| b.len() <= self.left);
        let texture = match bytes {
            Some(bytes) if picture_ending(&bytes).is_some() => {
                self.left -= bytes.len();
                let name = key.rsplit('/').next().unwrap_or(key);
                let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                Some(Texture::new(name, bytes))
            }
            found => {
                let problem = if found.is_some() {
                    "is neither PNG nor JPEG"
                } else {
                    "is not beside the file or in its package"
                };
                stage.warn(
                    "texture_left_out",
                    format!("the texture '{key}' {problem}; it is left out"),
                );
                None
            }
        };
        self.known.insert(key.to_owned(), texture.clone());
        texture
    }
}

/// What a picture's name should end in, by its first bytes; `None` for other kinds.
pub(super) fn picture_ending(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("png")
    } else if bytes.starts_with(b"\xFF\xD8\xFF") {
        Some("jpg")
    } else {
        None
    }
}

/// A material, and the name of the texture coordinates that its texture asks for.
pub(super) fn read_material(
    stage: &mut Stage<'_>,
    path: &str,
    pictures: &mut Pictures<'_>,
) -> (Material, Option<String>) {
    let mut material = Material::default();
    let Some(index) = stage.find(path) else {
        return (material, None);
    };
    let prim = stage.prims[index].prim;
    prim.display_name().clone_into(&mut material.name);
    let Some((shader, _)) = source(stage, prim, "outputs:surface") else {
        return (material, None);
    };
    let opacity = shader.attribute("inputs:opacity");
    let is_connected = opacity.is_some_and(|a| !a.connections.is_empty());
    let plain = opacity.filter(|a| a.connections.is_empty());
    if let Some(a) = plain.and_then(|a| a.still()?.number()) {
        material.base_color[3] = a as f32;
    }
    let threshold = shader.value("inputs:opacityThreshold").and_then(Value::number);
    material.alpha = match threshold {
        Some(t) if t > 0.0 => Alpha::Mask(t as f32),
        _ if is_connected || material.base_color[3] < 1.0 => Alpha::Blend,
        _ => Alpha::Opaque,
    };
    let mut coordinates = None;
    let bumps = source(stage, shader, "inputs:normal").filter(|(owner, _)| is_texture(owner));
    if let Some((owner, _)) = bumps
        && let Some((texture, name)) = read_texture(stage, owner, pictures)
    {
        let scale = owner.value("inputs:scale").and_then(Value::numbers);
        let by_scale = scale.and_then(|s| s.first()).map_or(1.0, |&x| 0.5 * x);
        let stated = owner.value(STRENGTH).and_then(Value::number);
        let strength = stated.unwrap_or(by_scale) as f32;
        coordinates = name;
        material.normal_map = Some(NormalMap {
            texture,
            strength: if strength.is_finite() { strength } else { 1.0 },
        });
    }
    let Some((owner, color)) = source(stage, shader, "inputs:diffuseColor") else {
        return (material, coordinates);
    };
    if !is_texture(owner) {
        // Other sources are not looked into; white stands for them.
        if let Some([r, g, b]) = color.and_then(|a| a.still()?.numbers()) {
            material.base_color[..3].copy_from_slice(&[*r as f32, *g as f32, *b as f32]);
        }
        return (material, coordinates);
    }
    if let Some([r, g, b, a]) = owner.value("inputs:scale").and_then(Value::numbers) {
        material.base_color[..3].copy_from_slice(&[*r as f32, *g as f32, *b as f32]);
        if is_connected {
            material.base_color[3] = *a as f32;
        }
    }
    if let Some((texture, name)) = read_texture(stage, owner, pictures) {
        if name != coordinates {
            // One set of coordinates is kept.
            material.normal_map = None;
        }
        coordinates = name;
        material.texture = Some(texture);
    }
    (material, coordinates)
}

fn is_texture(prim: &Prim) -> bool {
    prim.text("info:id") == Some("UsdUVTexture")
}

/// The picture that a shader reads, and the name of the coordinates that lay it on.
fn read_texture<'s>(
    stage: &mut Stage<'s>,
    owner: &'s Prim,
    pictures: &mut Pictures<'_>,
) -> Option<(Texture, Option<String>)> {
    let file = source(stage, owner, "inputs:file").and_then(|(_, a)| a?.still()?.text());
    let texture = pictures.get(stage, file.filter(|f| !f.is_empty())?)?;
    let wrap = |name: &str| match owner.value(name).and_then(Value::text) {
        Some("clamp" | "black") => Wrap::Clamp,
        Some("mirror") => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    let mut reader = source(stage, owner, "inputs:st");
    let mut transform = UvTransform::IDENTITY;
    if let Some((moved, _)) = reader
        && moved.text("info:id") == Some("UsdTransform2d")
    {
        transform = transform_2d(moved);
        reader = source(stage, moved, "inputs:in");
    }
    let name = reader.and_then(|(reader, _)| source(stage, reader, "inputs:varname")?.1?.still()?.text());
    let texture = Texture {
        wrap: [wrap("inputs:wrapS"), wrap("inputs:wrapT")],
        transform,
        ..texture
    };
    Some((texture, name.map(str::to_owned)))
}

/// What a `UsdTransform2d` does: coordinates are scaled, turned, then moved.
fn transform_2d(prim: &Prim) -> UvTransform {
    let two = |name: &str, default: f64| match prim.value(name).and_then(Value::numbers) {
        Some([x, y]) => DVec2::new(*x, *y),
        _ => DVec2::splat(default),
    };
    let rotation = prim
        .value("inputs:rotation")
        .and_then(Value::number)
        .unwrap_or(0.0);
    let linear = DMat2::from_angle(rotation.to_radians()) * DMat2::from_diagonal(two("inputs:scale", 1.0));
    from_lower_edge(linear, two("inputs:translation", 0.0))
}

/// Where an attribute's value comes from: the prim and the attribute at the end of its
/// connections.
fn source<'a>(stage: &Stage<'a>, prim: &'a Prim, name: &str) -> Option<(&'a Prim, Option<&'a Attribute>)> {
    let mut owner = prim;
    let mut attribute = prim.attribute(name)?;
    for _ in 0..MOST_STEPS {
        let Some(connection) = attribute.connections.first() else {
            return Some((owner, Some(attribute)));
        };
        let (path, property) = connection.split_once('.')?;
        owner = stage.prims[stage.find(path)?].prim;
        match owner.attribute(property) {
            Some(next) => attribute = next,
            None => return Some((owner, None)),
        }
    }
    None
}
