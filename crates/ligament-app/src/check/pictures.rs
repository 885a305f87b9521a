//! Pictures of the worst regions: the skin in the worst frame, as it looks and with the
//! measure painted on.

use std::path::{Path, PathBuf};

use ligament::deform::SkinnedMesh;
use ligament::measure::{MeasureOptions, RegionVerdict, Report, Verdict};
use ligament::task::Task;
use ligament::{Character, Pose, Weights};
use ligament_io::atomic::write_file;
use ligament_render::{
    Cell, Image, Paint, Ramp, RenderOptions, Samples, Scene, Style, Wire, encode_png, render, side_by_side,
};

use crate::AppError;
use crate::close_up::{CLAY, clear_view, close_up};
use crate::words::title;

/// Pixels of each of the two pictures.
const SIDE: u32 = 560;

/// Draws the worst regions that are not sound; returns the files.
pub fn draw(
    character: &Character,
    weights: &Weights,
    report: &Report,
    options: &MeasureOptions,
    worst: usize,
    folder: &Path,
    task: &Task<'_>,
) -> Result<Vec<PathBuf>, AppError> {
    let unsound = report.regions.iter().filter(|r| r.verdict != Verdict::Sound);
    let regions: Vec<&RegionVerdict> = unsound.take(worst).collect();
    if regions.is_empty() {
        return Ok(Vec::new());
    }
    std::fs::create_dir_all(folder).map_err(|source| AppError::Folders {
        path: folder.to_owned(),
        source,
    })?;
    let (frames, _) = options.frames_for(character);
    let skin = SkinnedMesh::new(&character.mesh, weights)?;
    let rest = Pose::rest(&character.skeleton);
    let mut files = Vec::new();
    for region in &regions {
        task.step("drawing", files.len() as f32 / regions.len() as f32)?;
        let frame = region.frame.as_ref().and_then(|f| frames.get(f.number));
        let pose = frame.map_or(&rest, |frame| &frame.pose);
        let image = region_picture(character, &skin, report, region, pose)?;
        let file = folder.join(file_name(files.len() + 1, region));
        write_file(&file, &encode_png(&image)?)?;
        files.push(file);
    }
    Ok(files)
}

fn file_name(number: usize, region: &RegionVerdict) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let name: String = region.name.chars().map(plain).collect();
    format!("{number:02}_{name}_{}.png", region.worst.name())
}

fn region_picture(
    character: &Character,
    skin: &SkinnedMesh,
    report: &Report,
    region: &RegionVerdict,
    pose: &Pose,
) -> Result<Image, AppError> {
    let deformed = skin.linear_blend(&pose.world_from_bind(&character.skeleton))?;
    let spot = region.vertex as usize;
    let view = clear_view(&character.mesh.triangles, &deformed, spot);
    let camera = close_up(deformed.positions[spot], &deformed.positions, view);
    let map = report.maps.of(region.worst);
    // The spot that is shown has the brightest colour.
    let full = map.get(spot).copied().unwrap_or(0.0).max(f32::MIN_POSITIVE);
    let values: Vec<f32> = map.iter().map(|v| v / full).collect();
    let options = RenderOptions {
        width: SIDE,
        height: SIDE,
        samples: Samples::Eight,
    };
    let clay = vec![CLAY; deformed.positions.len()];
    let plain = Scene {
        paint: Paint::Colors(&clay),
        style: Style {
            wire: Some(Wire::default()),
            ground_shadow: 0.0,
            ..Style::default()
        },
        ..Scene::of_pose(&character.mesh, &deformed)
    };
    let painted = Scene {
        paint: Paint::Scalar {
            values: &values,
            ramp: Ramp::Even,
        },
        style: Style {
            wire: None,
            ..plain.style
        },
        ..plain
    };
    let (left, right) = (
        render(&plain, &camera, &options)?,
        render(&painted, &camera, &options)?,
    );
    // The pictures' font is ASCII.
    let frame = region.frame.as_ref().map_or("at rest", |f| f.name.as_str());
    let value = region.findings.first().map_or(0.0, |f| f.severity);
    let measure = format!("{}: {:.1} times its limit", title(region.worst), value);
    let captions = [format!("{}, {frame}", region.name), measure].map(|c| c.replace('°', " deg"));
    Ok(side_by_side(&[
        Cell {
            image: &left,
            caption: &captions[0],
        },
        Cell {
            image: &right,
            caption: &captions[1],
        },
    ])?)
}
