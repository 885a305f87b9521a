//! The recipes' weights, corrected.

use rayon::prelude::*;

use super::rows::{Candidate, RowMaker, Scratch};
use super::skin_rows::Lists;
use super::table::Manner;
use super::{Prior, Recipes};
use crate::character::{Influence, JointIndex, Weights, WeightsError};
use crate::skin::Mirror;
use crate::weights::mirror_averaged;

/// Points handled at once.
const CHUNK: usize = 256;
/// A piece is held as one if no joint's weight differs by more than this within it.
const AS_ONE: f32 = 0.02;

/// Corrects weights of points; `mean` is what the recipes give them. At most `influences` are kept.
pub(in crate::bind) fn corrected(
    prior: &Prior,
    recipes: &Recipes<'_>,
    mean: &Weights,
    mirror: Option<&Mirror>,
    influences: usize,
) -> Result<Weights, WeightsError> {
    let maker = RowMaker::new(recipes);
    let points = mean.vertex_count();
    let chunks: Vec<(Vec<u32>, Vec<Influence>)> = (0..points.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            corrected_chunk(
                prior,
                &maker,
                mean,
                chunk * CHUNK..((chunk + 1) * CHUNK).min(points),
            )
        })
        .collect();
    let found = Lists::joined(chunks);
    let mut of_points = calmed(prior.manner(), recipes, mean, &found);
    keep_pieces(&maker, recipes, mean, &mut of_points);
    let weights = Weights::in_parallel(points, influences.min(4), |range, builder| {
        for point in range {
            let row = &of_points[point];
            builder.push(&row[..row.len().min(influences)])?;
        }
        Ok(())
    })?;
    Ok(match mirror {
        Some(mirror) => mirror_averaged(&weights, mirror.points(), mirror.joints(), influences),
        None => weights,
    })
}

/// The corrected weights of some points: how many each has, and all of them.
fn corrected_chunk(
    prior: &Prior,
    maker: &RowMaker<'_>,
    mean: &Weights,
    points: std::ops::Range<usize>,
) -> (Vec<u32>, Vec<Influence>) {
    let (mut scratch, mut rows) = (Scratch::default(), Vec::new());
    let (mut features, mut logs) = (Vec::new(), Vec::new());
    let mut counts = Vec::with_capacity(points.len());
    for point in points.clone() {
        let count = maker.choose(point, &mut scratch);
        // Whatever is said about a single candidate, it has all.
        if count > 1 {
            rows.clear();
            maker.add_chosen(point, &scratch, &mut rows);
            features.extend(rows.iter().map(|c| c.features));
            let log = |c: &Candidate| (maker.wholes.joints[usize::from(c.slot)].joint, c.base);
            logs.extend(rows.iter().map(log));
        } else {
            logs.extend(maker.first_joint(&scratch).map(|joint| (joint, 0.0)));
        }
        counts.push(count as u32);
    }
    let mut corrections = Vec::new();
    prior.corrections(&features, &mut corrections);
    let mut found = Vec::with_capacity(logs.len());
    let (mut logs, mut corrections) = (&logs[..], &corrections[..]);
    for (count, point) in counts.iter_mut().zip(points) {
        let (own, other_logs) = logs.split_at(*count as usize);
        let corrected = if own.len() > 1 { own.len() } else { 0 };
        let (of_own, others) = corrections.split_at(corrected);
        (logs, corrections) = (other_logs, others);
        let before = found.len();
        if !softmax(own, of_own, &mut found) {
            found.extend_from_slice(mean.of_vertex(point));
        }
        *count = (found.len() - before) as u32;
    }
    (counts, found)
}

/// Adds weights from candidates and their logarithms, the largest first, and returns whether there are any. A single
/// candidate has no correction.
fn softmax(logs: &[(JointIndex, f32)], corrections: &[f32], found: &mut Vec<Influence>) -> bool {
    if let [(joint, _)] = *logs {
        found.push(Influence { joint, weight: 1.0 });
        return true;
    }
    let corrected = || logs.iter().zip(corrections).map(|(l, c)| (l.0, l.1 + c));
    let most = corrected().map(|l| l.1).fold(f32::NEG_INFINITY, f32::max);
    if !most.is_finite() {
        return false;
    }
    let before = found.len();
    found.extend(corrected().map(|(joint, log)| Influence {
        joint,
        weight: (log - most).exp(),
    }));
    let row = &mut found[before..];
    let sum: f32 = row.iter().map(|i| i.weight).sum();
    row.iter_mut().for_each(|i| i.weight /= sum);
    sort(row);
    true
}

