//! The steps of a fit: Adam over poses and patches of the surface.
//!
//! Between steps a position remembers the cells nearest to it and only weighs those. Pieces of work have a fixed size and
//! their gradients are added in order: the same field at any thread count.

use std::time::Duration;

use glam::{DAffine3, DVec3};
use rayon::prelude::*;

use super::adam::Adam;
use super::batch::{Batch, choose, patches};
use super::beside::Beside;
use super::collision::BodyAtRest;
use super::domain::FitDomain;
use super::fit_options::{FitOptions, Freedom};
use super::fit_report::CurvePoint;
use super::guidance::Targets;
use super::losses::{CHUNK, Losses, Measure, Rows};
use super::parameters::{Layout, Opened, PER_SITE};
use super::random::{Deck, Random};
use super::weigh::{Entry, Row};
use crate::task::{Cancelled, Task};

/// Steps between two looks at how the skin still moves, and between two choices of
/// candidates.
const LOOK_EVERY: usize = 25;

/// Steps between two looks at whether the loss has run away: all positions in a few poses take
/// as long as six steps.
const GUARD_EVERY: usize = 100;

/// Poses of the pool by which that is judged.
const GUARDED: usize = 4;

/// Points of the curve that are kept.
const CURVE: usize = 200;

/// Positions per patch.
const PATCH: usize = 128;

/// Everything that one fit holds on to.
pub(super) struct Fit<'a> {
    pub(super) domain: &'a FitDomain,
    pub(super) options: &'a FitOptions,
    pub(super) influences: usize,
    pub(super) layout: Layout,
    /// Of each position and cell, row by row; empty without detours.
    pub(super) detours: Vec<f32>,
    pub(super) targets: Option<Targets>,
    /// Places beside the surface.
    pub(super) beside: Vec<Beside>,
    /// Cells that each position weighs.
    pub(super) candidate_starts: Vec<u32>,
    pub(super) candidates: Vec<u16>,
    /// How far each parameter moves.
    pub(super) reach: Vec<f64>,
}

/// What the steps over poses came to.
#[derive(Default)]
pub(super) struct Run {
    pub(super) curve: Vec<CurvePoint>,
    pub(super) steps: usize,
    pub(super) converged: bool,
    pub(super) went_back: usize,
}

/// Entries of a chunk of positions.
struct Weighed {
    rows: Vec<Row>,
    entries: Vec<Entry>,
}

