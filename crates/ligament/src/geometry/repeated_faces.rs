//! Faces between the same three points.

/// For each face the first one with the same corners, whichever way they are wound: itself, if it is the first. Collapsed
/// faces are nobody's repetition.
pub(super) fn first_with_same_corners(points: usize, faces: &[[u32; 3]]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut faces_of = vec![0u32; points];
    for &p in faces.iter().flatten() {
        faces_of[p as usize] += 1;
    }
    // Each face is chained to the corner that fewest faces share: a repeated one is among few.
    let mut last_of = vec![NONE; points];
    let mut before = vec![NONE; faces.len()];
    let mut first: Vec<u32> = (0..faces.len() as u32).collect();
    for (face, corners) in faces.iter().enumerate() {
        let key = ascending(corners);
        if key[0] == key[1] || key[1] == key[2] {
            continue;
        }
        let loneliest = key
            .into_iter()
            .min_by_key(|&p| faces_of[p as usize])
            .unwrap_or(key[0]);
        let chain = &mut last_of[loneliest as usize];
        let mut at = *chain;
        while at != NONE && ascending(&faces[at as usize]) != key {
            at = before[at as usize];
        }
        if at == NONE {
            before[face] = *chain;
            *chain = face as u32;
        } else {
            first[face] = at;
        }
    }
    first
}

/// The corners in ascending order.
fn ascending(&[a, b, c]: &[u32; 3]) -> [u32; 3] {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    [low, a ^ b ^ c ^ low ^ high, high]
}

/// Whether putting the corners in ascending order takes an odd number of swaps: of two faces with the same corners, those
/// that differ in it are wound against each other.
pub(super) fn is_odd([a, b, c]: [u32; 3]) -> bool {
    (a > b) ^ (b > c) ^ (a > c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_found_in_any_winding() {
        let faces = [
            [0, 1, 2],
            [2, 1, 3],
            [1, 2, 0],
            [0, 2, 1],
            [3, 3, 1],
            [3, 3, 1],
            [3, 2, 1],
        ];
        assert_eq!(first_with_same_corners(4, &faces), [0, 1, 0, 0, 4, 5, 1]);
        assert_eq!(faces.map(is_odd)[..4], [false, true, false, true]);
        assert!(!is_odd([1, 2, 3]) && is_odd([3, 2, 1]) && !is_odd([2, 3, 1]));
    }
}
