//! The Laplacian of a solid's leaves, across the levels of the octree.
//!
//! Finite volumes: what flows through the face between two leaves is its area times the
//! difference of their values over the distance of their middles, across the face. No face
//! of the solid's border lets anything through, which is the natural condition ∂w/∂n = 0.
//!
//! Where a coarse leaf meets finer ones, the middles do not face each other, and a flow
//! from each fine leaf alone would see a gradient along the face as one across it: linear
//! functions would not be harmonic, and a bi-Laplacian made of it would bend them. The
//! *mean* of the fine leaves does face the coarse middle, and its flow is shared out evenly
//! (Losasso, Fedkiw and Osher 2006, section 5). The matrix stays symmetric and its energy
//! a sum of squares.

use crate::linear::SymmetricMatrix;

use super::Leaves;

/// The fraction of a flow between levels that each fine leaf has for itself. With none, fine
/// leaves that touch nothing but one coarse leaf could differ from each other at no cost and
/// the matrix would not tell their values; a tenth would bend linear functions visibly.
const ALONE: f64 = 1e-3;

/// L and M of a solid, in units of its finest voxels.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeLaplacian {
    /// L, positive semi-definite: (L w)_i is what flows out of leaf i. Its rows sum to zero.
    pub matrix: SymmetricMatrix,
    /// M: the volume of each leaf.
    pub volumes: Vec<f64>,
}

impl VolumeLaplacian {
    /// The Laplacian of the leaves, through their faces.
    pub fn of(leaves: &Leaves) -> Self {
        let mut entries: Vec<(u32, u32, f64)> = Vec::new();
        let mut finer: [Vec<u32>; 6] = Default::default();
        for leaf in 0..leaves.len() {
            let level = leaves.level(leaf);
            let size = f64::from(1u32 << level);
            finer.iter_mut().for_each(Vec::clear);
            for neighbour in leaves.neighbours(leaf) {
                let other = neighbour.leaf();
                let Some(side) = side_towards(leaves, leaf, other) else {
                    continue;
                };
                if leaves.level(other) < level {
                    finer[side].push(other as u32);
                } else if leaves.level(other) == level && other > leaf {
                    // A face of size² and middles a size apart.
                    join(&mut entries, leaf as u32, &[other as u32], size);
                }
            }
            for fine in finer.iter().filter(|f| !f.is_empty()) {
                // Each has a quarter of the face; middles are three quarters of a size apart.
                let flow = (size * size / 4.0) / (0.75 * size);
                let together = (1.0 - ALONE) * flow * fine.len() as f64;
                join(&mut entries, leaf as u32, fine, together);
                for &other in fine {
                    join(&mut entries, leaf as u32, &[other], ALONE * flow);
                }
            }
        }
        let volume = |leaf| f64::from(1u32 << (3 * leaves.level(leaf)));
        Self {
            matrix: SymmetricMatrix::from_entries(leaves.len(), entries),
            volumes: (0..leaves.len()).map(volume).collect(),
        }
    }

    /// L M⁻¹ L w: the derivative of the Laplacian energy ½∫(Δw)².
    pub fn twice(&self, values: &[f64]) -> Vec<f64> {
        let mut density = self.matrix.times(values);
        for (density, volume) in density.iter_mut().zip(&self.volumes) {
            *density /= volume;
        }
        self.matrix.times(&density)
    }

    /// The diagonal of L M⁻¹ L.
    pub fn diagonal_of_square(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.volumes.len()];
        for row in 0..diagonal.len() {
            for (column, value) in self.matrix.upper_row(row) {
                let column = column as usize;
                diagonal[row] += value * value / self.volumes[column];
                if column != row {
                    diagonal[column] += value * value / self.volumes[row];
                }
            }
        }
        diagonal
    }
}

/// Adds `flow·g gᵀ` with g = −1 at the one leaf and the mean of the others.
fn join(entries: &mut Vec<(u32, u32, f64)>, one: u32, others: &[u32], flow: f64) {
    let fraction = 1.0 / others.len() as f64;
    entries.push((one, one, flow));
    for (i, &a) in others.iter().enumerate() {
        entries.push((one, a, -flow * fraction));
        for &b in &others[i..] {
            entries.push((a, b, flow * fraction * fraction));
        }
    }
}

