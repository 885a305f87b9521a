//! Bodies that are modelled two-sided: every face twice, once in each winding.
//!
//! Renderers without double-sided materials made artists do this. To votes, winding numbers and normals such faces
//! cancel each other, and the body has no inside. Of a shell whose faces come in such pairs and that is closed without one
//! face of each, the second of each pair says nothing and is not looked at. Sheets (hair, capes) stay as they are: there
//! both sides are meant.

use rustc_hash::FxHashMap;

use super::{Shells, WeldedMesh};

/// A shell is doubled if at least this fraction of its faces have a partner in the other winding.
const DOUBLED: f64 = 0.95;
/// And closed without the partners if at most this fraction of its edges are open then.
const OPEN: f64 = 0.02;

/// For each face whether it is the second of a pair in a body that is modelled two-sided; `None` if there is no such
/// body.
pub fn second_sides(surface: &WeldedMesh) -> Option<Vec<bool>> {
    // The first face between the same three points, and which way it is wound.
    let mut first: FxHashMap<[u32; 3], (u32, bool)> = FxHashMap::default();
    let mut partner_of: Vec<Option<u32>> = vec![None; surface.faces.len()];
    let mut pairs = 0;
    for (face, &corners) in surface.faces.iter().enumerate() {
        if surface.is_collapsed(face) {
            continue;
        }
        let (key, winding) = sorted(corners);
        match first.get(&key) {
            None => {
                first.insert(key, (face as u32, winding));
            }
            Some(&(other, its_winding)) if its_winding != winding => {
                partner_of[face] = Some(other);
                pairs += 1;
            }
            Some(_) => {}
        }
    }
    if pairs == 0 {
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
        let single: Vec<u32> = faces
            .iter()
            .copied()
            .filter(|&f| partner_of[f as usize].is_none())
            .collect();
        if is_closed(surface, &single) {
            for &face in faces {
                second[face as usize] = partner_of[face as usize].is_some();
            }
        }
    }
    second.contains(&true).then_some(second)
}

/// The corners ascending, and whether that took an odd number of swaps.
fn sorted([a, b, c]: [u32; 3]) -> ([u32; 3], bool) {
    let odd = (a > b) ^ (b > c) ^ (a > c);
    let mut key = [a, b, c];
    key.sort_unstable();
    (key, odd)
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

    #[test]
    fn a_body_of_two_sides_has_one_and_a_sheet_keeps_both() {
        let mut body = cube(Vec3::ZERO, 1.0);
        let flipped: Vec<[u32; 3]> = body.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_eq!(second_sides(&welded(&body)), None);
        body.triangles.extend(&flipped);
        body.parts[0].triangles.end = 24;
        let second = second_sides(&welded(&body)).unwrap();
        assert_eq!(second, [vec![false; 12], vec![true; 12]].concat());

        let mut sheet = cube(Vec3::X * 3.0, 1.0);
        sheet.triangles.truncate(2);
        let other: Vec<[u32; 3]> = sheet.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        sheet.triangles.extend(other);
        sheet.parts[0].triangles.end = 4;
        assert_eq!(second_sides(&welded(&sheet)), None);
        // Beside a body of two sides a sheet stays.
        let both = joined(&[body, sheet]);
        let second = second_sides(&welded(&both)).unwrap();
        assert_eq!(second.iter().filter(|&&s| s).count(), 12);
        assert!(!second[24..].contains(&true));
    }
}
