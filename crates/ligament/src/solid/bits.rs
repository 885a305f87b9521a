//! One bit per voxel, in rows along x of whole 64-bit words.
//!
//! Everything that asks the same of all voxels (who is voted inside, who has a neighbour,
//! what a coarser grid looks like) is done 64 voxels at a time.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::UVec3;
use rayon::prelude::*;

/// Below this many words a loop is not worth sharing out.
const PARALLEL_WORDS: usize = 1 << 14;

/// A bit for each voxel of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    counts: UVec3,
    /// Words in a row along x; the bits beyond `counts.x` stay zero.
    row: usize,
    words: Vec<u64>,
}

impl Bits {
    /// All zero.
    pub fn new(counts: UVec3) -> Self {
        let row = counts.x.div_ceil(64) as usize;
        Self {
            counts,
            row,
            words: vec![0; row * counts.y as usize * counts.z as usize],
        }
    }

    /// Bits from words in the order of [`Bits::words`]; `None` if there are too few or too
    /// many, or if one is set beyond the last voxel of a row.
    pub fn from_words(counts: UVec3, words: Vec<u64>) -> Option<Self> {
        let row = counts.x.div_ceil(64) as usize;
        let rows = (counts.y as usize).checked_mul(counts.z as usize)?;
        let beyond = match counts.x % 64 {
            0 => 0,
            used => u64::MAX << used,
        };
        let fits = Some(words.len()) == row.checked_mul(rows)
            && (row == 0 || words.iter().skip(row - 1).step_by(row).all(|w| w & beyond == 0));
        fits.then_some(Self { counts, row, words })
    }

    /// The number of voxels along each axis.
    pub fn counts(&self) -> UVec3 {
        self.counts
    }

    /// Words in a row along x.
    pub fn row_words(&self) -> usize {
        self.row
    }

    /// All words, row after row.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Words of one slice of constant z.
    pub fn slice_words(&self) -> usize {
        self.row * self.counts.y as usize
    }

    /// Where a voxel's bit is: the word and the index in it.
    pub fn slot(&self, x: u32, y: u32, z: u32) -> (usize, u32) {
        let row = y as usize + z as usize * self.counts.y as usize;
        (row * self.row + (x / 64) as usize, x % 64)
    }

    /// Whether a voxel's bit is set.
    pub fn get(&self, v: UVec3) -> bool {
        let (word, bit) = self.slot(v.x, v.y, v.z);
        self.words[word] >> bit & 1 == 1
    }

    /// Whether a voxel's bit is set; false outside the grid.
    pub fn get_or_false(&self, x: i32, y: i32, z: i32) -> bool {
        let inside = |c: i32, n: u32| (c as u32) < n; // negative numbers wrap to large ones
        inside(x, self.counts.x)
            && inside(y, self.counts.y)
            && inside(z, self.counts.z)
            && self.get(UVec3::new(x as u32, y as u32, z as u32))
    }

    /// Sets or clears a voxel's bit.
    pub fn set(&mut self, v: UVec3, on: bool) {
        let (word, bit) = self.slot(v.x, v.y, v.z);
        if on {
            self.words[word] |= 1 << bit;
        } else {
            self.words[word] &= !(1 << bit);
        }
    }

