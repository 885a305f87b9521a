//! As much of a material as a picture needs.

use ligament::character::{Alpha, Material, NormalMap};
use ufbx::{MaterialMap, Node};

use super::texture::Pictures;
use crate::import::ImportWarning;

/// The material that a node shows for a part of its mesh.
pub(super) fn material(
    node: &Node,
    mesh: &ufbx::Mesh,
    slot: usize,
    pictures: &mut Pictures,
    warnings: &mut Vec<ImportWarning>,
) -> Material {
    let own = node.materials.get(slot).or_else(|| mesh.materials.get(slot));
    let Some(material) = own else {
        return Material::default();
    };
    let maps = [&material.pbr.base_color, &material.fbx.diffuse_color];
    let map = maps.into_iter().find_map(|map| map.texture.as_ref());
    let bumps = [&material.fbx.normal_map, &material.pbr.normal_map];
    let bumps = bumps.into_iter().find_map(|map| map.texture.as_ref());
    let base_color = base_color(material);
    let cut_out = [&material.pbr.opacity, &material.fbx.transparency_color];
    let see_through = base_color[3] < 1.0 || cut_out.iter().any(|map| map.texture.is_some());
    Material {
        name: material.element.name.to_string(),
        base_color,
        double_sided: material.features.double_sided.enabled,
        texture: map.and_then(|map| pictures.get(map, warnings)),
        alpha: if see_through { Alpha::Blend } else { Alpha::Opaque },
        normal_map: bumps
            .and_then(|map| pictures.get(map, warnings))
            .map(|texture| NormalMap {
                texture,
                strength: 1.0,
            }),
    }
}

/// The diffuse colour as the file has it, taken as linear; white under a texture, which
/// replaces it.
fn base_color(material: &ufbx::Material) -> [f32; 4] {
    let (pbr, fbx) = (&material.pbr, &material.fbx);
    let color = if material.features.pbr.enabled || pbr.base_color.has_value {
        &pbr.base_color
    } else {
        &fbx.diffuse_color
    };
    let textured = color.texture.is_some() || fbx.diffuse_color.texture.is_some();
    if textured || !color.has_value {
        return [1.0; 4];
    }
    let factor = |map: &MaterialMap| if map.has_value { map.value_vec4.x } else { 1.0 };
    let strength = factor(&pbr.base_factor);
    let rgb = [color.value_vec4.x, color.value_vec4.y, color.value_vec4.z];
    let [r, g, b] = rgb.map(|c| unit(c * strength));
    // Older materials state it by a property of their own, which the maps leave out.
    let stated = ufbx::find_prop(&material.element.props, "Opacity").map(|p| p.value_vec4.x);
    let opacity = match (pbr.opacity.has_value, stated) {
        (false, Some(stated)) => stated,
        _ => factor(&pbr.opacity),
    };
    [r, g, b, unit(opacity)]
}

fn unit(x: f64) -> f32 {
    if x.is_finite() {
        x.clamp(0.0, 1.0) as f32
    } else {
        1.0
    }
}
