//! Textures where they belong: laid on, wrapped, cut out, seen through.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

use glam::{Vec2, Vec3};
use ligament::character::{Alpha, Material, Mesh, Part, PartAttachment, Texture, UvTransform, Wrap};
use ligament_render::*;

const SIDE: u32 = 32;

/// A square from (0, 0) to (32, 32) at a depth, its upper left corner at (0, 0) of the picture.
fn square(mesh: &mut Mesh, z: f32, uvs: f32, material: Material) {
    let side = SIDE as f32;
    let first = mesh.positions.len() as u32;
    let vertices = first as usize..first as usize + 4;
    mesh.positions.extend([
        Vec3::new(0.0, 0.0, z),
        Vec3::new(side, 0.0, z),
        Vec3::new(side, side, z),
        Vec3::new(0.0, side, z),
    ]);
    let start = mesh.triangles.len();
    mesh.triangles
        .extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|v| v + first)));
    let corner = [
        Vec2::new(0.0, uvs),
        Vec2::splat(uvs),
        Vec2::new(uvs, 0.0),
        Vec2::ZERO,
    ];
    mesh.corner_uvs.get_or_insert_default().extend([
        [corner[0], corner[1], corner[2]],
        [corner[0], corner[2], corner[3]],
    ]);
    mesh.parts.push(Part {
        name: String::new(),
        vertices,
        triangles: start..mesh.triangles.len(),
        material,
        attachment: PartAttachment::Skin,
        joints: None,
    });
}

/// Red and green above, blue and white below, 8 × 8 texels each.
fn quarters() -> Image {
    let mut image = Image::filled(16, 16, [0; 4]);
    for (i, pixel) in image.pixels.iter_mut().enumerate() {
        *pixel = match (i % 16 < 8, i / 16 < 8) {
            (true, true) => [255, 0, 0, 255],
            (false, true) => [0, 255, 0, 255],
            (true, false) => [0, 0, 255, 255],
            (false, false) => [255; 4],
        };
    }
    image
}

fn textured(image: &Image) -> Material {
    Material {
        texture: Some(Texture::new("picture", encode_png(image).unwrap())),
        ..Material::default()
    }
}

fn drawn(mesh: &Mesh) -> Image {
    let pictures = Pictures::of(mesh);
    assert_eq!(pictures.left_out, []);
    let scene = Scene {
        paint: Paint::Textured(&pictures),
        style: Style {
            shading: Shading::Unlit,
            ground_shadow: 0.0,
            background: Background::Gradient {
                top: [0.0; 3],
                bottom: [0.0; 3],
            },
            ..Style::default()
        },
        ..Scene::of_mesh(mesh)
    };
    let half = 0.5 * SIDE as f32;
    let camera = Camera {
        eye: Vec3::new(half, half, 10.0),
        forward: -Vec3::Z,
        up: Vec3::Y,
        projection: Projection::Orthographic { height: SIDE as f32 },
    };
    let options = RenderOptions {
        width: SIDE,
        height: SIDE,
        samples: Samples::Eight,
    };
    render(&scene, &camera, &options).unwrap()
}

/// What a pixel mostly is.
fn hue(image: &Image, x: u32, y: u32) -> &'static str {
    let [r, g, b, _] = image.get(x, y).unwrap();
    match [r, g, b].map(|c| c > 120) {
        [true, true, true] => "white",
        [true, false, false] => "red",
        [false, true, false] => "green",
        [false, false, true] => "blue",
        [true, true, false] => "yellow",
        _ => "dark",
    }
}

fn corners(image: &Image) -> [&'static str; 4] {
    [(8, 8), (24, 8), (8, 24), (24, 24)].map(|(x, y)| hue(image, x, y))
}

#[test]
fn a_picture_lies_as_it_is() {
    let mut mesh = Mesh::default();
    square(&mut mesh, 0.0, 1.0, textured(&quarters()));
    assert_eq!(corners(&drawn(&mesh)), ["red", "green", "blue", "white"]);
    // The base colour is multiplied.
    mesh.parts[0].material.base_color = [1.0, 1.0, 0.0, 1.0];
    assert_eq!(corners(&drawn(&mesh)), ["red", "green", "dark", "yellow"]);
    // And so are the vertices' colours.
    mesh.colors = Some(vec![[1.0, 0.0, 1.0, 1.0]; 4]);
    assert_eq!(corners(&drawn(&mesh)), ["red", "dark", "dark", "red"]);
}

#[test]
fn jpeg_and_webp_are_read_too() {
    // 16 × 16 pixels, red on the left and blue on the right, written by Pillow 13.
    for bytes in [
        include_bytes!("halves.jpg").as_slice(),
        include_bytes!("halves.webp"),
    ] {
        let mut mesh = Mesh::default();
        let material = Material {
            texture: Some(Texture::new("halves", bytes)),
            ..Material::default()
        };
        square(&mut mesh, 0.0, 1.0, material);
        assert_eq!(corners(&drawn(&mesh)), ["red", "blue", "red", "blue"]);
    }
}

