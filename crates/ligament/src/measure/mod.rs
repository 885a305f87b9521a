//! How good a bind is.
//!
//! [`measure`] poses a character in a set of frames ([`motion`]) and returns a [`Report`].
//! Each measure has a file of its own, which opens with its definition, unit and range:
//!
//! - against the artist's weights: [`ReferenceMeasures`];
//! - with no reference: [`Stretch`], [`VolumeChange`], [`Collapse`], [`Penetration`], [`Bleed`],
//!   [`Smoothness`], [`Tearing`], [`Rigidity`], [`Symmetry`], [`Sparsity`];
//! - each of them alone: [`stretch()`], [`volume_change`], [`collapse()`], [`penetration()`], [`bleed()`],
//!   [`smoothness()`], [`tearing()`], [`rigidity()`], [`symmetry()`], [`sparsity()`],
//!   [`against_reference`];
//! - a [`Verdict`] for the whole and for the neighbourhood of every joint, with the frame in
//!   which to look.
//!
//! Everything is about the skin: parts that a joint carries as one piece have no weights to
//! judge. Lengths are relative, so a character in millimetres gets the same report as in
//! metres. Results are the same bytes at any thread count.
//!
//! ```
//! use ligament::bind::{BindOptions, Method};
//! use ligament::measure::{MeasureOptions, measure};
//! use ligament::task::Task;
//!
//! let tube = ligament::sample::make("tube")?;
//! let task = Task::unattended();
//! let bound = Method::named("closest")?.bind_character(&tube, &BindOptions::default(), &task)?;
//! let report = measure(&tube, &bound.weights, None, &MeasureOptions::default(), &task)?;
//! assert_eq!(report.bleed.across_gaps, 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bleed;
mod collapse;
mod judging;
mod measured_skin;
mod one_by_one;
mod penetration;
mod reference;
mod rigidity;
mod smoothness;
mod solid_distance;
mod sparsity;
mod statistics;
mod stretch;
mod symmetry;
mod tearing;
#[cfg(test)]
mod tests;
mod verdict;
mod volume;

pub use bleed::{Bleed, BodyDistance};
pub use collapse::Collapse;
pub use one_by_one::{
    against_reference, bleed, collapse, penetration, rigidity, smoothness, sparsity, stretch, symmetry,
    tearing, volume_change,
};
pub use penetration::Penetration;
pub use reference::{ReferenceMeasures, influence_agreement, weight_errors};
pub use rigidity::Rigidity;
pub use smoothness::Smoothness;
pub use solid_distance::SolidDistance;
pub use sparsity::Sparsity;
pub use stretch::Stretch;
pub use symmetry::Symmetry;
pub use tearing::Tearing;
pub use verdict::{Finding, FrameName, Limits, Measure, RegionVerdict, Verdict};
pub use volume::VolumeChange;

use glam::{DAffine3, Vec3};
use serde::{Deserialize, Serialize};

use crate::character::{Character, MeshError, Pose, SkeletonError, Weights};
use crate::deform::{DeformError, SkinnedMesh};
use crate::motion::{self, Frame, JointLimits, MotionChoice};
use crate::task::{Cancelled, Task};
use bleed::bleeding;
use collapse::CollapseMeter;
use judging::{MeasureState, RegionIndex};
use measured_skin::{MeasuredSkin, Regions};
use penetration::{PenetrationMeter, chosen_frames};
use reference::ReferenceMeter;
use rigidity::RigidityMeter;
use statistics::percentile;
use stretch::StretchMeter;
use tearing::TearingMeter;
use volume::VolumeMeter;

/// What to measure in, and against what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureOptions {
    /// Where frames come from.
    pub motion: MotionChoice,
    /// At most so many frames of clips, at least 1. More find more; time grows with them.
    pub frames: usize,
    /// Frames in which self-penetration is looked for; 0 for none. Each costs about as
    /// much as all other measures together.
    pub penetration_frames: usize,
    /// Limits of joints that replace those of the table, for the range of motion.
    pub joint_limits: Vec<JointLimits>,
    /// From which values on something is broken.
    pub limits: Limits,
    /// Whether a large mesh is measured in all frames too; else in so many that the work stays bounded, spread evenly.
    pub all_frames: bool,
}

/// Vertices times frames that are measured, unless all frames are asked for: 60 frames of 200,000 vertices.
const MOST_VERTEX_FRAMES: usize = 12_000_000;
/// Faces times frames in which self-penetration is looked for: 8 frames of 400,000 faces.
const MOST_FACE_FRAMES: usize = 3_200_000;
/// However large a mesh is, so many frames are measured.
const LEAST_FRAMES: usize = 8;

