//! Weights solved again where a change reaches, with the rest as boundary condition.
//!
//! Seed 003, equation 2, for the *change* of the weights: where A is the new system and w the
//! old weights, which solve the old one, A·δ = Δb − ΔA·w. The right-hand side is zero wherever
//! neither H nor p changed, and δ is zero outside the region. What a solve leaves on the
//! region's border is solved for again where it is felt; the rest, and what is too faint to be
//! solved for at all, is kept and taken up by the next edit, so that errors do not add up.

use rayon::prelude::*;

use super::operator::Operator;
use super::region::{OnPatches, joined};
use super::sides::{Side, Sides};
use super::{HeatField, Row};
use crate::bind::BindError;
use crate::bind::heat::FAINTEST;
use crate::character::{Influence, JointIndex};
use crate::linear::{BLOCK, Cholesky, EliminationOrder};
use crate::task::Task;

/// Positions that a thread looks at together.
const CHUNK: usize = 256;
/// What is left over is remembered from this share of a weight on.
const REMEMBERED: f64 = 2e-5;
/// Changes of weights under this are rounding.
const NO_CHANGE: f32 = 1e-6;
/// How often what was left over is solved for at most.
const ROUNDS: usize = 5;
/// The number of positions that are not in a region.
const OUT: u32 = u32::MAX;

/// What one solve did.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// New rows of positions, ascending.
    pub rows: Vec<(u32, Row)>,
    /// The positions that were solved for some joint, ascending.
    pub positions: Vec<u32>,
    /// How many joints were solved for.
    pub joints: usize,
    /// What is left over.
    pub left_over: Sides,
}

impl Side {
    /// What would raise a weight by 1 here.
    pub fn unit(&self, field: &HeatField, operator: &Operator) -> f64 {
        let at = self.position as usize;
        match self.in_area {
            true => field.heat[at],
            false => line_strength(field, operator, at),
        }
    }
}

/// Solves for the joints in `sides`, which all have the operator's smoothness.
pub(super) fn solve(
    field: &HeatField,
    operator: &Operator,
    mut sides: Sides,
    tolerance: f64,
    task: &Task<'_>,
) -> Result<Solved, BindError> {
    let on_patches = OnPatches::of(field, operator)?;
    let mut changes: Vec<Changes> = Vec::new();
    for _ in 0..ROUNDS {
        task.check()?;
        let regions = on_patches.felt(&sides, tolerance)?;
        if regions.is_empty() {
            break;
        }
        let round: Vec<Changes> = joined(regions, field)
            .par_iter()
            .map(|region| {
                let positions = region.positions(field);
                Changes::on(field, operator, &region.joints, &sides, &positions, task)
            })
            .collect::<Result<_, _>>()?;
        leave_over(field, operator, &mut sides, &round);
        changes.extend(round);
    }
    // What is too faint ever to matter is forgotten.
    sides.retain(|_, side| side.value.abs() >= REMEMBERED * side.unit(field, operator));
    Ok(Solved {
        left_over: sides,
        ..Solved::of(field, &changes)
    })
}

/// Leaves over what was not solved for, and what came up just outside.
fn leave_over(field: &HeatField, operator: &Operator, sides: &mut Sides, changes: &[Changes]) {
    let mut change_of = vec![None; field.joint_count()];
    for change in changes {
        for joint in &change.joints {
            change_of[joint.at()] = Some(change);
        }
    }
    let waits = |joint: JointIndex, side: &Side| {
        change_of[joint.at()].is_none_or(|c: &Changes| c.number_of[side.position as usize] == OUT)
    };
    let borders: Vec<Vec<(JointIndex, Side)>> = changes
        .par_iter()
        .map(|change| change.on_border(field, operator))
        .collect();
    sides.retain(waits);
    sides.add(Sides::of(borders.into_iter().flatten()));
}

impl Solved {
    /// What changes on several regions make of the weights.
    pub fn of(field: &HeatField, changes: &[Changes]) -> Self {
        let touched = |position: &u32| changes.iter().any(|c| c.number_of[*position as usize] != OUT);
        let positions: Vec<u32> = (0..field.heat.len() as u32).filter(touched).collect();
        let mut joints: Vec<JointIndex> = changes.iter().flat_map(|c| c.joints.iter().copied()).collect();
        joints.sort_unstable();
        joints.dedup();
        Self {
            rows: changed_rows(field, changes, &positions),
            positions,
            joints: joints.len(),
            left_over: Sides::default(),
        }
    }
}