#[test]
fn pictures_repeat_mirror_and_end_at_their_edge() {
    for (wrap, wanted) in [
        // At coordinates 0.5, 1.5, 0.5, 1.5 plus a quarter.
        (Wrap::Repeat, ["white", "white", "white", "white"]),
        (Wrap::Mirror, ["white", "blue", "green", "red"]),
        (Wrap::Clamp, ["white", "white", "white", "white"]),
    ] {
        let mut mesh = Mesh::default();
        let mut material = textured(&quarters());
        let texture = material.texture.as_mut().unwrap();
        texture.wrap = [wrap; 2];
        texture.transform.offset = Vec2::splat(0.25);
        square(&mut mesh, 0.0, 2.0, material);
        assert_eq!(corners(&drawn(&mesh)), wanted, "{wrap:?}");
    }
    let mut mesh = Mesh::default();
    let mut material = textured(&quarters());
    material.texture.as_mut().unwrap().wrap = [Wrap::Clamp, Wrap::Repeat];
    square(&mut mesh, 0.0, 2.0, material);
    let image = drawn(&mesh);
    assert_eq!(hue(&image, 20, 4), "green");
    assert_eq!(hue(&image, 20, 20), "green");
    assert_eq!(hue(&image, 28, 28), "white");
}

#[test]
fn pictures_are_moved_turned_and_scaled() {
    let turned = |transform: UvTransform| {
        let mut mesh = Mesh::default();
        let mut material = textured(&quarters());
        material.texture.as_mut().unwrap().transform = transform;
        square(&mut mesh, 0.0, 1.0, material);
        corners(&drawn(&mesh))
    };
    let base = UvTransform::IDENTITY;
    let moved = UvTransform {
        offset: Vec2::new(0.5, 0.0),
        ..base
    };
    assert_eq!(turned(moved), ["green", "red", "white", "blue"]);
    // A quarter: (u, v) becomes (v, -u), so the upper right shows the upper left's column below.
    let quarter = UvTransform {
        rotation: std::f32::consts::FRAC_PI_2,
        ..base
    };
    assert_eq!(turned(quarter), ["blue", "red", "white", "green"]);
    let half = UvTransform {
        scale: Vec2::splat(0.5),
        ..base
    };
    assert_eq!(turned(half), ["red"; 4]);
}

/// Green that ends in the middle, with nothing but alpha to tell.
fn half_alpha(alpha: u8) -> Image {
    let mut image = Image::filled(16, 16, [0, 255, 0, 255]);
    for (i, pixel) in image.pixels.iter_mut().enumerate() {
        if i % 16 >= 8 {
            *pixel = [0, 255, 0, alpha];
        }
    }
    image
}

#[test]
fn masks_cut_out_and_blends_shine_through() {
    let red = Material {
        base_color: [1.0, 0.0, 0.0, 1.0],
        ..textured(&Image::filled(1, 1, [255; 4]))
    };
    let both = |alpha: Alpha, of: u8| {
        let mut mesh = Mesh::default();
        // The nearer one first: order must not matter.
        let front = Material {
            alpha,
            ..textured(&half_alpha(of))
        };
        square(&mut mesh, 1.0, 1.0, front);
        square(&mut mesh, 0.0, 1.0, red.clone());
        drawn(&mesh)
    };
    let opaque = both(Alpha::Opaque, 0);
    assert_eq!((hue(&opaque, 4, 16), hue(&opaque, 28, 16)), ("green", "green"));
    let mask = both(Alpha::Mask(0.5), 100);
    assert_eq!((hue(&mask, 4, 16), hue(&mask, 28, 16)), ("green", "red"));
    let low_mask = both(Alpha::Mask(0.25), 100);
    assert_eq!(hue(&low_mask, 28, 16), "green");
    let blend = both(Alpha::Blend, 128);
    assert_eq!(hue(&blend, 4, 16), "green");
    assert_eq!(hue(&blend, 28, 16), "yellow", "{:?}", blend.get(28, 16));
    let blend = both(Alpha::Blend, 0);
    assert_eq!(hue(&blend, 28, 16), "red");
}

#[test]
fn of_several_blends_the_farthest_comes_first() {
    let pane = |rgb: [u8; 3]| Material {
        alpha: Alpha::Blend,
        ..textured(&Image::filled(1, 1, [rgb[0], rgb[1], rgb[2], 200]))
    };
    for order in [[0, 1], [1, 0]] {
        let mut mesh = Mesh::default();
        for k in order {
            let color = if k == 0 { [255, 0, 0] } else { [0, 0, 255] };
            square(&mut mesh, k as f32, 1.0, pane(color));
        }
        assert_eq!(hue(&drawn(&mesh), 16, 16), "blue", "{order:?}");
    }
}

#[test]
fn black_is_charcoal_and_pictures_that_are_none_are_told() {
    let mut mesh = Mesh::default();
    square(
        &mut mesh,
        0.0,
        1.0,
        textured(&Image::filled(4, 4, [0, 0, 0, 255])),
    );
    let [r, ..] = drawn(&mesh).get(16, 16).unwrap();
    assert!((30..80).contains(&r), "{r}");
    mesh.parts[0].material.texture = Some(Texture::new("broken", *b"no picture"));
    let pictures = Pictures::of(&mesh);
    assert!(pictures.is_empty());
    assert_eq!(pictures.left_out[0].0, "broken");
}

#[test]
fn threads_do_not_show() {
    let mut mesh = Mesh::default();
    let pane = Material {
        alpha: Alpha::Blend,
        ..textured(&half_alpha(90))
    };
    square(&mut mesh, 1.0, 3.0, pane);
    square(&mut mesh, 0.0, 1.0, textured(&quarters()));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| drawn(&mesh))
    };
    assert_eq!(on(1), on(4));
}
