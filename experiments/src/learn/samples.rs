//! What a prior is learned from: points of characters, the joints that each might follow, and what every mix of them
//! costs.
//!
//! Where a point is in a pose is linear in its weights, so its squared distance from where the artist's weights put it is
//! a quadratic form in them: wᵀGw with G_kl the mean over poses of (M_k v − y)·(M_l v − y). G is made once; learning needs
//! no skinning.

use std::path::{Path, PathBuf};

use anyhow::Context;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use ligament::bind::prior::COUNT;
use ligament::bind::{BindOptions, DeformChoice, point_rows};
use ligament::character::{JointIndex, Pose};
use ligament::motion::bind_pose;
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament_testkit::Random;

use crate::corpus::{Learned, author, files};
use crate::guise::{self, Guise};
use crate::kept;

/// The most candidates of a point.
pub const MOST: usize = 10;
/// Random poses beside the file's own.
const RANDOM_POSES: usize = 24;
/// How far joints turn in them, in degrees.
const TURNS: f64 = 35.0;
/// What random poses count for, beside the file's own.
const RANDOM_SHARE: f64 = 0.3;

/// A character's points, ready to learn from.
pub struct Samples {
    pub name: String,
    pub author: String,
    pub path: PathBuf,
    pub guise: Guise,
    pub points: Vec<Sample>,
}

/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The joints that it might follow.
    pub joints: Vec<u16>,
    /// ln of the recipes' weights.
    pub bases: Vec<f32>,
    /// Features, candidate by candidate.
    pub features: Vec<u8>,
    /// G of the file's own poses, over the recipes' sum, and as many vertices as the point stands for.
    pub own: Vec<f32>,
    /// G for learning: with random poses.
    pub mixed: Vec<f32>,
}

/// Turns of up to some degrees about any axis, of every joint but roots.
fn random_poses(learned: &Learned) -> Vec<Vec<DAffine3>> {
    let skeleton = &learned.character.skeleton;
    let bind = bind_pose(skeleton);
    let mut random = Random(0x5EED ^ ((learned.name.len() as u64 + 1) * 0x9E37_79B9));
    let mut unit = || (random.next() >> 11) as f64 / (1u64 << 53) as f64;
    (0..RANDOM_POSES)
        .map(|_| {
            let mut pose: Pose = bind.clone();
            for joint in skeleton.indices().filter(|&j| skeleton.joint(j).in_skin) {
                let axis = DVec3::new(2.0 * unit() - 1.0, 2.0 * unit() - 1.0, 2.0 * unit() - 1.0);
                let angle = (TURNS * (2.0 * unit() - 1.0)).to_radians();
                if skeleton.skin_parent(joint).is_none() {
                    continue;
                }
                let local = &mut pose.locals[joint.at()];
                let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), angle);
                local.rotation = (local.rotation * turn).normalize();
            }
            pose.world_from_bind(skeleton)
        })
        .collect()
}

fn squares(world: &[Vec<DAffine3>], p: DVec3, truth: &[(usize, f64)], joints: &[JointIndex]) -> Vec<f64> {
    let k = joints.len();
    let mut gram = vec![0.0; k * k];
    let mut off = vec![DVec3::ZERO; k];
    for frame in world {
        let y: DVec3 = truth.iter().map(|&(j, w)| w * frame[j].transform_point3(p)).sum();
        for (off, joint) in off.iter_mut().zip(joints) {
            *off = frame[joint.at()].transform_point3(p) - y;
        }
        for a in 0..k {
            for b in a..k {
                gram[a * k + b] += off[a].dot(off[b]);
            }
        }
    }
    for a in 0..k {
        for b in a..k {
            gram[a * k + b] /= world.len().max(1) as f64;
            gram[b * k + a] = gram[a * k + b];
        }
    }
    gram
}

/// wᵀGw.
pub fn form(gram: &[f32], w: &[f32]) -> f64 {
    let k = w.len();
    let mut sum = 0.0;
    for a in 0..k {
        for b in 0..k {
            sum += f64::from(w[a]) * f64::from(w[b]) * f64::from(gram[a * k + b]);
        }
    }
    sum.max(0.0)
}

