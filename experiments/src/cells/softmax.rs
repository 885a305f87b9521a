//! Softmax against the rational falloff (Fig. 5): the same distances in a plane, in single precision.

use std::fmt::Write as _;

use glam::{DVec3, Vec3};
use ligament::bind::cells::{Cell, CellField, Site};
use ligament::task::Task;
use ligament_render::{Cell as Frame, Image, SheetOptions, sheet};

use super::picture::save_image;

/// Pixels along a side of the plane, which is as large as twelve times the skeleton.
const SIDE: usize = 220;
const EXTENT: f32 = 12.0;
const SHARPNESS: [f32; 4] = [4.0, 16.0, 64.0, 256.0];

/// Joints of a stick figure in the unit square.
const JOINTS: [[f32; 2]; 11] = [
    [0.0, -0.05],
    [0.0, 0.15],
    [0.0, 0.40],
    [-0.2, 0.15],
    [-0.4, 0.10],
    [0.2, 0.15],
    [0.4, 0.10],
    [-0.1, -0.25],
    [-0.12, -0.48],
    [0.1, -0.25],
    [0.12, -0.48],
];

fn field(falloff: f32) -> CellField {
    let cells = JOINTS
        .iter()
        .enumerate()
        .map(|(i, &[x, y])| Cell {
            joint: format!("joint{i}"),
            origin: [x, y, 0.0],
            falloff,
            floor: 0.0,
            sites: vec![Site {
                centre: [x, y, 0.0],
                shape: [1.0, 0.0, 1.0, 0.0, 0.0, 1.0],
                radius: 1e-3,
            }],
        })
        .collect();
    CellField {
        influences: 3,
        centre: DVec3::ZERO,
        size: 1.0,
        cells,
        detour: None,
        surface: None,
    }
}

/// exp(−β·d) over its sum, as Feng et al. 2023 write it.
fn softmax(x: Vec3, sharpness: f32) -> Vec<f32> {
    let raw: Vec<f32> = JOINTS
        .iter()
        .map(|&[a, b]| (-sharpness * x.distance(Vec3::new(a, b, 0.0))).exp())
        .collect();
    let sum: f32 = raw.iter().sum();
    raw.iter().map(|w| w / sum).collect()
}

fn color(weights: &[f32]) -> [u8; 4] {
    if weights.iter().any(|w| !w.is_finite()) {
        return [0, 0, 0, 255];
    }
    let mut sum = [0.0f32; 3];
    for (i, w) in weights.iter().enumerate() {
        let hue = i as f32 / JOINTS.len() as f32 * std::f32::consts::TAU;
        for (channel, s) in sum.iter_mut().enumerate() {
            let phase = hue + channel as f32 * std::f32::consts::TAU / 3.0;
            *s += w * (0.58 + 0.38 * phase.cos());
        }
    }
    let [r, g, b] = sum.map(|s| (255.0 * s.clamp(0.0, 1.0)) as u8);
    [r, g, b, 255]
}

pub fn run() -> anyhow::Result<String> {
    let points: Vec<Vec3> = (0..SIDE * SIDE)
        .map(|i| {
            let at = |k: usize| ((k as f32 + 0.5) / SIDE as f32 - 0.5) * EXTENT;
            Vec3::new(at(i % SIDE), -at(i / SIDE), 0.0)
        })
        .collect();
    let mut text = format!(
        "Eleven sites of a stick figure and the plane around it, {EXTENT} times as large, in single precision. Softmax is \
         exp(−β·d) over its sum; cells take the same number as exponent, three influences. A point has failed where its \
         weights are no numbers (black).\n\n| β or r | softmax, failed | cells, failed | cells, most influences |\n|---|---|---|---|\n"
    );
    let mut images: Vec<(Image, String)> = Vec::new();
    for sharpness in SHARPNESS {
        let soft: Vec<Vec<f32>> = points.iter().map(|&x| softmax(x, sharpness)).collect();
        let found = field(sharpness).weights_at(&points, &Task::unattended())?;
        let cells: Vec<Vec<f32>> = found
            .iter()
            .map(|row| {
                let mut all = vec![0.0; JOINTS.len()];
                row.iter().for_each(|i| all[i.joint.at()] = i.weight);
                all
            })
            .collect();
        let failed = |rows: &[Vec<f32>]| {
            let bad = rows.iter().filter(|r| {
                let sum: f32 = r.iter().sum();
                (sum - 1.0).abs() > 1e-3 || sum.is_nan()
            });
            100.0 * bad.count() as f64 / rows.len() as f64
        };
        writeln!(
            text,
            "| {sharpness} | {:.1} % | {:.1} % | {} |",
            failed(&soft),
            failed(&cells),
            found.max_influences()
        )?;
        for (name, rows) in [("softmax", &soft), ("cells", &cells)] {
            let mut image = Image::filled(SIDE as u32, SIDE as u32, [0, 0, 0, 255]);
            for (i, row) in rows.iter().enumerate() {
                image.set((i % SIDE) as u32, (i / SIDE) as u32, color(row));
            }
            images.push((image, format!("{name}, {sharpness}")));
        }
    }
    // Softmax above, cells below.
    images.sort_by_key(|(_, caption)| caption.starts_with("cells"));
    let frames: Vec<Frame<'_>> = images
        .iter()
        .map(|(image, caption)| Frame { image, caption })
        .collect();
    let columns = SHARPNESS.len();
    save_image(
        &sheet(
            &frames,
            &SheetOptions {
                columns,
                caption_scale: 1,
                ..SheetOptions::default()
            },
        )?,
        "cells-softmax.png",
    )?;
    text.push_str("\n![Softmax above, cells below](../images/cells-softmax.png)\n");
    Ok(text)
}
