//! Which joint is which.

use glam::{DQuat, DVec3};

use super::TargetFrame;
use super::axes::BodyAxes;
use super::sampled::Sampled;
use super::turns::Turner;
use crate::character::{JointIndex, Skeleton};

/// What a difference of the reference poses means for a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestRule {
    /// Nothing: both are where they are meant to be, as feet and backs are.
    Keep,
    /// It goes with the joint above, as a hand does.
    Inherit,
    /// The bone to these joints, of source and target, points the same way in both.
    Aim(JointIndex, JointIndex),
}

/// A joint of the source that drives one of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointPair {
    /// The joint of the source.
    pub source: JointIndex,
    /// The joint of the target.
    pub target: JointIndex,
    /// What a difference of the reference poses means.
    pub rest: RestRule,
}

/// A leg or an arm of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limb {
    /// Hip, knee and ankle (shoulder, elbow and wrist) of the source.
    pub source: [JointIndex; 3],
    /// The same of the target.
    pub target: [JointIndex; 3],
    /// The ball of the foot of both.
    pub ball: Option<(JointIndex, JointIndex)>,
}

/// Which joint is which, and how both bodies look.
#[derive(Debug, Clone, PartialEq)]
pub struct RetargetMap {
    /// Joints that drive others, no target twice.
    pub pairs: Vec<JointPair>,
    /// The hips of source and target: their position is carried too.
    pub hips: (JointIndex, JointIndex),
    /// The legs: two of a human, four of an animal.
    pub legs: Vec<Limb>,
    /// The arms.
    pub arms: Vec<Limb>,
    /// How the source looks in its reference pose.
    pub source_axes: BodyAxes,
    /// How the target looks when it is bound.
    pub target_axes: BodyAxes,
    /// Take the source's first frame for its reference pose and point all bones as it does: for skeletons whose bind pose
    /// is no pose of a body.
    pub first_frame_is_reference: bool,
}

/// Why a motion cannot be carried over.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// No joint drives another.
    #[error("no joint of the motion drives a joint of the character")]
    NoPairs,
    /// A joint that is not there.
    #[error("the map names joint {joint}, but there are only {count}")]
    NoSuchJoint {
        /// The index that is too large.
        joint: usize,
        /// How many there are.
        count: usize,
    },
    /// Two joints drive the same.
    #[error("two joints of the motion drive '{name}'")]
    DrivenTwice {
        /// The driven joint.
        name: String,
    },
    /// There is no motion.
    #[error("the motion has no keys, or none between the times asked for")]
    NoFrames,
    /// An option is out of range.
    #[error("{option} {rule}")]
    BadOption {
        /// What is wrong.
        option: &'static str,
        /// What it may be.
        rule: &'static str,
    },
    /// More frames than anyone means.
    #[error(
        "the motion would have {frames} frames; at most {} are made: ask for fewer a second or a shorter part",
        super::sampled::MOST_FRAMES
    )]
    TooManyFrames {
        /// How many there would be.
        frames: u64,
    },
}

/// The target's turns in the source's reference pose.
pub(super) struct Aligned {
    /// For each pair, the turn that makes the target's bone point as the source's does.
    corrections: Vec<DQuat>,
    /// From the source's space to the target's.
    pub target_from_source: DQuat,
}

impl RetargetMap {
    /// Targets of pairs.
    pub(super) fn driven(&self) -> Vec<JointIndex> {
        self.pairs.iter().map(|p| p.target).collect()
    }

    pub(super) fn check(&self, source: &Skeleton, target: &Skeleton) -> Result<(), RetargetError> {
        if self.pairs.is_empty() {
            return Err(RetargetError::NoPairs);
        }
        let limbs = || self.legs.iter().chain(&self.arms);
        let aims = self.pairs.iter().filter_map(|p| match p.rest {
            RestRule::Aim(s, t) => Some((s, t)),
            _ => None,
        });
        let named = self
            .pairs
            .iter()
            .map(|p| (p.source, p.target))
            .chain(aims)
            .chain([self.hips])
            .chain(limbs().flat_map(|l| (0..3).map(|i| (l.source[i], l.target[i])).chain(l.ball)));
        for (s, t) in named {
            for (joint, skeleton) in [(s, source), (t, target)] {
                if joint.at() >= skeleton.joints.len() {
                    return Err(RetargetError::NoSuchJoint {
                        joint: joint.at(),
                        count: skeleton.joints.len(),
                    });
                }
            }
        }
        let mut driven = vec![false; target.joints.len()];
        for pair in &self.pairs {
            if std::mem::replace(&mut driven[pair.target.at()], true) {
                return Err(RetargetError::DrivenTwice {
                    name: target.joint(pair.target).name.clone(),
                });
            }
        }
        Ok(())
    }

