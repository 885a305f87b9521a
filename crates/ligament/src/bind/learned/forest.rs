//! Boosted regression trees over features of one byte each.
//!
//! A tree asks `feature <= at` until it reaches a leaf; a forest is the sum of its trees' leaves. Features of one byte
//! make trees small (a split is four bytes), and what was learned is exactly what is computed.

use super::{Reader, TableError};

/// A child of a split with this bit is a leaf; the rest of the byte is its number within the tree.
const LEAF: u8 = 0x80;
/// A tree has at most so many splits, so that seven bits name them.
const MOST_SPLITS: usize = 127;

/// One question of a tree.
#[cfg(any(test, feature = "research"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Which feature is asked about.
    pub feature: u8,
    /// Up to here the left child follows, above it the right one.
    pub at: u8,
    /// What follows.
    pub left: Child,
    /// What follows otherwise.
    pub right: Child,
}

/// What follows an answer.
#[cfg(any(test, feature = "research"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// Another question, by its number within the tree; always a later one.
    Split(u8),
    /// The end, by its number within the tree.
    Leaf(u8),
}

#[cfg(any(test, feature = "research"))]
impl Child {
    fn byte(self) -> u8 {
        match self {
            Self::Split(n) => n,
            Self::Leaf(n) => n | LEAF,
        }
    }
}

/// One tree, as it is learned: the first split is the root.
#[cfg(any(test, feature = "research"))]
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The questions, parents before children; at least one.
    pub splits: Vec<Split>,
    /// One more than there are questions.
    pub leaves: Vec<f32>,
}

/// Where a tree begins in the lists of its forest.
#[derive(Debug, Clone, Copy)]
struct Start {
    split: u32,
    leaf: u32,
}

/// Trees whose leaves are added up.
#[derive(Debug, Clone, Default)]
pub struct Forest {
    starts: Vec<Start>,
    /// Feature, threshold, left, right.
    splits: Vec<[u8; 4]>,
    /// In steps.
    leaves: Vec<i16>,
    step: f32,
}

impl Forest {
    /// Puts trees together; fails where one is no tree over so many features.
    #[cfg(any(test, feature = "research"))]
    pub fn new(trees: &[Tree], features: usize) -> Result<Self, TableError> {
        let largest = trees
            .iter()
            .flat_map(|t| &t.leaves)
            .fold(0f32, |most, leaf| most.max(leaf.abs()));
        let mut forest = Self {
            step: largest.max(f32::MIN_POSITIVE) / f32::from(i16::MAX),
            ..Self::default()
        };
        for tree in trees {
            let bytes = |s: &Split| [s.feature, s.at, s.left.byte(), s.right.byte()];
            let splits: Vec<[u8; 4]> = tree.splits.iter().map(bytes).collect();
            let leaves: Vec<i16> = tree
                .leaves
                .iter()
                .map(|leaf| (leaf / forest.step).round() as i16)
                .collect();
            forest.add(&splits, &leaves, features)?;
        }
        Ok(forest)
    }

    /// Adds a tree that has been checked to end for all features.
    fn add(&mut self, splits: &[[u8; 4]], leaves: &[i16], features: usize) -> Result<(), TableError> {
        let sound = |(index, split): (usize, &[u8; 4])| {
            let child = |byte: u8| {
                if byte & LEAF == 0 {
                    usize::from(byte) > index && usize::from(byte) < splits.len()
                } else {
                    usize::from(byte & !LEAF) < leaves.len()
                }
            };
            usize::from(split[0]) < features && child(split[2]) && child(split[3])
        };
        let counts = !splits.is_empty() && splits.len() <= MOST_SPLITS && leaves.len() == splits.len() + 1;
        if !counts || !splits.iter().enumerate().all(sound) {
            return Err(TableError::BadTree {
                tree: self.starts.len(),
            });
        }
        self.starts.push(Start {
            split: self.splits.len() as u32,
            leaf: self.leaves.len() as u32,
        });
        self.splits.extend_from_slice(splits);
        self.leaves.extend_from_slice(leaves);
        Ok(())
    }

