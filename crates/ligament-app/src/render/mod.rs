//! Pictures of characters: shaded, their bones, their weights, their motion, their voxels.

mod draw;
mod moving;
mod paint;
mod skin;
mod view;
mod voxels;

use std::path::PathBuf;

use ligament::solid::Resolution;
use ligament::task::Task;
use ligament_io::atomic::write_file;
use ligament_io::import::FileWarning;
pub use ligament_render::encode_png;
use ligament_render::{Cell, Image, SheetOptions, sheet};
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::motion::{Moment, Skinning};
use crate::resolution::ResolutionRequest;
pub use moving::PICTURES_PER_SECOND;
use moving::{Moving, film};
pub use view::{PictureSize, ViewRequest};
pub use voxels::Slice;

/// Pictures on a contact sheet, at most.
const MOST_FRAMES: usize = 64;

/// What to draw, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RenderRequest {
    /// What to open; several stand side by side.
    pub assets: Vec<AssetRequest>,
    /// Where to write: `.png`, or `.apng` or `.gif` for what moves; the first input's name with
    /// `.png` (`.apng` for a turntable), here, if none.
    pub output: Option<PathBuf>,
    /// The pose.
    pub moment: Moment,
    /// How the skin follows the bones.
    pub skinning: Skinning,
    /// Pictures over the clip, from its start to its end, as a contact sheet; from 1 on. In an
    /// output that moves (`.apng`, `.gif`), how many of them it has.
    pub frames: Option<usize>,
    /// Pictures a second of what moves; if none, 25, or as many as `frames` needs to play at its own speed.
    pub fps: Option<u32>,
    /// A moving picture whose camera walks around the character once.
    pub turntable: bool,
    /// From where.
    pub view: ViewRequest,
    /// Look at this joint instead of the whole character.
    pub at: Option<String>,
    /// How much nearer, over 0; at a joint, 1 shows a quarter of the character.
    pub zoom: f32,
    /// Without perspective.
    pub orthographic: bool,
    /// Colour by this joint's weights.
    pub joint: Option<String>,
    /// Colour by all joints' weights, a colour for each.
    pub joints: bool,
    /// Draw the edges.
    pub wire: bool,
    /// Draw the bones over a pale mesh.
    pub bones: bool,
    /// Show every facet.
    pub flat: bool,
    /// Tint faces seen from behind.
    pub back_faces: bool,
    /// Draw the voxels that binding works with instead of the skin.
    pub voxels: bool,
    /// Voxels along the longest side.
    pub resolution: ResolutionRequest,
    /// Cut the voxels open.
    pub slice: Option<Slice>,
    /// Pixels of each picture; 1280 × 720 for one and 480 × 640 for several if none.
    pub size: Option<PictureSize>,
}

impl Default for RenderRequest {
    fn default() -> Self {
        Self {
            assets: Vec::new(),
            output: None,
            moment: Moment::default(),
            skinning: Skinning::default(),
            frames: None,
            fps: None,
            turntable: false,
            view: ViewRequest::default(),
            at: None,
            zoom: 1.0,
            orthographic: false,
            joint: None,
            joints: false,
            wire: false,
            bones: false,
            flat: false,
            back_faces: false,
            voxels: false,
            resolution: ResolutionRequest::default(),
            slice: None,
            size: None,
        }
    }
}

/// What was drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RenderReport {
    /// The picture.
    pub output: PathBuf,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// How many pictures it shows, one after the other.
    pub pictures: usize,
    /// How long drawing took.
    pub milliseconds: f64,
    /// What the colours of voxels mean and how many there are, for each input.
    pub legends: Vec<String>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Opens and draws.
pub fn run(request: &RenderRequest, task: &Task<'_>) -> Result<RenderReport, AppError> {
    let assets: Vec<Asset> = request
        .assets
        .iter()
        .map(|asset| Asset::open(asset, task))
        .collect::<Result<_, _>>()?;
    run_on(&assets, request, task)
}

