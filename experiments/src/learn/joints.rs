//! Which joints move skin: learns the table by which the library guesses it.
//!
//! Each joint of each character is a row. The character is bound to the joints that its artist used, and once more with this joint the
//! other way: what a mistake costs is how much ln Def grows. The answer is the artist's, unless the bind is better without it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ligament::bind::learned::Forest;
use ligament::bind::{
    BindOptions, DeformChoice, HeatOptions, JOINT_FEATURES, JointFeatures, JointTable, Method, by_names,
    evidence,
};
use ligament::character::{JointIndex, Weights};
use ligament::skin::Skin;
use ligament::task::Task;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::boost::{Boosting, Columns, Loss, boost};
use crate::corpus::{Learned, files, folds, geometric_mean, median};

const FOLDS: usize = 8;
/// Under this fraction of the diagonal errors are alike.
const LEAST_DEF: f64 = 1e-3;
/// Points times joints over which costs are found by heat alone.
const LARGE: usize = 1_000_000;
/// Differences of ln Def that hardly matter.
const HARDLY: f64 = 0.02;
/// Every mistake costs at least this.
const LEAST_COST: f64 = 0.03;
/// No mistake counts for more.
const MOST_COST: f64 = 1.0;

/// One joint.
#[derive(Serialize, Deserialize)]
struct Joint {
    name: String,
    index: u16,
    features: Vec<u8>,
    /// Whether the artist gave it weight.
    used: bool,
    /// How much ln Def grows when it is left out; less than nothing where it shrinks.
    gain: f64,
    /// Whether its name leaves it in.
    #[serde(default)]
    named: bool,
}

impl Joint {
    /// Whether a bind is better with it; where that hardly matters, whether the artist used it.
    fn wanted(&self) -> bool {
        if self.gain.abs() < HARDLY {
            self.used
        } else {
            self.gain > 0.0
        }
    }

    /// What a mistake costs; nothing where it helps.
    fn cost(&self) -> f64 {
        let gain = if self.used { self.gain } else { -self.gain };
        gain.max(0.0)
    }
}

/// One character.
#[derive(Serialize, Deserialize)]
struct Sheet {
    name: String,
    author: String,
    path: PathBuf,
    /// Def with the artist's joints.
    def: f64,
    joints: Vec<Joint>,
}

fn bound(skin: &Skin, deform: DeformChoice, method: &Method) -> anyhow::Result<Weights> {
    let options = BindOptions {
        deform,
        ..BindOptions::default()
    };
    Ok(method.bind(skin, &options, &Task::unattended())?.weights)
}

fn sheet(path: &Path) -> anyhow::Result<Sheet> {
    let learned = Learned::open(path)?;
    let skeleton = &learned.character.skeleton;
    let skin = Skin::new(learned.character.clone())?;
    let mut used = vec![false; skeleton.joints.len()];
    for influence in learned.truth.influences() {
        used[influence.joint.at()] |= skeleton.joint(influence.joint).in_skin;
    }
    let base = learned.def(&bound(&skin, chosen(&used), &Method::default())?)?;
    let method = if skin.points().len() * skeleton.joints.len() > LARGE {
        Method::Heat(HeatOptions::default())
    } else {
        Method::default()
    };
    let base_of_method = learned.def(&bound(&skin, chosen(&used), &method)?)?;
    let features = evidence(&skin);
    let joints: Vec<JointIndex> = skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin)
        .collect();
    let rows: anyhow::Result<Vec<Joint>> = joints
        .par_iter()
        .map(|&j| {
            let mut other = used.clone();
            other[j.at()] = !other[j.at()];
            // The last joint cannot be left out.
            let grows = match bound(&skin, chosen(&other), &method) {
                Ok(weights) => (learned.def(&weights)?.max(LEAST_DEF) / base_of_method.max(LEAST_DEF)).ln(),
                Err(_) => f64::from(f32::MAX).ln(),
            };
            Ok(Joint {
                name: skeleton.joint(j).name.clone(),
                index: j.0,
                features: features[j.at()].to_vec(),
                used: used[j.at()],
                gain: if used[j.at()] { grows } else { -grows },
                named: true,
            })
        })
        .collect();
    Ok(Sheet {
        joints: rows?,
        def: base,
        name: learned.name,
        author: learned.author,
        path: path.to_owned(),
    })
}

