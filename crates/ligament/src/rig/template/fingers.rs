//! Fingers, as far as the extracted skeleton shows them.

use glam::DVec3;

use super::frame::{along, length};
use crate::character::{JointIndex, Side, Skeleton, StandardBone};

/// Where a finger's joints are between the place where it leaves the others and its tip.
const JOINTS: [f64; 3] = [0.35, 0.62, 0.82];
/// and a thumb's.
const THUMB: [f64; 3] = [0.15, 0.5, 0.78];

/// Each finger's first bone, from the thumb on.
const FIRST: [StandardBone; 5] = [
    StandardBone::LeftThumbMetacarpal,
    StandardBone::LeftIndexProximal,
    StandardBone::LeftMiddleProximal,
    StandardBone::LeftRingProximal,
    StandardBone::LeftLittleProximal,
];

/// Fingers of a hand; none for a mitten.
#[derive(Debug, Default)]
pub(super) struct Fingers {
    /// Where each bone begins.
    pub bones: Vec<(StandardBone, DVec3)>,
    /// Each tip, with the last bone before it.
    pub tips: Vec<(StandardBone, DVec3)>,
}

/// The fingers of a side.
pub(super) fn fingers(found: &Skeleton, side: Side, elbow: DVec3) -> Fingers {
    let word = if side == Side::Left {
        "left_hand"
    } else {
        "right_hand"
    };
    let Some(hand) = found.find(word) else {
        return Fingers::default();
    };
    let paths = paths_to_ends(found, hand);
    if !(2..=5).contains(&paths.len()) {
        return Fingers::default();
    }
    let wrist = found.bind_position(hand);
    let way = (wrist - elbow).normalize_or_zero();
    let mut lines: Vec<Vec<DVec3>> = (0..paths.len())
        .map(|i| {
            // From the last joint that it shares with another.
            let shared = (0..paths.len())
                .filter(|&k| k != i)
                .map(|k| paths[i].iter().zip(&paths[k]).take_while(|(a, b)| a == b).count())
                .max()
                .unwrap_or(1);
            let own = &paths[i][shared.saturating_sub(1)..];
            own.iter().map(|&j| found.bind_position(j)).collect()
        })
        .collect();
    let tip = |line: &[DVec3]| line.last().copied().unwrap_or(wrist);
    let reach = |line: &Vec<DVec3>| (tip(line) - wrist).dot(way);
    lines.sort_by(|a, b| reach(a).total_cmp(&reach(b)));
    let thumb = lines.remove(0);
    let from_thumb =
        |line: &Vec<DVec3>| along(line, 0.35 * length(line)).distance(along(&thumb, 0.5 * length(&thumb)));
    lines.sort_by(|a, b| from_thumb(a).total_cmp(&from_thumb(b)));
    lines.insert(0, thumb);
    let mut fingers = Fingers::default();
    for (i, (first, line)) in FIRST.into_iter().zip(&lines).enumerate() {
        let shares = if i == 0 { THUMB } else { JOINTS };
        let whole = length(line);
        for (k, share) in shares.into_iter().enumerate() {
            let bone = StandardBone::ALL[first as usize + k].on(side);
            fingers.bones.push((bone, along(line, share * whole)));
        }
        let last = StandardBone::ALL[first as usize + 2].on(side);
        fingers.tips.push((last, tip(line)));
    }
    fingers
}

/// The joints from one joint to each end below it.
fn paths_to_ends(skeleton: &Skeleton, from: JointIndex) -> Vec<Vec<JointIndex>> {
    let children = skeleton.skin_children();
    let mut ends = Vec::new();
    let mut waiting = vec![vec![from]];
    while let Some(path) = waiting.pop() {
        let last = path.last().copied().unwrap_or(from);
        if children[last.at()].is_empty() {
            ends.push(path);
            continue;
        }
        for &child in children[last.at()].iter().rev() {
            let mut longer = path.clone();
            longer.push(child);
            waiting.push(longer);
        }
    }
    ends
}
