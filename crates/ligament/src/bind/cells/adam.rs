//! Adam (Kingma and Ba 2015), the optimiser of the paper.

/// Moments of a list of parameters.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    first: Vec<f64>,
    second: Vec<f64>,
    steps: i32,
    /// β₁ and β₂: how much of the moments each step keeps.
    kept: [f64; 2],
}

/// β as published.
pub(super) const PUBLISHED: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-10;

impl Adam {
    pub fn new(parameters: usize, kept: [f64; 2]) -> Self {
        Self {
            kept,
            first: vec![0.0; parameters],
            second: vec![0.0; parameters],
            steps: 0,
        }
    }

    /// Moves parameters against their gradient, each as far as its `reach` times the rate;
    /// those whose reach is zero stay.
    pub fn step(&mut self, parameters: &mut [f64], gradient: &[f64], reach: &[f64], rate: f64) {
        self.steps = self.steps.saturating_add(1);
        let [beta_1, beta_2] = self.kept;
        let bias_1 = 1.0 - beta_1.powi(self.steps);
        let bias_2 = 1.0 - beta_2.powi(self.steps);
        for i in 0..parameters.len() {
            if reach[i] == 0.0 || !gradient[i].is_finite() {
                continue;
            }
            self.first[i] = beta_1 * self.first[i] + (1.0 - beta_1) * gradient[i];
            self.second[i] = beta_2 * self.second[i] + (1.0 - beta_2) * gradient[i] * gradient[i];
            parameters[i] -=
                rate * reach[i] * (self.first[i] / bias_1) / ((self.second[i] / bias_2).sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_valley_and_leaves_the_rest() {
        for kept in [PUBLISHED, [0.8, 0.98]] {
            let mut x = vec![3.0, -2.0, 5.0];
            let mut adam = Adam::new(3, kept);
            for _ in 0..3000 {
                let gradient = [2.0 * (x[0] - 1.0), 200.0 * x[1], 1.0];
                adam.step(&mut x, &gradient, &[1.0, 1.0, 0.0], 1e-2);
            }
            assert!((x[0] - 1.0).abs() < 1e-3 && x[1].abs() < 1e-3, "{x:?}");
            assert_eq!(x[2], 5.0);
        }
    }
}
