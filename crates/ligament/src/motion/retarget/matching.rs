//! Which joints of two bodies are the same, by what they are.
//!
//! Bones are recognised by [`HumanoidMap`]; a person may name joints that it does not find ([`NamedJoints`]). Humans are
//! matched bone by bone, backs with more or fewer joints from the hips up; animals on four legs by their limbs.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::axes::BodyAxes;
use super::map::{JointPair, Limb, RestRule, RetargetMap};
use crate::character::{
    BodyPlan, Clip, HumanoidMap, JointIndex, LimbKind, NameScheme, Side, Skeleton, StandardBone, WordKind,
    word_kind, words,
};

/// Joints that a person names, where they are not recognised.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NamedJoints {
    /// Joints of the motion, by what they are.
    pub motion: BTreeMap<StandardBone, String>,
    /// Joints of the character, by what they are.
    pub character: BTreeMap<StandardBone, String>,
    /// Joints of the motion that drive joints of the character, whatever they are.
    pub joints: BTreeMap<String, String>,
}

/// Why joints cannot be matched.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// Bones that a body needs were not found.
    #[error(
        "joints cannot be matched: {}; name them in a map, such as {}",
        missing(.motion, .character),
        example(.motion, .character)
    )]
    Missing {
        /// Bones that no joint of the motion is.
        motion: Vec<StandardBone>,
        /// Bones that no joint of the character is.
        character: Vec<StandardBone>,
    },
    /// A map names a joint that is not there.
    #[error("the map names '{name}', but {whose} has no such joint; it has: {}", .known.join(", "))]
    NoSuchJoint {
        /// The name.
        name: String,
        /// `the motion` or `the character`.
        whose: &'static str,
        /// Names that are there, as many as a person reads.
        known: Vec<String>,
    },
    /// One walks upright, the other on four legs.
    #[error("{upright} walks upright and {on_four} on four legs; take a motion of its own kind")]
    OtherBody {
        /// `the motion` or `the character`.
        upright: &'static str,
        /// The other one.
        on_four: &'static str,
    },
    /// The joints are in no pose that tells left from up.
    #[error("{whose} is bound in no pose that a body can have: its legs do not tell where left and up are")]
    NoPose {
        /// `the motion` or `the character`.
        whose: &'static str,
    },
}

fn missing(motion: &[StandardBone], character: &[StandardBone]) -> String {
    let of = |whose: &str, bones: &[StandardBone]| {
        let names: Vec<&str> = bones.iter().map(|b| b.name_in(NameScheme::Vrm)).collect();
        (!names.is_empty()).then(|| format!("{whose} has no joint that looks like {}", names.join(", ")))
    };
    let all: Vec<String> = [of("the motion", motion), of("the character", character)]
        .into_iter()
        .flatten()
        .collect();
    all.join("; ")
}

fn example(motion: &[StandardBone], character: &[StandardBone]) -> String {
    let of = |whose: &str, bones: &[StandardBone]| {
        bones.first().map(|b| {
            let bone = b.name_in(NameScheme::Vrm);
            format!("{{\"{whose}\": {{\"{bone}\": \"ITS NAME\"}}}}")
        })
    };
    of("motion", motion)
        .or_else(|| of("character", character))
        .unwrap_or_default()
}

/// How many names of joints an error lists.
const LISTED: usize = 40;

/// The bones without which a human cannot be matched.
const NEEDED: [StandardBone; 5] = [
    StandardBone::Hips,
    StandardBone::LeftUpperLeg,
    StandardBone::LeftLowerLeg,
    StandardBone::RightUpperLeg,
    StandardBone::RightLowerLeg,
];

const TRUNK: [StandardBone; 3] = [StandardBone::Spine, StandardBone::Chest, StandardBone::UpperChest];

/// A body whose joints are known.
struct Body<'a> {
    skeleton: &'a Skeleton,
    joints: Vec<Option<JointIndex>>,
    recognised: HumanoidMap,
    whose: &'static str,
}

