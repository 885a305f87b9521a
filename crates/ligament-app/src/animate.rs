//! Motions from anywhere, carried to a character.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ligament::motion::builtin::{Builtin, body_of, builtins, find_builtin};
use ligament::motion::retarget::{
    FootFaults, KeyTolerance, NamedJoints, RetargetMap, RetargetOptions, Retargeted, foot_faults,
    match_joints, reduced, retarget,
};
use ligament::task::Task;
use ligament::{Clip, Mesh, Skeleton};
use ligament_io::atomic::refuse_overwriting_input;
use ligament_io::gltf::VrmMeta;
use ligament_io::import::FileWarning;
use ligament_io::open::open_skeleton;
use ligament_io::registry::Written;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest, in_file};
use crate::motion::find_clip;
use crate::save::{JsonHolds, WeightFormat, output_of, save, wanted};

/// What to animate, and with what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnimateRequest {
    /// What to open; it has a skeleton.
    pub asset: AssetRequest,
    /// Where to write; the input's name with `_animated.glb`, beside it, if none.
    pub output: Option<PathBuf>,
    /// Files with a skeleton and clips, `sample:NAME`, `builtin:NAME`, or `builtin:all`.
    pub motions: Vec<String>,
    /// The clip of a motion, by name or number from 0; all of them if none.
    pub clip: Option<String>,
    /// A JSON file that names joints which are not recognised.
    pub map: Option<PathBuf>,
    /// What to call the motion, if there is one.
    pub name: Option<String>,
    /// How to carry it over.
    pub how: RetargetOptions,
    /// Keep a key for each frame.
    pub all_keys: bool,
}

impl Default for AnimateRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            output: None,
            motions: vec!["builtin:all".to_owned()],
            clip: None,
            map: None,
            name: None,
            how: RetargetOptions::default(),
            all_keys: false,
        }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnimateReport {
    /// What the user calls the input.
    pub input: String,
    /// The file that was written, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// The motions that it now has more.
    pub clips: Vec<ClipReport>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// A motion that was carried over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClipReport {
    /// Its name in the output.
    pub name: String,
    /// Where it is from.
    pub motion: String,
    /// How long it is.
    pub seconds: f32,
    /// Frames that were carried over.
    pub frames: usize,
    /// Keys that it has, over all tracks.
    pub keys: usize,
    /// Joints that are driven.
    pub joints: usize,
    /// How many times longer the character's legs are than the motion's.
    pub scale: f64,
    /// How often feet stand on the ground.
    pub contacts: usize,
    /// What feet do that they should not.
    pub feet: FootFaults,
}

/// Opens and animates.
pub fn run(request: &AnimateRequest, task: &Task<'_>) -> Result<AnimateReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, request, task)
}

/// Animates what is open, and writes it.
pub fn run_on(asset: &Asset, request: &AnimateRequest, task: &Task<'_>) -> Result<AnimateReport, AppError> {
    let output = output_of(
        asset,
        request.output.as_ref(),
        "animated.glb",
        JsonHolds::Skeleton,
    )?;
    for motion in &request.motions {
        if is_file(motion) {
            refuse_overwriting_input(Path::new(motion), &output)?;
        }
    }
    let (animated, report) = animated(asset, request, task)?;
    let animated = animated.for_output(&output, &VrmMeta::default())?;
    task.step("writing", 0.0)?;
    // A glTF document has its weights already; other formats are written from the character.
    let in_document = wanted(&output, JsonHolds::Skeleton)? == Written::Gltf;
    let character = animated.character();
    let weights = character.weights.as_ref().filter(|_| !in_document);
    save(
        &animated,
        weights,
        WeightFormat::Keep,
        &output,
        JsonHolds::Skeleton,
    )?;
    Ok(AnimateReport {
        output: Some(output),
        ..report
    })
}

/// Animates what is open, and writes nothing.
pub fn animated(
    asset: &Asset,
    request: &AnimateRequest,
    task: &Task<'_>,
) -> Result<(Asset, AnimateReport), AppError> {
    asset.refuse_without_skeleton()?;
    if request.motions.is_empty() {
        return Err(AppError::bad_value("motions", "are one or more", "none"));
    }
    let named = match &request.map {
        Some(path) => read_map(path)?,
        None => NamedJoints::default(),
    };
    let target = &asset.character().skeleton;
    let mut warnings = asset.warnings();
    let sources = sources(request, target, &mut warnings)?;
    if request.name.is_some() && sources.len() > 1 {
        return Err(AppError::bad_value(
            "a name",
            "is for one motion; choose a clip",
            format!("{} motions", sources.len()),
        ));
    }
    let mut taken: HashSet<String> = asset.character().clips.iter().map(|c| c.name.clone()).collect();
    let (mut clips, mut reports) = (Vec::new(), Vec::new());
    for (i, source) in sources.iter().enumerate() {
        task.step("carrying motions over", i as f32 / sources.len() as f32)?;
        let (mut clip, mut report) = source.carry(target, &named, request)?;
        let wanted = request.name.clone().unwrap_or(clip.name);
        clip.name = unused(&wanted, &mut taken);
        report.name.clone_from(&clip.name);
        clips.push(clip);
        reports.push(report);
    }
    let animated = asset.with_clips(&clips)?;
    let report = AnimateReport {
        input: asset.input().to_owned(),
        output: None,
        clips: reports,
        file_warnings: warnings,
    };
    Ok((animated, report))
}

