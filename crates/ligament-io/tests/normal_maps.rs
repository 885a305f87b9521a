//! Normal maps are carried between the formats that have them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use glam::Vec2;
use ligament::Character;
use ligament::character::{NormalMap, Texture, UvTransform, Wrap};
use ligament_io::gltf::{GltfFile, build};
use ligament_io::{fbx, usd};

fn png(byte: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend([byte; 20]);
    bytes
}

/// A tube with a coloured part that has bumps.
fn bumpy(strength: f32) -> Character {
    let mut c = ligament::sample::make("tube@300").unwrap();
    let uv = |t: usize, k: usize| Vec2::new((t % 7) as f32, (3 * k) as f32) / 7.0;
    let triangles = c.mesh.triangles.len();
    c.mesh.corner_uvs = Some((0..triangles).map(|t| [0, 1, 2].map(|k| uv(t, k))).collect());
    let material = &mut c.mesh.parts[0].material;
    material.texture = Some(Texture::new("skin", png(1)));
    material.normal_map = Some(NormalMap {
        texture: Texture {
            wrap: [Wrap::Clamp; 2],
            ..Texture::new("bumps", png(2))
        },
        strength,
    });
    c
}

fn through_gltf(c: &Character) -> Character {
    let file = GltfFile::from_document(build(c).unwrap().document, &c.name).unwrap();
    file.character().as_ref().clone()
}

fn assert_kept(c: &Character, again: &Character, strength: f32, format: &str) {
    let [a, b] = [c, again].map(|c| &c.mesh.parts[0].material);
    let (x, y) = (a.normal_map.as_ref().unwrap(), b.normal_map.as_ref());
    let y = y.unwrap_or_else(|| panic!("{format}: no normal map"));
    assert_eq!(x.texture.bytes, y.texture.bytes, "{format}");
    assert_eq!(x.texture.wrap, y.texture.wrap, "{format}");
    assert!((strength - y.strength).abs() < 1e-6, "{format}: {}", y.strength);
    assert_eq!(
        a.texture.as_ref().map(|t| &t.bytes),
        b.texture.as_ref().map(|t| &t.bytes),
        "{format}"
    );
}

#[test]
fn they_go_through_every_format() {
    let c = bumpy(0.5);
    assert_kept(&c, &through_gltf(&c), 0.5, "glTF");
    // FBX has no strength.
    let read = fbx::read(&fbx::write(&c).unwrap(), &c.name).unwrap();
    assert_eq!(read.warnings, []);
    assert_kept(&c, &read.character, 1.0, "FBX");
    let folder = tempfile::tempdir().unwrap();
    for ending in ["usda", "usdc", "usdz"] {
        let file = folder.path().join(format!("bumpy.{ending}"));
        usd::save(&c, &file).unwrap();
        let read = usd::read(&file).unwrap();
        assert_eq!(read.warnings, []);
        assert_kept(&c, &read.character, 0.5, ending);
    }
}

/// Bumps without a colour keep their place; bumps that are laid on in another way than the colour would lie wrong in
/// formats whose pictures share their coordinates.
#[test]
fn they_stay_where_they_are_or_out() {
    let turned = UvTransform {
        offset: Vec2::new(0.25, 0.5),
        rotation: 0.0,
        scale: Vec2::new(2.0, 3.0),
    };
    let mut c = bumpy(1.0);
    let material = &mut c.mesh.parts[0].material;
    material.texture = None;
    material.normal_map.as_mut().unwrap().texture.transform = turned;
    let read = fbx::read(&fbx::write(&c).unwrap(), &c.name).unwrap().character;
    assert_kept(&c, &read, 1.0, "FBX");
    let places = |c: &Character| {
        let transform = c.mesh.parts[0].material.uv_transform();
        let uvs = c.mesh.corner_uvs.clone().unwrap();
        uvs.into_iter()
            .flatten()
            .map(move |uv| transform.apply(uv))
            .collect::<Vec<_>>()
    };
    for (a, b) in places(&c).iter().zip(places(&read)) {
        assert!(a.distance(b) < 1e-5, "{a} {b}");
    }
    c.mesh.parts[0].material.texture = Some(Texture::new("skin", png(1)));
    let read = fbx::read(&fbx::write(&c).unwrap(), &c.name).unwrap().character;
    assert_eq!(read.mesh.parts[0].material.normal_map, None);
    assert!(read.mesh.parts[0].material.texture.is_some());
    let read = usd::read_bytes(usd::write(&c).unwrap().as_bytes(), &c.name).unwrap();
    assert_eq!(read.character.mesh.parts[0].material.normal_map, None);
    let again = through_gltf(&c);
    assert_kept(&c, &again, 1.0, "glTF");
    let transform = |c: &Character| {
        c.mesh.parts[0]
            .material
            .normal_map
            .as_ref()
            .unwrap()
            .texture
            .transform
    };
    assert_eq!(transform(&again), turned);
}
