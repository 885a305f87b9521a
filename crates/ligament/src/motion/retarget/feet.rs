//! Feet that stay on the ground, hands that reach.

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use super::TargetFrame;
use super::contacts::Contact;
use super::map::{Aligned, Limb, RetargetMap};
use super::sampled::Sampled;
use super::turns::Turner;
use super::two_bone::two_bone;
use crate::character::{JointIndex, Skeleton};

/// A standing leg is not stretched further than this; the hips come down instead.
const STRETCHED: f64 = 0.998;

/// Hips come down by no more than this, in leg lengths.
const DEEPEST: f64 = 0.2;

/// Over how many seconds hips come down and up again.
const EASE: f64 = 0.15;

/// Bones that bend less when they are bound, as a sine, do not tell which way they bend.
const BENDS: f64 = 0.03;

/// How far a leg's foot is to be moved from where its turns put it, in every frame.
struct Correction {
    moves: Vec<DVec3>,
    stands: Vec<bool>,
}

/// Moves feet to where the source's are, seen by what they do on the ground.
pub(super) fn keep(
    frames: &mut [TargetFrame],
    source: &Sampled,
    aligned: &Aligned,
    turner: &Turner<'_>,
    map: &RetargetMap,
    scale: f64,
    contacts: &[Contact],
) {
    if map.legs.is_empty() {
        return;
    }
    let plain: Vec<Vec<DVec3>> = frames
        .par_iter()
        .map(|frame| turner.positions(frame, map.hips.1))
        .collect();
    let corrections: Vec<Correction> = map
        .legs
        .iter()
        .enumerate()
        .map(|(leg, limb)| {
            let own = contacts.iter().filter(|c| c.leg == leg);
            let foot = FootOfBoth {
                limb,
                source,
                aligned,
                skeleton: turner.skeleton(),
                up: map.target_axes.up(),
                scale,
                plain: &plain,
            };
            foot.correction(own)
        })
        .collect();
    let skeleton = turner.skeleton();
    let lowered = lowered_hips(&plain, map, skeleton, &corrections, source.step);
    let up = map.target_axes.up();
    let hints: Vec<DVec3> = map.legs.iter().map(|leg| knee_axis(skeleton, leg, map)).collect();
    let driven = driven_mask(map, skeleton);
    frames.par_iter_mut().enumerate().for_each(|(f, frame)| {
        frame.hips -= up * lowered[f];
        for (leg, limb) in map.legs.iter().enumerate() {
            let goal = plain[f][limb.target[2].at()] + corrections[leg].moves[f];
            solve(frame, turner, map.hips.1, limb.target, goal, hints[leg], &driven);
        }
    });
}

/// Puts hands where the source's are, seen from the shoulders and by the length of the arms.
pub(super) fn reach(
    frames: &mut [TargetFrame],
    source: &Sampled,
    aligned: &Aligned,
    turner: &Turner<'_>,
    map: &RetargetMap,
) {
    let skeleton = turner.skeleton();
    let driven = driven_mask(map, skeleton);
    for arm in &map.arms {
        let ratio = length(skeleton, arm.target) / source.leg_length(arm.source);
        if !ratio.is_finite() {
            continue;
        }
        let hint = elbow_axis(skeleton, arm, map);
        frames.par_iter_mut().enumerate().for_each(|(f, frame)| {
            let seen = &source.frames[f].positions;
            let offset = seen[arm.source[2].at()] - seen[arm.source[0].at()];
            let shoulder = turner.positions(frame, map.hips.1)[arm.target[0].at()];
            let goal = shoulder + ratio * (aligned.target_from_source * offset);
            solve(frame, turner, map.hips.1, arm.target, goal, hint, &driven);
        });
    }
}

fn driven_mask(map: &RetargetMap, skeleton: &Skeleton) -> Vec<bool> {
    let mut driven = vec![false; skeleton.joints.len()];
    for pair in &map.pairs {
        driven[pair.target.at()] = true;
    }
    driven
}

