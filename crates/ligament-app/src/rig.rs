//! A skeleton for a mesh that has none: found or fitted, named, and bound.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use glam::DVec3;
use ligament::bind::{BindError, BindOptions, BindWarning, Method};
use ligament::character::{HumanoidMap, Mesh, NameScheme, StandardBone};
use ligament::motion::{Stance, t_pose};
use ligament::rig::{
    BodyPlan, ExtractOptions, Extracted, Face, Template, TemplateError, TemplateOptions, Templated, extract,
    extract_and_fit,
};
use ligament::skin::Skin;
use ligament::task::{Stage, Task};
use ligament::{Skeleton, Weights};
use ligament_io::import::FileWarning;
use ligament_io::open::open_skeleton;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::animate::{AnimateRequest, ClipReport, animated};
use crate::asset::{Asset, AssetRequest};
use crate::bind::passed;
use crate::save::{JsonHolds, WeightFormat, output_of, save};

/// What to rig, and how. A skeleton that the file has is not looked at, and is not in the
/// output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RigRequest {
    /// What to open.
    pub asset: AssetRequest,
    /// Where to write: a character, or `.json` for the skeleton alone; the input's name with
    /// `_rigged.glb`, beside it, if none.
    pub output: Option<PathBuf>,
    /// Make the joint nearest to this point of bind space the root; the hips, or what
    /// balances best, if none.
    pub root: Option<DVec3>,
    /// The most joints wanted, from 1 on.
    pub joints: Option<usize>,
    /// How small a thing gets joints, from 0 (limbs alone) to 1.
    pub detail: f64,
    /// A standard skeleton to fit: `humanoid`, `quadruped`, `bird`, or a file with a humanoid's skeleton.
    pub template: Option<String>,
    /// Whose names the joints of a template get; VRM's if none. A file's joints keep their own.
    pub names: Option<NameScheme>,
    /// Where bones of the template begin that are found at the wrong position.
    pub markers: BTreeMap<StandardBone, DVec3>,
    /// Give a humanoid's eyes joints.
    pub eyes: bool,
    /// Give its lower jaw one.
    pub jaw: bool,
    /// How it stands where nothing moves it. The mesh stays bound as it was modelled: in the T-pose its joints rest elsewhere.
    pub pose: Stance,
    /// Give it these motions: `builtin:NAME`, `builtin:all`, or files.
    pub motions: Vec<String>,
}

impl Default for RigRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            output: None,
            root: None,
            joints: None,
            detail: ExtractOptions::default().detail,
            template: None,
            names: None,
            markers: BTreeMap::new(),
            eyes: false,
            jaw: false,
            pose: Stance::default(),
            motions: Vec::new(),
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RigReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Vertices of the document.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// What kind of body it is.
    pub body: BodyPlan,
    /// Whether left and right are alike.
    pub symmetric: bool,
    /// How a template was fitted; none if none was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateReport>,
    /// The joints, parents first.
    pub joints: Vec<JointReport>,
    /// The motions that it was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<ClipReport>,
    /// How it was bound.
    pub method: &'static str,
    /// Where the time went.
    pub stages: Vec<Stage>,
    /// The time that passed, in milliseconds, reading and writing included.
    pub milliseconds: f64,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
    /// What was guessed in binding.
    pub bind_warnings: Vec<BindWarning>,
}

/// How a template was fitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TemplateReport {
    /// What was asked for.
    pub template: String,
    /// Whether it was fitted; the skeleton is the extracted one if not.
    pub fitted: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// Joints whose position is less than half sure.
    pub doubtful: Vec<String>,
}

/// A joint that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// Its parent's name.
    pub parent: Option<String>,
    /// Where it is in bind space.
    pub position: DVec3,
    /// Whether its bone to the parent spans a gap between separate pieces of the mesh.
    pub bridge: bool,
    /// The standard bone that it is, in a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bone: Option<StandardBone>,
    /// How sure its position is, from 0 to 1, in a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// The bone that a marker names: as VRM does (`leftHand`), in words (`left_hand`), or by the joint that it begins at
/// (`left_wrist`).
pub fn marker_bone(name: &str) -> Option<StandardBone> {
    let word: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let (side, part) = ["left", "right"]
        .into_iter()
        .find_map(|s| Some((s, word.strip_prefix(s)?)))
        .unwrap_or(("", &word));
    let part = match part {
        "wrist" => "hand",
        "elbow" => "lowerarm",
        "knee" => "lowerleg",
        "ankle" => "foot",
        "hip" if !side.is_empty() => "upperleg",
        "collarbone" | "clavicle" => "shoulder",
        "pelvis" => "hips",
        other => other,
    };
    StandardBone::ALL
        .into_iter()
        .find(|b| b.name_in(NameScheme::Vrm).to_ascii_lowercase() == format!("{side}{part}"))
}

