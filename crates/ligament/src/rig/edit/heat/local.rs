//! Weights solved again where a change reaches, with the rest as boundary condition.
//!
//! Seed 003, equation 2, for the *change* of the weights: where A is the new system and w the
//! old weights, A·δ = b − A·w. The right-hand side is zero wherever neither H nor p changed,
//! δ is zero outside the region, and by the maximum principle no δ is larger than the
//! largest |b − A·w| / (M·H); so joints whose right-hand side is faint need no solve, and
//! what a solve leaves at the region's border says how good it was.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::operator::Operator;
use super::region::reached;
use super::{HeatField, Row};
use crate::bind::BindError;
use crate::bind::heat::FAINTEST;
use crate::character::{Influence, JointIndex};
use crate::linear::{Cholesky, EliminationOrder, SymmetricMatrix};
use crate::task::Task;

/// Joints whose weights change by less than this are left as they are.
const FAINTEST_CHANGE: f64 = 2e-5;
/// Positions that a thread looks at together.
const CHUNK: usize = 256;
/// What is left at the border is remembered from this share of a weight on.
const REMEMBERED: f64 = 1e-5;

/// What one solve did.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// New rows of positions, ascending.
    pub rows: Vec<(u32, Row)>,
    /// The region, in the order of elimination.
    pub region: Vec<u32>,
    /// How many joints were solved for.
    pub joints: usize,
    /// Positions at the border where something is left over.
    pub left_over: Vec<u32>,
}

/// b − A·w at one position, for the joints that have any.
pub(super) struct Residual {
    position: u32,
    of_joints: Vec<(JointIndex, f64)>,
    /// The most that a weight may change for it.
    share: f64,
}

/// Solves for the joints that `own` names, which all have the operator's smoothness.
/// `changed` are the positions where H or p changed, `old` those where earlier solves left
/// something over.
pub(super) fn solve(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    changed: &[u32],
    old: &[u32],
    tolerance: f64,
    task: &Task<'_>,
) -> Result<Solved, BindError> {
    let mut residuals = residuals(field, operator, own, changed, |heat, _| heat);
    // What is left on a border is a line of sources and not an area: it spreads to both
    // sides over the length √(diagonal/heat) of edges.
    residuals.extend(residuals_of_border(field, operator, own, old));
    let mut largest = vec![0.0f64; own.len()];
    for residual in &residuals {
        for &(joint, value) in &residual.of_joints {
            let heat = field.heat[residual.position as usize];
            let share = value.abs() / heat;
            largest[joint.at()] = largest[joint.at()].max(share.min(residual.share));
        }
    }
    let joints: Vec<JointIndex> = (0..own.len() as u16)
        .map(JointIndex)
        .filter(|j| largest[j.at()] >= FAINTEST_CHANGE)
        .collect();
    if joints.is_empty() {
        return Ok(Solved::default());
    }
    task.check()?;
    let seeds: Vec<(u32, f64)> = residuals.iter().map(|r| (r.position, r.share)).collect();
    let region = reached(field, operator, &seeds, tolerance);
    on_region(field, operator, &joints, &residuals, region, task)
}

pub(super) fn on_region(
    field: &HeatField,
    operator: &Operator,
    joints: &[JointIndex],
    residuals: &[Residual],
    mut region: Vec<u32>,
    task: &Task<'_>,
) -> Result<Solved, BindError> {
    const OUT: u32 = u32::MAX;
    region.sort_unstable_by_key(|&p| field.ranks[p as usize]);
    let mut local = vec![OUT; field.heat.len()];
    for (number, &position) in region.iter().enumerate() {
        local[position as usize] = number as u32;
    }
    let matrix = submatrix(field, operator, &region, &local);
    let order = EliminationOrder::as_given(&matrix.starts, &matrix.columns)?;
    task.check()?;
    let system = Cholesky::with_order(order.into(), &matrix)?;
    task.check()?;
    let mut column_of = vec![usize::MAX; field.joint_count()];
    for (column, joint) in joints.iter().enumerate() {
        column_of[joint.at()] = column;
    }
    let mut sides: Vec<Vec<(u32, f64)>> = vec![Vec::new(); joints.len()];
    for residual in residuals.iter().filter(|r| local[r.position as usize] != OUT) {
        for &(joint, value) in &residual.of_joints {
            if let Some(side) = sides.get_mut(column_of[joint.at()]) {
                side.push((local[residual.position as usize], value));
            }
        }
    }
    let size = region.len();
    let fill = |number: usize, column: &mut [f64]| {
        for &(row, value) in &sides[number] {
            column[row as usize] = value;
        }
    };
    let blocks = system.solve_many(joints.len(), fill, |_, columns| {
        Ok::<_, BindError>(columns.to_vec())
    })?;
    let changes: Vec<f64> = blocks.into_iter().flatten().collect();
    let change = |column: usize, row: u32| changes[column * size + row as usize];

    // What is left over just outside.
    let border: FxHashSet<u32> = region
        .iter()
        .flat_map(|&p| operator.row(p as usize).map(|e| e.0))
        .filter(|&p| local[p as usize] == OUT)
        .collect();
    let mut left_over = Vec::new();
    #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
    for position in border {
        let at = position as usize;
        let inner: Vec<(u32, f64)> = operator
            .row(at)
            .filter(|&(to, _)| local[to as usize] != OUT)
            .map(|(to, value)| (local[to as usize], value))
            .collect();
        let most = (0..joints.len())
            .map(|c| {
                inner
                    .iter()
                    .map(|&(row, v)| v * change(c, row))
                    .sum::<f64>()
                    .abs()
            })
            .fold(0.0, f64::max);
        let share = most / line_strength(field, operator, at);
        if share >= REMEMBERED {
            left_over.push(position);
        }
    }
    left_over.sort_unstable();
    let rows = changed_rows(field, joints, &region, change);
    Ok(Solved {
        rows,
        region,
        joints: joints.len(),
        left_over,
    })
}

