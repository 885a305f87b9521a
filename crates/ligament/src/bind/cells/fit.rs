//! Fitting a field to a character (SkinCells, section 3.6).
//!
//! Adam on the parameters of all cells. A step looks at a few poses of a pool and, on
//! large meshes, at some patches of the surface. Floors c sink to zero on the way and stay
//! there for the rest, so that the field that is delivered is the one that was fitted.
//! Between steps a position remembers the cells nearest to it and only weighs those.
//!
//! Pieces of work have a fixed size and their gradients are added in order: the same field
//! at any thread count.

use std::time::Duration;

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::adam::{Adam, PUBLISHED};
use super::batch::{Batch, choose, patches};
use super::collision::BodyAtRest;
use super::detour::Detour;
use super::domain::FitDomain;
use super::field::CellField;
use super::guidance::{Guidance, Targets};
use super::losses::{CHUNK, LossWeights, Losses, Measure, Rows};
use super::parameters::{Layout, Opened, PER_SITE};
use super::poses::{PoseSource, poses};
use super::random::{Deck, Random};
use super::start::{Start, Started, start};
use super::weigh::{Entry, Row};
use crate::bind::BindError;
use crate::character::{Character, Weights};
use crate::motion::JointLimits;
use crate::task::{Cancelled, Task};

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
    /// over folds); held, it stays near what artists do and still deforms better.
    pub hold: f32,
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
    /// Limits of joints that overrule those by their names and places.
    pub joint_limits: Vec<JointLimits>,
    /// Adam's rate at the beginning.
    pub rate: f64,
    /// Its rate at the end, as a share of that; it falls along a cosine.
    pub last_rate: f64,
    /// Its β₁ and β₂. Smaller ones forget sooner: gradients of few poses change a lot.
    pub moments: [f64; 2],
    /// Whether it runs along axes of each site that turn with its gradients; as published
    /// it runs along the numbers themselves. Along axes most fits end lower in the same
    /// steps, by a tenth and more: `docs/lab/cells.md`.
    pub site_axes: bool,
    /// No exponent r falls under this; zero for no bound. Under one a weight begins at its
    /// border with an infinite slope, and towards zero with a jump that no gradient sees: a fit
    /// of the corpus went there and ended more than ten times higher.
    pub least_falloff: f64,
    /// The first c, as a share of the character's size.
    pub floor: f64,
    /// The share of all steps after which c is zero.
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
    fn freedom(&self) -> Freedom {
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
            geodesic: false,
            springs_by_limb: false,
            guided_steps: 0,
            hold: 0.0,
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
        let share = step as f64 / steps as f64;
        let cosine = 0.5 * (1.0 + (std::f64::consts::PI * share).cos());
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

/// A moment of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurvePoint {
    /// After so many steps.
    pub step: usize,
    /// Seconds since the first.
    pub seconds: f64,
    /// Eq. 7 over this step's poses and positions.
    pub total: f64,
    /// Its terms.
    pub losses: Losses,
}

/// How a fit went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitReport {
    /// Steps taken over poses.
    pub steps: usize,
    /// Whether it ended because nothing changed any more.
    pub converged: bool,
    /// How often it had run away and went back.
    pub went_back: usize,
    /// Losses along the way.
    pub curve: Vec<CurvePoint>,
    /// λ.
    pub weights: LossWeights,
    /// Losses over poses that the fit did not see, before it.
    pub unseen_before: Losses,
    /// The same after it.
    pub unseen: Losses,
    /// Springs that hold skin to bones.
    pub springs: usize,
    /// Seconds over all.
    pub seconds: f64,
}

/// A field and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The field.
    pub field: CellField,
    /// How it went.
    pub report: FitReport,
}

/// Steps between two looks at how the skin still moves, and between two choices of
/// candidates.
const LOOK_EVERY: usize = 25;
/// Steps between two looks at whether the loss has run away: all positions in a few poses take
/// as long as six steps.
const GUARD_EVERY: usize = 100;
/// Poses of the pool by which that is told.
const GUARDED: usize = 4;
/// Poses that a fit is judged by and does not see.
const UNSEEN: usize = 24;
/// Poses whose change tells when to stop.
const WATCHED: usize = 4;
/// Points of the curve that are kept.
const CURVE: usize = 200;
/// Positions per patch.
const PATCH: usize = 128;

