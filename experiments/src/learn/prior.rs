//! The prior: what artists would do with the weights that the recipes give.
//!
//! Minimised is the mean over characters of ½ ln E, E the sum over points of wᵀGw: first θ by Gauss and Newton's method,
//! then trees on top. Characters of one author count as the root of their number.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use ligament::bind::learned::{LEAVES, LevelForest};
use ligament::bind::prior::{COUNT, Features, Manner, NAMES, Prior};
use ligament::bind::{BestOptions, BindOptions, DeformChoice, Method, PriorChoice};
use ligament::measure::smoothness;
use ligament::skin::Skin;
use ligament::task::Task;

use crate::boost::{Boosting, Columns, Loss};
use crate::corpus::{Learned, folds, geometric_mean, median};
use crate::guise::Guise;
use crate::level_boost::boost;
use crate::samples::{self, Sample, Samples, form, four};

const FOLDS: usize = 5;
/// λ of θ, for features of unit spread.
const RIDGE: f64 = 0.1;
const STEPS: usize = 2;
/// What is added to curvatures, so that no leaf is certain of little.
const LEAST_CURVATURE: f32 = 0.02;

/// The prior is the mean of so many forests, each with draws of its own: what one learned by chance, others did not.
const FORESTS: usize = 4;
/// How each is learned.
pub const HOW: Boosting = Boosting {
    rounds: 400,
    leaves: LEAVES,
    rate: 0.2,
    ridge: 20.0,
    least_rows: 300,
    feature_fraction: 0.25,
    row_fraction: 0.6,
    seed: 3,
};

/// How the shipped prior is used.
pub const MANNER: Manner = Manner { keep: 0.0, calm: 0.5 };

/// Weights from logarithms: the four largest.
fn soft(logs: &[f32], w: &mut Vec<f32>) {
    let mut sorted = logs.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let least = sorted.get(3).copied().unwrap_or(f32::NEG_INFINITY);
    let most = sorted[0];
    w.clear();
    w.extend(
        logs.iter()
            .map(|&l| if l >= least { (l - most).exp() } else { 0.0 }),
    );
    let sum: f32 = w.iter().sum();
    w.iter_mut().for_each(|w| *w /= sum);
}

/// What each character counts for.
fn shares(characters: &[&Samples]) -> Vec<f64> {
    let of_author = |c: &Samples| {
        let alike = characters
            .iter()
            .filter(|o| o.author == c.author && o.guise == c.guise);
        alike.count() as f64
    };
    let shares: Vec<f64> = characters
        .iter()
        .map(|c| c.guise.share() / of_author(c).sqrt())
        .collect();
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|s| s / sum).collect()
}

/// Mean and spread of each feature, as a fraction of its range.
fn spreads(characters: &[&Samples]) -> (Vec<f64>, Vec<f64>) {
    let (mut sum, mut squares, mut count) = (vec![0.0; COUNT], vec![0.0; COUNT], 0.0);
    for row in characters
        .iter()
        .flat_map(|c| &c.points)
        .flat_map(|p| p.features.chunks_exact(COUNT))
    {
        count += 1.0;
        for (f, &byte) in row.iter().enumerate() {
            let x = f64::from(byte) / 255.0;
            sum[f] += x;
            squares[f] += x * x;
        }
    }
    let mean: Vec<f64> = sum.iter().map(|s| s / count).collect();
    let spread = squares
        .iter()
        .zip(&mean)
        .map(|(s, m)| (s / count - m * m).max(0.0).sqrt() + 1e-3)
        .collect();
    (mean, spread)
}

fn linear_logs(theta: &[f64], sample: &Sample) -> Vec<f32> {
    let rows = sample.features.chunks_exact(COUNT);
    sample
        .bases
        .iter()
        .zip(rows)
        .map(|(base, row)| {
            let sum: f64 = theta.iter().zip(row).map(|(t, &b)| t * f64::from(b)).sum();
            base + (sum / 255.0) as f32
        })
        .collect()
}

