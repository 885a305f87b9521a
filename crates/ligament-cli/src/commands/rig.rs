//! `ligament rig`: a skeleton for a mesh that has none.

use std::path::PathBuf;
use std::time::Instant;

use glam::DVec3;
use ligament::character::{NameScheme, StandardBone};
use ligament::rig::{BodyPlan, ExtractOptions};
use ligament_app::asset::AssetRequest;
use ligament_app::rig::{RigReport, RigRequest, marker_bone, run_on};

use crate::Outcome;
use crate::asset_args::open_and_warn;
use crate::console::{Console, stage_lines, wrote};
use crate::motion_args::StanceName;

/// Rig a mesh: find its skeleton, name the joints, and bind it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament rig hero.obj -o hero.glb
  ligament rig hero.obj --detail 0.8         fingers, ears and tails too
  ligament rig hero.obj --joints 20          no more than 20 joints
  ligament rig hero.obj --animate -o hero.glb   and something that moves
  ligament rig crab.obj --root 0,0.4,0       the joint nearest to this position is the root
  ligament rig hero.obj --template humanoid --names mixamo
                                             the skeleton that engines know, in Mixamo's names
  ligament rig hero.obj --template other.glb another humanoid's skeleton
  ligament rig hero.obj --template humanoid --pose T
                                             at rest with its arms out, as engines expect
A skeleton that the file has is not looked at, and is not in the output.")]
pub struct Args {
    /// A file of any format, or sample:NAME
    input: String,
    /// Where to write: .glb, .gltf, .fbx, .usda or .usdc, or .json for the skeleton alone
    /// [default: INPUT's name with _rigged.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Make the joint nearest to this position the root [default: the hips, or what balances best]
    #[arg(long, value_name = "X,Y,Z", value_parser = position, allow_hyphen_values = true)]
    root: Option<DVec3>,
    /// The most joints wanted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    joints: Option<u16>,
    /// How small a thing gets joints, from 0 (limbs alone) to 1
    #[arg(long, default_value_t = ExtractOptions::default().detail, value_name = "DETAIL")]
    detail: f64,
    /// Fit a standard skeleton: humanoid, quadruped, bird, or a file with a humanoid's skeleton
    #[arg(long, value_name = "TEMPLATE")]
    template: Option<String>,
    /// Whose names the joints of a template get [default: vrm]
    #[arg(long, value_enum, value_name = "NAMES")]
    names: Option<Names>,
    /// Where a bone of the template begins that is found at the wrong position; may be repeated
    #[arg(long = "marker", value_name = "BONE=X,Y,Z", value_parser = marker, allow_hyphen_values = true)]
    markers: Vec<(StandardBone, DVec3)>,
    /// Give the eyes of --template humanoid joints
    #[arg(long)]
    eyes: bool,
    /// Give its lower jaw one
    #[arg(long)]
    jaw: bool,
    /// How it rests: as the mesh was modelled, or in the T-pose that engines expect of a humanoid
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        default_value = "mesh",
        value_name = "POSE"
    )]
    pose: StanceName,
    /// Give it motions: builtin:NAME, builtin:all or a file; without a value, every motion made by code for such a body
    #[arg(long, value_name = "MOTION", num_args = 0..=1, default_missing_value = "builtin:all")]
    animate: Vec<String>,
}

/// Packages whose names joints can get.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Names {
    Vrm,
    Mixamo,
    Unreal,
    Unity,
    Rigify,
}

impl Names {
    fn scheme(self) -> NameScheme {
        match self {
            Self::Vrm => NameScheme::Vrm,
            Self::Mixamo => NameScheme::Mixamo,
            Self::Unreal => NameScheme::Unreal,
            Self::Unity => NameScheme::Unity,
            Self::Rigify => NameScheme::Rigify,
        }
    }
}

fn marker(text: &str) -> Result<(StandardBone, DVec3), String> {
    let wanted = "write a bone and where it begins, for example left_wrist=0.7,1.4,0";
    let (bone, at) = text.split_once('=').ok_or_else(|| wanted.to_owned())?;
    let bone = marker_bone(bone).ok_or_else(|| format!("there is no bone '{bone}'; {wanted}"))?;
    Ok((bone, position(at)?))
}

fn position(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|n| n.trim().parse::<f64>().ok().filter(|n| n.is_finite()))
        .collect::<Option<_>>()
        .unwrap_or_default();
    match numbers[..] {
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err("write three numbers, for example 0,1.2,0".to_owned()),
    }
}

impl Args {
    pub(crate) fn request(&self) -> RigRequest {
        RigRequest {
            asset: AssetRequest::of(&self.input),
            output: self.output.clone(),
            root: self.root,
            joints: self.joints.map(usize::from),
            detail: self.detail,
            template: self.template.clone(),
            names: self.names.map(Names::scheme),
            markers: self.markers.iter().copied().collect(),
            eyes: self.eyes,
            jaw: self.jaw,
            pose: self.pose.into(),
            motions: self.animate.clone(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let start = Instant::now();
    let asset = open_and_warn(&request.asset, console)?;
    let read = start.elapsed();
    let report = console.with_task(|task| run_on(asset, &request, read, task))?;
    console.warn_of_binding(&report.bind_warnings);
    if let Some(template) = &report.template {
        if let Some(why) = &template.why_not {
            console.warn(format_args!("{why}; the skeleton is the extracted one"));
        }
        if !template.doubtful.is_empty() {
            console.warn(format_args!(
                "less than half sure where these are: {}; --marker BONE=X,Y,Z pins them",
                template.doubtful.join(", ")
            ));
        }
    }
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn summary(report: &RigReport) -> String {
    let body = match (report.body, report.symmetric) {
        (BodyPlan::Biped, true) => "a symmetric biped",
        (BodyPlan::Biped, false) => "a biped",
        (BodyPlan::Quadruped, true) => "a symmetric quadruped",
        (BodyPlan::Quadruped, false) => "a quadruped",
        (BodyPlan::Other, true) => "a symmetric body",
        (BodyPlan::Other, false) => "a body",
    };
    let mut text = format!(
        "{body} with {} joints, {} vertices bound by '{}'\n",
        report.joints.len(),
        report.vertices,
        report.method
    );
    let bridges = report.joints.iter().filter(|j| j.bridge).count();
    if bridges > 0 {
        text.push_str(&format!(
            "{bridges} bones span gaps between separate pieces of the mesh\n"
        ));
    }
    if !report.clips.is_empty() {
        let names: Vec<&str> = report.clips.iter().map(|c| c.name.as_str()).collect();
        text.push_str(&format!("moves: {}\n", names.join(", ")));
    }
    text.push_str(&stage_lines(&report.stages, report.milliseconds));
    text.push_str(&wrote(report.output.as_ref()));
    text
}