/// By how much the weights of some joints change in a region.
#[derive(Debug)]
pub(super) struct Changes {
    joints: Vec<JointIndex>,
    /// The positions, in the order of elimination.
    positions: Vec<u32>,
    /// For each position of the skin its number in the region, or [`OUT`].
    number_of: Vec<u32>,
    /// The changes of all joints, position by position.
    values: Vec<f32>,
}

impl Changes {
    /// Solves for `joints`, which ascend, with nothing changing outside of the positions that
    /// are `wanted`.
    pub fn on(
        field: &HeatField,
        operator: &Operator,
        joints: &[JointIndex],
        sides: &Sides,
        wanted: &[u32],
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let mut number_of = vec![OUT; field.heat.len()];
        for &position in wanted {
            number_of[position as usize] = 0;
        }
        // In the order of elimination that the whole has.
        let is_in = |rank: &u32| number_of[field.in_order[*rank as usize] as usize] != OUT;
        let ranks: Vec<u32> = (0..field.in_order.len() as u32).filter(is_in).collect();
        let positions: Vec<u32> = ranks.iter().map(|&r| field.in_order[r as usize]).collect();
        for (number, &position) in positions.iter().enumerate() {
            number_of[position as usize] = number as u32;
        }
        let heat: Vec<f64> = positions.iter().map(|&p| field.heat[p as usize]).collect();
        let matrix = operator.in_order.submatrix(&ranks).plus_diagonal(&heat);
        let order = EliminationOrder::as_given(&matrix.starts, &matrix.columns)?;
        task.check()?;
        let system = Cholesky::with_order(order.into(), &matrix)?;
        task.check()?;
        let size = positions.len();
        let blocks: Vec<Vec<f64>> = joints
            .par_chunks(BLOCK)
            .map(|joints| {
                let mut columns = vec![0.0; size * joints.len()];
                for (&joint, column) in joints.iter().zip(columns.chunks_exact_mut(size)) {
                    for side in sides.of_joint(joint) {
                        if let Some(row) = column.get_mut(number_of[side.position as usize] as usize) {
                            *row = side.value;
                        }
                    }
                }
                system.solve_in_place(&mut columns).map(|()| columns)
            })
            .collect::<Result<_, _>>()?;
        let mut values = vec![0.0f32; size * joints.len()];
        let rows_of = |(chunk, rows): (usize, &mut [f32])| {
            for (i, row) in rows.chunks_exact_mut(joints.len()).enumerate() {
                let number = chunk * CHUNK + i;
                for (column, value) in row.iter_mut().enumerate() {
                    *value = blocks[column / BLOCK][column % BLOCK * size + number] as f32;
                }
            }
        };
        values
            .par_chunks_mut(CHUNK * joints.len())
            .enumerate()
            .for_each(rows_of);
        Ok(Self {
            joints: joints.to_vec(),
            positions,
            number_of,
            values,
        })
    }

    /// The changes of the joints at a position; none outside of the region.
    pub fn at(&self, position: u32) -> &[f32] {
        let number = self.number_of[position as usize];
        if number == OUT {
            return &[];
        }
        let start = number as usize * self.joints.len();
        &self.values[start..start + self.joints.len()]
    }

    /// What comes up just outside.
    fn on_border(&self, field: &HeatField, operator: &Operator) -> Vec<(JointIndex, Side)> {
        let outside = |p: &u32| self.number_of[*p as usize] == OUT;
        let around = |&p: &u32| operator.row(p as usize).map(|e| e.0);
        let mut border: Vec<u32> = self.positions.iter().flat_map(around).filter(outside).collect();
        border.sort_unstable();
        border.dedup();
        let mut sides = Vec::new();
        let mut values = vec![0.0f64; self.joints.len()];
        for position in border {
            values.fill(0.0);
            for (to, entry) in operator.row(position as usize) {
                for (value, change) in values.iter_mut().zip(self.at(to)) {
                    *value -= entry * f64::from(*change);
                }
            }
            let least = REMEMBERED * line_strength(field, operator, position as usize);
            let pairs = self.joints.iter().zip(&values).filter(|p| p.1.abs() >= least);
            sides.extend(pairs.map(|(&joint, &value)| {
                let side = Side {
                    position,
                    value,
                    in_area: false,
                };
                (joint, side)
            }));
        }
        sides
    }
}