/// Opens and rigs.
pub fn run(request: &RigRequest, task: &Task<'_>) -> Result<RigReport, AppError> {
    let start = task.now();
    let asset = Asset::open(&request.asset, task)?;
    let read = task.now().saturating_sub(start);
    run_on(asset, request, read, task)
}

/// Rigs what was opened in `read`, and writes it.
pub fn run_on(
    asset: Asset,
    request: &RigRequest,
    read: Duration,
    task: &Task<'_>,
) -> Result<RigReport, AppError> {
    let start = task.now();
    let output = output_of(&asset, request.output.as_ref(), "rigged.glb", JsonHolds::Skeleton)?;
    let Rigged {
        asset,
        weights,
        mut report,
    } = rigged(asset, request, task)?;
    let mut watch = task.stopwatch();
    task.check()?;
    save(
        &asset,
        Some(&weights),
        WeightFormat::Keep,
        &output,
        JsonHolds::Skeleton,
    )?;
    watch.lap("write");
    report.stages.insert(
        0,
        Stage {
            name: "read",
            time: read,
        },
    );
    report.stages.append(&mut watch.stages());
    Ok(RigReport {
        output: Some(output),
        milliseconds: passed(read, start, task),
        ..report
    })
}

/// A character on a skeleton that was found in it.
pub struct Rigged {
    /// The mesh on its new skeleton.
    pub asset: Asset,
    /// Weights of the document's vertices.
    pub weights: Weights,
    /// What was found.
    pub report: RigReport,
}

/// Rigs what is open, and writes nothing.
pub fn rigged(asset: Asset, request: &RigRequest, task: &Task<'_>) -> Result<Rigged, AppError> {
    let start = task.now();
    if !(0.0..=1.0).contains(&request.detail) {
        return Err(AppError::bad_value(
            "detail",
            "is a number from 0 to 1",
            request.detail,
        ));
    }
    let options = ExtractOptions {
        root: request.root,
        joints: request.joints,
        detail: request.detail,
    };
    if (request.eyes || request.jaw) && request.template.as_deref() != Some("humanoid") {
        return Err(AppError::bad_value(
            "eyes and jaw",
            "are for the template humanoid; a file's own are fitted with the rest of it",
            request.template.as_deref().unwrap_or("no template"),
        ));
    }
    if request.template.is_none() && (request.names.is_some() || !request.markers.is_empty()) {
        return Err(AppError::bad_value(
            "template",
            "is needed for names and markers",
            "none",
        ));
    }
    let (extracted, fitted, template) = found(&asset.character().mesh, &options, request, task)?;
    let skeleton = fitted.as_ref().map_or(&extracted.skeleton, |f| &f.skeleton);
    let asset = match request.pose {
        Stance::Mesh => asset.with_skeleton(skeleton)?,
        Stance::T => asset.with_skeleton(&resting_in_t(skeleton)?)?,
    };
    let character = asset.character();
    let method = Method::default();
    let skin = Skin::new(character.clone()).map_err(BindError::from)?;
    let bound = method.bind(&skin, &BindOptions::default(), task)?;
    let mut stages = extracted.stages.clone();
    stages.push(Stage {
        name: "bind",
        time: bound.stages.iter().map(|s| s.time).sum(),
    });
    // Its own ends of limbs are meant to be left out.
    let meant = |w: &BindWarning| matches!(w, BindWarning::JointsLeftOut { .. });
    let (asset, clips) = if request.motions.is_empty() {
        (asset, Vec::new())
    } else {
        let motions = AnimateRequest {
            motions: request.motions.clone(),
            ..AnimateRequest::default()
        };
        let (moving, report) = animated(&asset, &motions, task)?;
        (moving, report.clips)
    };
    let character = asset.character();
    let report = RigReport {
        input: asset.input().to_owned(),
        output: None,
        clips,
        vertices: character.mesh.positions.len(),
        triangles: character.mesh.triangles.len(),
        body: extracted.plan,
        symmetric: extracted.symmetric,
        joints: fitted
            .as_ref()
            .map_or_else(|| joints(&extracted), joints_of_template),
        template,
        method: method.name(),
        stages,
        milliseconds: passed(Duration::ZERO, start, task),
        file_warnings: asset.warnings(),
        bind_warnings: bound.warnings.into_iter().filter(|w| !meant(w)).collect(),
    };
    Ok(Rigged {
        asset,
        weights: bound.weights,
        report,
    })
}