/// θ by Gauss and Newton's method, for features as fractions of their ranges.
fn learn_linear(characters: &[&Samples]) -> anyhow::Result<Vec<f64>> {
    let shares = shares(characters);
    let (mean, spread) = spreads(characters);
    let mut theta = vec![0.0; COUNT];
    let objective = |theta: &[f64]| {
        let mut sum = 0.0;
        let mut w = Vec::new();
        for (c, share) in characters.iter().zip(&shares) {
            let mut energy = 1e-9;
            for point in &c.points {
                soft(&linear_logs(theta, point), &mut w);
                energy += form(&point.mixed, &w);
            }
            sum += share * 0.5 * f64::ln(energy);
        }
        sum + 0.5
            * RIDGE
            * theta
                .iter()
                .zip(&spread)
                .map(|(t, s)| (t * s).powi(2))
                .sum::<f64>()
    };
    for _ in 0..STEPS {
        let mut matrix = vec![0f64; COUNT * COUNT];
        let mut gradient = vec![0f64; COUNT];
        for (c, &share) in characters.iter().zip(&shares) {
            let mut own = vec![0f32; COUNT * COUNT];
            let mut slope = vec![0f64; COUNT];
            let mut energy = 1e-9;
            let mut w = Vec::new();
            for point in &c.points {
                soft(&linear_logs(&theta, point), &mut w);
                energy += form(&point.mixed, &w);
                add_point(point, &w, &mean, &spread, &mut own, &mut slope);
            }
            for (to, from) in matrix.iter_mut().zip(&own) {
                *to += share / energy * f64::from(*from);
            }
            for (to, from) in gradient.iter_mut().zip(&slope) {
                *to += share / energy * from;
            }
        }
        for f in 0..COUNT {
            matrix[f * COUNT + f] += RIDGE;
            gradient[f] += RIDGE * theta[f] * spread[f];
            for g in 0..f {
                matrix[f * COUNT + g] = matrix[g * COUNT + f];
            }
        }
        let step = solved(matrix, &gradient).context("the equations for θ have no answer")?;
        let before = objective(&theta);
        for fraction in [1.0, 0.5, 0.25] {
            let tried: Vec<f64> = (0..COUNT)
                .map(|f| theta[f] - fraction * step[f] / spread[f])
                .collect();
            if objective(&tried) < before {
                theta = tried;
                break;
            }
        }
    }
    Ok(theta)
}

/// Adds JᵀGJ (its upper half) and JᵀGw of a point, J the slopes of its weights.
fn add_point(point: &Sample, w: &[f32], mean: &[f64], spread: &[f64], own: &mut [f32], slope: &mut [f64]) {
    let kept: Vec<usize> = (0..w.len()).filter(|&k| w[k] > 1e-4).collect();
    if kept.len() < 2 {
        return;
    }
    let k = w.len();
    let z = |c: usize, f: usize| (f64::from(point.features[c * COUNT + f]) / 255.0 - mean[f]) / spread[f];
    let mut jacobian = vec![0f32; kept.len() * COUNT];
    for f in 0..COUNT {
        let middle: f64 = kept.iter().map(|&c| f64::from(w[c]) * z(c, f)).sum();
        for (n, &c) in kept.iter().enumerate() {
            jacobian[n * COUNT + f] = w[c] * (z(c, f) - middle) as f32;
        }
    }
    for (n, &c) in kept.iter().enumerate() {
        let residual: f32 = kept.iter().map(|&d| point.mixed[c * k + d] * w[d]).sum();
        let row = &jacobian[n * COUNT..(n + 1) * COUNT];
        for (to, j) in slope.iter_mut().zip(row) {
            *to += f64::from(residual * j);
        }
        let mut pulled = [0f32; COUNT];
        for (m, &d) in kept.iter().enumerate() {
            let g = point.mixed[c * k + d];
            for (to, j) in pulled.iter_mut().zip(&jacobian[m * COUNT..(m + 1) * COUNT]) {
                *to += g * j;
            }
        }
        for f in 0..COUNT {
            let j = row[f];
            if j != 0.0 {
                for (to, p) in own[f * COUNT + f..(f + 1) * COUNT].iter_mut().zip(&pulled[f..]) {
                    *to += j * p;
                }
            }
        }
    }
}

