//! Trees of levels asked with the widest vectors that the processor has.
//!
//! Where it has vectors of 32 bytes, a question is one comparison for all lanes, and a leaf's two bytes are looked up in
//! two registers: what takes a read of memory for each row and tree otherwise.

use super::level_trees::{Sums, totals_anywhere};

/// Finds sums by what the processor can do.
pub(super) fn dispatch<const N: usize>(sums: Sums<'_, N>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(wide::Wide { simd, sums });
    }
    sums.find(totals_anywhere);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::__m256i;

    use pulp::x86::V3;
    use pulp::{NullaryFnOnce, cast};

    use crate::bind::learned::level_trees::{DEPTH, LANES, LEAVES, Packed, Sums};

    pub(super) struct Wide<'a, const N: usize> {
        pub simd: V3,
        pub sums: Sums<'a, N>,
    }

    impl<const N: usize> NullaryFnOnce for Wide<'_, N> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let simd = self.simd;
            self.sums.find(
                #[inline(always)]
                |trees, columns| totals(simd, trees, columns),
            );
        }
    }

    /// The leaves that trees give the rows of each lane, added up.
    #[inline(always)]
    fn totals<const N: usize>(simd: V3, trees: &[Packed], columns: &[[u8; LANES]; N]) -> [i32; LANES] {
        let (avx, avx2) = (simd.avx, simd.avx2);
        let ones = avx._mm256_set1_epi16(1);
        let none = [avx._mm256_setzero_si256(); 2];
        // Four sums of eight lanes each: 0 to 3 and 16 to 19, 4 to 7 and 20 to 23, and so on.
        let mut sums = [avx._mm256_setzero_si256(); 4];
        for pair in trees.chunks(2) {
            let first = leaves(simd, &pair[0], columns);
            let second = pair.get(1).map_or(none, |tree| leaves(simd, tree, columns));
            for half in 0..2 {
                let low = avx2._mm256_unpacklo_epi16(first[half], second[half]);
                let high = avx2._mm256_unpackhi_epi16(first[half], second[half]);
                let added = [low, high].map(|both| avx2._mm256_madd_epi16(both, ones));
                sums[2 * half] = avx2._mm256_add_epi32(sums[2 * half], added[0]);
                sums[2 * half + 1] = avx2._mm256_add_epi32(sums[2 * half + 1], added[1]);
            }
        }
        let mut totals = [0; LANES];
        for (four, sums) in sums.into_iter().enumerate() {
            let eight: [i32; 8] = cast(sums);
            totals[4 * four..4 * four + 4].copy_from_slice(&eight[..4]);
            totals[16 + 4 * four..16 + 4 * four + 4].copy_from_slice(&eight[4..]);
        }
        totals
    }

    /// The leaves of one tree: of lanes 0 to 7 and 16 to 23, and of the others.
    #[inline(always)]
    fn leaves<const N: usize>(simd: V3, tree: &Packed, columns: &[[u8; LANES]; N]) -> [__m256i; 2] {
        let (avx, avx2) = (simd.avx, simd.avx2);
        let mut leaf = avx._mm256_setzero_si256();
        for level in 0..DEPTH {
            let (feature, at) = tree.questions[level];
            let column: __m256i = cast(columns[usize::from(feature)]);
            // Not over `at` is what is the lesser of both; the bits of a leaf are those that are not set then.
            let lesser = avx2._mm256_min_epu8(column, avx._mm256_set1_epi8(at as i8));
            let not_over = avx2._mm256_cmpeq_epi8(lesser, column);
            let bit = avx2._mm256_andnot_si256(not_over, avx._mm256_set1_epi8(1 << level));
            leaf = avx2._mm256_or_si256(leaf, bit);
        }
        let table = |bytes: [u8; LEAVES]| avx2._mm256_broadcastsi128_si256(cast(bytes));
        let low = avx2._mm256_shuffle_epi8(table(tree.low), leaf);
        let high = avx2._mm256_shuffle_epi8(table(tree.high), leaf);
        [
            avx2._mm256_unpacklo_epi8(low, high),
            avx2._mm256_unpackhi_epi8(low, high),
        ]
    }
}
