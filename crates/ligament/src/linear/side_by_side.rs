//! Triangular solves for several right-hand sides at once.
//!
//! The numbers of one unknown lie side by side, so that an entry of the factor is read once for all of them and works
//! on whole vectors. Right-hand sides that are zero at most unknowns stay zero at most: those columns are passed over.
//! Each right-hand side goes through the same operations in the same order as alone.

use faer::sparse::linalg::cholesky::simplicial::SymbolicSimplicialCholesky;

/// How many right-hand sides are solved at once. Fewer read the factor more often, more
/// leave threads without work when there are few.
pub const BLOCK: usize = 8;

/// The numbers of one unknown.
pub(super) type Together = [f64; BLOCK];

/// x := L⁻ᵀ L⁻¹ x for a factor whose columns begin with their diagonal.
pub(super) fn solve(symbolic: &SymbolicSimplicialCholesky<u32>, factor: &[f64], x: &mut [Together]) {
    pulp::Arch::new().dispatch(Solve {
        starts: symbolic.col_ptr(),
        rows: symbolic.row_idx(),
        factor,
        x,
    });
}

struct Solve<'a> {
    starts: &'a [u32],
    rows: &'a [u32],
    factor: &'a [f64],
    x: &'a mut [Together],
}

impl pulp::WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self {
            starts,
            rows,
            factor,
            x,
        } = self;
        let column = |j: usize| {
            let range = starts[j] as usize..starts[j + 1] as usize;
            (&rows[range.clone()], &factor[range])
        };
        for j in 0..x.len() {
            if x[j].iter().all(|&v| v == 0.0) {
                continue;
            }
            let (rows, entries) = column(j);
            let per_diagonal = 1.0 / entries[0];
            let own = x[j].map(|v| v * per_diagonal);
            x[j] = own;
            for (&i, &entry) in rows[1..].iter().zip(&entries[1..]) {
                let other = &mut x[i as usize];
                for lane in 0..BLOCK {
                    other[lane] -= entry * own[lane];
                }
            }
        }
        for j in (0..x.len()).rev() {
            let (rows, entries) = column(j);
            let mut sum = [0.0; BLOCK];
            for (&i, &entry) in rows[1..].iter().zip(&entries[1..]).rev() {
                let other = &x[i as usize];
                for lane in 0..BLOCK {
                    sum[lane] += entry * other[lane];
                }
            }
            let per_diagonal = 1.0 / entries[0];
            for lane in 0..BLOCK {
                x[j][lane] = (x[j][lane] - sum[lane]) * per_diagonal;
            }
        }
    }
}
