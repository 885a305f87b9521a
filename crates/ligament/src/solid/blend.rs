//! Distances at any point, continuous across voxel borders.
//!
//! The paper takes the distance of the voxel that holds a vertex plus the path to its
//! middle, which jumps by up to a voxel at every border. Here the eight voxel middles
//! around the point are blended trilinearly: their shares vanish where they leave the
//! blend, so the distance is continuous. Exterior voxels have no distance and take no
//! part; what is left is scaled up to one.

use glam::{DVec3, IVec3};

use super::Leaves;
use super::distance::{Distances, Field, LANES};

/// How many voxels around a point outside the solid are looked through for a leaf.
const FURTHEST: i32 = 16;

/// The leaves around a point and their shares, which sum to one.
#[derive(Debug, Clone)]
pub struct Blend {
    leaves: [(u32, f32); 8],
    count: usize,
}

impl Blend {
    /// The blend at a point; outside the solid, the nearest leaf within a few voxels.
    pub fn at(leaves: &Leaves, point: DVec3) -> Option<Self> {
        // Far outside nothing is near, and whole numbers end somewhere.
        let in_voxels = leaves.grid.grid_from_bind(point);
        let outside = (-in_voxels)
            .max(in_voxels - leaves.grid.counts.as_dvec3())
            .max_element();
        if outside > f64::from(FURTHEST) {
            return None;
        }
        let beyond = leaves.grid.counts.as_dvec3() + 2.0;
        let at = (leaves.grid.grid_from_bind(point) - 0.5).clamp(DVec3::splat(-2.0), beyond);
        let low = at.floor();
        let fraction = at - low;
        let low: IVec3 = low.as_ivec3();
        let mut blend = Self {
            leaves: [(0, 0.0); 8],
            count: 0,
        };
        let mut sum = 0.0;
        for corner in 0..8 {
            let (x, y, z) = (corner & 1, corner >> 1 & 1, corner >> 2);
            let along = |k: i32, s: f64| if k == 1 { s } else { 1.0 - s };
            let weight = along(x, fraction.x) * along(y, fraction.y) * along(z, fraction.z);
            if weight <= 0.0 {
                continue;
            }
            if let Some(leaf) = leaves.leaf_of_voxel(low.x + x, low.y + y, low.z + z) {
                blend.leaves[blend.count] = (leaf as u32, weight as f32);
                blend.count += 1;
                sum += weight;
            }
        }
        if blend.count == 0 {
            let leaf = nearest_leaf(leaves, point)?;
            blend.leaves[0] = (leaf as u32, 1.0);
            blend.count = 1;
            sum = 1.0;
        }
        for leaf in &mut blend.leaves[..blend.count] {
            leaf.1 /= sum as f32;
        }
        Some(blend)
    }

    /// The leaves and their shares.
    pub fn leaves(&self) -> &[(u32, f32)] {
        &self.leaves[..self.count]
    }

    /// The distances to all bones in voxels, infinite where no path leads or where the bone
    /// is not among the nearest of any leaf.
    pub fn distances(&self, field: &Field, out: &mut Vec<f32>) {
        out.clear();
        out.resize(field.bones(), 0.0);
        match field {
            Field::All(all) => pulp::Arch::new().dispatch(OfAll {
                blend: self,
                all,
                out,
            }),
            Field::Nearest(nearest) => {
                // A bone that only some of the leaves list is far from mattering to the rest.
                let mut listed = vec![0.0f32; out.len()];
                for &(leaf, fraction) in self.leaves() {
                    for (bone, distance) in nearest.of_leaf(leaf as usize) {
                        out[bone] += fraction * distance as f32;
                        listed[bone] += fraction;
                    }
                }
                for (sum, &listed) in out.iter_mut().zip(&listed) {
                    *sum = if listed > 0.0 {
                        *sum / listed
                    } else {
                        f32::INFINITY
                    };
                }
            }
        }
    }
}

/// The distances to all bones, of which all are known.
struct OfAll<'a> {
    blend: &'a Blend,
    all: &'a Distances,
    out: &'a mut [f32],
}

/// Compiled for wide vectors too.
impl pulp::WithSimd for OfAll<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let per_unit = (1.0 / self.all.metric.units_per_voxel) as f32;
        for (out, group) in self.out.chunks_mut(LANES).zip(self.all.groups()) {
            let mut sums = [0f32; LANES];
            for &(leaf, fraction) in self.blend.leaves() {
                let factor = fraction * per_unit;
                for (sum, &units) in sums.iter_mut().zip(&group[leaf as usize]) {
                    let path = if units == u16::MAX {
                        f32::INFINITY
                    } else {
                        f32::from(units)
                    };
                    *sum += factor * path;
                }
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }
}

/// The leaf whose voxels come closest to a point that lies in none.
fn nearest_leaf(leaves: &Leaves, point: DVec3) -> Option<usize> {
    let at = leaves.grid.grid_from_bind(point);
    let middle = leaves.grid.voxel_at(point.as_vec3()).as_ivec3();
    let mut best: Option<(f64, usize)> = None;
    for ring in 0..=FURTHEST {
        // A leaf of a further ring is at least this far away.
        if best.is_some_and(|b| b.0 <= f64::from(ring - 1)) {
            break;
        }
        for z in -ring..=ring {
            for y in -ring..=ring {
                let rim = z.abs() == ring || y.abs() == ring;
                let step = if rim { 1 } else { 2 * ring.max(1) };
                for x in (-ring..=ring).step_by(step as usize) {
                    let voxel = middle + IVec3::new(x, y, z);
                    if let Some(leaf) = leaves.leaf_of_voxel(voxel.x, voxel.y, voxel.z) {
                        let distance = (voxel.as_dvec3() + 0.5).distance(at);
                        if best.is_none_or(|b| (distance, leaf) < b) {
                            best = Some((distance, leaf));
                        }
                    }
                }
            }
        }
    }
    best.map(|b| b.1)
}
