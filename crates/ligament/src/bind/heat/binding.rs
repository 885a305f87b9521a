//! Heat on a skin, prepared once and evaluated often.

use std::sync::Arc;

use glam::DVec3;

use super::form::{Barrier, HeatForm};
use super::groups::Groups;
use super::inside::Inside;
use super::sources::{self, Obstacle, Scene, Sources};
use super::{HeatDomain, HeatOptions, HeatSurface, unseen};
use crate::bind::prepared::Notes;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindResult};
use crate::character::{Influence, JointIndex, Weights};
use crate::geometry::Faces;
use crate::geometry::Laplacian;
use crate::geometry::{islands, nearest};
use crate::linear::{Cholesky, EliminationOrder, LinearError, SymmetricMatrix};
use crate::skin::JointMasks;
use crate::task::Task;

/// Edges of the Laplacian count as at least this, so that faces without area still carry
/// heat. Far under the cotangents of any face that can be seen, far over rounding.
pub(crate) const LEAST_EDGE: f64 = 1e-6;
/// A position has at least this fraction of the mean area, so that points without faces keep
/// their source.
const LEAST_AREA: f64 = 1e-6;
/// In the bi-Laplacian, which divides by areas, at least this share: a sliver's would make
/// it stiffer than rounding allows.
pub(crate) const LEAST_AREA_OF_BILAPLACIAN: f64 = 0.1;
/// ℓ, the length that makes Laplacian and bi-Laplacian comparable, as a fraction of the
/// diagonal; about the thickness of a limb.
pub(crate) const SMOOTHING_LENGTH: f64 = 0.05;
/// Weights under this are not kept. Exact heat weights are never zero.
pub(crate) const NEGLIGIBLE: f64 = 1e-5;

/// How a joint's heat is handled (Bang et al., the weight handles). The range is not here: it is
/// where the bones of [`HeatDomain`] are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeatHandle {
    /// c: how strongly the joint's bones radiate, over 0; 1 as published, more draws skin
    /// towards it. It belongs to the bone that radiates, so that one system serves all
    /// joints and weights still sum to one by themselves.
    pub magnitude: f64,
    /// b: the fraction of the bi-Laplacian, 0 to 1, where a = 1 − b is the Laplacian's. Raising
    /// it makes the joint's weights smoother.
    pub smoothness: f64,
}

impl Default for HeatHandle {
    fn default() -> Self {
        Self {
            magnitude: 1.0,
            smoothness: 0.0,
        }
    }
}

/// A skin with its sources of heat and factorised systems.
#[derive(Debug)]
pub struct HeatBinding {
    domain: HeatDomain,
    laplacian: Arc<Laplacian>,
    areas: Vec<f64>,
    sources: Sources,
    /// The positions of islands that have no source at all, ascending.
    stranded: Vec<u32>,
    /// For each smoothness that occurs, its system and the joints that have it.
    systems: Vec<(Cholesky, Vec<JointIndex>)>,
    no_bone_seen: bool,
    /// Which way the skin looks and what is inside.
    inside: Inside,
    groups: Groups,
}

impl HeatBinding {
    /// The slow half for a skin and its skeleton's bones.
    pub(in crate::bind) fn prepare(
        rules: &Rules<'_>,
        own: &HeatOptions,
        notes: &mut Notes,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let mut watch = task.stopwatch();
        let handles = own.handles(rules.skeleton())?;
        let binding = Self::new(HeatDomain::of(rules), &own.preset.form(), &handles, task)?;
        notes.warnings.extend(unseen(&binding, rules.skin));
        watch.lap("prepare");
        notes.stages.extend(watch.stages());
        Ok(binding)
    }

    /// The fast half: solves for all joints.
    pub(in crate::bind) fn evaluate(
        &self,
        rules: Rules<'_>,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        let mut watch = task.stopwatch();
        let of_points = self.weights_of_points(&rules, task)?;
        watch.lap("solve");
        let weights = rules.finished(of_points)?;
        watch.lap("scatter");
        Ok(BindResult {
            weights,
            warnings: rules.warnings,
            stages: watch.stages(),
        })
    }

    /// The weights of points, neither pruned nor handed out.
    pub(in crate::bind) fn weights_of_points(
        &self,
        rules: &Rules<'_>,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let rows = self.rows(task)?;
        self.limited(&rules.masks, &rows, rules.options.influences)
    }

    /// For each point the way out.
    pub(in crate::bind) fn normals(&self) -> &[DVec3] {
        &self.inside.normals
    }

