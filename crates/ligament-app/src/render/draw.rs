//! The pictures of one input.

use glam::{DAffine3, Vec3};
use ligament::deform::Deformed;
use ligament::solid::Resolution;
use ligament::task::Task;
use ligament::{Character, Clip, Pose};
use ligament_render::{
    BackFaces, Camera, Image, Paint, Projection, RenderOptions, Samples, Scene, Shading, SkeletonOverlay,
    Style, Wire, joint_colors, render,
};

use super::paint::{Painted, find_joint};
use super::skin::Skin;
use super::voxels::voxel_picture;
use super::{PictureSize, RenderRequest};
use crate::AppError;
use crate::asset::Asset;

/// One picture of a file, or one for each frame, with captions.
pub fn skins(
    request: &RenderRequest,
    asset: &Asset,
    named: bool,
    task: &Task<'_>,
) -> Result<Vec<(Image, String)>, AppError> {
    let character = asset.character();
    character.mesh.check()?;
    let frames = request.frames.unwrap_or(1);
    let clip = request.moment.clip(character, frames > 1)?;
    let clip = clip.as_deref();
    let poses = poses(request, character, clip, frames);
    let skin = Skin::new(request.skinning, asset, clip.is_some())?;
    let deformed: Vec<Deformed> = poses
        .iter()
        .map(|(pose, _)| skin.deform(character, pose))
        .collect::<Result<_, _>>()?;

    let colors = joint_colors(&character.skeleton);
    let painted = Painted::new(request, asset, &colors)?;
    let (size, options) = picture_size(request, named);
    let everything: Vec<Vec3> = deformed
        .iter()
        .flat_map(|d| d.positions.iter().copied())
        .collect();
    let world_from_joint = poses[0].0.world_from_joints(&character.skeleton);
    let fit = camera(request, character, &world_from_joint, &everything, size)?;

    let mut pictures = Vec::new();
    for ((pose, time), deformed) in poses.iter().zip(&deformed) {
        task.check()?;
        let world_from_joint: Vec<DAffine3> = pose.world_from_joints(&character.skeleton);
        let scene = Scene {
            normals: Some(&deformed.normals),
            paint: painted.paint(),
            skeleton: request.bones.then(|| SkeletonOverlay {
                highlight: painted.joint,
                colors: request.joints.then_some(colors.as_slice()),
                ..SkeletonOverlay::new(&character.skeleton, &world_from_joint)
            }),
            style: style(request),
            ..Scene::of_pose(&character.mesh, deformed)
        };
        let image = render(&scene, &fit, &options)?;
        pictures.push((image, caption(character, clip, *time, named, frames)));
    }
    Ok(pictures)
}

/// A picture of voxels.
pub struct DrawnVoxels {
    pub image: Image,
    pub caption: String,
    pub legend: String,
}

/// The voxels of a file in its bind pose.
pub fn voxels(
    request: &RenderRequest,
    resolution: Resolution,
    asset: &Asset,
    named: bool,
    task: &Task<'_>,
) -> Result<DrawnVoxels, AppError> {
    let character = asset.character();
    character.mesh.check()?;
    let (forward, _) = request.view.0.forward_and_up();
    let picture = voxel_picture(character, resolution, request.slice, forward, task)?;
    let (size, options) = picture_size(request, named);
    let world_from_joint: Vec<DAffine3> = (character.skeleton.joints.iter())
        .map(|j| j.bind_from_joint)
        .collect();
    // Framed by the mesh, so that a cut stays where the whole was.
    let fit = camera(
        request,
        character,
        &world_from_joint,
        &character.mesh.positions,
        size,
    )?;
    let scene = Scene {
        paint: Paint::Colors(&picture.colors),
        skeleton: request
            .bones
            .then(|| SkeletonOverlay::new(&character.skeleton, &world_from_joint)),
        style: Style {
            shading: Shading::Flat,
            ..style(request)
        },
        ..Scene::of_mesh(&picture.mesh)
    };
    Ok(DrawnVoxels {
        image: render(&scene, &fit, &options)?,
        caption: caption(character, None, None, named, 1),
        legend: picture.legend,
    })
}

pub(super) fn picture_size(request: &RenderRequest, named: bool) -> (PictureSize, RenderOptions) {
    let several = request.frames.is_some() || named;
    let (width, height) = if several { (480, 640) } else { (1280, 720) };
    let size = request.size.unwrap_or(PictureSize { width, height });
    let options = RenderOptions {
        width: size.width,
        height: size.height,
        samples: Samples::Eight,
    };
    (size, options)
}

fn poses(
    request: &RenderRequest,
    character: &Character,
    clip: Option<&Clip>,
    frames: usize,
) -> Vec<(Pose, Option<f32>)> {
    match clip {
        Some(clip) if frames > 1 => {
            let (start, end) = clip.span_secs();
            let at = |i: usize| start + (end - start) * i as f32 / (frames - 1) as f32;
            (0..frames)
                .map(|i| (clip.pose_at(&character.skeleton, at(i)), Some(at(i))))
                .collect()
        }
        _ => vec![(request.moment.pose(character, clip), None)],
    }
}

pub(super) fn caption(
    character: &Character,
    clip: Option<&Clip>,
    time: Option<f32>,
    named: bool,
    frames: usize,
) -> String {
    let mut words = Vec::new();
    if named {
        words.push(character.name.clone());
    }
    if let (Some(clip), true) = (clip, frames > 1) {
        words.push(format!("{} {:.2} s", clip.name, time.unwrap_or(0.0)));
    }
    words.join(": ")
}

pub(super) fn style(request: &RenderRequest) -> Style {
    // Weights are looked at through their colours: a pale mesh would hide them.
    let shows_weights = request.joints || request.joint.is_some();
    let base = if request.bones && !shows_weights {
        Style::ghost()
    } else {
        Style::default()
    };
    Style {
        shading: if request.flat {
            Shading::Flat
        } else {
            Shading::Smooth
        },
        back_faces: if request.back_faces {
            BackFaces::Tint
        } else {
            BackFaces::Plain
        },
        wire: request.wire.then(Wire::default),
        ..base
    }
}

pub(super) fn camera(
    request: &RenderRequest,
    character: &Character,
    world_from_joint: &[DAffine3],
    everything: &[Vec3],
    size: PictureSize,
) -> Result<Camera, AppError> {
    let view = request.view.0;
    let projection = if request.orthographic {
        Projection::ORTHOGRAPHIC
    } else {
        Projection::PERSPECTIVE
    };
    let bounds = |from: Vec3| {
        everything
            .iter()
            .fold((from, from), |(l, h), &p| (l.min(p), h.max(p)))
    };
    if let Some(name) = &request.at {
        let joint = find_joint(character, name)?;
        let at = world_from_joint[joint.at()].translation.as_vec3();
        let (low, high) = bounds(at);
        let height = (high - low).length() / 4.0 / request.zoom;
        return Ok(Camera::close_up(at, height, view, projection));
    }
    if request.zoom != 1.0 {
        let middle = everything.iter().sum::<Vec3>() / everything.len().max(1) as f32;
        let (low, high) = bounds(middle);
        let height = (high - low).length() / request.zoom;
        return Ok(Camera::close_up(0.5 * (low + high), height, view, projection));
    }
    let aspect = size.width as f32 / size.height.max(1) as f32;
    Ok(Camera::fit(everything, view, projection, aspect, 0.06))
}