impl<'a> Body<'a> {
    fn new(
        skeleton: &'a Skeleton,
        named: &BTreeMap<StandardBone, String>,
        whose: &'static str,
    ) -> Result<Self, MatchError> {
        let recognised = HumanoidMap::of(skeleton);
        let mut joints: Vec<Option<JointIndex>> =
            StandardBone::ALL.map(|bone| recognised.joint_of(bone)).to_vec();
        for (&bone, name) in named {
            let joint = find(skeleton, name, whose)?;
            // What a person names is not something else as well.
            joints
                .iter_mut()
                .filter(|j| **j == Some(joint))
                .for_each(|j| *j = None);
            joints[bone as usize] = Some(joint);
        }
        Ok(Self {
            skeleton,
            joints,
            recognised,
            whose,
        })
    }

    fn joint(&self, bone: StandardBone) -> Option<JointIndex> {
        self.joints[bone as usize]
    }

    fn missing(&self) -> Vec<StandardBone> {
        NEEDED.into_iter().filter(|b| self.joint(*b).is_none()).collect()
    }

    /// The joints of the back, from the hips up.
    fn trunk(&self) -> Vec<JointIndex> {
        TRUNK.into_iter().filter_map(|b| self.joint(b)).collect()
    }

    /// The legs of an animal, hind left, hind right, front left, front right: hip, knee, ankle and ball.
    fn four_legs(&self) -> Option<[Vec<JointIndex>; 4]> {
        let limb = |kind: LimbKind, side: Side| {
            let limb = self
                .recognised
                .limbs()
                .iter()
                .find(|l| l.kind == kind && l.side == Some(side))?;
            last_four(self.skeleton, &limb.joints)
        };
        Some([
            limb(LimbKind::HindLeg, Side::Left)?,
            limb(LimbKind::HindLeg, Side::Right)?,
            limb(LimbKind::FrontLeg, Side::Left)?,
            limb(LimbKind::FrontLeg, Side::Right)?,
        ])
    }

    fn tail(&self) -> &[JointIndex] {
        let tail = self.recognised.limbs().iter().find(|l| l.kind == LimbKind::Tail);
        tail.map(|l| l.joints.as_slice()).unwrap_or_default()
    }

    fn above(&self, joint: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
        std::iter::successors(Some(joint), |&j| self.skeleton.joint(j).parent)
    }

    /// The nearest joint above both.
    fn meeting(&self, a: JointIndex, b: JointIndex) -> Option<JointIndex> {
        self.above(a).find(|&j| j != a && self.above(b).any(|k| k == j))
    }
}

/// The first joint of a leg that is near the ground, and up to three above it.
fn last_four(skeleton: &Skeleton, chain: &[JointIndex]) -> Option<Vec<JointIndex>> {
    let height = |j: JointIndex| skeleton.bind_position(j).y;
    let (top, bottom) = (
        height(*chain.first()?),
        chain.iter().map(|&j| height(j)).fold(f64::INFINITY, f64::min),
    );
    let low = bottom + 0.12 * (top - bottom);
    let ball = chain.iter().position(|&j| height(j) <= low)?;
    let first = (ball + 1).saturating_sub(4);
    let leg = chain[first..=ball].to_vec();
    (leg.len() >= 3).then_some(leg)
}

fn find(skeleton: &Skeleton, name: &str, whose: &'static str) -> Result<JointIndex, MatchError> {
    skeleton.find(name).ok_or_else(|| MatchError::NoSuchJoint {
        name: name.to_owned(),
        whose,
        known: skeleton
            .joints
            .iter()
            .take(LISTED)
            .map(|j| j.name.clone())
            .collect(),
    })
}

