//! From numbers to a judgement: what is broken, where, and in which frame.
//!
//! Every measure has a **limit**; its **severity** is value / limit. From 1 on it is
//! *broken*, from ½ on *suspect*, else *sound*. A limit is set so that hardly any artist's
//! weights reach it (`docs/measures.md` has the figures) and can be set by the caller.
//!
//! A **region** is the neighbourhood of a joint. Its own values are means, percentiles or
//! maxima of the same quantities over its positions, held against the same limits times a
//! factor: what is spread thin over a whole character is dense where it happens. A region
//! is as bad as its worst measure. Its frame is the one in which that measure is at its
//! worst there; for measures of weights alone, the one in which its edges stretch most.

use serde::{Deserialize, Serialize};

use crate::character::JointIndex;

/// What is measured, as verdicts name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Edges stretched and compressed: 99th percentile of |ln ratio|; in a region the 95th
    /// percentile over edges of their worst frame.
    Stretch,
    /// Volume lost or gained by closed pieces, worst frame.
    Volume,
    /// The longest stretch of a limb that is thinner than half, in its radii, worst frame.
    Collapse,
    /// Share of faces that cut others anew, worst frame.
    Penetration,
    /// Mean weight on bones far away through the body.
    Bleed,
    /// Mean roughness of weights.
    Roughness,
    /// Share of edges over which more than half of the weight changes.
    HardEdges,
    /// Largest gap at seams, relative to the diagonal.
    Tearing,
    /// How far the worst stiff piece bends, relative to its size.
    Bending,
    /// Mean difference between left and right.
    Asymmetry,
    /// Share of influences that are tiny.
    TinyWeights,
    /// The most influences of a vertex.
    Influences,
    /// Root mean square deformation error against the reference, relative to the diagonal.
    Deformation,
}

impl Measure {
    /// All measures, in the order of reports.
    pub const ALL: [Self; 13] = [
        Self::Stretch,
        Self::Volume,
        Self::Collapse,
        Self::Penetration,
        Self::Bleed,
        Self::Roughness,
        Self::HardEdges,
        Self::Tearing,
        Self::Bending,
        Self::Asymmetry,
        Self::TinyWeights,
        Self::Influences,
        Self::Deformation,
    ];

    /// The name in options and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stretch => "stretch",
            Self::Volume => "volume",
            Self::Collapse => "collapse",
            Self::Penetration => "penetration",
            Self::Bleed => "bleed",
            Self::Roughness => "roughness",
            Self::HardEdges => "hard_edges",
            Self::Tearing => "tearing",
            Self::Bending => "bending",
            Self::Asymmetry => "asymmetry",
            Self::TinyWeights => "tiny_weights",
            Self::Influences => "influences",
            Self::Deformation => "deformation",
        }
    }

    /// What a region's limit is, as a multiple of the character's; `None` for what is not
    /// asked of regions.
    fn region_factor(self) -> Option<f64> {
        match self {
            Self::Stretch => Some(1.6),
            Self::Penetration => Some(3.0),
            Self::Bleed => Some(8.0),
            Self::Roughness => Some(1.5),
            Self::HardEdges => Some(2.5),
            Self::Collapse | Self::Tearing | Self::Bending => Some(1.0),
            Self::Asymmetry => Some(2.0),
            Self::Deformation => Some(2.5),
            Self::Volume | Self::TinyWeights | Self::Influences => None,
        }
    }
}

impl Measure {
    /// What counts one in the score of a whole character; `None` for what is no fault in
    /// itself or needs a reference. Smaller than most limits: a score compares binds that
    /// may all be sound.
    pub fn score_unit(self) -> Option<f64> {
        match self {
            Self::Stretch => Some(1.2),
            Self::Volume => Some(0.5),
            Self::Collapse => Some(1.5),
            Self::Penetration => Some(0.2),
            Self::Bleed => Some(0.03),
            Self::Roughness => Some(0.15),
            Self::HardEdges => Some(0.05),
            Self::Tearing => Some(0.01),
            Self::Bending => Some(1.0),
            Self::Asymmetry => Some(0.25),
            Self::TinyWeights | Self::Influences | Self::Deformation => None,
        }
    }
}