    /// How many times longer the target's legs are; without legs, how much longer its bones.
    pub(super) fn scale(&self, source: &Sampled, target: &Skeleton) -> f64 {
        let from = |j: JointIndex| source.reference[j.at()].translation;
        let to = |j: JointIndex| target.bind_position(j);
        let length = |j: [JointIndex; 3], at: &dyn Fn(JointIndex) -> DVec3| {
            at(j[0]).distance(at(j[1])) + at(j[1]).distance(at(j[2]))
        };
        let (mut of_source, mut of_target) = (0.0, 0.0);
        for leg in &self.legs {
            of_source += length(leg.source, &from);
            of_target += length(leg.target, &to);
        }
        if self.legs.is_empty() {
            for pair in &self.pairs {
                if let RestRule::Aim(s, t) = pair.rest {
                    of_source += from(pair.source).distance(from(s));
                    of_target += to(pair.target).distance(to(t));
                }
            }
        }
        let scale = of_target / of_source;
        if scale.is_finite() && scale > 0.0 {
            scale
        } else {
            1.0
        }
    }

    /// Compares the reference poses.
    pub(super) fn aligned(&self, source: &Sampled, target: &Skeleton) -> Aligned {
        let target_from_source =
            (self.target_axes.space_from_body * self.source_axes.space_from_body.inverse()).normalize();
        // By joint of the target, so that parents are asked before children.
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        order.sort_by_key(|&i| self.pairs[i].target);
        let mut of_target: Vec<Option<DQuat>> = vec![None; target.joints.len()];
        let mut corrections = vec![DQuat::IDENTITY; self.pairs.len()];
        for i in order {
            let pair = self.pairs[i];
            let above = std::iter::successors(target.joint(pair.target).parent, |&j| target.joint(j).parent)
                .find_map(|j| of_target[j.at()])
                .unwrap_or(DQuat::IDENTITY);
            let aim = |s: JointIndex, t: JointIndex| {
                let from =
                    source.reference[s.at()].translation - source.reference[pair.source.at()].translation;
                let wanted = (target_from_source * from).try_normalize()?;
                let own = (target.bind_position(t) - target.bind_position(pair.target)).try_normalize()?;
                Some(DQuat::from_rotation_arc(above * own, wanted) * above)
            };
            let correction = match pair.rest {
                RestRule::Keep => DQuat::IDENTITY,
                RestRule::Inherit => above,
                RestRule::Aim(s, t) => aim(s, t).unwrap_or(above),
            };
            corrections[i] = correction.normalize();
            of_target[pair.target.at()] = Some(corrections[i]);
        }
        Aligned {
            corrections,
            target_from_source,
        }
    }
}

impl Aligned {
    /// The target's turns and hips in every frame, rotations copied and positions scaled.
    pub fn carry(
        &self,
        source: &Sampled,
        turner: &Turner<'_>,
        map: &RetargetMap,
        scale: f64,
    ) -> Vec<TargetFrame> {
        use rayon::prelude::*;
        let across = self.target_from_source;
        let back = across.inverse();
        let own_hips = turner.skeleton().bind_position(map.hips.1);
        source
            .frames
            .par_iter()
            .map(|frame| {
                let mut wanted = vec![None; turner.skeleton().joints.len()];
                for (pair, correction) in map.pairs.iter().zip(&self.corrections) {
                    let turn = across * frame.turns[pair.source.at()] * back * *correction;
                    wanted[pair.target.at()] = Some(turn.normalize());
                }
                let moved = frame.positions[map.hips.0.at()] - source.standing(map.hips.0);
                TargetFrame {
                    turns: turner.completed(&wanted),
                    hips: own_hips + scale * (across * moved),
                }
            })
            .collect()
    }
}
