//! Normal maps bend light as tilted surfaces do.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

use glam::{Quat, Vec2, Vec3};
use ligament::character::{Material, Mesh, NormalMap, Texture, UvTransform};
use ligament_render::*;

const SIDE: u32 = 24;

/// A picture that says one direction everywhere.
fn map_of(direction: Vec3) -> Texture {
    let bytes = ((direction * 0.5 + 0.5) * 255.0)
        .round()
        .to_array()
        .map(|c| c as u8);
    let image = Image::filled(4, 4, [bytes[0], bytes[1], bytes[2], 255]);
    Texture::new("bumps", encode_png(&image).unwrap())
}

/// A square that faces +Z, turned around the origin; `u` is along +X and `v` down, as a picture lies, or mirrored.
fn square(rotation: Quat, mirrored: bool) -> Mesh {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let positions = corners.map(|(x, y)| rotation * Vec3::new(x, y, 0.0)).to_vec();
    let uv = |k: usize| {
        let (x, y) = corners[k];
        let u = 0.5 + 0.5 * if mirrored { -x } else { x };
        Vec2::new(u, 0.5 - 0.5 * y)
    };
    let mut mesh = Mesh::single_part("square", positions, vec![[0, 1, 2], [0, 2, 3]]);
    mesh.corner_uvs = Some(vec![[0, 1, 2].map(uv), [0, 2, 3].map(uv)]);
    mesh.normals = Some(vec![rotation * Vec3::Z; 4]);
    mesh
}

fn with_map(mut mesh: Mesh, texture: Texture, strength: f32) -> Mesh {
    mesh.parts[0].material = Material {
        normal_map: Some(NormalMap { texture, strength }),
        ..Material::default()
    };
    mesh
}

/// The middle of the picture.
fn shade(mesh: &Mesh, eye: Vec3) -> [u8; 4] {
    let pictures = Pictures::of(mesh);
    assert_eq!(pictures.left_out, []);
    let scene = Scene {
        paint: Paint::Textured(&pictures),
        style: Style {
            back_faces: BackFaces::Plain,
            ground_shadow: 0.0,
            ..Style::default()
        },
        ..Scene::of_mesh(mesh)
    };
    let camera = Camera {
        eye,
        forward: -eye.normalize(),
        up: Vec3::Y,
        projection: Projection::Orthographic { height: 1.0 },
    };
    let options = RenderOptions {
        width: SIDE,
        height: SIDE,
        samples: Samples::Four,
    };
    let image = render(&scene, &camera, &options).unwrap();
    image.get(SIDE / 2, SIDE / 2).unwrap()
}

fn assert_alike(a: [u8; 4], b: [u8; 4], what: &str) {
    let apart = a.iter().zip(&b).map(|(x, y)| x.abs_diff(*y)).max();
    // A byte holds a direction to half a degree.
    assert!(apart <= Some(3), "{what}: {a:?}, not {b:?}");
}

/// A flat square with a map of one direction is lit as if its normals had it.
#[test]
fn a_tilted_map_shades_like_a_tilted_square() {
    let eye = Vec3::new(0.0, 0.0, 5.0);
    let flat = shade(&square(Quat::IDENTITY, false), eye);
    let mut differ = 0;
    for tilt in [
        Vec3::new(0.5, 0.0, 1.0),
        Vec3::new(-0.5, 0.0, 1.0),
        Vec3::new(0.0, 0.5, 1.0),
        Vec3::new(0.0, -0.5, 1.0),
        Vec3::new(0.4, 0.6, 1.0),
    ] {
        let tilt = tilt.normalize();
        for rotation in [
            Quat::IDENTITY,
            Quat::from_rotation_y(0.7),
            Quat::from_rotation_z(2.0) * Quat::from_rotation_x(-0.4),
        ] {
            for mirrored in [false, true] {
                // Red is along the picture, which runs the other way in a mirror; green is up it.
                let along = if mirrored { -tilt.x } else { tilt.x };
                let mut wanted = square(rotation, mirrored);
                wanted.normals = Some(vec![rotation * Vec3::new(along, tilt.y, tilt.z); 4]);
                let wanted = shade(&wanted, eye);
                let found = shade(&with_map(square(rotation, mirrored), map_of(tilt), 1.0), eye);
                assert_alike(
                    found,
                    wanted,
                    &format!("{tilt} turned by {rotation}, mirrored: {mirrored}"),
                );
                differ += usize::from(found != flat);
            }
        }
    }
    assert!(differ > 20, "{differ}");
}

#[test]
fn a_map_that_says_straight_up_changes_nothing_and_strength_is_a_factor() {
    let eye = Vec3::new(0.0, 0.0, 5.0);
    let plain = square(Quat::from_rotation_y(0.3), false);
    let up = with_map(plain.clone(), map_of(Vec3::Z), 1.0);
    assert_alike(shade(&up, eye), shade(&plain, eye), "straight up");
    let tilt = Vec3::new(0.6, 0.3, 0.74).normalize();
    let none = with_map(plain.clone(), map_of(tilt), 0.0);
    assert_alike(shade(&none, eye), shade(&plain, eye), "no strength");
    let half = Vec3::new(0.5 * tilt.x, 0.5 * tilt.y, tilt.z).normalize();
    assert_alike(
        shade(&with_map(plain.clone(), map_of(tilt), 0.5), eye),
        shade(&with_map(plain, map_of(half), 1.0), eye),
        "half",
    );
}

/// From behind, a surface is the other side of the same bump.
#[test]
fn the_back_of_a_bump_is_a_dent() {
    let eye = Vec3::new(0.0, 0.0, -5.0);
    let tilt = Vec3::new(0.5, 0.2, 1.0).normalize();
    let mut wanted = square(Quat::IDENTITY, false);
    wanted.normals = Some(vec![tilt; 4]);
    let found = with_map(square(Quat::IDENTITY, false), map_of(tilt), 1.0);
    assert_alike(shade(&found, eye), shade(&wanted, eye), "from behind");
}

/// Where the bumps are depends on how the picture is laid on; coordinates that do not span the surface bend nothing.
#[test]
fn a_map_is_laid_on_like_any_picture() {
    let eye = Vec3::new(0.0, 0.0, 5.0);
    let tilt = Vec3::new(0.6, 0.0, 0.8);
    let mut image = Image::filled(16, 16, [128, 128, 255, 255]);
    for y in 0..16 {
        for x in 0..8 {
            image.set(x, y, [230, 128, 230, 255]);
        }
    }
    let mut texture = Texture::new("half", encode_png(&image).unwrap());
    texture.transform = UvTransform {
        offset: Vec2::new(-0.3, 0.0),
        ..UvTransform::IDENTITY
    };
    let plain = square(Quat::IDENTITY, false);
    let flat = shade(&plain, eye);
    let moved = shade(&with_map(plain.clone(), texture.clone(), 1.0), eye);
    texture.transform.offset.x = 0.3;
    let other = shade(&with_map(plain.clone(), texture, 1.0), eye);
    assert_ne!(moved, flat);
    assert_alike(other, flat, "beside the bumps");
    let mut collapsed = with_map(plain, map_of(tilt), 1.0);
    collapsed.corner_uvs = Some(vec![[Vec2::splat(0.5); 3]; 2]);
    assert_alike(shade(&collapsed, eye), flat, "one place of the picture");
}