/// Matches the joints of a motion's skeleton to those of a character.
pub fn match_joints(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    named: &NamedJoints,
) -> Result<RetargetMap, MatchError> {
    let from = Body::new(source, &named.motion, "the motion")?;
    let to = Body::new(target, &named.character, "the character")?;
    let (motion, character) = (from.missing(), to.missing());
    let humans = motion.is_empty() && character.is_empty();
    let animals = [&from, &to].iter().all(|b| b.four_legs().is_some());
    let on_four =
        |body: &Body<'_>| body.recognised.plan() == BodyPlan::Quadruped && body.four_legs().is_some();
    let human = |body: &Body<'_>| body.recognised.plan() == BodyPlan::Humanoid;
    for (a, b) in [(&from, &to), (&to, &from)] {
        if human(a) && on_four(b) {
            return Err(MatchError::OtherBody {
                upright: a.whose,
                on_four: b.whose,
            });
        }
    }
    let mut map = if animals && (!humans || (on_four(&from) && on_four(&to))) {
        match_animals(&from, &to)?
    } else if humans {
        match_humans(&from, &to, clip)?
    } else {
        return Err(MatchError::Missing { motion, character });
    };
    add_named(&mut map, &from, &to, &named.joints)?;
    add_alike(&mut map, &from, &to);
    Ok(map)
}

/// How a body looks by its legs and its head, if that is how bodies look.
fn axes_of(body: &Body<'_>, at: &dyn Fn(JointIndex) -> DVec3) -> Option<BodyAxes> {
    use StandardBone as B;
    let position = |bone: StandardBone| body.joint(bone).map(at);
    let (left, right) = (position(B::LeftUpperLeg)?, position(B::RightUpperLeg)?);
    let low = |foot: StandardBone, knee: StandardBone| position(foot).or_else(|| position(knee));
    let feet = (low(B::LeftFoot, B::LeftLowerLeg)? + low(B::RightFoot, B::RightLowerLeg)?) / 2.0;
    let hips = (left + right) / 2.0;
    let top = [B::Head, B::Neck, B::UpperChest, B::Chest, B::Spine]
        .into_iter()
        .find_map(position);
    let up = hips - feet;
    let across = left - right;
    let stands = top.is_none_or(|top| (top - hips).normalize_or_zero().dot(up.normalize_or_zero()) > 0.5);
    let level = across.normalize_or_zero().dot(up.normalize_or_zero()).abs() < 0.5;
    (stands && level).then(|| BodyAxes::new(across, up)).flatten()
}

fn bound_axes(body: &Body<'_>) -> Option<BodyAxes> {
    axes_of(body, &|j| body.skeleton.bind_position(j))
}

fn match_humans(from: &Body<'_>, to: &Body<'_>, clip: &Clip) -> Result<RetargetMap, MatchError> {
    let target_axes = bound_axes(to).ok_or(MatchError::NoPose { whose: to.whose })?;
    let (source_axes, first_frame) = match bound_axes(from) {
        Some(axes) => (axes, false),
        None => {
            let world = clip
                .pose_at(from.skeleton, clip.span_secs().0)
                .world_from_joints(from.skeleton);
            let axes = axes_of(from, &|j| world[j.at()].translation);
            (axes.ok_or(MatchError::NoPose { whose: from.whose })?, true)
        }
    };
    let both = |bone: StandardBone| Some((from.joint(bone)?, to.joint(bone)?));
    let aim = |bone: StandardBone| both(bone).map(|(s, t)| RestRule::Aim(s, t));
    let mut pairs = Vec::new();
    for bone in StandardBone::ALL {
        let Some((source, target)) = both(bone).filter(|_| !TRUNK.contains(&bone)) else {
            continue;
        };
        pairs.push(JointPair {
            source,
            target,
            rest: rest_rule(bone, first_frame, &aim),
        });
    }
    let (own, other) = (to.trunk(), from.trunk());
    if !other.is_empty() {
        pairs.extend(own.iter().enumerate().map(|(i, &target)| JointPair {
            source: other[fraction(i, own.len(), other.len())],
            target,
            rest: RestRule::Keep,
        }));
    }
    let limb = |bones: [StandardBone; 3], ball: Option<StandardBone>| {
        let joints = bones.map(both);
        let [Some(a), Some(b), Some(c)] = joints else {
            return None;
        };
        Some(Limb {
            source: [a.0, b.0, c.0],
            target: [a.1, b.1, c.1],
            ball: ball.and_then(both),
        })
    };
    use StandardBone as B;
    let limbs = |bones: [StandardBone; 3], ball: Option<StandardBone>| -> Vec<Limb> {
        Side::BOTH
            .into_iter()
            .filter_map(|side| limb(bones.map(|b| b.on(side)), ball.map(|b| b.on(side))))
            .collect()
    };
    let hips = both(B::Hips).ok_or_else(|| MatchError::Missing {
        motion: from.missing(),
        character: to.missing(),
    })?;
    Ok(RetargetMap {
        pairs,
        hips,
        legs: limbs([B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], Some(B::LeftToes)),
        arms: limbs([B::LeftUpperArm, B::LeftLowerArm, B::LeftHand], None),
        source_axes,
        target_axes,
        first_frame_is_reference: first_frame,
    })
}

