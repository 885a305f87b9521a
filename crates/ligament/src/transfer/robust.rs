//! Robust skin weight transfer by inpainting (Abdrashitov et al. 2023): weights from a body to what is worn on it, or to
//! another level of detail.
//!
//! Points of the target that have a counterpart on the source take its weights ([`Matches`]); the others are filled from
//! those around them, on their own connected piece ([`inpaint`]); where the two meet, weights are smoothed by a length.
//! Nothing depends on the unit, weights are from 0 to 1 and sum to one. A piece with hardly any match has little to be filled
//! from: the caller says what it gets. Nothing here knows how weights are made otherwise.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::inpainting::{Row, inpaint};
use super::{MatchOptions, Matches, PointMatch, TransferError, TransferSource, TransferTarget};
use crate::character::{Rows, Weights};
use crate::geometry::Diffusion;
use crate::skin::Skin;
use crate::task::{Stage, Task};

/// ℓ of the energy, in match distances.
const BENDING_LENGTH: f64 = 1.0;
/// Pieces of which a smaller fraction has a counterpart are not worn on the source: they get what pieces without any get. Of the
/// corpus's parts every bound from a fifth to a half is about as good (docs/lab/transfer.md); a long skirt, which is worn, has a bit
/// more than a quarter.
const LEAST_WORN: f64 = 0.25;
/// Matched points within so many smoothing lengths of an unmatched one are smoothed too.
const SMOOTHED_BESIDE: f64 = 3.0;

/// How weights are transferred.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransferOptions {
    /// What counts as a counterpart.
    pub matching: MatchOptions,
    /// The length by which weights are smoothed at and beside points without a counterpart, as a fraction of the target's
    /// diagonal; 0 for not at all.
    pub smoothing: f64,
    /// The most joints that a point follows, from 1 on.
    pub influences: usize,
    /// Weights under this fraction are dropped, never a point's largest; from 0 up to 1.
    pub prune: f32,
}

impl Default for TransferOptions {
    fn default() -> Self {
        Self {
            matching: MatchOptions::default(),
            smoothing: 0.005,
            influences: 4,
            prune: 1e-3,
        }
    }
}

/// Weights that were transferred.
#[derive(Debug, Clone, PartialEq)]
pub struct Transferred {
    /// For each point of the target, in joints of the source.
    pub weights: Weights,
    /// Which points have a counterpart.
    pub matches: Matches,
    /// How many points were filled from those around them.
    pub filled: usize,
    /// Points of pieces with hardly any match, ascending.
    pub apart: Vec<u32>,
    /// How many such pieces there are.
    pub pieces_apart: usize,
    /// Where the time went.
    pub stages: Vec<Stage>,
}

impl Transferred {
    /// How many points took the weights of their counterpart.
    pub fn matched(&self) -> usize {
        let bound = self
            .apart
            .iter()
            .filter(|&&p| self.matches.is_matched(p as usize));
        self.matches.count(PointMatch::Matched) - bound.count()
    }
}

impl TransferOptions {
    /// Fails if a number is out of its range.
    pub fn check(&self) -> Result<(), TransferError> {
        self.matching.check()?;
        let bad = |option, range, value| Err(TransferError::OutOfRange { option, range, value });
        if !(self.smoothing >= 0.0 && self.smoothing.is_finite()) {
            return bad(
                "the smoothing length",
                "a fraction of the diagonal from 0 on",
                self.smoothing,
            );
        }
        if self.influences == 0 {
            return bad("the number of influences", "from 1 on", 0.0);
        }
        if !(0.0..1.0).contains(&self.prune) {
            let prune = f64::from(self.prune);
            return bad("the prune threshold", "from 0 up to, but not including, 1", prune);
        }
        Ok(())
    }
}

impl<'a> TransferTarget<'a> {
    /// What bends of a character.
    pub fn of_skin(skin: &'a Skin) -> Self {
        Self {
            points: skin.points(),
            faces: skin.faces(),
            laplacian: skin.laplacian(),
            diagonal: skin.diagonal(),
        }
    }
}

