//! Who mirrors whom, so that the page can show where left and right differ.

use glam::DVec3;
use ligament::Character;
use ligament::geometry::{Weld, WeldedMesh};
use ligament::skin::{Axis, MirrorPlane};

use crate::wire::{Frame, Kind};

/// How far an image may be from a position, as a fraction of the diagonal; as the measure of symmetry has it.
const COINCIDENT: f64 = 1e-3;
/// How far a joint may be from its partner's image, as a fraction of the diagonal.
const SAME_JOINT: f64 = 1e-2;
/// Nobody.
const NONE: u32 = u32::MAX;

/// For each vertex its image on the other side, then for each joint its partner. Returns the share of vertices with an image.
pub fn mirror_frame(character: &Character, serial: u32) -> (f64, Vec<u8>) {
    let mesh = &character.mesh;
    let weld = Weld::of(mesh);
    let welded = WeldedMesh::by(mesh, &weld);
    let reach = COINCIDENT * welded.diagonal;
    let points: Vec<DVec3> = welded.points.clone();
    let plane = MirrorPlane::of(&points, Axis::X, reach);
    let pairs = plane.pairs_by_position(&points, reach);
    // Vertices at one position share their weights: any stands for all.
    let mut vertex_at = vec![NONE; points.len()];
    for (vertex, &point) in weld.point_of_vertex.iter().enumerate().rev() {
        vertex_at[point as usize] = vertex as u32;
    }
    let images: Vec<u32> = weld
        .point_of_vertex
        .iter()
        .map(|&point| pairs[point as usize].map_or(NONE, |image| vertex_at[image as usize]))
        .collect();
    let joints = plane.joint_pairs(&character.skeleton, SAME_JOINT * welded.diagonal);
    let found = images.iter().filter(|&&i| i != NONE).count();
    let share = found as f64 / images.len().max(1) as f64;
    let frame = Frame::new(Kind::Mirror, serial, images.len() as u32, joints.len() as u32)
        .u32s(images)
        .u32s(joints.iter().map(|j| j.map_or(NONE, |j| u32::from(j.0))))
        .finish();
    (share, frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_mirrors_itself() {
        let athlete = ligament::sample::make("athlete@1000").unwrap();
        let (share, frame) = mirror_frame(&athlete, 3);
        assert!(share > 0.99, "{share}");
        let words: Vec<u32> = frame[16..]
            .chunks(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        let (images, joints) = words.split_at(athlete.mesh.positions.len());
        assert_eq!(joints.len(), athlete.skeleton.joints.len());
        for (vertex, &image) in images.iter().enumerate().filter(|(_, i)| **i != NONE) {
            let (a, b) = (
                athlete.mesh.positions[vertex],
                athlete.mesh.positions[image as usize],
            );
            assert!((a.x + b.x).abs() < 5e-3 && a.y - b.y < 5e-3);
        }
        let left = athlete.skeleton.find("left_hand").unwrap();
        let right = athlete.skeleton.find("right_hand").unwrap();
        assert_eq!(joints[left.at()], u32::from(right.0));
        let hips = athlete.skeleton.find("hips").unwrap();
        assert_eq!(joints[hips.at()], u32::from(hips.0));
    }
}
