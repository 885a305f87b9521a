//! Time of a picture of 1280 by 720 pixels and fifty thousand faces.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use ligament::Mesh;
use ligament_render::{Camera, Paint, Projection, Ramp, RenderOptions, Samples, Scene, Style, View, Wire};
use ligament_render::{encode_png, render};

/// A knobbly ball of 2 · 200 · 125 faces.
fn ball() -> Mesh {
    let (sides, rings) = (200u32, 125u32);
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for ring in 0..=rings {
        let polar = ring as f32 / rings as f32 * std::f32::consts::PI;
        for side in 0..sides {
            let around = side as f32 / sides as f32 * std::f32::consts::TAU;
            let radius = 1.0 + 0.15 * (5.0 * around).sin() * (7.0 * polar).sin();
            let (s, c) = around.sin_cos();
            positions.push(radius * Vec3::new(polar.sin() * s, polar.cos(), polar.sin() * c));
            if ring > 0 {
                let (a, b) = (ring * sides + side, ring * sides + (side + 1) % sides);
                triangles.push([a - sides, a, b]);
                triangles.push([a - sides, b, b - sides]);
            }
        }
    }
    Mesh::single_part("ball", positions, triangles)
}

fn pictures(c: &mut Criterion) {
    let mesh = ball();
    let options = RenderOptions::default();
    let camera = Camera::fit(
        &mesh.positions,
        View::ThreeQuarter,
        Projection::PERSPECTIVE,
        16.0 / 9.0,
        0.05,
    );
    let values: Vec<f32> = mesh.positions.iter().map(|p| p.y.max(0.0)).collect();
    let plain = Scene::of_mesh(&mesh);
    let weights = Scene {
        paint: Paint::Scalar {
            values: &values,
            ramp: Ramp::Weight,
        },
        style: Style {
            wire: Some(Wire::default()),
            ..Style::default()
        },
        ..plain
    };
    let sixteen = RenderOptions {
        samples: Samples::Sixteen,
        ..options
    };
    let mut group = c.benchmark_group("render");
    group.sample_size(20);
    for (name, scene, options) in [
        ("shaded, 4 samples", plain, options),
        ("weights and wire, 4 samples", weights, options),
        ("shaded, 16 samples", plain, sixteen),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| render(black_box(&scene), &camera, &options));
        });
    }
    let image = render(&plain, &camera, &options).expect("the scene is sound");
    group.bench_function("png", |b| b.iter(|| encode_png(black_box(&image))));
    group.finish();
}

criterion_group!(benches, pictures);
criterion_main!(benches);