/// Transfers weights. Points that `wanted` says no to count as having no counterpart and are filled. `fallback` gets the
/// points, ascending, of pieces with hardly any match, and gives a row of the source's joints for each; it is not called if
/// there are none.
pub fn transfer_weights<E: From<TransferError>>(
    source: &TransferSource,
    target: &TransferTarget<'_>,
    wanted: Option<&[bool]>,
    options: &TransferOptions,
    fallback: impl FnOnce(&[u32]) -> Result<Rows, E>,
    task: &Task<'_>,
) -> Result<Transferred, E> {
    options.check()?;
    let mut watch = task.stopwatch();
    let matches = Matches::of(source, target, wanted, &options.matching, task)?;
    let mut rows: Vec<Option<Row>> = matched_rows(source, &matches);
    let mut apart: Vec<u32> = Vec::new();
    let mut pieces_apart = 0;
    for island in &matches.islands {
        let asked = island.iter().filter(|&&p| wanted.is_none_or(|w| w[p as usize]));
        let matched = island.iter().filter(|&&p| rows[p as usize].is_some());
        // Whether what looks both ways is worn or hangs over it, no side tells: such a match counts half.
        let matched: f64 = matched
            .map(|&p| if matches.both_ways[p as usize] { 0.5 } else { 1.0 })
            .sum();
        if matched > 0.0 && matched >= LEAST_WORN * asked.count() as f64 {
            continue;
        }
        if let [alone] = island[..] {
            // No face shows it: whatever is nearest will do.
            rows[alone as usize] = Some(row_at(source, &matches, alone as usize));
            continue;
        }
        pieces_apart += 1;
        apart.extend(island);
        for &point in island {
            rows[point as usize] = None;
        }
    }
    apart.sort_unstable();
    watch.lap("match");

    let reach = options.matching.distance * target.diagonal;
    let filled = inpaint(target.laplacian, &mut rows, BENDING_LENGTH * reach, task).map_err(E::from)?;
    watch.lap("inpaint");
    if !apart.is_empty() {
        let given = fallback(&apart)?;
        if given.len() != apart.len() {
            return Err(E::from(TransferError::Fallback {
                wanted: apart.len(),
                found: given.len(),
            }));
        }
        for (row, &point) in apart.iter().enumerate() {
            rows[point as usize] = Some(given.of(row).to_vec());
        }
        watch.lap("fallback");
    }
    let weights = Weights::in_parallel(rows.len(), options.influences, |points, builder| {
        for point in points {
            builder.push(rows[point].as_deref().unwrap_or_default())?;
        }
        Ok::<_, TransferError>(())
    })?;
    let length = options.smoothing * target.diagonal;
    let weights = smoothed_beside_holes(target, &matches, weights, length, task).map_err(E::from)?;
    watch.lap("smooth");
    Ok(Transferred {
        weights: weights.limited(options.influences).pruned(options.prune),
        matches,
        filled,
        apart,
        pieces_apart,
        stages: watch.stages(),
    })
}

fn matched_rows(source: &TransferSource, matches: &Matches) -> Vec<Option<Row>> {
    let row = |point| matches.is_matched(point).then(|| row_at(source, matches, point));
    (0..matches.state.len()).map(row).collect()
}

fn row_at(source: &TransferSource, matches: &Matches, point: usize) -> Row {
    let mut row = Row::new();
    source.weights_at(&matches.closest[point], &mut row);
    row
}

/// Weights smoothed by a length at points without a counterpart and near them; others stay to the bit.
fn smoothed_beside_holes(
    target: &TransferTarget<'_>,
    matches: &Matches,
    weights: Weights,
    length: f64,
    task: &Task<'_>,
) -> Result<Weights, TransferError> {
    let is_filled = |p: usize| !matches.is_matched(p);
    if length == 0.0 || !(0..target.points.len()).any(is_filled) {
        return Ok(weights);
    }
    let beside = within_path(target, is_filled, SMOOTHED_BESIDE * length);
    let lengths: Vec<f64> = beside.iter().map(|&b| if b { length } else { 0.0 }).collect();
    let joints = weights
        .influences()
        .iter()
        .map(|i| i.joint.at() + 1)
        .max()
        .unwrap_or(0);
    let smooth = Diffusion::new(target.laplacian, target.points, &lengths).of(&weights, joints, task)?;
    Weights::in_parallel(weights.vertex_count(), 8, |points, builder| {
        for point in points {
            // What is too small to be smoothed may leave a row empty.
            if !beside[point] || builder.push(smooth.of(point)).is_err() {
                builder.push_valid(weights.of_vertex(point));
            }
        }
        Ok(())
    })
}

/// For each point whether a path along edges of at most `length` leads to a point of a set.
fn within_path(target: &TransferTarget<'_>, starts: impl Fn(usize) -> bool, length: f64) -> Vec<bool> {
    let mut path = vec![f64::INFINITY; target.points.len()];
    // Lengths are not negative: their bits are in their order.
    let mut queue: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for point in (0..path.len()).filter(|&p| starts(p)) {
        path[point] = 0.0;
        queue.push(Reverse((0, point as u32)));
    }
    while let Some(Reverse((bits, at))) = queue.pop() {
        let so_far = f64::from_bits(bits);
        if so_far > path[at as usize] {
            continue;
        }
        for (to, _) in target.laplacian.row(at as usize) {
            let edge = target.points[at as usize].distance(target.points[to as usize]);
            let along = so_far + edge;
            if along <= length && along < path[to as usize] {
                path[to as usize] = along;
                queue.push(Reverse((along.to_bits(), to)));
            }
        }
    }
    path.iter().map(|&p| p.is_finite()).collect()
}
