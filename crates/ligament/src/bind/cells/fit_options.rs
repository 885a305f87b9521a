//! What a fit computes.

use serde::{Deserialize, Serialize};

use super::adam::PUBLISHED;
use super::losses::LossWeights;
use super::poses::PoseSource;
use super::start::Start;
use crate::motion::{JointLimits, Stance};

/// Which parameters a fit may change; less than all is for comparisons.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    not(feature = "research"),
    allow(dead_code, reason = "only experiments hold a fit back")
)]
pub enum Freedom {
    /// Everything.
    #[default]
    All,
    /// The exponents alone, of weights 1/d^r (section 4.1).
    Falloff,
    /// Exponents and floors of Eq. 3 alone.
    SparseFalloff,
}

/// What a fit computes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FitOptions {
    /// Sites per cell, 1 to 32. More follow finer shapes and take longer.
    pub sites: usize,
    /// Where it begins.
    pub start: Start,
    /// How the character stands in the fit. In the T-pose limbs are apart (SkinCells 2026, section 4, poses its models so); the weights are brought
    /// back to the character as it was modelled, and hold a second fit there.
    pub stance: Stance,
    /// Whether distances carry the detours through the solid.
    pub geodesic: bool,
    /// Whether springs count less where a bone of another limb is about as close; as published
    /// all count alike.
    pub springs_by_limb: bool,
    /// Steps to come near to the guidance, or to the weights that it starts from, before
    /// poses are looked at.
    pub guided_steps: usize,
    /// How much the voxel bind holds a fit that starts from it, as guidance; 0 not at all.
    /// The losses alone end in skin that is nearly rigid (the paper's λ weigh springs far
    /// over folds); held, it stays near what artists do and still deforms better. Over a body it holds three times as much.
    pub hold: f32,
    /// How much weights a little beside a garment are held to those on it; 0 not at all. Held, its field serves other garments, which
    /// lie further out or in. Where there is no body it does nothing.
    pub beside: f64,
    /// Steps over poses.
    pub steps: usize,
    /// How many poses there are to choose from.
    pub pose_pool: usize,
    /// How many of them a step looks at.
    pub poses_per_step: usize,
    /// About how many positions a step looks at; all if there are not more.
    pub points_per_step: usize,
    /// Where poses come from.
    pub pose_source: PoseSource,
    /// Limits of joints that overrule those by their names and positions.
    pub joint_limits: Vec<JointLimits>,
    /// Adam's rate at the beginning.
    pub rate: f64,
    /// Its rate at the end, as a fraction of that; it falls along a cosine.
    pub last_rate: f64,
    /// Its β₁ and β₂. Smaller ones forget sooner: gradients of few poses change a lot.
    pub moments: [f64; 2],
    /// Whether it runs along axes of each site that turn with its gradients; as published
    /// it runs along the numbers themselves. Along axes most fits end lower in the same
    /// steps, by a tenth and more: `docs/lab/cells.md`.
    pub site_axes: bool,
    /// No exponent r falls under this; zero for no bound. Under one a weight begins at its
    /// border with an infinite gradient, and towards zero with a jump that no gradient sees: a fit
    /// of the corpus went there and ended more than ten times higher.
    pub least_falloff: f64,
    /// The first c, as a fraction of the character's size.
    pub floor: f64,
    /// The fraction of all steps after which c is zero.
    pub floor_until: f64,
    /// How many of the nearest cells a position weighs; 0 for all.
    pub candidates: usize,
    /// λ.
    pub losses: LossWeights,
    /// What may change.
    #[cfg(feature = "research")]
    pub freedom: Freedom,
    /// It ends early when the skin moves less than this between two looks, root mean
    /// square, relative to the character; 0 never.
    pub tolerance: f64,
    /// A fit whose loss rises to this many times its least goes back there and on with half
    /// the rate; none for never.
    pub run_away: Option<f64>,
    /// Seeds sites and poses.
    pub seed: u64,
    /// Parts that are the body under a garment: names or globs. Empty for none.
    pub body: Vec<String>,
}

impl FitOptions {
    /// What may change: everything, outside of experiments.
    pub(super) fn freedom(&self) -> Freedom {
        #[cfg(feature = "research")]
        return self.freedom;
        #[cfg(not(feature = "research"))]
        Freedom::All
    }

    /// The paper's setting (sections 3.4 to 4).
    pub fn paper() -> Self {
        Self {
            sites: 6,
            start: Start::Paper,
            stance: Stance::Mesh,
            geodesic: false,
            springs_by_limb: false,
            guided_steps: 0,
            hold: 0.0,
            beside: 0.0,
            steps: 1500,
            pose_pool: 1024,
            poses_per_step: 16,
            points_per_step: usize::MAX,
            pose_source: PoseSource::Limits,
            joint_limits: Vec::new(),
            rate: 1e-3,
            last_rate: 1.0,
            moments: PUBLISHED,
            site_axes: false,
            least_falloff: 0.0,
            floor: 1.0,
            floor_until: 0.8,
            candidates: 0,
            losses: LossWeights::PAPER,
            #[cfg(feature = "research")]
            freedom: Freedom::All,
            tolerance: 0.0,
            run_away: None,
            seed: 1,
            body: Vec::new(),
        }
    }

    /// Adam's rate at a step: a cosine from the first to the last.
    pub(super) fn rate_at(&self, step: usize, steps: usize) -> f64 {
        let fraction = step as f64 / steps as f64;
        let cosine = 0.5 * (1.0 + (std::f64::consts::PI * fraction).cos());
        self.rate * (self.last_rate + (1.0 - self.last_rate) * cosine)
    }
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            start: Start::Voxels,
            geodesic: true,
            springs_by_limb: true,
            guided_steps: 200,
            hold: 1.0,
            beside: 1.0,
            steps: 6000,
            pose_pool: 256,
            poses_per_step: 2,
            points_per_step: 2048,
            rate: 4e-2,
            last_rate: 0.02,
            moments: [0.8, 0.95],
            site_axes: true,
            least_falloff: 1.25,
            floor: 3e-3,
            floor_until: 0.1,
            candidates: 12,
            tolerance: 1e-5,
            run_away: Some(1.5),
            ..Self::paper()
        }
    }
}
