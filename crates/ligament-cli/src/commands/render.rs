//! `ligament render`: pictures of characters.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use glam::{DAffine3, Vec3};
use ligament::deform::{DeformMethod, Deformed, DeltaMush, DeltaMushOptions, SkinnedMesh};
use ligament::{Character, Clip, JointIndex, Pose, Weights};
use ligament_io::atomic::write_file;
use ligament_render::{
    BackFaces, Camera, Cell, Image, Paint, Projection, Ramp, RenderOptions, Samples, Scene, Shading,
    SheetOptions, SkeletonOverlay, Style, View, Wire, encode_png, joint_colors, joint_weights, render, sheet,
    weight_colors,
};

use crate::Outcome;
use crate::console::{Console, milliseconds};
use crate::motion::MotionArgs;
use crate::source::{RigArgs, Source};
use crate::voxel_args::parse_resolution;
use crate::voxel_picture::{Slice, voxel_picture};

/// Draw a character to a PNG: shaded, its bones, its weights, its motion
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament render hero.glb
  ligament render hero.glb --joints --bones               who moves what
  ligament render hero.glb --joint LeftArm --view back    one joint's weights
  ligament render bound.glb --clip walk --frames 8        a contact sheet
  ligament render artist.glb bound.glb --clip walk        side by side
  ligament render bound.glb --clip walk --at LeftArm --zoom 4   see the armpit
  ligament render hero.glb --voxels --slice z=0.5 --view front  the inside, as binding sees it")]
pub struct Args {
    /// Files of any format, or sample:NAME; several stand side by side
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Where to write [default: INPUT's name with .png, here]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    rig: RigArgs,
    #[command(flatten)]
    motion: MotionArgs,
    /// Pictures over the clip, from its start to its end, as a contact sheet
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    frames: Option<u16>,
    /// front, back, left, right, three-quarter, top, or YAW,PITCH in degrees
    #[arg(long, default_value = "three-quarter", allow_hyphen_values = true)]
    view: ViewArg,
    /// Look at this joint instead of the whole character
    #[arg(long, value_name = "JOINT")]
    at: Option<String>,
    /// How much nearer; with --at, 1 shows a quarter of the character
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    zoom: f32,
    /// Without perspective
    #[arg(long)]
    orthographic: bool,
    /// Colour by this joint's weights
    #[arg(long, value_name = "JOINT", conflicts_with = "joints")]
    joint: Option<String>,
    /// Colour by all joints' weights, a colour for each
    #[arg(long)]
    joints: bool,
    /// Draw the edges
    #[arg(long)]
    wire: bool,
    /// Draw the bones over a pale mesh
    #[arg(long)]
    bones: bool,
    /// Show every facet
    #[arg(long)]
    flat: bool,
    /// Tint faces seen from behind, so that shells turned inside out can be seen
    #[arg(long)]
    back_faces: bool,
    /// Draw the voxels that binding works with: boundary grey, interior blue, violet where winding
    /// numbers decided, bones orange
    #[arg(long, conflicts_with_all = ["clip", "time", "frames", "joint", "joints", "back_faces"])]
    voxels: bool,
    /// Voxels along the longest side, 32 to 1024, or auto
    #[arg(long, default_value = "auto", value_name = "N", requires = "voxels")]
    resolution: String,
    /// Cut the voxels open at a share of their box, as in x=0.5; the side towards the viewer goes
    #[arg(long, value_name = "AXIS=SHARE", requires = "voxels")]
    slice: Option<Slice>,
    /// Pixels of each picture [default: 1280x720 for one, 480x640 for several]
    #[arg(long, value_name = "WxH")]
    size: Option<SizeArg>,
}

#[derive(Clone, Copy)]
struct ViewArg(View);

impl FromStr for ViewArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let view = match text {
            "front" => View::Front,
            "back" => View::Back,
            "left" => View::Left,
            "right" => View::Right,
            "three-quarter" => View::ThreeQuarter,
            "top" => View::Top,
            _ => {
                let angles = text.split_once(',').and_then(|(yaw, pitch)| {
                    let number = |t: &str| t.trim().parse::<f32>().ok().filter(|x| x.is_finite());
                    Some((number(yaw)?, number(pitch)?))
                });
                let (yaw, pitch) =
                    angles.ok_or("use front, back, left, right, three-quarter, top, or YAW,PITCH")?;
                View::Angles {
                    yaw: yaw.to_radians(),
                    pitch: pitch.to_radians(),
                }
            }
        };
        Ok(Self(view))
    }
}

