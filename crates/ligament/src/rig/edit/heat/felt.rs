//! Weights solved again wherever a change is felt.
//!
//! Seed 003, equation 2, for the *change* of the weights: where A is the new system and w the
//! old weights, which solve the old one, A·δ = Δb − ΔA·w. The right-hand side is zero wherever
//! neither H nor p changed. A change is felt ever less the further away: over a length l of
//! skin with heat H it fades like e^(−l·√H), whatever the mesh. (Rings of neighbours, as seed
//! 003 counts them, are short on dense meshes and long on coarse ones.)

use super::operator::Operator;
use super::residuals::Side;
use super::rows::{Solved, with_changes};
use super::{HeatField, Row};
use crate::character::{Influence, JointIndex};
use crate::linear::{Entry, LivingFactor, Piecewise};

/// Changes under this share of the tolerance are not followed.
const FAINT: f64 = 0.03;

/// Solves for right-hand sides.
pub(super) fn solve(field: &HeatField, operator: &Operator, sides: &[Side], tolerance: f64) -> Solved {
    let factor = &operator.factor;
    let entries = by_rank(factor, sides);
    let read = |part: &Piecewise<'_>| {
        let mut room = Vec::new();
        let changed = |(place, rank): (usize, usize)| {
            let position = factor.unknown(rank as u32);
            let changes = part.columns.iter().enumerate().map(|(column, &joint)| Influence {
                joint: JointIndex(joint),
                weight: part.column(column)[place] as f32,
            });
            with_changes(&field.rows[position as usize], changes, &mut room).map(|row| (position, row))
        };
        let rows: Vec<(u32, Row)> = part.ranks.clone().enumerate().filter_map(changed).collect();
        (part.ranks.clone(), part.columns.to_vec(), rows)
    };
    let parts = factor.solve_where_noticed(&entries, FAINT * tolerance, read);
    let mut solved = Solved::default();
    let mut has_changes = vec![false; field.handles.len()];
    for (ranks, joints, rows) in parts {
        solved
            .positions
            .extend(ranks.map(|rank| factor.unknown(rank as u32)));
        for joint in joints {
            has_changes[usize::from(joint)] = true;
        }
        solved.rows.extend(rows);
    }
    solved.joints = has_changes.iter().filter(|c| **c).count();
    solved
}

/// Right-hand sides in the order of elimination.
fn by_rank(factor: &LivingFactor, sides: &[Side]) -> Vec<Entry> {
    let mut ends = vec![0u32; factor.size() + 1];
    for side in sides {
        ends[factor.rank(side.position) as usize + 1] += 1;
    }
    for rank in 0..factor.size() {
        ends[rank + 1] += ends[rank];
    }
    let nothing = Entry {
        rank: 0,
        column: 0,
        value: 0.0,
    };
    let mut entries = vec![nothing; sides.len()];
    for side in sides {
        let rank = factor.rank(side.position);
        let place = &mut ends[rank as usize];
        entries[*place as usize] = Entry {
            rank,
            column: side.joint.0,
            value: side.value,
        };
        *place += 1;
    }
    entries
}
