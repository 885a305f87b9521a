//! Percentiles and the like, the same on every machine and thread count.

/// The `percent`-th percentile of numbers, straight between the two nearest ranks (what
/// numpy calls `linear`); 0 for none. Sorts the numbers.
pub(super) fn percentile(values: &mut [f64], percent: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_unstable_by(f64::total_cmp);
    let at = percent / 100.0 * (values.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(values.len() - 1);
    values[below] + (at - below as f64) * (values[above] - values[below])
}

/// The mean of numbers; 0 for none.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / count.max(1) as f64
}

/// Counts of numbers in `0.0..8.0` in steps of 1/4096, so that percentiles over all edges
/// of all frames need no memory for each. Counts are whole: the order of adding is not
/// seen in the result.
#[derive(Clone)]
pub(super) struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    const STEPS: f64 = 4096.0;
    const BINS: usize = 8 * 4096;

    pub fn new() -> Self {
        Self {
            counts: vec![0; Self::BINS],
        }
    }

    /// The bin of a number; what is larger than the range falls into the last.
    pub fn bin(value: f64) -> u16 {
        (value * Self::STEPS).min((Self::BINS - 1) as f64) as u16
    }

    pub fn add(&mut self, bin: u16) {
        self.counts[usize::from(bin)] += 1;
    }

    /// The `percent`-th percentile to within one step: the upper end of the bin in which
    /// it lies; 0 for no numbers.
    pub fn percentile(&self, percent: f64) -> f64 {
        let total: u64 = self.counts.iter().sum();
        if total == 0 {
            return 0.0;
        }
        let rank = percent / 100.0 * (total - 1) as f64;
        let mut seen = 0;
        for (bin, &count) in self.counts.iter().enumerate() {
            seen += count;
            if count > 0 && (seen - 1) as f64 >= rank {
                // A number in the very first bin may be exactly zero; say so.
                return if bin == 0 {
                    0.0
                } else {
                    (bin + 1) as f64 / Self::STEPS
                };
            }
        }
        Self::BINS as f64 / Self::STEPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_numpys() {
        let mut values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(percentile(&mut values, 50.0), 2.5);
        assert_eq!(percentile(&mut values, 100.0), 4.0);
        assert!((percentile(&mut values, 95.0) - 3.85).abs() < 1e-12);
        assert_eq!(percentile(&mut [], 95.0), 0.0);
    }

    #[test]
    fn the_histogram_agrees_with_sorting() {
        let mut values: Vec<f64> = (0..10_000).map(|i| (f64::from(i) * 0.37).sin().abs()).collect();
        let mut histogram = Histogram::new();
        for &v in &values {
            histogram.add(Histogram::bin(v));
        }
        for percent in [1.0, 50.0, 99.0, 99.9] {
            let sorted = percentile(&mut values, percent);
            assert!((histogram.percentile(percent) - sorted).abs() < 2.0 / 4096.0);
        }
        assert_eq!(Histogram::new().percentile(99.0), 0.0);
        assert_eq!(Histogram::bin(1e30), 8 * 4096 - 1);
    }
}
