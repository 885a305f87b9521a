//! Brings names, hierarchy and place together: each standard bone's joint.

use std::collections::BTreeMap;

use super::map::{HumanoidMap, MappedBone};
use super::place::{Pair, Place};
use super::reading::{Name, Part, Reading, read};
use super::{BodyPlan, Side, StandardBone, chains};
use crate::character::{JointIndex, Skeleton};

/// How sure names, hierarchy and place are on their own.
const BY_NAME: f64 = 0.95;
const BY_HIERARCHY: f64 = 0.85;
const BY_PLACE: f64 = 0.6;
/// What each contradiction leaves of that.
const CONTRADICTED: f64 = 0.6;

pub(super) struct Work {
    pub names: Vec<Name>,
    pub place: Place,
    in_skin: Vec<bool>,
    pub found: BTreeMap<StandardBone, (usize, f64)>,
}

impl Work {
    pub fn of(skeleton: &Skeleton) -> Self {
        let names: Vec<Name> = skeleton.joints.iter().map(|j| read(&j.name)).collect();
        let place = Place::of(skeleton, &names);
        let mut work = Self {
            in_skin: skeleton.joints.iter().map(|j| j.in_skin).collect(),
            names,
            place,
            found: BTreeMap::new(),
        };
        for side in Side::BOTH {
            work.leg_by_name(side);
            work.arm_by_name(side);
        }
        work.limbs_by_place();
        work.trunk();
        for side in Side::BOTH {
            work.fingers(side);
        }
        work.face();
        work
    }

    pub fn finish(mut self) -> HumanoidMap {
        let (plan, limbs) = self.plan();
        if plan == BodyPlan::Other {
            self.found.retain(|_, f| f.1 > BY_PLACE);
        }
        let feet: Vec<(usize, usize)> = Side::BOTH
            .into_iter()
            .filter_map(|s| {
                let foot = self.joint(StandardBone::LeftFoot.on(s))?;
                Some((foot, self.joint(StandardBone::LeftToes.on(s))?))
            })
            .collect();
        // Animals walk on their toes: the head says more.
        let ahead = match (
            plan,
            self.joint(StandardBone::Hips),
            self.joint(StandardBone::Head),
        ) {
            (BodyPlan::Quadruped, Some(hips), Some(head)) => vec![(hips, head)],
            _ => feet,
        };
        let sides_swapped = self.place.sides_look_swapped(&ahead);
        let bones = self
            .found
            .iter()
            .map(|(&bone, &(joint, confidence))| MappedBone {
                bone,
                joint: JointIndex(joint as u16),
                confidence: confidence * self.agreement(bone, joint, sides_swapped),
            })
            .collect();
        HumanoidMap::new(plan, bones, limbs, sides_swapped)
    }

    /// 1 if hierarchy and place say the same, less for each that does not.
    fn agreement(&self, bone: StandardBone, joint: usize, sides_swapped: bool) -> f64 {
        let mut share = 1.0;
        let mut above = bone.parent();
        while let Some(p) = above {
            if let Some(parent) = self.joint(p) {
                if !self.place.carries(parent, joint) {
                    share *= CONTRADICTED;
                }
                break;
            }
            above = p.parent();
        }
        if let Some(side) = bone.side() {
            let sideways = self.place.sideways(joint) * if side == Side::Left { 1.0 } else { -1.0 };
            let crossed = sideways < -0.02 * self.place.size;
            if crossed || sides_swapped {
                share *= CONTRADICTED;
            }
        }
        share
    }

    pub fn joint(&self, bone: StandardBone) -> Option<usize> {
        self.found.get(&bone).map(|f| f.0)
    }

    pub fn reading(&self, j: usize) -> Option<&Reading> {
        match &self.names[j] {
            Name::Part(r) => Some(r),
            _ => None,
        }
    }

    fn set(&mut self, bone: StandardBone, joint: Option<usize>, confidence: f64) {
        if let Some(joint) = joint
            && !self.found.contains_key(&bone)
            && !self.found.values().any(|f| f.0 == joint)
        {
            self.found.insert(bone, (joint, confidence));
        }
    }

    /// Joints that are called a part of a side, the surest and uppermost first.
    fn named(&self, part: Part, side: Option<Side>) -> Vec<usize> {
        let mut list: Vec<usize> = self
            .place
            .indices()
            .filter(|&j| {
                self.reading(j)
                    .is_some_and(|r| r.part == part && r.side == side && r.front != Some(true))
            })
            .collect();
        let rank = |j: usize| self.reading(j).map_or(0, |r| r.rank);
        list.sort_by_key(|&j| (rank(j), !self.in_skin[j], self.place.depth[j], j));
        list
    }