/// Turns the two bones of a limb; what is driven below keeps its turns, what is not follows.
fn solve(
    frame: &mut TargetFrame,
    turner: &Turner<'_>,
    hips: JointIndex,
    joints: [JointIndex; 3],
    goal: DVec3,
    hint: DVec3,
    driven: &[bool],
) {
    let positions = turner.positions(frame, hips);
    let [root, middle, end] = joints.map(|j| positions[j.at()]);
    let hint = frame.turns[joints[0].at()] * hint;
    let by = two_bone(root, middle, end, goal, hint);
    if by == [DQuat::IDENTITY; 2] {
        return;
    }
    let mut wanted: Vec<Option<DQuat>> = frame
        .turns
        .iter()
        .zip(driven)
        .map(|(turn, driven)| driven.then_some(*turn))
        .collect();
    for (joint, by) in joints.into_iter().zip(by) {
        wanted[joint.at()] = Some((by * frame.turns[joint.at()]).normalize());
    }
    frame.turns = turner.completed(&wanted);
}

fn length(skeleton: &Skeleton, joints: [JointIndex; 3]) -> f64 {
    let [a, b, c] = joints.map(|j| skeleton.bind_position(j));
    a.distance(b) + b.distance(c)
}

/// The axis about which a limb bends when it is bound, if it does.
fn bound_axis(skeleton: &Skeleton, limb: &Limb) -> Option<DVec3> {
    let [a, b, c] = limb.target.map(|j| skeleton.bind_position(j));
    let bend = (b - a).normalize_or_zero().cross((c - b).normalize_or_zero());
    (bend.length() > BENDS).then(|| bend.normalize())
}

fn knee_axis(skeleton: &Skeleton, limb: &Limb, map: &RetargetMap) -> DVec3 {
    let left = map.target_axes.left();
    bound_axis(skeleton, limb).unwrap_or(left)
}

fn elbow_axis(skeleton: &Skeleton, limb: &Limb, map: &RetargetMap) -> DVec3 {
    bound_axis(skeleton, limb).unwrap_or_else(|| {
        let [a, b, _] = limb.target.map(|j| skeleton.bind_position(j));
        let forward = map.target_axes.space_from_body * DVec3::Z;
        (b - a).cross(forward).normalize_or(DVec3::Y)
    })
}

/// One foot, of source and target.
struct FootOfBoth<'a> {
    limb: &'a Limb,
    source: &'a Sampled,
    aligned: &'a Aligned,
    skeleton: &'a Skeleton,
    up: DVec3,
    scale: f64,
    plain: &'a [Vec<DVec3>],
}

