//! What was matched, filled and bound, as a picture: the target from the front and from behind.

use std::path::{Path, PathBuf};

use ligament::Character;
use ligament::skin::Skin;
use ligament::transfer::{PointMatch, Transferred};
use ligament_io::atomic::write_file;
use ligament_render::{
    Camera, Cell, Paint, Projection, RenderOptions, Samples, Scene, Style, View, encode_png, render,
    side_by_side,
};

use crate::AppError;

/// Pixels of each of the two pictures.
const SIZE: (u32, u32) = (480, 640);

/// Points with a counterpart: green.
const MATCHED: [f32; 3] = [0.10, 0.45, 0.16];
/// Too far from the body: yellow.
const TOO_FAR: [f32; 3] = [0.80, 0.52, 0.06];
/// Turned away from it: orange.
const TURNED_AWAY: [f32; 3] = [0.78, 0.22, 0.03];
/// Nearer to another limb: violet.
const OTHER_LIMB: [f32; 3] = [0.32, 0.10, 0.55];
/// Filled because it was asked for: blue.
const ASKED: [f32; 3] = [0.06, 0.20, 0.60];
/// Bound anew: red.
const BOUND: [f32; 3] = [0.55, 0.02, 0.04];
/// Not skin: grey.
const CARRIED: [f32; 3] = [0.35, 0.35, 0.35];

/// Draws a target and returns the file.
pub fn draw(
    character: &Character,
    skin: &Skin,
    given: &Transferred,
    folder: &Path,
    name: String,
) -> Result<PathBuf, AppError> {
    std::fs::create_dir_all(folder).map_err(|source| AppError::Folders {
        path: folder.to_owned(),
        source,
    })?;
    let color = |point: usize| match given.matches.state[point] {
        _ if given.apart.binary_search(&(point as u32)).is_ok() => BOUND,
        PointMatch::Matched => MATCHED,
        PointMatch::TooFar => TOO_FAR,
        PointMatch::TurnedAway => TURNED_AWAY,
        PointMatch::OtherLimb => OTHER_LIMB,
        PointMatch::Masked => ASKED,
    };
    let of_vertices = skin.points_of_vertices();
    let colors: Vec<[f32; 3]> = of_vertices
        .iter()
        .map(|point| point.map_or(CARRIED, |p| color(p.at())))
        .collect();
    let bound = given.apart.len();
    let captions = [
        format!("matched {} (green)", given.matched()),
        format!("filled {}, bound {bound}", given.filled),
    ];
    let options = RenderOptions {
        width: SIZE.0,
        height: SIZE.1,
        samples: Samples::Eight,
    };
    let scene = Scene {
        paint: Paint::Colors(&colors),
        style: Style {
            ground_shadow: 0.0,
            ..Style::default()
        },
        ..Scene::of_mesh(&character.mesh)
    };
    let aspect = SIZE.0 as f32 / SIZE.1 as f32;
    let mut images = Vec::new();
    for view in [View::Front, View::Back] {
        let camera = Camera::fit(
            &character.mesh.positions,
            view,
            Projection::PERSPECTIVE,
            aspect,
            0.06,
        );
        images.push(render(&scene, &camera, &options)?);
    }
    let cells: Vec<Cell<'_>> = images
        .iter()
        .zip(&captions)
        .map(|(image, caption)| Cell { image, caption })
        .collect();
    let file = folder.join(format!("{name}_matches.png"));
    write_file(&file, &encode_png(&side_by_side(&cells)?)?)?;
    Ok(file)
}