    /// The best of a list, one below `above` if there is any.
    fn below(&self, list: &[usize], above: Option<usize>) -> Option<usize> {
        let carried = |&&j: &&usize| above.is_some_and(|a| a != j && self.place.carries(a, j));
        list.iter().find(carried).or(list.first()).copied()
    }

    /// The first of a list that is strictly below `above`.
    fn next(&self, list: &[usize], above: Option<usize>) -> Option<usize> {
        let above = above?;
        let mut list: Vec<usize> = list.to_vec();
        list.sort_by_key(|&j| (self.place.depth[j], j));
        list.into_iter()
            .find(|&j| j != above && self.place.carries(above, j))
    }

    fn leg_by_name(&mut self, side: Side) {
        let all = |part| self.named(part, Some(side));
        let (legs, lowers, toes) = (all(Part::Leg), all(Part::LowerLeg), all(Part::Toes));
        let (thighs, hips): (Vec<usize>, Vec<usize>) = all(Part::UpperLeg)
            .into_iter()
            .partition(|&j| self.reading(j).is_some_and(|r| r.rank < 2));
        let first_leg = legs.first().copied();
        let enough_legs = legs.len() > 1 || !lowers.is_empty() || hips.is_empty();
        let upper = thighs
            .first()
            .copied()
            .or(first_leg.filter(|_| enough_legs))
            .or_else(|| hips.last().copied());
        let lower = self.below(&lowers, upper).or_else(|| self.next(&legs, upper));
        // A foot beyond the toes' joint is no ankle.
        let feet: Vec<usize> = all(Part::Foot)
            .into_iter()
            .filter(|&f| !toes.iter().any(|&t| t != f && self.place.carries(t, f)))
            .collect();
        let foot = self.below(&feet, lower).or_else(|| self.next(&legs, lower));
        let toe = self
            .below(&toes, foot)
            .or_else(|| self.next(&feet, foot))
            .or_else(|| self.next(&legs, foot));
        use StandardBone as B;
        for (bone, joint) in [
            (B::LeftUpperLeg, upper),
            (B::LeftLowerLeg, lower),
            (B::LeftFoot, foot),
            (B::LeftToes, toe),
        ] {
            self.set(bone.on(side), joint, BY_NAME);
        }
        if let Some(upper) = upper {
            let path = match foot.filter(|&f| self.place.carries(upper, f)) {
                Some(foot) => self.place.path(upper, foot),
                None => self.place.longest_path(upper),
            };
            let [_, knee, ankle, _] = chains::leg(&self.place, &path);
            self.set(B::LeftLowerLeg.on(side), knee, BY_PLACE);
            self.set(B::LeftFoot.on(side), ankle, BY_PLACE);
        }
    }

    fn arm_by_name(&mut self, side: Side) {
        let all = |part| self.named(part, Some(side));
        let (arms, shoulders) = (all(Part::Arm), all(Part::Shoulder));
        let lowers = all(Part::LowerArm);
        let mut by_depth = arms.clone();
        by_depth.sort_by_key(|&j| (self.place.depth[j], j));
        let mut upper = all(Part::UpperArm).first().copied().or(by_depth.first().copied());
        let lower = self.below(&lowers, upper).or_else(|| self.next(&arms, upper));
        if upper.is_none() {
            // A shoulder with nothing between it and the elbow is the upper arm.
            upper = shoulders
                .iter()
                .copied()
                .filter(|&s| lower.is_none_or(|l| self.place.carries(s, l)))
                .max_by_key(|&s| self.place.depth[s]);
        }
        let palms = all(Part::Hand);
        let sure = palms.iter().any(|&j| self.reading(j).is_some_and(|r| r.rank < 2));
        // Of wrist and hand the first is where the hand turns; several palms are the hand's own bones.
        let mut hands: Vec<usize> = if sure || palms.len() == 1 {
            palms
        } else {
            Vec::new()
        };
        if sure {
            hands.retain(|&j| self.reading(j).is_some_and(|r| r.rank < 2));
        }
        let hand = self.below(&hands, lower).or_else(|| self.next(&arms, lower));
        let collar = shoulders
            .iter()
            .copied()
            .find(|&s| upper.is_some_and(|u| s != u && self.place.carries(s, u)));
        use StandardBone as B;
        for (bone, joint) in [
            (B::LeftShoulder, collar),
            (B::LeftUpperArm, upper),
            (B::LeftLowerArm, lower),
            (B::LeftHand, hand),
        ] {
            self.set(bone.on(side), joint, BY_NAME);
        }
        if let Some(upper) = upper.filter(|_| lower.is_none() || hand.is_none()) {
            let path = match hand.filter(|&h| self.place.carries(upper, h)) {
                Some(hand) => self.place.path(upper, hand),
                None => self.place.longest_path(upper),
            };
            let [_, first, elbow, wrist] = chains::arm(&self.place, &path);
            if first == Some(upper) {
                self.set(B::LeftLowerArm.on(side), elbow, BY_PLACE);
                self.set(B::LeftHand.on(side), wrist, BY_PLACE);
            }
        }
    }

