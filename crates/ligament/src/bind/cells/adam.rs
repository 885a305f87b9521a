//! Adam (Kingma and Ba 2015), the optimiser of the paper, and Adam along axes that turn.
//!
//! Adam measures how much each number's gradient varies and moves it accordingly. The ten
//! numbers of a site vary together: its centre, its shape and its radius all move the same
//! border. So blocks of numbers can be given axes of their own, along which gradients are
//! not correlated (the eigenvectors of their second moments), and Adam runs along those
//! ("SOAP", Vyas et al. 2024, for a block that is kept whole). Most fits then reach in half
//! the steps what Adam along the numbers themselves reaches.

use faer::{Mat, Side};
use rayon::prelude::*;
use smallvec::SmallVec;

/// Moments of a list of parameters.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    /// Of the gradient, along the parameters.
    first: Vec<f64>,
    /// Of its squares: of a block along its axes, of others along the parameters.
    second: Vec<f64>,
    blocks: Vec<Block>,
    steps: i32,
    /// β₁ and β₂: how much of the moments each step keeps.
    kept: [f64; 2],
}

/// Parameters that follow each other and have axes of their own.
#[derive(Debug, Clone)]
struct Block {
    /// The first of them.
    start: usize,
    /// Second moments of their gradients: every product of two.
    products: Mat<f64>,
    /// Axes as columns.
    axes: Mat<f64>,
}

/// β as published.
pub(super) const PUBLISHED: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-10;
/// A second moment under this is nothing.
const FORGOTTEN: f64 = 1e-100;
/// The least second moment along an axis, as a fraction of the block's largest.
const LEAST: f64 = 1e-3;
/// Steps between two turns of the axes.
const TURN_EVERY: i32 = 10;

impl Adam {
    pub fn new(parameters: usize, kept: [f64; 2]) -> Self {
        Self {
            kept,
            first: vec![0.0; parameters],
            second: vec![0.0; parameters],
            blocks: Vec::new(),
            steps: 0,
        }
    }

    /// The same with axes of their own for blocks of so many parameters.
    pub fn with_blocks(self, starts: impl Iterator<Item = usize>, size: usize) -> Self {
        let block = |start| Block {
            start,
            products: Mat::zeros(size, size),
            axes: Mat::identity(size, size),
        };
        Self {
            blocks: starts.map(block).collect(),
            ..self
        }
    }

    /// Moves parameters against their gradient, each as far as its `reach` times the rate;
    /// those whose reach is zero stay.
    pub fn step(&mut self, parameters: &mut [f64], gradient: &[f64], reach: &[f64], rate: f64) {
        self.steps = self.steps.saturating_add(1);
        let [beta_1, beta_2] = self.kept;
        let bias_1 = 1.0 - beta_1.powi(self.steps);
        let bias_2 = 1.0 - beta_2.powi(self.steps);
        // In parameters that reach equally far.
        let gradient: Vec<f64> = gradient
            .iter()
            .zip(reach)
            .map(|(&g, reach)| if g.is_finite() { g * reach } else { 0.0 })
            .collect();
        for (first, g) in self.first.iter_mut().zip(&gradient) {
            *first = beta_1 * *first + (1.0 - beta_1) * g;
        }
        let (mut along, mut step) = (gradient.clone(), self.first.clone());
        for block in &self.blocks {
            block.to_axes(&mut along);
            block.to_axes(&mut step);
        }
        for (second, g) in self.second.iter_mut().zip(&along) {
            *second = beta_2 * *second + (1.0 - beta_2) * g * g;
        }
        let mut second = self.second.clone();
        for block in &self.blocks {
            block.raise(&mut second);
        }
        for (step, second) in step.iter_mut().zip(&second) {
            *step = (*step / bias_1) / ((second / bias_2).sqrt() + EPSILON);
        }
        for block in &self.blocks {
            block.back_from_axes(&mut step);
        }
        for ((x, step), reach) in parameters.iter_mut().zip(&step).zip(reach) {
            *x -= rate * reach * step;
        }
        self.turn_axes(&gradient);
    }

    /// Follows how gradients vary together, and every so often turns the axes by it.
    fn turn_axes(&mut self, gradient: &[f64]) {
        for block in &mut self.blocks {
            block.follow(gradient, self.kept[1]);
        }
        if self.steps % TURN_EVERY == 0 {
            self.blocks.par_iter_mut().for_each(Block::rotate);
            for block in &self.blocks {
                block.second_moments(&mut self.second);
            }
        }
    }
}

impl Block {
    fn size(&self) -> usize {
        self.axes.nrows()
    }

    fn follow(&mut self, gradient: &[f64], kept: f64) {
        let size = self.size();
        let gradient = &gradient[self.start..self.start + size];
        for (j, gj) in gradient.iter().enumerate() {
            for (i, gi) in gradient.iter().enumerate() {
                self.products[(i, j)] = kept * self.products[(i, j)] + (1.0 - kept) * gi * gj;
            }
        }
    }

    /// Lays the axes along the eigenvectors; where none are found they stay.
    fn rotate(&mut self) {
        let largest = (0..self.size()).fold(0.0, |most: f64, i| most.max(self.products[(i, i)]));
        if largest < FORGOTTEN {
            // No gradient for long, as a site that is nowhere the nearest. Ever smaller numbers
            // would be slow and have no eigenvectors.
            self.products.fill(0.0);
            return;
        }
        if let Ok(found) = self.products.self_adjoint_eigen(Side::Lower) {
            self.axes.copy_from(found.U());
        }
    }

