//! What kind of body it is, and its limbs.

use std::collections::BTreeSet;

use super::assign::{ARM_PARTS, LEG_PARTS, Work};
use super::map::{BodyPlan, LimbKind, LimbOfBody};
use super::place::Pair;
use super::reading::Part;
use super::{Side, StandardBone};
use crate::character::JointIndex;

/// Limbs shorter than this share of the skeleton's size are ears, fins and the like.
const SHORTEST: f64 = 0.12;

fn indices(path: &[usize]) -> Vec<JointIndex> {
    path.iter().map(|&j| JointIndex(j as u16)).collect()
}

impl Work {
    /// The kind of body and its limbs, legs first from front to back.
    pub fn plan(&self) -> (BodyPlan, Vec<LimbOfBody>) {
        let mut legs: Vec<&Pair> = Vec::new();
        let mut arms: Vec<&Pair> = Vec::new();
        let mut wings: Vec<&Pair> = Vec::new();
        for pair in &self.place.pairs {
            match self.kind_of(pair) {
                Some(LimbKind::Leg) => legs.push(pair),
                Some(LimbKind::Arm) => arms.push(pair),
                Some(LimbKind::Wing) => wings.push(pair),
                _ => {}
            }
        }
        use StandardBone as B;
        let both = |b: StandardBone| self.both(b).is_some();
        let has_legs = both(B::LeftUpperLeg) && both(B::LeftLowerLeg);
        let has_arms = both(B::LeftUpperArm) && both(B::LeftLowerArm);
        let standing = self.stands();
        // Who runs or bows leans forward, yet has no hand on the ground.
        let humanoid = has_legs && has_arms && (standing || !self.on_all_fours());
        let one_pair = legs.len() == 1 || legs.is_empty() && has_legs;
        let plan = if humanoid && legs.len() <= 1 {
            BodyPlan::Humanoid
        } else if legs.len() == 2 && !standing || has_legs && has_arms && legs.len() < 2 {
            BodyPlan::Quadruped
        } else if humanoid && legs.len() == 2 {
            BodyPlan::Humanoid
        } else if !wings.is_empty() && arms.is_empty() && one_pair {
            BodyPlan::Bird
        } else {
            BodyPlan::Other
        };
        (plan, self.limbs(plan, legs, arms, wings))
    }

    fn kind_of(&self, pair: &Pair) -> Option<LimbKind> {
        let parts: Vec<Part> = pair
            .paths
            .iter()
            .flatten()
            .filter_map(|&j| self.reading(j).map(|r| r.part))
            .collect();
        let count = |of: &[Part]| parts.iter().filter(|p| of.contains(p)).count();
        let (wing, leg, arm) = (count(&[Part::Wing]), count(&LEG_PARTS), count(&ARM_PARTS));
        let known = |p: &&Part| **p == Part::Wing || LEG_PARTS.contains(p) || ARM_PARTS.contains(p);
        let other = parts.iter().filter(|p| !known(p)).count();
        let length = pair
            .paths
            .iter()
            .map(|p| self.place.length(p))
            .fold(f64::INFINITY, f64::min);
        let holds = |bone: StandardBone| {
            self.both(bone)
                .is_some_and(|[l, r]| pair.paths[0].contains(&l) && pair.paths[1].contains(&r))
        };
        if wing > 0 {
            Some(LimbKind::Wing)
        } else if holds(StandardBone::LeftUpperArm) && arm >= leg {
            Some(LimbKind::Arm)
        } else if holds(StandardBone::LeftUpperLeg)
            || leg > arm && leg > other && length > SHORTEST * self.place.size
        {
            Some(LimbKind::Leg)
        } else if arm > 0 && arm > other && length > SHORTEST * self.place.size {
            Some(LimbKind::Arm)
        } else if parts.is_empty() && pair.legs {
            Some(LimbKind::Leg)
        } else {
            None
        }
    }

    /// Whether the trunk rises from the hips.
    fn stands(&self) -> bool {
        use StandardBone as B;
        let hips = self.joint(B::Hips).or_else(|| self.joint(B::LeftUpperLeg));
        let top = [B::LeftUpperArm, B::UpperChest, B::Neck, B::Head]
            .into_iter()
            .find_map(|b| self.joint(b));
        let (Some(hips), Some(top)) = (hips, top) else {
            return false;
        };
        // Across does not count: shoulders are wide.
        let way = self.place.at[top] - self.place.at[hips];
        let level = way.dot(self.place.forward()).abs();
        way.dot(self.place.up) > level
    }

    /// Whether the hands are as low as the feet.
    fn on_all_fours(&self) -> bool {
        let lowest = |bones: [StandardBone; 2]| {
            bones
                .into_iter()
                .flat_map(|b| [b, b.mirrored()])
                .filter_map(|b| self.joint(b))
                .map(|j| self.place.height(j))
                .fold(f64::INFINITY, f64::min)
        };
        let hands = lowest([StandardBone::LeftHand, StandardBone::LeftLowerArm]);
        let knees = lowest([StandardBone::LeftFoot, StandardBone::LeftLowerLeg]);
        hands < knees + 0.15 * self.place.size
    }

    fn limbs<'a>(
        &self,
        plan: BodyPlan,
        mut legs: Vec<&'a Pair>,
        mut arms: Vec<&'a Pair>,
        wings: Vec<&Pair>,
    ) -> Vec<LimbOfBody> {
        if plan == BodyPlan::Quadruped && legs.len() == 1 {
            legs.append(&mut arms);
        }
        let head = self
            .joint(StandardBone::Head)
            .or_else(|| self.joint(StandardBone::Neck));
        let ahead = head.map_or_else(
            || self.place.forward(),
            |h| {
                let middle = self
                    .place
                    .indices()
                    .map(|j| self.place.at[j])
                    .sum::<glam::DVec3>()
                    / self.place.indices().count().max(1) as f64;
                let way = self.place.at[h] - middle;
                let along = self.place.forward();
                along * way.dot(along).signum()
            },
        );
        let front = |p: &&Pair| -self.place.at[p.paths[0][0]].dot(ahead);
        legs.sort_by(|a, b| front(a).total_cmp(&front(b)));
        let mut limbs = Vec::new();
        let mut add = |pair: &Pair, kind: LimbKind| {
            for (side, path) in Side::BOTH.into_iter().zip(&pair.paths) {
                limbs.push(LimbOfBody {
                    kind,
                    side: Some(side),
                    joints: indices(path),
                });
            }
        };
        for (i, pair) in legs.iter().enumerate() {
            let kind = match (plan, i) {
                (BodyPlan::Quadruped, 0) => LimbKind::FrontLeg,
                (BodyPlan::Quadruped, _) => LimbKind::HindLeg,
                _ => LimbKind::Leg,
            };
            add(pair, kind);
        }
        for pair in arms {
            add(pair, LimbKind::Arm);
        }
        for pair in wings {
            add(pair, LimbKind::Wing);
        }
        if let Some(tail) = self.tail() {
            limbs.push(LimbOfBody {
                kind: LimbKind::Tail,
                side: None,
                joints: indices(&tail),
            });
        }
        limbs
    }

    /// The chain that is called a tail.
    fn tail(&self) -> Option<Vec<usize>> {
        let named: BTreeSet<usize> = self
            .place
            .indices()
            .filter(|&j| self.reading(j).is_some_and(|r| r.part == Part::Tail))
            .collect();
        let root = named.iter().copied().min_by_key(|&j| (self.place.depth[j], j))?;
        Some(self.place.longest_path(root))
    }
}