/// From which value on a measure is broken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Of the 99th percentile of |ln ratio|.
    pub stretch: f64,
    /// Of the fraction of volume lost or gained.
    pub volume: f64,
    /// Of the longest stretch of a limb that is thinner than half, in its radii.
    pub collapse: f64,
    /// Of the fraction of faces that cut others anew.
    pub penetration: f64,
    /// Of the mean weight on bones far away.
    pub bleed: f64,
    /// Of the mean roughness.
    pub roughness: f64,
    /// Of the fraction of hard edges.
    pub hard_edges: f64,
    /// Of the largest gap relative to the diagonal.
    pub tearing: f64,
    /// Of the bend of stiff pieces relative to their size.
    pub bending: f64,
    /// Of the mean difference between left and right.
    pub asymmetry: f64,
    /// Of the fraction of tiny influences.
    pub tiny_weights: f64,
    /// Of the number of influences; more than half is not yet suspect.
    pub influences: f64,
    /// Of the root mean square deformation error.
    pub deformation: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            stretch: 1.2,
            volume: 0.3,
            collapse: 1.5,
            penetration: 0.25,
            bleed: 0.03,
            roughness: 0.22,
            hard_edges: 0.3,
            tearing: 0.01,
            bending: 0.75,
            asymmetry: 0.25,
            tiny_weights: 0.5,
            influences: 9.0,
            deformation: 0.05,
        }
    }
}

impl Limits {
    /// The limit of a measure.
    pub fn of(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Stretch => self.stretch,
            Measure::Volume => self.volume,
            Measure::Collapse => self.collapse,
            Measure::Penetration => self.penetration,
            Measure::Bleed => self.bleed,
            Measure::Roughness => self.roughness,
            Measure::HardEdges => self.hard_edges,
            Measure::Tearing => self.tearing,
            Measure::Bending => self.bending,
            Measure::Asymmetry => self.asymmetry,
            Measure::TinyWeights => self.tiny_weights,
            Measure::Influences => self.influences,
            Measure::Deformation => self.deformation,
        }
    }

    /// The same, to change it.
    pub fn of_mut(&mut self, measure: Measure) -> &mut f64 {
        match measure {
            Measure::Stretch => &mut self.stretch,
            Measure::Volume => &mut self.volume,
            Measure::Collapse => &mut self.collapse,
            Measure::Penetration => &mut self.penetration,
            Measure::Bleed => &mut self.bleed,
            Measure::Roughness => &mut self.roughness,
            Measure::HardEdges => &mut self.hard_edges,
            Measure::Tearing => &mut self.tearing,
            Measure::Bending => &mut self.bending,
            Measure::Asymmetry => &mut self.asymmetry,
            Measure::TinyWeights => &mut self.tiny_weights,
            Measure::Influences => &mut self.influences,
            Measure::Deformation => &mut self.deformation,
        }
    }

    /// The limit of a measure in a region; `None` for what is not asked of regions.
    pub fn of_region(&self, measure: Measure) -> Option<f64> {
        measure.region_factor().map(|factor| factor * self.of(measure))
    }
}

/// The judgement of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Under half the limit.
    Sound,
    /// Worth a look.
    Suspect,
    /// At or over the limit.
    Broken,
}

/// One measure, held against its limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Finding {
    /// What was measured.
    pub measure: Measure,
    /// What came of it.
    pub value: f64,
    /// From which value on it is broken.
    pub limit: f64,
    /// `value / limit`.
    pub severity: f64,
    /// What that means.
    pub verdict: Verdict,
}