#[derive(Clone, Copy)]
struct SizeArg {
    width: u32,
    height: u32,
}

impl FromStr for SizeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text
            .split_once(['x', '×'])
            .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        let (width, height) = sides.ok_or("use WIDTHxHEIGHT in pixels, such as 1280x720")?;
        Ok(Self { width, height })
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    if !(args.zoom.is_finite() && args.zoom > 0.0) {
        bail!("--zoom is a factor greater than 0; got {}", args.zoom);
    }
    let sources: Vec<Source> = args
        .inputs
        .iter()
        .map(|i| Source::open(i, &args.rig, console))
        .collect::<Result<_, _>>()?;
    let output = match &args.output {
        Some(path) => path.clone(),
        None => PathBuf::from(format!(
            "{}.png",
            sources[0].character().name.replace(['@', '/'], "-")
        )),
    };

    let start = Instant::now();
    let mut pictures: Vec<(Image, String)> = Vec::new();
    for source in &sources {
        pictures.extend(if args.voxels {
            vec![picture_of_voxels(args, source, sources.len() > 1, console)?]
        } else {
            pictures_of(args, source, sources.len() > 1)?
        });
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
                columns: columns(args, sources.len()),
                ..SheetOptions::default()
            },
        )?,
    };
    let drawn = start.elapsed();
    let bytes = encode_png(&image)?;
    write_file(&output, &bytes).with_context(|| format!("writing {}", output.display()))?;
    console.note(format_args!(
        "{} × {} pixels in {}; wrote {}",
        image.width,
        image.height,
        milliseconds(drawn),
        output.display()
    ));
    Ok(Outcome::Sound)
}

/// A row for each file when frames are compared, else as square as can be.
fn columns(args: &Args, sources: usize) -> usize {
    let frames = args.frames.map_or(1, usize::from);
    if sources > 1 && frames > 1 {
        return frames;
    }
    let total = sources * frames;
    if total <= 6 {
        total
    } else {
        (total as f64).sqrt().ceil() as usize
    }
}

/// One picture of a file, or one for each frame, with captions.
fn pictures_of(args: &Args, source: &Source, named: bool) -> anyhow::Result<Vec<(Image, String)>> {
    let character = source.character();
    character.mesh.check()?;
    let frames = args.frames.map_or(1, usize::from);
    let clip = args.motion.clip(character, frames > 1)?;
    let poses = poses(args, character, clip, frames);
    let skin = Skin::new(args, source, clip.is_some())?;
    let deformed: Vec<Deformed> = poses
        .iter()
        .map(|(pose, _)| skin.deform(character, pose))
        .collect::<Result<_, _>>()?;

    let colors = joint_colors(&character.skeleton);
    let painted = Painted::new(args, source, &colors)?;
    let (size, options) = picture_size(args, named);
    let everything: Vec<Vec3> = deformed
        .iter()
        .flat_map(|d| d.positions.iter().copied())
        .collect();
    let world_from_joint = poses[0].0.world_from_joints(&character.skeleton);
    let fit = camera(args, character, &world_from_joint, &everything, size)?;

    let mut pictures = Vec::new();
    for ((pose, time), deformed) in poses.iter().zip(&deformed) {
        let world_from_joint: Vec<DAffine3> = pose.world_from_joints(&character.skeleton);
        let scene = Scene {
            normals: Some(&deformed.normals),
            paint: painted.paint(),
            skeleton: args.bones.then(|| SkeletonOverlay {
                highlight: painted.joint,
                colors: args.joints.then_some(colors.as_slice()),
                ..SkeletonOverlay::new(&character.skeleton, &world_from_joint)
            }),
            style: style(args),
            ..Scene::of_pose(&character.mesh, deformed)
        };
        let image = render(&scene, &fit, &options)?;
        pictures.push((image, caption(character, clip, *time, named, frames)));
    }
    Ok(pictures)
}

