//! Why a vertex got the weights that it has.

use glam::DVec3;
use serde::Serialize;

use super::binding::VoxelBinding;
use super::candidate_bones::{Room, Ruler, near_bones};
use crate::character::Skeleton;
use crate::solid::Blend;

/// What decided the weights at a point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The edge length of a voxel.
    pub voxel: f64,
    /// Whether the point lies in the solid's boundary, or is taken to the nearest leaf.
    pub in_solid: bool,
    /// The bones around the point, nearest first.
    pub bones: Vec<ExplainedBone>,
}

/// One bone seen from a point. Lengths are in the mesh's own unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedBone {
    /// The joint that the bone moves with.
    pub joint: String,
    /// The straight distance.
    pub straight: f64,
    /// The distance through the solid.
    pub through_solid: f64,
    /// The distance that counts: with ends and the thickness of the limb.
    pub counts: f64,
    /// The path through the solid from the point to the bone: middles of voxels.
    pub path: Vec<DVec3>,
}

impl VoxelBinding {
    /// Explains a point with its nearest `count` bones.
    pub fn explain(&self, point: DVec3, skeleton: &Skeleton, count: usize) -> Explanation {
        let rulers: Vec<Ruler> = self.bones.iter().map(|b| Ruler::of(b, self)).collect();
        let (mut room, mut list) = (Room::default(), Vec::new());
        near_bones(self, &rulers, point, &mut room, &mut list);
        let size = self.leaves.grid.size;
        let at = self.leaves.grid.grid_from_bind(point).floor().as_ivec3();
        let own = self.leaves.leaf_of_voxel(at.x, at.y, at.z);
        let start = own.or_else(|| Blend::at(&self.leaves, point).map(|b| b.leaves()[0].0 as usize));
        let mut bones: Vec<ExplainedBone> = list
            .iter()
            .map(|near| {
                let index = usize::from(near.bone);
                let bone = &self.bones[index];
                ExplainedBone {
                    joint: skeleton.joint(bone.joint).name.clone(),
                    straight: bone.shape.distance(point),
                    through_solid: f64::from(room.paths[index]) * size,
                    counts: f64::from(near.distance * self.scales[index]) * size,
                    path: start.map_or_else(Vec::new, |leaf| self.path(leaf, index)),
                }
            })
            .collect();
        bones.sort_by(|a, b| a.counts.total_cmp(&b.counts));
        bones.truncate(count);
        Explanation {
            voxel: size,
            in_solid: own.is_some(),
            bones,
        }
    }

    /// The path from a leaf to a bone: always to the neighbour that is nearest to it.
    fn path(&self, mut leaf: usize, bone: usize) -> Vec<DVec3> {
        let mut path = vec![self.leaves.centre(leaf)];
        let mut left = self.field.voxels(leaf, bone);
        loop {
            let next = self
                .leaves
                .neighbours(leaf)
                .iter()
                .map(|n| (self.field.voxels(n.leaf(), bone), n.leaf()))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            match next {
                Some((distance, to)) if distance < left => {
                    (leaf, left) = (to, distance);
                    path.push(self.leaves.centre(leaf));
                }
                _ => return path,
            }
        }
    }
}
