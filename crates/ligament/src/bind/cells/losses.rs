//! The losses of weights over poses, and their derivatives by the weights (SkinCells,
//! section 3.5).
//!
//! - Smoothness (Eq. 4): |L(X) − B·L(X̄)|², L the Laplacian of the surface with shares that
//!   sum to one, B the rotation of the blended matrix at the vertex.
//! - Location (Eq. 5): the relative change of each spring's length, squared, times its fraction;
//!   0.01 cm in the denominator.
//! - Sparsity (Eq. 6): |LBS(w) − LBS(top-l w)|², the top l normalised again.
//! - Guidance: the squared difference from given weights, by each position's strength.
//! - Collision (section 4.1, for garments): how deep a position is inside the body,
//!   squared; see [`super::collision`].
//! - Stretch (for garments): the relative change of the edges around each position, squared, on the mean over them.
//!
//! Lengths are in centimetres of a character of [`REFERENCE_SIZE`]. Every loss is a mean:
//! its sum over positions and poses, divided by how many of both there are (the paper's
//! sums have the same proportions). The total is Eq. 7.
//!
//! Knows nothing of fields: weights come as rows of cells and numbers, whatever made them.

use glam::{DAffine3, DMat3, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::collision::Body;
use super::domain::{FitDomain, REFERENCE_SIZE};
use super::guidance::Targets;
use super::rotation::{derivative_by_blend, product, rotation_of};
use crate::task::{Cancelled, Task};

/// Positions per parallel piece of work.
pub(super) const CHUNK: usize = 256;
/// What is added to a spring's length in the denominator of Eq. 5, in centimetres.
const STABILISER: f64 = 1e-2;
/// Edges that change by the root of this cost twice their square.
const TORN: f64 = 0.1;

/// How much each loss counts (λ in Eq. 7).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LossWeights {
    /// Of smoothness; raising it gives softer folds and loses volume.
    pub smoothness: f64,
    /// Of location; raising it makes the skin follow the bones more closely.
    pub location: f64,
    /// Of sparsity; it matters only while floors are above zero.
    pub sparsity: f64,
    /// Of guidance, where there is any.
    pub guidance: f64,
    /// Of collision, where there is a body.
    pub collision: f64,
    /// Of stretch, where there is a body.
    pub stretch: f64,
}

impl LossWeights {
    /// The paper's, section 3.5; it gives none for guidance, collision and stretch. A tenth of the collision or ten times the stretch lets legs
    /// out (`docs/lab/cells.md`).
    pub const PAPER: Self = Self {
        smoothness: 1.0,
        location: 6000.0,
        sparsity: 1.0,
        guidance: 1000.0,
        collision: 1000.0,
        stretch: 30.0,
    };
}

/// The losses of some weights, before lambda.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Losses {
    /// In square centimetres.
    pub smoothness: f64,
    /// Without unit.
    pub location: f64,
    /// In square centimetres.
    pub sparsity: f64,
    /// Without unit.
    pub guidance: f64,
    /// In square centimetres.
    pub collision: f64,
    /// Without unit.
    pub stretch: f64,
}

impl Losses {
    /// Eq. 7.
    pub fn total(&self, weights: &LossWeights) -> f64 {
        weights.smoothness * self.smoothness
            + weights.location * self.location
            + weights.sparsity * self.sparsity
            + weights.guidance * self.guidance
            + weights.collision * self.collision
            + weights.stretch * self.stretch
    }

    fn add(&mut self, other: &Self) {
        self.smoothness += other.smoothness;
        self.location += other.location;
        self.sparsity += other.sparsity;
        self.guidance += other.guidance;
        self.collision += other.collision;
        self.stretch += other.stretch;
    }

    fn divided(&self, by: f64) -> Self {
        Self {
            smoothness: self.smoothness / by,
            location: self.location / by,
            sparsity: self.sparsity / by,
            guidance: self.guidance / by,
            collision: self.collision / by,
            stretch: self.stretch / by,
        }
    }
}

/// Weights of the positions of a batch: cells and numbers, row after row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Rows {
    /// Where each row begins; one more at the end.
    pub starts: Vec<u32>,
    pub cells: Vec<u16>,
    pub weights: Vec<f64>,
}

impl Rows {
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let range = self.range(row);
        self.cells[range.clone()]
            .iter()
            .map(|&c| usize::from(c))
            .zip(self.weights[range].iter().copied())
    }
}