fn picture_size(args: &Args, named: bool) -> (SizeArg, RenderOptions) {
    let several = args.frames.is_some() || named;
    let size = args.size.unwrap_or(if several {
        SizeArg {
            width: 480,
            height: 640,
        }
    } else {
        SizeArg {
            width: 1280,
            height: 720,
        }
    });
    let options = RenderOptions {
        width: size.width,
        height: size.height,
        samples: Samples::Eight,
    };
    (size, options)
}

/// The voxels of a file in its bind pose.
fn picture_of_voxels(
    args: &Args,
    source: &Source,
    named: bool,
    console: &Console,
) -> anyhow::Result<(Image, String)> {
    let character = source.character();
    character.mesh.check()?;
    let resolution = parse_resolution(&args.resolution)?;
    let (forward, _) = args.view.0.forward_and_up();
    let picture =
        console.with_task(|task| voxel_picture(character, resolution, args.slice, forward, task))?;
    console.note(&picture.legend);
    let (size, options) = picture_size(args, named);
    let world_from_joint: Vec<DAffine3> = (character.skeleton.joints.iter())
        .map(|j| j.bind_from_joint)
        .collect();
    // Framed by the mesh, so that a cut stays where the whole was.
    let fit = camera(
        args,
        character,
        &world_from_joint,
        &character.mesh.positions,
        size,
    )?;
    let scene = Scene {
        paint: Paint::Colors(&picture.colors),
        skeleton: args
            .bones
            .then(|| SkeletonOverlay::new(&character.skeleton, &world_from_joint)),
        style: Style {
            shading: Shading::Flat,
            ..style(args)
        },
        ..Scene::of_mesh(&picture.mesh)
    };
    let image = render(&scene, &fit, &options)?;
    Ok((image, caption(character, None, None, named, 1)))
}

fn poses(args: &Args, character: &Character, clip: Option<&Clip>, frames: usize) -> Vec<(Pose, Option<f32>)> {
    match clip {
        Some(clip) if frames > 1 => {
            let (start, end) = clip.span_secs();
            let at = |i: usize| start + (end - start) * i as f32 / (frames - 1) as f32;
            (0..frames)
                .map(|i| (clip.pose_at(&character.skeleton, at(i)), Some(at(i))))
                .collect()
        }
        _ => vec![(args.motion.pose(character, clip), None)],
    }
}

