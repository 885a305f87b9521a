//! The pictures of a comparison: the same poses, sides and regions for every contender.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::Vec3;
use ligament::deform::{Deformed, SkinnedMesh};
use ligament::measure::MeasureOptions;
use ligament::motion::Frame;
use ligament::task::Task;
use ligament::{Character, Mesh, Pose};
use ligament_render::{
    BackFaces, Background, Camera, Paint, Pictures, Projection, RenderOptions, Samples, Scene, Style, View,
    Wire, encode_png_small, joint_colors, render, srgb, weight_colors,
};

use super::conclusion::Conclusion;
use super::contender::{Contender, Origin};
use super::worst_regions::{WorstRegion, worst_regions};
use crate::AppError;
use crate::close_up::{CLAY, clear_view, close_up};
use crate::words::title;

/// Pixels across a picture; pages show it at half that size or a little more.
const ACROSS: u32 = 440;
/// How tall and how wide a picture may be, as width over height.
const ASPECTS: (f32, f32) = (0.7, 1.35);
/// Pixels of a close-up.
const CLOSE: (u32, u32) = (ACROSS, ACROSS);
/// How many poses are shown.
const POSES: usize = 5;
/// Of all vertices as many are looked at to tell poses apart.
const PROBES: usize = 400;

/// A row of pictures, one for each contender.
pub struct Row {
    /// What it shows.
    pub caption: String,
    /// A second line.
    pub detail: String,
    /// `data:` addresses of the pictures.
    pub pictures: Vec<String>,
    /// Their width and height.
    pub size: (u32, u32),
}

/// A region that is wrong in some contender.
pub struct RegionRow {
    pub worst: WorstRegion,
    /// The skin, with its edges.
    pub shape: Row,
    /// The measure painted on.
    pub painted: Row,
}

/// All pictures of a page.
pub struct Gallery {
    pub poses: Vec<Row>,
    pub weights: Vec<Row>,
    pub regions: Vec<RegionRow>,
}

impl Gallery {
    pub fn draw(
        character: &Character,
        contenders: &[Contender],
        conclusion: &Conclusion,
        options: &MeasureOptions,
        worst: usize,
        task: &Task<'_>,
    ) -> Result<Self, AppError> {
        let (frames, _) = options.frames_for(character);
        let skins: Vec<SkinnedMesh> = contenders
            .iter()
            .map(|c| SkinnedMesh::new(&character.mesh, &c.weights))
            .collect::<Result<_, _>>()?;
        // Whose skin says where the camera goes: the file's own, else the best.
        let guide = contenders
            .iter()
            .position(|c| c.origin == Origin::File)
            .or(conclusion.best())
            .unwrap_or(0);
        let artist = Artist {
            character,
            contenders,
            skins,
            guide,
            skin_alone: skin_alone(&character.mesh),
            textures: Pictures::of(&character.mesh),
        };
        task.step("drawing", 0.1)?;
        let poses = artist.poses(&frames)?;
        task.step("drawing", 0.4)?;
        let weights = artist.weights()?;
        let mut regions = Vec::new();
        for region in worst_regions(contenders, worst) {
            task.step("drawing", 0.6 + 0.4 * regions.len() as f32 / worst as f32)?;
            regions.push(artist.region(region, &frames)?);
        }
        Ok(Self {
            poses,
            weights,
            regions,
        })
    }
}

struct Artist<'a> {
    character: &'a Character,
    contenders: &'a [Contender],
    skins: Vec<SkinnedMesh>,
    guide: usize,
    /// The mesh without what joints carry as one piece, which hides skin and has no weights.
    skin_alone: Mesh,
    textures: Pictures,
}

