//! Boosted trees whose nodes of one level all ask the same question ("oblivious" trees).
//!
//! A tree asks [`DEPTH`] questions `feature > at`; the answers, read as bits, are the number of its leaf. No question
//! depends on another's answer, so that many rows are asked at once, without a branch. Leaves are whole numbers, so
//! that sums do not depend on how wide the processor's vectors are.

use super::{Reader, TableError};

/// Questions of a tree.
pub const DEPTH: usize = 4;
/// Leaves of a tree.
pub const LEAVES: usize = 1 << DEPTH;
/// Rows that are asked at once.
pub(super) const LANES: usize = 32;

/// One tree, as it is learned.
#[cfg(any(test, feature = "research"))]
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTree {
    /// Which feature each level asks about, and over which value the answer is yes.
    pub questions: [(u8, u8); DEPTH],
    /// What the answers lead to; the first question is the lowest bit.
    pub leaves: [f32; LEAVES],
}

/// A tree whose leaves count in steps.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    pub questions: [(u8, u8); DEPTH],
    /// The lower and the upper byte of each leaf: sixteen bytes are looked up at once where vectors are wide.
    pub low: [u8; LEAVES],
    pub high: [u8; LEAVES],
}

impl Packed {
    fn new(questions: [(u8, u8); DEPTH], leaves: [i16; LEAVES]) -> Self {
        Self {
            questions,
            low: leaves.map(|leaf| leaf.to_le_bytes()[0]),
            high: leaves.map(|leaf| leaf.to_le_bytes()[1]),
        }
    }

    fn leaf(&self, index: usize) -> i16 {
        i16::from_le_bytes([self.low[index % LEAVES], self.high[index % LEAVES]])
    }
}

/// Trees whose leaves are added up.
#[derive(Debug, Clone, Default)]
pub struct LevelForest {
    trees: Vec<Packed>,
    step: f32,
}

impl LevelForest {
    /// Puts trees together; fails where one asks about a feature that there is not.
    #[cfg(any(test, feature = "research"))]
    pub fn new(trees: &[LevelTree], features: usize) -> Result<Self, TableError> {
        let largest = trees
            .iter()
            .flat_map(|t| &t.leaves)
            .fold(0f32, |most, leaf| most.max(leaf.abs()));
        let step = largest.max(f32::MIN_POSITIVE) / f32::from(i16::MAX);
        let packed =
            |t: &LevelTree| Packed::new(t.questions, t.leaves.map(|leaf| (leaf / step).round() as i16));
        let forest = Self {
            trees: trees.iter().map(packed).collect(),
            step,
        };
        forest.check(features)?;
        Ok(forest)
    }

    fn check(&self, features: usize) -> Result<(), TableError> {
        let unsound = |t: &Packed| t.questions.iter().any(|q| usize::from(q.0) >= features);
        match self.trees.iter().position(unsound) {
            Some(tree) => Err(TableError::BadTree { tree }),
            None => Ok(()),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// For rows of `N` features each what the trees say, and what comes of a factor for each feature as a fraction of its
    /// range. There must be as many features as the forest was made for.
    pub fn sums<const N: usize>(&self, factors: &[f32; N], rows: &[[u8; N]], sums: &mut Vec<f32>) {
        sums.clear();
        super::lanes::dispatch(Sums {
            forest: self,
            factors,
            rows,
            sums,
        });
    }

    /// Adds its bytes to a table.
    pub fn write(&self, table: &mut Vec<u8>) {
        table.extend((self.trees.len() as u16).to_le_bytes());
        table.extend(self.step.to_le_bytes());
        for tree in &self.trees {
            table.extend(tree.questions.iter().flat_map(|q| [q.0, q.1]));
            table.extend((0..LEAVES).flat_map(|leaf| tree.leaf(leaf).to_le_bytes()));
        }
    }

    /// Reads what [`LevelForest::write`] wrote.
    pub(in crate::bind) fn read(table: &mut Reader<'_>, features: usize) -> Result<Self, TableError> {
        let count = u16::from_le_bytes(table.take()?);
        let step = f32::from_le_bytes(table.take()?);
        if !step.is_finite() {
            return Err(TableError::NotFinite);
        }
        let mut forest = Self {
            trees: Vec::new(),
            step,
        };
        for _ in 0..count {
            let (mut questions, mut leaves) = ([(0, 0); DEPTH], [0; LEAVES]);
            for question in &mut questions {
                *question = table.take::<2>()?.into();
            }
            for leaf in &mut leaves {
                *leaf = i16::from_le_bytes(table.take()?);
            }
            forest.trees.push(Packed::new(questions, leaves));
        }
        forest.check(features)?;
        Ok(forest)
    }
}

/// Sums that are asked for.
pub(super) struct Sums<'a, const N: usize> {
    forest: &'a LevelForest,
    factors: &'a [f32; N],
    rows: &'a [[u8; N]],
    sums: &'a mut Vec<f32>,
}

impl<const N: usize> Sums<'_, N> {
    /// Finds them; `totals` adds up the leaves that the trees give the rows of each lane of some columns.
    #[inline(always)]
    pub fn find(self, totals: impl Fn(&[Packed], &[[u8; LANES]; N]) -> [i32; LANES]) {
        let mut columns = [[0u8; LANES]; N];
        for rows in self.rows.chunks(LANES) {
            for (lane, row) in rows.iter().enumerate() {
                for (column, &byte) in columns.iter_mut().zip(row) {
                    column[lane] = byte;
                }
            }
            let totals = totals(&self.forest.trees, &columns);
            let mut linear = [0f32; LANES];
            for (factor, column) in self.factors.iter().zip(&columns) {
                for (sum, &byte) in linear.iter_mut().zip(column) {
                    *sum += factor * f32::from(byte);
                }
            }
            let both = totals.iter().zip(&linear).take(rows.len());
            self.sums
                .extend(both.map(|(&total, linear)| total as f32 * self.forest.step + linear / 255.0));
        }
    }
}

