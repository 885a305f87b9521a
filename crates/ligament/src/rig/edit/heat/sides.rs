//! Right-hand sides of heat's system, joint by joint.

use rayon::prelude::*;

use crate::character::JointIndex;

/// A right-hand side at one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    pub position: u32,
    pub value: f64,
    /// Whether its neighbours have the like. What is left on a border is a line of sources
    /// instead: it spreads to both sides, over √(diagonal/heat) edges.
    pub in_area: bool,
}

/// The right-hand sides of all joints.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sides {
    /// By joint, positions ascending.
    of_joint: Vec<Vec<Side>>,
}

impl Sides {
    /// Collects right-hand sides; those at the same position count as one.
    pub fn of(sides: impl IntoIterator<Item = (JointIndex, Side)>) -> Self {
        let mut of_joint: Vec<Vec<Side>> = Vec::new();
        for (joint, side) in sides {
            if joint.at() >= of_joint.len() {
                of_joint.resize(joint.at() + 1, Vec::new());
            }
            of_joint[joint.at()].push(side);
        }
        of_joint.par_iter_mut().for_each(merge);
        Self { of_joint }
    }

    /// Takes out those that `kept` does not want.
    pub fn retain(&mut self, kept: impl Fn(JointIndex, &Side) -> bool + Sync) {
        let joints = self.of_joint.par_iter_mut().enumerate();
        joints.for_each(|(joint, sides)| sides.retain(|side| kept(JointIndex(joint as u16), side)));
    }

    /// Adds others.
    pub fn add(&mut self, mut others: Self) {
        let joints = self.of_joint.len().max(others.of_joint.len());
        self.of_joint.resize(joints, Vec::new());
        others.of_joint.resize(joints, Vec::new());
        let pairs = self.of_joint.par_iter_mut().zip(others.of_joint);
        pairs.for_each(|(sides, others)| {
            if sides.is_empty() {
                *sides = others;
            } else if !others.is_empty() {
                sides.extend(others);
                merge(sides);
            }
        });
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = (JointIndex, Side)> + '_ {
        self.by_joint()
            .flat_map(|(joint, sides)| sides.iter().map(move |&side| (joint, side)))
    }

    /// The joints that have any, ascending.
    pub fn by_joint(&self) -> impl Iterator<Item = (JointIndex, &[Side])> {
        let joints = (0..).map(JointIndex).zip(&self.of_joint);
        joints
            .filter(|j| !j.1.is_empty())
            .map(|(j, sides)| (j, &sides[..]))
    }

    /// Those of a joint.
    pub fn of_joint(&self, joint: JointIndex) -> &[Side] {
        self.of_joint.get(joint.at()).map_or(&[], |sides| &sides[..])
    }
}

/// Puts positions in order; right-hand sides at the same one count as one.
fn merge(sides: &mut Vec<Side>) {
    sides.sort_by_key(|s| s.position); // stable: sums do not depend on anything else
    sides.dedup_by(|later, kept| {
        let same = later.position == kept.position;
        if same {
            kept.value += later.value;
            kept.in_area |= later.in_area;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(position: u32, value: f64) -> Side {
        Side {
            position,
            value,
            in_area: value > 1.0,
        }
    }

    #[test]
    fn what_is_at_one_position_counts_as_one() {
        let (a, b) = (JointIndex(1), JointIndex(3));
        let mut sides = Sides::of([(b, side(7, 1.0)), (a, side(2, 5.0)), (b, side(4, 1.0))]);
        sides.add(Sides::of([(b, side(7, 2.0)), (JointIndex(5), side(0, 1.0))]));
        assert_eq!(sides.of_joint(a), [side(2, 5.0)]);
        assert_eq!(sides.of_joint(b), [side(4, 1.0), side(7, 3.0)]);
        assert_eq!(sides.of_joint(JointIndex(9)), []);
        sides.retain(|joint, side| joint != a && side.position > 4);
        let left: Vec<(JointIndex, Side)> = sides.iter().collect();
        assert_eq!(left, [(b, side(7, 3.0))]);
    }
}