/// The rows and columns of the system that belong to the region.
fn submatrix(field: &HeatField, operator: &Operator, region: &[u32], local: &[u32]) -> SymmetricMatrix {
    let mut matrix = SymmetricMatrix {
        starts: Vec::with_capacity(region.len() + 1),
        columns: Vec::with_capacity(4 * region.len()),
        values: Vec::with_capacity(4 * region.len()),
    };
    matrix.starts.push(0);
    let mut entries: Vec<(u32, f64)> = Vec::new();
    for (row, &position) in region.iter().enumerate() {
        entries.clear();
        entries.extend(
            operator
                .row(position as usize)
                .map(|(to, value)| (local[to as usize], value))
                .filter(|e| e.0 != u32::MAX && e.0 as usize > row),
        );
        entries.sort_unstable_by_key(|e| e.0);
        matrix.columns.push(row as u32);
        matrix
            .values
            .push(operator.diagonal[position as usize] + field.heat[position as usize]);
        for &(column, value) in &entries {
            matrix.columns.push(column);
            matrix.values.push(value);
        }
        matrix.starts.push(matrix.columns.len() as u32);
    }
    matrix
}

/// The rows of the region with the changes added, where that makes a difference.
fn changed_rows(
    field: &HeatField,
    joints: &[JointIndex],
    region: &[u32],
    change: impl Fn(usize, u32) -> f64 + Sync,
) -> Vec<(u32, Row)> {
    let chunks: Vec<Vec<(u32, Row)>> = region
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, positions)| {
            let mut made = Vec::with_capacity(positions.len());
            let mut row: Vec<Influence> = Vec::new();
            for (i, &position) in positions.iter().enumerate() {
                let number = (chunk * CHUNK + i) as u32;
                let old = &field.rows[position as usize];
                row.clear();
                // Both lists have their joints ascending.
                let mut before = old.iter().peekable();
                for (column, &joint) in joints.iter().enumerate() {
                    while let Some(other) = before.next_if(|i| i.joint < joint) {
                        row.push(*other);
                    }
                    let weight = before.next_if(|i| i.joint == joint).map_or(0.0, |i| i.weight);
                    let weight = f64::from(weight) + change(column, number);
                    if weight > FAINTEST {
                        let weight = weight as f32;
                        row.push(Influence { joint, weight });
                    }
                }
                row.extend(before);
                if row[..] != old[..] {
                    made.push((position, row.as_slice().into()));
                }
            }
            made
        })
        .collect();
    let mut rows: Vec<(u32, Row)> = chunks.into_iter().flatten().collect();
    rows.sort_unstable_by_key(|r| r.0);
    rows
}

/// How strong a line of sources along a border is to raise weights by 1.
fn line_strength(field: &HeatField, operator: &Operator, position: usize) -> f64 {
    2.0 * (field.heat[position] * operator.diagonal[position] / 3.0).sqrt()
}

fn residuals_of_border(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    positions: &[u32],
) -> Vec<Residual> {
    residuals(field, operator, own, positions, |_, position| {
        line_strength(field, operator, position)
    })
}

/// b − A·w at some positions, with `strength` for what raises a weight by 1 there.
pub(super) fn residuals(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    positions: &[u32],
    strength: impl Fn(f64, usize) -> f64 + Sync,
) -> Vec<Residual> {
    let chunks: Vec<Vec<Residual>> = positions
        .par_chunks(CHUNK)
        .map(|positions| {
            let mut dense = vec![0.0f64; own.len()];
            let mut used: Vec<JointIndex> = Vec::new();
            let mut found = Vec::with_capacity(positions.len());
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
                let mut of_joints: Vec<(JointIndex, f64)> = used
                    .drain(..)
                    .map(|j| (j, std::mem::take(&mut dense[j.at()])))
                    .collect();
                of_joints.sort_unstable_by_key(|r| r.0);
                let most = of_joints.iter().map(|r| r.1.abs()).fold(0.0, f64::max);
                found.push(Residual {
                    position,
                    of_joints,
                    share: most / strength(heat, at),
                });
            }
            found
        })
        .collect();
    chunks.into_iter().flatten().collect()
}