fn chosen(takes_part: &[bool]) -> DeformChoice {
    let joints = (0..takes_part.len()).filter(|&j| takes_part[j]);
    DeformChoice::Joints(joints.map(|j| JointIndex(j as u16)).collect())
}

/// Every character's sheet, kept between runs.
fn sheets(folders: &[PathBuf], kept: &Path) -> anyhow::Result<Vec<Sheet>> {
    std::fs::create_dir_all(kept)?;
    let mut all = Vec::new();
    for path in files(folders)? {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let at = kept.join(format!("{stem}.joints.json"));
        if let Ok(text) = std::fs::read_to_string(&at) {
            let mut sheet: Sheet = serde_json::from_str(&text)?;
            // Binds are kept; what is known of joints is found anew.
            let skin = Skin::new(Learned::open(&path)?.character)?;
            let (known, named) = (evidence(&skin), by_names(&skin.character().skeleton));
            for joint in &mut sheet.joints {
                joint.named = named[usize::from(joint.index)];
                joint.features = known[usize::from(joint.index)].to_vec();
            }
            all.push(sheet);
            continue;
        }
        match sheet(&path) {
            Ok(sheet) => {
                std::fs::write(&at, serde_json::to_string(&sheet)?)?;
                eprintln!("{stem}: {} joints", sheet.joints.len());
                all.push(sheet);
            }
            Err(error) => eprintln!("{stem}: left out: {error:#}"),
        }
    }
    Ok(all)
}

/// The logistic loss, each row by what a mistake costs.
struct Logistic {
    wanted: Vec<f32>,
    weight: Vec<f32>,
    /// Log-odds before any tree is asked.
    bias: f32,
}

impl Loss for Logistic {
    fn slopes(&mut self, sums: &[f32], gradients: &mut [f32], curvatures: &mut [f32]) {
        for row in 0..sums.len() {
            let p = 1.0 / (1.0 + (-(self.bias + sums[row])).exp());
            gradients[row] = self.weight[row] * (p - self.wanted[row]);
            curvatures[row] = self.weight[row] * (p * (1.0 - p)).max(1e-3);
        }
    }
}

/// How the shipped table is learned.
pub const HOW: Boosting = Boosting {
    rounds: 120,
    leaves: 6,
    rate: 0.1,
    ridge: 2.0,
    least_rows: 12,
    feature_fraction: 0.4,
    row_fraction: 0.8,
    seed: 7,
};

fn learn(sheets: &[&Sheet], how: &Boosting) -> anyhow::Result<JointTable> {
    let width = JOINT_FEATURES.len();
    let (mut rows, mut loss) = (
        Vec::new(),
        Logistic {
            wanted: Vec::new(),
            weight: Vec::new(),
            bias: 0.0,
        },
    );
    for sheet in sheets {
        let of_author = sheets.iter().filter(|s| s.author == sheet.author).count() as f64;
        let share = 1.0 / of_author.sqrt();
        for joint in sheet.joints.iter().filter(|j| j.named) {
            rows.extend(&joint.features);
            loss.wanted.push(if joint.wanted() { 1.0 } else { 0.0 });
            loss.weight
                .push((share * (joint.gain.abs().min(MOST_COST) + LEAST_COST)) as f32);
        }
    }
    // The mean weight is one, so that the ridge means the same for any corpus.
    let mean = loss.weight.iter().sum::<f32>() / loss.weight.len() as f32;
    loss.weight.iter_mut().for_each(|w| *w /= mean);
    let (mut yes, mut no) = (0f32, 0f32);
    for (wanted, weight) in loss.wanted.iter().zip(&loss.weight) {
        yes += wanted * weight;
        no += (1.0 - wanted) * weight;
    }
    let bias = (yes / no.max(1e-6)).ln();
    loss.bias = bias;
    let mut usual: JointFeatures = [0; JOINT_FEATURES.len()];
    for (feature, usual) in usual.iter_mut().enumerate() {
        let mut values: Vec<u8> = (0..loss.wanted.len())
            .filter(|&r| loss.wanted[r] > 0.5)
            .map(|r| rows[r * width + feature])
            .collect();
        values.sort_unstable();
        *usual = values.get(values.len() / 2).copied().unwrap_or(0);
    }
    let (trees, _) = boost(&Columns::of(&rows, width), how, &mut loss);
    Ok(JointTable::new(bias, Forest::new(&trees, width)?, usual))
}

