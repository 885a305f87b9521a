//! Where voxels are: a box of equal cubes around a mesh.

use glam::{DVec3, UVec3, Vec3};

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
    /// A grid whose longest side has `resolution` voxels, around all the points: one voxel
    /// of air on every side, so that the outside is one connected thing and no neighbour
    /// of a voxel that a triangle touches lies beyond the grid. Points must be finite.
    pub fn around(points: &[DVec3], resolution: u32) -> Self {
        let first = points.first().copied().unwrap_or_default();
        let (low, high) = points
            .iter()
            .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
        let extent = high - low;
        let usable = f64::from(resolution.max(4) - 2);
        // A single point still needs a size.
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

    /// The point for a place in units of voxels.
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
