//! Rows of weights in groups that are replaced whole.
//!
//! An edit changes the rows of thousands of positions that lie together, and undo keeps what
//! was there. Rows that each had memory of their own took more time to be made, swapped and
//! kept than to be found.

use std::ops::Range;
use std::sync::Arc;

use crate::character::Influence;

/// How many rows lie together where nothing says which.
const TOGETHER: usize = 32;

/// Which positions' rows lie together.
#[derive(Debug, PartialEq)]
pub(super) struct Grouping {
    /// The positions, group by group.
    positions: Vec<u32>,
    /// Where each group begins in `positions`; one more at the end.
    starts: Vec<u32>,
    /// For each position its group and its index there.
    slots: Vec<(u32, u32)>,
}

impl Grouping {
    /// Groups that are ranges of a list of all positions.
    pub fn of(positions: Vec<u32>, groups: impl Iterator<Item = Range<usize>>) -> Self {
        let mut grouping = Self {
            starts: vec![0],
            slots: vec![(0, 0); positions.len()],
            positions,
        };
        for (index, range) in (0..).zip(groups) {
            for (slot, &position) in (0..).zip(&grouping.positions[range.clone()]) {
                grouping.slots[position as usize] = (index, slot);
            }
            grouping.starts.push(range.end as u32);
        }
        grouping
    }