fn is_file(motion: &str) -> bool {
    !motion.starts_with("builtin:") && !motion.starts_with("sample:")
}

/// A name that no clip has yet.
fn unused(name: &str, taken: &mut HashSet<String>) -> String {
    let name = if name.is_empty() { "motion" } else { name };
    let mut unused = name.to_owned();
    let mut number = 2;
    while !taken.insert(unused.clone()) {
        unused = format!("{name} {number}");
        number += 1;
    }
    unused
}

/// One motion and the skeleton that it is for.
struct Source {
    motion: String,
    skeleton: Skeleton,
    clip: Clip,
    loops: bool,
}

impl Source {
    fn carry(
        &self,
        target: &Skeleton,
        named: &NamedJoints,
        request: &AnimateRequest,
    ) -> Result<(Clip, ClipReport), AppError> {
        let motion = || self.motion.clone();
        let map = match_joints(&self.skeleton, &self.clip, target, named).map_err(|source| {
            AppError::Unmatched {
                motion: motion(),
                source,
            }
        })?;
        let how = RetargetOptions {
            closed: request.how.closed || self.loops,
            ..request.how.clone()
        };
        let carried = retarget(&self.skeleton, &self.clip, target, &map, &how).map_err(|source| {
            AppError::Retarget {
                motion: motion(),
                source,
            }
        })?;
        let report = self.report(target, &map, &carried);
        let clip = if request.all_keys {
            carried.clip
        } else {
            let tolerance = KeyTolerance {
                length: KeyTolerance::default().length * leg_length(target, &map),
                ..KeyTolerance::default()
            };
            reduced(&carried.clip, tolerance)
        };
        let keys = clip.tracks.iter().map(|t| t.times.len()).sum();
        Ok((clip, ClipReport { keys, ..report }))
    }

    fn report(&self, target: &Skeleton, map: &RetargetMap, carried: &Retargeted) -> ClipReport {
        ClipReport {
            name: carried.clip.name.clone(),
            motion: self.motion.clone(),
            seconds: carried.clip.span_secs().1,
            frames: carried.times.len(),
            keys: 0,
            joints: map.pairs.len(),
            scale: carried.scale,
            contacts: carried.contacts.len(),
            feet: foot_faults(
                target,
                &carried.clip,
                &carried.times,
                map,
                carried.scale,
                &carried.contacts,
            ),
        }
    }
}

/// How long the legs are, in the units of what the hips hang on; 1 where there are none.
fn leg_length(target: &Skeleton, map: &RetargetMap) -> f64 {
    let hips = target.joint(map.hips.1).parent;
    let unit = hips.map_or(1.0, |p| {
        target.joint(p).bind_from_joint.matrix3.determinant().abs().cbrt()
    });
    let length = map.legs.first().map_or(1.0, |leg| {
        let [a, b, c] = leg.target.map(|j| target.bind_position(j));
        (a.distance(b) + b.distance(c)) / unit
    });
    if length.is_finite() && length > 0.0 {
        length
    } else {
        1.0
    }
}

fn sources(
    request: &AnimateRequest,
    target: &Skeleton,
    warnings: &mut Vec<FileWarning>,
) -> Result<Vec<Source>, AppError> {
    let mut sources = Vec::new();
    for motion in &request.motions {
        if let Some(name) = motion.strip_prefix("builtin:") {
            let body = body_of(target);
            let found: Vec<&Builtin> = match name {
                "all" => builtins().iter().filter(|b| b.body == body).collect(),
                name => vec![find_builtin(name, body)?],
            };
            for builtin in found {
                let (skeleton, clip) = builtin.make();
                sources.push(Source {
                    motion: format!("builtin:{}", builtin.name),
                    skeleton,
                    clip,
                    loops: builtin.loops,
                });
            }
            continue;
        }
        let (skeleton, clips) = if is_file(motion) {
            let path = Path::new(motion);
            let opened = open_skeleton(path, &Mesh::default()).map_err(in_file(path))?;
            warnings.extend(opened.warnings);
            (opened.skeleton, opened.clips)
        } else {
            let sample = ligament::sample::make(motion.trim_start_matches("sample:"))?;
            (sample.skeleton, sample.clips)
        };
        let chosen: Vec<Clip> = match &request.clip {
            Some(name) => vec![find_clip(&clips, name)?.clone()],
            None => clips,
        };
        if chosen.is_empty() {
            return Err(AppError::NoClips { name: motion.clone() });
        }
        for mut clip in chosen {
            clip.tracks
                .retain(|t| t.joint.at() < skeleton.joints.len() && t.check().is_ok());
            sources.push(Source {
                motion: motion.clone(),
                skeleton: skeleton.clone(),
                clip,
                loops: false,
            });
        }
    }
    Ok(sources)
}

/// Reads a map of joints: `{"motion": {"hips": "Root"}, "character": {"hips": "Bone.001"}, "joints": {"Tail1": "tail.01"}}`.
pub fn read_map(path: &Path) -> Result<NamedJoints, AppError> {
    let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
    serde_json::from_str(&text).map_err(|source| AppError::Json {
        path: path.to_owned(),
        wanted: "a map of joints",
        source,
    })
}
