//! How much longer the path through the solid to a joint is than the straight line: what
//! keeps an arm beside the body from binding to the hip.
//!
//! The paper's cells measure straight through the air (its section 6 names that as the
//! limit: characters must be brought into a pose with gaps). A detour is prepared once,
//! stays as it is while the field is fitted, and is stored beside it: one byte per cell
//! for each voxel that the solid touches, in a coarse grid over the unit cube. Between
//! voxel centres it is interpolated; outside the solid it fades to zero within a voxel.

use glam::Vec3;

/// Longer paths for each cell in a coarse grid of voxels.
#[derive(Debug, Clone, PartialEq)]
pub struct Detour {
    resolution: u16,
    cells: usize,
    unit: f32,
    voxels: Vec<u32>,
    bytes: Vec<u8>,
    /// For each voxel of the whole grid its row in `bytes`.
    rows: Vec<u32>,
}

/// The most voxels along an axis.
pub const MAX_RESOLUTION: u16 = 128;
const NONE: u32 = u32::MAX;
/// The grid covers this much of the unit cube's side, with the character in its middle.
const COVER: f32 = 1.0 + 1e-3;
/// Where less than this fraction of a point's surroundings is solid, detours fade.
const FADES_UNDER: f32 = 0.25;

impl Detour {
    /// From the voxels that the solid touches (x fastest, ascending, none twice) and a row
    /// of `cells` bytes for each, in multiples of `unit` of the field's lengths. Nothing
    /// if they do not belong together.
    pub fn new(resolution: u16, cells: usize, unit: f32, voxels: Vec<u32>, bytes: Vec<u8>) -> Option<Self> {
        let whole = usize::from(resolution).pow(3);
        let sound = (1..=MAX_RESOLUTION).contains(&resolution)
            && cells > 0
            && unit.is_finite()
            && unit >= 0.0
            && voxels.is_sorted_by(|a, b| a < b)
            && voxels.last().is_none_or(|&v| (v as usize) < whole)
            && voxels.len().checked_mul(cells) == Some(bytes.len());
        if !sound {
            return None;
        }
        let mut rows = vec![NONE; whole];
        for (row, &voxel) in voxels.iter().enumerate() {
            rows[voxel as usize] = row as u32;
        }
        Some(Self {
            resolution,
            cells,
            unit,
            voxels,
            bytes,
            rows,
        })
    }

    /// Voxels along an axis.
    pub fn resolution(&self) -> u16 {
        self.resolution
    }

    /// The length that a byte counts, in the field's unit.
    pub fn unit(&self) -> f32 {
        self.unit
    }

    /// The voxels that the solid touches, ascending.
    pub fn voxels(&self) -> &[u32] {
        &self.voxels
    }

    /// A row of bytes for each of them, one byte for each cell.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether it belongs to a field with so many cells.
    pub(super) fn is_sound(&self, cells: usize) -> bool {
        self.cells == cells
    }

    /// Where the centre of a voxel is in the unit cube.
    pub fn centre_of(resolution: u16, voxel: u32) -> Vec3 {
        let n = u32::from(resolution);
        let at = [voxel % n, voxel / n % n, voxel / (n * n)];
        Vec3::from_array(at.map(|i| ((i as f32 + 0.5) / n as f32 - 0.5) * COVER))
    }

    /// The voxel that holds a point of the unit cube; the nearest one for points outside.
    pub fn voxel_at(resolution: u16, x: Vec3) -> u32 {
        let n = u32::from(resolution);
        let at = ((x / COVER + 0.5) * n as f32).floor();
        let [x, y, z] = at.to_array().map(|i| i.clamp(0.0, (n - 1) as f32) as u32);
        (z * n + y) * n + x
    }

    /// Adds the detours at a point of the unit cube to the distances of the cells.
    pub(super) fn add_to(&self, x: Vec3, distances: &mut [f32]) {
        let n = usize::from(self.resolution);
        let at = (x / COVER + 0.5) * n as f32 - 0.5;
        let low = at.floor();
        if !(low.cmpge(Vec3::splat(-1.0)).all() && low.cmplt(Vec3::splat(n as f32)).all()) {
            return;
        }
        let fraction = at - low;
        let mut corners = [(0usize, 0.0f32); 8];
        let mut count = 0;
        let mut solid = 0.0;
        for corner in 0..8usize {
            let bit = |axis: usize| corner >> axis & 1;
            let mut weight = 1.0;
            let mut index = 0;
            let mut inside = true;
            for axis in [2, 1, 0] {
                let i = low[axis] as i32 + bit(axis) as i32;
                inside &= (0..n as i32).contains(&i);
                index = index * n + i.max(0) as usize;
                weight *= if bit(axis) == 1 {
                    fraction[axis]
                } else {
                    1.0 - fraction[axis]
                };
            }
            if inside && weight > 0.0 && self.rows[index] != NONE {
                corners[count] = (self.rows[index] as usize * self.cells, weight);
                solid += weight;
                count += 1;
            }
        }
        let scale = self.unit / solid.max(FADES_UNDER);
        for &(start, weight) in &corners[..count] {
            let factor = weight * scale;
            for (d, &byte) in distances.iter_mut().zip(&self.bytes[start..start + self.cells]) {
                *d += factor * f32::from(byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(detour: &Detour, x: Vec3) -> Vec<f32> {
        let mut distances = vec![0.0; detour.cells];
        detour.add_to(x, &mut distances);
        distances
    }

    #[test]
    fn a_voxels_centre_has_its_own_values_and_between_them_it_is_linear() {
        let detour = Detour::new(4, 2, 0.5, vec![21, 22], vec![2, 0, 4, 6]).unwrap();
        let (a, b) = (Detour::centre_of(4, 21), Detour::centre_of(4, 22));
        for (x, expected) in [(a, [1.0, 0.0]), (b, [2.0, 3.0]), ((a + b) / 2.0, [1.5, 1.5])] {
            let found = at(&detour, x);
            assert!(
                (found[0] - expected[0]).abs() < 1e-4 && (found[1] - expected[1]).abs() < 1e-4,
                "{found:?}"
            );
        }
        assert_eq!([a, b].map(|x| Detour::voxel_at(4, x)), [21, 22]);
        assert_eq!(at(&detour, Vec3::splat(9.0)), [0.0, 0.0]);
        assert_eq!(at(&detour, Vec3::new(-0.45, -0.45, 0.45)), [0.0, 0.0]);
    }

    #[test]
    fn it_has_no_steps() {
        let detour = Detour::new(4, 1, 0.01, vec![0, 21, 22, 42, 63], vec![90, 40, 200, 10, 250]).unwrap();
        let mut before = at(&detour, Vec3::splat(-0.8))[0];
        for i in 1..=20_000 {
            let now = at(&detour, Vec3::splat(-0.8 + 1.6 * i as f32 / 20_000.0))[0];
            assert!((now - before).abs() < 0.01, "{before} to {now} at step {i}");
            before = now;
        }
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        assert!(Detour::new(4, 2, 0.5, vec![22, 21], vec![0; 4]).is_none());
        assert!(Detour::new(4, 2, 0.5, vec![64], vec![0; 2]).is_none());
        assert!(Detour::new(4, 2, 0.5, vec![1], vec![0; 3]).is_none());
        assert!(Detour::new(0, 2, 0.5, vec![], vec![]).is_none());
        assert!(Detour::new(4, 2, f32::NAN, vec![], vec![]).is_none());
    }
}
