//! Faces wound against their neighbours.
//!
//! Two faces that share an edge run along it in opposite directions, if both look to the same side. Where an exporter or a
//! mirrored half broke that, normals point anywhere and winding numbers cancel. From face to face across edges that
//! exactly two faces share, every face can be wound like its neighbours; which of the two ways the whole patch then looks
//! is what most of its area says, or, where its area is divided, its volume about its own middle.

use glam::DVec3;

use super::WeldedMesh;

/// Of a patch with more than this fraction of its area on either side nobody can say which is the right one.
const DIVIDED: f64 = 0.35;
/// Faces with less than this fraction of the area in all are left as they are: votes and winding numbers stand a few, and
/// artists fold a rim over on purpose.
const FEW: f64 = 0.03;
/// Patches with at least this fraction of the area in all must be divided before nothing is trusted.
const MUCH: f64 = 0.2;
/// No face.
const NONE: u32 = u32::MAX;

/// How faces disagree with their neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindingDisagreement {
    /// For each face whether it must be flipped so that neighbours agree.
    pub flips: Vec<bool>,
    /// Whether some patch was divided about which side is out, so that no winding of the file can be trusted.
    pub is_divided: bool,
}

/// Which faces must be flipped so that neighbours agree; `None` if they do.
///
/// Patches end at edges of more than two faces. A band that cannot be wound consistently keeps some edges that disagree.
pub fn faces_to_flip(surface: &WeldedMesh) -> Option<WindingDisagreement> {
    if agrees(surface) {
        return None;
    }
    let across = neighbours(surface);
    let mut flips = vec![false; surface.faces.len()];
    let mut seen = flips.clone();
    let mut patch: Vec<u32> = Vec::new();
    let (mut area, mut flipped_area, mut divided_area) = (0.0, 0.0, 0.0);
    for first in 0..surface.faces.len() as u32 {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        patch.clear();
        patch.push(first);
        let (mut kept, mut flipped) = (0.0, 0.0);
        let mut next = 0;
        while let Some(&face) = patch.get(next) {
            next += 1;
            let area = surface.area_vector(face as usize).length();
            *(if flips[face as usize] {
                &mut flipped
            } else {
                &mut kept
            }) += area;
            for &(other, disagrees) in &across[face as usize] {
                if other != NONE && !std::mem::replace(&mut seen[other as usize], true) {
                    flips[other as usize] = flips[face as usize] ^ disagrees;
                    patch.push(other);
                }
            }
        }
        let is_divided = flipped.min(kept) > DIVIDED * (flipped + kept);
        area += kept + flipped;
        divided_area += if is_divided { kept + flipped } else { 0.0 };
        let most = match is_divided {
            true => volume(surface, &patch, &flips) < 0.0,
            false => flipped > kept,
        };
        flipped_area += if most { kept } else { flipped };
        for &face in &patch {
            flips[face as usize] ^= most;
        }
    }
    (flipped_area > FEW * area).then_some(WindingDisagreement {
        flips,
        is_divided: divided_area > MUCH * area,
    })
}

/// Six times the volume between the faces of a patch and their own middle, some of them flipped.
fn volume(surface: &WeldedMesh, patch: &[u32], flips: &[bool]) -> f64 {
    let corners = || patch.iter().map(|&face| (face, surface.corners(face as usize)));
    let middle = corners().map(|(_, [a, b, c])| a + b + c).sum::<DVec3>() / (3 * patch.len()) as f64;
    let signed = |(face, [a, b, c]): (u32, [DVec3; 3])| {
        let volume = (a - middle).dot((b - middle).cross(c - middle));
        if flips[face as usize] { -volume } else { volume }
    };
    corners().map(signed).sum()
}

/// The three directed edges of a face.
fn edges([a, b, c]: [u32; 3]) -> [(u32, u32); 3] {
    [(a, b), (b, c), (c, a)]
}