/// The four largest of weights, as a vertex keeps them.
pub fn four(w: &mut [f32]) {
    let mut sorted = w.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let least = sorted.get(3).copied().unwrap_or(0.0);
    let mut sum = 0.0;
    for w in w.iter_mut() {
        if *w < least || *w < 1e-3 {
            *w = 0.0;
        }
        sum += *w;
    }
    w.iter_mut().for_each(|w| *w /= sum);
}

fn weights_of(bases: &[f32]) -> Vec<f32> {
    let mut w: Vec<f32> = bases
        .iter()
        .map(|b| if *b > -6.99 { b.exp() } else { 0.0 })
        .collect();
    if w.iter().sum::<f32>() <= 0.0 {
        w.fill(1.0);
    }
    four(&mut w);
    w
}

fn sampled(learned: &Learned, path: &Path, guise: Guise) -> anyhow::Result<Samples> {
    let skeleton = &learned.character.skeleton;
    let skin = Skin::new(learned.character.clone())?;
    let mut used = vec![false; skeleton.joints.len()];
    for influence in learned.truth.influences() {
        used[influence.joint.at()] |= skeleton.joint(influence.joint).in_skin;
    }
    let kept = match guise {
        Guise::Simpler => guise::simpler(skeleton, &used, &learned.name),
        _ => used.clone(),
    };
    // What a joint that is left out holds is its parent's.
    let follows = |joint: JointIndex| {
        let mut at = joint;
        while !kept[at.at()] {
            match skeleton.skin_parent(at) {
                Some(parent) => at = parent,
                None => return joint,
            }
        }
        at
    };
    let given = DeformChoice::Joints(skeleton.indices().filter(|j| kept[j.at()]).collect());
    let options = BindOptions {
        deform: if guise == Guise::Guessed {
            DeformChoice::Guess
        } else {
            given
        },
        ..BindOptions::default()
    };
    // The points of a character in disguise are those of the plain one, bound otherwise.
    let worn = match guise {
        Guise::Disguised => Some(Skin::new(guise::disguised(&learned.character, &learned.name))?),
        _ => None,
    };
    let bound = worn.as_ref().unwrap_or(&skin);
    let found = point_rows(bound, &options, &Task::unattended())?;
    let bound_points = bound.points_of_vertices();
    let own_poses: Vec<Vec<DAffine3>> = learned
        .frames
        .iter()
        .map(|f| f.pose.world_from_bind(skeleton))
        .collect();
    let random = random_poses(learned);
    // Lengths in the file's own poses may be in another unit than in bind space.
    let scale_of = |m: &DMat3| m.determinant().abs().cbrt();
    let usual = own_poses.first().map_or(1.0, |frame| {
        let mut scales: Vec<f64> = skeleton
            .indices()
            .filter(|j| used[j.at()])
            .map(|j| scale_of(&frame[j.at()].matrix3))
            .collect();
        scales.sort_by(f64::total_cmp);
        scales
            .get(scales.len() / 2)
            .copied()
            .filter(|s| *s > 1e-9)
            .unwrap_or(1.0)
    });
    let mut copies = vec![0u32; skin.len()];
    for point in skin.points_of_vertices().into_iter().flatten() {
        copies[point.at()] += 1;
    }
    let mut all = Vec::with_capacity(skin.len());
    for (point, &copies) in copies.iter().enumerate() {
        let p = skin.points()[point];
        let vertex = skin.first_vertex(PointIndex(point as u32));
        let Some(row) = bound_points.get(vertex).copied().flatten() else {
            continue;
        };
        let rows = &found.rows[row.at()];
        if rows.is_empty() || rows.len() > MOST {
            continue;
        }
        let truth: Vec<(usize, f64)> = learned
            .truth
            .of_vertex(vertex)
            .iter()
            .map(|i| (follows(i.joint).at(), f64::from(i.weight)))
            .collect();
        let joints: Vec<JointIndex> = rows.iter().map(|c| found.joints[usize::from(c.slot)]).collect();
        let bases: Vec<f32> = rows.iter().map(|c| c.base).collect();
        let times = f64::from(copies);
        let own: Vec<f64> = squares(&own_poses, p, &truth, &joints)
            .iter()
            .map(|g| g * times / (usual * usual))
            .collect();
        let turned: Vec<f64> = squares(&random, p, &truth, &joints)
            .iter()
            .map(|g| g * times)
            .collect();
        let w = weights_of(&bases);
        let as_f32 = |g: &[f64]| g.iter().map(|&g| g as f32).collect::<Vec<f32>>();
        let errors = (form(&as_f32(&own), &w), form(&as_f32(&turned), &w));
        all.push((row.at(), joints, bases, own, turned, errors));
    }
    let (own_sum, turned_sum) = all.iter().fold((0.0, 0.0), |(a, b), s| (a + s.5.0, b + s.5.1));
    let (own_sum, turned_sum) = (f64::max(own_sum, 1e-12), f64::max(turned_sum, 1e-12));
    // Points are drawn by their error and evenly; each stands for as many as it was unlikely to be drawn.
    let count = all.len() as f64;
    let mut random = Random(0xD1CE);
    let mut points = Vec::new();
    for (point, joints, bases, own, turned, errors) in all {
        let wanted =
            guise.points() as f64 * (0.4 / count + 0.35 * errors.0 / own_sum + 0.25 * errors.1 / turned_sum);
        let chance = 1.0 - (-wanted).exp();
        if wanted < 6.0 && (random.next() >> 11) as f64 / (1u64 << 53) as f64 > chance {
            continue;
        }
        let stands_for = if wanted < 6.0 { 1.0 / chance } else { 1.0 };
        let own: Vec<f64> = own.iter().map(|g| g * stands_for / own_sum).collect();
        let mixed = own
            .iter()
            .zip(&turned)
            .map(|(o, t)| ((1.0 - RANDOM_SHARE) * o + RANDOM_SHARE * t * stands_for / turned_sum) as f32)
            .collect();
        points.push(Sample {
            joints: joints.iter().map(|j| j.0).collect(),
            bases,
            features: found.rows[point].iter().flat_map(|c| c.features).collect(),
            own: own.iter().map(|&g| g as f32).collect(),
            mixed,
        });
    }
    Ok(Samples {
        name: learned.name.clone(),
        author: learned.author.clone(),
        path: path.to_owned(),
        guise,
        points,
    })
}