impl MeasureOptions {
    /// The frames that a character is measured in, and how many there would be without a bound on the work.
    pub fn frames_for(&self, character: &Character) -> (Vec<Frame>, usize) {
        let frames = motion::frames(character, self.motion, self.frames.max(1), &self.joint_limits);
        let all = frames.len();
        let affordable = (MOST_VERTEX_FRAMES / character.mesh.positions.len().max(1)).max(LEAST_FRAMES);
        if self.all_frames || all <= affordable {
            return (frames, all);
        }
        let chosen = chosen_frames(all, affordable);
        let frames = frames.into_iter().enumerate();
        let kept = frames.filter(|(number, _)| chosen.binary_search(number).is_ok());
        (kept.map(|(_, frame)| frame).collect(), all)
    }

    /// In how many frames self-penetration is looked for in so many faces.
    fn penetration_frames_for(&self, faces: usize) -> usize {
        let affordable = (MOST_FACE_FRAMES / faces.max(1)).max(1);
        if self.all_frames {
            self.penetration_frames
        } else {
            self.penetration_frames.min(affordable)
        }
    }
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self {
            motion: MotionChoice::Auto,
            frames: 40,
            penetration_frames: 8,
            joint_limits: Vec::new(),
            limits: Limits::default(),
            all_frames: false,
        }
    }
}

/// All that was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The judgement of the worst measure, of the whole or of a region.
    pub verdict: Verdict,
    /// One number to compare binds of one character in the same frames; less is better. The
    /// sum of the measures, each in a unit of its own and counted up to 10; numbers of
    /// influences and the reference have no part in it.
    pub score: f64,
    /// Vertices of skin.
    pub vertices: usize,
    /// Distinct positions of skin.
    pub positions: usize,
    /// How many frames were measured.
    pub frames: usize,
    /// How many there were before a large mesh was measured in fewer.
    pub frames_of: usize,
    /// Whether they are from the file's clips; else they are a range of motion.
    pub from_clips: bool,
    /// Against the reference, if there is one.
    pub reference: Option<ReferenceMeasures>,
    /// Edges.
    pub stretch: Stretch,
    /// Closed pieces; `None` where there are none.
    pub volume: Option<VolumeChange>,
    /// Limbs that thin.
    pub collapse: Collapse,
    /// Faces that cut others; `None` where it was not asked for.
    pub penetration: Option<Penetration>,
    /// Weights far away through the body.
    pub bleed: Bleed,
    /// Roughness of weights.
    pub smoothness: Smoothness,
    /// Seams.
    pub tearing: Tearing,
    /// Stiff pieces.
    pub rigidity: Rigidity,
    /// Left and right; `None` for characters that are not symmetric.
    pub symmetry: Option<Symmetry>,
    /// Influences.
    pub sparsity: Sparsity,
    /// The measures of the whole, held against their limits, in the order of
    /// [`Measure::ALL`].
    pub findings: Vec<Finding>,
    /// The neighbourhoods of joints, the worst first.
    pub regions: Vec<RegionVerdict>,
    /// Numbers for each vertex of the mesh, for pictures.
    #[serde(skip)]
    pub maps: Maps,
}

/// Numbers for each vertex of the mesh; zero where there is no skin.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Maps {
    /// The largest |ln ratio| of its edges over all frames.
    pub stretch: Vec<f32>,
    /// Weight on bones far away.
    pub bleed: Vec<f32>,
    /// Roughness of the weights; shows hard edges too.
    pub roughness: Vec<f32>,
    /// The largest gap to a copy across a seam, relative to the diagonal.
    pub tearing: Vec<f32>,
    /// The bend of the stiff piece that it belongs to.
    pub bending: Vec<f32>,
    /// The difference to the other side.
    pub asymmetry: Vec<f32>,
    /// The largest distance to the reference's skin, relative to the diagonal.
    pub deformation: Vec<f32>,
}

impl Maps {
    /// The numbers that show a measure; those of stretch where it has none of its own.
    pub fn of(&self, measure: Measure) -> &[f32] {
        match measure {
            Measure::Bleed => &self.bleed,
            Measure::Roughness | Measure::HardEdges => &self.roughness,
            Measure::Tearing => &self.tearing,
            Measure::Bending => &self.bending,
            Measure::Asymmetry => &self.asymmetry,
            Measure::Deformation => &self.deformation,
            _ => &self.stretch,
        }
    }
}

impl Report {
    /// How many frames were measured, in words: `66`, or `12 of 66` for a large mesh.
    pub fn frames_in_words(&self) -> String {
        if self.frames < self.frames_of {
            format!("{} of {}", self.frames, self.frames_of)
        } else {
            self.frames.to_string()
        }
    }