/// The rows of `positions`, which ascend, with the changes added, where that makes a
/// difference.
fn changed_rows(field: &HeatField, changes: &[Changes], positions: &[u32]) -> Vec<(u32, Row)> {
    let changed = |positions: &[u32]| {
        let mut made: Vec<(u32, Row)> = Vec::with_capacity(positions.len());
        let mut row: Vec<Influence> = Vec::new();
        let mut added: Vec<Influence> = Vec::new();
        for &position in positions {
            added.clear();
            for change in changes {
                let pairs = change.joints.iter().zip(change.at(position));
                let felt = pairs.filter(|(_, change)| change.abs() >= NO_CHANGE);
                added.extend(felt.map(|(&joint, &weight)| Influence { joint, weight }));
            }
            if added.is_empty() {
                continue;
            }
            added.sort_by_key(|i| i.joint); // stable: sums do not depend on anything else
            added.dedup_by(|later, kept| {
                let same = later.joint == kept.joint;
                if same {
                    kept.weight += later.weight;
                }
                same
            });
            row.clear();
            // Both lists have their joints ascending.
            let mut before = field.rows[position as usize].iter().peekable();
            for change in &added {
                while let Some(other) = before.next_if(|i| i.joint < change.joint) {
                    row.push(*other);
                }
                let weight = before
                    .next_if(|i| i.joint == change.joint)
                    .map_or(0.0, |i| i.weight);
                let weight = weight + change.weight;
                if f64::from(weight.abs()) > FAINTEST {
                    row.push(Influence { weight, ..*change });
                }
            }
            row.extend(before);
            if row[..] != field.rows[position as usize][..] {
                made.push((position, row.as_slice().into()));
            }
        }
        made
    };
    let chunks: Vec<Vec<(u32, Row)>> = positions.par_chunks(CHUNK).map(changed).collect();
    chunks.into_iter().flatten().collect()
}

/// How strong a line of sources along a border is to raise weights by 1.
fn line_strength(field: &HeatField, operator: &Operator, position: usize) -> f64 {
    2.0 * (field.heat[position] * operator.diagonal[position] / 3.0).sqrt()
}

/// b − A·w at some positions, for the joints that `own` names. (Where heat changed little, the
/// difference of old and new system is nearer to the truth: faint weights are not kept.)
pub(super) fn residuals(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    positions: &[u32],
) -> Vec<(JointIndex, Side)> {
    let found = |positions: &[u32]| {
        let mut dense = vec![0.0f64; own.len()];
        let mut used: Vec<JointIndex> = Vec::new();
        let mut found = Vec::new();
        for &position in positions {
            let at = position as usize;
            let mut add = |joint: JointIndex, value: f64| {
                if own[joint.at()] {
                    if dense[joint.at()] == 0.0 && !used.contains(&joint) {
                        used.push(joint);
                    }
                    dense[joint.at()] += value;
                }
            };
            let heat = field.heat[at];
            field.for_shares(at, |joint, share| add(joint, heat * share));
            for i in field.rows[at].iter() {
                add(i.joint, -(operator.diagonal[at] + heat) * f64::from(i.weight));
            }
            for (to, value) in operator.row(at) {
                for i in field.rows[to as usize].iter() {
                    add(i.joint, -value * f64::from(i.weight));
                }
            }
            found.extend(used.drain(..).map(|joint| {
                let side = Side {
                    position,
                    value: std::mem::take(&mut dense[joint.at()]),
                    in_area: true,
                };
                (joint, side)
            }));
        }
        found
    };
    let chunks: Vec<Vec<(JointIndex, Side)>> = positions.par_chunks(CHUNK).map(found).collect();
    chunks.into_iter().flatten().collect()
}