/// Every character's samples in some guises, kept between runs.
pub fn all(folders: &[PathBuf], kept: &Path, guises: &[Guise]) -> anyhow::Result<Vec<Samples>> {
    std::fs::create_dir_all(kept)?;
    let mut all = Vec::new();
    for path in files(folders)? {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let at = |guise: Guise| kept.join(format!("{stem}.{}.samples", guise.word()));
        let mut learned = None;
        for &guise in guises {
            if let Ok(bytes) = std::fs::read(at(guise)) {
                let points = kept::read(&bytes, COUNT)
                    .with_context(|| format!("{} is of another version: delete it", at(guise).display()))?;
                all.push(Samples {
                    author: author(&stem),
                    name: stem.clone(),
                    path: path.clone(),
                    guise,
                    points,
                });
                continue;
            }
            if learned.is_none() {
                learned = Some(Learned::open(&path));
            }
            let samples = match &learned {
                Some(Ok(learned)) => sampled(learned, &path, guise),
                Some(Err(error)) => Err(anyhow::anyhow!("{error:#}")),
                None => continue,
            };
            match samples {
                Ok(samples) => {
                    std::fs::write(at(guise), kept::written(&samples.points))?;
                    eprintln!("{stem}, {}: {} points", guise.word(), samples.points.len());
                    all.push(samples);
                }
                Err(error) => eprintln!("{stem}, {}: left out: {error:#}", guise.word()),
            }
        }
    }
    Ok(all)
}
