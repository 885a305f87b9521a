//! What of a surface lies where the skeleton is.
//!
//! Files hold a floor, a backdrop, a prop beside the character, a triangle that was forgotten a hundred metres away, a
//! vertex that went astray. A solid that is laid around the bounding box of all of it leaves a few voxels for the
//! character. So it is laid around what is within reach of the skeleton: its box, widened by its own diagonal on every
//! side. Of a shell that leaves that reach with more than a few of its points nothing counts; of another, only the faces at
//! the points outside do not count. Where that would leave too little (a skeleton in other units, a single bone in a large
//! body) everything counts: a surface without strays is never changed.

use glam::DVec3;

use crate::character::Skeleton;
use crate::geometry::{Shells, WeldedMesh};

/// A shell with more than this fraction of its points out of reach is stray as a whole; of others only faces are. A body
/// with one vertex astray has a thousandth, a floor's corners are all outside.
const FEW_POINTS: f64 = 0.02;
/// At least this fraction of all points must be left, else the skeleton says nothing about the size of the character.
const ENOUGH_POINTS: f64 = 0.2;
/// At least this fraction of the joints must lie in the box around what is left, for the same reason.
const ENOUGH_JOINTS: f64 = 0.5;

/// The part of a surface that counts, and what does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// The surface without strays; points that no face names are left out unless nothing is stray.
    pub surface: WeldedMesh,
    /// How many shells are stray as a whole.
    pub shells: usize,
    /// How many points are stray.
    pub points: usize,
}

impl Extent {
    /// Looks for strays; `None` where there are none, or where nothing can be said.
    pub fn of(surface: &WeldedMesh, skeleton: &Skeleton) -> Option<Self> {
        let joints: Vec<DVec3> = skeleton
            .indices()
            .filter(|&j| skeleton.joint(j).in_skin)
            .map(|j| skeleton.bind_position(j))
            .collect();
        let (low, high) = bounds(joints.iter().copied())?;
        let reach = low.distance(high);
        let (low, high) = (low - reach, high + reach);
        let is_outside = |p: DVec3| !(p.cmpge(low).all() && p.cmple(high).all());
        let outside: Vec<bool> = surface.points.iter().map(|&p| is_outside(p)).collect();
        if reach <= 0.0 || !outside.contains(&true) {
            return None;
        }
        let shells = Shells::of(surface);
        let stray: Vec<bool> = shells
            .faces
            .iter()
            .map(|faces| is_stray(surface, faces, &outside))
            .collect();
        let counts = |face: usize| {
            let of_stray = shells.of_face[face].is_none_or(|shell| stray[shell as usize]);
            !of_stray && surface.faces[face].iter().all(|&p| !outside[p as usize])
        };
        let kept: Vec<usize> = (0..surface.faces.len()).filter(|&f| counts(f)).collect();
        let compact = compacted(surface, &kept);
        let enough = compact.points.len() as f64 >= ENOUGH_POINTS * surface.points.len() as f64;
        let (low, high) = bounds(compact.points.iter().copied())?;
        let held = joints
            .iter()
            .filter(|p| p.cmpge(low).all() && p.cmple(high).all())
            .count();
        if !enough || (held as f64) < ENOUGH_JOINTS * joints.len() as f64 {
            return None;
        }
        Some(Self {
            shells: stray.iter().filter(|&&s| s).count(),
            points: surface.points.len() - compact.points.len(),
            surface: compact,
        })
    }
}

/// Whether a shell has more than a few of its points out of reach.
fn is_stray(surface: &WeldedMesh, faces: &[u32], outside: &[bool]) -> bool {
    let mut points: Vec<u32> = faces.iter().flat_map(|&f| surface.faces[f as usize]).collect();
    points.sort_unstable();
    points.dedup();
    let out = points.iter().filter(|&&p| outside[p as usize]).count();
    out as f64 > FEW_POINTS * points.len() as f64
}

/// The box around some points.
fn bounds(mut points: impl Iterator<Item = DVec3>) -> Option<(DVec3, DVec3)> {
    let first = points.next()?;
    Some(points.fold((first, first), |(l, h), p| (l.min(p), h.max(p))))
}

/// Some faces with the points that they name, and the diagonal of those.
fn compacted(surface: &WeldedMesh, kept: &[usize]) -> WeldedMesh {
    const NONE: u32 = u32::MAX;
    let mut index = vec![NONE; surface.points.len()];
    let mut points = Vec::new();
    let faces = kept
        .iter()
        .map(|&face| {
            surface.faces[face].map(|p| {
                if index[p as usize] == NONE {
                    index[p as usize] = points.len() as u32;
                    points.push(surface.points[p as usize]);
                }
                index[p as usize]
            })
        })
        .collect();
    let diagonal = bounds(points.iter().copied()).map_or(0.0, |(low, high)| low.distance(high));
    WeldedMesh {
        points,
        faces,
        diagonal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::geometry::Weld;
    use glam::Vec3;

    fn with(character: &Character, positions: &[Vec3], faces: &[[u32; 3]]) -> WeldedMesh {
        let mut mesh = character.mesh.clone();
        let base = mesh.positions.len() as u32;
        mesh.positions.extend_from_slice(positions);
        mesh.triangles.extend(faces.iter().map(|f| f.map(|v| v + base)));
        WeldedMesh::by(&mesh, &Weld::of(&mesh))
    }

    #[test]
    fn what_lies_far_from_the_skeleton_does_not_count() {
        let character = crate::sample::make("athlete@1500").unwrap();
        let plain = with(&character, &[], &[]);
        assert_eq!(Extent::of(&plain, &character.skeleton), None);
        let size = character.mesh.diagonal();
        let corners = |side: f32| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, z)| Vec3::new(x * side, 0.0, z * side))
        };
        let far = Vec3::new(30.0 * size, 0.0, 0.0);
        let stray = with(&character, &[far, far + Vec3::X, far + Vec3::Y], &[[0, 1, 2]]);
        let floor = with(&character, &corners(10.0 * size), &[[0, 1, 2], [0, 2, 3]]);
        for (surface, points) in [(stray, 3), (floor, 4)] {
            let extent = Extent::of(&surface, &character.skeleton).unwrap();
            assert_eq!((extent.shells, extent.points), (1, points));
            assert_eq!(extent.surface.faces.len(), plain.faces.len());
        }
    }

    #[test]
    fn one_vertex_astray_takes_its_faces_with_it_and_no_more() {
        let mut character = crate::sample::make("athlete@1500").unwrap();
        let plain = WeldedMesh::of(&character.mesh);
        character.mesh.positions[7].y += 1e4;
        let weld = Weld::within(&character.mesh.positions, 0.0);
        let surface = WeldedMesh::by(&character.mesh, &weld);
        let extent = Extent::of(&surface, &character.skeleton).unwrap();
        assert_eq!((extent.shells, extent.points), (0, 1));
        assert!(extent.surface.faces.len() + 20 > plain.faces.len());
        assert!(extent.surface.diagonal < 1.1 * plain.diagonal);
    }

    #[test]
    fn a_skeleton_in_other_units_says_nothing() {
        let mut character = crate::sample::make("athlete@1500").unwrap();
        for joint in &mut character.skeleton.joints {
            joint.bind_from_joint.translation *= 0.01;
        }
        let surface = WeldedMesh::of(&character.mesh);
        assert_eq!(Extent::of(&surface, &character.skeleton), None);
    }
}
