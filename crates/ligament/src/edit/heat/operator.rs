//! Heat's system: the part that bones do not change, and a factor that follows the rest.

use crate::bind::heat::{HeatSurface, LEAST_AREA_OF_BILAPLACIAN, LEAST_EDGE, SMOOTHING_LENGTH};
use crate::geometry::Laplacian;
use crate::linear::{Deferred, LinearError, SymmetricMatrix, UpdatableFactor};

/// −a·C + b·ℓ²·C·M⁻¹·C for one smoothness b and a = 1 − b (Bang et al. 2015, equation 3).
#[derive(Debug)]
pub(super) struct Operator {
    /// b.
    pub smoothness: f64,
    /// The upper triangle.
    pub matrix: SymmetricMatrix,
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// The diagonal.
    pub diagonal: Vec<f64>,
    /// Of the operator with some M·H on the diagonal.
    pub factor: UpdatableFactor,
    /// What solves with the factor left out.
    pub deferred: Deferred,
}

impl Operator {
    /// The operator on a surface, factorised with `heat` M·H. Of `others`, which are on the
    /// same surface, it takes what it can use.
    pub fn of(
        surface: &HeatSurface,
        smoothness: f64,
        heat: &[f64],
        others: &[Self],
    ) -> Result<Self, LinearError> {
        let matrix = matrix(surface, smoothness);
        let same_pattern = |o: &&Self| o.matrix.starts == matrix.starts && o.matrix.columns == matrix.columns;
        let factor = match others.iter().find(same_pattern) {
            Some(other) => other.factor.like(&matrix, heat)?,
            None => UpdatableFactor::of(surface.domain.skin.points(), &matrix, heat)?,
        };
        let mut operator = Self {
            smoothness,
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            diagonal: Vec::with_capacity(surface.laplacian.len()),
            deferred: factor.nothing_left_out(),
            factor,
            matrix,
        };
        for (row, entries) in operator.matrix.rows().into_iter().enumerate() {
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
        Ok(operator)
    }

    /// The entries of a row beside its diagonal, columns ascending.
    pub fn row(&self, position: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[position] as usize..self.starts[position + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.values[range].iter().copied())
    }
}

fn matrix(surface: &HeatSurface, smoothness: f64) -> SymmetricMatrix {
    let laplacian: &Laplacian = &surface.laplacian;
    let zero = vec![0.0; laplacian.len()];
    let matrix = laplacian.matrix(&zero, 1.0 - smoothness, LEAST_EDGE);
    if smoothness == 0.0 {
        return matrix;
    }
    let plain = laplacian.matrix(&zero, 1.0, LEAST_EDGE);
    let mean = laplacian.areas.iter().sum::<f64>() / laplacian.len().max(1) as f64;
    let least = if mean > 0.0 {
        LEAST_AREA_OF_BILAPLACIAN * mean
    } else {
        1.0
    };
    let areas: Vec<f64> = laplacian.areas.iter().map(|a| a.max(least)).collect();
    let length = SMOOTHING_LENGTH * surface.domain.skin.diagonal();
    matrix.plus_square(smoothness * length * length, &plain, &areas)
}
