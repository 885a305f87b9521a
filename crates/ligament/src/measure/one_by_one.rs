//! Each measure by itself, for callers who want one number and not a [`super::Report`].
//!
//! Definitions are those of the measures' own types; what is returned is what the report
//! holds for the same weights and frames. Frames come from [`super::motion`].

use glam::{DAffine3, Vec3};

use super::bleed::{self, Bleed, BodyDistance, bleeding};
use super::collapse::{Collapse, CollapseMeter};
use super::measured_skin::{MeasuredSkin, Regions};
use super::penetration::{Penetration, PenetrationMeter};
use super::reference::{ReferenceMeasures, ReferenceMeter};
use super::rigidity::{Rigidity, RigidityMeter};
use super::smoothness::{self, Smoothness};
use super::sparsity::{self, Sparsity};
use super::stretch::{Stretch, StretchMeter};
use super::symmetry::{self, Symmetry};
use super::tearing::{Tearing, TearingMeter};
use super::volume::{VolumeChange, VolumeMeter};
use super::{MeasureError, Posed, usual_scale};
use crate::character::{Character, Pose, Weights};
use crate::motion::Frame;
use crate::task::Task;

/// Edge stretch and compression: percentiles of |ln(posed / rest length)| over the edges of
/// the welded skin and all frames. No unit, `0.0..=8.0`.
pub fn stretch(character: &Character, weights: &Weights, frames: &[Frame]) -> Result<Stretch, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let mut meter = StretchMeter::new(&subject.skin, subject.scale(frames));
    let one_region = vec![0; subject.skin.len()];
    subject.pose(frames, |posed| meter.add(&subject.skin, posed, &one_region, 1))?;
    Ok(meter.finish(&subject.skin))
}

/// Volume lost or gained by closed pieces: Σ|V − V₀| / Σ|V₀|, mean over frames and worst. A
/// share, from 0 on; `None` where nothing is closed.
pub fn volume_change(
    character: &Character,
    weights: &Weights,
    frames: &[Frame],
) -> Result<Option<VolumeChange>, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let mut meter = VolumeMeter::new(&subject.skin, subject.scale(frames));
    subject.pose(frames, |posed| meter.add(&subject.skin, posed))?;
    Ok(meter.finish())
}

/// Limbs that thin: the longest stretch along a bone over which skin is nearer to it than half of what it is at rest, in radii of the limb,
/// from 0 on.
pub fn collapse(
    character: &Character,
    weights: &Weights,
    frames: &[Frame],
) -> Result<Collapse, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let regions = Regions::of(character, weights, &subject.skin);
    let mut meter = CollapseMeter::new(&character.skeleton, weights, &subject.skin, &regions);
    let mut posed = Vec::new();
    for frame in frames {
        let world = frame.pose.world_from_bind(&character.skeleton);
        subject.posed.pose_into(&world, &mut posed)?;
        meter.add(&subject.skin, &posed, &world);
    }
    Ok(meter.finish())
}

/// Self-penetration that the bind pose does not have: the fraction of faces that cut others, mean
/// over frames and worst, in `0.0..=1.0`. Dear: every frame counts, so give a few. `task` is
/// asked within each.
pub fn penetration(
    character: &Character,
    weights: &Weights,
    frames: &[Frame],
    task: &Task,
) -> Result<Option<Penetration>, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let mut meter = PenetrationMeter::new(&subject.skin, task)?;
    let one_region = vec![0; subject.skin.len()];
    let mut posed = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let world = frame.pose.world_from_bind(&character.skeleton);
        subject.posed.pose_into(&world, &mut posed)?;
        meter.add(index, &subject.skin, &posed, &one_region, 1, task)?;
    }
    Ok(meter.finish())
}

/// Bleed: the mean over positions of the weight on bones far away through the body, in
/// `0.0..=1.0`. `body` knows distances better than bones and skin do, such as
/// [`super::SolidDistance`].
pub fn bleed(
    character: &Character,
    weights: &Weights,
    body: Option<&dyn BodyDistance>,
    task: &Task,
) -> Result<Bleed, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let regions = Regions::of(character, weights, &subject.skin);
    let of_position = bleeding(character, weights, &subject.skin, &regions, body, task)?;
    Ok(bleed::summary(&of_position))
}

/// Weight smoothness: ½Σ|w − w̄| against the neighbours' mean, by area, and the fraction of edges
/// over which more than half of the weight changes. Shares, in `0.0..=1.0`.
pub fn smoothness(character: &Character, weights: &Weights) -> Result<Smoothness, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let rough = smoothness::roughness(weights, &subject.skin);
    let hard = smoothness::hard_edges(weights, &subject.skin);
    Ok(smoothness::summary(&rough, &hard, &subject.skin))
}

/// Tearing at seams: the largest gap between the copies of a vertex across a seam, relative
/// to the diagonal. No unit, from 0 on.
pub fn tearing(character: &Character, weights: &Weights, frames: &[Frame]) -> Result<Tearing, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let scale = subject.scale(frames);
    let mut meter = TearingMeter::new(&character.mesh, &subject.skin, weights, scale);
    subject.pose(frames, |posed| meter.add(posed))?;
    Ok(meter.finish())
}

/// Parts that should be rigid and bend: root mean square distance from the best rigid motion,
/// relative to the piece's size. No unit, from 0 on.
pub fn rigidity(
    character: &Character,
    weights: &Weights,
    frames: &[Frame],
) -> Result<Rigidity, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let mut meter = RigidityMeter::new(&character.mesh, &subject.skin, subject.scale(frames));
    subject.pose(frames, |posed| meter.add(&subject.skin, posed))?;
    Ok(meter.finish(&subject.skin))
}