    /// Finds the sources and factorises. `handles` has an entry for each joint, or is empty
    /// where all are as published.
    pub fn new(
        domain: HeatDomain,
        form: &HeatForm,
        handles: &[HeatHandle],
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        task.step("laplacian", 0.0)?;
        let handle = |joint: usize| handles.get(joint).copied().unwrap_or_default();
        let magnitudes: Vec<f64> = (0..domain.joint_count).map(|j| handle(j).magnitude).collect();
        let groups = Groups::of(domain.skin.points());
        // The order of elimination needs no sources and the sources no order.
        let (flow, found) = rayon::join(
            || {
                let laplacian = domain.skin.laplacian().clone();
                let zero = vec![0.0; laplacian.len()];
                let matrix = laplacian.matrix(&zero, 1.0, LEAST_EDGE);
                let order = EliminationOrder::of(&matrix.starts, &matrix.columns)?;
                Ok::<_, LinearError>((laplacian, matrix, Arc::new(order)))
            },
            || find_sources(&domain, &groups, form, &magnitudes, task),
        );
        let (sources, no_bone_seen, inside) = found?;
        let (laplacian, mut matrix, order) = flow?;
        let areas = floored(&laplacian.areas, LEAST_AREA);

        task.step("factorise", 0.0)?;
        let mut stranded: Vec<u32> = islands(&laplacian)
            .into_iter()
            .filter(|island| island.iter().all(|&p| sources.heat[p as usize] == 0.0))
            .flatten()
            .collect();
        stranded.sort_unstable();
        let mut heat: Vec<f64> = areas.iter().zip(&sources.heat).map(|(a, h)| a * h).collect();
        for &p in &stranded {
            heat[p as usize] = 1.0; // any heat at all: with no source the answer is 0
        }
        for (row, heat) in heat.iter().enumerate() {
            matrix.values[matrix.starts[row] as usize] += heat;
        }
        let mut joints: Vec<JointIndex> = domain.bones.iter().map(|b| b.joint).collect();
        joints.dedup();
        let smoothness = |j: &JointIndex| handle(j.at()).smoothness.clamp(0.0, 1.0);
        joints.sort_by(|a, b| smoothness(a).total_cmp(&smoothness(b)).then(a.cmp(b)));
        let mut systems = Vec::new();
        for group in joints.chunk_by(|a, b| smoothness(a) == smoothness(b)) {
            task.step("factorise", 0.0)?;
            let b = smoothness(&group[0]);
            let cholesky = if b == 0.0 {
                Cholesky::with_order(order.clone(), &matrix)?
            } else {
                Cholesky::of(&smoother(&heat, &laplacian, b, domain.skin.diagonal()))?
            };
            systems.push((cholesky, group.to_vec()));
        }
        Ok(Self {
            domain,
            laplacian,
            areas,
            sources,
            stranded,
            systems,
            no_bone_seen,
            inside,
            groups,
        })
    }

    /// Keeps the surface and the sources for an editor, and lets the systems go.
    pub(crate) fn into_surface(self) -> (HeatSurface, Sources) {
        let surface = HeatSurface {
            domain: self.domain,
            laplacian: self.laplacian,
            areas: self.areas,
            inside: self.inside,
            groups: self.groups,
        };
        (surface, self.sources)
    }

    /// The skin and its bones.
    pub fn domain(&self) -> &HeatDomain {
        &self.domain
    }

    /// C of the system, without its sign: [`Laplacian`] is positive.
    pub fn laplacian(&self) -> &Laplacian {
        &self.laplacian
    }

    /// M of the system: the area around each position, none zero.
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// H and p of the system.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The positions of islands without any source, ascending.
    pub fn stranded(&self) -> &[u32] {
        &self.stranded
    }

    /// Whether no bone was seen from anywhere, so that faces were looked through.
    pub fn no_bone_seen(&self) -> bool {
        self.no_bone_seen
    }

    /// M·H − C, the matrix of joints with smoothness 0.
    pub fn matrix(&self) -> SymmetricMatrix {
        let heat: Vec<f64> = self
            .areas
            .iter()
            .zip(&self.sources.heat)
            .map(|(a, h)| a * h)
            .collect();
        self.laplacian.matrix(&heat, 1.0, LEAST_EDGE)
    }

    /// The weights of all positions, at most `influences` each.
    pub fn weights(&self, influences: usize, task: &Task<'_>) -> Result<Weights, BindError> {
        let per_position = self.rows(task)?;
        self.limited(&self.domain.masks, &per_position, influences)
    }