/// The seed of poses that fits with this seed do not see.
pub fn unseen_seed(seed: u64) -> u64 {
    seed ^ 0x0075_6e73_6565_6e00
}

/// Everything that one fit holds on to.
struct Fit<'a> {
    domain: &'a FitDomain,
    options: &'a FitOptions,
    influences: usize,
    layout: Layout,
    /// Of each position and cell, row by row; empty without detours.
    detours: Vec<f32>,
    targets: Option<Targets>,
    /// Cells that each position weighs.
    candidate_starts: Vec<u32>,
    candidates: Vec<u16>,
    /// How far each parameter moves.
    reach: Vec<f64>,
}

/// What the steps over poses came to.
#[derive(Default)]
struct Run {
    curve: Vec<CurvePoint>,
    steps: usize,
    converged: bool,
    went_back: usize,
}

/// Entries of a chunk of positions.
struct Weighed {
    rows: Vec<Row>,
    entries: Vec<Entry>,
}

/// What a fit is given beside its options.
#[derive(Default)]
pub struct Setting<'a> {
    /// The most joints that a position follows; at least one.
    pub influences: usize,
    /// Weights to come near to, and to stay near to.
    pub guidance: Option<&'a Guidance>,
    /// Weights of all vertices to start from.
    pub from: Option<&'a Weights>,
    /// Longer ways through the solid; it is carried over into the field.
    pub detour: Option<Detour>,
}

/// Fits a field to a character whose bind is prepared as `domain`.
pub fn fit(
    character: &Character,
    domain: &FitDomain,
    setting: Setting<'_>,
    options: &FitOptions,
    task: &Task<'_>,
) -> Result<Fitted, BindError> {
    let begun = task.now();
    let Setting {
        influences,
        guidance,
        from,
        detour,
    } = setting;
    let layout = Layout {
        cells: domain.joints.len(),
        sites: options.sites.clamp(1, 32),
    };
    let from = from.map(|w| Targets::new(domain, &Guidance::everywhere(w.clone(), 1.0)));
    let guidance = guidance.map(|g| Targets::new(domain, g));
    let mut fit = Fit {
        domain,
        options,
        // More influences than cells are as many as there are.
        influences: influences.clamp(1, layout.cells.max(1)),
        layout,
        detours: detours_at_points(domain, layout.cells, detour.as_ref()),
        targets: from.or_else(|| guidance.clone()),
        candidate_starts: Vec::new(),
        candidates: Vec::new(),
        reach: Vec::new(),
    };
    let floor = match options.freedom() {
        // So large that the border never shows: 1/d^r.
        Freedom::Falloff => 1e6,
        _ => options.floor.max(1e-9),
    };
    let Started { mut list, reach } = start(
        domain,
        &character.skeleton,
        layout,
        options.start,
        floor,
        options.seed,
    );

    fit.reach = fit.restrained(reach);

    let pool: Vec<Vec<DAffine3>> = poses(
        character,
        options.pose_source,
        &options.joint_limits,
        options.pose_pool.max(1),
        options.seed,
    )
    .iter()
    .map(|pose| domain.moves(pose))
    .collect();
    let unseen: Vec<Vec<DAffine3>> = poses(
        character,
        options.pose_source,
        &options.joint_limits,
        UNSEEN,
        unseen_seed(options.seed),
    )
    .iter()
    .map(|pose| domain.moves(pose))
    .collect();
    let unseen: Vec<&[DAffine3]> = unseen.iter().map(Vec::as_slice).collect();
    let body = body_of(character, domain, &options.body);

    fit.choose_candidates(&Opened::of(layout, &list, 0.0));
    if fit.targets.is_some() && options.guided_steps > 0 {
        fit.follow_guidance(&mut list, task)?;
    }
    fit.targets = guidance;
    let whole = Batch::whole(domain);
    let unseen_before = fit.judge(&list, &whole, &unseen, body.as_ref(), task)?;
    let Run {
        curve,
        steps,
        converged,
        went_back,
    } = fit.run(&mut list, &pool, body.as_ref(), &unseen[..WATCHED], begun, task)?;
    let unseen = fit.judge(&list, &whole, &unseen, body.as_ref(), task)?;

    let named: Vec<(String, [f32; 3])> = domain
        .joints
        .iter()
        .map(|&j| {
            let origin = (character.skeleton.bind_position(j) - domain.centre) / domain.size;
            (
                character.skeleton.joint(j).name.clone(),
                origin.as_vec3().to_array(),
            )
        })
        .collect();
    let field = CellField {
        influences: fit.influences,
        centre: domain.centre,
        size: domain.size,
        cells: Opened::of(layout, &list, fit.last_floor()).cells(&named),
        detour,
    };
    field.check().map_err(BindError::Field)?;
    Ok(Fitted {
        field,
        report: FitReport {
            steps,
            converged,
            went_back,
            curve,
            weights: options.losses,
            unseen_before,
            unseen,
            springs: domain.spring_count(),
            seconds: task.now().saturating_sub(begun).as_secs_f64(),
        },
    })
}