/// Which of `many` is as far along as number `at` of `count`.
fn fraction(at: usize, count: usize, many: usize) -> usize {
    if count <= 1 {
        return many - 1; // what carries arms carries them alone
    }
    (at * (many - 1) + (count - 1) / 2) / (count - 1)
}

fn rest_rule(
    bone: StandardBone,
    first_frame: bool,
    aim: &dyn Fn(StandardBone) -> Option<RestRule>,
) -> RestRule {
    use StandardBone as B;
    let side = bone.side().unwrap_or(Side::Left);
    let on = |b: StandardBone| b.on(side);
    let rule = match bone.on(Side::Left) {
        B::LeftUpperArm => aim(on(B::LeftLowerArm)),
        B::LeftLowerArm => aim(on(B::LeftHand)),
        B::LeftHand => aim(on(B::LeftMiddleProximal)).or_else(|| aim(on(B::LeftIndexProximal))),
        B::LeftUpperLeg => aim(on(B::LeftLowerLeg)),
        B::LeftLowerLeg => aim(on(B::LeftFoot)),
        B::LeftFoot if first_frame => aim(on(B::LeftToes)),
        B::LeftFoot | B::LeftToes | B::LeftShoulder | B::Hips | B::Neck | B::Head => Some(RestRule::Keep),
        // A finger's joint points to the next one of the same finger.
        finger => StandardBone::ALL
            .get(finger as usize + 1)
            .filter(|next| next.parent() == Some(finger))
            .and_then(|next| aim(on(*next))),
    };
    rule.unwrap_or(RestRule::Inherit)
}

