//! The part of heat's system that bones do not change.

use crate::bind::heat::{HeatSurface, LEAST_AREA_OF_BILAPLACIAN, LEAST_EDGE, SMOOTHING_LENGTH};
use crate::linear::SymmetricMatrix;

/// −a·C + b·ℓ²·C·M⁻¹·C for one smoothness b and a = 1 − b (seed 003, equation 3), in whole
/// rows.
#[derive(Debug)]
pub(super) struct Operator {
    /// b.
    pub smoothness: f64,
    /// ℓ²·b, the factor of the bi-Laplacian.
    pub stiffness: f64,
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// The diagonal.
    pub diagonal: Vec<f64>,
}

impl Operator {
    /// The operator on a surface.
    pub fn of(surface: &HeatSurface, smoothness: f64) -> Self {
        let laplacian = &surface.laplacian;
        let zero = vec![0.0; laplacian.len()];
        let length = SMOOTHING_LENGTH * surface.skin.body.diagonal;
        let stiffness = smoothness * length * length;
        let mut matrix = SymmetricMatrix::with_laplacian(&zero, laplacian, 1.0 - smoothness, LEAST_EDGE);
        if smoothness > 0.0 {
            let plain = SymmetricMatrix::with_laplacian(&zero, laplacian, 1.0, LEAST_EDGE);
            let mean = laplacian.areas.iter().sum::<f64>() / laplacian.len().max(1) as f64;
            let least = if mean > 0.0 {
                LEAST_AREA_OF_BILAPLACIAN * mean
            } else {
                1.0
            };
            let areas: Vec<f64> = laplacian.areas.iter().map(|a| a.max(least)).collect();
            matrix = matrix.plus_square(stiffness, &plain, &areas);
        }
        let mut operator = Self {
            smoothness,
            stiffness,
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            diagonal: Vec::with_capacity(laplacian.len()),
        };
        for (row, entries) in matrix.rows().into_iter().enumerate() {
            for (column, value) in entries {
                if column as usize == row {
                    operator.diagonal.push(value);
                } else {
                    operator.columns.push(column);
                    operator.values.push(value);
                }
            }
            operator.starts.push(operator.columns.len() as u32);
        }
        operator
    }

    /// The entries of a row beside its diagonal, columns ascending.
    pub fn row(&self, position: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[position] as usize..self.starts[position + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.values[range].iter().copied())
    }

    /// By which share a disturbance fades over each unit of length where the heat is H: the
    /// real part of the slowest root k of b·ℓ²·k⁴ − a·k² + H = 0.
    pub fn decay(&self, heat: f64) -> f64 {
        if self.stiffness == 0.0 {
            return heat.sqrt();
        }
        let (stiff, a) = (self.stiffness, 1.0 - self.smoothness);
        let inside = a * a - 4.0 * stiff * heat;
        let squared = if inside >= 0.0 {
            2.0 * heat / (a + inside.sqrt())
        } else {
            ((heat / stiff).sqrt() + a / (2.0 * stiff)) / 2.0
        };
        squared.sqrt()
    }
}
