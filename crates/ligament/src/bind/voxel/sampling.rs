//! Distances at any point, continuous across voxel borders.
//!
//! The paper takes the distance of the voxel that holds a vertex plus the way to its
//! middle, which jumps by up to a voxel at every border. Here the eight voxel middles
//! around the point are blended trilinearly: their shares vanish where they leave the
//! blend, so the distance is continuous. Exterior voxels have no distance and take no
//! part; what is left is scaled up to one.

use glam::{DVec3, IVec3};

use crate::solid::Leaves;
use crate::solid::distance::Distances;

/// The leaves around a point and their shares, which sum to one.
pub struct Blend {
    pub leaves: [(u32, f32); 8],
    pub count: usize,
}

impl Blend {
    /// The blend at a point; none if no voxel around it is in the solid.
    pub fn at(leaves: &Leaves, point: DVec3) -> Option<Self> {
        let at = leaves.grid.grid_from_bind(point) - 0.5;
        let low = at.floor();
        let share = at - low;
        let low: IVec3 = low.as_ivec3();
        let mut blend = Self {
            leaves: [(0, 0.0); 8],
            count: 0,
        };
        let mut sum = 0.0;
        for corner in 0..8 {
            let (x, y, z) = (corner & 1, corner >> 1 & 1, corner >> 2);
            let along = |k: i32, s: f64| if k == 1 { s } else { 1.0 - s };
            let weight = along(x, share.x) * along(y, share.y) * along(z, share.z);
            if weight <= 0.0 {
                continue;
            }
            if let Some(leaf) = leaves.leaf_of_voxel(low.x + x, low.y + y, low.z + z) {
                blend.leaves[blend.count] = (leaf as u32, weight as f32);
                blend.count += 1;
                sum += weight;
            }
        }
        for leaf in &mut blend.leaves[..blend.count] {
            leaf.1 /= sum as f32;
        }
        (blend.count > 0).then_some(blend)
    }

    /// The distances to all bones in voxels, infinite where no way leads.
    pub fn distances(&self, distances: &Distances, out: &mut Vec<f32>) {
        out.clear();
        out.resize(distances.bones(), 0.0);
        let per_unit = (1.0 / distances.metric.units_per_voxel) as f32;
        for &(leaf, share) in &self.leaves[..self.count] {
            for (sum, &units) in out.iter_mut().zip(distances.rows(leaf as usize).flatten()) {
                *sum += if units == u16::MAX {
                    f32::INFINITY
                } else {
                    share * per_unit * f32::from(units)
                };
            }
        }
    }
}