impl Finding {
    /// Judges a value. Influences are counted, and none under the limit is suspect.
    pub fn new(measure: Measure, value: f64, limit: f64) -> Self {
        let severity = if limit > 0.0 {
            value / limit
        } else if value > 0.0 {
            f64::MAX
        } else {
            0.0
        };
        let verdict = if severity >= 1.0 {
            Verdict::Broken
        } else if severity >= 0.5 && measure != Measure::Influences {
            Verdict::Suspect
        } else {
            Verdict::Sound
        };
        Self {
            measure,
            value,
            limit,
            severity,
            verdict,
        }
    }
}

/// A frame as reports name it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameName {
    /// Its number among the frames measured.
    pub number: usize,
    /// What a person calls it.
    pub name: String,
    /// The clip it is from.
    pub clip: Option<String>,
    /// The clip's time in seconds.
    pub seconds: Option<f32>,
}

/// The neighbourhood of a joint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegionVerdict {
    /// The joint.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// How many positions are nearest to its bones.
    pub positions: usize,
    /// The judgement of its worst measure.
    pub verdict: Verdict,
    /// That measure.
    pub worst: Measure,
    /// The largest severity.
    pub severity: f64,
    /// All that was measured here, the most severe first.
    pub findings: Vec<Finding>,
    /// The frame to look at.
    pub frame: Option<FrameName>,
    /// The vertex to look at.
    pub vertex: u32,
}

/// Puts findings in order and judges a region by the first.
pub(super) fn judge_region(
    joint: JointIndex,
    name: String,
    positions: usize,
    vertex: u32,
    mut findings: Vec<Finding>,
) -> Option<RegionVerdict> {
    findings.sort_by(|a, b| b.severity.total_cmp(&a.severity).then(a.measure.cmp(&b.measure)));
    let worst = *findings.first()?;
    Some(RegionVerdict {
        joint,
        name,
        positions,
        verdict: worst.verdict,
        worst: worst.measure,
        severity: worst.severity,
        findings,
        frame: None,
        vertex,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_and_verdicts() {
        let verdict = |value| Finding::new(Measure::Stretch, value, 1.0).verdict;
        assert_eq!(
            [0.0, 0.49, 0.5, 0.99, 1.0, 9.0].map(verdict),
            [
                Verdict::Sound,
                Verdict::Sound,
                Verdict::Suspect,
                Verdict::Suspect,
                Verdict::Broken,
                Verdict::Broken
            ]
        );
        assert_eq!(
            Finding::new(Measure::Influences, 8.0, 9.0).verdict,
            Verdict::Sound
        );
        assert_eq!(Finding::new(Measure::Bleed, 0.0, 0.0).verdict, Verdict::Sound);
        assert_eq!(Finding::new(Measure::Bleed, 0.1, 0.0).verdict, Verdict::Broken);
    }

    #[test]
    fn every_measure_has_a_name_and_a_limit_of_its_own() {
        let mut limits = Limits::default();
        for (k, &measure) in Measure::ALL.iter().enumerate() {
            *limits.of_mut(measure) = k as f64;
            let json = serde_name(measure);
            assert_eq!(json, measure.name());
        }
        for (k, &measure) in Measure::ALL.iter().enumerate() {
            assert_eq!(limits.of(measure), k as f64);
        }
    }

    /// The name that serde gives it: that of the variant in snake case.
    fn serde_name(measure: Measure) -> String {
        let mut name = String::new();
        for c in format!("{measure:?}").chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(c.to_lowercase());
        }
        name
    }

    #[test]
    fn a_region_is_as_bad_as_its_worst_measure() {
        let findings = vec![
            Finding::new(Measure::Stretch, 0.1, 1.0),
            Finding::new(Measure::Bleed, 0.9, 0.1),
            Finding::new(Measure::Tearing, 0.3, 0.5),
        ];
        let region = judge_region(JointIndex(3), "knee".to_owned(), 7, 1, findings).unwrap();
        assert_eq!((region.worst, region.verdict), (Measure::Bleed, Verdict::Broken));
        assert_eq!(region.findings[1].measure, Measure::Tearing);
        assert!(judge_region(JointIndex(0), String::new(), 0, 0, Vec::new()).is_none());
    }
}
