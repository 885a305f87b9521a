//! Materials with the pictures that colour them, inside the file.

use std::sync::Arc;

use glam::DVec3;
use ligament::Character;
use ligament::character::{Alpha, Material, Texture, Wrap};

use super::node::Node;
use super::scene::{Scene, choice, double, object, properties, property, vector, with_class};

/// Writes each different material once; returns the material of each part.
pub(super) fn write_materials(scene: &mut Scene, character: &Character) -> Vec<i64> {
    let mut pictures = Pictures {
        files: crate::usd::textures(character),
        known: Vec::new(),
    };
    let mut known: Vec<(&Material, i64)> = Vec::new();
    let mut of_part = Vec::new();
    for part in &character.mesh.parts {
        let look = &part.material;
        let found = known.iter().find(|(m, _)| *m == look).map(|(_, id)| *id);
        let id = found.unwrap_or_else(|| {
            let id = scene.id();
            scene.objects.push(material(id, look));
            known.push((look, id));
            if let Some(texture) = look.texture.as_ref().and_then(|t| pictures.write(scene, t)) {
                scene.drive(texture, id, "DiffuseColor");
                if look.alpha != Alpha::Opaque {
                    scene.drive(texture, id, "TransparentColor");
                }
            }
            let bumps = look.normal_map_laid_alike();
            if let Some(texture) = bumps.and_then(|map| pictures.write(scene, &map.texture)) {
                scene.drive(texture, id, "NormalMap");
            }
            id
        });
        of_part.push(id);
    }
    of_part
}

/// Pictures that were written, each once for each way to wrap it.
struct Pictures {
    files: Vec<(String, Arc<[u8]>)>,
    known: Vec<((usize, [Wrap; 2]), i64)>,
}

impl Pictures {
    /// The number of a texture, written if it was not yet; none for a picture of another kind than FBX has.
    fn write(&mut self, scene: &mut Scene, texture: &Texture) -> Option<i64> {
        let file = self.files.iter().position(|(_, bytes)| *bytes == texture.bytes)?;
        let key = (file, texture.wrap);
        if let Some((_, id)) = self.known.iter().find(|(k, _)| *k == key) {
            return Some(*id);
        }
        let (path, bytes) = &self.files[file];
        let id = write_texture(scene, path.trim_start_matches("textures/"), bytes, texture.wrap);
        self.known.push((key, id));
        Some(id)
    }
}

fn material(id: i64, look: &Material) -> Node {
    let [r, g, b, alpha] = look.base_color.map(f64::from);
    let name = if look.name.is_empty() {
        "material"
    } else {
        &look.name
    };
    let all = [
        vector("DiffuseColor", "Color", "A", DVec3::new(r, g, b)),
        property("DiffuseFactor", "Number", "", "A").with(1.0),
        // Programs differ in which of these they believe: all say the same.
        vector("TransparentColor", "Color", "A", DVec3::ONE),
        property("TransparencyFactor", "Number", "", "A").with(1.0 - alpha),
        double("Opacity", alpha),
        vector("SpecularColor", "Color", "A", DVec3::splat(0.2)),
        property("SpecularFactor", "Number", "", "A").with(0.1),
        property("ShininessExponent", "Number", "", "A").with(10.0),
    ];
    object("Material", id, name, "")
        .child(Node::of("Version", 102))
        .child(Node::of("ShadingModel", "phong"))
        .child(Node::of("MultiLayer", 0))
        .child(properties(all))
}

/// A picture that is kept in the file itself.
fn write_texture(scene: &mut Scene, file: &str, bytes: &Arc<[u8]>, wrap: [Wrap; 2]) -> i64 {
    let [u, v] = wrap.map(|w| i32::from(w == Wrap::Clamp));
    let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let (texture, video) = (scene.id(), scene.id());
    let record = object("Texture", texture, name, "")
        .child(Node::of("Type", "TextureVideoClip"))
        .child(Node::of("Version", 202))
        .child(Node::of("TextureName", with_class(name, "Texture")))
        .child(Node::of("Media", with_class(name, "Video")))
        .child(Node::of("FileName", file))
        .child(Node::of("RelativeFilename", file))
        .child(properties([
            property("UVSet", "KString", "", "").with("UVMap"),
            property("UseMaterial", "bool", "", "").with(1),
            choice("WrapModeU", u),
            choice("WrapModeV", v),
        ]))
        .child(Node::of("ModelUVTranslation", 0.0).with(0.0))
        .child(Node::of("ModelUVScaling", 1.0).with(1.0))
        .child(Node::of("Texture_Alpha_Source", "None"))
        .child(Node::of("Cropping", 0).with(0).with(0).with(0));
    scene.objects.push(record);
    let record = object("Video", video, name, "Clip")
        .child(Node::of("Type", "Clip"))
        .child(properties(
            [property("Path", "KString", "XRefUrl", "").with(file)],
        ))
        .child(Node::of("UseMipMap", 0))
        .child(Node::of("Filename", file))
        .child(Node::of("RelativeFilename", file))
        .child(Node::of("Content", bytes.clone()));
    scene.objects.push(record);
    scene.connect(video, texture);
    texture
}