impl Fit<'_> {
    /// The fraction of its first value that c has at a step.
    pub(super) fn floor_share(&self, step: usize) -> f64 {
        match self.options.freedom() {
            Freedom::Falloff => 1.0,
            _ => {
                let until = (self.options.floor_until * self.options.steps as f64).max(1.0);
                (1.0 - step as f64 / until).max(0.0)
            }
        }
    }

    /// The fraction of c in the field that is delivered.
    pub(super) fn last_floor(&self) -> f64 {
        self.floor_share(usize::MAX)
    }

    pub(super) fn detour(&self, point: usize, cell: u16) -> f32 {
        let found = self.detours.get(point * self.layout.cells + usize::from(cell));
        found.copied().unwrap_or(0.0)
    }

    /// Finds the cells nearest to each position.
    pub(super) fn choose_candidates(&mut self, opened: &Opened) {
        let most = match self.options.candidates {
            0 => usize::MAX,
            n => n.max(self.influences + 1),
        };
        let of_chunks: Vec<Vec<Vec<u16>>> = self
            .domain
            .points
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let one = |(i, &x): (usize, &DVec3)| {
                    let point = chunk * CHUNK + i;
                    let cells = self.domain.cells_at(point);
                    if cells.len() <= most {
                        return cells.to_vec();
                    }
                    let single = x.as_vec3();
                    let distance =
                        |&c: &u16| opened.groups.nearest(usize::from(c), single).0 + self.detour(point, c);
                    let mut near: Vec<(f32, u16)> = cells.iter().map(|c| (distance(c), *c)).collect();
                    near.select_nth_unstable_by(most - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    near.truncate(most);
                    // Nearest first: they will not be far from that order when they are weighed.
                    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    near.iter().map(|n| n.1).collect()
                };
                points.iter().enumerate().map(one).collect()
            })
            .collect();
        self.candidate_starts.clear();
        self.candidates.clear();
        self.candidate_starts.push(0);
        for list in of_chunks.iter().flatten() {
            self.candidates.extend_from_slice(list);
            self.candidate_starts.push(self.candidates.len() as u32);
        }
    }

    /// Weighs positions by the field, and by their targets where they are locked.
    fn weigh(&self, opened: &Opened, points: &[u32]) -> (Vec<Weighed>, Rows) {
        let weighed: Vec<Weighed> = points
            .par_chunks(CHUNK)
            .map(|points| {
                let mut out = Weighed {
                    rows: Vec::with_capacity(points.len()),
                    entries: Vec::with_capacity(points.len() * (self.influences + 1)),
                };
                for &point in points {
                    let p = point as usize;
                    let range = self.candidate_starts[p] as usize..self.candidate_starts[p + 1] as usize;
                    let row = opened.weigh(
                        self.domain.points[p],
                        &self.candidates[range],
                        |cell| self.detour(p, cell),
                        self.influences,
                        &mut out.entries,
                    );
                    out.rows.push(row);
                }
                out
            })
            .collect();
        let mut rows = Rows {
            starts: Vec::with_capacity(points.len() + 1),
            ..Rows::default()
        };
        rows.starts.push(0);
        for (chunk, points) in weighed.iter().zip(points.chunks(CHUNK)) {
            for (row, &point) in chunk.rows.iter().zip(points) {
                match self.locked(point) {
                    Some(targets) => {
                        let range = targets.rows.range(point as usize);
                        rows.cells.extend_from_slice(&targets.rows.cells[range.clone()]);
                        rows.weights.extend_from_slice(&targets.rows.weights[range]);
                    }
                    None => {
                        for e in &chunk.entries[row.start as usize..row.end as usize] {
                            rows.cells.push(e.cell);
                            rows.weights.push(e.weight);
                        }
                    }
                }
                rows.starts.push(rows.cells.len() as u32);
            }
        }
        (weighed, rows)
    }

    pub(super) fn locked(&self, point: u32) -> Option<&Targets> {
        self.targets.as_ref().filter(|t| t.is_locked(point as usize))
    }

    /// The derivative by the parameters from that by the weights.
    fn back(
        &self,
        opened: &Opened,
        points: &[u32],
        weighed: &[Weighed],
        rows: &Rows,
        weight_gradient: &[f64],
    ) -> Vec<f64> {
        let parts: Vec<Vec<f64>> = weighed
            .par_iter()
            .zip(points.par_chunks(CHUNK))
            .enumerate()
            .map(|(chunk, (weighed, points))| {
                let mut gradient = vec![0.0; self.layout.len()];
                for (i, (&row, &point)) in weighed.rows.iter().zip(points).enumerate() {
                    if self.locked(point).is_none() {
                        opened.back(
                            self.domain.points[point as usize],
                            &weighed.entries[row.start as usize..row.end as usize],
                            row,
                            &weight_gradient[rows.range(chunk * CHUNK + i)],
                            &mut gradient,
                        );
                    }
                }
                gradient
            })
            .collect();
        let mut gradient = vec![0.0; self.layout.len()];
        for part in &parts {
            for (sum, x) in gradient.iter_mut().zip(part) {
                *sum += x;
            }
        }
        gradient
    }

    pub(super) fn measure<'b>(&'b self, body: Option<&'b super::collision::Body>) -> Measure<'b> {
        Measure {
            domain: self.domain,
            weights: self.options.losses,
            influences: self.influences,
            targets: self.targets.as_ref(),
            body,
        }
    }

    /// Losses over all positions, with all cells.
    pub(super) fn judge(
        &mut self,
        list: &[f64],
        whole: &Batch,
        poses: &[&[DAffine3]],
        body: Option<&BodyAtRest>,
        task: &Task<'_>,
    ) -> Result<Losses, Cancelled> {
        let opened = Opened::of(self.layout, list, self.last_floor());
        self.choose_candidates(&opened);
        let (_, rows) = self.weigh(&opened, &whole.points);
        let body = body.map(|b| self.pose_body(b, &opened, poses));
        self.measure(body.as_ref())
            .losses(whole, &rows, poses, None, task)
    }

    pub(super) fn pose_body(
        &self,
        body: &BodyAtRest,
        opened: &Opened,
        poses: &[&[DAffine3]],
    ) -> super::collision::Body {
        let points: Vec<u32> = body.points().iter().map(|&p| p as u32).collect();
        let (_, rows) = self.weigh(opened, &points);
        body.posed(self.domain, &rows, poses)
    }

    /// How far parameters reach; those that may not change, nowhere.
    pub(super) fn restrained(&self, mut reach: Vec<f64>) -> Vec<f64> {
        if self.options.freedom() != Freedom::All {
            for c in 0..self.layout.cells {
                let at = self.layout.site(c, 0);
                reach[at..self.layout.falloff(c)].fill(0.0);
                if self.options.freedom() == Freedom::Falloff {
                    reach[self.layout.floor(c)] = 0.0;
                }
            }
        }
        reach
    }

    /// The positions of a step.
    pub(super) fn batch(&self, patches: &[Vec<u32>], random: &mut Random) -> Option<Batch> {
        let few = self.options.points_per_step < self.domain.points.len();
        few.then(|| Batch::of(self.domain, choose(patches, self.options.points_per_step, random)))
    }

    pub(super) fn adam(&self) -> Adam {
        let adam = Adam::new(self.layout.len(), self.options.moments);
        if self.options.site_axes {
            adam.with_blocks(self.layout.all_sites(), PER_SITE)
        } else {
            adam
        }
    }

    pub(super) fn raise_falloffs(&self, list: &mut [f64]) {
        let least = self.options.least_falloff.ln();
        for c in 0..self.layout.cells {
            let falloff = &mut list[self.layout.falloff(c)];
            *falloff = falloff.max(least);
        }
    }

    /// Comes near to the guidance, without poses.
    pub(super) fn follow_guidance(&mut self, list: &mut [f64], task: &Task<'_>) -> Result<(), Cancelled> {
        let steps = self.options.guided_steps;
        let patches = patches(self.domain, PATCH);
        let mut random = Random::new(self.options.seed ^ 1);
        let whole: Vec<u32> = (0..self.domain.points.len() as u32).collect();
        let mut adam = self.adam();
        for step in 0..steps {
            task.step("guide", step as f32 / steps as f32)?;
            let opened = Opened::of(self.layout, list, self.last_floor());
            if step % LOOK_EVERY == 0 {
                self.choose_candidates(&opened);
            }
            let chosen = if self.options.points_per_step < whole.len() {
                choose(&patches, self.options.points_per_step, &mut random)
            } else {
                whole.clone()
            };
            let (weighed, rows) = self.weigh(&opened, &chosen);
            let mut weight_gradient = vec![0.0; rows.cells.len()];
            if let Some(targets) = &self.targets {
                for (row, &point) in chosen.iter().enumerate() {
                    let range = rows.range(row);
                    let factor = 1.0 / chosen.len() as f64;
                    targets.difference(
                        point as usize,
                        rows.row(row),
                        factor,
                        Some(&mut weight_gradient[range]),
                    );
                }
            }
            let gradient = self.back(&opened, &chosen, &weighed, &rows, &weight_gradient);
            adam.step(list, &gradient, &self.reach, self.options.rate_at(step, steps));
            self.raise_falloffs(list);
        }
        Ok(())
    }

    /// The steps over poses.
    pub(super) fn run(
        &mut self,
        list: &mut [f64],
        pool: &[Vec<DAffine3>],
        body: Option<&BodyAtRest>,
        watched: &[&[DAffine3]],
        begun: Duration,
        task: &Task<'_>,
    ) -> Result<Run, Cancelled> {
        let steps = self.options.steps;
        let patches = patches(self.domain, PATCH);
        let whole = Batch::whole(self.domain);
        let mut random = Random::new(self.options.seed ^ 2);
        let mut beside_random = Random::new(self.options.seed ^ 4);
        let mut adam = self.adam();
        let mut run = Run::default();
        let mut deck = Deck::new(pool.len());
        let mut weight_gradient = Vec::new();
        let mut seen: Option<Vec<DVec3>> = None;
        let guarded: Vec<&[DAffine3]> = pool.iter().take(GUARDED).map(Vec::as_slice).collect();
        let mut least: Option<(f64, Vec<f64>)> = None;
        let mut caution = 1.0;
        for step in 0..steps {
            task.step("fit", step as f32 / steps as f32)?;
            let sparse = self.floor_share(step) == self.last_floor();
            if let Some(run_away) = self.options.run_away
                && sparse
                && step % GUARD_EVERY == 0
            {
                let losses = self.judge(list, &whole, &guarded, body, task)?;
                let now = losses.total(&self.options.losses);
                match &least {
                    Some((then, kept)) if now.is_nan() || now > run_away * then => {
                        list.copy_from_slice(kept);
                        adam = self.adam();
                        caution *= 0.5;
                        run.went_back += 1;
                    }
                    Some((then, _)) if now >= *then => {}
                    _ => least = Some((now, list.to_vec())),
                }
            }
            let opened = Opened::of(self.layout, list, self.floor_share(step));
            if step % LOOK_EVERY == 0 {
                self.choose_candidates(&opened);
                if sparse && self.options.tolerance > 0.0 {
                    let now = self.watched(&opened, &whole.points, watched);
                    let still = seen.is_some_and(|seen| rms(&seen, &now) < self.options.tolerance);
                    if still {
                        run.converged = true;
                        break;
                    }
                    seen = Some(now);
                }
            }
            let some = self.batch(&patches, &mut random);
            let batch = some.as_ref().unwrap_or(&whole);
            let chosen: Vec<&[DAffine3]> = (0..self.options.poses_per_step.max(1))
                .map(|_| pool[deck.draw(&mut random)].as_slice())
                .collect();
            let (weighed, rows) = self.weigh(&opened, &batch.points);
            let body = body.map(|b| self.pose_body(b, &opened, &chosen));
            let measure = self.measure(body.as_ref());
            let losses = measure.losses(batch, &rows, &chosen, Some(&mut weight_gradient), task)?;
            if step % steps.div_ceil(CURVE) == 0 {
                run.curve.push(CurvePoint {
                    step,
                    seconds: task.now().saturating_sub(begun).as_secs_f64(),
                    total: losses.total(&self.options.losses),
                    losses,
                });
            }
            let mut gradient = self.back(&opened, &batch.points, &weighed, &rows, &weight_gradient);
            let lambda = self.options.losses.guidance * self.options.beside;
            self.add_beside(&opened, lambda, &mut beside_random, &mut gradient);
            let rate = caution * self.options.rate_at(step, steps);
            adam.step(list, &gradient, &self.reach, rate);
            self.raise_falloffs(list);
            run.steps = step + 1;
        }
        Ok(run)
    }

    /// Where the skin is in the watched poses.
    pub(super) fn watched(&self, opened: &Opened, points: &[u32], poses: &[&[DAffine3]]) -> Vec<DVec3> {
        let (_, rows) = self.weigh(opened, points);
        let mut out = Vec::with_capacity(points.len() * poses.len());
        for pose in poses {
            for (row, &point) in points.iter().enumerate() {
                let x = self.domain.points[point as usize];
                let moved = rows.row(row).map(|(cell, w)| pose[cell].transform_point3(x) * w);
                out.push(moved.sum::<DVec3>());
            }
        }
        out
    }
}

fn rms(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len().max(1) as f64).sqrt()
}