    /// How many bits are set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The voxels whose bits are set, along x first, then y, then z.
    pub fn ones(&self) -> impl Iterator<Item = UVec3> + '_ {
        let (row, ny) = (self.row, self.counts.y as usize);
        self.words
            .iter()
            .enumerate()
            .filter(|w| *w.1 != 0)
            .flat_map(move |(i, &word)| {
                let (line, column) = (i / row, (i % row) as u32 * 64);
                let (y, z) = ((line % ny) as u32, (line / ny) as u32);
                BitsOf(word).map(move |bit| UVec3::new(column + bit, y, z))
            })
    }

    /// Combines two grids of the same size word by word.
    pub fn combined(&self, other: &Self, f: impl Fn(u64, u64) -> u64 + Sync) -> Self {
        let mut result = self.clone();
        result.combine(other, f);
        result
    }

    /// Combines another grid of the same size into this one, word by word.
    pub fn combine(&mut self, other: &Self, f: impl Fn(u64, u64) -> u64 + Sync) {
        debug_assert_eq!(self.counts, other.counts);
        self.words
            .par_iter_mut()
            .with_min_len(PARALLEL_WORDS)
            .zip(&other.words)
            .for_each(|(a, &b)| *a = f(*a, b));
    }

    /// The grid of half the resolution: a cell is set if any of its eight voxels is.
    pub fn coarser(&self) -> Self {
        let counts = (self.counts + UVec3::ONE) / 2;
        let mut result = Self::new(counts);
        let (ny, nz) = (self.counts.y as usize, self.counts.z as usize);
        let (row, coarse_row) = (self.row, result.row);
        let slice = result.slice_words();
        result
            .words
            .par_chunks_mut(slice)
            .enumerate()
            .for_each(|(z, slice)| {
                for (y, out) in slice.chunks_exact_mut(coarse_row).enumerate() {
                    for w in 0..row {
                        let mut any = 0;
                        for (fy, fz) in [
                            (2 * y, 2 * z),
                            (2 * y + 1, 2 * z),
                            (2 * y, 2 * z + 1),
                            (2 * y + 1, 2 * z + 1),
                        ] {
                            if fy < ny && fz < nz {
                                any |= self.words[(fy + fz * ny) * row + w];
                            }
                        }
                        out[w / 2] |= halved(any | any >> 1) << (32 * (w % 2));
                    }
                }
            });
        result
    }

    /// The grid of twice the resolution (and the given size): voxels copy their cell.
    pub fn finer(&self, counts: UVec3) -> Self {
        let mut result = Self::new(counts);
        let (row, fine_row, ny) = (self.row, result.row, self.counts.y as usize);
        let last = match counts.x % 64 {
            0 => u64::MAX,
            used => (1 << used) - 1,
        };
        let slice = result.slice_words();
        result
            .words
            .par_chunks_mut(slice)
            .enumerate()
            .for_each(|(z, slice)| {
                for (y, out) in slice.chunks_exact_mut(fine_row).enumerate() {
                    let from = &self.words[(y / 2 + z / 2 * ny) * row..][..row];
                    for (w, out) in out.iter_mut().enumerate() {
                        *out = doubled(from[w / 2] >> (32 * (w % 2)) & 0xffff_ffff);
                    }
                    out[fine_row - 1] &= last;
                }
            });
        result
    }

    /// Adds the 26 neighbours of every voxel that is set.
    pub fn dilated(&self) -> Self {
        let (row, ny, nz) = (self.row, self.counts.y as usize, self.counts.z as usize);
        let last = match self.counts.x % 64 {
            0 => u64::MAX,
            used => (1 << used) - 1,
        };
        let mut wide = self.clone();
        wide.words
            .par_chunks_mut(row)
            .with_min_len(256)
            .enumerate()
            .for_each(|(line, out)| {
                let from = &self.words[line * row..][..row];
                for (w, out) in out.iter_mut().enumerate() {
                    let low = if w > 0 { from[w - 1] >> 63 } else { 0 };
                    let high = if w + 1 < row { from[w + 1] << 63 } else { 0 };
                    *out |= from[w] << 1 | low | from[w] >> 1 | high;
                }
                out[row - 1] &= last;
            });
        let mut result = Self::new(self.counts);
        let slice = self.slice_words();
        result
            .words
            .par_chunks_mut(slice)
            .enumerate()
            .for_each(|(z, slice)| {
                for (y, out) in slice.chunks_exact_mut(row).enumerate() {
                    for fz in z.saturating_sub(1)..(z + 2).min(nz) {
                        for fy in y.saturating_sub(1)..(y + 2).min(ny) {
                            let from = &wide.words[(fy + fz * ny) * row..][..row];
                            out.iter_mut().zip(from).for_each(|(o, f)| *o |= f);
                        }
                    }
                }
            });
        result
    }

    /// Replaces each bit by the parity of the bits up to and including it along an axis:
    /// where runs begin and where they end becomes the runs themselves.
    pub fn fill_between(&mut self, axis: usize) {
        let (row, slice) = (self.row, self.slice_words());
        match axis {
            0 => {
                let last = match self.counts.x % 64 {
                    0 => u64::MAX,
                    used => (1 << used) - 1,
                };
                self.words
                    .par_chunks_mut(row)
                    .with_min_len(1024)
                    .for_each(|line| {
                        let mut carry = 0;
                        for word in line.iter_mut() {
                            *word = parity_from_below(*word) ^ carry;
                            carry = 0u64.wrapping_sub(*word >> 63);
                        }
                        line[row - 1] &= last;
                    });
            }
            1 => self.words.par_chunks_mut(slice).for_each(|slice| {
                for i in row..slice.len() {
                    slice[i] ^= slice[i - row];
                }
            }),
            _ => {
                for i in slice..self.words.len() {
                    self.words[i] ^= self.words[i - slice];
                }
            }
        }
    }
}

/// Bits that several threads may set or flip at once; the result does not depend on who
/// comes first.
pub struct SharedBits {
    shape: Bits,
    words: Vec<AtomicU64>,
}

impl SharedBits {
    /// All zero.
    pub fn new(counts: UVec3) -> Self {
        let mut shape = Bits::new(counts);
        let words = std::mem::take(&mut shape.words)
            .into_iter()
            .map(AtomicU64::new)
            .collect();
        Self { shape, words }
    }

