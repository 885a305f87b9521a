//! Pictures that move: a clip as it plays, a camera that walks around, or both.

use std::borrow::Cow;
use std::f32::consts::TAU;
use std::path::Path;

use glam::{Quat, Vec3};
use ligament::task::Task;
use ligament::{Clip, Pose};
use ligament_io::registry::ending;
use ligament_render::{
    Camera, Cell, Image, RenderOptions, Scene, SheetOptions, SkeletonOverlay, encode_apng, encode_gif,
    joint_colors, render, sheet,
};

use super::draw::{camera, caption, picture_size, style};
use super::paint::Painted;
use super::skin::Skin;
use super::{RenderRequest, columns};
use crate::AppError;
use crate::asset::Asset;

/// What a moving picture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moving {
    Apng,
    Gif,
}

/// Pictures a second if none are asked for.
pub const PICTURES_PER_SECOND: u32 = 25;
/// Hundredths of a second that a picture is shown at most.
const SLOWEST: u16 = 1000;
/// How long a turn of the camera takes where no clip says.
const TURN_SECONDS: f32 = 4.0;
/// As many pictures, and pixels in all of them, as are drawn at once.
const MOST_PICTURES: usize = 1500;
const MOST_PIXELS: u64 = 1 << 28;
/// Of all poses as many say how far the camera must stand.
const FITTED: usize = 24;
/// Points on the circle that a vertex goes round when the camera does.
const AROUND: usize = 12;

impl Moving {
    /// What an output of this name is; none for a picture that stands still.
    pub fn of(request: &RenderRequest, output: &Path) -> Option<Self> {
        match ending(output).as_str() {
            "gif" => Some(Self::Gif),
            "apng" => Some(Self::Apng),
            _ => request.turntable.then_some(Self::Apng),
        }
    }

    /// The bytes of a file.
    pub fn encode(self, film: &Film) -> Result<Vec<u8>, AppError> {
        Ok(match self {
            Self::Apng => encode_apng(&film.pictures, film.hundredths)?,
            Self::Gif => encode_gif(&film.pictures, film.hundredths)?,
        })
    }
}

/// Pictures, and how many hundredths of a second each is shown.
pub struct Film {
    pub pictures: Vec<Image>,
    pub hundredths: u16,
}

/// Draws all pictures.
pub fn film(request: &RenderRequest, assets: &[Asset], task: &Task<'_>) -> Result<Film, AppError> {
    let rate = request.fps.unwrap_or(PICTURES_PER_SECOND);
    if !(1..=100).contains(&rate) {
        return Err(AppError::bad_value("fps", "is 1 to 100", rate));
    }
    let mut hundredths = (100 / rate) as u16;
    let step = f32::from(hundredths) / 100.0;
    let named = assets.len() > 1;
    let mut sitters = Vec::new();
    for asset in assets {
        sitters.push(Sitter::new(request, asset, named)?);
    }
    let longest = sitters.iter().map(|s| s.seconds()).fold(0.0, f32::max);
    // A turn is whole, and so are the clips that play meanwhile.
    let seconds = match (request.turntable, longest) {
        (true, 0.0) => TURN_SECONDS,
        (true, clip) => clip * (TURN_SECONDS / clip).ceil().max(1.0),
        (false, clip) => clip,
    };
    let wanted = request.frames.unwrap_or((seconds / step).round() as usize).max(1);
    if request.frames.is_some() && request.fps.is_none() {
        // So many pictures as were asked for, as fast as it moves.
        hundredths = (100.0 * seconds / wanted as f32)
            .round()
            .clamp(1.0, f32::from(SLOWEST)) as u16;
    }
    let (size, _) = picture_size(request, true);
    let pixels = u64::from(size.width) * u64::from(size.height) * assets.len() as u64 * wanted as u64;
    if wanted > MOST_PICTURES || pixels > MOST_PIXELS {
        return Err(AppError::bad_value(
            "frames",
            "are too many for pictures of this size; ask for fewer, fewer a second, or smaller ones",
            wanted,
        ));
    }
    for sitter in &mut sitters {
        sitter.sit(request, seconds, wanted)?;
    }
    let mut pictures = Vec::with_capacity(wanted);
    for number in 0..wanted {
        task.step("drawing", number as f32 / wanted as f32)?;
        let fraction = number as f32 / wanted as f32;
        let drawn: Vec<Image> = sitters
            .iter()
            .map(|s| s.draw(request, fraction * seconds, fraction))
            .collect::<Result<_, _>>()?;
        pictures.push(match <[Image; 1]>::try_from(drawn) {
            Ok([only]) => only,
            Err(several) => beside(&several, &sitters)?,
        });
    }
    Ok(Film { pictures, hundredths })
}