/// The recipes' weights and what changes them, of which a part is taken from the points around: where the recipes are
/// smooth, so is the result.
fn calmed(
    manner: Manner,
    recipes: &Recipes<'_>,
    mean: &Weights,
    found: &Lists<Influence>,
) -> Vec<Vec<Influence>> {
    let laplacian = recipes.skin.laplacian();
    let change = 1.0 - manner.keep;
    (0..mean.vertex_count())
        .into_par_iter()
        .with_min_len(CHUNK)
        .map(|point| {
            let range = laplacian.starts[point] as usize..laplacian.starts[point + 1] as usize;
            let around = &laplacian.columns[range];
            let own = if around.is_empty() { 1.0 } else { 1.0 - manner.calm };
            let mut row: Vec<Influence> = Vec::with_capacity(16);
            let mut add = |influences: &[Influence], fraction: f32| {
                for i in influences {
                    match row.iter_mut().find(|r| r.joint == i.joint) {
                        Some(known) => known.weight += fraction * i.weight,
                        None => row.push(Influence {
                            joint: i.joint,
                            weight: fraction * i.weight,
                        }),
                    }
                }
            };
            add(mean.of_vertex(point), 1.0 - change * own);
            add(found.at(point), change * own);
            if own < 1.0 {
                let each = change * (1.0 - own) / around.len() as f32;
                for &other in around {
                    add(found.at(other as usize), each);
                    add(mean.of_vertex(other as usize), -each);
                }
            }
            row.retain(|i| i.weight > 0.0);
            if row.is_empty() {
                return mean.of_vertex(point).to_vec();
            }
            sort(&mut row);
            row
        })
        .collect()
}

fn sort(row: &mut [Influence]) {
    row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
}

/// Pieces that the recipes hold as one are held as one: by the mean of what their points got.
fn keep_pieces(maker: &RowMaker<'_>, recipes: &Recipes<'_>, mean: &Weights, rows: &mut [Vec<Influence>]) {
    let count = maker.pieces.pieces.len();
    let joints = recipes.skin.character().skeleton.joints.len();
    let mut points_of: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (point, &piece) in maker.pieces.of_point.iter().enumerate() {
        points_of[piece as usize].push(point as u32);
    }
    let mut sums = vec![0f64; joints];
    for points in points_of.iter().filter(|p| p.len() > 1) {
        let first = mean.of_vertex(points[0] as usize);
        let like_first = |&point: &u32| {
            let other = mean.of_vertex(point as usize);
            let differs =
                |i: &Influence| (i.weight - mean.weight(points[0] as usize, i.joint)).abs() > AS_ONE;
            let missing = |i: &Influence| (i.weight - mean.weight(point as usize, i.joint)).abs() > AS_ONE;
            !other.iter().any(differs) && !first.iter().any(missing)
        };
        if !points.iter().all(like_first) {
            continue;
        }
        sums.fill(0.0);
        for &point in points {
            let row = &rows[point as usize];
            let total: f32 = row.iter().map(|i| i.weight).sum();
            for i in row {
                sums[i.joint.at()] += f64::from(i.weight / total);
            }
        }
        let mut row: Vec<Influence> = sums
            .iter()
            .enumerate()
            .filter(|s| *s.1 > 0.0)
            .map(|(joint, &sum)| Influence {
                joint: JointIndex(joint as u16),
                weight: (sum / points.len() as f64) as f32,
            })
            .collect();
        sort(&mut row);
        for &point in points {
            rows[point as usize].clone_from(&row);
        }
    }
}

/// The candidates of every point, for those who learn.
#[cfg(feature = "research")]
#[derive(Debug)]
pub struct PointRows {
    /// The joint behind each index.
    pub joints: Vec<JointIndex>,
    /// For each point its candidates.
    pub rows: Vec<Vec<Candidate>>,
}

/// The candidates of every point, for those who learn.
#[cfg(feature = "research")]
pub(in crate::bind) fn candidates(recipes: &Recipes<'_>) -> PointRows {
    let maker = RowMaker::new(recipes);
    let rows = (0..recipes.skin.len())
        .into_par_iter()
        .map(|point| {
            let mut rows = Vec::new();
            maker.rows(point, &mut Scratch::default(), &mut rows);
            rows
        })
        .collect();
    PointRows {
        joints: maker.wholes.joints.iter().map(|j| j.joint).collect(),
        rows,
    }
}