    /// Raises second moments that are nearly nothing beside the block's largest. What hardly
    /// changes the loss would go as far as everything else, always the same way: a site of
    /// the corpus grew until its numbers overflowed.
    fn raise(&self, second: &mut [f64]) {
        let own = &mut second[self.start..self.start + self.size()];
        let largest = own.iter().copied().fold(0.0, f64::max);
        own.iter_mut().for_each(|x| *x = x.max(LEAST * largest));
    }

    /// The second moments along the axes, aᵀ·products·a.
    fn second_moments(&self, all: &mut [f64]) {
        let size = self.size();
        for k in 0..size {
            let mut sum = 0.0;
            for j in 0..size {
                for i in 0..size {
                    sum += self.axes[(i, k)] * self.products[(i, j)] * self.axes[(j, k)];
                }
            }
            all[self.start + k] = sum.max(0.0);
        }
    }

    fn to_axes(&self, all: &mut [f64]) {
        let own = &mut all[self.start..self.start + self.size()];
        let before: SmallVec<[f64; 16]> = own.iter().copied().collect();
        for (k, x) in own.iter_mut().enumerate() {
            *x = before
                .iter()
                .enumerate()
                .map(|(i, b)| self.axes[(i, k)] * b)
                .sum();
        }
    }

    fn back_from_axes(&self, all: &mut [f64]) {
        let own = &mut all[self.start..self.start + self.size()];
        let before: SmallVec<[f64; 16]> = own.iter().copied().collect();
        for (i, x) in own.iter_mut().enumerate() {
            *x = before
                .iter()
                .enumerate()
                .map(|(k, b)| self.axes[(i, k)] * b)
                .sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_valley_and_leaves_the_rest() {
        for kept in [PUBLISHED, [0.8, 0.95]] {
            for blocks in [0..0, 0..1] {
                let mut x = vec![3.0, -2.0, 5.0];
                let mut adam = Adam::new(3, kept).with_blocks(blocks, 3);
                for _ in 0..3000 {
                    let gradient = [2.0 * (x[0] - 1.0), 200.0 * x[1], 1.0];
                    adam.step(&mut x, &gradient, &[1.0, 1.0, 0.0], 1e-2);
                }
                assert!((x[0] - 1.0).abs() < 1e-3 && x[1].abs() < 1e-3, "{x:?}");
                assert_eq!(x[2], 5.0);
            }
        }
    }

    /// As published, word for word.
    #[test]
    fn without_blocks_it_is_adam() {
        let [beta_1, beta_2] = PUBLISHED;
        let (mut x, mut m, mut v) = (vec![1.0], 0.0, 0.0);
        let mut adam = Adam::new(1, PUBLISHED);
        let mut expected = 1.0;
        for t in 1..=50 {
            let g = f64::sin(f64::from(t));
            m = beta_1 * m + (1.0 - beta_1) * g;
            v = beta_2 * v + (1.0 - beta_2) * g * g;
            let (m, v) = (m / (1.0 - beta_1.powi(t)), v / (1.0 - beta_2.powi(t)));
            expected -= 1e-2 * 3.0 * m / v.sqrt();
            adam.step(&mut x, &[g], &[3.0], 1e-2);
            assert!((x[0] - expected).abs() < 1e-9, "{} for {expected}", x[0]);
        }
    }

    #[test]
    fn a_block_that_is_no_longer_felt_stays_and_moves_again_later() {
        let mut x = vec![1.0, 1.0];
        let mut adam = Adam::new(2, [0.8, 0.95]).with_blocks(0..1, 2);
        let mut steps = |x: &mut Vec<f64>, count: usize, gradient: [f64; 2]| {
            (0..count).for_each(|_| adam.step(x, &gradient, &[1.0, 1.0], 1e-2));
        };
        steps(&mut x, 20, [1.0, 2.0]);
        steps(&mut x, 200, [0.0, 0.0]);
        let rested = x.clone();
        steps(&mut x, 20_000, [0.0, 0.0]);
        assert!((x[0] - rested[0]).abs() < 1e-6 && (x[1] - rested[1]).abs() < 1e-6);
        steps(&mut x, 20, [1.0, 2.0]);
        assert!(
            x[0] < rested[0] - 0.01 && x[1] < rested[1] - 0.01,
            "{x:?} from {rested:?}"
        );
    }

    /// Along what changes nothing but for a hint of a gradient it hardly goes.
    #[test]
    fn what_is_hardly_felt_hardly_moves() {
        let mut x = vec![1.0, 0.0];
        let mut adam = Adam::new(2, [0.8, 0.95]).with_blocks(0..1, 2);
        for step in 0..1000 {
            let noise = if step % 2 == 0 { 1.0 } else { -1.0 };
            adam.step(&mut x, &[noise, 1e-6], &[1.0, 1.0], 1e-2);
        }
        assert!(x[1].abs() < 1e-3, "{x:?}");
    }

    /// A valley that runs across the parameters: Adam along them creeps, along its axes it
    /// does not matter how the valley lies.
    #[test]
    fn axes_turn_into_a_valley() {
        let steps_to_bottom = |blocks: std::ops::Range<usize>| {
            let mut random = Random::new(1);
            let mut x: Vec<f64> = vec![1.0, 0.9];
            let mut adam = Adam::new(2, [0.8, 0.95]).with_blocks(blocks, 2);
            for step in 0..20_000 {
                let (along, across) = (x[0] + x[1], x[0] - x[1]);
                if along.abs() < 0.2 && across.abs() < 0.2 {
                    return step;
                }
                // Noise like that of gradients over few poses.
                let across = 1e3 * (across + random.between(-1e-2, 1e-2));
                adam.step(&mut x, &[along + across, along - across], &[1.0, 1.0], 1e-3);
            }
            usize::MAX
        };
        let (rotated, straight) = (steps_to_bottom(0..1), steps_to_bottom(0..0));
        assert!(3 * rotated < straight, "{rotated} steps, {straight} without axes");
    }
}
