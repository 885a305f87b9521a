//! Weights solved again wherever a change is significant.
//!
//! Bang et al. 2015, equation 2, for the *change* of the weights: where A is the new system
//! and w the old weights, which solve the old one, A·δ = Δb − ΔA·w. The right-hand side is
//! zero wherever neither H nor p changed. A change counts ever less the further away: over
//! a length l of skin with heat H it fades like e^(−l·√H), whatever the mesh. (Rings of
//! neighbours, as Bang et al. 2015 counts them, are short on dense meshes and long on
//! coarse ones.)

use smallvec::SmallVec;

use super::HeatField;
use super::operator::Operator;
use super::residuals::Side;
use super::rows::{Solved, push_changed};
use crate::character::{Influence, JointIndex};
use crate::edit::grouped_rows::RowGroup;
use crate::linear::{BySupernode, Entry, UpdatableFactor};

/// Changes are followed once they sum to more than this fraction of the tolerance.
const FAINT: f64 = 0.5;

/// What is read of a supernode.
struct Read<'a> {
    positions: &'a [u32],
    /// The joints that it was solved for.
    joints: SmallVec<[u16; 24]>,
    /// The group of rows that the supernode is, if it is one.
    group: Option<u32>,
    /// The rows, if any is another.
    rows: Option<RowGroup>,
}

/// Solves for right-hand sides.
pub(super) fn solve<'a>(
    field: &HeatField,
    operator: &Operator,
    sides: impl Iterator<Item = &'a Side> + Clone,
    tolerance: f64,
) -> Solved {
    let factor = &operator.factor;
    let entries = by_rank(factor, sides);
    let read = |part: &BySupernode<'_>, room: &mut RowGroup| {
        let positions = &factor.in_order()[part.ranks.clone()];
        // The supernodes of another smoothness are no groups.
        let group = field.rows.grouping().group_of_all(positions);
        let old = |slot: usize| match group {
            Some(group) => field.rows.group(group).row(slot),
            None => field.rows.row(positions[slot] as usize),
        };
        room.clear();
        let mut differs = false;
        for slot in 0..positions.len() {
            let columns = part.columns.iter().enumerate();
            let changes = columns.map(|(column, &joint)| Influence {
                joint: JointIndex(joint),
                weight: part.column(column)[slot] as f32,
            });
            differs |= room.push_with(|list| push_changed(old(slot), changes, list));
        }
        Read {
            positions,
            joints: part.columns.into(),
            group,
            rows: differs.then(|| room.clone()),
        }
    };
    let significant = factor.solve_where_significant(&entries, FAINT * tolerance, &operator.deferred, read);
    let mut solved = Solved {
        deferred: significant.deferred,
        ..Solved::default()
    };
    let mut has_changes = vec![false; field.handles.len()];
    let mut loose = Vec::new();
    for read in significant.read {
        solved.positions.extend(read.positions);
        for joint in read.joints {
            has_changes[usize::from(joint)] = true;
        }
        let Some(rows) = read.rows else { continue };
        match read.group {
            Some(group) => solved.groups.push((group, rows)),
            None => loose.extend(read.positions.iter().copied().zip(rows.rows().map(<[_]>::to_vec))),
        }
    }
    solved.groups.extend(field.rows.with_rows(loose));
    solved.joints = has_changes.iter().filter(|c| **c).count();
    solved
}

/// Right-hand sides in the order of elimination.
fn by_rank<'a>(factor: &UpdatableFactor, sides: impl Iterator<Item = &'a Side> + Clone) -> Vec<Entry> {
    let mut count = 0;
    let mut ends = vec![0u32; factor.size() + 1];
    for side in sides.clone() {
        ends[factor.rank(side.position) as usize + 1] += 1;
        count += 1;
    }
    for rank in 0..factor.size() {
        ends[rank + 1] += ends[rank];
    }
    let nothing = Entry {
        rank: 0,
        column: 0,
        value: 0.0,
    };
    let mut entries = vec![nothing; count];
    for side in sides {
        let rank = factor.rank(side.position);
        let slot = &mut ends[rank as usize];
        entries[*slot as usize] = Entry {
            rank,
            column: side.joint.0,
            value: side.value,
        };
        *slot += 1;
    }
    entries
}