    /// The sum of the leaves that features lead to. There must be as many features as the forest was made for.
    pub fn sum(&self, features: &[u8]) -> f32 {
        let mut sum = 0i32;
        for start in &self.starts {
            let splits = &self.splits[start.split as usize..];
            let mut at = 0u8;
            while at & LEAF == 0 {
                let [feature, threshold, left, right] = splits[usize::from(at)];
                at = if features[usize::from(feature)] <= threshold {
                    left
                } else {
                    right
                };
            }
            let leaf = start.leaf as usize + usize::from(at & !LEAF);
            sum += i32::from(self.leaves[leaf]);
        }
        sum as f32 * self.step
    }

    /// Adds its bytes to a table.
    #[cfg(any(test, feature = "research"))]
    pub fn write(&self, table: &mut Vec<u8>) {
        table.extend((self.starts.len() as u16).to_le_bytes());
        table.extend(self.step.to_le_bytes());
        for (index, start) in self.starts.iter().enumerate() {
            let next = self.starts.get(index + 1);
            let end = next.map_or(self.splits.len(), |n| n.split as usize);
            let splits = &self.splits[start.split as usize..end];
            let leaves = &self.leaves[start.leaf as usize..=start.leaf as usize + splits.len()];
            table.push(splits.len() as u8);
            table.extend(splits.iter().flatten());
            table.extend(leaves.iter().flat_map(|l| l.to_le_bytes()));
        }
    }

    /// Reads what [`Forest::write`] wrote.
    pub(in crate::bind) fn read(table: &mut Reader<'_>, features: usize) -> Result<Self, TableError> {
        let count = u16::from_le_bytes(table.take()?);
        let step = f32::from_le_bytes(table.take()?);
        if !step.is_finite() {
            return Err(TableError::NotFinite);
        }
        let mut forest = Self {
            step,
            ..Self::default()
        };
        for _ in 0..count {
            let [len] = table.take()?;
            let mut splits = Vec::with_capacity(usize::from(len));
            for _ in 0..len {
                splits.push(table.take::<4>()?);
            }
            let mut leaves = Vec::with_capacity(usize::from(len) + 1);
            for _ in 0..=len {
                leaves.push(i16::from_le_bytes(table.take()?));
            }
            forest.add(&splits, &leaves, features)?;
        }
        Ok(forest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tree of three leaves: f0 <= a, then f1 <= b.
    fn tree(a: u8, b: u8, leaves: [f32; 3]) -> Tree {
        Tree {
            splits: vec![
                Split {
                    feature: 0,
                    at: a,
                    left: Child::Leaf(0),
                    right: Child::Split(1),
                },
                Split {
                    feature: 1,
                    at: b,
                    left: Child::Leaf(1),
                    right: Child::Leaf(2),
                },
            ],
            leaves: leaves.to_vec(),
        }
    }

    proptest! {
        #[test]
        fn a_forest_adds_what_its_trees_say_and_comes_back_from_bytes(
            trees in prop::collection::vec((any::<u8>(), any::<u8>(), prop::array::uniform3(-3f32..3.0)), 1..20),
            features in prop::array::uniform2(any::<u8>()),
        ) {
            let list: Vec<Tree> = trees.iter().map(|t| tree(t.0, t.1, t.2)).collect();
            let forest = Forest::new(&list, 2).unwrap();
            let naive: f32 = trees
                .iter()
                .map(|&(a, b, leaves)| match features {
                    [f, _] if f <= a => leaves[0],
                    [_, g] if g <= b => leaves[1],
                    _ => leaves[2],
                })
                .sum();
            prop_assert!((forest.sum(&features) - naive).abs() < 1e-4 * trees.len() as f32);
            let mut bytes = Vec::new();
            forest.write(&mut bytes);
            let again = Forest::read(&mut Reader(&bytes), 2).unwrap();
            prop_assert_eq!(again.sum(&features), forest.sum(&features));
        }

        #[test]
        fn bytes_of_any_kind_end_or_fail(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(forest) = Forest::read(&mut Reader(&bytes), 3) {
                let _ = forest.sum(&[0, 7, 255]);
            }
        }
    }

    #[test]
    fn a_tree_that_never_ends_is_refused() {
        let mut circle = tree(1, 2, [0.0; 3]);
        circle.splits[1].left = Child::Split(1);
        assert_eq!(
            Forest::new(&[circle], 2).unwrap_err(),
            TableError::BadTree { tree: 0 }
        );
        assert!(Forest::new(&[tree(1, 2, [0.0; 3])], 1).is_err());
    }
}