fn caption(
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

fn style(args: &Args) -> Style {
    // Weights are looked at through their colours: a pale mesh would hide them.
    let shows_weights = args.joints || args.joint.is_some();
    let base = if args.bones && !shows_weights {
        Style::ghost()
    } else {
        Style::default()
    };
    Style {
        shading: if args.flat { Shading::Flat } else { Shading::Smooth },
        back_faces: if args.back_faces {
            BackFaces::Tint
        } else {
            BackFaces::Plain
        },
        wire: args.wire.then(Wire::default),
        ..base
    }
}

fn camera(
    args: &Args,
    character: &Character,
    world_from_joint: &[DAffine3],
    everything: &[Vec3],
    size: SizeArg,
) -> anyhow::Result<Camera> {
    let projection = if args.orthographic {
        Projection::ORTHOGRAPHIC
    } else {
        Projection::PERSPECTIVE
    };
    if let Some(name) = &args.at {
        let joint = find_joint(character, name)?;
        let at = world_from_joint[joint.at()].translation.as_vec3();
        let (low, high) = everything
            .iter()
            .fold((at, at), |(l, h), &p| (l.min(p), h.max(p)));
        let height = (high - low).length() / 4.0 / args.zoom;
        return Ok(Camera::close_up(at, height, args.view.0, projection));
    }
    let aspect = size.width as f32 / size.height.max(1) as f32;
    let mut camera = Camera::fit(everything, args.view.0, projection, aspect, 0.06);
    if args.zoom != 1.0 {
        let middle = everything.iter().sum::<Vec3>() / everything.len().max(1) as f32;
        let (low, high) = everything
            .iter()
            .fold((middle, middle), |(l, h), &p| (l.min(p), h.max(p)));
        camera = Camera::close_up(
            0.5 * (low + high),
            (high - low).length() / args.zoom,
            args.view.0,
            projection,
        );
    }
    Ok(camera)
}

fn find_joint(character: &Character, name: &str) -> anyhow::Result<JointIndex> {
    character.skeleton.find(name).ok_or_else(|| {
        let names: Vec<&str> = character
            .skeleton
            .joints
            .iter()
            .filter(|j| j.in_skin)
            .map(|j| j.name.as_str())
            .take(12)
            .collect();
        anyhow!(
            "there is no joint '{name}' in '{}'; it has {}, …",
            character.name,
            names.join(", ")
        )
    })
}

/// The skin, ready to be posed.
enum Skin {
    /// No weights and no motion: as it is.
    Still,
    Plain(SkinnedMesh, DeformMethod),
    Mush(Box<DeltaMush>),
}

impl Skin {
    fn new(args: &Args, source: &Source, moves: bool) -> anyhow::Result<Self> {
        let character = source.character();
        let Some(weights) = &character.weights else {
            if moves {
                source.weights()?; // says that it must be bound first
            }
            return Ok(Self::Still);
        };
        let skin = SkinnedMesh::new(&character.mesh, weights)?;
        let method: DeformMethod = args.motion.deform.into();
        Ok(match method {
            DeformMethod::DeltaMush => Self::Mush(Box::new(DeltaMush::new(
                &character.mesh,
                skin,
                &DeltaMushOptions::default(),
            ))),
            _ => Self::Plain(skin, method),
        })
    }

    fn deform(&self, character: &Character, pose: &Pose) -> anyhow::Result<Deformed> {
        let world_from_bind = pose.world_from_bind(&character.skeleton);
        Ok(match self {
            Self::Plain(skin, DeformMethod::DualQuaternion) => {
                skin.dual_quaternion(&character.skeleton, &world_from_bind)?
            }
            Self::Plain(skin, _) => skin.linear_blend(&world_from_bind)?,
            Self::Mush(mush) => mush.evaluate(&world_from_bind)?,
            Self::Still => Deformed {
                positions: character.mesh.positions.clone(),
                normals: character
                    .mesh
                    .normals
                    .clone()
                    .unwrap_or_else(|| character.mesh.face_normals_at_vertices()),
            },
        })
    }
}

/// What colours the vertices.
struct Painted {
    joint: Option<JointIndex>,
    values: Option<Vec<f32>>,
    colors: Option<Vec<[f32; 3]>>,
}

impl Painted {
    fn new(args: &Args, source: &Source, colors: &[[f32; 3]]) -> anyhow::Result<Self> {
        let joint = args
            .joint
            .as_ref()
            .map(|name| find_joint(source.character(), name))
            .transpose()?;
        let weights = || -> anyhow::Result<&Weights> { source.weights() };
        Ok(Self {
            joint,
            values: joint
                .map(|j| anyhow::Ok(joint_weights(weights()?, j)))
                .transpose()?,
            colors: args
                .joints
                .then(|| anyhow::Ok(weight_colors(weights()?, colors)))
                .transpose()?,
        })
    }

    fn paint(&self) -> Paint<'_> {
        match (&self.values, &self.colors) {
            (Some(values), _) => Paint::Scalar {
                values,
                ramp: Ramp::Weight,
            },
            (None, Some(colors)) => Paint::Colors(colors),
            (None, None) => Paint::Material,
        }
    }
}
