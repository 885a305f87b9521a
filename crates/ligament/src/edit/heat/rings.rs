//! The region as published, for comparison (Bang et al. 2015, section 3.2.1).
//!
//! Parts of the body (Π) are added around those of the edited joints until the weights of
//! the edited joints vanish on the border; then everything more than four rings from where
//! they do not vanish is left out. Exact heat weights are never zero, so that "vanish" means
//! under 1e-4; and where H or p changed is in the region in any case. Bones of the region's
//! joints are solved for, and the weights of the region made to sum to one.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::HeatField;
use super::operator::Operator;
use super::residuals::residuals;
use super::rows::{Solved, push_changed};
use crate::bind::BindError;
use crate::character::{Influence, JointIndex};
use crate::edit::rig_state::JointKey;
use crate::linear::{BLOCK, Cholesky};
use crate::task::Task;

/// Weights under this count as none.
const VANISHING: f32 = 1e-4;
/// Rings around what does not vanish.
const RINGS: usize = 4;

/// Solves for the joints that `own` names. `changed` are the positions where H or p changed,
/// `edited` the keys whose bones did.
pub(super) fn solve(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    changed: &[u32],
    edited: &[JointKey],
    task: &Task<'_>,
) -> Result<Solved, BindError> {
    let held: Vec<bool> = field
        .rows
        .iter()
        .map(|row| {
            row.iter()
                .any(|i| i.weight >= VANISHING && edited.contains(&JointKey::of_solver(i.joint)))
        })
        .collect();
    let parts = grown_parts(field, edited, changed, &held);
    let mut near: Vec<bool> = held;
    for &p in changed {
        near[p as usize] = true;
    }
    for _ in 0..RINGS {
        let inner: Vec<usize> = (0..near.len()).filter(|&p| near[p]).collect();
        for p in inner {
            for (to, _) in field.surface.laplacian.row(p) {
                near[to as usize] = true;
            }
        }
    }
    let mut region: Vec<u32> = (0..near.len() as u32)
        .filter(|&p| near[p as usize] && parts.contains(&field.parts[p as usize]))
        .collect();
    region.extend(
        changed
            .iter()
            .filter(|&&p| !parts.contains(&field.parts[p as usize])),
    );
    let mut keys: BTreeSet<JointKey> = parts;
    keys.extend(edited);
    let joints: Vec<JointIndex> = keys
        .into_iter()
        .filter(|k| own[k.at()])
        .map(JointKey::in_solver)
        .collect();
    if joints.is_empty() || region.is_empty() {
        return Ok(Solved::default());
    }
    region.sort_unstable();
    task.check()?;
    let sides = residuals(field, operator, own, &region);
    let heat: Vec<f64> = region.iter().map(|&p| field.heat[p as usize]).collect();
    let system = Cholesky::of(&operator.matrix.submatrix(&region).plus_diagonal(&heat))?;
    task.check()?;
    let mut columns = vec![0.0; region.len() * joints.len()];
    for side in &sides {
        if let (Ok(column), Ok(row)) = (
            joints.binary_search(&side.joint),
            region.binary_search(&side.position),
        ) {
            columns[column * region.len() + row] = side.value;
        }
    }
    columns
        .par_chunks_mut(BLOCK * region.len())
        .try_for_each(|block| system.solve_in_place(block))?;
    let mut solved = Solved {
        joints: joints.len(),
        ..Solved::default()
    };
    let mut rows = Vec::new();
    for (index, &position) in region.iter().enumerate() {
        let changes = joints.iter().zip(columns.chunks_exact(region.len()));
        let added = changes.map(|(&joint, column)| Influence {
            joint,
            weight: column[index] as f32,
        });
        let mut row = Vec::new();
        if push_changed(field.rows.row(position as usize), added, &mut row) {
            let sum: f32 = row.iter().map(|i| i.weight).sum();
            for influence in row.iter_mut().filter(|_| sum > 0.0) {
                influence.weight /= sum;
            }
            rows.push((position, row));
        }
    }
    solved.groups = field.rows.with_rows(rows);
    solved.positions = region;
    Ok(solved)
}

/// The parts of the edited joints, and those around them until no edited joint has weight on
/// the border.
fn grown_parts(field: &HeatField, edited: &[JointKey], changed: &[u32], held: &[bool]) -> BTreeSet<JointKey> {
    let mut parts: BTreeSet<JointKey> = edited.iter().copied().collect();
    parts.extend(changed.iter().map(|&p| field.parts[p as usize]));
    loop {
        let before = parts.len();
        let mut added = BTreeSet::new();
        for (position, part) in field.parts.iter().enumerate() {
            if parts.contains(part) || added.contains(part) {
                continue;
            }
            let mut around = field.surface.laplacian.row(position);
            let touches =
                around.any(|(to, _)| held[to as usize] && parts.contains(&field.parts[to as usize]));
            if touches || held[position] && parts.is_empty() {
                added.insert(*part);
            }
        }
        parts.extend(added);
        if parts.len() == before {
            return parts;
        }
    }
}
