//! The voxels that distances ran through, for the page to cut open.

use glam::DVec3;
use ligament::bind::voxel::VoxelBinding;
use ligament::character::BoneShape;
use ligament::solid::Leaves;

use crate::wire::{Frame, Kind};

/// What a leaf of the solid is.
const INTERIOR: u32 = 0;
const BOUNDARY: u32 = 1;
const BONE: u32 = 2;
const WINDING: u32 = 3;

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
            _ if binding.is_by_winding_number(leaf) == Some(true) => WINDING,
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

/// Which leaves a bone runs through, seen at every half voxel of its length, or of its extent.
fn bones(binding: &VoxelBinding, leaves: &Leaves) -> Vec<bool> {
    let mut touched = vec![false; leaves.len()];
    let grid = &leaves.grid;
    let mut touch = |at: DVec3| {
        let at = grid.grid_from_bind(at).floor();
        if let Some(leaf) = leaves.leaf_of_voxel(at.x as i32, at.y as i32, at.z as i32) {
            touched[leaf] = true;
        }
    };
    for bone in binding.bones() {
        match &bone.shape {
            BoneShape::Segment { head, tail } => {
                let steps = (2.0 * head.distance(*tail) / grid.size).ceil().clamp(1.0, 1e5) as usize;
                (0..=steps).for_each(|step| touch(head.lerp(*tail, step as f64 / steps as f64)));
            }
            BoneShape::Point(at) => touch(*at),
            // What fills a volume is asked leaf by leaf.
            shape => (0..leaves.len())
                .map(|leaf| leaves.centre(leaf))
                .filter(|&middle| shape.distance(middle) == 0.0)
                .for_each(&mut touch),
        }
    }
    touched
}
