//! Weights before and after: each joint in its colour, side by side.

use std::path::Path;

use ligament::{Character, Weights};
use ligament_io::atomic::write_file;
use ligament_render::{
    Camera, Cell, Paint, Projection, RenderOptions, Samples, Scene, Style, View, encode_png, joint_colors,
    render, side_by_side, weight_colors,
};

use crate::AppError;

/// Pixels of each of the two pictures.
const SIZE: (u32, u32) = (480, 640);

/// Draws both.
pub fn draw(character: &Character, before: &Weights, after: &Weights, file: &Path) -> Result<(), AppError> {
    let colors = joint_colors(&character.skeleton);
    let options = RenderOptions {
        width: SIZE.0,
        height: SIZE.1,
        samples: Samples::Eight,
    };
    let aspect = SIZE.0 as f32 / SIZE.1 as f32;
    let positions = &character.mesh.positions;
    let camera = Camera::fit(positions, View::Front, Projection::PERSPECTIVE, aspect, 0.06);
    let mut images = Vec::new();
    for weights in [before, after] {
        let painted = weight_colors(weights, &colors);
        let scene = Scene {
            paint: Paint::Colors(&painted),
            style: Style {
                ground_shadow: 0.0,
                ..Style::default()
            },
            ..Scene::of_mesh(&character.mesh)
        };
        images.push(render(&scene, &camera, &options)?);
    }
    let cells: Vec<Cell<'_>> = images
        .iter()
        .zip(["before", "after"])
        .map(|(image, caption)| Cell { image, caption })
        .collect();
    Ok(write_file(file, &encode_png(&side_by_side(&cells)?)?)?)
}