impl FootOfBoth<'_> {
    /// Where a joint of the source has gone from where it stands, at the target's size.
    fn gone(&self, joint: JointIndex, frame: usize) -> DVec3 {
        let moved = self.source.frames[frame].positions[joint.at()] - self.source.standing(joint);
        self.scale * (self.aligned.target_from_source * moved)
    }

    fn level(&self, v: DVec3) -> DVec3 {
        v - self.up * v.dot(self.up)
    }

    fn correction<'c>(&self, contacts: impl Iterator<Item = &'c Contact>) -> Correction {
        let count = self.plain.len();
        let pivot = self
            .limb
            .ball
            .unwrap_or((self.limb.source[2], self.limb.target[2]));
        let plain = |f: usize| self.plain[f][pivot.1.at()];
        let own = self.skeleton.bind_position(pivot.1);
        let mut moves = vec![DVec3::ZERO; count];
        let mut stands = vec![false; count];
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for contact in contacts {
            let span = contact.first..=contact.last;
            let offsets = span.clone().map(|f| self.level(plain(f) - self.gone(pivot.0, f)));
            let offset = offsets.sum::<DVec3>() / span.clone().count() as f64;
            for f in span {
                let gone = self.gone(pivot.0, f);
                let height = (own + gone).dot(self.up);
                let goal = offset + self.level(gone) + self.up * height;
                moves[f] = goal - plain(f);
                stands[f] = true;
            }
            spans.push((contact.first, contact.last));
        }
        self.go_over(&mut moves, &spans);
        for (f, by) in moves.iter_mut().enumerate() {
            self.stay_above(f, pivot, by);
            let ankle = (self.limb.source[2], self.limb.target[2]);
            self.stay_above(f, ankle, by);
        }
        Correction { moves, stands }
    }

    /// Between contacts the correction of one becomes that of the next; before the first and after the last it stays, or
    /// goes around.
    fn go_over(&self, moves: &mut [DVec3], spans: &[(usize, usize)]) {
        let (Some(&first), Some(&last)) = (spans.first(), spans.last()) else {
            return;
        };
        let end = moves.len() - 1;
        let ease = |u: f64| u * u * (3.0 - 2.0 * u);
        for pair in spans.windows(2) {
            let (from, to) = (pair[0].1, pair[1].0);
            let (a, b) = (moves[from], moves[to]);
            for (f, by) in moves.iter_mut().enumerate().take(to).skip(from + 1) {
                *by = a.lerp(b, ease((f - from) as f64 / (to - from) as f64));
            }
        }
        let (a, b) = (moves[last.1], moves[first.0]);
        let around = (end - last.1) + first.0;
        let fraction = |passed: usize| {
            if self.source.closed && around > 0 {
                a.lerp(b, ease(passed as f64 / around as f64))
            } else if passed <= end - last.1 {
                a
            } else {
                b
            }
        };
        for f in last.1 + 1..=end {
            moves[f] = fraction(f - last.1);
        }
        for f in 0..first.0 {
            moves[f] = if self.source.closed {
                fraction(end - last.1 + f)
            } else {
                b
            };
        }
    }

    /// Keeps a joint from sinking below where it is bound, further than the source's does.
    fn stay_above(&self, frame: usize, joint: (JointIndex, JointIndex), by: &mut DVec3) {
        let lowest = self.gone(joint.0, frame).dot(self.up).min(0.0);
        let own = self.skeleton.bind_position(joint.1);
        let height = (self.plain[frame][joint.1.at()] + *by - own).dot(self.up);
        if height < lowest {
            *by += self.up * (lowest - height);
        }
    }
}

/// How far the hips come down in each frame so that standing feet are within reach.
fn lowered_hips(
    plain: &[Vec<DVec3>],
    map: &RetargetMap,
    skeleton: &Skeleton,
    corrections: &[Correction],
    step: f64,
) -> Vec<f64> {
    let up = map.target_axes.up();
    let needed: Vec<f64> = (0..plain.len())
        .map(|f| {
            let of_leg = |(leg, limb): (usize, &Limb)| {
                let correction = &corrections[leg];
                let full = length(skeleton, limb.target);
                if !correction.stands[f] || correction.moves[f].length() < 1e-6 * full {
                    return 0.0;
                }
                let hip = plain[f][limb.target[0].at()];
                let goal = plain[f][limb.target[2].at()] + correction.moves[f];
                let away = hip - goal;
                let height = away.dot(up);
                let aside = (away - up * height).length();
                let reach = STRETCHED * full;
                let within = (reach * reach - aside * aside).max(0.0).sqrt();
                (height - within).clamp(0.0, DEEPEST * full)
            };
            map.legs.iter().enumerate().map(of_leg).fold(0.0, f64::max)
        })
        .collect();
    if needed.iter().all(|&n| n == 0.0) {
        return needed;
    }
    // The largest nearby, then the mean of those: never less than what is needed.
    let radius = (EASE / step).ceil() as usize;
    let window = |f: usize| f.saturating_sub(radius)..(f + radius + 1).min(needed.len());
    let largest: Vec<f64> = (0..needed.len())
        .map(|f| needed[window(f)].iter().copied().fold(0.0, f64::max))
        .collect();
    (0..needed.len())
        .map(|f| {
            let near = &largest[window(f)];
            near.iter().sum::<f64>() / near.len() as f64
        })
        .collect()
}