/// Left-right asymmetry: the mean of ½Σ|w − w'| between positions and their mirror images, in
/// `0.0..=1.0`; `None` where the character is not symmetric.
pub fn symmetry(character: &Character, weights: &Weights) -> Result<Option<Symmetry>, MeasureError> {
    let subject = Subject::new(character, weights)?;
    Ok(symmetry::asymmetry(&character.skeleton, weights, &subject.skin).map(|found| found.1))
}

/// Influences and tiny weights: counts of joints per vertex, from 1 on, and shares in
/// `0.0..=1.0`.
pub fn sparsity(character: &Character, weights: &Weights) -> Result<Sparsity, MeasureError> {
    let subject = Subject::new(character, weights)?;
    Ok(sparsity::sparsity(weights, &subject.skin))
}

/// Against reference weights: mean and 95th percentile of ½Σ|w − w*| per vertex, precision and
/// recall of influences, each in `0.0..=1.0`; root mean square and worst deformation error over
/// the frames, relative to the diagonal, from 0 on.
pub fn against_reference(
    character: &Character,
    weights: &Weights,
    reference: &Weights,
    frames: &[Frame],
) -> Result<ReferenceMeasures, MeasureError> {
    let subject = Subject::new(character, weights)?;
    let theirs = Posed::new(character, reference, "the reference weights")?;
    let at_rest = theirs.at(&subject.rest())?;
    let mut meter = ReferenceMeter::new(&subject.skin, weights, reference, &at_rest);
    let one_region = vec![0; subject.skin.len()];
    let (mut posed, mut posed_reference) = (Vec::new(), Vec::new());
    for frame in frames {
        let world = frame.pose.world_from_bind(&character.skeleton);
        subject.posed.pose_into(&world, &mut posed)?;
        theirs.pose_into(&world, &mut posed_reference)?;
        meter.add(&subject.skin, &posed, &posed_reference, &one_region, 1);
    }
    Ok(meter.finish())
}

/// What is measured.
struct Subject<'a> {
    character: &'a Character,
    posed: Posed,
    skin: MeasuredSkin,
}

impl<'a> Subject<'a> {
    fn new(character: &'a Character, weights: &Weights) -> Result<Self, MeasureError> {
        character.mesh.check()?;
        character.skeleton.check()?;
        let posed = Posed::new(character, weights, "the weights")?;
        let skin = MeasuredSkin::of(&character.mesh);
        if skin.vertices.is_empty() || skin.welded.faces.is_empty() {
            return Err(MeasureError::NoSkin);
        }
        Ok(Self {
            character,
            posed,
            skin,
        })
    }

    fn rest(&self) -> Vec<DAffine3> {
        let skeleton = &self.character.skeleton;
        Pose::rest(skeleton).world_from_bind(skeleton)
    }

    /// What the rest pose multiplies lengths by; a range of motion starts at the bind pose.
    fn scale(&self, frames: &[Frame]) -> f64 {
        if frames.first().is_some_and(|f| f.clip.is_some()) {
            usual_scale(self.character, &self.rest())
        } else {
            1.0
        }
    }

    fn pose(&self, frames: &[Frame], mut add: impl FnMut(&[Vec3])) -> Result<(), MeasureError> {
        let mut posed = Vec::new();
        for frame in frames {
            let world = frame.pose.world_from_bind(&self.character.skeleton);
            self.posed.pose_into(&world, &mut posed)?;
            add(&posed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::{BindOptions, Method};
    use crate::measure::{MeasureOptions, measure};
    use crate::motion;

    #[test]
    fn alone_each_measure_says_what_the_report_says() {
        let task = Task::unattended();
        for name in ["knight@3000", "athlete@3000"] {
            let character = crate::sample::make(name).unwrap();
            let bind = |by: &str| {
                let method = Method::named(by).unwrap();
                let bound = method.bind_character(&character, &BindOptions::default(), &task);
                bound.unwrap().weights
            };
            let (w, reference) = (bind("closest"), bind("hierarchy"));
            let options = MeasureOptions {
                frames: 6,
                penetration_frames: 6,
                ..MeasureOptions::default()
            };
            let frames = motion::frames(&character, options.motion, options.frames, &[]);
            assert_eq!(frames.len(), 6);
            let report = measure(&character, &w, Some(&reference), &options, &task).unwrap();
            let c = &character;
            assert_eq!(stretch(c, &w, &frames).unwrap(), report.stretch);
            assert_eq!(volume_change(c, &w, &frames).unwrap(), report.volume);
            assert_eq!(collapse(c, &w, &frames).unwrap(), report.collapse);
            assert_eq!(penetration(c, &w, &frames, &task).unwrap(), report.penetration);
            assert_eq!(bleed(c, &w, None, &task).unwrap(), report.bleed);
            assert_eq!(smoothness(c, &w).unwrap(), report.smoothness);
            assert_eq!(tearing(c, &w, &frames).unwrap(), report.tearing);
            assert_eq!(rigidity(c, &w, &frames).unwrap(), report.rigidity);
            assert_eq!(symmetry(c, &w).unwrap(), report.symmetry);
            assert_eq!(sparsity(c, &w).unwrap(), report.sparsity);
            let agreement = against_reference(c, &w, &reference, &frames).unwrap();
            assert_eq!(Some(agreement), report.reference);
        }
    }

    #[test]
    fn no_skin_is_an_error() {
        let empty = Character::default();
        assert!(sparsity(&empty, &Weights::rigid([])).is_err());
    }
}
