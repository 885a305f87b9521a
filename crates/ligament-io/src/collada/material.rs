//! Materials: their colour and the picture that colours them.

use ligament::character::{Material, Texture};

use super::document::Document;
use super::xml::Element;

/// The material that a primitive's symbol stands for, by the bindings of the instance.
pub(super) fn bound(
    document: &Document<'_>,
    instance: &Element,
    symbol: Option<&str>,
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Material {
    let bindings = instance.below(&["bind_material", "technique_common"]);
    let target = bindings.and_then(|b| {
        let found = b
            .children("instance_material")
            .find(|m| m.attribute("symbol") == symbol);
        document.find(found?.attribute("target"))
    });
    // Without a binding the symbol may be the material itself.
    let Some(material) = target.or_else(|| document.find(symbol)) else {
        return Material::default();
    };
    let mut made = Material {
        name: material
            .attribute("name")
            .or(material.attribute("id"))
            .unwrap_or("")
            .to_owned(),
        ..Material::default()
    };
    let effect = material
        .child("instance_effect")
        .and_then(|e| document.find(e.attribute("url")));
    let Some(profile) = effect.and_then(|e| e.child("profile_COMMON")) else {
        return made;
    };
    made.double_sided = profile.find("double_sided").is_some_and(|d| d.text.trim() == "1");
    let Some(diffuse) = profile.find("technique").and_then(|t| t.find("diffuse")) else {
        return made;
    };
    if let Some(Ok(color)) = diffuse.child("color").map(Element::numbers)
        && color.len() >= 3
    {
        // The standard is silent on what colours mean; Blender and Maya write what they compute with, which is linear.
        let channel = |k: usize| (color[k] as f32).clamp(0.0, 1.0);
        made.base_color = [channel(0), channel(1), channel(2), 1.0];
    }
    made.texture = diffuse
        .child("texture")
        .and_then(|t| image(document, profile, t.attribute("texture")?))
        .and_then(|path| {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(&path).to_owned();
            Some(Texture::new(name, beside(&path)?))
        });
    made
}

/// The file behind a texture: through its sampler and surface, or the image itself.
fn image(document: &Document<'_>, profile: &Element, texture: &str) -> Option<String> {
    let param = |sid: &str| {
        profile
            .children("newparam")
            .find(|p| p.attribute("sid") == Some(sid))
    };
    let through = param(texture)
        .and_then(|sampler| sampler.find("source"))
        .and_then(|source| param(source.text.trim()))
        .and_then(|surface| surface.find("init_from"))
        .map(|from| from.text.trim());
    let image = document.find(Some(through.unwrap_or(texture)))?;
    let from = image.find("init_from")?;
    let path = from.child("ref").unwrap_or(from).text.trim();
    let path = path.strip_prefix("file://").unwrap_or(path);
    Some(
        percent_encoding::percent_decode_str(path)
            .decode_utf8_lossy()
            .into_owned(),
    )
}
