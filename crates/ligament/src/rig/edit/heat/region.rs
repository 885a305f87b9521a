//! Where a change is felt, joint by joint, and which joints are solved for together.
//!
//! A change of the system at some positions changes weights everywhere, but ever less the
//! further away: over a length l of skin with heat H it fades like e^(−l·√H), whatever the
//! mesh; and what a bone that moves gives one side of a limb it takes from the other, so that
//! little is felt further on. Both are seen by solving on patches first. (Rings of
//! neighbours, as seed 003 counts them, are short on dense meshes and long on coarse ones.)

use rayon::prelude::*;

use super::HeatField;
use super::operator::Operator;
use super::sides::Sides;
use crate::bind::BindError;
use crate::character::JointIndex;
use crate::linear::{BLOCK, Cholesky};

/// Changes of weights under this share of the tolerance wait for the next command.
const WAITING: f64 = 1.0;
/// Others are followed to where they are this share of it.
const FOLLOWED: f64 = 0.3;
/// Patches count as heated at least by this share of the mean.
const LEAST_HEAT: f64 = 1e-9;
/// How many right-hand sides cost as much as factorising.
const FACTORISING: usize = 23;

/// Joints and the patches on which they are solved for.
#[derive(Debug, Clone)]
pub(super) struct Region {
    /// Ascending.
    pub joints: Vec<JointIndex>,
    patches: Vec<bool>,
    /// How many positions the patches have.
    size: usize,
}

impl Region {
    fn of(field: &HeatField, joints: Vec<JointIndex>, patches: Vec<bool>) -> Self {
        let wanted = patches.iter().enumerate().filter(|p| *p.1);
        let size = wanted.map(|(p, _)| field.patches.positions(p).len()).sum();
        Self {
            joints,
            patches,
            size,
        }
    }

    /// The positions.
    pub fn positions(&self, field: &HeatField) -> Vec<u32> {
        let patches = self.patches.iter().enumerate().filter(|p| *p.1);
        let positions = patches.flat_map(|(patch, _)| field.patches.positions(patch));
        positions.copied().collect()
    }

    /// What solving costs, in right-hand sides times positions.
    fn cost(&self) -> usize {
        self.size * (FACTORISING + self.joints.len())
    }

    fn with(&self, other: &Self, field: &HeatField) -> Self {
        let mut joints = [&self.joints[..], &other.joints].concat();
        joints.sort_unstable();
        let patches = self.patches.iter().zip(&other.patches).map(|(a, b)| a | b);
        Self::of(field, joints, patches.collect())
    }
}

/// The system on patches.
///
/// A bone that touches the skin holds one position and hardly what is around it: the way from
/// a position to its neighbours counts, which carries the share d/(M·H + d) of what the
/// position has, with d the operator's diagonal.
pub(super) struct OnPatches<'a> {
    field: &'a HeatField,
    operator: &'a Operator,
    system: Cholesky,
    /// M·H of the patches, as felt around.
    heat: Vec<f64>,
}

impl<'a> OnPatches<'a> {
    /// The system as it is now.
    pub fn of(field: &'a HeatField, operator: &'a Operator) -> Result<Self, BindError> {
        let felt = |position: usize| field.heat[position] * carried(field, operator, position);
        let mut heat = field.patches.sums(felt);
        let least = LEAST_HEAT * heat.iter().sum::<f64>() / heat.len().max(1) as f64;
        for heat in &mut heat {
            *heat = heat.max(least).max(f64::MIN_POSITIVE);
        }
        let matrix = operator.coarse.clone().plus_diagonal(&heat);
        Ok(Self {
            field,
            operator,
            system: Cholesky::with_order(operator.coarse_order.clone(), &matrix)?,
            heat,
        })
    }

    /// Where weights change by so much that it should not wait, joint by joint.
    pub fn felt(&self, sides: &Sides, tolerance: f64) -> Result<Vec<Region>, BindError> {
        let size = self.heat.len();
        let (waiting, followed) = (WAITING * tolerance, FOLLOWED * tolerance);
        let joints: Vec<JointIndex> = sides.by_joint().map(|j| j.0).collect();
        let mut concerned: Vec<Concerned> = joints
            .into_par_iter()
            .map(|joint| self.concerned(joint, sides))
            .collect();
        concerned.retain(|c| c.most.iter().any(|&m| m >= waiting));
        let regions: Vec<Vec<Region>> = concerned
            .par_chunks(BLOCK)
            .map(|concerned| {
                let mut columns: Vec<f64> = concerned.iter().flat_map(|c| c.sums.iter().copied()).collect();
                self.system.solve_in_place(&mut columns)?;
                let mut regions = Vec::new();
                for (c, changes) in concerned.iter().zip(columns.chunks_exact(size)) {
                    let felt = |patch: usize| c.most[patch].max(changes[patch].abs());
                    if (0..size).any(|p| felt(p) >= waiting) {
                        let patches = (0..size).map(|p| felt(p) >= followed).collect();
                        regions.push(Region::of(self.field, vec![c.joint], patches));
                    }
                }
                Ok::<_, BindError>(regions)
            })
            .collect::<Result<_, _>>()?;
        Ok(regions.into_iter().flatten().collect())
    }

    fn concerned(&self, joint: JointIndex, sides: &Sides) -> Concerned {
        let size = self.heat.len();
        let (mut sums, mut most, mut line) = (vec![0.0; size], vec![0.0; size], vec![0.0f64; size]);
        for side in sides.of_joint(joint) {
            let at = side.position as usize;
            let patch = self.field.patches.of_position(at);
            let value = side.value * carried(self.field, self.operator, at);
            sums[patch] += value;
            match side.in_area {
                true => most[patch] += value.abs(),
                false => line[patch] = line[patch].max(value.abs() / side.unit(self.field, self.operator)),
            }
        }
        for ((most, heat), line) in most.iter_mut().zip(&self.heat).zip(line) {
            *most = (*most / heat).max(line);
        }
        Concerned { joint, sums, most }
    }
}

