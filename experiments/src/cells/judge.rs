//! Weights of one character, judged by the paper's losses over poses that no fit saw.

use std::time::Instant;

use anyhow::Context;
use glam::DAffine3;
use ligament::bind::cells::{
    FitDomain, FitOptions, Fitted, LossWeights, Losses, PoseSource, bind_by_field, fit_character, losses_of,
    poses, unseen_seed,
};
use ligament::bind::{BindOptions, DeformChoice, Method};
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament::{Character, Weights};

/// The most joints that a vertex follows, in all experiments as in the paper.
pub const INFLUENCES: usize = 4;
/// Poses that weights are judged by.
const UNSEEN: usize = 24;

/// A character and what judging it needs.
pub struct Judge<'a> {
    /// The character.
    pub character: &'a Character,
    /// How it is bound: with the joints that its artist used, if it has one.
    pub options: BindOptions,
    /// Its skin as the losses see it.
    pub domain: FitDomain,
    /// Poses that no fit with seed 1 saw.
    pub unseen: Vec<Vec<DAffine3>>,
    first_vertices: Vec<usize>,
}

/// Weights, and how long they took.
pub struct Timed<T> {
    pub value: T,
    pub seconds: f64,
}

/// The character of a sample's name.
pub fn sample(name: &str) -> anyhow::Result<Character> {
    Ok(ligament::sample::make(name)?)
}

/// Runs something and takes its time.
pub fn timed<T>(run: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<Timed<T>> {
    let start = Instant::now();
    let value = run()?;
    Ok(Timed {
        value,
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl<'a> Judge<'a> {
    pub fn new(character: &'a Character) -> anyhow::Result<Self> {
        let joints = match character.weights {
            Some(_) => DeformChoice::Used,
            None => DeformChoice::Guess,
        };
        Self::over(character, joints)
    }

    /// The same by a choice of joints.
    pub fn over(character: &'a Character, joints: DeformChoice) -> anyhow::Result<Self> {
        let options = BindOptions {
            influences: INFLUENCES,
            deform: joints,
            ..BindOptions::default()
        };
        let skin = Skin::new(character.clone())?;
        let domain = FitDomain::new(&skin, &options, &Task::unattended())?;
        let first = |point| skin.first_vertex(PointIndex(point));
        let first_vertices = (0..skin.len() as u32).map(first).collect();
        Ok(Self {
            character,
            options,
            domain,
            unseen: poses(character, PoseSource::Limits, &[], UNSEEN, unseen_seed(1)),
            first_vertices,
        })
    }

    /// The losses of weights of all vertices, cut to four.
    pub fn losses(&self, weights: &Weights) -> anyhow::Result<Losses> {
        let per_position = weights
            .limited(INFLUENCES)
            .gathered(self.first_vertices.iter().copied());
        Ok(losses_of(
            &self.domain,
            &per_position,
            &self.unseen,
            INFLUENCES,
            &LossWeights::PAPER,
            &Task::unattended(),
        )?)
    }

    /// Eq. 7 of weights of all vertices, cut to four.
    pub fn total(&self, weights: &Weights) -> anyhow::Result<f64> {
        Ok(self.losses(weights)?.total(&LossWeights::PAPER))
    }

    /// What a method of the library gives, asked for so many influences.
    pub fn bound(&self, name: &str, influences: usize) -> anyhow::Result<Timed<Weights>> {
        let options = BindOptions {
            influences,
            ..self.options.clone()
        };
        timed(|| {
            let bound = Method::named(name)?.bind(&self.domain.skin, &options, &Task::unattended());
            Ok(bound
                .with_context(|| format!("{name} on {}", self.character.name))?
                .weights)
        })
    }

    /// A fit.
    pub fn fitted(&self, options: &FitOptions) -> anyhow::Result<Timed<Fitted>> {
        timed(|| {
            Ok(fit_character(
                &self.domain.skin,
                &self.options,
                options,
                None,
                &Task::unattended(),
            )?)
        })
    }

    /// What a fit's field gives at all vertices.
    pub fn weights_of(&self, fitted: &Fitted) -> anyhow::Result<Weights> {
        let bound = bind_by_field(
            &self.domain.skin,
            &fitted.field,
            &self.options,
            &Task::unattended(),
        )?;
        Ok(bound.weights)
    }
}

/// The middle of some numbers, the mean of the two in the middle if there are two.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some(0.5 * (sorted[middle - 1] + sorted[middle])),
    }
}

/// A number with about three digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        v if v >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.5}"),
    }
}