/// Whether no two faces run along an edge in the same direction.
fn agrees(surface: &WeldedMesh) -> bool {
    let mut starts = vec![0u32; surface.points.len() + 1];
    for (face, corners) in surface.faces.iter().enumerate() {
        if !surface.is_collapsed(face) {
            for &p in corners {
                starts[p as usize + 1] += 1;
            }
        }
    }
    for p in 0..surface.points.len() {
        starts[p + 1] += starts[p];
    }
    let mut ends = vec![NONE; starts[surface.points.len()] as usize];
    let mut last = starts.clone();
    for (face, &corners) in surface.faces.iter().enumerate() {
        if !surface.is_collapsed(face) {
            for (from, to) in edges(corners) {
                let slot = &mut last[from as usize];
                ends[*slot as usize] = to;
                *slot += 1;
            }
        }
    }
    // Few edges leave a point, but a fan of thousands must not be compared pair by pair.
    starts.windows(2).all(|range| {
        let list = &mut ends[range[0] as usize..range[1] as usize];
        list.sort_unstable();
        list.windows(2).all(|pair| pair[0] != pair[1])
    })
}

/// For each face and each of its edges the only other face there, and whether the two disagree.
fn neighbours(surface: &WeldedMesh) -> Vec<[(u32, bool); 3]> {
    let mut sides: Vec<(u32, u32, bool, u32)> = Vec::with_capacity(3 * surface.faces.len());
    for (face, &corners) in surface.faces.iter().enumerate() {
        if !surface.is_collapsed(face) {
            sides.extend(edges(corners).map(|(p, q)| (p.min(q), p.max(q), p < q, face as u32)));
        }
    }
    sides.sort_unstable();
    let mut across = vec![[(NONE, false); 3]; surface.faces.len()];
    let mut filled = vec![0u8; surface.faces.len()];
    for edge in sides.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1)) {
        if let [a, b] = edge {
            for (own, other) in [(a, b), (b, a)] {
                let slot = &mut filled[own.3 as usize];
                across[own.3 as usize][usize::from(*slot)] = (other.3, own.2 == other.2);
                *slot += 1;
            }
        }
    }
    across
}

#[cfg(test)]
mod tests {
    use super::super::edge_faults;
    use super::super::shapes::{cube, joined, welded};
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    fn flipped(surface: &WeldedMesh, flips: &[bool]) -> WeldedMesh {
        let mut surface = surface.clone();
        for (face, _) in surface.faces.iter_mut().zip(flips).filter(|(_, flip)| **flip) {
            face.swap(1, 2);
        }
        surface
    }

    #[test]
    fn what_agrees_stays_and_a_fin_does_not_decide() {
        let apart = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 3.0, 1.0)]);
        assert_eq!(faces_to_flip(&welded(&apart)), None);
        let mut fin = cube(Vec3::ZERO, 1.0);
        let [a, b, _] = fin.triangles[0];
        fin.positions.push(Vec3::splat(5.0));
        fin.triangles.push([a, b, 8]); // a third face, along the edge as the first runs
        fin.parts[0].triangles.end += 1;
        fin.parts[0].vertices.end += 1;
        assert_eq!(faces_to_flip(&welded(&fin)), None);
    }

    proptest! {
        /// Whichever few faces of two cubes are flipped, those are found: neighbours agree again and most faces stay.
        #[test]
        fn flipped_faces_are_found(few in prop::collection::btree_set(0usize..12, 0..5)) {
            let both = welded(&joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 3.0, 0.2)]));
            let wrong: Vec<bool> = (0..24).map(|f| few.contains(&f)).collect();
            let broken = flipped(&both, &wrong);
            match faces_to_flip(&broken) {
                None => prop_assert!(few.is_empty()),
                Some(found) => {
                    prop_assert_eq!(&found.flips, &wrong);
                    prop_assert_eq!(edge_faults(&flipped(&broken, &found.flips)), edge_faults(&both));
                }
            }
        }
    }
}
