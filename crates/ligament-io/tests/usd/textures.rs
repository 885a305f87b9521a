//! Texture coordinates and pictures, written and read.

use std::path::Path;

use glam::Vec2;
use ligament::Character;
use ligament::character::{Alpha, Material, Texture, UvTransform, Wrap};
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
        texture: Some(Texture::new("cloth", PNG)),
        alpha: Alpha::Blend,
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
    let picture = |name: &str, last: u8| Texture::new(name, [PNG, &[last]].concat());
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

#[test]
fn how_a_picture_is_laid_on_is_kept() {
    let mut character = textured();
    let material = &mut character.mesh.parts[0].material;
    material.alpha = Alpha::Mask(0.25);
    let texture = material.texture.as_mut().unwrap();
    texture.wrap = [Wrap::Clamp, Wrap::Mirror];
    texture.transform = UvTransform {
        offset: Vec2::new(0.25, -0.5),
        rotation: 0.5,
        scale: Vec2::new(2.0, 0.5),
    };
    let transform = texture.transform;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.usdc");
    usd::save(&character, &path).unwrap();
    let read = usd::read(&path).unwrap().character.mesh;
    let material = &read.parts[0].material;
    assert_eq!(material.alpha, Alpha::Mask(0.25));
    assert_eq!(material.base_color, [0.5, 0.25, 1.0, 0.75]);
    assert_eq!(
        material.texture.as_ref().unwrap().wrap,
        [Wrap::Clamp, Wrap::Mirror]
    );
    // The move is in the coordinates.
    assert_eq!(
        material.texture.as_ref().unwrap().transform,
        UvTransform::IDENTITY
    );
    let uvs = |mesh: &ligament::Mesh| mesh.corner_uvs.clone().unwrap();
    let first = character.mesh.parts[0].triangles.clone();
    let pairs = uvs(&character.mesh).into_iter().zip(uvs(&read));
    for (t, (before, after)) in pairs.enumerate() {
        for (b, a) in before.iter().zip(after) {
            let wanted = if first.contains(&t) {
                transform.apply(*b)
            } else {
                *b
            };
            assert!(a.distance(wanted) < 1e-5, "{a} {wanted}");
        }
    }
}

#[test]
fn a_transform_of_another_program_is_read() {
    let character = textured();
    let text = usd::write(&character).unwrap();
    let connection = "Coordinates.outputs:result>";
    let at = text.find(connection).unwrap();
    let start = text[..at].rfind('<').unwrap() + 1;
    let material = text[start..at].trim_end_matches('/').to_owned();
    let mover = format!(
        "def Shader \"Mover\"\n{{\nuniform token info:id = \"UsdTransform2d\"\nfloat2 inputs:in.connect = <{material}/Coordinates.outputs:result>\nfloat inputs:rotation = 90\nfloat2 inputs:scale = (2, 3)\nfloat2 inputs:translation = (0.25, 0.5)\nfloat2 outputs:result\n}}\n"
    );
    let text = text.replacen(connection, "Mover.outputs:result>", 1);
    let shader = text.find("def Shader \"Coordinates\"").unwrap();
    let text = format!("{}{mover}{}", &text[..shader], &text[shader..]);
    let folder = tempfile::tempdir().unwrap();
    save_textures(&character, folder.path());
    let path = folder.path().join("moved.usda");
    std::fs::write(&path, text).unwrap();
    let read = usd::read(&path).unwrap();
    assert_eq!(read.warnings, []);
    let texture = read.character.mesh.parts[0].material.texture.clone().unwrap();
    // USD: (s, t) becomes (0.25 - 3 t, 0.5 + 2 s), counted from the lower edge.
    let (s, t) = (0.125, 0.75);
    let found = texture.transform.apply(Vec2::new(s, 1.0 - t));
    assert!(
        found.distance(Vec2::new(0.25 - 3.0 * t, 1.0 - (0.5 + 2.0 * s))) < 1e-5,
        "{found}"
    );
}

#[test]
fn pictures_of_one_name_live_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = textured();
    let paths = ["a.usda", "b.usdc", "c.usda"].map(|n| folder.path().join(n));
    for (k, path) in paths.iter().enumerate() {
        // The third has the picture of the first.
        let bytes = [PNG, &[k as u8 % 2]].concat();
        character.mesh.parts[0].material.texture = Some(Texture::new("cloth", bytes.clone()));
        usd::save(&character, path).unwrap();
        let read = usd::read(path).unwrap();
        assert_eq!(read.warnings, []);
        let texture = read.character.mesh.parts[0].material.texture.clone().unwrap();
        assert_eq!(&*texture.bytes, bytes.as_slice());
    }
    assert_eq!(
        std::fs::read_dir(folder.path().join("textures")).unwrap().count(),
        2
    );
}

#[test]
fn a_package_holds_its_pictures() {
    let character = textured();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my hero.usdz");
    usd::save(&character, &path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "one file");
    let read = usd::read(&path).unwrap();
    assert_eq!(read.warnings, []);
    assert_eq!(
        read.character.mesh.parts[0].material,
        character.mesh.parts[0].material
    );
    assert_eq!(read.character.mesh.positions, character.mesh.positions);
    let first = std::fs::read(&path).unwrap();
    usd::save(&character, &path).unwrap();
    assert_eq!(first, std::fs::read(&path).unwrap(), "the same bytes");
}