fn features_of(joint: &Joint) -> anyhow::Result<JointFeatures> {
    joint
        .features
        .as_slice()
        .try_into()
        .context("kept sheets are of another version: delete them")
}

/// Learns, cross-validated by author, and writes the table and what was found.
pub fn run(
    folders: &[PathBuf],
    kept: &Path,
    output: &Path,
    shipped: &dyn Fn(&str) -> bool,
) -> anyhow::Result<String> {
    let sheets = sheets(folders, kept)?;
    let authors: Vec<String> = sheets.iter().map(|s| s.author.clone()).collect();
    let fold_of = folds(&authors, FOLDS);
    let mut text = String::new();
    let (mut kept_wrong, mut dropped_wrong, mut joints, mut cost) = (0, 0, 0, 0.0);
    let mut rows: Vec<(f64, String)> = Vec::new();
    for fold in 0..FOLDS {
        let train: Vec<&Sheet> = (0..sheets.len())
            .filter(|&s| fold_of[s] != fold && shipped(&sheets[s].name))
            .map(|s| &sheets[s])
            .collect();
        let table = learn(&train, &HOW)?;
        for sheet in (0..sheets.len())
            .filter(|&s| fold_of[s] == fold)
            .map(|s| &sheets[s])
        {
            let mut wrong = Vec::new();
            for joint in &sheet.joints {
                let moves = joint.named && table.log_odds(&features_of(joint)?) > 0.0;
                joints += 1;
                if moves == joint.used {
                    continue;
                }
                cost += joint.cost();
                *(if moves {
                    &mut kept_wrong
                } else {
                    &mut dropped_wrong
                }) += 1;
                let sign = if moves { '+' } else { '-' };
                wrong.push((joint.cost(), format!("{sign}{} {:.2}", joint.name, joint.cost())));
            }
            wrong.sort_by(|a, b| b.0.total_cmp(&a.0));
            let names: Vec<String> = wrong.iter().take(8).map(|w| w.1.clone()).collect();
            let learned = Learned::open(&sheet.path)?;
            let skin = Skin::new(learned.character.clone())?;
            let guess = table.choose(&skin);
            let def = learned.def(&bound(&skin, chosen(&guess), &Method::default())?)?;
            let ratio = def.max(LEAST_DEF) / sheet.def.max(LEAST_DEF);
            rows.push((
                ratio,
                format!(
                    "{} {:.3} ({} wrong: {})",
                    sheet.name,
                    ratio,
                    wrong.len(),
                    names.join(", ")
                ),
            ));
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let ratios: Vec<f64> = rows.iter().map(|r| r.0).collect();
    let over = ratios.iter().filter(|&&r| r > 1.5).count();
    writeln!(
        text,
        "{} characters, {joints} joints: {kept_wrong} wrongly kept, {dropped_wrong} wrongly left out, cost {cost:.2}\n\
         guessed over told: geometric mean {:.4}, mean {:.3}, median {:.3}, largest {:.2}, over 1.5: {over}",
        sheets.len(),
        geometric_mean(&ratios),
        ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
        median(&ratios),
        ratios.iter().copied().fold(0.0, f64::max),
    )?;
    for (_, line) in rows.iter().filter(|r| r.0 > 1.02 || r.0 < 0.98) {
        writeln!(text, "{line}")?;
    }
    let all: Vec<&Sheet> = sheets.iter().filter(|s| shipped(&s.name)).collect();
    std::fs::write(output, learn(&all, &HOW)?.write())?;
    Ok(text)
}