/// Ax = b by Cholesky's method.
fn solved(mut a: Vec<f64>, b: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            let l = a[j * n + k];
            for i in j..n {
                a[i * n + j] -= a[i * n + k] * l;
            }
        }
        let pivot = a[j * n + j];
        if pivot <= 0.0 {
            return None;
        }
        for i in j..n {
            a[i * n + j] /= pivot.sqrt();
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        for k in 0..i {
            x[i] -= a[i * n + k] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= a[k * n + i] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    Some(x)
}

/// ½ ln E over characters, by the logarithms of weights.
struct Energy<'a> {
    points: Vec<(usize, &'a Sample)>,
    starts: Vec<usize>,
    linear: Vec<f32>,
    shares: Vec<f64>,
}

impl Loss for Energy<'_> {
    fn slopes(&mut self, sums: &[f32], gradients: &mut [f32], curvatures: &mut [f32]) {
        let mut energies = vec![1e-9; self.shares.len()];
        let mut weights = vec![0f32; sums.len()];
        let (mut logs, mut w) = (Vec::new(), Vec::new());
        for (number, &(c, point)) in self.points.iter().enumerate() {
            let start = self.starts[number];
            logs.clear();
            logs.extend((0..point.bases.len()).map(|k| self.linear[start + k] + sums[start + k]));
            soft(&logs, &mut w);
            energies[c] += form(&point.mixed, &w);
            weights[start..start + w.len()].copy_from_slice(&w);
        }
        let per_character = self.points.len() as f64 / self.shares.len() as f64;
        for (number, &(c, point)) in self.points.iter().enumerate() {
            let start = self.starts[number];
            let k = point.bases.len();
            let w = &weights[start..start + k];
            let scale = (per_character * self.shares.len() as f64 * self.shares[c] / energies[c]) as f32;
            let mut energy = 0.0;
            let mut residuals = [0f32; samples::MOST];
            for a in 0..k {
                let residual: f32 = (0..k).map(|b| point.mixed[a * k + b] * w[b]).sum();
                residuals[a] = residual;
                energy += residual * w[a];
            }
            for a in 0..k {
                gradients[start + a] = scale * w[a] * (residuals[a] - energy);
                let bend = point.mixed[a * k + a] - 2.0 * residuals[a] + energy;
                curvatures[start + a] = scale * w[a] * w[a] * bend.max(0.0) + LEAST_CURVATURE;
            }
        }
    }
}

/// Learns a prior from characters.
fn learn(characters: &[&Samples], how: &Boosting, manner: Manner) -> anyhow::Result<Prior> {
    let theta = learn_linear(characters)?;
    let mut loss = Energy {
        points: Vec::new(),
        starts: Vec::new(),
        linear: Vec::new(),
        shares: shares(characters),
    };
    let mut rows: Vec<u8> = Vec::new();
    for (c, character) in characters.iter().enumerate() {
        for point in character.points.iter().filter(|p| p.bases.len() > 1) {
            loss.points.push((c, point));
            loss.starts.push(loss.linear.len());
            loss.linear.extend(linear_logs(&theta, point));
            rows.extend(&point.features);
        }
    }
    let columns = Columns::of(&rows, COUNT);
    let mut trees = Vec::new();
    for forest in 0..FORESTS {
        let own = Boosting {
            seed: how.seed + forest as u64,
            ..*how
        };
        trees.extend(boost(&columns, &own, &mut loss));
    }
    for leaf in trees.iter_mut().flat_map(|tree| &mut tree.leaves) {
        *leaf /= FORESTS as f32;
    }
    let mut linear = [0f32; COUNT];
    for (to, from) in linear.iter_mut().zip(&theta) {
        *to = *from as f32;
    }
    Ok(Prior::new(linear, LevelForest::new(&trees, COUNT)?, manner))
}

/// Def with a prior over Def without, on the points that were drawn.
fn ratio(prior: &Prior, character: &Samples) -> f64 {
    let (mut before, mut after) = (1e-12, 1e-12);
    let (mut w, mut corrections) = (Vec::new(), Vec::new());
    for point in &character.points {
        soft(&point.bases, &mut w);
        four(&mut w);
        before += form(&point.own, &w);
        let features: Vec<Features> = point
            .features
            .chunks_exact(COUNT)
            .map(|row| std::array::from_fn(|f| row[f]))
            .collect();
        prior.corrections(&features, &mut corrections);
        let logs: Vec<f32> = point.bases.iter().zip(&corrections).map(|(b, c)| b + c).collect();
        soft(&logs, &mut w);
        four(&mut w);
        after += form(&point.own, &w);
    }
    f64::sqrt(after / before)
}