    /// Sets a voxel's bit.
    pub fn set(&self, x: u32, y: u32, z: u32) {
        let (word, bit) = self.shape.slot(x, y, z);
        let word = &self.words[word];
        // Most voxels are set several times; looking is cheaper than writing.
        if word.load(Ordering::Relaxed) >> bit & 1 == 0 {
            word.fetch_or(1 << bit, Ordering::Relaxed);
        }
    }

    /// Flips a voxel's bit.
    pub fn flip(&self, x: u32, y: u32, z: u32) {
        let (word, bit) = self.shape.slot(x, y, z);
        self.words[word].fetch_xor(1 << bit, Ordering::Relaxed);
    }

    /// The bits, now that nobody changes them any more.
    pub fn into_bits(self) -> Bits {
        Bits {
            words: self.words.into_iter().map(AtomicU64::into_inner).collect(),
            ..self.shape
        }
    }
}

/// The indices of the ones in a word, from the lowest.
pub struct BitsOf(pub u64);

impl Iterator for BitsOf {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// The 32 bits at even indices, moved together.
fn halved(word: u64) -> u64 {
    let mut w = word & 0x5555_5555_5555_5555;
    w = (w | w >> 1) & 0x3333_3333_3333_3333;
    w = (w | w >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    w = (w | w >> 4) & 0x00ff_00ff_00ff_00ff;
    w = (w | w >> 8) & 0x0000_ffff_0000_ffff;
    (w | w >> 16) & 0x0000_0000_ffff_ffff
}

/// Each of 32 bits twice.
fn doubled(word: u64) -> u64 {
    let mut w = word & 0xffff_ffff;
    w = (w | w << 16) & 0x0000_ffff_0000_ffff;
    w = (w | w << 8) & 0x00ff_00ff_00ff_00ff;
    w = (w | w << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    w = (w | w << 2) & 0x3333_3333_3333_3333;
    w = (w | w << 1) & 0x5555_5555_5555_5555;
    w | w << 1
}

/// Each bit becomes the parity of itself and all lower bits.
fn parity_from_below(mut word: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        word ^= word << shift;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_testkit::Random;
    use proptest::prelude::*;

    fn bits() -> impl Strategy<Value = Bits> {
        (1u32..140, 1u32..6, 1u32..6, any::<u64>(), 0usize..4).prop_map(|(x, y, z, seed, sparse)| {
            let mut bits = Bits::new(UVec3::new(x, y, z));
            let mut random = Random(seed | 1);
            for v in all(bits.counts()) {
                bits.set(v, random.below(2 + 20 * sparse) == 0);
            }
            bits
        })
    }

    fn all(counts: UVec3) -> Vec<UVec3> {
        let mut list = Vec::new();
        for z in 0..counts.z {
            for y in 0..counts.y {
                for x in 0..counts.x {
                    list.push(UVec3::new(x, y, z));
                }
            }
        }
        list
    }

    proptest! {
        #[test]
        fn word_tricks_do_what_loops_over_voxels_do(bits in bits()) {
            let counts = bits.counts();
            let (coarse, dilated) = (bits.coarser(), bits.dilated());
            for v in all(coarse.counts()) {
                let any = all(UVec3::splat(2)).iter().any(|&o| {
                    let f = 2 * v + o;
                    f.cmplt(counts).all() && bits.get(f)
                });
                prop_assert_eq!(coarse.get(v), any);
            }
            let finer = coarse.finer(counts);
            for v in all(counts) {
                prop_assert_eq!(finer.get(v), coarse.get(v / 2));
                let near = all(UVec3::splat(3)).iter().any(|&o| {
                    let n = v.as_ivec3() + o.as_ivec3() - 1;
                    bits.get_or_false(n.x, n.y, n.z)
                });
                prop_assert_eq!(dilated.get(v), near);
            }
            for axis in 0..3 {
                let mut filled = bits.clone();
                filled.fill_between(axis);
                for v in all(counts) {
                    let mut below = v;
                    let mut parity = false;
                    for c in 0..=v[axis] {
                        below[axis] = c;
                        parity ^= bits.get(below);
                    }
                    prop_assert_eq!(filled.get(v), parity);
                }
            }
            let ones: Vec<UVec3> = all(counts).into_iter().filter(|&v| bits.get(v)).collect();
            prop_assert_eq!(bits.count(), ones.len());
            prop_assert_eq!(bits.ones().collect::<Vec<_>>(), ones);
            // Nothing is ever set beyond the end of a row.
            for grid in [&coarse, &dilated, &finer] {
                prop_assert_eq!(grid.count(), all(grid.counts()).iter().filter(|&&v| grid.get(v)).count());
            }
        }
    }
}