impl Artist<'_> {
    /// The skin of every contender in a pose.
    fn posed(&self, pose: &Pose) -> Result<Vec<Deformed>, AppError> {
        let world_from_bind = pose.world_from_bind(&self.character.skeleton);
        let posed = self.skins.iter().map(|skin| skin.linear_blend(&world_from_bind));
        Ok(posed.collect::<Result<_, _>>()?)
    }

    fn poses(&self, frames: &[Frame]) -> Result<Vec<Row>, AppError> {
        let mut probes = Vec::new();
        for frame in frames {
            let world_from_bind = frame.pose.world_from_bind(&self.character.skeleton);
            let posed = self.skins[self.guide].linear_blend(&world_from_bind)?;
            probes.push(probe(&posed.positions));
        }
        let mut rows = Vec::new();
        for number in most_different(&probes, POSES) {
            let frame = &frames[number];
            let posed = self.posed(&frame.pose)?;
            let view = View::Angles {
                yaw: 0.45,
                pitch: 0.14,
            };
            let (camera, size) = framed(&posed[self.guide].positions, view);
            let clay = vec![CLAY; self.character.mesh.positions.len()];
            let pictures = posed
                .iter()
                .map(|deformed| {
                    let scene = Scene {
                        // As its artist made it; what has no textures is easier to judge in clay.
                        paint: if self.textures.is_empty() {
                            Paint::Colors(&clay)
                        } else {
                            Paint::Textured(&self.textures)
                        },
                        style: STYLE,
                        ..Scene::of_pose(&self.character.mesh, deformed)
                    };
                    picture(&scene, &camera, size)
                })
                .collect::<Result<_, _>>()?;
            rows.push(Row {
                caption: frame.name.clone(),
                detail: format!("frame {} of {}", number + 1, frames.len()),
                pictures,
                size,
            });
        }
        Ok(rows)
    }

    fn weights(&self) -> Result<Vec<Row>, AppError> {
        let colors = joint_colors(&self.character.skeleton);
        let rest = self.posed(&Pose::rest(&self.character.skeleton))?;
        let mut rows = Vec::new();
        for (caption, view) in [
            (
                "from the front",
                View::Angles {
                    yaw: 0.0,
                    pitch: 0.06,
                },
            ),
            (
                "from behind",
                View::Angles {
                    yaw: std::f32::consts::PI,
                    pitch: 0.06,
                },
            ),
        ] {
            let (camera, size) = framed(&rest[self.guide].positions, view);
            let pictures = self
                .contenders
                .iter()
                .zip(&rest)
                .map(|(contender, deformed)| {
                    let painted = weight_colors(&contender.weights, &colors);
                    let scene = Scene {
                        paint: Paint::Colors(&painted),
                        style: STYLE,
                        ..Scene::of_pose(&self.character.mesh, deformed)
                    };
                    picture(&scene, &camera, size)
                })
                .collect::<Result<_, _>>()?;
            rows.push(Row {
                caption: caption.to_owned(),
                detail: "rest pose".to_owned(),
                pictures,
                size,
            });
        }
        Ok(rows)
    }

    /// One region in the frame in which it is worst, the same for all.
    fn region(&self, worst: WorstRegion, frames: &[Frame]) -> Result<RegionRow, AppError> {
        let region = worst.of(&self.contenders[worst.contender]);
        let (measure, spot, frame) = match region {
            Some(r) => (
                r.worst,
                r.vertex as usize,
                r.frame.as_ref().and_then(|f| frames.get(f.number)),
            ),
            None => (ligament::measure::Measure::Stretch, 0, None),
        };
        let rest = Pose::rest(&self.character.skeleton);
        let posed = self.posed(frame.map_or(&rest, |f| &f.pose))?;
        // In the middle of where the contenders put the spot, so that none of them is lost.
        let middle = middle_of(posed.iter().map(|d| d.positions[spot]));
        let view = clear_view(&self.skin_alone.triangles, &posed[worst.contender], spot);
        let camera = close_up(middle, &posed[self.guide].positions, view);
        // One scale for all: the largest value of any contender at the region is brightest.
        let largest = |c: &Contender| {
            let vertex = worst.of(c).map_or(spot, |r| r.vertex as usize);
            c.report.maps.of(measure).get(vertex).copied().unwrap_or(0.0)
        };
        let full = self
            .contenders
            .iter()
            .map(largest)
            .fold(f32::MIN_POSITIVE, f32::max);
        let clay = vec![CLAY; self.character.mesh.positions.len()];
        let (mut shapes, mut painted) = (Vec::new(), Vec::new());
        for (contender, deformed) in self.contenders.iter().zip(&posed) {
            let shape = Scene {
                paint: Paint::Colors(&clay),
                style: Style {
                    wire: Some(Wire::default()),
                    ground_shadow: 0.0,
                    ..STYLE
                },
                ..Scene::of_pose(&self.skin_alone, deformed)
            };
            let map = contender.report.maps.of(measure);
            let glow: Vec<[f32; 3]> = map.iter().map(|v| glowing(v / full)).collect();
            let colored = Scene {
                paint: Paint::Colors(&glow),
                style: Style {
                    wire: None,
                    ..shape.style
                },
                ..shape
            };
            shapes.push(picture(&shape, &camera, CLOSE)?);
            painted.push(picture(&colored, &camera, CLOSE)?);
        }
        let when = frame.map_or("at rest".to_owned(), |f| f.name.clone());
        let row = |detail: String, pictures| Row {
            caption: worst.name.clone(),
            detail,
            pictures,
            size: CLOSE,
        };
        Ok(RegionRow {
            shape: row(when, shapes),
            painted: row(title(measure).to_owned(), painted),
            worst,
        })
    }
}

/// The mesh with the faces of carried parts shrunk to points; vertices keep their numbers.
fn skin_alone(mesh: &Mesh) -> Mesh {
    let carried = mesh.rigid_joint_of_vertices();
    let mut skin = mesh.clone();
    for triangle in &mut skin.triangles {
        if carried[triangle[0] as usize].is_some() {
            *triangle = [triangle[0]; 3];
        }
    }
    skin
}