    /// Whether a limb's names speak of something else than what it is to be.
    fn speaks_against(&self, pair: &Pair, parts: &[Part]) -> bool {
        let parts_of = pair.paths.iter().flatten().filter_map(|&j| self.reading(j));
        parts_of.into_iter().any(|r| !parts.contains(&r.part))
    }

    /// Legs and arms that names do not tell.
    fn limbs_by_place(&mut self) {
        use StandardBone as B;
        let named_legs = Side::BOTH.map(|s| self.joint(B::LeftUpperLeg.on(s)));
        let named_arms = Side::BOTH.map(|s| self.joint(B::LeftUpperArm.on(s)));
        let mut pairs = self.place.pairs.clone();
        if named_legs == [None; 2] {
            let mut legs: Vec<&Pair> = pairs
                .iter()
                .filter(|p| p.legs && !self.speaks_against(p, &LEG_PARTS))
                .collect();
            // Arms that hang to the ground leave the trunk higher up.
            legs.sort_by(|a, b| {
                let high = |p: &Pair| self.place.height(p.on);
                high(a).total_cmp(&high(b)).then(a.on.cmp(&b.on))
            });
            let upright = match legs[..] {
                [_] => true,
                [low, high] => self.is_upright(low.on, high.on),
                _ => false,
            };
            let Some(paths) = legs.first().filter(|_| upright).map(|p| p.paths.clone()) else {
                return;
            };
            pairs.retain(|p| p.paths[0][0] != paths[0][0]);
            for (side, path) in Side::BOTH.into_iter().zip(&paths) {
                let joints = chains::leg(&self.place, path);
                for (bone, joint) in LEG.into_iter().zip(joints) {
                    self.set(bone.on(side), joint, BY_PLACE);
                }
            }
        }
        if named_arms != [None; 2] {
            return;
        }
        let leg_length = self
            .joint(B::LeftUpperLeg)
            .map_or(0.0, |j| self.place.length(&self.place.longest_path(j)));
        let hips = self
            .joint(B::LeftUpperLeg)
            .map_or(f64::NEG_INFINITY, |j| self.place.height(j));
        let length = |p: &Pair| self.place.length(&p.paths[0]) + self.place.length(&p.paths[1]);
        let arms = pairs
            .iter()
            .filter(|p| {
                p.paths.iter().all(|path| path.len() >= 3)
                    && length(p) > 2.0 * 0.4 * leg_length
                    && self.place.height(p.on) > hips
                    && !self.speaks_against(p, &ARM_PARTS)
            })
            .max_by(|a, b| length(a).total_cmp(&length(b)));
        let Some(paths) = arms.map(|p| p.paths.clone()) else {
            return;
        };
        for (side, path) in Side::BOTH.into_iter().zip(&paths) {
            let joints = chains::arm(&self.place, path);
            for (bone, joint) in ARM.into_iter().zip(joints) {
                self.set(bone.on(side), joint, BY_PLACE);
            }
        }
    }

    /// Whether the way from one joint to another goes up more than it goes along.
    pub fn is_upright(&self, low: usize, high: usize) -> bool {
        let way = self.place.at[high] - self.place.at[low];
        way.dot(self.place.up) > 0.6 * way.length() && way.length() > 0.0
    }

    /// Both sides of a bone, where both are found.
    pub fn both(&self, bone: StandardBone) -> Option<[usize; 2]> {
        let [a, b] = Side::BOTH.map(|s| self.joint(bone.on(s)));
        Some([a?, b?])
    }

    /// The lowest joint that carries both sides of a bone.
    fn carrier(&self, bone: StandardBone) -> Option<usize> {
        let [a, b] = self.both(bone)?;
        self.place.common(a, b).filter(|&c| c != a && c != b)
    }

