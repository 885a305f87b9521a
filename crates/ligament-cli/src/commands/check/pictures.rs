//! Pictures of the worst places: the skin in the worst frame, as it looks and with the
//! measure painted on.

use std::path::{Path, PathBuf};

use anyhow::Context;
use ligament::deform::SkinnedMesh;
use ligament::measure::{MeasureOptions, RegionVerdict, Report, Verdict};
use ligament::motion;
use ligament::{Character, Pose, Weights};
use ligament_io::atomic::write_file;
use ligament_render::{
    Camera, Cell, Image, Paint, Projection, Ramp, RenderOptions, Samples, Scene, Style, View, Wire,
    encode_png, render, side_by_side,
};

use super::table::title;

/// Pixels of each of the two pictures.
const SIDE: u32 = 560;
/// How much of the character a picture shows, as a share of the diagonal.
const SHOWN: f32 = 0.3;
/// The linear colour of the left picture.
const CLAY: [f32; 3] = [0.55, 0.5, 0.45];
/// The steepest look from above or below, in radians.
const STEEPEST: f32 = 0.6;

/// Draws the worst places that are not sound; returns the files.
pub fn draw(
    character: &Character,
    weights: &Weights,
    report: &Report,
    options: &MeasureOptions,
    worst: usize,
    folder: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let regions: Vec<&RegionVerdict> = report
        .regions
        .iter()
        .filter(|r| r.verdict != Verdict::Sound)
        .take(worst)
        .collect();
    if regions.is_empty() {
        return Ok(Vec::new());
    }
    std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let frames = motion::frames(character, options.motion, options.frames, &options.joint_limits);
    let skin = SkinnedMesh::new(&character.mesh, weights)?;
    let mut files = Vec::new();
    for (number, region) in regions.into_iter().enumerate() {
        let frame = region.frame.as_ref().and_then(|f| frames.get(f.number));
        let rest;
        let pose = match frame {
            Some(frame) => &frame.pose,
            None => {
                rest = Pose::rest(&character.skeleton);
                &rest
            }
        };
        let image = place(character, &skin, report, region, pose)?;
        let name: String = region
            .name
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let file = folder.join(format!("{:02}_{name}_{}.png", number + 1, region.worst.name()));
        write_file(&file, &encode_png(&image)?).with_context(|| format!("writing {}", file.display()))?;
        files.push(file);
    }
    Ok(files)
}

fn place(
    character: &Character,
    skin: &SkinnedMesh,
    report: &Report,
    region: &RegionVerdict,
    pose: &Pose,
) -> anyhow::Result<Image> {
    let deformed = skin.linear_blend(&pose.world_from_bind(&character.skeleton))?;
    let spot = region.vertex as usize;
    let normal = deformed.normals[spot];
    let view = View::Angles {
        yaw: normal.x.atan2(normal.z),
        pitch: normal.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST),
    };
    let (low, high) = deformed.positions.iter().fold(
        (deformed.positions[spot], deformed.positions[spot]),
        |(low, high), &p| (low.min(p), high.max(p)),
    );
    let height = SHOWN * (high - low).length();
    // Without perspective nothing in front of the spot grows and hides it.
    let camera = Camera::close_up(deformed.positions[spot], height, view, Projection::ORTHOGRAPHIC);
    let map = report.maps.of(region.worst);
    // The spot that is shown has the brightest colour.
    let full = map.get(spot).copied().unwrap_or(0.0).max(f32::MIN_POSITIVE);
    let values: Vec<f32> = map.iter().map(|v| v / full).collect();
    let options = RenderOptions {
        width: SIDE,
        height: SIDE,
        samples: Samples::Eight,
    };
    // Plain clay: textures are not shown, and a black material would hide the shape.
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
