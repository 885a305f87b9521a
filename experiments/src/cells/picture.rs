//! Pictures of a character in poses, side by side.

use glam::{DAffine3, Vec3};
use ligament::deform::{Deformed, SkinnedMesh};
use ligament::{Character, Weights};
use ligament_io::atomic::write_file;
use ligament_render::{
    BackFaces, Camera, Cell, Image, Paint, Projection, RenderOptions, Samples, Scene, SheetOptions, Style,
    View, encode_png, joint_colors, render, sheet, weight_colors,
};
use ligament_testkit::project_root;

/// One picture: a character bound by some weights, in a pose.
pub struct Shot<'a> {
    pub character: &'a Character,
    pub weights: &'a Weights,
    pub world_from_bind: &'a [DAffine3],
    pub caption: String,
    /// Whether the joints' weights colour it.
    pub painted: bool,
}

/// How a sheet of shots looks.
pub struct Look {
    pub view: View,
    pub size: (u32, u32),
    pub columns: usize,
    /// Only what is within this share of the height, from below.
    pub framed: std::ops::Range<f32>,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            view: View::ThreeQuarter,
            size: (200, 246),
            columns: 0,
            framed: 0.0..1.0,
        }
    }
}

/// The skin of a shot.
pub fn posed(character: &Character, weights: &Weights, pose: &[DAffine3]) -> anyhow::Result<Deformed> {
    Ok(SkinnedMesh::new(&character.mesh, weights)?.linear_blend(pose)?)
}

/// Draws shots in one frame each, all by the same camera, and saves them.
pub fn save(shots: &[Shot<'_>], look: &Look, file: &str) -> anyhow::Result<()> {
    let skins: Vec<Deformed> = shots
        .iter()
        .map(|s| posed(s.character, s.weights, s.world_from_bind))
        .collect::<anyhow::Result<_>>()?;
    let all: Vec<Vec3> = skins.iter().flat_map(|s| s.positions.iter().copied()).collect();
    let (low, high) = all.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), p| {
        (l.min(p.y), h.max(p.y))
    });
    let at = |share: f32| low + share * (high - low);
    let framed: Vec<Vec3> = all
        .iter()
        .copied()
        .filter(|p| (at(look.framed.start)..=at(look.framed.end)).contains(&p.y))
        .collect();
    let (width, height) = look.size;
    let camera = Camera::fit(
        &framed,
        look.view,
        Projection::PERSPECTIVE,
        width as f32 / height as f32,
        0.03,
    );
    let options = RenderOptions {
        width,
        height,
        samples: Samples::Eight,
    };
    let mut images: Vec<(Image, &str)> = Vec::with_capacity(shots.len());
    for (shot, skin) in shots.iter().zip(&skins) {
        let colors = weight_colors(shot.weights, &joint_colors(&shot.character.skeleton));
        let scene = Scene {
            paint: if shot.painted {
                Paint::Colors(&colors)
            } else {
                Paint::Material
            },
            style: Style {
                back_faces: BackFaces::Plain,
                ..Style::default()
            },
            ..Scene::of_pose(&shot.character.mesh, skin)
        };
        images.push((render(&scene, &camera, &options)?, shot.caption.as_str()));
    }
    let cells: Vec<Cell<'_>> = images
        .iter()
        .map(|(image, caption)| Cell { image, caption })
        .collect();
    let sheet = sheet(
        &cells,
        &SheetOptions {
            columns: look.columns,
            caption_scale: 1,
            ..SheetOptions::default()
        },
    )?;
    save_image(&sheet, file)
}

/// Saves an image among the documentation's.
pub fn save_image(image: &Image, file: &str) -> anyhow::Result<()> {
    let path = project_root().join("docs/images").join(file);
    write_file(&path, &encode_png(image)?)?;
    Ok(())
}