/// A joint with right-hand sides.
struct Concerned {
    joint: JointIndex,
    /// By patch their sum.
    sums: Vec<f64>,
    /// By patch the most that they could do there: by the maximum principle no weight changes
    /// more than the largest side over M·H.
    most: Vec<f64>,
}

/// How much of what a position has is felt around it.
fn carried(field: &HeatField, operator: &Operator, position: usize) -> f64 {
    let around = operator.diagonal[position];
    match around > 0.0 {
        true => around / (around + field.heat[position]),
        false => 1.0, // it has no neighbours
    }
}

/// Joins regions that are solved faster together than alone: from the largest on, each goes
/// where it costs least.
pub(super) fn joined(mut regions: Vec<Region>, field: &HeatField) -> Vec<Region> {
    regions.sort_by_key(|r| std::cmp::Reverse(r.size)); // stable: joints ascend
    let mut joined: Vec<Region> = Vec::new();
    for region in regions {
        let with = joined.iter().enumerate().map(|(place, other)| {
            let both = other.with(&region, field);
            (both.cost() - other.cost(), place, both)
        });
        match with.min_by_key(|w| (w.0, w.1)) {
            Some((cost, place, both)) if cost <= region.cost() => joined[place] = both,
            _ => joined.push(region),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::heat::HeatSkin;
    use crate::bind::{BindOptions, Job};
    use crate::rig::edit::heat::local::Changes;
    use crate::rig::edit::heat::sides::Side;
    use crate::task::Task;

    fn field(sample: &str) -> HeatField {
        let character = crate::sample::make(sample).unwrap();
        let job = Job::new(&character, &BindOptions::default()).unwrap();
        let skin = HeatSkin::of(&job, &character);
        let handles = vec![Default::default(); skin.joint_count];
        HeatField::new(skin, handles, None, &Task::unattended()).unwrap()
    }

    /// Heats everything nearer than a tenth of the diagonal to a position.
    fn warmed(field: &HeatField, middle: usize) -> Sides {
        let skin = &field.surface.skin;
        let near = |p: &usize| skin.points[*p].distance(skin.points[middle]) < 0.1 * skin.body.diagonal;
        let side = |p: usize| Side {
            position: p as u32,
            value: 0.1 * field.heat[p],
            in_area: true,
        };
        let positions = (0..field.heat.len()).filter(near);
        Sides::of(positions.map(|p| (JointIndex(0), side(p))))
    }

    #[test]
    fn patches_are_in_one_piece_and_hold_every_position_once() {
        let field = field("hound@4000");
        let patches = &field.patches;
        let mut seen = vec![false; field.heat.len()];
        for patch in 0..patches.len() {
            let own = patches.positions(patch);
            let mut reached = vec![own[0]];
            let mut next = 0;
            while let Some(&from) = reached.get(next) {
                next += 1;
                for (to, _) in field.surface.laplacian.row(from as usize) {
                    if own.contains(&to) && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            assert_eq!(reached.len(), own.len());
            for &p in own {
                assert_eq!(patches.of_position(p as usize), patch);
                assert!(!std::mem::replace(&mut seen[p as usize], true));
            }
        }
        assert!(seen.iter().all(|&s| s));
        assert!(patches.len() * 2 < field.heat.len(), "{}", patches.len());
    }

    /// Where the exact change is over the tolerance, it is followed; and not all over the body.
    #[test]
    fn what_is_felt_is_what_a_whole_solve_changes() {
        let field = field("hound@4000");
        let operator = &field.operators[0];
        let every: Vec<u32> = (0..field.heat.len() as u32).collect();
        for middle in (0..field.heat.len()).step_by(701) {
            let sides = warmed(&field, middle);
            let task = Task::unattended();
            let whole = Changes::on(&field, operator, &[JointIndex(0)], &sides, &every, &task).unwrap();
            let regions = OnPatches::of(&field, operator)
                .unwrap()
                .felt(&sides, 1e-3)
                .unwrap();
            let [region] = &regions[..] else {
                panic!("one joint changes, not {}", regions.len());
            };
            let positions = region.positions(&field);
            let missed = (every.iter().filter(|p| !positions.contains(p)))
                .map(|&p| whole.at(p)[0].abs())
                .fold(0.0, f32::max);
            assert!(missed < 1e-3, "{middle}: {missed}");
            let felt = every.iter().filter(|&&p| whole.at(p)[0].abs() >= 1e-4).count();
            assert!(
                positions.len() * 4 <= felt * 5,
                "{middle}: {} of {felt}",
                positions.len()
            );
        }
    }

    #[test]
    fn joints_share_a_region_only_where_that_is_faster() {
        let field = field("hound@4000");
        let region = |joint: u16, patches: std::ops::Range<usize>| {
            let felt = (0..field.patches.len()).map(|p| patches.contains(&p)).collect();
            Region::of(&field, vec![JointIndex(joint)], felt)
        };
        let half = field.patches.len() / 2;
        let apart = joined(vec![region(0, 0..half), region(1, half..2 * half)], &field);
        assert_eq!(apart.len(), 2);
        let same = joined(vec![region(2, 0..half), region(1, 0..half)], &field);
        let [both] = &same[..] else {
            panic!("one region, not {}", same.len());
        };
        assert_eq!(both.joints, [JointIndex(1), JointIndex(2)]);
    }
}