/// What the losses are measured with.
#[derive(Clone, Copy)]
pub(super) struct Measure<'a> {
    pub domain: &'a FitDomain,
    pub weights: LossWeights,
    pub influences: usize,
    pub targets: Option<&'a Targets>,
    pub body: Option<&'a Body>,
}

/// What a relative change of an edge costs, and its derivative: its square, and more where it is torn.
fn strain_cost(strain: f64) -> (f64, f64) {
    let square = strain * strain;
    (
        square * (1.0 + square / TORN),
        2.0 * strain * (1.0 + 2.0 * square / TORN),
    )
}

/// Where the positions of a batch are in one of some poses.
#[derive(Clone, Copy)]
struct Place<'a> {
    batch: &'a Batch,
    moved: &'a [DVec3],
    poses: usize,
    pose: usize,
}

/// The blend of the joints' motions at a position.
fn blended(rows: &Rows, row: usize, pose: &[DAffine3]) -> DAffine3 {
    let mut m = DMat3::ZERO;
    let mut t = DVec3::ZERO;
    for (cell, weight) in rows.row(row) {
        if weight > 0.0 {
            m += pose[cell].matrix3 * weight;
            t += pose[cell].translation * weight;
        }
    }
    DAffine3 {
        matrix3: m,
        translation: t,
    }
}

/// Residuals of smoothness of a chunk and the derivative that goes through the rotation.
struct Smoothness {
    residuals: Vec<DVec3>,
    weight_gradient: Vec<f64>,
    loss: f64,
}

