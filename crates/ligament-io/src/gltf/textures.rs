//! The picture behind a material, and the coordinates that lay it on faces.
//!
//! A document keeps its textures whatever is read here; they are read for what leaves it:
//! a posed mesh, another format. What cannot be read is left out in silence, because
//! nothing is lost by it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec2;
use ligament::character::{NormalMap, Texture, UvTransform, Wrap};

use super::container::{decode_data_uri, image_type};
use super::json::Node;
use super::reader::Reader;

/// A picture's name and its file's bytes.
type Picture = (String, Arc<[u8]>);

/// Reads each picture once.
pub(super) struct Textures<'a> {
    reader: &'a Reader<'a>,
    of_image: BTreeMap<usize, Option<Picture>>,
}

impl<'a> Textures<'a> {
    pub fn new(reader: &'a Reader<'a>) -> Self {
        Self {
            reader,
            of_image: BTreeMap::new(),
        }
    }

    /// The picture that colours a material.
    pub fn of_material(&mut self, material: &Node<'_>) -> Option<Texture> {
        self.referred(&material.get("pbrMetallicRoughness")?.get("baseColorTexture")?)
    }

    /// The bumps of a material, where they are laid on by the coordinates that are read.
    pub fn normal_map(&mut self, material: &Node<'_>) -> Option<NormalMap> {
        let reference = material.get("normalTexture")?;
        if set_of(&reference) != coordinate_set(material) {
            return None;
        }
        let strength = reference
            .get("scale")
            .and_then(|s| s.value.as_f64())
            .unwrap_or(1.0) as f32;
        Some(NormalMap {
            texture: self.referred(&reference)?,
            strength: if strength.is_finite() { strength } else { 1.0 },
        })
    }

    fn referred(&mut self, reference: &Node<'_>) -> Option<Texture> {
        let root = Node::root(self.reader.json());
        let texture = root
            .item("textures", reference.get("index")?.as_index().ok()?)
            .ok()?;
        let webp = || {
            let extension = texture.get("extensions")?.get("EXT_texture_webp")?;
            extension.get("source")
        };
        let image = texture.get("source").or_else(webp)?.as_index().ok()?;
        if !self.of_image.contains_key(&image) {
            let read = root.item("images", image).ok().and_then(|node| self.read(&node));
            self.of_image.insert(image, read);
        }
        let (name, bytes) = self.of_image.get(&image).cloned().flatten()?;
        let sampler = texture
            .get("sampler")
            .and_then(|s| root.item("samplers", s.as_index().ok()?).ok());
        let wrap = |key: &str| {
            let code = sampler.as_ref().and_then(|s| s.index_or(key, REPEAT).ok());
            match code {
                Some(CLAMP) => Wrap::Clamp,
                Some(MIRROR) => Wrap::Mirror,
                _ => Wrap::Repeat,
            }
        };
        Some(Texture {
            name,
            bytes,
            wrap: [wrap("wrapS"), wrap("wrapT")],
            transform: transform(reference),
        })
    }

    fn read(&self, image: &Node<'_>) -> Option<Picture> {
        let uri = image.str_or("uri", "");
        let bytes = if let Some(view) = image.get("bufferView") {
            self.reader.view(view.as_index().ok()?).ok()?
        } else if uri.starts_with("data:") {
            decode_data_uri(uri, &image.location).ok()?
        } else {
            std::fs::read(self.reader.document.resolve(uri, &image.location).ok()?).ok()?
        };
        image_type(&bytes)?;
        let name = match image.str_or("name", "") {
            "" if !uri.starts_with("data:") => uri.rsplit('/').next().unwrap_or("").to_owned(),
            name => name.to_owned(),
        };
        Some((name, Arc::from(bytes)))
    }
}

/// OpenGL's numbers for what is beside a picture.
pub(super) const REPEAT: usize = 10497;
pub(super) const CLAMP: usize = 33071;
pub(super) const MIRROR: usize = 33648;

/// How a picture is moved, turned and scaled on the surface.
fn transform(reference: &Node<'_>) -> UvTransform {
    let stated = || reference.get("extensions")?.get("KHR_texture_transform");
    let Some(stated) = stated() else {
        return UvTransform::IDENTITY;
    };
    let two = |key: &str, default: [f64; 2]| {
        let numbers = stated.numbers_or(key, default).unwrap_or(default);
        Vec2::from_array(numbers.map(|n| n as f32))
    };
    let transform = UvTransform {
        offset: two("offset", [0.0; 2]),
        rotation: stated
            .get("rotation")
            .and_then(|r| r.value.as_f64())
            .unwrap_or(0.0) as f32,
        scale: two("scale", [1.0; 2]),
    };
    let sound = transform.offset.is_finite() && transform.scale.is_finite() && transform.rotation.is_finite();
    if sound { transform } else { UvTransform::IDENTITY }
}

/// The set of coordinates that a material's pictures are laid on by: its colour's, or else its bumps'.
fn coordinate_set(material: &Node<'_>) -> usize {
    let color = || material.get("pbrMetallicRoughness")?.get("baseColorTexture");
    let reference = color().or_else(|| material.get("normalTexture"));
    reference.map_or(0, |r| set_of(&r))
}

/// The set of coordinates that a reference to a texture names.
fn set_of(reference: &Node<'_>) -> usize {
    let stated = || {
        let extension = reference.get("extensions")?.get("KHR_texture_transform")?;
        extension.get("texCoord")
    };
    let set = stated().or_else(|| reference.get("texCoord"));
    set.and_then(|s| s.as_index().ok()).unwrap_or(0)
}

/// The texture coordinates of a primitive's vertices, if it has any for its picture.
pub(super) fn read_uvs(reader: &Reader<'_>, primitive: &Node<'_>, vertices: usize) -> Option<Vec<Vec2>> {
    let root = Node::root(reader.json());
    let material = primitive
        .get("material")
        .and_then(|m| root.item("materials", m.as_index().ok()?).ok());
    let set = material.map_or(0, |m| coordinate_set(&m));
    let accessor = primitive
        .get("attributes")?
        .get(&format!("TEXCOORD_{set}"))?
        .as_index()
        .ok()?;
    let elements = reader.elements(accessor).ok()?;
    let usable = elements.width == 2 && elements.count() == vertices;
    let finite = |uv: [f32; 2]| {
        Some(Vec2::from_array(uv))
            .filter(|v| v.is_finite())
            .unwrap_or_default()
    };
    usable.then(|| {
        elements
            .to_f32()
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&uv| finite(uv))
            .collect()
    })
}
