//! Faces that say nothing new: repetitions, and the second sides of bodies that are modelled two-sided.
//!
//! A face that is there twice in one winding counts twice for winding numbers and normals, and means nothing by it.
//!
//! Two-sided bodies have every face twice, once in each winding.
//! Renderers without double-sided materials made artists do this. To votes, winding numbers and normals such faces
//! cancel each other, and the body has no inside. Of a shell whose faces come in such pairs and that is closed without one
//! face of each, the second of each pair says nothing and is not looked at. Sheets (hair, capes) stay as they are: there
//! both sides are meant.

use rustc_hash::FxHashMap;

use super::repeated_faces::{first_with_same_corners, is_odd};
use super::{Shells, WeldedMesh};

/// A shell is doubled if at least this fraction of its faces have a partner in the other winding.
const DOUBLED: f64 = 0.95;
/// And closed without the partners if at most this fraction of its edges are open then.
const OPEN: f64 = 0.2;

/// Faces that say nothing new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdleFaces {
    /// For each face whether it is one.
    pub is_idle: Vec<bool>,
    /// How many of them are second sides.
    pub second_sides: usize,
}

/// Finds faces that say nothing new; `None` if there are none.
pub fn idle_faces(surface: &WeldedMesh) -> Option<IdleFaces> {
    let first = first_with_same_corners(surface.points.len(), &surface.faces);
    if (0..).zip(&first).all(|(face, &other)| face == other) {
        return None;
    }
    let second = second_sides(surface, &first).unwrap_or_else(|| vec![false; first.len()]);
    Some(IdleFaces {
        is_idle: repeated(surface, &first)
            .into_iter()
            .zip(&second)
            .map(|(repeated, &second)| repeated || second)
            .collect(),
        second_sides: second.iter().filter(|&&second| second).count(),
    })
}

/// For each face whether one before it has the same corners in the same winding.
fn repeated(surface: &WeldedMesh, first: &[u32]) -> Vec<bool> {
    // Of each set of corners, whether a face is there that is wound against the first one.
    let mut has_against = vec![false; first.len()];
    (0..first.len())
        .map(|face| {
            let other = first[face] as usize;
            let is_against = is_odd(surface.faces[face]) != is_odd(surface.faces[other]);
            match is_against {
                true => std::mem::replace(&mut has_against[other], true),
                false => other != face,
            }
        })
        .collect()
}

/// For each face whether it is the second of a pair in a body that is modelled two-sided; `None` if there is no such
/// body. `first` are the first faces with the same corners.
fn second_sides(surface: &WeldedMesh, first: &[u32]) -> Option<Vec<bool>> {
    let partner_of: Vec<Option<u32>> = surface
        .faces
        .iter()
        .zip(first)
        .map(|(&face, &other)| {
            let against = is_odd(face) != is_odd(surface.faces[other as usize]);
            against.then_some(other)
        })
        .collect();
    if partner_of.iter().all(Option::is_none) {
        return None;
    }
    let shells = Shells::of(surface);
    let mut second = vec![false; surface.faces.len()];
    for faces in &shells.faces {
        let paired = faces
            .iter()
            .filter(|&&f| partner_of[f as usize].is_some())
            .count();
        if 2.0 * (paired as f64) < DOUBLED * faces.len() as f64 {
            continue;
        }
        // Each once: repeated, the faces of a sheet would close it.
        let single: Vec<u32> = faces
            .iter()
            .copied()
            .filter(|&f| first[f as usize] == f)
            .collect();
        if is_closed(surface, &single) {
            for &face in faces {
                second[face as usize] = partner_of[face as usize].is_some();
            }
        }
    }
    second.contains(&true).then_some(second)
}

/// Whether nearly all edges of some faces have two of them.
fn is_closed(surface: &WeldedMesh, faces: &[u32]) -> bool {
    let mut count: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    for &face in faces {
        let [a, b, c] = surface.faces[face as usize];
        for [a, b] in [[a, b], [b, c], [c, a]] {
            *count.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    let edges = count.len();
    // The order in which edges are counted does not matter.
    #[allow(clippy::iter_over_hash_type, reason = "a sum of whole numbers")]
    let open = count.into_values().filter(|&faces| faces == 1).count();
    edges > 0 && open as f64 <= OPEN * edges as f64
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{cube, joined, welded};
    use super::*;
    use glam::Vec3;

    fn second_sides_of(mesh: &crate::Mesh) -> Option<Vec<bool>> {
        idle_faces(&welded(mesh))
            .filter(|idle| idle.second_sides > 0)
            .map(|idle| idle.is_idle)
    }

    #[test]
    fn a_face_that_is_there_twice_counts_once() {
        let mut body = cube(Vec3::ZERO, 1.0);
        assert_eq!(idle_faces(&welded(&body)), None);
        let [a, b, c] = body.triangles[4];
        body.triangles.push([b, c, a]);
        body.parts[0].triangles.end += 1;
        let idle = idle_faces(&welded(&body)).unwrap();
        assert_eq!((idle.second_sides, idle.is_idle[12]), (0, true));
        assert!(!idle.is_idle[..12].contains(&true));
    }

    #[test]
    fn a_body_of_two_sides_has_one_and_a_sheet_keeps_both() {
        let mut body = cube(Vec3::ZERO, 1.0);
        let flipped: Vec<[u32; 3]> = body.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_eq!(second_sides_of(&body), None);
        body.triangles.extend(&flipped);
        body.parts[0].triangles.end = 24;
        let second = second_sides_of(&body).unwrap();
        assert_eq!(second, [vec![false; 12], vec![true; 12]].concat());

        let mut sheet = cube(Vec3::X * 3.0, 1.0);
        sheet.triangles.truncate(2);
        let other: Vec<[u32; 3]> = sheet.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        sheet.triangles.extend(other);
        sheet.parts[0].triangles.end = 4;
        assert_eq!(second_sides_of(&sheet), None);
        let mut repeated = sheet.clone();
        repeated.triangles.extend(&sheet.triangles);
        repeated.parts[0].triangles.end = 8;
        let idle = idle_faces(&welded(&repeated)).unwrap();
        assert_eq!(idle.is_idle, [vec![false; 4], vec![true; 4]].concat());
        assert_eq!(idle.second_sides, 0);
        // Beside a body of two sides a sheet stays.
        let both = joined(&[body, sheet]);
        let second = second_sides_of(&both).unwrap();
        assert_eq!(second.iter().filter(|&&s| s).count(), 12);
        assert!(!second[24..].contains(&true));
    }
}
