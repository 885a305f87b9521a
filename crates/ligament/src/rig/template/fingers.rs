//! Fingers, as far as the extracted skeleton shows them.

use glam::DVec3;

use super::frame::{along, length};
use super::humanoid::Humanoid;
use super::rivals::Source;
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

/// How many fingers a hand has, the thumb among them.
const FINGERS: std::ops::RangeInclusive<usize> = 2..=5;
/// A joint that carries fingers is this near to the wrist, as a share of the forearm,
const NEAR: f64 = 0.4;
/// and fingers end within this.
const REACH: f64 = 1.0;

/// Fingers of a hand; none for a mitten.
#[derive(Debug, Default)]
pub(super) struct Fingers {
    /// Where each bone begins.
    pub bones: Vec<(StandardBone, DVec3)>,
    /// Each tip, with the last bone before it.
    pub tips: Vec<(StandardBone, DVec3)>,
}

/// The joint that extraction calls the hand of a side.
fn hand_by_name(found: &Skeleton, side: Side) -> Option<JointIndex> {
    found.find(if side == Side::Left {
        "left_hand"
    } else {
        "right_hand"
    })
}

/// The joint near a wrist that carries the most fingers, whatever it is called: all that hangs on it ends within a hand's reach.
fn hand_by_place(found: &Skeleton, wrist: DVec3, elbow: DVec3) -> Option<JointIndex> {
    let forearm = wrist.distance(elbow);
    let away = |j: JointIndex| found.bind_position(j).distance(wrist);
    let mut best: Option<(usize, JointIndex)> = None;
    for joint in found.indices().filter(|&j| away(j) <= NEAR * forearm) {
        let paths = paths_to_ends(found, joint);
        let in_reach = paths.iter().all(|path| {
            path.last().is_some_and(|&end| {
                away(end) <= REACH * forearm && (found.bind_position(end) - wrist).dot(wrist - elbow) > 0.0
            })
        });
        let better = best
            .is_none_or(|(count, at)| paths.len() > count || paths.len() == count && away(joint) < away(at));
        if in_reach && FINGERS.contains(&paths.len()) && better {
            best = Some((paths.len(), joint));
        }
    }
    best.map(|(_, joint)| joint)
}

/// The fingers of a side of a body.
pub(super) fn fingers(found: &Skeleton, body: &Humanoid, source: Source, side: Side) -> Fingers {
    let at = |bone: StandardBone| body.bones.get(&bone.on(side)).map(|p| p.at);
    let (Some(wrist), Some(elbow)) = (at(StandardBone::LeftHand), at(StandardBone::LeftLowerArm)) else {
        return Fingers::default();
    };
    // Where extraction has other names for things, its hand may be anything.
    let hand = match source {
        Source::Limbs => hand_by_name(found, side),
        Source::Landmarks => hand_by_place(found, wrist, elbow),
    };
    hand.map_or_else(Fingers::default, |hand| fingers_of(found, hand, side, elbow))
}

fn fingers_of(found: &Skeleton, hand: JointIndex, side: Side, elbow: DVec3) -> Fingers {
    let paths = paths_to_ends(found, hand);
    if !FINGERS.contains(&paths.len()) {
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
