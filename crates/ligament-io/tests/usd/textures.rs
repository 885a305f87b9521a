//! Texture coordinates and pictures, written and read.

use std::path::Path;
use std::sync::Arc;

use glam::Vec2;
use ligament::Character;
use ligament::character::{Material, Texture};
use ligament_io::usd;

use crate::common::bound;

/// The smallest PNG: one white pixel.
pub const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0x0, 0x0, 0x0, 0xd, 0x49, 0x48, 0x44, 0x52, 0x0, 0x0, 0x0,
    0x1, 0x0, 0x0, 0x0, 0x1, 0x8, 0x0, 0x0, 0x0, 0x0, 0x3a, 0x7e, 0x9b, 0x55, 0x0, 0x0, 0x0, 0xa, 0x49, 0x44,
    0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xf, 0x0, 0x1, 0x1, 0x1, 0x0, 0x1c, 0xb0, 0x8c, 0x99, 0x0, 0x0, 0x0,
    0x0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// A sample with a picture on its first part and coordinates that differ at every corner.
pub fn textured() -> Character {
    let mut character = bound(ligament::sample::names()[0].name);
    let mesh = &mut character.mesh;
    let uv = |i: usize| Vec2::new((i % 97) as f32 / 64.0, (i % 89) as f32 / 128.0 - 0.25);
    let corners = |t: usize| [uv(3 * t), uv(3 * t + 1), uv(3 * t + 2)];
    mesh.corner_uvs = Some((0..mesh.triangles.len()).map(corners).collect());
    mesh.parts[0].material = Material {
        name: "cloth".to_owned(),
        base_color: [0.5, 0.25, 1.0, 0.75],
        texture: Some(Texture {
            name: "cloth".to_owned(),
            bytes: Arc::from(PNG),
        }),
        ..mesh.parts[0].material.clone()
    };
    character
}

pub fn save_textures(character: &Character, folder: &Path) {
    for (name, bytes) in usd::textures(character) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

#[test]
fn textures_come_back_from_both_forms() {
    let character = textured();
    let folder = tempfile::tempdir().unwrap();
    save_textures(&character, folder.path());
    assert!(folder.path().join("textures/cloth.png").is_file());
    let usda = folder.path().join("a.usda");
    let usdc = folder.path().join("b.usdc");
    std::fs::write(&usda, usd::write(&character).unwrap()).unwrap();
    std::fs::write(&usdc, usd::write_binary(&character).unwrap()).unwrap();
    for path in [&usda, &usdc] {
        let imported = usd::read(path).unwrap();
        assert_eq!(imported.warnings, []);
        let again = &imported.character.mesh;
        assert_eq!(again.check(), Ok(()));
        assert_eq!(again.corner_uvs, character.mesh.corner_uvs);
        assert_eq!(again.triangles, character.mesh.triangles);
        assert_eq!(again.parts[0].material, character.mesh.parts[0].material);
    }
    let alone = usd::read_bytes(&std::fs::read(&usdc).unwrap(), "b").unwrap();
    assert_eq!(alone.character.mesh.parts[0].material.texture, None);
    assert_eq!(alone.warnings[0].code, "texture_left_out");
}

#[test]
fn names_of_textures_are_unique_and_stay_in_their_folder() {
    let mut character = textured();
    let picture = |name: &str, last: u8| Texture {
        name: name.to_owned(),
        bytes: [PNG, &[last]].concat().into(),
    };
    let first = character.mesh.parts[0].clone();
    let end = character.mesh.triangles.len();
    for (name, last) in [("../Cloth", 1), ("Cloth", 2), ("", 3), ("other", 3)] {
        let mut part = first.clone();
        part.triangles = end..end;
        part.material.texture = Some(picture(name, last));
        character.mesh.parts.push(part);
    }
    let names: Vec<String> = usd::textures(&character).into_iter().map(|(n, _)| n).collect();
    assert_eq!(
        names,
        [
            "textures/cloth.png",
            "textures/___Cloth.png",
            "textures/Cloth_2.png",
            "textures/texture.png"
        ]
    );
}