/// The losses of any weights of a bind's positions over poses (`world_from_bind` per
/// joint): what methods are compared by.
#[cfg(any(test, feature = "research"))]
pub fn losses_of(
    domain: &FitDomain,
    per_position: &Weights,
    poses: &[Vec<DAffine3>],
    influences: usize,
    weights: &LossWeights,
    task: &Task<'_>,
) -> Result<Losses, Cancelled> {
    let mut rows = Rows {
        starts: vec![0],
        ..Rows::default()
    };
    for row in per_position.iter() {
        for i in row {
            if let Ok(cell) = domain.joints.binary_search(&i.joint) {
                rows.cells.push(cell as u16);
                rows.weights.push(f64::from(i.weight));
            }
        }
        rows.starts.push(rows.cells.len() as u32);
    }
    let moves: Vec<Vec<DAffine3>> = poses.iter().map(|pose| domain.moves(pose)).collect();
    let moves: Vec<&[DAffine3]> = moves.iter().map(Vec::as_slice).collect();
    let measure = Measure {
        domain,
        weights: *weights,
        influences,
        targets: None,
        body: None,
    };
    measure.losses(&Batch::whole(domain), &rows, &moves, None, task)
}

fn detours_at_points(domain: &FitDomain, cells: usize, detour: Option<&Detour>) -> Vec<f32> {
    let Some(detour) = detour else {
        return Vec::new();
    };
    let mut all = vec![0.0; domain.points.len() * cells];
    for (x, row) in domain.points.iter().zip(all.chunks_exact_mut(cells)) {
        detour.add_to(x.as_vec3(), row);
    }
    all
}

/// The body that the parts of these names form.
fn body_of(character: &Character, domain: &FitDomain, patterns: &[String]) -> Option<BodyAtRest> {
    if patterns.is_empty() {
        return None;
    }
    let mut is_body = vec![false; domain.points.len()];
    let points = domain.skin.points_of_vertices();
    for part in &character.mesh.parts {
        if patterns
            .iter()
            .any(|p| wildmatch::WildMatch::new(p).matches(&part.name))
        {
            points[part.vertices.clone()]
                .iter()
                .flatten()
                .for_each(|point| is_body[point.at()] = true);
        }
    }
    BodyAtRest::new(domain, is_body)
}

