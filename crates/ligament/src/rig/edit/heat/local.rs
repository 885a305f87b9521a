//! Weights solved again where a change reaches, with the rest as boundary condition.
//!
//! Seed 003, equation 2, for the *change* of the weights: where A is the new system and w the
//! old weights, which solve the old one, A·δ = Δb − ΔA·w. The right-hand side is zero wherever
//! neither H nor p changed, δ is zero outside the region, and by the maximum principle no δ
//! is larger than the largest right-hand side over M·H; so joints whose right-hand side is
//! faint wait. What waits and what a solve leaves on the region's border is kept and taken
//! up by the next one, so that errors do not add up.

use rayon::prelude::*;

use super::operator::Operator;
use super::region::{reached, spread_out};
use super::{HeatField, Row};
use crate::bind::BindError;
use crate::bind::heat::FAINTEST;
use crate::character::{Influence, JointIndex};
use crate::linear::{BLOCK, Cholesky, EliminationOrder, SymmetricMatrix};
use crate::task::Task;

/// Joints whose weights change by less than this share of the tolerance wait for the next
/// solve.
const WAITING: f64 = 0.2;
/// Positions that a thread looks at together.
const CHUNK: usize = 256;
/// What is left over is remembered from this share of a weight on.
const REMEMBERED: f64 = 2e-5;

/// What one solve did.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// New rows of positions, ascending.
    pub rows: Vec<(u32, Row)>,
    /// The region, in the order of elimination.
    pub region: Vec<u32>,
    /// How many joints were solved for.
    pub joints: usize,
    /// What is left over.
    pub left_over: Vec<Residual>,
}

/// A right-hand side at one position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Residual {
    pub position: u32,
    /// For the joints that have any, ascending.
    pub of_joints: Vec<(JointIndex, f64)>,
    /// Whether its neighbours have the like. What is left on a border is a line of sources
    /// instead: it spreads to both sides, over √(diagonal/heat) edges.
    pub in_area: bool,
}

impl Residual {
    /// What would raise a weight by 1 here.
    fn unit(&self, field: &HeatField, operator: &Operator) -> f64 {
        let at = self.position as usize;
        match self.in_area {
            true => field.heat[at],
            false => line_strength(field, operator, at),
        }
    }

    fn most(&self) -> f64 {
        self.of_joints.iter().map(|r| r.1.abs()).fold(0.0, f64::max)
    }
}

/// Solves for the joints in `residuals`, which all have the operator's smoothness.
pub(super) fn solve(
    field: &HeatField,
    operator: &Operator,
    residuals: Vec<Residual>,
    tolerance: f64,
    task: &Task<'_>,
) -> Result<Solved, BindError> {
    let mut largest = vec![0.0f64; field.joint_count()];
    let mut seeds: Vec<(u32, f64)> = Vec::new();
    let mut in_area: Vec<(u32, f64)> = Vec::new();
    for residual in &residuals {
        let unit = residual.unit(field, operator);
        for &(joint, value) in &residual.of_joints {
            largest[joint.at()] = largest[joint.at()].max(value.abs() / unit);
        }
        match residual.in_area {
            true => in_area.push((residual.position, residual.most())),
            false => seeds.push((residual.position, residual.most() / unit)),
        }
    }
    seeds.extend(spread_out(field, operator, &in_area, tolerance));
    let joints: Vec<JointIndex> = (0..largest.len() as u16)
        .map(JointIndex)
        .filter(|j| largest[j.at()] >= WAITING * tolerance)
        .collect();
    let region = reached(field, operator, &seeds, tolerance);
    if joints.is_empty() || region.is_empty() {
        return Ok(Solved {
            left_over: residuals,
            ..Solved::default()
        });
    }
    task.check()?;
    let mut solved = on_region(field, operator, &joints, &residuals, region, task)?;
    let mut inside = vec![false; field.heat.len()];
    for &p in &solved.region {
        inside[p as usize] = true;
    }
    // What was not solved for waits, unless it is too faint ever to matter.
    let waits = residuals.into_iter().map(|mut r| {
        let (inside, unit) = (inside[r.position as usize], r.unit(field, operator));
        r.of_joints.retain(|(joint, value)| {
            let solved_for = inside && joints.binary_search(joint).is_ok();
            !solved_for && value.abs() >= REMEMBERED * unit
        });
        r
    });
    solved.left_over.extend(waits.filter(|r| !r.of_joints.is_empty()));
    Ok(solved)
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
    let blocks: Vec<Vec<f64>> = sides
        .par_chunks(BLOCK)
        .map(|sides| {
            let mut columns = vec![0.0; size * sides.len()];
            for (side, column) in sides.iter().zip(columns.chunks_exact_mut(size)) {
                for &(row, value) in side {
                    column[row as usize] = value;
                }
            }
            system.solve_in_place(&mut columns).map(|()| columns)
        })
        .collect::<Result<_, _>>()?;
    let change = |column: usize, row: u32| blocks[column / BLOCK][column % BLOCK * size + row as usize];

    // What is left over just outside.
    let mut border: Vec<u32> = region
        .iter()
        .flat_map(|&p| operator.row(p as usize).map(|e| e.0))
        .filter(|&p| local[p as usize] == OUT)
        .collect();
    border.sort_unstable();
    border.dedup();
    let left_over: Vec<Residual> = border
        .into_iter()
        .map(|position| {
            let inner: Vec<(u32, f64)> = operator
                .row(position as usize)
                .filter(|&(to, _)| local[to as usize] != OUT)
                .map(|(to, value)| (local[to as usize], value))
                .collect();
            let left = |column: usize| -inner.iter().map(|&(row, v)| v * change(column, row)).sum::<f64>();
            Residual {
                position,
                of_joints: joints.iter().enumerate().map(|(c, &j)| (j, left(c))).collect(),
                in_area: false,
            }
        })
        .filter(|r| r.most() >= REMEMBERED * r.unit(field, operator))
        .collect();
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
                    if weight.abs() > FAINTEST {
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

/// b − A·w at some positions, for the joints that `own` names. (Where heat changed little, the
/// difference of old and new system is nearer to the truth: faint weights are not kept.)
pub(super) fn residuals(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    positions: &[u32],
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
                found.push(Residual {
                    position,
                    of_joints,
                    in_area: true,
                });
            }
            found
        })
        .collect();
    chunks.into_iter().flatten().collect()
}
