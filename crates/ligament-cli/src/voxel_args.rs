//! Options of voxel binding, regions and locks on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use glam::DVec3;
use ligament::bind::{Region, VertexSet};
use ligament::character::BoneShape;
use ligament::solid::Paint;
use ligament_app::bind_request::read_regions;
use ligament_app::method_options::MethodOptions;
use ligament_app::resolution::ResolutionRequest;
use ligament_app::shapes::ShapeRequest;

/// How voxel binding works, and where it follows other rules.
#[derive(clap::Args)]
#[command(next_help_heading = "Voxel binding")]
pub struct VoxelArgs {
    /// Voxels along the longest side, 32 to 1024, or auto: 128 or 256 by the mesh's gaps; 64 for biharmonic [default: auto]
    #[arg(long, value_name = "N")]
    resolution: Option<ResolutionRequest>,
    /// How fast weights fall: 0 smooth to 1 sharp; for best too [default: the preset's, 0.2 without one]
    #[arg(long, value_name = "ALPHA")]
    falloff: Option<f64>,
    /// What a step into a voxel of the surface costs [default: the preset's, 4 without one]
    #[arg(long, value_name = "FACTOR")]
    penalty: Option<f64>,
    /// Leave voxels outside where the six views do not agree
    #[arg(long)]
    no_winding_numbers: bool,
    /// Views that do not vote on the inside: +x, -x, +y, -y, +z, -z, comma-separated
    #[arg(long, value_name = "VIEWS", value_delimiter = ',', allow_hyphen_values = true)]
    exclude_view: Vec<String>,
    /// Declare a ball inside (in:X,Y,Z,RADIUS) or outside (out:X,Y,Z,RADIUS); repeatable
    #[arg(long, value_name = "BALL", allow_hyphen_values = true)]
    paint: Vec<Ball>,
    /// Take faces as they are wound, also where a shell looks inside out
    #[arg(long)]
    keep_winding: bool,
    /// Keep all voxels at the finest size
    #[arg(long)]
    uniform: bool,
    /// Paths run across faces of voxels only
    #[arg(long)]
    six_neighbours: bool,
    /// Leave weights as they fall, not smoothed along the surface
    #[arg(long)]
    no_smoothing: bool,
    /// Let a shape attract skin for a joint, besides its bones, as seen from the joint: JOINT=point:X,Y,Z,
    /// JOINT=ball:X,Y,Z,RADIUS or JOINT=box:X,Y,Z,A,B,C with half the extent; repeatable
    #[arg(long, value_name = "SHAPE")]
    shape: Vec<ShapeRequest>,
    /// Regions with rules of their own: a JSON list of {"of": {"part": NAME} | {"material": NAME} |
    /// {"box": {"low", "high"}} | {"sphere": {"centre", "radius"}} | {"vertices": [..]}, "falloff": ALPHA,
    /// "drivers": [JOINT, ..]}; docs/methods/voxel.md has examples
    #[arg(long, value_name = "FILE")]
    regions: Option<PathBuf>,
    /// The pose for falloffs that follow a joint: CLIP or CLIP@SECONDS [default: the rest pose]
    #[arg(long, value_name = "CLIP@SECONDS")]
    falloff_pose: Option<String>,
    /// Make a part follow one joint: PART=JOINT; repeatable
    #[arg(long, value_name = "PART=JOINT")]
    rigid: Vec<RigidPart>,
    /// Parts that keep the weights they have
    #[arg(long, value_name = "PART")]
    lock_part: Vec<String>,
    /// Joints that keep the weights they have; the others share the rest
    #[arg(long, value_name = "JOINT")]
    lock_joint: Vec<String>,
}

impl VoxelArgs {
    /// Puts what was asked for into the options.
    pub fn put_into(&self, options: &mut MethodOptions) {
        options.resolution = self.resolution;
        options.falloff = self.falloff;
        options.penalty = self.penalty;
        options.winding_numbers = self.no_winding_numbers.then_some(false);
        options.exclude_views.clone_from(&self.exclude_view);
        options.paint = self.paint.iter().map(|ball| ball.0.clone()).collect();
        options.flip_inside_out = self.keep_winding.then_some(false);
        options.sparse = self.uniform.then_some(false);
        options.diagonal = self.six_neighbours.then_some(false);
        options.smoothing = self.no_smoothing.then_some(false);
        options.shapes.clone_from(&self.shape);
    }

    /// Regions from a file, and those of parts that follow one joint.
    pub fn regions(&self) -> anyhow::Result<Vec<Region>> {
        let mut regions = match &self.regions {
            Some(path) => read_regions(path)?,
            None => Vec::new(),
        };
        regions.extend(self.rigid.iter().map(|rigid| Region {
            of: VertexSet::Part(rigid.part.clone()),
            falloff: None,
            drivers: Some(vec![rigid.joint.clone()]),
        }));
        Ok(regions)
    }

    /// The pose for falloffs that follow a joint.
    pub fn falloff_pose(&self) -> Option<String> {
        self.falloff_pose.clone()
    }

    /// Parts that keep their weights.
    pub fn locked_parts(&self) -> Vec<VertexSet> {
        self.lock_part.iter().cloned().map(VertexSet::Part).collect()
    }

    /// Joints that keep their weights.
    pub fn locked_joints(&self) -> Vec<String> {
        self.lock_joint.clone()
    }
}

/// `PART=JOINT`.
#[derive(Clone)]
struct RigidPart {
    part: String,
    joint: String,
}

impl FromStr for RigidPart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (part, joint) = text.split_once('=').ok_or("write PART=JOINT")?;
        Ok(Self {
            part: part.to_owned(),
            joint: joint.to_owned(),
        })
    }
}

/// `in:X,Y,Z,RADIUS` or `out:X,Y,Z,RADIUS`.
#[derive(Clone)]
struct Ball(Paint);

impl FromStr for Ball {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ball = ball(text).map(Self);
        ball.ok_or_else(|| "write in:X,Y,Z,RADIUS or out:X,Y,Z,RADIUS".to_owned())
    }
}

fn ball(text: &str) -> Option<Paint> {
    let (side, numbers) = text.split_once(':')?;
    let inside = match side {
        "in" => true,
        "out" => false,
        _ => return None,
    };
    let numbers: Vec<f64> = numbers
        .split(',')
        .map(|n| n.trim().parse().ok())
        .collect::<Option<_>>()?;
    match numbers[..] {
        [x, y, z, radius] if radius > 0.0 && numbers.iter().all(|n| n.is_finite()) => Some(Paint {
            shape: BoneShape::Sphere {
                centre: DVec3::new(x, y, z),
                radius,
            },
            inside,
        }),
        _ => None,
    }
}
