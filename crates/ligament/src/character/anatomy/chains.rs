//! Limbs without names: which joint of a chain is which.

use super::place::Place;

/// The joints of a leg along a chain: hip, knee, ankle and toes, as far as there are any.
pub(super) fn leg(place: &Place, path: &[usize]) -> [Option<usize>; 4] {
    let mut path = path;
    // A joint of the pelvis runs sideways and not far.
    if path.len() > 3 {
        let first = place.distance(path[0], path[1]);
        let down = place.height(path[0]) - place.height(path[1]);
        if first < 0.3 * place.length(path) && down < 0.6 * first {
            path = &path[1..];
        }
    }
    let lowest = path
        .iter()
        .map(|&j| place.height(j))
        .fold(f64::INFINITY, f64::min);
    let drop = place.height(path[0]) - lowest;
    let low = |j: usize| place.height(j) < lowest + 0.22 * drop;
    match *path {
        [] => [None; 4],
        [hip] => [Some(hip), None, None, None],
        [hip, knee] => [Some(hip), Some(knee), None, None],
        _ => {
            // The ankle is the first that is near the ground, yet not the knee.
            let ankle = (2..path.len()).find(|&i| low(path[i])).unwrap_or(2);
            let knee = middle(place, &path[..=ankle]);
            let toes = path.get(ankle + 1).copied();
            [Some(path[0]), Some(path[knee]), Some(path[ankle]), toes]
        }
    }
}

/// The joint of a chain that is nearest to its middle, its ends excluded.
fn middle(place: &Place, path: &[usize]) -> usize {
    let whole = place.length(path);
    let mut along = 0.0;
    let mut best = (f64::INFINITY, 1);
    for i in 1..path.len().saturating_sub(1) {
        along += place.distance(path[i - 1], path[i]);
        let off = (along - 0.5 * whole).abs();
        if off < best.0 {
            best = (off, i);
        }
    }
    best.1
}

/// The joints of an arm along a chain: collarbone, shoulder, elbow, wrist. The wrist carries fingers if anything does.
pub(super) fn arm(place: &Place, path: &[usize]) -> [Option<usize>; 4] {
    let forks = |&j: &usize| place.children[j].len() >= 2;
    // The last fork beyond the first half of the chain; a mitten's thumb is one.
    let whole = place.length(path);
    let hand = (2..path.len().saturating_sub(1))
        .find(|&i| forks(&path[i]) && place.length(&path[..=i]) > 0.5 * whole);
    let end = match (hand, path.len()) {
        (Some(hand), _) => hand,
        (None, 0..=2) => {
            return [None, path.first().copied(), path.get(1).copied(), None];
        }
        (None, 3 | 4) => path.len() - 1,
        // One beyond the wrist: fingers, or the end of the hand.
        (None, n) => {
            let last = place.distance(path[n - 2], path[n - 1]);
            if last < 0.6 * place.distance(path[n - 3], path[n - 2]) {
                n - 2
            } else {
                n - 1
            }
        }
    };
    let mut path = &path[..=end];
    let mut collar = None;
    if path.len() > 3 {
        let first = place.distance(path[0], path[1]);
        if first < 0.4 * place.length(&path[1..]) {
            collar = Some(path[0]);
            path = &path[1..];
        } else if hand.is_none() {
            path = &path[..3];
        }
    }
    let elbow = middle(place, path);
    [collar, Some(path[0]), Some(path[elbow]), path.last().copied()]
}

/// The fingers that hang on a wrist: each chain with at least two joints, the thumb first, the others from the index on.
pub(super) fn fingers(place: &Place, hand: usize, elbow: usize) -> Vec<Vec<usize>> {
    // Fingers may hang on joints of the palm.
    let mut chains: Vec<Vec<usize>> = Vec::new();
    let mut waiting = place.children[hand].clone();
    while let Some(j) = waiting.pop() {
        if place.children[j].len() >= 2 {
            waiting.extend(&place.children[j]);
            continue;
        }
        let path = place.longest_path(j);
        if path.len() >= 2 {
            chains.push(path);
        }
    }
    if chains.len() < 2 || chains.len() > 5 {
        return Vec::new();
    }
    let along = (place.at[hand] - place.at[elbow]).normalize_or_zero();
    let tip = |c: &Vec<usize>| c.last().map_or(place.at[hand], |&j| place.at[j]);
    // The thumb reaches the least far along the arm, for how long it is.
    let reach = |c: &Vec<usize>| (tip(c) - place.at[hand]).dot(along);
    chains.sort_by(|a, b| reach(a).total_cmp(&reach(b)).then(a[0].cmp(&b[0])));
    let thumb = tip(&chains[0]);
    let from_thumb =
        |c: &Vec<usize>| place.at[c[0]].distance(place.at[chains[0][0]]) + 0.2 * tip(c).distance(thumb);
    let mut others: Vec<Vec<usize>> = chains[1..].to_vec();
    others.sort_by(|a, b| from_thumb(a).total_cmp(&from_thumb(b)).then(a[0].cmp(&b[0])));
    let mut sorted = vec![chains[0].clone()];
    sorted.append(&mut others);
    sorted
}
