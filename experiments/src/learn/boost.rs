//! Gradient boosting of regression trees over features of one byte: leaf by leaf, by histograms.
//!
//! For gradients g and curvatures h of a loss, a leaf with sums G and H takes −G/(H + λ) and is worth ½G²/(H + λ); the
//! leaf whose best split is worth most is split next. Same seed, same trees.

use ligament::bind::learned::{Child, Split, Tree};
use ligament_testkit::Random;

/// How trees are grown.
#[derive(Debug, Clone, Copy)]
pub struct Boosting {
    /// How many trees.
    pub rounds: usize,
    /// Leaves of a tree.
    pub leaves: usize,
    /// What a tree's answer is multiplied by.
    pub rate: f32,
    /// λ: what holds leaves back.
    pub ridge: f64,
    /// A leaf has at least so many rows.
    pub least_rows: usize,
    /// The fraction of the features that each tree sees.
    pub feature_fraction: f64,
    /// The fraction of the rows that each tree sees.
    pub row_fraction: f64,
    /// Seeds both.
    pub seed: u64,
}

/// Rows of features, feature by feature.
pub struct Columns {
    pub rows: usize,
    pub bytes: Vec<Vec<u8>>,
}

impl Columns {
    /// Turns rows of `features` bytes each into columns.
    pub fn of(rows: &[u8], features: usize) -> Self {
        let count = rows.len() / features;
        let column = |f: usize| (0..count).map(|r| rows[r * features + f]).collect();
        Self {
            rows: count,
            bytes: (0..features).map(column).collect(),
        }
    }
}

/// Sums over the rows of a leaf that have one value of a feature.
#[derive(Clone, Copy, Default)]
struct Bin {
    gradient: f64,
    curvature: f64,
    rows: u32,
}

type Histogram = Vec<[Bin; 256]>;

/// Where a leaf would be split.
#[derive(Clone, Copy)]
struct Cut {
    gain: f64,
    /// Index into the features that the tree sees.
    column: usize,
    at: u8,
}

struct Growing {
    rows: Vec<u32>,
    histogram: Histogram,
    total: Bin,
    cut: Option<Cut>,
    /// Which split has it for a child, and on which side.
    above: Option<(usize, bool)>,
}

/// What a loss is made of.
pub trait Loss {
    /// Gradient and curvature of each row at the sums so far.
    fn slopes(&mut self, sums: &[f32], gradients: &mut [f32], curvatures: &mut [f32]);
}

/// Grows trees that lower a loss; their sums at the rows come with them.
pub fn boost(columns: &Columns, how: &Boosting, loss: &mut dyn Loss) -> (Vec<Tree>, Vec<f32>) {
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
        let Some(tree) = grow(columns, &seen, rows, &gradients, &curvatures, how) else {
            continue;
        };
        add(&tree, columns, &mut sums);
        trees.push(tree);
    }
    (trees, sums)
}

/// Some of the features, in order.
pub fn chosen(count: usize, fraction: f64, random: &mut Random) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    let wanted = ((count as f64 * fraction).ceil() as usize).clamp(1, count);
    for i in 0..wanted {
        let other = i + random.below(count - i);
        all.swap(i, other);
    }
    all.truncate(wanted);
    all.sort_unstable();
    all
}

fn histogram(columns: &Columns, seen: &[usize], rows: &[u32], g: &[f32], h: &[f32]) -> Histogram {
    let mut bins = vec![[Bin::default(); 256]; seen.len()];
    for (bins, &feature) in bins.iter_mut().zip(seen) {
        let bytes = &columns.bytes[feature];
        for &row in rows {
            let row = row as usize;
            let bin = &mut bins[usize::from(bytes[row])];
            bin.gradient += f64::from(g[row]);
            bin.curvature += f64::from(h[row]);
            bin.rows += 1;
        }
    }
    bins
}

fn total(rows: &[u32], g: &[f32], h: &[f32]) -> Bin {
    let mut sum = Bin::default();
    for &row in rows {
        sum.gradient += f64::from(g[row as usize]);
        sum.curvature += f64::from(h[row as usize]);
        sum.rows += 1;
    }
    sum
}

fn worth(bin: &Bin, ridge: f64) -> f64 {
    0.5 * bin.gradient * bin.gradient / (bin.curvature + ridge)
}