    /// A measure of the whole, held against its limit; `None` where it does not apply.
    pub fn finding(&self, measure: Measure) -> Option<&Finding> {
        self.findings.iter().find(|f| f.measure == measure)
    }
}

/// Why weights cannot be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The mesh cannot be worked on.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The skeleton cannot be worked on.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Weights do not belong to the character.
    #[error("{what}: {source}")]
    Weights {
        /// Which weights.
        what: &'static str,
        /// What does not fit.
        source: DeformError,
    },
    /// All parts are carried as one piece, so that there are no weights to judge.
    #[error("there is no skin: every part is carried by a joint as one piece")]
    NoSkin,
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Measures weights, against reference weights if there are some. 20,000 vertices over 100
/// frames take well under a second without self-penetration; `task` is asked before every
/// frame.
pub fn measure(
    character: &Character,
    weights: &Weights,
    reference: Option<&Weights>,
    options: &MeasureOptions,
    task: &Task,
) -> Result<Report, MeasureError> {
    measure_in_body(character, weights, reference, None, options, task)
}

/// The same with a better knowledge of distances through the body than bones and skin
/// alone give, such as [`SolidDistance`].
pub fn measure_in_body(
    character: &Character,
    weights: &Weights,
    reference: Option<&Weights>,
    body: Option<&dyn BodyDistance>,
    options: &MeasureOptions,
    task: &Task,
) -> Result<Report, MeasureError> {
    let Character { mesh, skeleton, .. } = character;
    mesh.check()?;
    skeleton.check()?;
    task.step("preparing", 0.0)?;
    let ours = Posed::new(character, weights, "the weights")?;
    let theirs = reference
        .map(|r| Posed::new(character, r, "the reference weights"))
        .transpose()?;
    let skin = MeasuredSkin::of(mesh);
    if skin.vertices.is_empty() || skin.welded.faces.is_empty() {
        return Err(MeasureError::NoSkin);
    }
    let regions = Regions::of(character, weights, &skin);
    let region_index = RegionIndex::of(&regions, skeleton.joints.len());
    let (frames, frames_of) = options.frames_for(character);
    let from_clips = frames.first().is_some_and(|f| f.clip.is_some());
    let rest = Pose::rest(skeleton).world_from_bind(skeleton);
    let scale = if from_clips {
        usual_scale(character, &rest)
    } else {
        1.0
    };

    task.step("looking at weights", 0.0)?;
    let bleed = bleeding(character, weights, &skin, &regions, body, task)?;
    task.step("looking at weights", 0.5)?;
    let roughness = smoothness::roughness(weights, &skin);
    let hard = smoothness::hard_edges(weights, &skin);
    task.step("looking at weights", 0.8)?;
    let symmetry = symmetry::asymmetry(skeleton, weights, &skin);

    let mut stretch = StretchMeter::new(&skin, scale);
    let mut volume = VolumeMeter::new(&skin, scale);
    let mut collapse = CollapseMeter::new(skeleton, weights, &skin, &regions);
    let mut tearing = TearingMeter::new(mesh, &skin, weights, scale);
    let mut rigidity = RigidityMeter::new(mesh, &skin, scale);
    let mut deformation = match (&theirs, reference) {
        (Some(theirs), Some(reference)) => {
            let at_rest = theirs.at(&rest)?;
            Some(ReferenceMeter::new(&skin, weights, reference, &at_rest))
        }
        _ => None,
    };
    let mut posed = Vec::new();
    let mut posed_reference = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        task.step("measuring poses", number as f32 / frames.len() as f32)?;
        let world = frame.pose.world_from_bind(skeleton);
        ours.pose_into(&world, &mut posed)?;
        stretch.add(
            &skin,
            &posed,
            &region_index.of_position,
            region_index.joints.len(),
        );
        volume.add(&skin, &posed);
        collapse.add(&skin, &posed, &world);
        tearing.add(&posed);
        rigidity.add(&skin, &posed);
        if let (Some(theirs), Some(meter)) = (&theirs, &mut deformation) {
            theirs.pose_into(&world, &mut posed_reference)?;
            let count = region_index.joints.len();
            meter.add(&skin, &posed, &posed_reference, &region_index.of_position, count);
        }
    }
    let penetration = if options.penetration_frames > 0 && !frames.is_empty() {
        let mut meter = PenetrationMeter::new(&skin, task)?;
        for number in chosen_frames(
            frames.len(),
            options.penetration_frames_for(skin.welded.faces.len()),
        ) {
            let world = frames[number].pose.world_from_bind(skeleton);
            ours.pose_into(&world, &mut posed)?;
            let count = region_index.joints.len();
            meter.add(number, &skin, &posed, &region_index.of_position, count, task)?;
        }
        Some(meter)
    } else {
        None
    };
    task.step("judging", 0.0)?;
    let taken = MeasureState {
        skin: &skin,
        region_index: &region_index,
        bleed: &bleed,
        roughness: &roughness,
        hard: &hard,
        asymmetry: symmetry.as_ref().map(|s| s.0.as_slice()),
        stretch: &stretch,
        collapse: &collapse,
        tearing: &tearing,
        rigidity: &rigidity,
        penetration: penetration.as_ref(),
        deformation: deformation.as_ref(),
    };
    let mut report = Report {
        verdict: Verdict::Sound,
        score: 0.0,
        vertices: skin.vertices.len(),
        positions: skin.len(),
        frames: frames.len(),
        frames_of,
        from_clips,
        reference: deformation.as_ref().map(ReferenceMeter::finish),
        stretch: stretch.finish(&skin),
        volume: volume.finish(),
        collapse: collapse.finish(),
        penetration: penetration.as_ref().and_then(PenetrationMeter::finish),
        bleed: bleed::summary(&bleed),
        smoothness: smoothness::summary(&roughness, &hard, &skin),
        tearing: tearing.finish(),
        rigidity: rigidity.finish(&skin),
        symmetry: symmetry.as_ref().map(|s| s.1.clone()),
        sparsity: sparsity::sparsity(weights, &skin),
        findings: Vec::new(),
        regions: taken.regions(character, &frames, &options.limits),
        maps: taken.maps(),
    };
    report.findings = findings(&report, &options.limits);
    report.score = report
        .findings
        .iter()
        .filter_map(|f| Some((f.value / f.measure.score_unit()?).min(10.0)))
        .sum();
    report.verdict = report
        .findings
        .iter()
        .map(|f| f.verdict)
        .chain(report.regions.iter().map(|r| r.verdict))
        .max()
        .unwrap_or(Verdict::Sound);
    Ok(report)
}

