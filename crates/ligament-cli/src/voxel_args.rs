//! Options of voxel binding, regions and locks on the command line.

use anyhow::{Context, bail};
use glam::DVec3;
use ligament::bind::{BiharmonicOptions, BindOptions, Locks, Method, Region, VertexSet, VoxelOptions};
use ligament::character::BoneShape;
use ligament::solid::{Paint, Resolution, SolidSettings};

/// How voxel binding works, and where it follows other rules.
#[derive(clap::Args)]
#[command(next_help_heading = "Voxel binding")]
pub struct VoxelArgs {
    /// Voxels along the longest side, 32 to 1024, or auto: 128 or 256 by the mesh's gaps; 64 for biharmonic
    #[arg(long, default_value = "auto", value_name = "N")]
    resolution: String,
    /// How fast weights fall: 0 smooth to 1 sharp [default: the preset's, 0.2 without one]
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
    paint: Vec<String>,
    /// Take faces as they are wound, also where a shell looks inside out
    #[arg(long)]
    keep_winding: bool,
    /// Keep all voxels at the finest size
    #[arg(long)]
    uniform: bool,
    /// Ways run across faces of voxels only
    #[arg(long)]
    six_neighbours: bool,
    /// Leave weights as they fall, not smoothed along the surface
    #[arg(long)]
    no_smoothing: bool,
    /// Regions with rules of their own: a JSON list of {"of": {"part": NAME} | {"material": NAME} |
    /// {"box": {"low", "high"}} | {"sphere": {"centre", "radius"}} | {"vertices": [..]}, "falloff": ALPHA,
    /// "drivers": [JOINT, ..]}; docs/methods/voxel.md has examples
    #[arg(long, value_name = "FILE")]
    regions: Option<std::path::PathBuf>,
    /// The pose for falloffs that follow a joint: CLIP or CLIP@SECONDS [default: the rest pose]
    #[arg(long, value_name = "CLIP@SECONDS")]
    pub falloff_pose: Option<String>,
    /// Make a part follow one joint: PART=JOINT; repeatable
    #[arg(long, value_name = "PART=JOINT")]
    rigid: Vec<String>,
    /// Parts that keep the weights they have
    #[arg(long, value_name = "PART")]
    lock_part: Vec<String>,
    /// Joints that keep the weights they have; the others share the rest
    #[arg(long, value_name = "JOINT")]
    lock_joint: Vec<String>,
}

impl VoxelArgs {
    /// Puts what was asked for into the options.
    pub fn apply(&self, options: &mut BindOptions) -> anyhow::Result<()> {
        for (name, value) in [("--falloff", self.falloff)] {
            if let Some(value) = value
                && !(0.0..=1.0).contains(&value)
            {
                bail!("{name} is a number from 0 (smooth) to 1 (sharp); got {value}");
            }
        }
        if let Some(penalty) = self.penalty
            && !(1.0..=100.0).contains(&penalty)
        {
            bail!("--penalty is a factor from 1 to 100; got {penalty}");
        }
        if let Some(path) = &self.regions {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("reading the regions in {}", path.display()))?;
            options.regions = serde_json::from_str::<Vec<Region>>(&text)
                .with_context(|| format!("{} is not a list of regions", path.display()))?;
        }
        for text in &self.rigid {
            let Some((part, joint)) = text.split_once('=') else {
                bail!("--rigid takes PART=JOINT; got '{text}'");
            };
            options.regions.push(Region {
                of: VertexSet::Part(part.to_owned()),
                falloff: None,
                drivers: Some(vec![joint.to_owned()]),
            });
        }
        options.locks = Locks {
            vertices: self.lock_part.iter().cloned().map(VertexSet::Part).collect(),
            joints: self.lock_joint.clone(),
        };
        Ok(())
    }

    /// Puts what was asked for into the method's own options.
    pub fn method(&self, method: Method) -> anyhow::Result<Method> {
        let solid = SolidSettings {
            resolution: parse_resolution(&self.resolution)?,
            winding_numbers: self.no_winding_numbers.then_some(false),
            views: self.views()?,
            paint: self
                .paint
                .iter()
                .map(|text| ball(text))
                .collect::<anyhow::Result<_>>()?,
            flip_inside_out: !self.keep_winding,
        };
        Ok(match method {
            Method::Voxel(own) => Method::Voxel(VoxelOptions {
                solid,
                falloff: self.falloff,
                penalty: self.penalty,
                sparse: self.uniform.then_some(false),
                diagonal: self.six_neighbours.then_some(false),
                smoothing: self.no_smoothing.then_some(false),
                ..own
            }),
            Method::Biharmonic(own) => Method::Biharmonic(BiharmonicOptions {
                solid,
                sparse: !self.uniform,
                ..own
            }),
            other => other,
        })
    }

    /// Whether anything was asked for that only the method voxel knows.
    pub fn is_for_voxel(&self) -> bool {
        self.resolution != "auto"
            || self.falloff.is_some()
            || self.penalty.is_some()
            || self.no_winding_numbers
            || !self.exclude_view.is_empty()
            || !self.paint.is_empty()
            || self.keep_winding
            || self.uniform
            || self.six_neighbours
            || self.no_smoothing
            || self.falloff_pose.is_some()
    }

    fn views(&self) -> anyhow::Result<[bool; 6]> {
        const NAMES: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];
        let mut views = [true; 6];
        for view in &self.exclude_view {
            match NAMES.iter().position(|name| name == view) {
                Some(at) => views[at] = false,
                None => bail!("--exclude-view knows {}; got '{view}'", NAMES.join(", ")),
            }
        }
        Ok(views)
    }
}

/// Reads the value of `--resolution`.
pub fn parse_resolution(text: &str) -> anyhow::Result<Resolution> {
    match text.parse() {
        _ if text == "auto" => Ok(Resolution::Auto),
        Ok(n @ 32..=1024) => Ok(Resolution::Voxels(n)),
        _ => bail!("--resolution is a number from 32 to 1024, or auto; got '{text}'"),
    }
}

/// Reads `in:X,Y,Z,RADIUS` or `out:X,Y,Z,RADIUS`.
fn ball(text: &str) -> anyhow::Result<Paint> {
    let parsed = text.split_once(':').and_then(|(side, numbers)| {
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
    });
    parsed.with_context(|| format!("--paint takes in:X,Y,Z,RADIUS or out:X,Y,Z,RADIUS; got '{text}'"))
}