/// Binds every character, told its joints or guessing them, without a prior and with that of its fold, and tells both.
pub fn bind(
    folders: &[PathBuf],
    kept: &Path,
    manner: Option<Manner>,
    guise: Guise,
    skipped: &dyn Fn(&str) -> bool,
) -> anyhow::Result<String> {
    let mut characters = samples::all(folders, kept, &[Guise::Told])?;
    characters.retain(|c| !skipped(&c.name));
    let authors: Vec<String> = characters.iter().map(|c| c.author.clone()).collect();
    let fold_of = folds(&authors, FOLDS);
    let mut text = "character,plain,prior,ratio,rough_plain,rough_prior,ms_plain,ms_prior\n".to_owned();
    let (mut ratios, mut rough, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for (character, fold) in characters.iter().zip(fold_of) {
        let mut prior = Prior::read(&std::fs::read(kept.join(format!("fold{fold}.prior")))?)?;
        if let Some(manner) = manner {
            prior = prior.in_manner(manner);
        }
        let learned = Learned::open(&character.path)?;
        let skeleton = &learned.character.skeleton;
        let skin = Skin::new(learned.character.clone())?;
        let mut used = vec![false; skeleton.joints.len()];
        for influence in learned.truth.influences() {
            used[influence.joint.at()] |= skeleton.joint(influence.joint).in_skin;
        }
        let given = DeformChoice::Joints(skeleton.indices().filter(|j| used[j.at()]).collect());
        let options = BindOptions {
            deform: if guise == Guise::Guessed {
                DeformChoice::Guess
            } else {
                given
            },
            ..BindOptions::default()
        };
        let measured = |prior: PriorChoice| {
            let start = Instant::now();
            let method = Method::Best(BestOptions {
                prior,
                ..BestOptions::default()
            });
            let weights = method.bind(&skin, &options, &Task::unattended())?.weights;
            let time = 1e3 * start.elapsed().as_secs_f64();
            let rough = smoothness(&learned.character, &weights)?.roughness;
            anyhow::Ok((learned.def(&weights)?, rough, time))
        };
        let (plain, with) = (
            measured(PriorChoice::None)?,
            measured(PriorChoice::Learned(Box::new(prior)))?,
        );
        let ratio = with.0 / plain.0;
        let line = format!(
            "{},{:.5},{:.5},{ratio:.3},{:.4},{:.4},{:.1},{:.1}",
            character.name, plain.0, with.0, plain.1, with.1, plain.2, with.2
        );
        eprintln!("{line}");
        writeln!(text, "{line}")?;
        ratios.push(ratio);
        rough.push(with.1 / plain.1.max(1e-6));
        times.push(with.2 / plain.2);
    }
    eprintln!(
        "{} characters: Def ratio geometric mean {:.4}, median {:.3}, largest {:.2}; roughness ratio median {:.3}; time ratio median {:.3}",
        ratios.len(),
        geometric_mean(&ratios),
        median(&ratios),
        ratios.iter().copied().fold(0.0, f64::max),
        median(&rough),
        median(&times)
    );
    Ok(text)
}

/// What to learn, and from whom.
pub struct Lesson<'a> {
    pub folders: &'a [PathBuf],
    pub kept: &'a Path,
    pub how: Boosting,
    pub manner: Manner,
    /// How characters are bound to learn from.
    pub guises: &'a [Guise],
    /// Who is not looked at.
    pub skipped: &'a dyn Fn(&str) -> bool,
    /// Who is learned from.
    pub shipped: &'a dyn Fn(&str) -> bool,
    /// Whether it is cross-validated.
    pub validate: bool,
    /// Of the authors on the learning side of a fold, the fraction that is learned from.
    pub authors: f64,
    /// The features that nothing is told by.
    pub without: &'a [String],
}

/// Makes features say the same of everything.
fn leave_out(characters: &mut [Samples], without: &[String]) -> anyhow::Result<()> {
    for feature in without {
        let at = NAMES
            .iter()
            .position(|name| name == feature)
            .with_context(|| format!("no feature is called '{feature}'; there are {}", NAMES.join(", ")))?;
        for row in characters
            .iter_mut()
            .flat_map(|c| &mut c.points)
            .flat_map(|p| p.features.chunks_exact_mut(COUNT))
        {
            row[at] = 0;
        }
    }
    Ok(())
}