    fn trunk(&mut self) {
        use StandardBone as B;
        let legs = self.carrier(B::LeftUpperLeg);
        let arms = self
            .carrier(B::LeftShoulder)
            .or_else(|| self.carrier(B::LeftUpperArm));
        let head = self.named(Part::Head, None).first().copied();
        let neck = self.named(Part::Neck, None).first().copied();
        let top = arms.or(neck).or(head);
        let hips_named = self.named(Part::Hips, None);
        let carries_all = |&j: &usize| {
            [legs, top]
                .into_iter()
                .flatten()
                .all(|k| self.place.carries(j, k))
        };
        let named_hips = hips_named.iter().copied().find(carries_all);
        let common = legs.zip(top).and_then(|(l, t)| self.place.common(l, t));
        // A root on the ground carries everything and is no hip.
        let thighs = self.both(B::LeftUpperLeg);
        let high_enough = |j: usize| {
            thighs.is_none_or(|t| {
                self.place.height(j)
                    > self.place.height(t[0]).min(self.place.height(t[1])) - 0.1 * self.place.size
            })
        };
        let hips = named_hips.map(|j| (j, BY_NAME)).or_else(|| {
            let by_place = common.or(legs).filter(|&j| high_enough(j));
            by_place
                .map(|j| (j, BY_HIERARCHY))
                .or_else(|| hips_named.first().map(|&j| (j, BY_NAME)))
        });
        let Some((hips, sure)) = hips else {
            self.set(B::Neck, neck, BY_NAME);
            self.set(B::Head, head, BY_NAME);
            return;
        };
        self.set(B::Hips, Some(hips), sure);
        self.neck_and_head(arms, neck, head);
        let spine_end = match (arms, self.joint(B::Neck), self.joint(B::Head)) {
            (Some(arms), ..) if self.place.carries(hips, arms) => Some(arms),
            (_, Some(neck), _) => self.place.parent[neck],
            (_, _, Some(head)) => self.place.parent[head],
            _ => None,
        };
        let is_neck = |j: &usize| {
            self.reading(*j)
                .is_some_and(|r| matches!(r.part, Part::Neck | Part::Head))
        };
        let mut spine: Vec<usize> = spine_end.map_or_else(Vec::new, |end| self.place.path(hips, end));
        spine.retain(|j| *j != hips && !is_neck(j) && !self.found.values().any(|f| f.0 == *j));
        let by = |work: &Self, j: usize| {
            let named = work.reading(j).is_some_and(|r| r.part == Part::Spine);
            if named { BY_NAME } else { BY_HIERARCHY }
        };
        let order: Vec<(StandardBone, usize)> = match spine[..] {
            [] => Vec::new(),
            [one] => vec![(B::Spine, one)],
            [one, two] => vec![(B::Spine, one), (B::Chest, two)],
            [one, .., last] => {
                let middle = spine[spine.len() / 2];
                vec![(B::Spine, one), (B::Chest, middle), (B::UpperChest, last)]
            }
        };
        for (bone, joint) in order {
            let sure = by(self, joint);
            self.set(bone, Some(joint), sure);
        }
    }

    fn neck_and_head(&mut self, arms: Option<usize>, neck: Option<usize>, head: Option<usize>) {
        use StandardBone as B;
        // From what carries the arms, up the middle.
        let from = neck.or(arms);
        if let Some(head) = head {
            self.set(B::Head, Some(head), BY_NAME);
            let between: Vec<usize> = from.map_or_else(Vec::new, |f| self.place.path(f, head));
            let first = between.iter().copied().find(|&j| Some(j) != arms && j != head);
            match neck {
                Some(neck) => self.set(B::Neck, Some(neck), BY_NAME),
                None => self.set(B::Neck, first, BY_HIERARCHY),
            }
            return;
        }
        let Some(from) = from else { return };
        let limbs: Vec<usize> = self.found.values().map(|f| f.0).collect();
        let mut chain: Vec<usize> = neck.into_iter().collect();
        let mut at = from;
        loop {
            let central = |&&c: &&usize| {
                self.place.sideways(c).abs() < 0.05 * self.place.size
                    && self.place.height(c) > self.place.height(at)
                    && !limbs.iter().any(|&l| self.place.carries(c, l))
            };
            let highest = self.place.children[at]
                .iter()
                .filter(central)
                .max_by(|&&a, &&b| self.place.height(a).total_cmp(&self.place.height(b)));
            let Some(&next) = highest else { break };
            chain.push(next);
            at = next;
            if self.place.children[at].len() > 2 {
                break; // a face
            }
        }
        let sure = if neck.is_some() { BY_HIERARCHY } else { BY_PLACE };
        match chain[..] {
            [] => {}
            [head] if neck.is_none() => self.set(B::Head, Some(head), sure),
            [neck] => self.set(B::Neck, Some(neck), BY_NAME),
            [neck, .., last] => {
                // The end of a head is farther from it than a neck is long.
                let before = chain[chain.len() - 2];
                let ends = chain.len() > 2 && {
                    let above = chain[chain.len() - 3];
                    self.place.distance(before, last) > 1.3 * self.place.distance(above, before)
                };
                self.set(B::Neck, Some(neck), sure);
                self.set(B::Head, Some(if ends { before } else { last }), sure);
            }
        }
    }