/// The leaves that trees give the rows of each lane, added up; on any processor.
pub(super) fn totals_anywhere<const N: usize>(trees: &[Packed], columns: &[[u8; LANES]; N]) -> [i32; LANES] {
    let mut totals = [0i32; LANES];
    for tree in trees {
        let mut leaf = [0u8; LANES];
        for (level, &(feature, at)) in tree.questions.iter().enumerate() {
            let column = &columns[usize::from(feature)];
            for (leaf, &byte) in leaf.iter_mut().zip(column) {
                *leaf |= u8::from(byte > at) << level;
            }
        }
        for (total, leaf) in totals.iter_mut().zip(leaf) {
            *total += i32::from(tree.leaf(usize::from(leaf)));
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trees() -> impl Strategy<Value = Vec<LevelTree>> {
        let tree = (
            prop::array::uniform4((0u8..3, any::<u8>())),
            prop::array::uniform16(-3f32..3.0),
        );
        let tree = tree.prop_map(|(questions, leaves)| LevelTree { questions, leaves });
        prop::collection::vec(tree, 1..20)
    }

    /// One row, question by question.
    fn naive(trees: &[LevelTree], row: [u8; 3]) -> f32 {
        let of_tree = |t: &LevelTree| {
            let yes = |q: &(u8, u8)| row[usize::from(q.0)] > q.1;
            let leaf: usize = (0..DEPTH).map(|d| usize::from(yes(&t.questions[d])) << d).sum();
            t.leaves[leaf]
        };
        trees.iter().map(of_tree).sum()
    }

    /// θ·x, number by number.
    fn linear(factors: [f32; 3], row: [u8; 3]) -> f32 {
        (0..3).map(|f| factors[f] * f32::from(row[f]) / 255.0).sum()
    }

    proptest! {
        #[test]
        fn wide_vectors_give_what_any_processor_gives(
            trees in trees(),
            factors in prop::array::uniform3(-2f32..2.0),
            rows in prop::collection::vec(prop::array::uniform3(any::<u8>()), 0..80),
        ) {
            let forest = LevelForest::new(&trees, 3).unwrap();
            let (mut wide, mut plain) = (Vec::new(), Vec::new());
            forest.sums(&factors, &rows, &mut wide);
            Sums { forest: &forest, factors: &factors, rows: &rows, sums: &mut plain }.find(totals_anywhere);
            prop_assert_eq!(wide, plain);
        }

        #[test]
        fn a_forest_adds_what_its_trees_say_and_comes_back_from_bytes(
            trees in trees(),
            factors in prop::array::uniform3(-2f32..2.0),
            rows in prop::collection::vec(prop::array::uniform3(any::<u8>()), 0..80),
        ) {
            let forest = LevelForest::new(&trees, 3).unwrap();
            let mut sums = vec![7.0];
            forest.sums(&factors, &rows, &mut sums);
            prop_assert_eq!(sums.len(), rows.len());
            for (sum, row) in sums.iter().zip(&rows) {
                let expected = naive(&trees, *row) + linear(factors, *row);
                prop_assert!((sum - expected).abs() < 1e-4 * trees.len() as f32);
            }
            let mut bytes = Vec::new();
            forest.write(&mut bytes);
            let mut again = Vec::new();
            LevelForest::read(&mut Reader(&bytes), 3).unwrap().sums(&factors, &rows, &mut again);
            prop_assert_eq!(again, sums);
        }

        #[test]
        fn bytes_of_any_kind_end_or_fail(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(forest) = LevelForest::read(&mut Reader(&bytes), 3) {
                forest.sums(&[1.0; 3], &[[0, 7, 255]], &mut Vec::new());
            }
        }
    }

    #[test]
    fn a_question_about_what_there_is_not_is_refused() {
        let tree = LevelTree {
            questions: [(0, 1), (1, 1), (3, 1), (0, 9)],
            leaves: [0.0; LEAVES],
        };
        assert_eq!(
            LevelForest::new(&[tree], 3).unwrap_err(),
            TableError::BadTree { tree: 0 }
        );
    }
}
