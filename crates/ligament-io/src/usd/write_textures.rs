//! Materials with pictures, as the shaders that show them.

use std::collections::HashSet;
use std::sync::Arc;

use ligament::Character;
use ligament::character::{Alpha, Material, Wrap};

use super::layer::{Attribute, Prim, Value};
use super::names::Names;
use super::read_material::picture_ending;
use super::write::{attribute, displayed, text};

/// See [`super::textures`].
pub(super) fn textures(character: &Character) -> Vec<(String, Arc<[u8]>)> {
    let mut files: Vec<(String, Arc<[u8]>)> = Vec::new();
    if character.mesh.corner_uvs.is_none() {
        return files;
    }
    let mut names = Names::default();
    let mut taken = HashSet::new();
    for texture in character
        .mesh
        .parts
        .iter()
        .filter_map(|p| p.material.texture.as_ref())
    {
        let Some(ending) = picture_ending(&texture.bytes) else {
            continue;
        };
        if files.iter().any(|(_, bytes)| *bytes == texture.bytes) {
            continue;
        }
        // Some file systems take `A` and `a` for the same.
        let mut name = names.unique(&texture.name, "texture");
        while !taken.insert(name.to_ascii_lowercase()) {
            name = names.unique(&texture.name, "texture");
        }
        files.push((format!("textures/{name}.{ending}"), texture.bytes.clone()));
    }
    files
}

/// The file of a material's picture among those of [`textures`].
pub(super) fn file_of<'f>(material: &Material, files: &'f [(String, Arc<[u8]>)]) -> Option<&'f str> {
    let texture = material.texture.as_ref()?;
    let found = files.iter().find(|(_, bytes)| *bytes == texture.bytes)?;
    Some(&found.0)
}

/// The shaders that read a picture, below the material at `path`. The first gives colours
/// at `Texture.outputs:rgb`.
pub(super) fn texture_shaders(look: &Material, file: &str, path: &str) -> [Prim; 2] {
    let shader = |name: &str, id: &str, attributes: Vec<Attribute>| {
        let mut prim = displayed("Shader", name, name.to_owned());
        prim.attributes.push(Attribute {
            is_uniform: true,
            ..attribute("token", "info:id", text(id))
        });
        prim.attributes.extend(attributes);
        prim
    };
    let output = |type_name: &str, name: &str| Attribute {
        default: None,
        ..attribute(type_name, name, Value::Blocked)
    };
    let [r, g, b, alpha] = look.base_color.map(f64::from);
    let see_through = look.alpha != Alpha::Opaque;
    let wrap = |side: usize| {
        text(match look.texture.as_ref().map(|t| t.wrap[side]) {
            Some(Wrap::Clamp) => "clamp",
            Some(Wrap::Mirror) => "mirror",
            _ => "repeat",
        })
    };
    let texture = shader(
        "Texture",
        "UsdUVTexture",
        vec![
            attribute("asset", "inputs:file", text(file)),
            attribute(
                "float4",
                "inputs:scale",
                Value::Numbers(vec![r, g, b, if see_through { alpha } else { 1.0 }]),
            ),
            attribute("token", "inputs:sourceColorSpace", text("sRGB")),
            connected(
                "float2",
                "inputs:st",
                format!("{path}/Coordinates.outputs:result"),
            ),
            attribute("token", "inputs:wrapS", wrap(0)),
            attribute("token", "inputs:wrapT", wrap(1)),
            output("float3", "outputs:rgb"),
        ]
        .into_iter()
        .chain(see_through.then(|| output("float", "outputs:a")))
        .collect(),
    );
    let reader = shader(
        "Coordinates",
        "UsdPrimvarReader_float2",
        vec![
            attribute("string", "inputs:varname", text("st")),
            output("float2", "outputs:result"),
        ],
    );
    [texture, reader]
}

/// An attribute whose value comes from another.
pub(super) fn connected(type_name: &str, name: &str, from: String) -> Attribute {
    Attribute {
        default: None,
        connections: vec![from],
        ..attribute(type_name, name, Value::Blocked)
    }
}