/// The side of a leaf, as twice the axis plus one if it is the upper one, through whose
/// face another leaf lies; none if they share an edge or a corner only.
fn side_towards(leaves: &Leaves, leaf: usize, other: usize) -> Option<usize> {
    // Twice the middles in finest voxels, which are whole.
    let middle = |l: usize| ((2 * leaves.cell(l) + 1) << leaves.level(l) as u32).as_ivec3();
    let reach = (1i32 << leaves.level(leaf)) + (1i32 << leaves.level(other));
    let path = (middle(other) - middle(leaf)).to_array();
    let mut crossed = (0..3).filter(|&axis| path[axis].abs() == reach);
    let axis = crossed.next()?;
    let alone = crossed.next().is_none();
    alone.then_some(2 * axis + usize::from(path[axis] > 0))
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, UVec3};

    use super::super::{Bits, Grid, Solid};
    use super::*;

    /// A ball of 40 voxels: coarse within, fine at its surface.
    fn leaves(sparse: bool) -> Leaves {
        let counts = UVec3::splat(44);
        let mut ball = Bits::new(counts);
        for z in 0..counts.z {
            for y in 0..counts.y {
                for x in 0..counts.x {
                    let voxel = UVec3::new(x, y, z);
                    ball.set(
                        voxel,
                        (voxel.as_dvec3() + 0.5).distance(DVec3::splat(22.0)) < 20.0,
                    );
                }
            }
        }
        let mut boundary = Bits::new(counts);
        for v in ball.ones() {
            let ([x, y, z], around) = (v.as_ivec3().to_array(), [-1, 1]);
            let open = |dx, dy, dz| !ball.get_or_false(x + dx, y + dy, z + dz);
            let beside = around
                .iter()
                .any(|&d| open(d, 0, 0) || open(0, d, 0) || open(0, 0, d));
            boundary.set(v, beside);
        }
        let solid = Solid {
            grid: Grid {
                origin: DVec3::new(-3.0, 1.0, 0.5),
                size: 0.25,
                counts,
            },
            interior: ball.combined(&boundary, |b, s| b & !s),
            boundary,
            ambiguous: Bits::new(counts),
            winding_numbers_asked: 0,
            flipped_shells: Vec::new(),
            flipped_faces: 0,
        };
        Leaves::of(&solid, &Bits::new(counts), sparse, false)
    }

    /// The area of the faces that a leaf shares with others, in squares of its size.
    fn covered(leaves: &Leaves, leaf: usize) -> f64 {
        let fraction = |other: usize| match leaves.level(other) < leaves.level(leaf) {
            true => 0.25,
            false => 1.0,
        };
        leaves.neighbours(leaf).iter().map(|n| fraction(n.leaf())).sum()
    }

    #[test]
    fn constants_and_linear_functions_are_harmonic_across_levels() {
        let leaves = leaves(true);
        let laplacian = VolumeLaplacian::of(&leaves);
        let levels = (0..leaves.len()).map(|l| leaves.level(l)).max();
        assert!(levels >= Some(2), "the solid has leaves of several sizes");
        for flow in laplacian.matrix.times(&vec![1.0; leaves.len()]) {
            assert!(flow.abs() < 1e-9);
        }
        let slope = DVec3::new(0.3, -0.7, 0.5) / leaves.grid.size;
        let values: Vec<f64> = (0..leaves.len()).map(|l| slope.dot(leaves.centre(l))).collect();
        let flows = laplacian.matrix.times(&values);
        let mut across = 0;
        for leaf in 0..leaves.len() {
            let neighbours = leaves.neighbours(leaf);
            let whole = |l: usize| covered(&leaves, l) == 6.0;
            if !whole(leaf) || !neighbours.iter().all(|n| whole(n.leaf())) {
                continue; // the border of the solid lets nothing through
            }
            across += usize::from(
                neighbours
                    .iter()
                    .any(|n| leaves.level(n.leaf()) != leaves.level(leaf)),
            );
            let size = f64::from(1u32 << leaves.level(leaf));
            assert!(flows[leaf].abs() < 4.0 * ALONE * size * size, "{}", flows[leaf]);
        }
        assert!(across > 100, "only {across} leaves meet another level");
    }

    #[test]
    fn uniform_voxels_have_the_seven_point_stencil_and_volumes_fill_the_solid() {
        let (uniform, sparse) = (leaves(false), leaves(true));
        let laplacian = VolumeLaplacian::of(&uniform);
        for row in 0..uniform.len() {
            let neighbours = uniform.neighbours(row);
            let mut expected: Vec<(u32, f64)> = neighbours
                .iter()
                .map(|n| (n.leaf() as u32, -1.0))
                .filter(|e| e.0 as usize > row)
                .collect();
            expected.insert(0, (row as u32, neighbours.len() as f64));
            assert_eq!(laplacian.matrix.upper_row(row).collect::<Vec<_>>(), expected);
        }
        assert_eq!(
            VolumeLaplacian::of(&sparse).volumes.iter().sum::<f64>(),
            uniform.len() as f64
        );
    }

    #[test]
    fn the_square_is_the_laplacian_twice() {
        let leaves = leaves(true);
        let laplacian = VolumeLaplacian::of(&leaves);
        let diagonal = laplacian.diagonal_of_square();
        for leaf in (0..leaves.len()).step_by(leaves.len() / 20) {
            let mut unit = vec![0.0; leaves.len()];
            unit[leaf] = 1.0;
            assert!((laplacian.twice(&unit)[leaf] - diagonal[leaf]).abs() < 1e-9 * diagonal[leaf]);
        }
    }
}
