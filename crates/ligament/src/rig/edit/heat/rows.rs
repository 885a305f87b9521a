//! What a solve makes of rows of weights.

use super::Row;
use crate::bind::heat::FAINTEST;
use crate::character::Influence;

/// Changes of weights under this are not made.
const NO_CHANGE: f32 = 1e-5;

/// What a solve did.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// The rows that changed.
    pub rows: Vec<(u32, Row)>,
    /// The positions that were solved for some joint.
    pub positions: Vec<u32>,
    /// How many joints were solved for.
    pub joints: usize,
}

/// A row with changes added, if that makes a difference; both have their joints ascending.
/// `row` is room to work in.
pub(super) fn with_changes(
    old: &[Influence],
    added: impl Iterator<Item = Influence>,
    row: &mut Vec<Influence>,
) -> Option<Row> {
    row.clear();
    let mut before = old.iter().peekable();
    for change in added.filter(|c| c.weight.abs() >= NO_CHANGE) {
        while let Some(other) = before.next_if(|i| i.joint < change.joint) {
            row.push(*other);
        }
        let old = before.next_if(|i| i.joint == change.joint);
        let weight = old.map_or(0.0, |i| i.weight) + change.weight;
        if f64::from(weight.abs()) > FAINTEST {
            row.push(Influence { weight, ..change });
        }
    }
    row.extend(before);
    (row[..] != *old).then(|| row.as_slice().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;

    fn row(weights: &[(u16, f32)]) -> Row {
        let influence = |&(joint, weight): &(u16, f32)| Influence {
            joint: JointIndex(joint),
            weight,
        };
        weights.iter().map(influence).collect()
    }

    #[test]
    fn changes_go_to_their_joints_and_nothing_faint_is_kept() {
        let old = row(&[(2, 0.5), (4, 0.25), (6, 0.25)]);
        let new = |added: &[(u16, f32)]| with_changes(&old, row(added).iter().copied(), &mut Vec::new());
        let expected = row(&[(1, 0.125), (2, 0.375), (6, 0.25), (9, 0.25)]);
        let added = [(1, 0.125), (2, -0.125), (4, -0.25), (6, 5e-6), (9, 0.25)];
        assert_eq!(new(&added), Some(expected));
        assert_eq!(new(&[(1, 9e-6), (4, -9e-6)]), None);
        assert_eq!(new(&[]), None);
    }
}
