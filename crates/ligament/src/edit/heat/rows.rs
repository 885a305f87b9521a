//! What a solve makes of rows of weights.

use crate::bind::heat::NEGLIGIBLE;
use crate::character::Influence;
use crate::edit::grouped_rows::RowGroup;
use crate::linear::Block;

/// Changes of weights under this are not made.
const NO_CHANGE: f32 = 1e-5;

/// What a solve did.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// Groups with rows that changed.
    pub groups: Vec<(u32, RowGroup)>,
    /// The supernodes at which something else is left out than before.
    pub deferred: Vec<(u32, Block)>,
    /// The positions that were solved for some joint.
    pub positions: Vec<u32>,
    /// How many joints were solved for.
    pub joints: usize,
}

/// Adds a row with changes to the end of a list, and says whether they make a difference; all
/// have their joints ascending.
pub(super) fn push_changed(
    old: &[Influence],
    added: impl Iterator<Item = Influence>,
    row: &mut Vec<Influence>,
) -> bool {
    let start = row.len();
    let mut before = old.iter().peekable();
    for change in added.filter(|c| c.weight.abs() >= NO_CHANGE) {
        while let Some(other) = before.next_if(|i| i.joint < change.joint) {
            row.push(*other);
        }
        let old = before.next_if(|i| i.joint == change.joint);
        let weight = old.map_or(0.0, |i| i.weight) + change.weight;
        if f64::from(weight.abs()) > NEGLIGIBLE {
            row.push(Influence { weight, ..change });
        }
    }
    row.extend(before);
    row[start..] != *old
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;

    fn row(weights: &[(u16, f32)]) -> Vec<Influence> {
        let influence = |&(joint, weight): &(u16, f32)| Influence {
            joint: JointIndex(joint),
            weight,
        };
        weights.iter().map(influence).collect()
    }

    #[test]
    fn changes_go_to_their_joints_and_nothing_faint_is_kept() {
        let old = row(&[(2, 0.5), (4, 0.25), (6, 0.25)]);
        let new = |added: &[(u16, f32)]| {
            let mut list = row(&[(7, 1.0)]);
            let differs = push_changed(&old, row(added).into_iter(), &mut list);
            assert_eq!(list.remove(0), row(&[(7, 1.0)])[0]);
            assert_eq!(differs, list != old);
            list
        };
        let expected = row(&[(1, 0.125), (2, 0.375), (6, 0.25), (9, 0.25)]);
        let added = [(1, 0.125), (2, -0.125), (4, -0.25), (6, 5e-6), (9, 0.25)];
        assert_eq!(new(&added), expected);
        assert_eq!(new(&[(1, 9e-6), (4, -9e-6)]), old);
        assert_eq!(new(&[]), old);
    }
}