/// Draws what is open.
pub fn run_on(assets: &[Asset], request: &RenderRequest, task: &Task<'_>) -> Result<RenderReport, AppError> {
    refuse_nothing(assets.len(), request)?;
    let output = request.output.clone().unwrap_or_else(|| {
        let stem = assets.first().map_or_else(String::new, Asset::file_stem);
        let ending = if request.turntable { "apng" } else { "png" };
        PathBuf::from(format!("{stem}.{ending}"))
    });
    for asset in assets {
        asset.refuse_as_output(&output)?;
    }
    let start = task.now();
    if let Some(moving) = Moving::of(request, &output) {
        if request.voxels {
            return Err(AppError::bad_value(
                "voxels",
                "stand still; write them to a .png",
                "moving",
            ));
        }
        let film = film(request, assets, task)?;
        let time = task.now().saturating_sub(start);
        task.check()?;
        write_file(&output, &moving.encode(&film)?)?;
        return Ok(RenderReport {
            output,
            width: film.pictures[0].width,
            height: film.pictures[0].height,
            pictures: film.pictures.len(),
            milliseconds: time.as_secs_f64() * 1e3,
            legends: Vec::new(),
            file_warnings: warnings(assets),
        });
    }
    let (image, legends) = drawn(&assets.iter().collect::<Vec<_>>(), request, task)?;
    let time = task.now().saturating_sub(start);
    task.check()?;
    write_file(&output, &encode_png(&image)?)?;
    Ok(RenderReport {
        output,
        width: image.width,
        height: image.height,
        pictures: 1,
        milliseconds: time.as_secs_f64() * 1e3,
        legends,
        file_warnings: warnings(assets),
    })
}

/// Refuses what no picture can be made of.
fn refuse_nothing(assets: usize, request: &RenderRequest) -> Result<(), AppError> {
    if !(request.zoom.is_finite() && request.zoom > 0.0) {
        return Err(AppError::bad_value(
            "zoom",
            "is a factor greater than 0",
            request.zoom,
        ));
    }
    if assets == 0 {
        return Err(AppError::bad_value("assets", "are one or more", 0));
    }
    Ok(())
}

/// The picture, and what it says in words.
pub fn drawn(
    assets: &[&Asset],
    request: &RenderRequest,
    task: &Task<'_>,
) -> Result<(Image, Vec<String>), AppError> {
    refuse_nothing(assets.len(), request)?;
    if let Some(frames) = request.frames.filter(|&frames| frames > MOST_FRAMES) {
        return Err(AppError::bad_value(
            "frames",
            "of a contact sheet are 64 at most",
            frames,
        ));
    }
    let resolution = Resolution::try_from(request.resolution)?;
    let named = assets.len() > 1;
    let mut pictures: Vec<(Image, String)> = Vec::new();
    let mut legends = Vec::new();
    for (number, asset) in assets.iter().enumerate() {
        task.step("drawing", number as f32 / assets.len() as f32)?;
        if request.voxels {
            let drawn = draw::voxels(request, resolution, asset, named, task)?;
            legends.push(drawn.legend);
            pictures.push((drawn.image, drawn.caption));
        } else {
            pictures.extend(draw::skins(request, asset, named, task)?);
        }
    }
    let cells: Vec<Cell<'_>> = pictures
        .iter()
        .map(|(image, caption)| Cell { image, caption })
        .collect();
    let image = match cells.as_slice() {
        [only] => only.image.clone(),
        _ => sheet(
            &cells,
            &SheetOptions {
                columns: columns(request.frames.unwrap_or(1), assets.len()),
                ..SheetOptions::default()
            },
        )?,
    };
    Ok((image, legends))
}

/// What was found in the files, and textures that cannot be shown.
fn warnings(assets: &[Asset]) -> Vec<FileWarning> {
    let of_asset = |asset: &Asset| {
        let undrawn = asset.undrawn().into_iter();
        asset.warnings().into_iter().chain(undrawn).collect::<Vec<_>>()
    };
    assets.iter().flat_map(of_asset).collect()
}

/// A row for each file when frames are compared, else as square as can be.
fn columns(frames: usize, assets: usize) -> usize {
    if assets > 1 && frames > 1 {
        return frames;
    }
    let total = assets * frames;
    if total <= 6 {
        total
    } else {
        (total as f64).sqrt().ceil() as usize
    }
}