/// Nothing behind: the page has a light and a dark side.
const STYLE: Style = Style {
    shading: ligament_render::Shading::Smooth,
    back_faces: BackFaces::Plain,
    wire: None,
    opacity: 1.0,
    ground_shadow: 0.35,
    background: Background::Transparent,
};

fn picture(scene: &Scene<'_>, camera: &Camera, (width, height): (u32, u32)) -> Result<String, AppError> {
    let options = RenderOptions {
        width,
        height,
        samples: Samples::Eight,
    };
    let png = encode_png_small(&render(scene, camera, &options)?)?;
    Ok(format!("data:image/png;base64,{}", STANDARD.encode(png)))
}

/// A camera that sees all points, and a picture of the shape that they need.
fn framed(points: &[Vec3], view: View) -> (Camera, (u32, u32)) {
    let (forward, up) = view.forward_and_up();
    let right = forward.cross(up);
    let extent = |axis: Vec3| {
        let along = || points.iter().map(|p| p.dot(axis)).filter(|x| x.is_finite());
        (along().fold(f32::NEG_INFINITY, f32::max) - along().fold(f32::INFINITY, f32::min)).max(1e-6)
    };
    let aspect = (extent(right) / extent(up)).clamp(ASPECTS.0, ASPECTS.1);
    let size = (ACROSS, (ACROSS as f32 / aspect) as u32);
    let aspect = size.0 as f32 / size.1 as f32;
    (
        Camera::fit(points, view, Projection::PERSPECTIVE, aspect, 0.05),
        size,
    )
}

/// From clay over amber to a deep red: what is wrong glows, and the shape stays visible.
fn glowing(value: f32) -> [f32; 3] {
    let stops = [CLAY, srgb([0xf2, 0xa9, 0x2b]), srgb([0xd9, 0x2b, 0x2b])].map(Vec3::from);
    let t = 2.0 * value.clamp(0.0, 1.0);
    let k = (t as usize).min(1);
    stops[k].lerp(stops[k + 1], t - k as f32).into()
}

/// The middle one along each axis, so that one that flew off does not matter.
fn middle_of(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let points: Vec<Vec3> = points.filter(|p| p.is_finite()).collect();
    let middle = |axis: usize| {
        let mut values: Vec<f32> = points.iter().map(|p| p[axis]).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    Vec3::new(middle(0), middle(1), middle(2))
}

/// A few of the points about their middle: what a pose looks like, wherever it stands.
fn probe(positions: &[Vec3]) -> Vec<Vec3> {
    let step = positions.len().div_ceil(PROBES).max(1);
    let some: Vec<Vec3> = positions.iter().copied().step_by(step).collect();
    let middle = some.iter().copied().sum::<Vec3>() / some.len().max(1) as f32;
    some.iter().map(|&p| p - middle).collect()
}

/// The numbers of poses that differ most from each other, in ascending order: the one
/// furthest from the mean of all first, then always the one furthest from those chosen.
fn most_different(poses: &[Vec<Vec3>], count: usize) -> Vec<usize> {
    let apart =
        |a: &[Vec3], b: &[Vec3]| -> f32 { a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum() };
    let Some(first) = poses.first() else {
        return Vec::new();
    };
    let mean: Vec<Vec3> = (0..first.len())
        .map(|k| poses.iter().map(|p| p[k]).sum::<Vec3>() / poses.len() as f32)
        .collect();
    let mut nearest: Vec<f32> = poses.iter().map(|p| apart(p, &mean)).collect();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < count.min(poses.len()) {
        let mut next = None;
        for (number, &distance) in nearest.iter().enumerate() {
            if !chosen.contains(&number) && next.is_none_or(|n: usize| distance > nearest[n]) {
                next = Some(number);
            }
        }
        let Some(next) = next else { break };
        for (number, pose) in poses.iter().enumerate() {
            let distance = apart(pose, &poses[next]);
            nearest[number] = if chosen.is_empty() {
                distance
            } else {
                nearest[number].min(distance)
            };
        }
        chosen.push(next);
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_that_differ_are_chosen() {
        let pose = |x: f32| vec![Vec3::new(x, 0.0, 0.0), Vec3::ZERO];
        let poses = [pose(0.0), pose(0.1), pose(5.0), pose(5.1), pose(-3.0)];
        // The furthest from the mean, the furthest from that, and the furthest from both.
        assert_eq!(most_different(&poses, 3), [1, 3, 4]);
        assert_eq!(most_different(&poses, 9).len(), 5);
        assert!(most_different(&[], 3).is_empty());
    }

    #[test]
    fn one_that_flew_off_does_not_move_the_middle() {
        let points = [Vec3::ZERO, Vec3::splat(0.1), Vec3::splat(1e9), Vec3::NAN];
        assert_eq!(middle_of(points.into_iter()), Vec3::splat(0.1));
    }
}