impl Fit<'_> {
    /// The share of its first value that c has at a step.
    fn floor_share(&self, step: usize) -> f64 {
        match self.options.freedom() {
            Freedom::Falloff => 1.0,
            _ => {
                let until = (self.options.floor_until * self.options.steps as f64).max(1.0);
                (1.0 - step as f64 / until).max(0.0)
            }
        }
    }

    /// The share of c in the field that is delivered.
    fn last_floor(&self) -> f64 {
        self.floor_share(usize::MAX)
    }

    fn detour(&self, point: usize, cell: u16) -> f32 {
        let found = self.detours.get(point * self.layout.cells + usize::from(cell));
        found.copied().unwrap_or(0.0)
    }

    /// Finds the cells nearest to each position.
    fn choose_candidates(&mut self, opened: &Opened) {
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

    fn locked(&self, point: u32) -> Option<&Targets> {
        self.targets.as_ref().filter(|t| t.is_locked(point as usize))
    }

    /// The derivative by the parameters from that by the weights.
    fn back(
        &self,
        opened: &Opened,
        points: &[u32],
        weighed: &[Weighed],
        rows: &Rows,
        by_weight: &[f64],
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
                            &by_weight[rows.range(chunk * CHUNK + i)],
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

    fn measure<'b>(&'b self, body: Option<&'b super::collision::Body>) -> Measure<'b> {
        Measure {
            domain: self.domain,
            weights: self.options.losses,
            influences: self.influences,
            targets: self.targets.as_ref(),
            body,
        }
    }

    /// Losses over all positions, with all cells.
    fn judge(
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

    fn pose_body(&self, body: &BodyAtRest, opened: &Opened, poses: &[&[DAffine3]]) -> super::collision::Body {
        let points: Vec<u32> = body.points().iter().map(|&p| p as u32).collect();
        let (_, rows) = self.weigh(opened, &points);
        body.posed(self.domain, &rows, poses)
    }

    /// How far parameters reach; those that may not change, nowhere.
    fn restrained(&self, mut reach: Vec<f64>) -> Vec<f64> {
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
    fn batch(&self, patches: &[Vec<u32>], random: &mut Random) -> Option<Batch> {
        let few = self.options.points_per_step < self.domain.points.len();
        few.then(|| Batch::of(self.domain, choose(patches, self.options.points_per_step, random)))
    }

    fn adam(&self) -> Adam {
        let adam = Adam::new(self.layout.len(), self.options.moments);
        if self.options.site_axes {
            adam.with_blocks(self.layout.all_sites(), PER_SITE)
        } else {
            adam
        }
    }

    fn raise_falloffs(&self, list: &mut [f64]) {
        let least = self.options.least_falloff.ln();
        for c in 0..self.layout.cells {
            let falloff = &mut list[self.layout.falloff(c)];
            *falloff = falloff.max(least);
        }
    }

    /// Comes near to the guidance, without poses.
    fn follow_guidance(&mut self, list: &mut [f64], task: &Task<'_>) -> Result<(), Cancelled> {
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
            let mut by_weight = vec![0.0; rows.cells.len()];
            if let Some(targets) = &self.targets {
                for (row, &point) in chosen.iter().enumerate() {
                    let range = rows.range(row);
                    let factor = 1.0 / chosen.len() as f64;
                    targets.difference(point as usize, rows.row(row), factor, Some(&mut by_weight[range]));
                }
            }
            let gradient = self.back(&opened, &chosen, &weighed, &rows, &by_weight);
            adam.step(list, &gradient, &self.reach, self.options.rate_at(step, steps));
            self.raise_falloffs(list);
        }
        Ok(())
    }

    /// The steps over poses.
    fn run(
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
        let mut adam = self.adam();
        let mut run = Run::default();
        let mut deck = Deck::new(pool.len());
        let mut by_weight = Vec::new();
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
            let losses = measure.losses(batch, &rows, &chosen, Some(&mut by_weight), task)?;
            if step % steps.div_ceil(CURVE) == 0 {
                run.curve.push(CurvePoint {
                    step,
                    seconds: task.now().saturating_sub(begun).as_secs_f64(),
                    total: losses.total(&self.options.losses),
                    losses,
                });
            }
            let gradient = self.back(&opened, &batch.points, &weighed, &rows, &by_weight);
            let rate = caution * self.options.rate_at(step, steps);
            adam.step(list, &gradient, &self.reach, rate);
            self.raise_falloffs(list);
            run.steps = step + 1;
        }
        Ok(run)
    }

    /// Where the skin is in the watched poses.
    fn watched(&self, opened: &Opened, points: &[u32], poses: &[&[DAffine3]]) -> Vec<DVec3> {
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