fn best_cut(histogram: &Histogram, total: &Bin, how: &Boosting) -> Option<Cut> {
    let whole = worth(total, how.ridge);
    let mut best: Option<Cut> = None;
    for (column, bins) in histogram.iter().enumerate() {
        let mut left = Bin::default();
        for (at, bin) in bins.iter().enumerate().take(255) {
            if bin.rows == 0 {
                continue;
            }
            left.gradient += bin.gradient;
            left.curvature += bin.curvature;
            left.rows += bin.rows;
            let right = Bin {
                gradient: total.gradient - left.gradient,
                curvature: total.curvature - left.curvature,
                rows: total.rows - left.rows,
            };
            if (left.rows as usize) < how.least_rows || (right.rows as usize) < how.least_rows {
                continue;
            }
            let gain = worth(&left, how.ridge) + worth(&right, how.ridge) - whole;
            if gain > 1e-12 && best.is_none_or(|b| gain > b.gain) {
                best = Some(Cut {
                    gain,
                    column,
                    at: at as u8,
                });
            }
        }
    }
    best
}

fn grow(
    columns: &Columns,
    seen: &[usize],
    rows: Vec<u32>,
    g: &[f32],
    h: &[f32],
    how: &Boosting,
) -> Option<Tree> {
    let first = histogram(columns, seen, &rows, g, h);
    let all = total(&rows, g, h);
    let mut leaves = vec![Growing {
        cut: best_cut(&first, &all, how),
        histogram: first,
        total: all,
        rows,
        above: None,
    }];
    let mut splits: Vec<Split> = Vec::new();
    while leaves.len() < how.leaves {
        let gain = |l: &Growing| l.cut.map_or(0.0, |c| c.gain);
        let next = (0..leaves.len())
            .max_by(|&a, &b| gain(&leaves[a]).total_cmp(&gain(&leaves[b])).then(b.cmp(&a)))?;
        let Some(cut) = leaves[next].cut else { break };
        let leaf = leaves.swap_remove(next);
        let number = splits.len();
        if let Some((above, is_right)) = leaf.above {
            let child = Child::Split(number as u8);
            if is_right {
                splits[above].right = child;
            } else {
                splits[above].left = child;
            }
        }
        splits.push(Split {
            feature: seen[cut.column] as u8,
            at: cut.at,
            left: Child::Leaf(0),
            right: Child::Leaf(0),
        });
        let bytes = &columns.bytes[seen[cut.column]];
        let (left, right): (Vec<u32>, Vec<u32>) =
            leaf.rows.iter().partition(|&&r| bytes[r as usize] <= cut.at);
        // The larger side is what the smaller one leaves.
        let left_is_small = left.len() < right.len();
        let small = histogram(columns, seen, if left_is_small { &left } else { &right }, g, h);
        let mut large = leaf.histogram;
        for (large, small) in large.iter_mut().flatten().zip(small.iter().flatten()) {
            large.gradient -= small.gradient;
            large.curvature -= small.curvature;
            large.rows -= small.rows;
        }
        let (of_left, of_right) = if left_is_small {
            (small, large)
        } else {
            (large, small)
        };
        for (rows, histogram, is_right) in [(left, of_left, false), (right, of_right, true)] {
            let total = total(&rows, g, h);
            leaves.push(Growing {
                cut: best_cut(&histogram, &total, how),
                histogram,
                total,
                rows,
                above: Some((number, is_right)),
            });
        }
    }
    if splits.is_empty() {
        return None;
    }
    let mut values = Vec::new();
    for leaf in &leaves {
        let child = Child::Leaf(values.len() as u8);
        if let Some((above, is_right)) = leaf.above {
            if is_right {
                splits[above].right = child;
            } else {
                splits[above].left = child;
            }
        }
        let value = -leaf.total.gradient / (leaf.total.curvature + how.ridge);
        values.push(how.rate * value as f32);
    }
    Some(Tree {
        splits,
        leaves: values,
    })
}

/// Adds a tree's answers.
fn add(tree: &Tree, columns: &Columns, sums: &mut [f32]) {
    for (row, sum) in sums.iter_mut().enumerate() {
        let mut at = Child::Split(0);
        *sum += loop {
            match at {
                Child::Split(n) => {
                    let split = &tree.splits[usize::from(n)];
                    let byte = columns.bytes[usize::from(split.feature)][row];
                    at = if byte <= split.at { split.left } else { split.right };
                }
                Child::Leaf(n) => break tree.leaves[usize::from(n)],
            }
        };
    }
}