impl Measure<'_> {
    /// The losses of a batch, and their total's derivative by every weight of `rows` if it
    /// is wanted. Poses hold the motion of each cell in the unit cube ([`FitDomain::moves`]).
    pub fn losses(
        &self,
        batch: &Batch,
        rows: &Rows,
        poses: &[&[DAffine3]],
        weight_gradient: Option<&mut Vec<f64>>,
        task: &Task<'_>,
    ) -> Result<Losses, Cancelled> {
        let (count, p) = (batch.points.len(), poses.len());
        let scale = 1.0 / (batch.judged * p).max(1) as f64;
        let wanted = weight_gradient.is_some();
        let chunks = count.div_ceil(CHUNK);
        let part = |chunk: usize, end: usize| chunk * CHUNK..((chunk + 1) * CHUNK).min(end);
        let check = || task.check();

        // Where everything is, position by position, pose by pose.
        let moved: Vec<Vec<DVec3>> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                check()?;
                let mut moved = Vec::with_capacity(CHUNK * p);
                for u in part(chunk, count) {
                    let x = self.domain.points[batch.points[u] as usize];
                    moved.extend(
                        poses
                            .iter()
                            .map(|pose| blended(rows, u, pose).transform_point3(x)),
                    );
                }
                Ok(moved)
            })
            .collect::<Result<_, Cancelled>>()?;
        let moved = moved.concat();

        let smooth: Vec<Smoothness> = (0..batch.judged.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                check()?;
                Ok(self.smoothness(
                    batch,
                    rows,
                    poses,
                    part(chunk, batch.judged),
                    &moved,
                    scale,
                    wanted,
                ))
            })
            .collect::<Result<_, Cancelled>>()?;
        let residuals: Vec<DVec3> = smooth.iter().flat_map(|s| s.residuals.iter().copied()).collect();

        let rest: Vec<(Vec<f64>, Losses)> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                check()?;
                let mut through_rotation = smooth
                    .get(chunk)
                    .map(|s| s.weight_gradient.clone())
                    .unwrap_or_default();
                let range = part(chunk, count);
                let entries = rows.starts[range.end] - rows.starts[range.start];
                if wanted {
                    through_rotation.resize(entries as usize, 0.0);
                }
                let losses = self.others(
                    batch,
                    rows,
                    poses,
                    range,
                    &moved,
                    &residuals,
                    scale,
                    wanted.then_some(&mut through_rotation),
                );
                Ok((through_rotation, losses))
            })
            .collect::<Result<_, Cancelled>>()?;

        let mut losses = Losses {
            smoothness: smooth.iter().map(|s| s.loss).sum(),
            ..Losses::default()
        };
        for (_, chunk) in &rest {
            losses.add(chunk);
        }
        if let Some(weight_gradient) = weight_gradient {
            weight_gradient.clear();
            for (chunk, _) in rest {
                weight_gradient.extend(chunk);
            }
        }
        Ok(losses.divided(scale.recip()))
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one pass of one sum, split for its length"
    )]
    fn smoothness(
        &self,
        batch: &Batch,
        rows: &Rows,
        poses: &[&[DAffine3]],
        range: std::ops::Range<usize>,
        moved: &[DVec3],
        scale: f64,
        wanted: bool,
    ) -> Smoothness {
        let p = poses.len();
        let first = rows.starts[range.start] as usize;
        let entries = rows.starts[range.end] as usize - first;
        let mut out = Smoothness {
            residuals: Vec::with_capacity(range.len() * p),
            weight_gradient: vec![0.0; if wanted { entries } else { 0 }],
            loss: 0.0,
        };
        let unit = REFERENCE_SIZE * REFERENCE_SIZE;
        let factor = 2.0 * self.weights.smoothness * unit * scale;
        for i in range {
            let rest = self.domain.rest_laplacian[batch.points[i] as usize];
            for (k, pose) in poses.iter().enumerate() {
                let mut residual = DVec3::ZERO;
                let ring = batch.ring(i);
                if !ring.is_empty() {
                    residual = -moved[i * p + k];
                    for &(j, fraction) in ring {
                        residual += moved[j as usize * p + k] * fraction;
                    }
                    let m = blended(rows, i, pose).matrix3;
                    // A collapsed blend has no rotation: its largest weight's stands in, as
                    // a constant.
                    let rotation = rotation_of(m);
                    let rotated = rotation.map_or_else(|| self.heaviest(rows, i, pose) * rest, |b| b * rest);
                    residual -= rotated;
                    if wanted && let Some(b) = rotation {
                        let by_blend = derivative_by_blend(m, b, -factor * residual, rest);
                        for e in rows.range(i) {
                            if rows.weights[e] > 0.0 {
                                out.weight_gradient[e - first] +=
                                    product(&by_blend, &pose[usize::from(rows.cells[e])].matrix3);
                            }
                        }
                    }
                }
                out.loss += residual.length_squared() * unit;
                out.residuals.push(residual);
            }
        }
        out
    }

    /// The stretch around a position, and the derivative of all stretch by where it is.
    fn stretch(&self, u: usize, place: &Place<'_>, body: &Body) -> (f64, DVec3) {
        let Place {
            batch,
            moved,
            poses,
            pose,
        } = *place;
        let point = |u: usize| batch.points[u] as usize;
        let at = |u: usize| moved[u * poses + pose];
        // The relative change of an edge, and its derivative by where its first end is.
        let change = |u: usize, v: usize| {
            let rest = self.domain.points[point(u)].distance(self.domain.points[point(v)]);
            let offset = at(u) - at(v);
            if rest == 0.0 || !body.is_garment(point(v)) {
                return (0.0, DVec3::ZERO);
            }
            (offset.length() / rest - 1.0, offset.normalize_or_zero() / rest)
        };
        let (mut loss, mut gradient) = (0.0, DVec3::ZERO);
        let ring = batch.ring(u);
        for &(v, _) in ring {
            let (strain, by_end) = change(u, v as usize);
            let (cost, by_strain) = strain_cost(strain);
            loss += cost / ring.len() as f64;
            gradient += by_end * (by_strain / ring.len() as f64);
        }
        for &(i, _) in batch.rings_with(u) {
            let (strain, by_end) = change(u, i as usize);
            gradient += by_end * (strain_cost(strain).1 / batch.ring(i as usize).len() as f64);
        }
        (loss, gradient)
    }

    fn heaviest(&self, rows: &Rows, row: usize, pose: &[DAffine3]) -> DMat3 {
        let largest = rows.row(row).max_by(|a, b| a.1.total_cmp(&b.1));
        largest
            .and_then(|(cell, _)| rotation_of(pose[cell].matrix3))
            .unwrap_or(DMat3::IDENTITY)
    }

    /// Everything but smoothness, and what smoothness says about positions.
    #[allow(
        clippy::too_many_arguments,
        reason = "one pass of one sum, split for its length"
    )]
    fn others(
        &self,
        batch: &Batch,
        rows: &Rows,
        poses: &[&[DAffine3]],
        range: std::ops::Range<usize>,
        moved: &[DVec3],
        residuals: &[DVec3],
        scale: f64,
        mut weight_gradient: Option<&mut Vec<f64>>,
    ) -> Losses {
        let p = poses.len();
        let unit = REFERENCE_SIZE * REFERENCE_SIZE;
        let lambda = &self.weights;
        let mut losses = Losses::default();
        let first = rows.starts[range.start] as usize;
        let mut order: Vec<usize> = Vec::new();
        for u in range {
            let point = batch.points[u] as usize;
            let x = self.domain.points[point];
            let judged = u < batch.judged;
            let spring = self.domain.springs[point].filter(|_| judged);
            let entries = rows.range(u);
            // Only the heaviest l stay after clamping.
            order.clear();
            if judged && entries.clone().filter(|&e| rows.weights[e] > 0.0).count() > self.influences {
                order.extend(entries.clone());
                order.sort_by(|&a, &b| rows.weights[b].total_cmp(&rows.weights[a]).then(a.cmp(&b)));
                order.truncate(self.influences);
            }
            let kept: f64 = order.iter().map(|&e| rows.weights[e]).sum();

            for (k, pose) in poses.iter().enumerate() {
                let at = moved[u * p + k];
                let mut position_gradient = DVec3::ZERO;
                if weight_gradient.is_some() {
                    let factor = 2.0 * lambda.smoothness * unit * scale;
                    for &(i, fraction) in batch.rings_with(u) {
                        position_gradient += residuals[i as usize * p + k] * (fraction * factor);
                    }
                    if judged && !batch.ring(u).is_empty() {
                        position_gradient -= residuals[u * p + k] * factor;
                    }
                }
                if let Some(spring) = spring {
                    let offset = at - pose[usize::from(spring.cell)].transform_point3(spring.anchor);
                    let length = offset.length();
                    let below = spring.length + STABILISER / REFERENCE_SIZE;
                    let change = (length - spring.length) / below;
                    losses.location += spring.fraction * change * change;
                    if length > 0.0 {
                        let gradient = 2.0 * lambda.location * scale * spring.fraction * change;
                        position_gradient += offset * (gradient / (below * length));
                    }
                }
                if let Some(body) = self.body.filter(|_| judged) {
                    let (loss, gradient) = body.collision(point, k, at);
                    losses.collision += loss * unit;
                    position_gradient += gradient * (lambda.collision * unit * scale);
                }
                if let Some(body) = self.body.filter(|b| b.is_garment(point)) {
                    let here = Place {
                        batch,
                        moved,
                        poses: p,
                        pose: k,
                    };
                    let (loss, gradient) = self.stretch(u, &here, body);
                    losses.stretch += loss;
                    position_gradient += gradient * (lambda.stretch * scale);
                }
                let mut clamped = None;
                if !order.is_empty() {
                    let mut top = DVec3::ZERO;
                    for &e in &order {
                        let fraction = rows.weights[e] / kept;
                        top += pose[usize::from(rows.cells[e])].transform_point3(x) * fraction;
                    }
                    let gap = at - top;
                    losses.sparsity += gap.length_squared() * unit;
                    let gradient = gap * (2.0 * lambda.sparsity * unit * scale);
                    position_gradient += gradient;
                    clamped = Some((gradient, top));
                }
                let Some(weight_gradient) = weight_gradient.as_deref_mut() else {
                    continue;
                };
                for e in entries.clone() {
                    if rows.weights[e] > 0.0 {
                        let there = pose[usize::from(rows.cells[e])].transform_point3(x);
                        weight_gradient[e - first] += position_gradient.dot(there);
                    }
                }
                if let Some((gradient, top)) = clamped {
                    for &e in &order {
                        let there = pose[usize::from(rows.cells[e])].transform_point3(x);
                        weight_gradient[e - first] -= gradient.dot(there - top) / kept;
                    }
                }
            }
            if let Some(targets) = self.targets.filter(|_| judged) {
                let factor = lambda.guidance * scale * p as f64;
                let gradients = weight_gradient
                    .as_deref_mut()
                    .map(|b| &mut b[entries.start - first..entries.end - first]);
                losses.guidance += p as f64 * targets.difference(point, rows.row(u), factor, gradients);
            }
        }
        losses
    }
}

#[cfg(test)]
mod tests;
