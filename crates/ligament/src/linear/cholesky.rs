//! Sparse Cholesky factorisation of a positive definite matrix (faer's, with approximate
//! minimum degree as the order of elimination).

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use rayon::prelude::*;

use super::SymmetricMatrix;
use super::side_by_side::{self, BLOCK, Together};

/// Why a system cannot be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// The factor does not fit.
    #[error("a system of {size} unknowns does not fit into memory; reduce the mesh")]
    TooLarge {
        /// How many unknowns it has.
        size: usize,
    },
    /// The matrix is not positive definite, so that there is no answer or many.
    #[error("a system of {size} unknowns has no single answer: some of them depend on nothing")]
    NotPositiveDefinite {
        /// How many unknowns it has.
        size: usize,
    },
}

/// In which order to eliminate unknowns so that few new entries arise, and where those
/// are. Serves every matrix with the same entries, whatever their values.
#[derive(Debug)]
pub struct EliminationOrder {
    symbolic: SymbolicCholesky<u32>,
}

impl EliminationOrder {
    /// Finds an order for the matrix whose upper triangle has its entries at `columns`,
    /// row by row from `starts`; see [`SymmetricMatrix`].
    pub fn of(starts: &[u32], columns: &[u32]) -> Result<Self, LinearError> {
        let size = starts.len().saturating_sub(1);
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, starts, None, columns);
        let params = CholeskySymbolicParams::default();
        factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params)
            .map(|symbolic| Self { symbolic })
            .map_err(|_| LinearError::TooLarge { size })
    }
}

/// A factorised matrix, ready to solve.
#[derive(Debug, Clone)]
pub struct Cholesky {
    order: Arc<EliminationOrder>,
    factor: Vec<f64>,
}

impl Cholesky {
    /// Factorises a positive definite matrix.
    pub fn of(matrix: &SymmetricMatrix) -> Result<Self, LinearError> {
        let order = EliminationOrder::of(&matrix.starts, &matrix.columns)?;
        Self::with_order(Arc::new(order), matrix)
    }

    /// Factorises a matrix that has its entries where the order expects them.
    pub fn with_order(order: Arc<EliminationOrder>, matrix: &SymmetricMatrix) -> Result<Self, LinearError> {
        let size = matrix.size();
        let too_large = LinearError::TooLarge { size };
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &matrix.starts, None, &matrix.columns);
        let values = SparseColMatRef::new(pattern, &matrix.values);
        let mut factor = Vec::new();
        let entries = order.symbolic.len_val();
        factor.try_reserve_exact(entries).map_err(|_| too_large)?;
        factor.resize(entries, 0.0);
        let need = order
            .symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(need).map_err(|_| too_large)?;
        order
            .symbolic
            .factorize_numeric_llt(
                &mut factor,
                values,
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|_| LinearError::NotPositiveDefinite { size })?;
        Ok(Self { order, factor })
    }

    /// How many unknowns there are.
    pub fn size(&self) -> usize {
        self.order.symbolic.nrows()
    }

    /// Replaces right-hand sides, one after the other in `columns`, by the solutions. On
    /// the caller's thread.
    pub fn solve_in_place(&self, columns: &mut [f64]) -> Result<(), LinearError> {
        let size = self.size();
        if size == 0 {
            return Ok(());
        }
        let count = columns.len() / size;
        let need = self.order.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq);
        let mut memory = MemBuffer::try_new(need).map_err(|_| LinearError::TooLarge { size })?;
        LltRef::new(&self.order.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(&mut columns[..count * size], size, count),
            Par::Seq,
            MemStack::new(&mut memory),
        );
        Ok(())
    }

    /// Solves for `count` right-hand sides on all threads of the caller's pool. `entries` gives
    /// those of a number that are not zero; `read` takes what it needs of the solutions of a
    /// block of at most [`BLOCK`] numbers. What `read` returned comes back in order.
    pub fn solve_many<'a, T: Send, E: From<LinearError> + Send>(
        &self,
        count: usize,
        entries: impl Fn(usize) -> &'a [(u32, f64)] + Sync,
        read: impl Fn(std::ops::Range<usize>, Solutions<'_>) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        (0..count.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let indices = block * BLOCK..count.min((block + 1) * BLOCK);
                let sides: Vec<&[(u32, f64)]> = indices.clone().map(&entries).collect();
                self.solved_block(&sides, |solutions| read(indices, solutions))
            })
            .collect()
    }

    fn solved_block<T, E: From<LinearError>>(
        &self,
        sides: &[&[(u32, f64)]],
        read: impl FnOnce(Solutions<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let size = self.size();
        let mut rows = vec![Together::default(); size];
        let SymbolicCholeskyRaw::Simplicial(simplicial) = self.order.symbolic.raw() else {
            // A factor of dense pieces: one column after the other.
            let mut columns = vec![0.0; size * sides.len()];
            for (column, side) in columns.chunks_exact_mut(size.max(1)).zip(sides) {
                side.iter()
                    .for_each(|&(unknown, value)| column[unknown as usize] = value);
            }
            self.solve_in_place(&mut columns)?;
            for (lane, column) in columns.chunks_exact(size.max(1)).enumerate() {
                rows.iter_mut()
                    .zip(column)
                    .for_each(|(row, &value)| row[lane] = value);
            }
            return read(Solutions {
                rows: &rows,
                places: None,
            });
        };
        let places = self.order.symbolic.perm().map(|perm| perm.arrays().1);
        for (lane, side) in sides.iter().enumerate() {
            for &(unknown, value) in *side {
                let place = places.map_or(unknown, |p| p[unknown as usize]);
                rows[place as usize][lane] = value;
            }
        }
        side_by_side::solve(simplicial, &self.factor, &mut rows);
        read(Solutions { rows: &rows, places })
    }
}