    /// For each position all weights that are not negligible, joints ascending but for
    /// those of other smoothness, which come after.
    pub(crate) fn rows(&self, task: &Task<'_>) -> Result<Vec<Vec<Influence>>, BindError> {
        let mut rows = Rows::new(self.domain.skin.len());
        let on = self.source_lists();
        for (system, joints) in &self.systems {
            rows.solve(system, joints, |joint| &on[joint.at()], None, task)?;
        }
        let mut per_position = rows.sorted();
        if !self.stranded.is_empty() {
            self.hang(&mut per_position, task)?;
        }
        Ok(per_position)
    }

    /// For each joint the positions that it heats, with M·H·p there.
    fn source_lists(&self) -> Vec<Vec<(u32, f64)>> {
        let mut lists = vec![Vec::new(); self.domain.joint_count];
        for position in 0..self.areas.len() {
            let heat = self.areas[position] * self.sources.heat[position];
            for &(joint, fraction) in self.sources.of_position(position) {
                lists[joint.at()].push((position as u32, heat * fraction));
            }
        }
        lists
    }

    /// Islands without a source take the skin that they hang on for their bones: each of
    /// their positions is heated by the nearest position that has weights, with those
    /// weights for p and 1/d² for H. Where an island touches, it moves with what it
    /// touches; a button that touches at one end moves as one piece.
    fn hang(&self, per_position: &mut [Vec<Influence>], task: &Task<'_>) -> Result<(), BindError> {
        let hosts: Vec<u32> = (0..per_position.len() as u32)
            .filter(|&p| !per_position[p as usize].is_empty())
            .collect();
        if hosts.is_empty() {
            return Ok(()); // every joint that radiates is barred: the last resort answers
        }
        let diagonal = self.domain.skin.diagonal();
        let hung = nearest(self.domain.skin.points(), &self.stranded, &hosts);
        let closest = (1e-4 * diagonal).max(f64::MIN_POSITIVE.sqrt());
        let mut matrix = self.matrix().submatrix(&self.stranded);
        let mut lists: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.domain.joint_count];
        for (row, (&position, &(host, distance))) in self.stranded.iter().zip(&hung).enumerate() {
            let heat = self.areas[position as usize] / distance.max(closest).powi(2);
            matrix.values[matrix.starts[row] as usize] += heat;
            for i in per_position[host as usize].iter().filter(|i| i.weight > 0.0) {
                lists[i.joint.at()].push((row as u32, heat * f64::from(i.weight)));
            }
        }
        let system = Cholesky::of(&matrix)?;
        let joints: Vec<JointIndex> = (0..lists.len() as u16)
            .map(JointIndex)
            .filter(|j| !lists[j.at()].is_empty())
            .collect();
        let mut rows = Rows::new(per_position.len());
        rows.solve(
            &system,
            &joints,
            |joint| &lists[joint.at()],
            Some(&self.stranded),
            task,
        )?;
        for (position, row) in rows
            .sorted()
            .into_iter()
            .enumerate()
            .filter(|(_, r)| !r.is_empty())
        {
            per_position[position] = row;
        }
        Ok(())
    }

    /// Takes out joints that a position may not follow and keeps the largest.
    fn limited(
        &self,
        masks: &JointMasks,
        per_position: &[Vec<Influence>],
        influences: usize,
    ) -> Result<Weights, BindError> {
        Weights::in_parallel(per_position.len(), influences, |positions, builder| {
            let mut row = Vec::new();
            for position in positions {
                row.clear();
                row.extend_from_slice(&per_position[position]);
                self.domain.limit(masks, position, &mut row, influences);
                builder.push(&row)?;
            }
            Ok(())
        })
    }
}

/// M·H − a·C + b·ℓ²·C·M⁻¹·C (Bang et al., equation 3, with the sign that makes it definite).
fn smoother(heat: &[f64], laplacian: &Laplacian, b: f64, diagonal: f64) -> SymmetricMatrix {
    let zero = vec![0.0; heat.len()];
    let plain = laplacian.matrix(&zero, 1.0, LEAST_EDGE);
    let areas = floored(&laplacian.areas, LEAST_AREA_OF_BILAPLACIAN);
    let length = SMOOTHING_LENGTH * diagonal;
    laplacian
        .matrix(heat, 1.0 - b, LEAST_EDGE)
        .plus_square(b * length * length, &plain, &areas)
}

/// Areas of at least a fraction of their mean; ones where the surface has no area.
fn floored(areas: &[f64], fraction: f64) -> Vec<f64> {
    let mean = areas.iter().sum::<f64>() / areas.len().max(1) as f64;
    let least = if mean > 0.0 { fraction * mean } else { 1.0 };
    areas.iter().map(|a| a.max(least)).collect()
}

