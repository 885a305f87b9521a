//! The part of heat's system that bones do not change.

use std::sync::Arc;

use super::patches::Patches;
use crate::bind::heat::{HeatSurface, LEAST_AREA_OF_BILAPLACIAN, LEAST_EDGE, SMOOTHING_LENGTH};
use crate::linear::{EliminationOrder, LinearError, SymmetricMatrix};
use crate::surface::Laplacian;

/// −a·C + b·ℓ²·C·M⁻¹·C for one smoothness b and a = 1 − b (seed 003, equation 3), in whole
/// rows, and the same between patches.
#[derive(Debug)]
pub(super) struct Operator {
    /// b.
    pub smoothness: f64,
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// The diagonal.
    pub diagonal: Vec<f64>,
    /// The same operator with positions in the order of elimination.
    pub in_order: SymmetricMatrix,
    /// Between patches.
    pub coarse: SymmetricMatrix,
    /// In which order patches are eliminated.
    pub coarse_order: Arc<EliminationOrder>,
}

impl Operator {
    /// The operator on a surface.
    /// `ranks` says when a position's unknown is eliminated.
    pub fn of(
        surface: &HeatSurface,
        ranks: &[u32],
        patches: &Patches,
        smoothness: f64,
    ) -> Result<Self, LinearError> {
        let length = SMOOTHING_LENGTH * surface.skin.body.diagonal;
        let stiffness = smoothness * length * length;
        let coarse = matrix(&patches.laplacian, smoothness, stiffness);
        let mut operator = Self {
            smoothness,
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            diagonal: Vec::with_capacity(surface.laplacian.len()),
            in_order: SymmetricMatrix::default(),
            coarse_order: Arc::new(EliminationOrder::of(&coarse.starts, &coarse.columns)?),
            coarse,
        };
        let fine = matrix(&surface.laplacian, smoothness, stiffness);
        let entries = (0..fine.size()).flat_map(|row| {
            let entry = move |(column, value): (u32, f64)| (ranks[row], ranks[column as usize], value);
            fine.upper_row(row).map(entry)
        });
        operator.in_order = SymmetricMatrix::from_entries(fine.size(), entries);
        for (row, entries) in fine.rows().into_iter().enumerate() {
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

/// The operator as a matrix. `stiffness` is ℓ²·b, the factor of the bi-Laplacian.
fn matrix(laplacian: &Laplacian, smoothness: f64, stiffness: f64) -> SymmetricMatrix {
    let zero = vec![0.0; laplacian.len()];
    let matrix = SymmetricMatrix::with_laplacian(&zero, laplacian, 1.0 - smoothness, LEAST_EDGE);
    if smoothness == 0.0 {
        return matrix;
    }
    let plain = SymmetricMatrix::with_laplacian(&zero, laplacian, 1.0, LEAST_EDGE);
    let mean = laplacian.areas.iter().sum::<f64>() / laplacian.len().max(1) as f64;
    let least = if mean > 0.0 {
        LEAST_AREA_OF_BILAPLACIAN * mean
    } else {
        1.0
    };
    let areas: Vec<f64> = laplacian.areas.iter().map(|a| a.max(least)).collect();
    matrix.plus_square(stiffness, &plain, &areas)
}