/// The solutions for a block of right-hand sides.
#[derive(Debug, Clone, Copy)]
pub struct Solutions<'a> {
    rows: &'a [Together],
    /// Where each unknown's row is, where they are not in order.
    places: Option<&'a [u32]>,
}

impl Solutions<'_> {
    /// What an unknown is for each of the right-hand sides; zeros where there are fewer than [`BLOCK`].
    pub fn of(&self, unknown: usize) -> &[f64; BLOCK] {
        &self.rows[self.places.map_or(unknown, |p| p[unknown] as usize)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Laplacian;

    fn matrix(heat: f64) -> SymmetricMatrix {
        let character = crate::sample::make("hound@3000").unwrap();
        let points: Vec<_> = character.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let laplacian = Laplacian::of(&points, &character.mesh.triangles);
        laplacian.matrix(&vec![heat; points.len()], 1.0, 1e-6)
    }

    #[test]
    fn solutions_satisfy_their_equations() {
        let matrix = matrix(1e-3);
        let cholesky = Cholesky::of(&matrix).unwrap();
        let size = matrix.size();
        // Some of them sparse, as sources are.
        let side = |index: usize, row: usize| match row % (index % 3 * 40 + 1) {
            0 => ((row * 7 + index * 13) % 101) as f64,
            _ => 0.0,
        };
        // More than two blocks, the last one short.
        let count = 2 * BLOCK + 3;
        let sides: Vec<Vec<(u32, f64)>> = (0..count)
            .map(|index| (0..size).map(|row| (row as u32, side(index, row))).collect())
            .collect();
        let read = |indices: std::ops::Range<usize>, solutions: Solutions<'_>| {
            for (lane, index) in indices.clone().enumerate() {
                let column: Vec<f64> = (0..size).map(|row| solutions.of(row)[lane]).collect();
                for (row, value) in matrix.times(&column).into_iter().enumerate() {
                    assert!((value - side(index, row)).abs() < 1e-6, "{value}");
                }
                // The same to the bit as alone.
                let mut alone: Vec<f64> = (0..size).map(|row| side(index, row)).collect();
                cholesky.solve_in_place(&mut alone).unwrap();
                assert_eq!(column, alone);
            }
            Ok::<_, LinearError>(indices)
        };
        let blocks = cholesky
            .solve_many(count, |index| &sides[index][..], read)
            .unwrap();
        assert_eq!(
            blocks.into_iter().flatten().collect::<Vec<_>>(),
            (0..count).collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_order_serves_other_values() {
        let (first, second) = (matrix(1e-3), matrix(1.0));
        let order = Arc::new(EliminationOrder::of(&first.starts, &first.columns).unwrap());
        let shared = Cholesky::with_order(order, &second).unwrap();
        let own = Cholesky::of(&second).unwrap();
        let mut a = vec![1.0; second.size()];
        let mut b = a.clone();
        shared.solve_in_place(&mut a).unwrap();
        own.solve_in_place(&mut b).unwrap();
        assert_eq!(a, b);
    }

    #[test]
    fn what_has_no_single_answer_is_refused_and_nothing_is_solved_by_nothing() {
        let mut negative = matrix(1e-3);
        negative.values[0] = -1.0;
        let size = negative.size();
        assert_eq!(
            Cholesky::of(&negative).err(),
            Some(LinearError::NotPositiveDefinite { size })
        );
        let empty = SymmetricMatrix {
            starts: vec![0],
            ..SymmetricMatrix::default()
        };
        assert_eq!(Cholesky::of(&empty).unwrap().solve_in_place(&mut []), Ok(()));
    }
}
