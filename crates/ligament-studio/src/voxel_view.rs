//! The voxels that distances ran through, for the page to cut open.

use ligament::bind::voxel::VoxelBinding;
use ligament::character::BoneShape;
use ligament::solid::Leaves;

use crate::wire::{Frame, Kind};

/// What a leaf of the solid is.
const INTERIOR: u32 = 0;
const BOUNDARY: u32 = 1;
const BONE: u32 = 2;

/// The leaves: the finest size, then for each its middle, and its level and kind. Returns how many there are.
pub fn voxel_frame(binding: &VoxelBinding, serial: u32) -> (usize, Vec<u8>) {
    let leaves = binding.leaves();
    let touched = bones(binding, leaves);
    let size = leaves.grid.size as f32;
    let middles = (0..leaves.len()).flat_map(|leaf| leaves.centre(leaf).as_vec3().to_array());
    let kinds = (0..leaves.len()).map(|leaf| {
        let kind = match (touched[leaf], leaves.is_boundary(leaf)) {
            (true, _) => BONE,
            (_, true) => BOUNDARY,
            _ => INTERIOR,
        };
        (leaves.level(leaf) as u32) << 8 | kind
    });
    let frame = Frame::new(Kind::Voxels, serial, leaves.len() as u32, 0)
        .f32s([size])
        .f32s(middles)
        .u32s(kinds)
        .finish();
    (leaves.len(), frame)
}

/// Which leaves a bone runs through, seen at every half voxel of its length.
fn bones(binding: &VoxelBinding, leaves: &Leaves) -> Vec<bool> {
    let mut touched = vec![false; leaves.len()];
    let grid = &leaves.grid;
    for bone in binding.bones() {
        let (head, tail) = match bone.shape {
            BoneShape::Segment { head, tail } => (head, tail),
            BoneShape::Point(at) => (at, at),
            BoneShape::Sphere { centre, .. } => (centre, centre),
            _ => continue,
        };
        let steps = (2.0 * head.distance(tail) / grid.size).ceil().clamp(1.0, 1e5) as usize;
        for step in 0..=steps {
            let at = grid
                .grid_from_bind(head.lerp(tail, step as f64 / steps as f64))
                .floor();
            if let Some(leaf) = leaves.leaf_of_voxel(at.x as i32, at.y as i32, at.z as i32) {
                touched[leaf] = true;
            }
        }
    }
    touched
}