    /// Groups of so many positions as they are numbered.
    pub fn in_order(count: usize) -> Self {
        let groups = (0..count).step_by(TOGETHER);
        Self::of(
            (0..count as u32).collect(),
            groups.map(|first| first..(first + TOGETHER).min(count)),
        )
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The positions of a group.
    pub fn members(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.positions[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The group that has these positions in this order and no others.
    pub fn group_of_all(&self, positions: &[u32]) -> Option<u32> {
        let group = self.slots[*positions.first()? as usize].0;
        (self.members(group) == positions).then_some(group)
    }
}

/// The rows of a group.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RowGroup {
    influences: Vec<Influence>,
    /// Where each row ends.
    ends: Vec<u32>,
}

impl RowGroup {
    /// Takes all rows out.
    pub fn clear(&mut self) {
        self.influences.clear();
        self.ends.clear();
    }

    /// A row by its index.
    pub fn row(&self, slot: usize) -> &[Influence] {
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.influences[start as usize..self.ends[slot] as usize]
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[Influence]> {
        (0..self.ends.len()).map(|slot| self.row(slot))
    }

    /// All influences of all rows.
    pub fn influences(&self) -> &[Influence] {
        &self.influences
    }

    /// Adds a row that `write` adds to the end of a list.
    pub fn push_with<T>(&mut self, write: impl FnOnce(&mut Vec<Influence>) -> T) -> T {
        let written = write(&mut self.influences);
        self.ends.push(self.influences.len() as u32);
        written
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[Influence]) {
        self.push_with(|influences| influences.extend_from_slice(row));
    }

    /// Without memory that nothing is in.
    pub fn tight(mut self) -> Self {
        self.influences.shrink_to_fit();
        self
    }
}

/// A row for each position.
#[derive(Debug, Clone)]
pub(super) struct GroupedRows {
    grouping: Arc<Grouping>,
    groups: Vec<RowGroup>,
}

impl GroupedRows {
    /// The rows that `write` adds to the end of a list for each position.
    pub fn new(grouping: Arc<Grouping>, mut write: impl FnMut(usize, &mut Vec<Influence>)) -> Self {
        let group = |index: u32| {
            let mut group = RowGroup::default();
            for &position in grouping.members(index) {
                group.push_with(|influences| write(position as usize, influences));
            }
            group.tight()
        };
        Self {
            groups: (0..grouping.len() as u32).map(group).collect(),
            grouping,
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.grouping.positions.len()
    }

    /// Which rows lie together.
    pub fn grouping(&self) -> &Arc<Grouping> {
        &self.grouping
    }

    /// The row of a position.
    pub fn row(&self, position: usize) -> &[Influence] {
        let (group, slot) = self.grouping.slots[position];
        self.groups[group as usize].row(slot as usize)
    }

    /// All rows, positions ascending.
    pub fn iter(&self) -> impl Iterator<Item = &[Influence]> {
        (0..self.len()).map(|position| self.row(position))
    }

    /// A group.
    pub fn group(&self, group: u32) -> &RowGroup {
        &self.groups[group as usize]
    }

    /// All groups.
    pub fn groups(&self) -> impl Iterator<Item = (u32, &RowGroup)> {
        (0..).zip(&self.groups)
    }

    /// The groups of some positions with other rows there.
    pub fn with_rows(&self, mut rows: Vec<(u32, Vec<Influence>)>) -> Vec<(u32, RowGroup)> {
        let slot = |row: &(u32, _)| self.grouping.slots[row.0 as usize];
        rows.sort_unstable_by_key(slot);
        let groups = rows.chunk_by(|a, b| slot(a).0 == slot(b).0);
        groups
            .map(|rows| {
                let index = slot(&rows[0]).0;
                let mut others = rows.iter().peekable();
                let mut group = RowGroup::default();
                for (at, old) in (0..).zip(self.group(index).rows()) {
                    let other = others.next_if(|row| slot(row).1 == at);
                    group.push(other.map_or(old, |row| &row.1));
                }
                (index, group.tight())
            })
            .collect()
    }

    /// Puts groups in place and what was there into the list.
    pub fn swap(&mut self, groups: &mut [(u32, RowGroup)]) {
        for (index, group) in groups {
            std::mem::swap(&mut self.groups[*index as usize], group);
        }
    }

    /// The positions of a group whose rows are others in `other`.
    pub fn differing<'a>(&'a self, index: u32, other: &'a RowGroup) -> impl Iterator<Item = u32> + 'a {
        let pairs = self.group(index).rows().zip(other.rows());
        let members = self.grouping.members(index).iter().zip(pairs);
        members
            .filter(|(_, (a, b))| a != b)
            .map(|(position, _)| *position)
    }
}

/// What was replaced by two changes, by number: what was there first.
pub(super) fn older_of<T>(mut earlier: Vec<(u32, T)>, mut later: Vec<(u32, T)>) -> Vec<(u32, T)> {
    let last = earlier.iter().chain(&later).map(|e| e.0).max();
    let mut seen = vec![false; last.map_or(0, |index| index as usize + 1)];
    for (index, _) in &earlier {
        seen[*index as usize] = true;
    }
    later.retain(|l| !seen[l.0 as usize]);
    earlier.extend(later);
    earlier
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;

    fn row(position: usize, times: f32) -> Vec<Influence> {
        let influence = |joint: u16| Influence {
            joint: JointIndex(joint),
            weight: times * f32::from(joint + 1),
        };
        (0..position as u16 % 4).map(influence).collect()
    }

    #[test]
    fn rows_are_where_they_were_put_and_come_back() {
        let order: Vec<u32> = (0..90).map(|p| (p * 7 + 3) % 90).collect();
        let ranges = [0..20, 20..20, 20..50, 50..90];
        for grouping in [Grouping::of(order, ranges.into_iter()), Grouping::in_order(90)] {
            let mut rows = GroupedRows::new(Arc::new(grouping), |p, list| list.extend(row(p, 1.0)));
            let expected: Vec<Vec<Influence>> = (0..90).map(|p| row(p, 1.0)).collect();
            assert!(rows.iter().eq(expected.iter().map(|r| &r[..])));

            let others = [88, 3, 41, 4, 5].map(|p| (p as u32, row(p, 2.0)));
            let mut groups = rows.with_rows(others.to_vec());
            rows.swap(&mut groups);
            for (position, expected) in expected.iter().enumerate() {
                let other = others.iter().find(|o| o.0 == position as u32);
                assert_eq!(rows.row(position), other.map_or(&expected[..], |o| &o.1));
            }
            // Rows of positions 4 and 88 have nothing in them.
            let differing = groups
                .iter()
                .flat_map(|(index, group)| rows.differing(*index, group));
            let mut differing: Vec<u32> = differing.collect();
            differing.sort_unstable();
            assert_eq!(differing, [3, 5, 41]);
            rows.swap(&mut groups);
            assert!(rows.iter().eq(expected.iter().map(|r| &r[..])));
        }
    }

    #[test]
    fn a_group_is_known_by_all_its_positions() {
        let grouping = Grouping::of(vec![2, 0, 1, 3], [0..3, 3..4].into_iter());
        assert_eq!(grouping.group_of_all(&[2, 0, 1]), Some(0));
        assert_eq!(grouping.group_of_all(&[3]), Some(1));
        assert_eq!(grouping.group_of_all(&[2, 0]), None);
        assert_eq!(grouping.group_of_all(&[]), None);
    }
}