    fn face(&mut self) {
        use StandardBone as B;
        let jaw = self.named(Part::Jaw, None).first().copied();
        self.set(B::Jaw, jaw, BY_NAME);
        for side in Side::BOTH {
            let eye = self.named(Part::Eye, Some(side)).first().copied();
            self.set(B::LeftEye.on(side), eye, BY_NAME);
        }
    }

    fn fingers(&mut self, side: Side) {
        let hand = self.joint(StandardBone::LeftHand.on(side));
        let mut named = [Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little].map(|part| {
            let mut chain = self.named(part, Some(side));
            chain.sort_by_key(|&j| (self.place.depth[j], j));
            // Of four the first is in the palm if it is number 0; the fourth is the tip.
            let from_zero = chain
                .first()
                .and_then(|&j| self.reading(j))
                .is_some_and(|r| r.numbers.last() == Some(&0));
            if chain.len() > 3 && from_zero {
                chain.remove(0);
            }
            chain
        });
        let mut sure = BY_NAME;
        if named[1..].iter().all(Vec::is_empty) {
            let mut chains = self.numbered_fingers(side);
            if named[0].is_empty() && !chains.is_empty() {
                let zero = |c: &Vec<usize>| self.reading(c[0]).is_some_and(|r| r.numbers.last() == Some(&0));
                if chains.len() == 5 || chains.first().is_some_and(zero) {
                    named[0] = chains.remove(0);
                }
            }
            for (slot, chain) in named[1..].iter_mut().zip(chains) {
                *slot = chain;
            }
        }
        if named.iter().all(Vec::is_empty)
            && let (Some(hand), Some(elbow)) = (hand, self.joint(StandardBone::LeftLowerArm.on(side)))
        {
            sure = BY_PLACE;
            for (slot, chain) in named.iter_mut().zip(chains::fingers(&self.place, hand, elbow)) {
                *slot = chain;
            }
        }
        for (first, chain) in FINGERS.into_iter().zip(named) {
            for (i, &joint) in chain.iter().take(3).enumerate() {
                let bone = StandardBone::ALL[first as usize + i].on(side);
                self.set(bone, Some(joint), sure);
            }
        }
    }

    /// Fingers that only have numbers, each from its root outward, in the order of their names.
    fn numbered_fingers(&self, side: Side) -> Vec<Vec<usize>> {
        let all = self.named(Part::Finger, Some(side));
        let mut chains: Vec<Vec<usize>> = all
            .iter()
            .filter(|&&j| self.place.parent[j].is_none_or(|p| !all.contains(&p)))
            .map(|&root| {
                let mut chain = self.place.longest_path(root);
                chain.retain(|j| all.contains(j));
                chain
            })
            .collect();
        chains.sort_by_key(|c| {
            let numbers = self.reading(c[0]).map(|r| r.numbers.clone());
            (numbers.unwrap_or_default(), c[0])
        });
        chains
    }
}

const LEG: [StandardBone; 4] = [
    StandardBone::LeftUpperLeg,
    StandardBone::LeftLowerLeg,
    StandardBone::LeftFoot,
    StandardBone::LeftToes,
];
const ARM: [StandardBone; 4] = [
    StandardBone::LeftShoulder,
    StandardBone::LeftUpperArm,
    StandardBone::LeftLowerArm,
    StandardBone::LeftHand,
];
const FINGERS: [StandardBone; 5] = [
    StandardBone::LeftThumbMetacarpal,
    StandardBone::LeftIndexProximal,
    StandardBone::LeftMiddleProximal,
    StandardBone::LeftRingProximal,
    StandardBone::LeftLittleProximal,
];
/// What joints of a leg are called.
pub(super) const LEG_PARTS: [Part; 7] = [
    Part::UpperLeg,
    Part::LowerLeg,
    Part::Leg,
    Part::Foot,
    Part::Toes,
    Part::Hips,
    Part::Shoulder,
];
/// What joints of an arm are called.
pub(super) const ARM_PARTS: [Part; 11] = [
    Part::Shoulder,
    Part::UpperArm,
    Part::LowerArm,
    Part::Arm,
    Part::Hand,
    Part::Thumb,
    Part::Index,
    Part::Middle,
    Part::Ring,
    Part::Little,
    Part::Finger,
];