/// Keeps a fraction of the authors, spread evenly over their names.
fn keep_authors(characters: &mut Vec<&Samples>, fraction: f64) {
    let mut authors: Vec<&str> = characters.iter().map(|c| c.author.as_str()).collect();
    authors.sort_unstable();
    authors.dedup();
    // The golden section spreads what is kept over the alphabet, and a smaller fraction keeps some of a larger one's.
    let is_kept = |at: usize| ((at + 1) as f64 * 0.618_033_988_749_895).fract() < fraction;
    let kept: Vec<String> = (0..authors.len())
        .filter(|&at| is_kept(at))
        .map(|at| authors[at].to_owned())
        .collect();
    characters.retain(|c| kept.contains(&c.author));
}

/// Learns, cross-validated by author, and writes the prior and what was found.
pub fn run(lesson: &Lesson<'_>, output: &Path) -> anyhow::Result<String> {
    let Lesson {
        kept,
        ref how,
        manner,
        skipped,
        shipped,
        validate,
        authors: fraction,
        without,
        ..
    } = *lesson;
    let mut characters = samples::all(lesson.folders, kept, lesson.guises)?;
    characters.retain(|c| !skipped(&c.name));
    leave_out(&mut characters, without)?;
    let mut text = String::new();
    let points: usize = characters.iter().map(|c| c.points.len()).sum();
    let rows: usize = characters
        .iter()
        .flat_map(|c| &c.points)
        .map(|p| p.bases.len())
        .sum();
    eprintln!(
        "{} characters, {points} points, {rows} candidates, {} features",
        characters.len(),
        NAMES.len()
    );
    if validate {
        let authors: Vec<String> = characters.iter().map(|c| c.author.clone()).collect();
        let fold_of = folds(&authors, FOLDS);
        let mut found: Vec<(f64, &Samples)> = Vec::new();
        let mut others: Vec<(f64, &Samples)> = Vec::new();
        for fold in 0..FOLDS {
            let mut train: Vec<&Samples> = (0..characters.len())
                .filter(|&c| fold_of[c] != fold && shipped(&characters[c].name))
                .map(|c| &characters[c])
                .collect();
            keep_authors(&mut train, fraction);
            let prior = learn(&train, how, manner)?;
            std::fs::write(kept.join(format!("fold{fold}.prior")), prior.write())?;
            for c in (0..characters.len()).filter(|&c| fold_of[c] == fold) {
                let list = match characters[c].guise {
                    Guise::Told => &mut found,
                    _ => &mut others,
                };
                list.push((ratio(&prior, &characters[c]), &characters[c]));
            }
            let so_far: Vec<f64> = found.iter().map(|f| f.0).collect();
            eprintln!(
                "fold {fold}: {} characters so far, {:.4}",
                so_far.len(),
                geometric_mean(&so_far)
            );
        }
        for guise in [Guise::Guessed, Guise::Disguised, Guise::Simpler] {
            let ratios: Vec<f64> = others
                .iter()
                .filter(|f| f.1.guise == guise)
                .map(|f| f.0)
                .collect();
            writeln!(
                text,
                "{}: {} characters, geometric mean {:.4}, largest {:.2}",
                guise.word(),
                ratios.len(),
                geometric_mean(&ratios),
                ratios.iter().copied().fold(0.0, f64::max)
            )?;
        }
        let open: Vec<f64> = found
            .iter()
            .filter(|f| f.1.path.components().any(|c| c.as_os_str() == "open"))
            .map(|f| f.0)
            .collect();
        writeln!(
            text,
            "open: {} characters, geometric mean {:.4}",
            open.len(),
            geometric_mean(&open)
        )?;
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let ratios: Vec<f64> = found.iter().map(|f| f.0).collect();
        writeln!(
            text,
            "Def over that of the recipes, on points drawn: geometric mean {:.4}, median {:.3}, largest {:.2}, lower on {} of {}",
            geometric_mean(&ratios),
            median(&ratios),
            ratios.first().copied().unwrap_or(f64::NAN),
            ratios.iter().filter(|&&r| r < 1.0).count(),
            ratios.len()
        )?;
        for (ratio, character) in &found {
            writeln!(text, "{} {ratio:.3}", character.name)?;
        }
    }
    let all: Vec<&Samples> = characters.iter().filter(|c| shipped(&c.name)).collect();
    let bytes = learn(&all, how, manner)?.write();
    writeln!(
        text,
        "{} characters make the prior, {} bytes",
        all.len(),
        bytes.len()
    )?;
    std::fs::write(output, bytes)?;
    Ok(text)
}
