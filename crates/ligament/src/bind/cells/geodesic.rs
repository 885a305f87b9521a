//! Finds the detours of a character: the path through the voxel solid to each joint's
//! bones, less the straight line.
//!
//! Voxel distances run along a lattice and are up to an eighth too long; what is within
//! 15% and a voxel of the straight line counts as straight. A joint to which no path leads
//! is at the longest detour; where no path leads to any joint (hair, buttons) there is no
//! detour at all, and straight lines decide as in the paper.

use glam::DVec3;

use super::detour::Detour;
use super::domain::FitDomain;
use crate::character::{Character, LEAF_STUB, bones_of};
use crate::geometry::WeldedMesh;
use crate::solid::distance::{Sources, all_distances};
use crate::solid::{Leaves, Solid, SolidOptions};
use crate::task::{Cancelled, Task};

/// Voxels along the longest side while paths are measured.
const FINE: u32 = 128;
/// And as they are stored.
const COARSE: u16 = 64;
/// The longest detour, as a fraction of the character's size. Beyond it no cell weighs.
const LONGEST: f64 = 0.25;
/// Lattice paths are longer than straight ones by up to this factor.
const LATTICE: f64 = 1.15;

/// The detours of a character, for cells in the order of the skin's joints.
pub fn detours(
    character: &Character,
    domain: &FitDomain,
    deforms: &[bool],
    task: &Task<'_>,
) -> Result<Option<Detour>, Cancelled> {
    let inside = |p: DVec3| (p - domain.centre) / domain.size;
    let mut owners = Vec::new();
    let mut shapes = Vec::new();
    for bone in bones_of(&character.skeleton, deforms, LEAF_STUB) {
        let Ok(cell) = domain.joints.binary_search(&bone.joint) else {
            continue;
        };
        owners.push(cell);
        shapes.push(bone.shape.mapped(inside, 1.0 / domain.size));
    }
    let surface = WeldedMesh {
        points: domain.points.clone(),
        faces: domain.skin.faces().to_vec(),
        diagonal: 3f64.sqrt(),
    };
    let options = SolidOptions {
        resolution: FINE,
        ..SolidOptions::default()
    };
    let solid = Solid::of(&surface, &options, task)?;
    let sources = Sources::of(&solid, &shapes);
    let leaves = Leaves::of(&solid, &sources.voxels(solid.grid.counts), true, true);
    let distances = all_distances(&leaves, &sources, 1.0, task)?;

    // Of each leaf and cell, in shares of the longest.
    let cells = domain.joints.len();
    let voxel = leaves.grid.size;
    let mut of_leaf = vec![0f32; leaves.len() * cells];
    for (leaf, row) in of_leaf.chunks_exact_mut(cells).enumerate() {
        let centre = leaves.centre(leaf);
        let mut paths = vec![f64::INFINITY; cells];
        let mut lines = vec![f64::INFINITY; cells];
        for (bone, (&cell, shape)) in owners.iter().zip(&shapes).enumerate() {
            paths[cell] = paths[cell].min(distances.voxels(leaf, bone) * voxel);
            lines[cell] = lines[cell].min(shape.distance(centre));
        }
        if paths.iter().any(|w| w.is_finite()) {
            for (to, (path, line)) in row.iter_mut().zip(paths.iter().zip(&lines)) {
                *to = ((path - LATTICE * line - voxel) / LONGEST).clamp(0.0, 1.0) as f32;
            }
        }
    }

    // A stored voxel has the mean of the fine voxels whose middles it holds.
    let mut found: Vec<(u32, u32)> = Vec::new();
    for v in solid.voxels().ones() {
        let Some(leaf) = leaves.leaf_of_voxel(v.x as i32, v.y as i32, v.z as i32) else {
            continue;
        };
        let stored = Detour::voxel_at(COARSE, solid.grid.centre(v).as_vec3());
        found.push((stored, leaf as u32));
    }
    found.sort_unstable();
    let mut voxels = Vec::new();
    let mut bytes = Vec::new();
    for same in found.chunk_by(|a, b| a.0 == b.0) {
        voxels.push(same[0].0);
        let mut sums = vec![0f32; cells];
        for &(_, leaf) in same {
            let row = &of_leaf[leaf as usize * cells..(leaf as usize + 1) * cells];
            sums.iter_mut().zip(row).for_each(|(s, x)| *s += x);
        }
        let scale = 255.0 / same.len() as f32;
        bytes.extend(sums.iter().map(|s| (s * scale).round() as u8));
    }
    Ok(Detour::new(
        COARSE,
        cells,
        (LONGEST / 255.0) as f32,
        voxels,
        bytes,
    ))
}

#[cfg(test)]
mod tests {
    use super::super::domain::tests::domain_of_character;
    use super::*;

    #[test]
    fn a_hand_beside_the_thigh_is_far_from_it() {
        let character = crate::sample::make("apose@3000").unwrap();
        let domain = domain_of_character(&character);
        let deforms: Vec<bool> = character.skeleton.joints.iter().map(|j| j.in_skin).collect();
        let detour = detours(&character, &domain, &deforms, &Task::unattended())
            .unwrap()
            .unwrap();
        let cell = |name: &str| {
            let joint = character.skeleton.find(name).unwrap();
            domain.joints.binary_search(&joint).unwrap()
        };
        let (hand, thigh) = (cell("left_hand"), cell("left_upper_leg"));
        let joint = domain.joints[hand];
        let at = (character.skeleton.bind_position(joint) - domain.centre) / domain.size;
        let mut found = vec![0.0; domain.joints.len()];
        detour.add_to(at.as_vec3(), &mut found);
        assert!(found[hand] < 0.01, "the hand is {} from itself", found[hand]);
        assert!(found[thigh] > 0.1, "the thigh is only {} further", found[thigh]);
    }
}
