//! Where voxels are: a box of equal cubes around a mesh.

use glam::{DVec3, UVec3, Vec3};

/// Voxels of air beyond the outermost points, at the least. Not a whole number of them, nor
/// a half: those points would lie on borders.
const AIR: f64 = 1.25;

/// A regular grid of cubes. Voxel (i, j, k) covers `origin + size·[i, i+1) × …`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The low corner of voxel (0, 0, 0).
    pub origin: DVec3,
    /// The edge length of a voxel.
    pub size: f64,
    /// How many voxels there are along each axis.
    pub counts: UVec3,
}

impl Grid {
    /// A grid whose longest side has `resolution` voxels, or one fewer, around all the points:
    /// more than one voxel of air on every side, so that the outside is one connected thing and
    /// no neighbour of a voxel that a triangle touches lies beyond the grid. Points must be
    /// finite.
    ///
    /// No border between voxels is where characters have something: along every axis voxels
    /// are odd in number, so that the plane in which a body mirrors itself, with its spine,
    /// runs through the middle of voxels, and the ends of the longest side lie within voxels. On
    /// a border the last bit of a coordinate would tell in which voxel it is, and a character in
    /// centimetres would be another one than in metres.
    pub fn around(points: &[DVec3], resolution: u32) -> Self {
        let first = points.first().copied().unwrap_or_default();
        let (low, high) = points
            .iter()
            .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
        let extent = high - low;
        let usable = f64::from((resolution.max(4) - 1) | 1) - 2.0 * AIR;
        // A single point still needs a size.
        let longest = extent
            .max_element()
            .max(1e-6 * low.abs().max_element())
            .max(f64::MIN_POSITIVE.sqrt());
        let size = longest / usable;
        // The next odd number; what rounding adds to the longest side changes nothing.
        let counts = (extent / size + 2.0 * AIR - 1e-3).map(|c| 2.0 * (c / 2.0 - 0.5).ceil() + 1.0);
        let spare = counts * size - extent;
        Self {
            origin: low - spare / 2.0,
            size,
            counts: counts.as_uvec3(),
        }
    }

    /// A grid for voxels that are looked at two by two: whole voxels between the ends of the
    /// longest side, one voxel of air around. Pairs of an odd number of voxels would not mirror
    /// each other.
    pub fn in_pairs(points: &[DVec3], resolution: u32) -> Self {
        let first = points.first().copied().unwrap_or_default();
        let (low, high) = points
            .iter()
            .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
        let extent = high - low;
        let usable = f64::from(resolution.max(4) - 2);
        let longest = extent
            .max_element()
            .max(1e-6 * low.abs().max_element())
            .max(f64::MIN_POSITIVE.sqrt());
        let size = longest / usable;
        let counts = (extent / size).map(|c| c.ceil() + 2.0).max(DVec3::splat(3.0));
        let spare = counts * size - extent;
        Self {
            origin: low - spare / 2.0,
            size,
            counts: counts.as_uvec3(),
        }
    }

    /// A point in units of voxels from the low corner of the grid.
    pub fn grid_from_bind(&self, p: DVec3) -> DVec3 {
        (p - self.origin) / self.size
    }

    /// The point for a position in units of voxels.
    pub fn bind_from_grid(&self, p: DVec3) -> DVec3 {
        self.origin + p * self.size
    }

    /// The voxel that holds a point; the nearest one for points outside.
    pub fn voxel_at(&self, p: Vec3) -> UVec3 {
        let last = (self.counts - UVec3::ONE).as_dvec3();
        self.grid_from_bind(p.as_dvec3())
            .floor()
            .clamp(DVec3::ZERO, last)
            .as_uvec3()
    }

    /// The middle of a voxel.
    pub fn centre(&self, voxel: UVec3) -> DVec3 {
        self.bind_from_grid(voxel.as_dvec3() + 0.5)
    }

    /// How many voxels the grid has.
    pub fn len(&self) -> usize {
        self.counts.x as usize * self.counts.y as usize * self.counts.z as usize
    }

    /// Whether there is no voxel; never so for [`Grid::around`].
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that mirrors itself, its spine in the middle.
    #[test]
    fn neither_the_middle_nor_the_ends_are_on_a_border() {
        for extent in [
            DVec3::new(1.8, 1.7, 0.3),
            DVec3::ONE,
            DVec3::new(2.0, 1.0, 0.5),
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::ZERO,
        ] {
            for resolution in [32, 100, 127, 128, 1024] {
                for unit in [1.0, 100.0, 0.0254] {
                    let points = [extent * -0.5 * unit, extent * 0.5 * unit];
                    let grid = Grid::around(&points, resolution);
                    let what = format!("{extent} at {resolution} in {unit}: {grid:?}");
                    assert!(grid.counts.max_element() <= resolution, "{what}");
                    assert!(
                        extent == DVec3::ZERO || grid.counts.max_element() + 1 >= resolution,
                        "{what}"
                    );
                    for p in [points[0], DVec3::ZERO, points[1]] {
                        let position = grid.grid_from_bind(p);
                        let border = (position - position.round()).abs();
                        // Other sides may end anywhere.
                        let longest = extent.max_position();
                        assert!(border[longest] > 0.2, "{what}: {position}");
                        assert!(
                            p != DVec3::ZERO || border.min_element() > 0.2,
                            "{what}: {position}"
                        );
                        let beyond = position.min(grid.counts.as_dvec3() - position);
                        assert!(beyond.min_element() > 1.0, "{what}: {position}");
                    }
                }
            }
        }
    }
}
