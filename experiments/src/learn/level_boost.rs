//! Gradient boosting of trees whose nodes of one level all ask the same question.
//!
//! For gradients g and curvatures h of a loss, a leaf with sums G and H takes −G/(H + λ) and is worth ½G²/(H + λ); each
//! level asks the question after which its leaves are worth most together. Same seed, same trees.

use ligament::bind::learned::{DEPTH, LEAVES, LevelTree};
use ligament_testkit::Random;
use rayon::prelude::*;

use crate::boost::{Boosting, Columns, Loss, chosen};

/// Sums over rows.
#[derive(Clone, Copy, Default)]
struct Bin {
    gradient: f64,
    curvature: f64,
}

impl Bin {
    fn add(&mut self, other: Self) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
    }

    fn without(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            curvature: self.curvature - other.curvature,
        }
    }

    fn worth(self, ridge: f64) -> f64 {
        0.5 * self.gradient * self.gradient / (self.curvature + ridge)
    }
}

/// Grows trees that lower a loss.
pub fn boost(columns: &Columns, how: &Boosting, loss: &mut dyn Loss) -> Vec<LevelTree> {
    let mut random = Random(how.seed);
    let mut sums = vec![0f32; columns.rows];
    let (mut gradients, mut curvatures) = (vec![0f32; columns.rows], vec![0f32; columns.rows]);
    let mut trees = Vec::new();
    for _ in 0..how.rounds {
        loss.slopes(&sums, &mut gradients, &mut curvatures);
        let seen = chosen(columns.bytes.len(), how.feature_fraction, &mut random);
        let rows: Vec<u32> = (0..columns.rows as u32)
            .filter(|_| (random.next() >> 11) as f64 / ((1u64 << 53) as f64) < how.row_fraction)
            .collect();
        let Some(tree) = grow(columns, &seen, &rows, &gradients, &curvatures, how) else {
            continue;
        };
        add(&tree, columns, &mut sums);
        trees.push(tree);
    }
    trees
}

/// The best place to ask about a feature: what the leaves are worth then, and the value.
fn best_question(
    bytes: &[u8],
    rows: &[u32],
    slopes: &[Bin],
    leaf: &[u8],
    leaves: usize,
    how: &Boosting,
) -> (f64, u8) {
    let mut bins = vec![Bin::default(); 256 * leaves];
    let mut counts = [0u32; 256];
    for ((&row, slope), &leaf) in rows.iter().zip(slopes).zip(leaf) {
        let byte = usize::from(bytes[row as usize]);
        bins[usize::from(leaf) * 256 + byte].add(*slope);
        counts[byte] += 1;
    }
    let mut totals = vec![Bin::default(); leaves];
    for (total, bins) in totals.iter_mut().zip(bins.chunks_exact(256)) {
        bins.iter().for_each(|b| total.add(*b));
    }
    let mut left = vec![Bin::default(); leaves];
    let mut best = (f64::NEG_INFINITY, 0);
    let mut passed = 0;
    for at in 0..255usize {
        if counts[at] == 0 {
            continue;
        }
        passed += counts[at] as usize;
        let mut worth = 0.0;
        for (l, left) in left.iter_mut().enumerate() {
            left.add(bins[l * 256 + at]);
            worth += left.worth(how.ridge) + totals[l].without(*left).worth(how.ridge);
        }
        if passed < how.least_rows || rows.len() - passed < how.least_rows {
            continue;
        }
        if worth > best.0 {
            best = (worth, at as u8);
        }
    }
    best
}

fn grow(
    columns: &Columns,
    seen: &[usize],
    rows: &[u32],
    g: &[f32],
    h: &[f32],
    how: &Boosting,
) -> Option<LevelTree> {
    let slopes: Vec<Bin> = rows
        .iter()
        .map(|&row| Bin {
            gradient: f64::from(g[row as usize]),
            curvature: f64::from(h[row as usize]),
        })
        .collect();
    let mut leaf = vec![0u8; rows.len()];
    let mut questions = [(0u8, 0u8); DEPTH];
    for (level, question) in questions.iter_mut().enumerate() {
        let found: Vec<(f64, u8)> = seen
            .par_iter()
            .map(|&f| best_question(&columns.bytes[f], rows, &slopes, &leaf, 1 << level, how))
            .collect();
        let best = (0..seen.len()).max_by(|&a, &b| found[a].0.total_cmp(&found[b].0).then(b.cmp(&a)))?;
        if !found[best].0.is_finite() {
            return None;
        }
        *question = (seen[best] as u8, found[best].1);
        let bytes = &columns.bytes[seen[best]];
        for (leaf, &row) in leaf.iter_mut().zip(rows) {
            *leaf |= u8::from(bytes[row as usize] > found[best].1) << level;
        }
    }
    let mut totals = [Bin::default(); LEAVES];
    for (slope, &leaf) in slopes.iter().zip(&leaf) {
        totals[usize::from(leaf)].add(*slope);
    }
    let value = |t: Bin| how.rate * (-t.gradient / (t.curvature + how.ridge)) as f32;
    Some(LevelTree {
        questions,
        leaves: totals.map(value),
    })
}

/// Adds a tree's answers.
fn add(tree: &LevelTree, columns: &Columns, sums: &mut [f32]) {
    let asked = tree
        .questions
        .map(|(feature, at)| (&columns.bytes[usize::from(feature)], at));
    for (row, sum) in sums.iter_mut().enumerate() {
        let mut leaf = 0;
        for (level, (bytes, at)) in asked.iter().enumerate() {
            leaf |= usize::from(bytes[row] > *at) << level;
        }
        *sum += tree.leaves[leaf];
    }
}