/// The same skeleton, its joints at rest in the T-pose.
fn resting_in_t(skeleton: &Skeleton) -> Result<Skeleton, AppError> {
    let Some(pose) = t_pose(skeleton, &HumanoidMap::of(skeleton)) else {
        return Err(AppError::bad_value(
            "pose",
            "T is for a body with two arms and two legs, and these were not found",
            "T",
        ));
    };
    let mut resting = skeleton.clone();
    for (joint, local) in resting.joints.iter_mut().zip(pose.locals) {
        joint.rest = local;
    }
    Ok(resting)
}

/// Extracts a skeleton and fits the template that is asked for. A body that it is not made for keeps the extracted skeleton, with the reason.
fn found(
    mesh: &Mesh,
    extract_options: &ExtractOptions,
    request: &RigRequest,
    task: &Task<'_>,
) -> Result<(Extracted, Option<Templated>, Option<TemplateReport>), AppError> {
    let Some(wanted) = &request.template else {
        return Ok((extract(mesh, extract_options, task)?, None, None));
    };
    let other: Skeleton;
    let template = match wanted.as_str() {
        "humanoid" => Template::Humanoid,
        "quadruped" => Template::Quadruped,
        "bird" => Template::Bird,
        file if Path::new(file).extension().is_some() => {
            other = open_skeleton(Path::new(file), mesh)
                .map_err(|e| {
                    AppError::bad_value("template", "is a file with a skeleton", format!("{file}: {e}"))
                })?
                .skeleton;
            Template::Like(&other)
        }
        other => {
            return Err(AppError::bad_value(
                "template",
                "is humanoid, quadruped, bird or a file with a skeleton",
                other,
            ));
        }
    };
    let options = TemplateOptions {
        template,
        names: request.names.unwrap_or(NameScheme::Vrm),
        markers: request.markers.clone(),
        face: (request.eyes || request.jaw).then_some(Face {
            eyes: request.eyes,
            jaw: request.jaw,
            mesh,
        }),
    };
    let report = |fitted: Result<&Templated, String>| TemplateReport {
        template: wanted.clone(),
        fitted: fitted.is_ok(),
        doubtful: fitted.as_ref().map_or_else(
            |_| Vec::new(),
            |f| f.doubtful().into_iter().map(str::to_owned).collect(),
        ),
        why_not: fitted.err(),
    };
    let (extracted, fitted) = extract_and_fit(mesh, extract_options, &options, task)?;
    match fitted {
        Ok(fitted) => {
            let report = report(Ok(&fitted));
            Ok((extracted, Some(fitted), Some(report)))
        }
        Err(why @ TemplateError::OtherBody { .. }) => {
            Ok((extracted, None, Some(report(Err(why.to_string())))))
        }
        Err(why) => Err(AppError::bad_value("template", "fits", why)),
    }
}

fn joints_of_template(fitted: &Templated) -> Vec<JointReport> {
    let skeleton = &fitted.skeleton;
    let name = |j| skeleton.joint(j).name.clone();
    skeleton
        .indices()
        .zip(&fitted.joints)
        .map(|(j, of_template)| JointReport {
            name: name(j),
            parent: skeleton.joint(j).parent.map(name),
            position: skeleton.bind_position(j),
            bridge: false,
            bone: of_template.bone,
            confidence: Some(of_template.confidence),
        })
        .collect()
}

fn joints(extracted: &Extracted) -> Vec<JointReport> {
    let skeleton = &extracted.skeleton;
    let name = |j| skeleton.joint(j).name.clone();
    skeleton
        .indices()
        .map(|j| JointReport {
            name: name(j),
            parent: skeleton.joint(j).parent.map(name),
            position: skeleton.bind_position(j),
            bridge: extracted.bridges.contains(&j),
            bone: None,
            confidence: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_named_in_several_ways() {
        for (name, bone) in [
            ("left_wrist", StandardBone::LeftHand),
            ("leftHand", StandardBone::LeftHand),
            ("right_knee", StandardBone::RightLowerLeg),
            ("Right Hip", StandardBone::RightUpperLeg),
            ("hips", StandardBone::Hips),
            ("pelvis", StandardBone::Hips),
            ("left_index_proximal", StandardBone::LeftIndexProximal),
        ] {
            assert_eq!(marker_bone(name), Some(bone), "{name}");
        }
        assert_eq!(marker_bone("tail"), None);
        assert_eq!(marker_bone(""), None);
    }
}