/// The measures of the whole that apply, in order.
fn findings(report: &Report, limits: &Limits) -> Vec<Finding> {
    let value = |measure| match measure {
        Measure::Stretch => Some(report.stretch.p99),
        Measure::Volume => report.volume.as_ref().map(|v| v.worst),
        Measure::Collapse => Some(report.collapse.worst),
        Measure::Penetration => report.penetration.as_ref().map(|p| p.worst),
        Measure::Bleed => Some(report.bleed.total()),
        Measure::Roughness => Some(report.smoothness.roughness),
        Measure::HardEdges => Some(report.smoothness.hard_edges),
        Measure::Tearing => Some(report.tearing.worst_gap),
        Measure::Bending => Some(report.rigidity.worst),
        Measure::Asymmetry => report.symmetry.as_ref().map(|s| s.asymmetry),
        Measure::TinyWeights => Some(report.sparsity.tiny_share),
        Measure::Influences => Some(report.sparsity.max_influences as f64),
        Measure::Deformation => report.reference.as_ref().and_then(|r| r.deformation_rms),
    };
    Measure::ALL
        .into_iter()
        .filter_map(|m| value(m).map(|value| Finding::new(m, value, limits.of(m))))
        .collect()
}

/// A skin that can be posed.
struct Posed {
    skin: SkinnedMesh,
    what: &'static str,
}

impl Posed {
    fn new(character: &Character, weights: &Weights, what: &'static str) -> Result<Self, MeasureError> {
        let skin = SkinnedMesh::new(&character.mesh, weights)
            .map_err(|source| MeasureError::Weights { what, source })?;
        let posed = Self { skin, what };
        posed.at(&vec![DAffine3::IDENTITY; character.skeleton.joints.len()])?; // names every joint that is missing
        Ok(posed)
    }

    fn at(&self, world_from_bind: &[DAffine3]) -> Result<Vec<Vec3>, MeasureError> {
        let mut positions = Vec::new();
        self.pose_into(world_from_bind, &mut positions)?;
        Ok(positions)
    }

    fn pose_into(&self, world_from_bind: &[DAffine3], out: &mut Vec<Vec3>) -> Result<(), MeasureError> {
        let what = self.what;
        self.skin
            .linear_blend_positions_into(world_from_bind, out)
            .map_err(|source| MeasureError::Weights { what, source })
    }
}

/// What a pose usually multiplies lengths by: the median over joints of the skin.
fn usual_scale(character: &Character, world_from_bind: &[DAffine3]) -> f64 {
    let joints = character.skeleton.joints.iter().zip(world_from_bind);
    let mut scales: Vec<f64> = joints
        .filter(|(joint, _)| joint.in_skin)
        .map(|(_, m)| m.matrix3.determinant().abs().cbrt())
        .collect();
    let scale = percentile(&mut scales, 50.0);
    if scale > 0.0 && scale.is_finite() {
        scale
    } else {
        1.0
    }
}