/// The sources, whether faces had to be looked through because they hide every bone, and
/// what is inside.
fn find_sources(
    domain: &HeatDomain,
    groups: &Groups,
    form: &HeatForm,
    magnitudes: &[f64],
    task: &Task<'_>,
) -> Result<(Sources, bool, Inside), BindError> {
    let inside = Inside::of(
        &domain.skin,
        matches!(form.barrier, Barrier::Outside { .. }),
        task,
    )?;
    let allowed = |position: usize| domain.masks.at(position);
    let contains = |p| inside.contains(p);
    let mut scene = Scene {
        points: domain.skin.points(),
        normals: &inside.normals,
        bones: &domain.bones,
        allowed: &allowed,
        magnitudes,
        diagonal: domain.skin.diagonal(),
        obstacle: Obstacle::None,
    };
    let found = match form.barrier {
        Barrier::Faces => {
            let faces = Faces::new(domain.skin.points(), domain.skin.faces());
            scene.obstacle = Obstacle::Faces(&faces);
            let found = sources::find(&scene, groups, form, task)?;
            if found.heat.iter().any(|&h| h > 0.0) {
                (found, false)
            } else {
                scene.obstacle = Obstacle::None;
                (sources::find(&scene, groups, form, task)?, true)
            }
        }
        Barrier::Outside { .. } => {
            scene.obstacle = Obstacle::Outside {
                inside: &contains,
                step: inside.step(),
            };
            (sources::find(&scene, groups, form, task)?, false)
        }
    };
    Ok((found.0, found.1, inside))
}

/// Weights as they are found: for each block of joints how many each unknown has, and all of them.
struct Rows<'a> {
    found: Vec<Found<'a>>,
    positions: usize,
}

struct Found<'a> {
    counts: Vec<u8>,
    influences: Vec<Influence>,
    /// The positions behind the unknowns, where they are not all.
    positions: Option<&'a [u32]>,
}

impl Found<'_> {
    /// Each position with what was found for it.
    fn rows(&self) -> impl Iterator<Item = (usize, &[Influence])> {
        let mut rest = &self.influences[..];
        self.counts.iter().enumerate().map(move |(unknown, &count)| {
            let (own, others) = rest.split_at(usize::from(count));
            rest = others;
            (self.positions.map_or(unknown, |p| p[unknown] as usize), own)
        })
    }
}

impl<'a> Rows<'a> {
    fn new(positions: usize) -> Self {
        Self {
            found: Vec::new(),
            positions,
        }
    }

    /// Solves for the joints, of which `heat` tells where they heat how much, and keeps what is not negligible.
    /// `positions` are those behind the unknowns, where they are not all.
    fn solve<'s>(
        &mut self,
        system: &Cholesky,
        joints: &[JointIndex],
        heat: impl Fn(JointIndex) -> &'s [(u32, f64)] + Sync,
        positions: Option<&'a [u32]>,
        task: &Task<'_>,
    ) -> Result<(), BindError> {
        let blocks = system.solve_many(
            joints.len(),
            |index| heat(joints[index]),
            |range, solutions| {
                task.step("solve", range.start as f32 / joints.len() as f32)?;
                let joints = &joints[range];
                let mut found = Found {
                    counts: Vec::with_capacity(system.size()),
                    influences: Vec::with_capacity(2 * system.size()),
                    positions,
                };
                for unknown in 0..system.size() {
                    let before = found.influences.len();
                    // Smoothness may make weights negative; who wants them as weights drops those.
                    let own = joints.iter().zip(solutions.of(unknown));
                    let kept = own.filter(|(_, weight)| weight.abs() > NEGLIGIBLE);
                    found.influences.extend(kept.map(|(&joint, &weight)| Influence {
                        joint,
                        weight: weight as f32,
                    }));
                    found.counts.push((found.influences.len() - before) as u8);
                }
                Ok::<_, BindError>(found)
            },
        )?;
        self.found.extend(blocks);
        Ok(())
    }

    /// What was found, position by position.
    fn sorted(self) -> Vec<Vec<Influence>> {
        let mut counts = vec![0u32; self.positions];
        for (position, row) in self.found.iter().flat_map(Found::rows) {
            counts[position] += row.len() as u32;
        }
        let mut rows: Vec<Vec<Influence>> = counts
            .into_iter()
            .map(|count| Vec::with_capacity(count as usize))
            .collect();
        for (position, row) in self.found.iter().flat_map(Found::rows) {
            rows[position].extend_from_slice(row);
        }
        rows
    }
}