fn match_animals(from: &Body<'_>, to: &Body<'_>) -> Result<RetargetMap, MatchError> {
    let missing = || MatchError::Missing {
        motion: from.missing(),
        character: to.missing(),
    };
    let (own, other) = (
        to.four_legs().ok_or_else(missing)?,
        from.four_legs().ok_or_else(missing)?,
    );
    let axes = |body: &Body<'_>, legs: &[Vec<JointIndex>; 4]| {
        let at = |j: JointIndex| body.skeleton.bind_position(j);
        let across = at(legs[0][0]) - at(legs[1][0]);
        let ends = |leg: &[JointIndex]| at(leg[0]) - at(leg[leg.len() - 1]);
        BodyAxes::new(across, ends(&legs[0]) + ends(&legs[1])).ok_or(MatchError::NoPose { whose: body.whose })
    };
    // From where hind legs meet to where front legs meet.
    let back = |body: &Body<'_>, legs: &[Vec<JointIndex>; 4]| -> Option<Vec<JointIndex>> {
        let hips = body.meeting(legs[0][0], legs[1][0])?;
        let chest = body.meeting(legs[2][0], legs[3][0])?;
        let mut path: Vec<JointIndex> = body.above(chest).take_while(|&j| j != hips).collect();
        let below = body.above(chest).any(|j| j == hips);
        path.push(hips);
        path.reverse();
        Some(if below { path } else { vec![hips] })
    };
    let (own_back, other_back) = (
        back(to, &own).ok_or_else(missing)?,
        back(from, &other).ok_or_else(missing)?,
    );
    let keep = |(source, target): (JointIndex, JointIndex)| JointPair {
        source,
        target,
        rest: RestRule::Keep,
    };
    let mut pairs: Vec<JointPair> = vec![keep((other_back[0], own_back[0]))];
    let chain = |own: &[JointIndex], other: &[JointIndex]| -> Vec<JointPair> {
        if other.is_empty() {
            return Vec::new();
        }
        let each = own.iter().enumerate();
        each.map(|(i, &t)| keep((other[fraction(i, own.len(), other.len())], t)))
            .collect()
    };
    pairs.extend(chain(&own_back[1..], &other_back[1..]));
    pairs.extend(chain(to.tail(), from.tail()));
    for bone in [StandardBone::Neck, StandardBone::Head] {
        if let (Some(s), Some(t)) = (from.joint(bone), to.joint(bone)) {
            pairs.push(keep((s, t)));
        }
    }
    let mut legs = Vec::new();
    for (own, other) in own.iter().zip(&other) {
        // From the ground up: an animal may have a joint less above.
        let count = own.len().min(other.len());
        let (own, other) = (&own[own.len() - count..], &other[other.len() - count..]);
        pairs.extend(other.iter().copied().zip(own.iter().copied()).map(keep));
        legs.push(Limb {
            source: [other[0], other[1], other[2]],
            target: [own[0], own[1], own[2]],
            ball: (count > 3).then(|| (other[3], own[3])),
        });
    }
    let mut seen = vec![false; to.skeleton.joints.len()];
    pairs.retain(|p| !std::mem::replace(&mut seen[p.target.at()], true));
    Ok(RetargetMap {
        pairs,
        hips: (other_back[0], own_back[0]),
        legs,
        arms: Vec::new(),
        source_axes: axes(from, &other)?,
        target_axes: axes(to, &own)?,
        first_frame_is_reference: false,
    })
}

/// Pairs that a person names come before all others.
fn add_named(
    map: &mut RetargetMap,
    from: &Body<'_>,
    to: &Body<'_>,
    named: &BTreeMap<String, String>,
) -> Result<(), MatchError> {
    for (source, target) in named {
        let source = find(from.skeleton, source, from.whose)?;
        let target = find(to.skeleton, target, to.whose)?;
        let before = map.pairs.iter().find(|p| p.target == target).map(|p| p.rest);
        map.pairs.retain(|p| p.target != target);
        map.pairs.push(JointPair {
            source,
            target,
            rest: before.unwrap_or(RestRule::Inherit),
        });
    }
    Ok(())
}

/// Joints of the same name on joints that are matched: tails, ears and capes of characters that were made alike.
fn add_alike(map: &mut RetargetMap, from: &Body<'_>, to: &Body<'_>) {
    let mut source_of: Vec<Option<JointIndex>> = vec![None; to.skeleton.joints.len()];
    for pair in &map.pairs {
        source_of[pair.target.at()] = Some(pair.source);
    }
    for target in to.skeleton.indices() {
        if source_of[target.at()].is_some() {
            continue;
        }
        let name = &to.skeleton.joint(target).name;
        let says_what_it_is = words(name).iter().any(|w| {
            matches!(
                word_kind(w),
                Some(WordKind::Body | WordKind::Face | WordKind::Soft)
            )
        });
        let Some(source) = from.skeleton.find(name).filter(|_| says_what_it_is) else {
            continue;
        };
        let (Some(own), Some(other)) = (
            to.skeleton.joint(target).parent,
            from.skeleton.joint(source).parent,
        ) else {
            continue;
        };
        if source_of[own.at()] == Some(other) && to.skeleton.joint(target).in_skin {
            source_of[target.at()] = Some(source);
            map.pairs.push(JointPair {
                source,
                target,
                rest: RestRule::Inherit,
            });
        }
    }
}