/// Pictures of several inputs as one.
fn beside(several: &[Image], sitters: &[Sitter<'_>]) -> Result<Image, AppError> {
    let cells: Vec<Cell<'_>> = several
        .iter()
        .zip(sitters)
        .map(|(image, sitter)| Cell {
            image,
            caption: &sitter.caption,
        })
        .collect();
    let options = SheetOptions {
        columns: columns(1, cells.len()),
        ..SheetOptions::default()
    };
    Ok(sheet(&cells, &options)?)
}

/// One input in front of the camera.
struct Sitter<'a> {
    asset: &'a Asset,
    clip: Option<Cow<'a, Clip>>,
    skin: Skin,
    painted: Painted<'a>,
    colors: Vec<[f32; 3]>,
    caption: String,
    camera: Option<Camera>,
    /// What the camera walks around.
    axis: Vec3,
    options: RenderOptions,
}

impl<'a> Sitter<'a> {
    fn new(request: &RenderRequest, asset: &'a Asset, named: bool) -> Result<Self, AppError> {
        let character = asset.character();
        character.mesh.check()?;
        let clip = request.moment.clip(character, !request.turntable)?;
        let colors = joint_colors(&character.skeleton);
        Ok(Self {
            asset,
            skin: Skin::new(request.skinning, asset, clip.is_some())?,
            clip,
            painted: Painted::new(request, asset, &colors)?,
            colors,
            caption: caption(character, None, None, named, 1),
            camera: None,
            axis: Vec3::ZERO,
            options: picture_size(request, true).1,
        })
    }

    /// How long its clip is.
    fn seconds(&self) -> f32 {
        self.clip.as_ref().map_or(0.0, |clip| {
            let (start, end) = clip.span_secs();
            end - start
        })
    }

    fn pose(&self, request: &RenderRequest, seconds: f32) -> Pose {
        let character = self.asset.character();
        match self.clip.as_deref() {
            // A moment of a clip, looked at from all sides.
            Some(clip) if request.turntable && request.moment.time.is_some() => {
                request.moment.pose(character, Some(clip))
            }
            Some(clip) => {
                let length = self.seconds();
                let time = if length > 0.0 {
                    seconds.rem_euclid(length)
                } else {
                    0.0
                };
                clip.pose_at(&character.skeleton, clip.span_secs().0 + time)
            }
            None => Pose::rest(&character.skeleton),
        }
    }

    /// Puts the camera where it sees all poses.
    fn sit(&mut self, request: &RenderRequest, seconds: f32, pictures: usize) -> Result<(), AppError> {
        let character = self.asset.character();
        let count = if self.clip.is_some() {
            pictures.min(FITTED)
        } else {
            1
        };
        let mut seen: Vec<Vec3> = Vec::new();
        for k in 0..count {
            let pose = self.pose(request, seconds * k as f32 / count as f32);
            seen.extend(self.skin.deform(character, &pose)?.positions);
        }
        let bounds = seen.iter().filter(|p| p.is_finite()).fold(None, |b, &p| {
            Some(b.map_or((p, p), |(low, high): (Vec3, Vec3)| (low.min(p), high.max(p))))
        });
        let (low, high) = bounds.unwrap_or_default();
        self.axis = 0.5 * (low + high);
        if request.turntable {
            let step = seen.len().div_ceil(20_000).max(1);
            let round: Vec<Vec3> = seen.iter().step_by(step).copied().collect();
            seen = round
                .iter()
                .flat_map(|&p| (0..AROUND).map(move |k| (p, k as f32 / AROUND as f32)))
                .map(|(p, fraction)| self.axis + Quat::from_rotation_y(TAU * fraction) * (p - self.axis))
                .collect();
        }
        let first = self.pose(request, 0.0).world_from_joints(&character.skeleton);
        let (size, _) = picture_size(request, true);
        self.camera = Some(camera(request, character, &first, &seen, size)?);
        Ok(())
    }

    fn draw(&self, request: &RenderRequest, seconds: f32, fraction: f32) -> Result<Image, AppError> {
        let character = self.asset.character();
        let pose = self.pose(request, seconds);
        let deformed = self.skin.deform(character, &pose)?;
        let world_from_joint = pose.world_from_joints(&character.skeleton);
        let scene = Scene {
            normals: Some(&deformed.normals),
            paint: self.painted.paint(),
            skeleton: request.bones.then(|| SkeletonOverlay {
                highlight: self.painted.joint,
                colors: request.joints.then_some(self.colors.as_slice()),
                ..SkeletonOverlay::new(&character.skeleton, &world_from_joint)
            }),
            style: style(request),
            ..Scene::of_pose(&character.mesh, &deformed)
        };
        let mut camera = self.camera.unwrap_or_else(|| {
            Camera::close_up(
                self.axis,
                1.0,
                request.view.0,
                ligament_render::Projection::PERSPECTIVE,
            )
        });
        if request.turntable {
            let rotation = Quat::from_rotation_y(TAU * fraction);
            camera.eye = self.axis + rotation * (camera.eye - self.axis);
            camera.forward = rotation * camera.forward;
            camera.up = rotation * camera.up;
        }
        Ok(render(&scene, &camera, &self.options)?)
    }
}
