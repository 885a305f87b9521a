//! A sparse symmetric matrix.

/// The upper triangle of a symmetric matrix, row by row. Every row begins with its
/// diagonal entry, and columns ascend.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SymmetricMatrix {
    /// Where each row begins in `columns` and `values`; one more at the end.
    pub starts: Vec<u32>,
    /// The column of each entry, never before its row.
    pub columns: Vec<u32>,
    /// The entries.
    pub values: Vec<f64>,
}

impl SymmetricMatrix {
    /// The diagonal and the Laplacian of a graph: `edges(row)` are the neighbours of a row with positive
    /// weights, ascending and the same from both ends.
    pub fn of_graph<E: Iterator<Item = (u32, f64)>>(diagonal: &[f64], edges: impl Fn(usize) -> E) -> Self {
        let mut matrix = Self::with_capacity(diagonal.len(), 3 * diagonal.len());
        for (row, &own) in diagonal.iter().enumerate() {
            let sum: f64 = edges(row).map(|(_, weight)| weight).sum();
            matrix.push(row as u32, own + sum);
            for (to, weight) in edges(row).filter(|&(to, _)| to as usize > row) {
                matrix.push(to, -weight);
            }
            matrix.end_row();
        }
        matrix
    }

    /// The matrix of `size` rows whose entries are the sums of those given at the same row and column;
    /// an entry (row, column) below the diagonal counts as (column, row). Sums are taken in
    /// the order given.
    pub fn from_entries(size: usize, entries: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        let mut rows: Vec<Vec<(u32, f64)>> = (0..size as u32).map(|row| vec![(row, 0.0)]).collect();
        for (a, b, value) in entries {
            rows[a.min(b) as usize].push((a.max(b), value));
        }
        let mut matrix = Self::with_capacity(size, 0);
        for mut row in rows {
            row.sort_by_key(|e| e.0);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                matrix.push(same[0].0, same.iter().map(|e| e.1).sum());
            }
            matrix.end_row();
        }
        matrix
    }

    /// `self + scale·S D⁻¹ S` for the symmetric matrix `S` = `other` and a positive diagonal
    /// `D`: with the Laplacian and the areas, the bi-Laplacian.
    pub fn plus_square(&self, scale: f64, other: &Self, diagonal: &[f64]) -> Self {
        let size = self.size();
        let full = other.rows();
        let mut matrix = Self::with_capacity(size, 4 * self.columns.len());
        // One dense row at a time; `marks` says which of its entries are in use.
        let (mut dense, mut marks) = (vec![0.0; size], vec![u32::MAX; size]);
        let mut used: Vec<u32> = Vec::new();
        for row in 0..size {
            used.clear();
            let mut add = |column: u32, value: f64| {
                if marks[column as usize] != row as u32 {
                    marks[column as usize] = row as u32;
                    dense[column as usize] = 0.0;
                    used.push(column);
                }
                dense[column as usize] += value;
            };
            for (column, value) in self.upper_row(row) {
                add(column, value);
            }
            for &(middle, left) in &full[row] {
                let factor = scale * left / diagonal[middle as usize];
                for &(column, right) in full[middle as usize].iter().filter(|e| e.0 as usize >= row) {
                    add(column, factor * right);
                }
            }
            used.sort_unstable();
            for &column in &used {
                matrix.push(column, dense[column as usize]);
            }
            matrix.end_row();
        }
        matrix
    }

    /// The matrix with `added` on its diagonal.
    pub fn plus_diagonal(mut self, added: &[f64]) -> Self {
        for (&start, added) in self.starts.iter().zip(added) {
            self.values[start as usize] += added;
        }
        self
    }

    /// The rows and columns named by `kept`, which ascends, renumbered in that order.
    pub fn submatrix(&self, kept: &[u32]) -> Self {
        const OUT: u32 = u32::MAX;
        let mut renumbered = vec![OUT; self.size()];
        for (new, &old) in kept.iter().enumerate() {
            renumbered[old as usize] = new as u32;
        }
        let mut matrix = Self::with_capacity(kept.len(), 4 * kept.len());
        for &row in kept {
            for (column, value) in self.upper_row(row as usize) {
                if renumbered[column as usize] != OUT {
                    matrix.push(renumbered[column as usize], value);
                }
            }
            matrix.end_row();
        }
        matrix
    }

    /// How many rows there are, and columns.
    pub fn size(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// A row's entries from the diagonal on.
    pub fn upper_row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.values[range].iter().copied())
    }

    /// The matrix times a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.size()];
        for row in 0..self.size() {
            for (column, value) in self.upper_row(row) {
                product[row] += value * vector[column as usize];
                if column as usize != row {
                    product[column as usize] += value * vector[row];
                }
            }
        }
        product
    }

    /// Whole rows, both triangles, columns ascending.
    pub(crate) fn rows(&self) -> Vec<Vec<(u32, f64)>> {
        let mut rows = vec![Vec::new(); self.size()];
        for row in 0..self.size() {
            for (column, value) in self.upper_row(row) {
                rows[row].push((column, value));
                if column as usize != row {
                    rows[column as usize].push((row as u32, value));
                }
            }
        }
        for row in &mut rows {
            row.sort_unstable_by_key(|e| e.0);
        }
        rows
    }

    fn with_capacity(size: usize, off_diagonal: usize) -> Self {
        let mut starts = Vec::with_capacity(size + 1);
        starts.push(0);
        Self {
            starts,
            columns: Vec::with_capacity(size + off_diagonal),
            values: Vec::with_capacity(size + off_diagonal),
        }
    }

    fn push(&mut self, column: u32, value: f64) {
        self.columns.push(column);
        self.values.push(value);
    }

    fn end_row(&mut self) {
        self.starts.push(self.columns.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of four corners: sides of weight `side`, one diagonal from 0 to 2.
    fn square(diagonal: &[f64], side: f64, across: f64) -> SymmetricMatrix {
        let edges = [
            vec![(1, side), (2, across), (3, side)],
            vec![(0, side), (2, side)],
            vec![(0, across), (1, side), (3, side)],
            vec![(0, side), (2, side)],
        ];
        SymmetricMatrix::of_graph(diagonal, |row| edges[row].iter().copied())
    }

    fn dense(matrix: &SymmetricMatrix) -> Vec<Vec<f64>> {
        let unit = |i| (0..matrix.size()).map(|j| f64::from(i == j)).collect::<Vec<_>>();
        (0..matrix.size()).map(|i| matrix.times(&unit(i))).collect()
    }

    #[test]
    fn rows_of_a_graph_sum_to_the_diagonal() {
        let matrix = square(&[1.0, 2.0, 3.0, 4.0], 1.0, 0.5);
        for (row, sum) in matrix.times(&[1.0; 4]).into_iter().zip([1.0, 2.0, 3.0, 4.0]) {
            assert!((row - sum).abs() < 1e-12);
        }
        let full = dense(&matrix);
        assert_eq!((full[0][1], full[0][2], full[1][3]), (-1.0, -0.5, 0.0));
    }

    #[test]
    fn the_square_is_the_square() {
        let zero = [0.0; 4];
        let l = square(&zero, 0.5, 0.0);
        let diagonal = [1.0, 2.0, 4.0, 8.0];
        let sum = square(&diagonal, 0.5, 0.0).plus_square(3.0, &l, &diagonal);
        let (l, sum) = (dense(&l), dense(&sum));
        for i in 0..4 {
            for j in 0..4 {
                let square: f64 = (0..4).map(|k| l[i][k] * l[k][j] / diagonal[k]).sum();
                let expected = 3.0 * square + l[i][j] + if i == j { diagonal[i] } else { 0.0 };
                assert!((sum[i][j] - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_is_added_to_the_diagonal_is_there_and_nowhere_else() {
        let before = square(&[1.0; 4], 0.5, 0.1);
        let after = dense(&before.clone().plus_diagonal(&[1.0, 2.0, 4.0, 8.0]));
        for (i, (before, after)) in dense(&before).iter().zip(&after).enumerate() {
            for j in 0..4 {
                let added = if i == j { f64::from(1 << i) } else { 0.0 };
                assert_eq!(after[j], before[j] + added);
            }
        }
    }

    #[test]
    fn a_submatrix_keeps_the_entries_between_its_rows() {
        let whole = square(&[1.0; 4], 0.5, 0.1);
        let (part, whole) = (dense(&whole.submatrix(&[0, 2, 3])), dense(&whole));
        for (i, &a) in [0, 2, 3].iter().enumerate() {
            for (j, &b) in [0, 2, 3].iter().enumerate() {
                assert_eq!(part[i][j], whole[a][b]);
            }
        }
    }
}
